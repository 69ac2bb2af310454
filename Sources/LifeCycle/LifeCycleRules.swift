// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What the operating system fixes about the life cycle of apps: clocks, watchdogs, and who is called.
public struct LifeCycleRules: Sendable, BitwiseCopyable, Equatable {
    /// Whether windows have delegates of their own; otherwise the application's delegate is called (before iOS 13).
    public var hasScenes = true
    /// Whether the system may build processes before anybody opens their app (Apple, "About the app launch sequence":
    /// from iOS 15 on).
    public var prewarms = true
    /// Time from the background callback to suspension without a task assertion (Apple, UIKit life-cycle
    /// documentation).
    public var backgroundGrace = SimDuration.seconds(5)
    /// How long the app that was left last is the previous app, which waits before its grace begins; none on iOS.
    ///
    /// Android keeps the previous process out of the cached ones for 60 s (`MAX_PREVIOUS_TIME`,
    /// `ActivityManagerConstants.java`) and freezes a process 10 s after it is cached (`CachedAppOptimizer.java`).
    /// Leaving another app ends it.
    public var previousTime = SimDuration.zero
    /// Whether the grace keeps the phone awake, as RunningBoard's assertions do; a cached process of Android holds no
    /// wake lock.
    public var graceKeepsAwake = true
    /// Whether a process dies whose task assertion outlives its time; Android stops its services and leaves it alone.
    public var killsAtExpiration = true
    /// Time from the end of the last of what else held a process running in the background to suspension.
    ///
    /// That is a task, an event, a call or music. For refreshes and pushes it is none: the app is suspended as soon as
    /// it reports completion (Apple, `BGTask.setTaskCompleted(success:)`, and the handler of
    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`). After sound, calls and events nobody has
    /// published it: none is an assumption there, and 0 to 5 s is its interval.
    public var workGrace = SimDuration.zero
    /// How long expiration handlers may take before the process is killed (the same thread: about a second).
    public var expirationTime = SimDuration.seconds(1)
    /// Time a launch into the foreground may take (Apple, "Addressing watchdog terminations"; logs: 19.97 s).
    public var launchLimit = SimDuration.seconds(20)
    /// Time a window may take to answer a change of state (logs of `scene-update`: 10.00 s).
    public var updateLimit = SimDuration.seconds(10)
    /// Whether what an app has saved of its windows is found again after a force quit; it is not, as the session goes
    /// with the swipe (UIKit, `application(_:didDiscardSceneSessions:)`).
    public var restoresAfterForceQuit = false
    /// Processor time that a process without a window may use in a window of time (crash reports: 48 s of CPU time
    /// over 60 s; Apple developer forums, threads 675166 and 690666).
    public var processorTime = SimDuration.seconds(48)
    /// The window of that limit.
    public var processorWindow = SimDuration.seconds(60)

    /// Creates the rules since iOS 15.
    public init() {}

    /// The rules before iOS 13: no scenes.
    public static var beforeScenes: LifeCycleRules {
        var rules = LifeCycleRules()
        rules.hasScenes = false
        rules.prewarms = false
        return rules
    }
}

extension LifeCycleRules {
    /// The keys of the figures in files, with what is allowed.
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
        .time(\.processorWindow, "processor_window", 1...9e9),
    ]
}
