// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Background activity of an app besides refreshes and processing: pushes, transfers, alarms, modes, widgets.
///
/// By default, an app has no such activity; a catalogue sets the values.
public struct BackgroundTraits: Sendable {
    /// Silent pushes sent to the app per day (`apns-push-type: background`).
    public var silentPushesPerDay = 0.0
    /// Share of silent pushes sent with high priority, on systems with priorities; no source counts them.
    public var urgentShare = 0.0
    /// Share of silent pushes with high priority for which the app shows a notification, as the system requires.
    public var urgentShownShare = 1.0
    /// Notifications per day that the app schedules and the system shows without running the app.
    ///
    /// No source counts them; assumption: 2 to 10 for apps that schedule any.
    public var localPerDay = 0.0
    /// Whether a Notification Service extension fetches data for each alert push before the alert is shown.
    public var hasNotificationService = false
    /// Calls that arrive per day as VoIP pushes.
    public var callsPerDay = 0.0
    /// Probability that the app reports a call for a VoIP push, as the system requires.
    public var reportsCalls = 1.0

    /// Whether the app can follow the user's location (significant changes and regions).
    public var followsLocation = false
    /// Time per day for which the app follows the location continuously after the user left the app, as in a workout.
    ///
    /// No source states this time. Assumption: 10 to 60 min for a fitness app in use.
    public var trackingPerDay = SimDuration.zero
    /// Time for which the app follows the location continuously after each move of the user; zero for apps that do not.
    ///
    /// Example: an app that shows where family members are.
    public var trackingPerMove = SimDuration.zero
    /// Events of a Bluetooth accessory per day that run the app.
    public var bluetoothEventsPerDay = 0.0
    /// Whether the app restores its Bluetooth state.
    ///
    /// Without restoration, an accessory's event does not start the app again after the app's process has ended.
    /// Source: Apple, Core Bluetooth Programming Guide, "State Preservation and Restoration".
    public var restoresBluetooth = true
    /// Whether the handler of a silent push submits a processing request for the work, as Android apps do with jobs.
    public var pushSetsOffJob = false

    /// Background transfers that the app hands to the system per day.
    public var transfersPerDay = 0.0
    /// Bytes of one background transfer.
    public var transferBytes = ByteCount.zero
    /// Share of the transferred bytes that are uploaded.
    public var transferUpShare = 0.0
    /// Whether the app lets the system choose the time of a transfer even where this is not required.
    public var transferIsDiscretionary = false

    /// Time between heartbeats of the app's connection to its own servers, on the mobile network.
    ///
    /// Zero if the app uses the system's push connection.
    public var heartbeat = SimDuration.zero
    /// Time between heartbeats on Wi-Fi; zero for the value of the mobile network.
    public var heartbeatOnWiFi = SimDuration.zero
    /// Bytes of a heartbeat, sent and received.
    public var heartbeatBytes = ByteCount(200)

    /// Alarm of the app, on systems with alarms.
    public var alarms = AlarmTraits()
    /// Broadcasts to the app, on systems with broadcasts.
    public var broadcasts = BroadcastTraits()

    /// The user's battery setting for the app, on systems that have it; other systems ignore it.
    public var battery = BatteryUse.optimized

    /// Whether the app offers a widget.
    public var hasWidget = false

    /// Processes of the app in addition to its main process, in the order of the kinds.
    public var processes: [AppProcess] = []

    /// Share of visits in which the user begins a task that continues after the visit (continued processing, iOS 26).
    public var continuedShare = 0.0
    /// Processor time of one continued task.
    public var continuedTime = SimDuration.minutes(2)
    /// Bytes that one continued task sends.
    public var continuedBytes = ByteCount.zero
    /// Behaviour of a continued task that cannot start at once.
    public var continuedStrategy = ContinuedStrategy.queue
    /// Probability that a continued task reports its progress, as the system requires.
    public var continuedReports = 1.0
    /// Type of the continued task under Android, which limits its length; iOS has one type.
    public var continuedType = ServiceType.dataSync
    /// Whether a continued task asks iOS for the graphics processor (`requiredResources`).
    ///
    /// The work on the graphics processor is not modelled.
    public var continuedNeedsGPU = false

    /// Whether the app refreshes through the older fetch interface; the system then adapts to its results.
    public var usesFetch = false
    /// Probability that a refresh fails at the server.
    public var refreshFails = 0.0
    /// Memory of background work in addition to the app's footprint in the background.
    public var workFootprint = ByteCount.zero

    /// Creates the traits of an app without background activity.
    public init() {}
}

/// Reaction to a continued-processing request that cannot start at once (Apple, BGContinuedProcessingTaskRequest).
public enum ContinuedStrategy: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Wait until a running task ends; the default.
    case queue
    /// Fail at once.
    case fail
}

/// Android's setting for the use of the battery by an app.
public enum BatteryUse: String, Sendable, CaseIterable, BitwiseCopyable {
    /// The app is limited by its standby bucket and by Doze.
    case optimized
    /// The app is exempt from Doze and standby buckets.
    case unrestricted
}

extension BackgroundTraits {
    /// The keys in `connection`, with their allowed values.
    public static let connectionKeys: [FileKey<BackgroundTraits>] = [
        .time(\.heartbeat, "heartbeat", 1...9e6),
        .time(\.heartbeatOnWiFi, "wifi_heartbeat", 1...9e6),
        .bytes(\.heartbeatBytes, "bytes"),
    ]

    /// The keys in `continued`, with their allowed values.
    public static let continuedKeys: [FileKey<BackgroundTraits>] = [
        .share(\.continuedShare, "share"),
        .time(\.continuedTime, "time"),
        .bytes(\.continuedBytes, "bytes"),
        .choice(\.continuedStrategy, "strategy", "strategy"),
        .share(\.continuedReports, "reports"),
        .choice(\.continuedType, "type", "type of service"),
        .flag(\.continuedNeedsGPU, "gpu"),
    ]

    /// The keys in `pushes`, with their allowed values.
    public static let pushKeys: [FileKey<BackgroundTraits>] = [
        .number(\.silentPushesPerDay, "silent_per_day", 0...1e5, example: "6"),
        .share(\.urgentShare, "urgent_share"),
        .share(\.urgentShownShare, "urgent_shown_share"),
        .flag(\.pushSetsOffJob, "set_off_job"),
        .number(\.localPerDay, "local_per_day", 0...1e4, example: "4"),
        .flag(\.hasNotificationService, "notification_service"),
        .number(\.callsPerDay, "calls_per_day", 0...1e4, example: "0.5"),
        .share(\.reportsCalls, "reports_calls"),
    ]

    /// The keys of the app itself, with their allowed values.
    public static let keys: [FileKey<BackgroundTraits>] = [
        .flag(\.hasWidget, "widget"), .choice(\.battery, "battery", "use of the battery"),
    ]

    /// The keys in `modes`, with their allowed values.
    public static let modeKeys: [FileKey<BackgroundTraits>] = [
        .flag(\.followsLocation, "location"),
        .time(\.trackingPerDay, "tracking_per_day", 0...86400),
        .time(\.trackingPerMove, "tracking_per_move", 0...86400),
        .number(\.bluetoothEventsPerDay, "bluetooth_per_day", 0...1e5, example: "288"),
        .flag(\.restoresBluetooth, "bluetooth_restores"),
    ]

    /// The keys in `transfers`, with their allowed values.
    public static let transferKeys: [FileKey<BackgroundTraits>] = [
        .number(\.transfersPerDay, "per_day", 0...1e4, example: "1"),
        .bytes(\.transferBytes, "bytes"),
        .share(\.transferUpShare, "up_share"),
        .flag(\.transferIsDiscretionary, "discretionary"),
    ]
}
