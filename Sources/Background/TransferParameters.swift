// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The OS's limits for transfers that its daemon makes for apps (`URLSession` with a background configuration).
public struct TransferParameters: Sendable {
    /// Delay of a transfer that an app requests in the background after the first background launch for its transfers.
    ///
    /// The delay doubles with each further launch (Apple, "Downloading files in the background"). The figures are
    /// assumptions.
    public var firstDelay = SimDuration.minutes(1)
    /// The longest delay of such a transfer; assumption.
    public var longestDelay = SimDuration.hours(1)
    /// Size of the pieces of a transfer; a lost connection loses one piece; assumption.
    public var piece = ByteCount.mebibytes(4)
    /// Time for which the system attempts a transfer (Apple, `timeoutIntervalForResource`: seven days).
    public var life = SimDuration.days(7)

    /// Creates the profile of a current phone.
    public init() {}
}

extension TransferParameters {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<TransferParameters>] = [
        .time(\.firstDelay, "first_delay", 0...9e6),
        .time(\.longestDelay, "longest_delay", 0...9e6),
        .bytes(\.piece, "piece", 1...1e12),
        .time(\.life, "life", 0...9e6),
    ]
}
