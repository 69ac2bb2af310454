// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// A due event of the clocks of a process.
public enum LifeCycleVerdict: Sendable, Equatable, BitwiseCopyable {
    /// Nothing is due.
    case nothing
    /// A launch, a return to the screen or an interruption is over.
    case becomesActive
    /// The work under the process's task assertion is completed and uses no more processor time.
    ///
    /// The process is not suspended yet, because an assertion is still held or the grace is not over.
    case workEnds
    /// The time of the process's task assertions is over, and their expiration handler is called.
    ///
    /// If the handler ends the assertions, or the rules do not kill, the process holds none from now on and is
    /// suspended. Otherwise, the process is killed after `LifeCycleRules.expirationTime`.
    case taskExpires(isHandled: Bool)
    /// Nothing in these clocks prevents the suspension of the process any more.
    case suspends
    /// The system ends the process.
    case exits(ExitCategory)
}

/// The clocks that the system uses for one process.
///
/// - Launch and update watchdogs.
/// - The grace in the background, and the allowance of task assertions.
/// - The limit of processor time, and the lock that the process must not hold at suspension.
///
/// The clock is a plain value, which draws no random numbers and schedules nothing. Its owner reports changes of the
/// process, and calls `advance` at `deadline` to receive due events. The clock does not include other reasons for which
/// a process may execute; an owner with such a reason ignores `suspends`. Sources: Apple, "Extending your app's
/// background execution time", "Addressing watchdog terminations", "Understanding the exception types in a crash
/// report".
public struct LifeCycleClock: Sendable, BitwiseCopyable, Equatable {
    /// Whether a window of the process is on screen or about to come there.
    public internal(set) var isOnScreen = false
    /// Whether the process has stopped answering the system.
    public internal(set) var isHung = false
    /// Whether the process holds a lock on a shared file; a suspension then ends the process (0xdead10cc).
    public var holdsLock = false
    /// Number of task assertions held, not counting the assertion for work of known length.
    public internal(set) var tasks = 0
    /// When the process will reach the background limit of processor time if its load stays constant.
    public internal(set) var processorLimit = SimTime.distantFuture

    /// When a launch, a return to the screen or an interruption ends, and whether the watchdog then ends the process.
    var activation = SimTime.distantFuture
    var isLaunchTooLong = false
    /// When the watchdog ends a process that does not answer.
    var updateEnds = SimTime.distantFuture
    /// When the grace after leaving the screen ends.
    var graceEnds = SimTime.distantFuture
    /// When the common allowance of all task assertions ends.
    var allowanceEnds = SimTime.distantFuture
    /// When the time of the expiration handlers ends (`LifeCycleRules.expirationTime`).
    var handlersEnd = SimTime.distantFuture
    /// Work of known length: whether its assertion is held, whether the app never ends that assertion, and the end of
    /// the work.
    var holdsWork = false
    var leaksWork = false
    var workEnds = SimTime.distantFuture
    var isWorking: Bool { workEnds != .distantFuture }
    /// Number of processors that the process keeps busy in addition to the work of known length.
    var load = 0.0
    var monitor = ProcessorMonitor()

    /// Creates the clocks of an app without a process.
    public init() {}

    /// The next instant at which to call `advance`; `distantFuture` if nothing can become due.
    public var deadline: SimTime {
        if isOnScreen { return min(activation, updateEnds) }
        if isHung { return min(processorLimit, updateEnds) }
        if handlersEnd != .distantFuture { return min(processorLimit, handlersEnd) }
        return min(processorLimit, holdsTask ? min(allowanceEnds, workEnds) : graceEnds)
    }

    /// Whether a task assertion is held, for work of known or unknown length.
    public var holdsTask: Bool { tasks > 0 || holdsWork }
    /// Whether the processor time of the process is being measured.
    public var isWatched: Bool { monitor.isBusy }
}

/// Events on screen.
extension LifeCycleClock {
    /// Brings the process to the screen; it becomes active after some time, unless the watchdog ends the launch before.
    ///
    /// The grace, the allowance and the limit of processor time no longer apply. Assertions stay held, except the one
    /// for work of known length, which ends.
    ///
    /// - Parameters:
    ///   - wait: Time until the process is active if no watchdog ends it.
    ///   - isLaunch: Whether the process is launched rather than resumed.
    /// - Returns: The longest possible time until the process is active.
    public mutating func comeToForeground(
        after wait: SimDuration, isLaunch: Bool, at now: SimTime, _ rules: LifeCycleRules
    ) -> SimDuration {
        endBackground(at: now, rules)
        isOnScreen = true
        isLaunchTooLong = isLaunch && wait >= rules.launchLimit
        let span = isLaunchTooLong ? rules.launchLimit : wait
        activation = now + span
        askForUpdate(at: now, rules)
        return span
    }

    /// Starts an interruption that takes the focus; if `length` is nil, the interruption ends with a call of
    /// `becameActive`.
    public mutating func interrupt(for length: SimDuration? = nil, at now: SimTime, _ rules: LifeCycleRules) {
        activation = length.map { now + $0 } ?? .distantFuture
        askForUpdate(at: now, rules)
    }

    /// Makes the process active.
    public mutating func becameActive(at now: SimTime, _ rules: LifeCycleRules) {
        activation = .distantFuture
        isLaunchTooLong = false
        askForUpdate(at: now, rules)
    }

    /// Makes the process stop answering; from now on, each change of state restarts the update watchdog.
    public mutating func hang(at now: SimTime, _ rules: LifeCycleRules) {
        isHung = true
        askForUpdate(at: now, rules)
    }

    private mutating func askForUpdate(at now: SimTime, _ rules: LifeCycleRules) {
        if isHung { updateEnds = now + rules.updateLimit }
    }
}

/// Events in the background.
extension LifeCycleClock {
    /// Takes the last window from the screen while a reason other than a window keeps the process running.
    public mutating func leaveScreen(at now: SimTime, _ rules: LifeCycleRules) {
        isOnScreen = false
        activation = .distantFuture
        isLaunchTooLong = false
        askForUpdate(at: now, rules)
        watch(at: now, rules)
    }

    /// Starts the grace and the allowance, because only the process's own assertions keep it running from now on.
    ///
    /// - Parameters:
    ///   - allowance: Longest total time for which task assertions may be held.
    ///   - work: Length of work that keeps one processor busy under its own assertion; nil without such work.
    ///   - leaks: Whether the app never ends that assertion.
    public mutating func startGrace(
        allowance: SimDuration, work: SimDuration? = nil, leaks: Bool = false, at now: SimTime, _ rules: LifeCycleRules
    ) {
        graceEnds = now + rules.previousTime + rules.backgroundGrace
        allowanceEnds = now + allowance
        handlersEnd = .distantFuture
        holdsWork = work != nil && !isHung
        leaksWork = leaks
        workEnds = holdsWork ? now + (work ?? .zero) : .distantFuture
        leaveScreen(at: now, rules)
    }

    /// Ends the time for which the app counts as the previous app, because the user left another app.
    ///
    /// The grace starts now, unless it has already started.
    public mutating func isNotPreviousNow(at now: SimTime, _ rules: LifeCycleRules) {
        guard graceEnds != .distantFuture else { return }
        graceEnds = min(graceEnds, now + rules.backgroundGrace)
    }

    /// Ends the last reason, other than its own assertions, that kept the process running.
    ///
    /// If the process holds task assertions, their allowance starts now. Otherwise, the grace after work starts now. A
    /// grace that began when the process left the screen continues.
    ///
    /// - Returns: Whether a grace or an assertion of the process prevents its suspension now.
    public mutating func release(allowance: SimDuration, at now: SimTime, _ rules: LifeCycleRules) -> Bool {
        guard graceEnds == .distantFuture else { return true }
        guard holdsTask || rules.workGrace > .zero else { return false }
        graceEnds = now + rules.workGrace
        allowanceEnds = now + allowance
        return true
    }

    /// Ends the grace, the allowance and the work of known length, because another reason keeps the process running.
    public mutating func endGrace(at now: SimTime, _ rules: LifeCycleRules) {
        graceEnds = .distantFuture
        allowanceEnds = .distantFuture
        handlersEnd = .distantFuture
        holdsWork = false
        workEnds = .distantFuture
        if !isOnScreen { watch(at: now, rules) }
    }

    /// Begins a task assertion of the app; its time counts from the start of the grace.
    public mutating func beginTask() { tasks += 1 }

    /// Ends a task assertion; after the last one, the process is suspended when the grace ends.
    ///
    /// - Returns: Whether the process had an assertion.
    public mutating func endTask(at now: SimTime) -> Bool {
        guard tasks > 0 else { return false }
        tasks -= 1
        if !holdsTask { stopAllowance(at: now) }
        return true
    }

    /// Sets the number of processors that the process keeps busy from now on; use on screen counts towards no limit.
    public mutating func use(_ load: Double, at now: SimTime, _ rules: LifeCycleRules) {
        self.load = load
        if !isOnScreen { watch(at: now, rules) }
    }

    /// Lets a suspended process execute again, without a window and without a grace.
    public mutating func resumeInBackground(at now: SimTime, _ rules: LifeCycleRules) { watch(at: now, rules) }

    /// Suspends the process, which ends all its assertions.
    ///
    /// - Returns: `exits` if the process holds a lock that it must not hold at suspension.
    public mutating func suspend(at now: SimTime, _ rules: LifeCycleRules) -> LifeCycleVerdict {
        endBackground(at: now, rules)
        tasks = 0
        updateEnds = .distantFuture
        return holdsLock ? .exits(.lockedFile) : .nothing
    }

    /// Resets the clocks of a process that ended.
    public mutating func end() { self = LifeCycleClock() }
}

extension LifeCycleClock {
    /// Advances to an instant and returns what is due.
    ///
    /// Call this at `deadline`, and again while `deadline` is not later than the instant.
    ///
    /// - Parameter handlesExpiration: Whether an expiration handler of the app ends the app's assertions.
    public mutating func advance(
        at now: SimTime, handlesExpiration: Bool, _ rules: LifeCycleRules
    ) -> LifeCycleVerdict {
        if isOnScreen { return advanceOnScreen(at: now, rules) }
        if processorLimit <= now { return .exits(.cpuLimit) }
        if isHung { return updateEnds <= now ? .exits(.watchdog) : .nothing }
        if handlersEnd != .distantFuture { return handlersEnd <= now ? .exits(.taskTimeout) : .nothing }
        guard holdsTask else {
            guard graceEnds <= now else { return .nothing }
            endGrace(at: now, rules)
            return .suspends
        }
        if allowanceEnds <= now { return expire(handlesExpiration || !rules.killsAtExpiration, at: now, rules) }
        return workEnds <= now ? endWork(at: now, rules) : .nothing
    }

    private mutating func advanceOnScreen(at now: SimTime, _ rules: LifeCycleRules) -> LifeCycleVerdict {
        if isHung, updateEnds <= now, updateEnds <= activation { return .exits(.watchdog) }
        guard activation <= now else { return .nothing }
        if isLaunchTooLong { return .exits(.watchdog) }
        becameActive(at: now, rules)
        return .becomesActive
    }

    private mutating func expire(
        _ isHandled: Bool, at now: SimTime, _ rules: LifeCycleRules
    ) -> LifeCycleVerdict {
        if isHandled {
            tasks = 0
            endGrace(at: now, rules)
        } else {
            allowanceEnds = .distantFuture
            handlersEnd = now + rules.expirationTime
        }
        return .taskExpires(isHandled: isHandled)
    }

    /// Ends the work of known length, and its assertion unless the assertion leaks.
    private mutating func endWork(at now: SimTime, _ rules: LifeCycleRules) -> LifeCycleVerdict {
        workEnds = .distantFuture
        if !leaksWork { holdsWork = false }
        guard holdsTask || now < graceEnds else {
            endGrace(at: now, rules)
            return .suspends
        }
        watch(at: now, rules)
        return .workEnds
    }

    /// Ends the allowance after the last assertion; the remaining grace continues.
    private mutating func stopAllowance(at now: SimTime) {
        handlersEnd = .distantFuture
        if graceEnds != .distantFuture { graceEnds = max(graceEnds, now) }
    }

    /// Stops all background clocks and the processor monitor.
    private mutating func endBackground(at now: SimTime, _ rules: LifeCycleRules) {
        graceEnds = .distantFuture
        allowanceEnds = .distantFuture
        handlersEnd = .distantFuture
        holdsWork = false
        workEnds = .distantFuture
        processorLimit = .distantFuture
        _ = monitor.use(0, at: now, rules)
    }

    /// Starts to monitor the processor time of the process.
    private mutating func watch(at now: SimTime, _ rules: LifeCycleRules) {
        processorLimit = monitor.use(load + (isWorking ? 1 : 0), at: now, rules)
    }
}
