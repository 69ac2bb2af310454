// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// What a clock of a process has to say when it is asked.
public enum LifeCycleVerdict: Sendable, Equatable, BitwiseCopyable {
    /// Nothing is due.
    case nothing
    /// A launch, a return to the screen or an interruption is over.
    case becomesActive
    /// The work under its task assertion is done and uses no processor any more, but the process is not suspended yet:
    /// the assertion is held on, or the grace is not over.
    case workEnds
    /// The time of its task assertions is over and their expiration handler is called. Where the handler ends them, the
    /// process holds none from now on and is suspended; otherwise it has `LifeCycleRules.expirationTime` left to live.
    case taskExpires(isHandled: Bool)
    /// Nothing of its own keeps it from being suspended any more.
    case suspends
    /// The system ends it.
    case exits(ExitCategory)
}

/// The clocks that the system runs over one process: launch and update watchdogs, the grace in the background, the
/// allowance of task assertions, the processor's limit, and the lock that must not be held at suspension.
///
/// A plain value that anybody can drive: it is told what happens to the process, answers at which instant it wants to
/// be asked next (`deadline`), and then says what is due (`advance`). It draws nothing and schedules nothing, and it
/// knows of no other reason why a process may execute: whoever holds one ignores `suspends`. Sources: Apple, "Extending
/// your app's background execution time", "Addressing watchdog terminations", "Understanding the exception types in a
/// crash report".
public struct LifeCycleClock: Sendable, BitwiseCopyable, Equatable {
    /// Whether a window of the process is on screen, or on its way there.
    public internal(set) var isOnScreen = false
    /// Whether it does not answer the system any more.
    public internal(set) var isHung = false
    /// Whether it holds a lock on a file that others share; suspension ends it then (0xdead10cc).
    public var holdsLock = false
    /// How many task assertions are held, that of its known work not among them.
    public internal(set) var tasks = 0
    /// When it has used more of the processors than a process in the background may, if it goes on as it does.
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
    /// Work of known length: whether its own assertion is held, never ends, and when and whether the work goes on.
    var holdsWork = false
    var leaksWork = false
    var workEnds = SimTime.distantFuture
    var isWorking: Bool { workEnds != .distantFuture }
    /// How many processors it keeps busy besides that work.
    var load = 0.0
    var monitor = ProcessorMonitor()

    /// Creates the clocks of an app without a process.
    public init() {}

    /// The next instant at which it wants to be asked; `distantFuture` when nothing can become due.
    public var deadline: SimTime {
        if isOnScreen { return min(activation, updateEnds) }
        if isHung { return min(processorLimit, updateEnds) }
        if handlersEnd != .distantFuture { return min(processorLimit, handlersEnd) }
        return min(processorLimit, holdsTask ? min(allowanceEnds, workEnds) : graceEnds)
    }

    /// Whether a task assertion is held, for work of known length or without.
    public var holdsTask: Bool { tasks > 0 || holdsWork }
    /// Whether its use of the processors counts at present.
    public var isWatched: Bool { monitor.isBusy }
}

/// On screen.
extension LifeCycleClock {
    /// The process comes to the screen and is active after some time, unless the watchdog ends the launch before.
    ///
    /// The grace, the allowance and the processor's limit count no more; assertions that were begun stay held, the work
    /// of known length is over.
    ///
    /// - Parameters:
    ///   - wait: How long it takes without a watchdog.
    ///   - isLaunch: Whether the process is launched, and not resumed.
    /// - Returns: How long it takes at most.
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

    /// An interruption takes the focus; without a length somebody says when it is over (`becameActive`).
    public mutating func interrupt(for length: SimDuration? = nil, at now: SimTime, _ rules: LifeCycleRules) {
        activation = length.map { now + $0 } ?? .distantFuture
        askForUpdate(at: now, rules)
    }

    /// The process is active.
    public mutating func becameActive(at now: SimTime, _ rules: LifeCycleRules) {
        activation = .distantFuture
        isLaunchTooLong = false
        askForUpdate(at: now, rules)
    }

    /// The process stops answering; every change of state from now on gives it the time of the update watchdog anew.
    public mutating func hang(at now: SimTime, _ rules: LifeCycleRules) {
        isHung = true
        askForUpdate(at: now, rules)
    }

    private mutating func askForUpdate(at now: SimTime, _ rules: LifeCycleRules) {
        if isHung { updateEnds = now + rules.updateLimit }
    }
}

/// In the background.
extension LifeCycleClock {
    /// The last window leaves the screen while something else holds the process running.
    public mutating func leaveScreen(at now: SimTime, _ rules: LifeCycleRules) {
        isOnScreen = false
        activation = .distantFuture
        isLaunchTooLong = false
        askForUpdate(at: now, rules)
        watch(at: now, rules)
    }

    /// Nothing but its own assertions holds the process from now on: grace and allowance begin.
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

    /// Another app was left: the process is the previous one no more, and its grace ends as if it began now.
    public mutating func isNotPreviousNow(at now: SimTime, _ rules: LifeCycleRules) {
        guard graceEnds != .distantFuture else { return }
        graceEnds = min(graceEnds, now + rules.backgroundGrace)
    }

    /// The last of what else held the process is released.
    ///
    /// Its task assertions have their allowance from now on, and without one it has the grace after work. A grace that
    /// began when it left the screen goes on.
    ///
    /// - Returns: Whether something of its own keeps it from being suspended now.
    public mutating func release(allowance: SimDuration, at now: SimTime, _ rules: LifeCycleRules) -> Bool {
        guard graceEnds == .distantFuture else { return true }
        guard holdsTask || rules.workGrace > .zero else { return false }
        graceEnds = now + rules.workGrace
        allowanceEnds = now + allowance
        return true
    }

    /// Something else holds the process: grace, allowance and the work of known length are over.
    public mutating func endGrace(at now: SimTime, _ rules: LifeCycleRules) {
        graceEnds = .distantFuture
        allowanceEnds = .distantFuture
        handlersEnd = .distantFuture
        holdsWork = false
        workEnds = .distantFuture
        if !isOnScreen { watch(at: now, rules) }
    }

    /// The app begins a task assertion; its time counts from the moment the grace began.
    public mutating func beginTask() { tasks += 1 }

    /// The app ends a task assertion; without another one it is suspended when the grace is over.
    ///
    /// - Returns: Whether it held one.
    public mutating func endTask(at now: SimTime) -> Bool {
        guard tasks > 0 else { return false }
        tasks -= 1
        if !holdsTask { stopAllowance(at: now) }
        return true
    }

    /// The process keeps so many processors busy from now on; what it does on screen counts for no limit.
    public mutating func use(_ load: Double, at now: SimTime, _ rules: LifeCycleRules) {
        self.load = load
        if !isOnScreen { watch(at: now, rules) }
    }

    /// A suspended process executes again, without a window and without a grace.
    public mutating func resumeInBackground(at now: SimTime, _ rules: LifeCycleRules) { watch(at: now, rules) }

    /// The process is suspended: all its assertions end.
    ///
    /// - Returns: `exits` when it holds a lock that it must not hold now.
    public mutating func suspend(at now: SimTime, _ rules: LifeCycleRules) -> LifeCycleVerdict {
        endBackground(at: now, rules)
        tasks = 0
        updateEnds = .distantFuture
        return holdsLock ? .exits(.lockedFile) : .nothing
    }

    /// The process is gone, and everything that it held.
    public mutating func end() { self = LifeCycleClock() }
}

extension LifeCycleClock {
    /// Says what is due; call it at `deadline`, and again as long as the deadline is not later.
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

    /// The work of known length is done; its assertion ends with it unless it leaks.
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

    /// The last assertion is ended: the grace goes on if there is any left.
    private mutating func stopAllowance(at now: SimTime) {
        handlersEnd = .distantFuture
        if graceEnds != .distantFuture { graceEnds = max(graceEnds, now) }
    }

    /// No clock of the background runs any more; the monitor rests.
    private mutating func endBackground(at now: SimTime, _ rules: LifeCycleRules) {
        graceEnds = .distantFuture
        allowanceEnds = .distantFuture
        handlersEnd = .distantFuture
        holdsWork = false
        workEnds = .distantFuture
        processorLimit = .distantFuture
        _ = monitor.use(0, at: now, rules)
    }

    /// The monitor looks at what the process uses from now on.
    private mutating func watch(at now: SimTime, _ rules: LifeCycleRules) {
        processorLimit = monitor.use(load + (isWorking ? 1 : 0), at: now, rules)
    }
}
