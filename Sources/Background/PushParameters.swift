// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The OS's limits for pushes that run code.
public struct PushParameters: Sendable {
    /// Number of silent pushes delivered to an app within one window.
    ///
    /// Together with the window, this gives two to three per hour. Source: Apple, "Pushing background updates to your
    /// App": "don't try to send more than two or three per hour".
    public var perWindow = 3
    /// Length of a window: a burst of about ten minutes and an hour of silence.
    ///
    /// Senders with continuous pushes observed this pattern (github firebase/quickstart-ios, issue 258).
    public var window = SimDuration.minutes(70)
    /// Least time between silent pushes delivered to one app.
    ///
    /// Assumption: this time spreads the pushes of a window over the ten minutes of its burst.
    public var spacing = SimDuration.minutes(5)
    /// Energy units that a silent push takes from the budget for work off the charger.
    ///
    /// Assumption: none. Neither the cost of a push nor the unit of the budget is public. At one unit per push, as for
    /// a refresh, two of five pushes would be lost.
    public var energyUnits = 0.0
    /// Time between two checks of a used-up budget; assumption.
    public var budgetRecheck = SimDuration.minutes(30)
    /// Share of alert and silent pushes that never arrive.
    ///
    /// A push is lost if the sender's token is no longer valid or the sender fails. Assumption: none, with a range of 0
    /// to 20 %.
    public var lostShare = 0.0
    /// Whether silent pushes wait for maintenance windows while the scheduling policy blocks the network of apps.
    ///
    /// In Doze, messages of normal priority wait in this way (Firebase, "Set and manage Android message priority").
    public var waitForWindows = false
    /// Whether silent pushes can have high priority, which runs their app at once, even in Doze; only on Android.
    public var hasUrgent = false
    /// Whether messages of high priority count as normal if their app shows no notifications for them.
    ///
    /// Source: Firebase, "Set and manage Android message priority".
    public var downgrades = true
    /// Share of messages that show a notification, below which an app's messages of high priority are downgraded.
    ///
    /// The share counts the app's messages of high priority in seven days. No figure is public; the value is an
    /// assumption, with a range of 20 to 80 %.
    public var downgradeBelow = 0.5
    /// Least number of messages of high priority that allows a downgrade; assumption.
    public var downgradeCount = 10
    /// Whether the standby bucket limits the number of messages of high priority per day, as until Android 12.
    ///
    /// Source: developer.android.com, "Power management resource limits".
    public var isLimitedByBucket = false
    /// Whether silent pushes wait while the camera is in use, as in dasd's logs.
    public var waitForCamera = true
    /// Time for which an app may run for a silent push (Apple, "Pushing background updates to your App": 30 seconds).
    public var runtime = SimDuration.seconds(30)
    /// Time for which an app may run to report a call.
    ///
    /// Assumption: a launch may take 20 s (Apple, "Addressing watchdog terminations").
    public var callRuntime = SimDuration.seconds(20)
    /// Time for which a call rings; assumption.
    public var ringTime = SimDuration.seconds(20)
    /// Share of calls that are answered; assumption.
    public var answeredShare = 0.5
    /// Number of VoIP pushes without a call after which the system stops launching the app until it is opened.
    ///
    /// Apple's PushKit documentation writes "repeatedly"; github VialerSIPLib, issue 197, reports three to five.
    public var missesUntilBan = 3
    /// Processor time of a Notification Service extension for an alert.
    ///
    /// Assumption: the limit is 30 s, but few extensions need as much as 1 s.
    public var extensionTime = SimDuration.milliseconds(500)
    /// Bytes that a Notification Service extension fetches; assumption: a picture.
    public var extensionBytes = ByteCount.kibibytes(100)
    /// Time after an alert within which an open of the app counts as a response to the alert.
    ///
    /// Two users opened the app within an hour of 34-35 % of the notifications. Later opens show no relation to the
    /// notification (github.com/abardou/viz-habits).
    public var answerWindow = SimDuration.hours(1)

    /// Creates the profile of a current phone.
    public init() {}
}

extension PushParameters {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<PushParameters>] = [
        .integer(\.perWindow, "per_window", 0...10_000, example: "3"),
        .time(\.window, "window", 0...9e6),
        .time(\.spacing, "spacing", 0...9e6),
        .number(\.energyUnits, "energy_units", 0...1000, example: "1"),
        .time(\.budgetRecheck, "budget_recheck", 1...86400),
        .share(\.lostShare, "lost_share"),
        .flag(\.waitForWindows, "wait_for_windows"),
        .flag(\.hasUrgent, "urgent"),
        .flag(\.downgrades, "downgrades"),
        .share(\.downgradeBelow, "downgrade_below"),
        .integer(\.downgradeCount, "downgrade_count", 0...10_000, example: "10"),
        .flag(\.isLimitedByBucket, "limited_by_bucket"),
        .flag(\.waitForCamera, "wait_for_camera"),
        .time(\.runtime, "runtime", 0.001...3600),
        .time(\.callRuntime, "call_runtime", 0.001...3600),
        .time(\.ringTime, "ring_time", 0...9e6),
        .share(\.answeredShare, "answered_share"),
        .integer(\.missesUntilBan, "misses_until_ban", 1...10_000, example: "3"),
        .time(\.extensionTime, "extension_processor", 0...9e6),
        .bytes(\.extensionBytes, "extension_bytes"),
        .time(\.answerWindow, "answer_window", 0...9e6),
    ]
}
