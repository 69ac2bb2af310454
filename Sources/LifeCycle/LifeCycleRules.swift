// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Rules of the operating system for the life cycle of apps: clocks, watchdogs, and calls into apps.
public struct LifeCycleRules: Sendable, BitwiseCopyable, Equatable {
    /// Whether each window has its own delegate; otherwise, the application's delegate is called (before iOS 13).
    public var hasScenes = true
    /// Whether the system may start processes before the user opens their app.
    ///
    /// True from iOS 15 on. Source: Apple, "About the app launch sequence".
    public var prewarms = true
    /// Time from the background callback to suspension, without a task assertion.
    ///
    /// Source: Apple, UIKit life-cycle documentation.
    public var backgroundGrace = SimDuration.seconds(5)
    /// Time for which the last app on screen counts as the previous app, before its grace begins; zero on iOS.
    ///
    /// On Android, the previous process becomes a cached process only after 60 s (`MAX_PREVIOUS_TIME`,
    /// `ActivityManagerConstants.java`). Android freezes a process 10 s after the process is cached
    /// (`CachedAppOptimizer.java`). The time also ends when the user leaves another app.
    public var previousTime = SimDuration.zero
    /// Whether the grace keeps the phone awake.
    ///
    /// On iOS, RunningBoard's assertions keep the phone awake; on Android, a cached process holds no wake lock.
    public var graceKeepsAwake = true
    /// Whether a process is killed if it still holds a task assertion after the allowed time; Android stops the
    /// services of the process instead.
    public var killsAtExpiration = true
    /// Time from the end of the last reason for background execution to suspension.
    ///
    /// Reasons are a task, an event, a call or music. For refreshes and pushes, the time is zero: the app is suspended
    /// when it reports completion (Apple, `BGTask.setTaskCompleted(success:)`, and the handler of
    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`). No source states the time after sound,
    /// calls and events. Zero is an assumption; the range is 0 to 5 s.
    public var workGrace = SimDuration.zero
    /// Time that expiration handlers may take before the process is killed.
    ///
    /// The handlers get about a second (Apple developer forums, thread 85066).
    public var expirationTime = SimDuration.seconds(1)
    /// Time limit of a launch into the foreground (Apple, "Addressing watchdog terminations"; logs: 19.97 s).
    public var launchLimit = SimDuration.seconds(20)
    /// Time limit for a window to answer a change of state (logs of `scene-update`: 10.00 s).
    public var updateLimit = SimDuration.seconds(10)
    /// Whether the saved state of an app's windows is restored after a force quit.
    ///
    /// The default is false, because a swipe discards the session (UIKit, `application(_:didDiscardSceneSessions:)`).
    public var restoresAfterForceQuit = false
    /// Limit of the processor time of a process without a window, within one `processorWindow`.
    ///
    /// Source: crash reports (48 s of CPU time over 60 s); Apple developer forums, threads 675166 and 690666.
    public var processorTime = SimDuration.seconds(48)
    /// Length of the window for `processorTime`.
    public var processorWindow = SimDuration.seconds(60)

    /// Creates the rules since iOS 15.
    public init() {}

    /// The rules before iOS 13, without scenes.
    public static var beforeScenes: LifeCycleRules {
        var rules = LifeCycleRules()
        rules.hasScenes = false
        rules.prewarms = false
        return rules
    }
}

extension LifeCycleRules {
    /// The keys of these rules in files, with their allowed values.
    public static let keys: [FileKey<LifeCycleRules>] = [
        .flag(\.hasScenes, "scenes"),
        .flag(\.prewarms, "prewarms"),
        .time(\.backgroundGrace, "background_grace"),
        .time(\.previousTime, "previous_time"),
        .flag(\.graceKeepsAwake, "grace_keeps_awake"),
        .flag(\.killsAtExpiration, "kills_at_expiration"),
        .time(\.workGrace, "work_grace"),
        .time(\.expirationTime, "expiration_time"),
        .time(\.launchLimit, "launch_limit"),
        .time(\.updateLimit, "update_limit"),
        .flag(\.restoresAfterForceQuit, "restores_after_force_quit"),
        .time(\.processorTime, "processor_time"),
        .time(\.processorWindow, "processor_window", 1...SimDuration.longestStated),
    ]
}
