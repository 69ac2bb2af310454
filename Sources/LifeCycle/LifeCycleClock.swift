// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Result of a question to the clocks of a process.
public enum LifeCycleVerdict: Sendable, Equatable, BitwiseCopyable {
    /// Nothing is due.
    case nothing
    /// A launch, a return to the screen or an interruption is over.
    case becomesActive
    /// The work under the process's task assertion is done and uses no processor any more.
    ///
    /// The process is not suspended yet, as the assertion is still held or the grace is not over.
    case workEnds
    /// The time of the process's task assertions is over and their expiration handler is called.
    ///
    /// If the handler ends them, the process has none from now on and is suspended. Otherwise it is killed after
    /// `LifeCycleRules.expirationTime`.
    case taskExpires(isHandled: Bool)
    /// None of the process's own reasons keeps it from being suspended any more.
    case suspends
    /// The system ends the process.
    case exits(ExitCategory)
}

/// The clocks that the system runs over one process.
///
/// - Launch and update watchdogs.
/// - The grace in the background, and the allowance of task assertions.
/// - The processor's limit, and the lock that must not be held at suspension.
///
/// A plain value without draws and without scheduling. Its owner reports changes of the process, and calls `advance` at
/// `deadline` to receive due events. Other reasons why a process may execute are outside the clock: an owner with such
/// a reason ignores `suspends`. Sources: Apple, "Extending your app's background execution time", "Addressing watchdog
/// terminations", "Understanding the exception types in a crash report".
public struct LifeCycleClock: Sendable, BitwiseCopyable, Equatable {
    /// Whether a window of the process is on screen, or on its way there.
    public internal(set) var isOnScreen = false
    /// Whether the process no longer answers the system.
    public internal(set) var isHung = false
    /// Whether the process has a lock on a shared file; suspension ends it then (0xdead10cc).
    public var holdsLock = false
    /// Number of task assertions that are held, without that of the work of known length.
    public internal(set) var tasks = 0
    /// When the process reaches the background limit of processor time, if its load does not change.
    public internal(set) var processorLimit = SimTime.distantFuture

    /// When a launch, a return to the screen or an interruption is over, and whether the watchdog ends it then.
    var activation = SimTime.distantFuture
    var isLaunchTooLong = false
    /// When the watchdog ends a process that does not answer.
    var updateEnds = SimTime.distantFuture
    /// When the grace after leaving the screen is over.
    var graceEnds = SimTime.distantFuture
    /// When the one allowance of all task assertions is over.
    var allowanceEnds = SimTime.distantFuture
    /// When the second of the expiration handlers is over.
    var handlersEnd = SimTime.distantFuture
    /// Work of known length: whether its assertion is held, whether it is never ended, and when the work ends.
    var holdsWork = false
    var leaksWork = false
    var workEnds = SimTime.distantFuture
    var isWorking: Bool { workEnds != .distantFuture }
    /// Number of processors that the process keeps busy besides that work.
    var load = 0.0
    var monitor = ProcessorMonitor()

    /// Creates the clocks of an app without a process.
    public init() {}

    /// The next instant at which to ask the clock; `distantFuture` if nothing can become due.
    public var deadline: SimTime {
        if isOnScreen { return min(activation, updateEnds) }
        if isHung { return min(processorLimit, updateEnds) }
        if handlersEnd != .distantFuture { return min(processorLimit, handlersEnd) }
        return min(processorLimit, holdsTask ? min(allowanceEnds, workEnds) : graceEnds)
    }

    /// Whether a task assertion is held, for work of known length or without.
    public var holdsTask: Bool { tasks > 0 || holdsWork }
    /// Whether the processor time of the process counts at present.
    public var isWatched: Bool { monitor.isBusy }
}

/// Events on screen.
extension LifeCycleClock {
    /// Brings the process to the screen; it is active after some time, unless the watchdog ends the launch before.
    ///
    /// The grace, the allowance and the processor's limit no longer count. Assertions that were begun stay held; the
    /// work of known length is over.
    ///
    /// - Parameters:
    ///   - wait: Time until the process is active, without a watchdog.
    ///   - isLaunch: Whether the process is launched, and not resumed.
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

    /// Starts an interruption that takes the focus; without a length it ends with a call of `becameActive`.
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

    /// Makes the process stop answering; each change of state then restarts the update watchdog.
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
    /// Takes the last window from the screen while another reason keeps the process running.
    public mutating func leaveScreen(at now: SimTime, _ rules: LifeCycleRules) {
        isOnScreen = false
        activation = .distantFuture
        isLaunchTooLong = false
        askForUpdate(at: now, rules)
        watch(at: now, rules)
    }

    /// Starts grace and allowance, as only its own assertions keep the process running from now on.
    ///
    /// - Parameters:
    ///   - allowance: How long all task assertions may be held together.
    ///   - work: Length of work that keeps one processor busy under an assertion of its own; nil for none.
    ///   - leaks: Whether that assertion is never ended.
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

    /// Ends the time as previous app, because the user left another app; the grace ends as if it began now.
    public mutating func isNotPreviousNow(at now: SimTime, _ rules: LifeCycleRules) {
        guard graceEnds != .distantFuture else { return }
        graceEnds = min(graceEnds, now + rules.backgroundGrace)
    }

    /// Releases the last other reason that kept the process running.
    ///
    /// The process's task assertions have their allowance from now on, and without one it has the grace after work. A
    /// grace that began when it left the screen goes on.
    ///
    /// - Returns: Whether a reason of its own keeps the process from being suspended now.
    public mutating func release(allowance: SimDuration, at now: SimTime, _ rules: LifeCycleRules) -> Bool {
        guard graceEnds == .distantFuture else { return true }
        guard holdsTask || rules.workGrace > .zero else { return false }
        graceEnds = now + rules.workGrace
        allowanceEnds = now + allowance
        return true
    }

    /// Ends grace, allowance and the work of known length, as another reason keeps the process running.
    public mutating func endGrace(at now: SimTime, _ rules: LifeCycleRules) {
        graceEnds = .distantFuture
        allowanceEnds = .distantFuture
        handlersEnd = .distantFuture
        holdsWork = false
        workEnds = .distantFuture
        if !isOnScreen { watch(at: now, rules) }
    }

    /// Begins a task assertion of the app; its time counts from the begin of the grace.
    public mutating func beginTask() { tasks += 1 }

    /// Ends a task assertion; after the last one the process is suspended when the grace is over.
    ///
    /// - Returns: Whether the process had one.
    public mutating func endTask(at now: SimTime) -> Bool {
        guard tasks > 0 else { return false }
        tasks -= 1
        if !holdsTask { stopAllowance(at: now) }
        return true
    }

    /// Sets the number of processors that the process keeps busy from now on; use on screen counts for no limit.
    public mutating func use(_ load: Double, at now: SimTime, _ rules: LifeCycleRules) {
        self.load = load
        if !isOnScreen { watch(at: now, rules) }
    }

    /// Lets a suspended process execute again, without a window and without a grace.
    public mutating func resumeInBackground(at now: SimTime, _ rules: LifeCycleRules) { watch(at: now, rules) }

    /// Suspends the process: all its assertions end.
    ///
    /// - Returns: `exits` if the process has a lock that it must not have now.
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
    /// Advances to an instant and returns what is due; call it at `deadline`, and again while the deadline is not
    /// later.
    ///
    /// - Parameter handlesExpiration: Whether a handler of the app ends its assertions when their time is over.
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

    /// Ends the work of known length, and its assertion unless that leaks.
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

    /// Ends the allowance after the last assertion; the grace goes on if there is any left.
    private mutating func stopAllowance(at now: SimTime) {
        handlersEnd = .distantFuture
        if graceEnds != .distantFuture { graceEnds = max(graceEnds, now) }
    }

    /// Stops all clocks of the background; the monitor rests.
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
