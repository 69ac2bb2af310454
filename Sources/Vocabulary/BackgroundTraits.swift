// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What an app does in the background besides refreshing and processing: pushes, transfers, alarms, modes, widgets.
///
/// A new app does none of it; a catalogue then sets what it knows.
public struct BackgroundTraits: Sendable {
    /// Silent pushes sent to it per day (`apns-push-type: background`).
    public var silentPushesPerDay = 0.0
    /// Share of them that are sent with high priority, where the system knows it; nobody has counted them.
    public var urgentShare = 0.0
    /// Share of those after which it shows a notification, as the system demands.
    public var urgentShownShare = 1.0
    /// Notifications that it schedules itself and the system shows without running it, per day; nobody has counted
    /// them: 2 to 10 for apps that schedule any.
    public var localPerDay = 0.0
    /// Whether a Notification Service extension fetches something for each alert push before it is shown.
    public var hasNotificationService = false
    /// Calls that arrive per day as VoIP pushes.
    public var callsPerDay = 0.0
    /// Probability that it reports a call for a VoIP push, as the system demands.
    public var reportsCalls = 1.0

    /// Whether it can follow the user's location (significant changes and regions).
    public var followsLocation = false
    /// Time a day for which it follows the location without a pause after it was left, as in a workout; nobody has
    /// counted it: 10 to 60 min for a fitness app in use.
    public var trackingPerDay = SimDuration.zero
    /// Time for which it follows the location without a pause whenever the user has moved, as an app does that shows a
    /// family where everyone is; none when zero.
    public var trackingPerMove = SimDuration.zero
    /// Events of a Bluetooth accessory per day that run the app.
    public var bluetoothEventsPerDay = 0.0
    /// Whether it restores its Bluetooth state: without, an event of an accessory does not start it again after its
    /// process ended (Apple, Core Bluetooth Programming Guide, "State Preservation and Restoration").
    public var restoresBluetooth = true
    /// Whether its handler of a silent push leaves the work to a processing request, as jobs of Android do.
    public var pushSetsOffJob = false

    /// Background transfers it hands to the system per day.
    public var transfersPerDay = 0.0
    /// Bytes of one of them.
    public var transferBytes = ByteCount.zero
    /// Share of those bytes that go up.
    public var transferUpShare = 0.0
    /// Whether it leaves the moment to the system even where it need not.
    public var transferIsDiscretionary = false

    /// Time between the heartbeats of the connection that it keeps to its own servers, on the mobile network; zero for
    /// an app that leaves this to the system's push connection.
    public var heartbeat = SimDuration.zero
    /// The same on Wi-Fi; zero for the same time as on the mobile network.
    public var heartbeatOnWiFi = SimDuration.zero
    /// Bytes of a heartbeat, both ways together.
    public var heartbeatBytes = ByteCount(200)

    /// Its alarm, where the system has alarms.
    public var alarms = AlarmTraits()
    /// Its broadcasts, where the system has broadcasts.
    public var broadcasts = BroadcastTraits()

    /// What the user lets it do with the battery, where the system asks; other systems do not look at it.
    public var battery = BatteryUse.optimized

    /// Whether it offers a widget.
    public var hasWidget = false

    /// Share of visits in which the user begins something in it that goes on when they leave (continued processing,
    /// iOS 26).
    public var continuedShare = 0.0
    /// Processor time of one such task.
    public var continuedTime = SimDuration.minutes(2)
    /// Bytes that one such task sends.
    public var continuedBytes = ByteCount.zero
    /// What it wants when it cannot start at once.
    public var continuedStrategy = ContinuedStrategy.queue
    /// Probability that such a task reports its progress, as the system demands.
    public var continuedReports = 1.0
    /// What Android takes such a task for, which says for how long it may run; iOS has one kind.
    public var continuedType = ServiceType.dataSync
    /// Whether such a task asks iOS for the graphics processor (`requiredResources`); what it would do there is not
    /// modelled.
    public var continuedNeedsGPU = false

    /// Whether it refreshes through the older fetch interface, whose results the system learns from.
    public var usesFetch = false
    /// Probability that a refresh fails at its server.
    public var refreshFails = 0.0
    /// Memory that background work takes besides what the app keeps in the background.
    public var workFootprint = ByteCount.zero

    /// Creates the traits of an app that does nothing of the kind.
    public init() {}
}

/// What a continued-processing request wants when it cannot start at once (Apple, BGContinuedProcessingTaskRequest).
public enum ContinuedStrategy: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Wait until a running task ends; the default.
    case queue
    /// Be refused.
    case fail
}

/// Android's setting of how an app may use the battery.
public enum BatteryUse: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Within the limits of its standby bucket and of Doze.
    case optimized
    /// On the list of apps that Doze and buckets leave alone.
    case unrestricted
}

extension BackgroundTraits {
    /// The keys in `connection`, with what is allowed.
    public static let connectionKeys: [FileKey<BackgroundTraits>] = [
        .time(\.heartbeat, "heartbeat", 1...9e6),
        .time(\.heartbeatOnWiFi, "wifi_heartbeat", 1...9e6),
        .bytes(\.heartbeatBytes, "bytes"),
    ]

    /// The keys in `continued`, with what is allowed.
    public static let continuedKeys: [FileKey<BackgroundTraits>] = [
        .share(\.continuedShare, "share"),
        .time(\.continuedTime, "time"),
        .bytes(\.continuedBytes, "bytes"),
        .choice(\.continuedStrategy, "strategy", "strategy"),
        .share(\.continuedReports, "reports"),
        .choice(\.continuedType, "type", "type of service"),
        .flag(\.continuedNeedsGPU, "gpu"),
    ]

    /// The keys in `pushes`, with what is allowed.
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

    /// The keys of the app itself, with what is allowed.
    public static let keys: [FileKey<BackgroundTraits>] = [
        .flag(\.hasWidget, "widget"), .choice(\.battery, "battery", "use of the battery"),
    ]

    /// The keys in `modes`, with what is allowed.
    public static let modeKeys: [FileKey<BackgroundTraits>] = [
        .flag(\.followsLocation, "location"),
        .time(\.trackingPerDay, "tracking_per_day", 0...86400),
        .time(\.trackingPerMove, "tracking_per_move", 0...86400),
        .number(\.bluetoothEventsPerDay, "bluetooth_per_day", 0...1e5, example: "288"),
        .flag(\.restoresBluetooth, "bluetooth_restores"),
    ]

    /// The keys in `transfers`, with what is allowed.
    public static let transferKeys: [FileKey<BackgroundTraits>] = [
        .number(\.transfersPerDay, "per_day", 0...1e4, example: "1"),
        .bytes(\.transferBytes, "bytes"),
        .share(\.transferUpShare, "up_share"),
        .flag(\.transferIsDiscretionary, "discretionary"),
    ]
}
