// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Limits of the OS for transfers that its own daemon makes for apps (`URLSession` with a background configuration).
public struct TransferParameters: Sendable {
    /// Delay of a transfer requested in the background, after the first background launch for transfers.
    ///
    /// The delay doubles with each further launch (Apple, "Downloading files in the background"; the figures are
    /// assumptions).
    public var firstDelay = SimDuration.minutes(1)
    /// The longest such delay; assumption.
    public var longestDelay = SimDuration.hours(1)
    /// Size of the pieces of a transfer; a lost connection loses one piece (assumption).
    public var piece = ByteCount.mebibytes(4)
    /// How long the system tries a transfer (Apple, `timeoutIntervalForResource`: seven days).
    public var life = SimDuration.days(7)

    /// Creates the profile of a present phone.
    public init() {}
}

extension TransferParameters {
    /// The keys of the figures in files, with the values allowed.
    public static let keys: [FileKey<TransferParameters>] = [
        .time(\.firstDelay, "first_delay", 0...9e6),
        .time(\.longestDelay, "longest_delay", 0...9e6),
        .bytes(\.piece, "piece", 1...1e12),
        .time(\.life, "life", 0...9e6),
    ]
}
