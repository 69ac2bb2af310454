// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Limits of an OS profile on background work; they apply under any scheduling policy.
public struct BackgroundParameters: Sendable {
    /// Time for which a refresh may run (Apple, "Choosing Background Strategies for Your App").
    public var refreshLimit = SimDuration.seconds(30)
    /// Time for which a processing task may run.
    ///
    /// Developers plan for one to ten minutes: github ente-io/ente#12242 stops at 3:45, and kmpworkmanager's notes
    /// state up to ten.
    public var processingLimit = SimDuration.minutes(10)
    /// Number of refresh requests that each app may have pending (Apple, BGTaskScheduler `submit(_:)`).
    public var pendingRefreshLimit = 1
    /// Number of processing requests that each app may have pending (Apple, BGTaskScheduler `submit(_:)`).
    public var pendingProcessingLimit = 10
    /// Time for which a refresh request is kept after its earliest begin.
    ///
    /// Assumption: Apple states no limit.
    public var refreshLife = SimDuration.days(1)
    /// Time for which a processing request is kept after its earliest begin.
    ///
    /// The system attempts it within two days (BGTaskRequest.h).
    public var processingLife = SimDuration.days(2)
    /// Whether processing waits until the phone is not in use (Apple, BGProcessingTask documentation).
    public var processingNeedsIdleDevice = true
    /// Least time between the starts of two processing tasks of an app.
    ///
    /// This time applies if the second task was requested after the first one began. At night, a phone runs a task
    /// every half hour if the app requests it again at once. Assumption: 10 to 60 min.
    public var processingSpacing = SimDuration.minutes(30)
    /// Factor that multiplies the processor time of a processing task.
    public var processingShare = 1.0
    /// Whether Background App Refresh is on for the whole phone.
    public var refreshSwitch = true
    /// Whether Low Power Mode stops background launches (Apple Energy Guide; `backgroundRefreshStatus`).
    public var lowPowerModeStopsWork = true
    /// Thermal level from which no scheduled work starts under any policy: critical.
    ///
    /// Only actions of the user continue at the critical level (Apple, `ProcessInfo.ThermalState`). At the level
    /// serious, the policy decides.
    public static let stoppingThermalLevel: UInt8 = 3
    /// Thermal level from which no silent push launches its app: serious.
    ///
    /// The condition is `thermalLevel >= 2` in a macOS log ("Mitigating Mac Enrollment Failures", 2020).
    public static let pushStoppingThermalLevel: UInt8 = 2
    /// Whether an app that the user swiped away gets no launch before its next open (Apple, App Programming Guide).
    public var forceQuitStopsWork = true
    /// Whether a pending refresh stays unchanged when the app requests another one, like periodic work on Android.
    ///
    /// On iOS the new request replaces it.
    public var keepsPending = false
    /// Least time from one refresh to the earliest begin of the next (Android: 15 min, `JobInfo.java`).
    public var leastPeriod = SimDuration.zero
    /// Time until a request of an app on screen is checked again; assumption.
    public var foregroundRecheck = SimDuration.minutes(5)

    /// Time for which an app gets no work of a kind after work of that kind reached its limit without reporting
    /// completion.
    ///
    /// The time doubles with each further run in a row without completion; zero disables the delay. Apple writes that
    /// such an app is "throttled for future requests" (WWDC22 session 10142). The value is an assumption.
    public var throttle = SimDuration.hours(1)
    /// Probability that an app is killed for not reporting completion; assumption.
    ///
    /// Apple writes that the app "may be" killed (`setTaskCompleted`).
    public var uncompletedKillShare = 0.5
    /// Share of refreshes that get only a few seconds.
    ///
    /// Expirations 2 to 5 s after the launch are documented (Apple developer forums, thread 780956), but most
    /// developers see none. The share is an assumption.
    public var shortGrantShare = 0.1
    /// Mean of the exponentially distributed time from a request's earliest begin to the system's first check.
    ///
    /// Some launches came 9, 18 and 40 s after the earliest begin (transistorsoft/flutter_background_geolocation#295
    /// and others). Others came 1, 2, 4 and 10 min after it: 16, 17, 19 and 25 min after a request for 15 min
    /// (capacitor-background-fetch#29). The distribution is an assumption.
    public var notice = SimDuration.minutes(3)
    /// The longest time of `throttle` after doubling; assumption.
    public var longestThrottle = SimDuration.day

    /// Battery level below which the phone does essential work only (Apple, WWDC20 session 10063).
    public var criticalLevel = 0.20
    /// Number of cores that share the load of a busy processor (two large and four small ones since the A11).
    public var processorCores = 6.0
    /// Time for which launches are held back after a boot or a long absence (dasd logs: 300 s, ably-flutter README).
    public var herdWindow = SimDuration.seconds(300)
    /// Time for which launches are held back while the phone is in use (dasd logs: 900 s, ably-flutter README).
    public var herdWindowInUse = SimDuration.seconds(900)
    /// Length of a lock or an offline time after which launches are held back.
    ///
    /// Assumption: the logs contain `lengthyNoNetwork` without a figure.
    public var longAbsence = SimDuration.hours(1)
    /// Time for which a task assertion keeps an app running since iOS 13 (Apple developer forums, thread 85066).
    public var assertionLimit = SimDuration.seconds(30)

    /// Work units per day that the energy budget allows off the charger: one unit per refresh or minute of processing.
    ///
    /// A log shows 188 units of unknown size (The Eclectic Light Company, 14 February 2025). The value is an
    /// assumption. With this value, an app in daily use gets 3 to 30 refreshes a day, with gaps of hours, as developers
    /// report.
    public var energyBudget = 50.0
    /// Bytes per day that background work may move over cellular; assumption.
    public var cellularBudget = ByteCount.mebibytes(100)

    /// Limits for pushes that run code.
    public var pushes = PushParameters()
    /// Limits for alarms of apps, on systems with alarms.
    public var alarms = AlarmParameters()
    /// Limits for broadcasts to apps, on systems with broadcasts.
    public var broadcasts = BroadcastParameters()
    /// Limits for transfers that the system makes for apps.
    public var transfers = TransferParameters()
    /// Connections that are kept while the phone sleeps.
    public var connections = ConnectionParameters()
    /// Limits for reloads of widgets.
    public var widgets = WidgetParameters()
    /// Limits for continued processing.
    public var continued = ContinuedParameters()
    /// Factors by which the three results of the older fetch interface multiply the time until the next refresh.
    ///
    /// `longest` limits the product of the factors. Assumption: Apple states that results count, but not how
    /// (`performFetchWithCompletionHandler` documentation).
    public var fetch = FetchParameters()

    /// Creates the profile of a current phone.
    public init() {}
}

extension BackgroundParameters {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<BackgroundParameters>] = [
        .time(\.refreshLimit, "refresh_limit"),
        .time(\.processingLimit, "processing_limit"),
        .integer(\.pendingRefreshLimit, "pending_refresh_limit", 0...1000, example: "1"),
        .integer(\.pendingProcessingLimit, "pending_processing_limit", 0...1000, example: "10"),
        .time(\.refreshLife, "refresh_life"),
        .time(\.processingLife, "processing_life"),
        .flag(\.processingNeedsIdleDevice, "processing_needs_idle_device"),
        .time(\.processingSpacing, "processing_spacing"),
        .number(\.processingShare, "processing_share", 0.001...100, example: "1"),
        .flag(\.refreshSwitch, "refresh_switch"),
        .flag(\.lowPowerModeStopsWork, "low_power_mode_stops_work"),
        .flag(\.forceQuitStopsWork, "force_quit_stops_work"),
        .flag(\.keepsPending, "keeps_pending"),
        .time(\.leastPeriod, "least_period"),
        .time(\.foregroundRecheck, "foreground_recheck", 1...SimDuration.longestStated),
        .time(\.throttle, "throttle"),
        .time(\.longestThrottle, "longest_throttle"),
        .share(\.uncompletedKillShare, "uncompleted_kill_share"),
        .share(\.shortGrantShare, "short_grant_share"),
        .time(\.notice, "notice"),
        .share(\.criticalLevel, "critical_level"),
        .number(\.processorCores, "processor_cores", 0.5...64, example: "6"),
        .time(\.herdWindow, "herd_window"),
        .time(\.herdWindowInUse, "herd_window_in_use"),
        .time(\.longAbsence, "long_absence"),
        .time(\.assertionLimit, "assertion_limit"),
        .number(\.energyBudget, "energy_budget", 0...1e9, example: "200"),
        .bytes(\.cellularBudget, "cellular_budget"),
    ]
}
