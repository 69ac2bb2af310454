// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The OS's limits for reloads of widgets, and the cost of a reload.
public struct WidgetParameters: Sendable {
    /// Reloads per day of a widget that the user often sees: 40 to 70 (Apple, "Keeping a widget up to date").
    ///
    /// An Apple engineer states 72 (developer forums, thread 733081).
    public var perDay = 70.0
    /// Time between reloads that a widget requests (Apple, "Keeping a widget up to date": "every 15 to 60 minutes").
    public var every = SimDuration.minutes(20)
    /// Time with the screen off after which the widget counts as unseen.
    ///
    /// Assumption: the budget follows the user's day.
    public var unseenAfter = SimDuration.hours(1)
    /// Processor time of the extension, including its launch; assumption.
    public var processorTime = SimDuration.milliseconds(300)
    /// Bytes that a reload fetches; assumption.
    public var bytes = ByteCount.kibibytes(10)

    /// Creates the profile of a current phone.
    public init() {}
}

extension WidgetParameters {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<WidgetParameters>] = [
        .number(\.perDay, "per_day", 0...1e4, example: "70"),
        .time(\.every, "every", 1...9e6),
        .time(\.unseenAfter, "unseen_after", 0...9e6),
        .time(\.processorTime, "processor", 0...9e6),
        .bytes(\.bytes, "bytes"),
    ]
}
