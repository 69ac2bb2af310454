// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Limits of the OS for reloads of widgets, and the cost of a reload.
public struct WidgetParameters: Sendable {
    /// Reloads a day of a widget that is seen often: 40 to 70 (Apple, "Keeping a widget up to date").
    ///
    /// An Apple engineer names 72 (developer forums, thread 733081).
    public var perDay = 70.0
    /// Time between reloads that a widget requests; the same page: "every 15 to 60 minutes".
    public var every = SimDuration.minutes(20)
    /// If the screen has been off for this long, the widget counts as unseen.
    ///
    /// Assumption: the budget follows the user's day.
    public var unseenAfter = SimDuration.hours(1)
    /// Processor time of the extension, its launch included; assumption.
    public var processorTime = SimDuration.milliseconds(300)
    /// Bytes that a reload fetches; assumption.
    public var bytes = ByteCount.kibibytes(10)

    /// Creates the profile of a present phone.
    public init() {}
}

extension WidgetParameters {
    /// The keys of the figures in files, with the values allowed.
    public static let keys: [FileKey<WidgetParameters>] = [
        .number(\.perDay, "per_day", 0...1e4, example: "70"),
        .time(\.every, "every", 1...9e6),
        .time(\.unseenAfter, "unseen_after", 0...9e6),
        .time(\.processorTime, "processor", 0...9e6),
        .bytes(\.bytes, "bytes"),
    ]
}
