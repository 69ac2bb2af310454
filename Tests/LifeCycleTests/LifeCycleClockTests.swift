// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Testing
import Vocabulary

/// The clocks of one process, driven by hand; the rules are Apple's, the figures those of iOS 13 and later.
@Suite struct LifeCycleClockTests {
    private let rules = LifeCycleRules()
    private func at(_ seconds: Double) -> SimTime { .zero + .seconds(seconds) }

    /// Asks at every deadline up to an instant, and says what was due when.
    private func due(
        _ clock: inout LifeCycleClock, until end: Double, handles: Bool = true
    ) -> [(Double, LifeCycleVerdict)] {
        var result: [(Double, LifeCycleVerdict)] = []
        while clock.deadline <= at(end), result.count < 9 {
            let now = clock.deadline
            let verdict = clock.advance(at: now, handlesExpiration: handles, rules)
            result.append(((now - SimTime.zero).seconds, verdict))
            if case .exits = verdict { break }
        }
        return result
    }

    private func expect(
        _ found: [(Double, LifeCycleVerdict)], _ wanted: [(Double, LifeCycleVerdict)],
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(found.map(\.0) == wanted.map(\.0), sourceLocation: location)
        #expect(found.map(\.1) == wanted.map(\.1), sourceLocation: location)
    }

    private func inBackground(
        at time: Double, tasks: Int = 0, work: SimDuration? = nil, leaks: Bool = false
    ) -> LifeCycleClock {
        var clock = LifeCycleClock()
        _ = clock.comeToForeground(after: .second, isLaunch: true, at: at(0), rules)
        clock.becameActive(at: at(1), rules)
        for _ in 0..<tasks { clock.beginTask() }
        clock.startGrace(allowance: .seconds(30), work: work, leaks: leaks, at: at(time), rules)
        return clock
    }

    @Test func `no clock runs over an app without a process, nor over one that is active or suspended`() {
        var clock = LifeCycleClock()
        #expect(clock.deadline == .distantFuture)
        let span = clock.comeToForeground(after: .second, isLaunch: true, at: at(5), rules)
        #expect(span == .second)
        #expect(clock.deadline == at(6))
        expect(due(&clock, until: 1e6), [(6, .becomesActive)])
        #expect(clock.deadline == .distantFuture)
        clock.startGrace(allowance: .seconds(30), at: at(10), rules)
        let answer = clock.suspend(at: at(11), rules)
        #expect(answer == .nothing)
        #expect(clock.deadline == .distantFuture)
    }

    @Test func `without an assertion the grace is five seconds`() {
        var clock = inBackground(at: 10)
        expect(due(&clock, until: 1e6), [(15, .suspends)])
    }

    @Test func `assertions have one allowance together, and a handler ends them all`() {
        var clock = inBackground(at: 10, tasks: 2)
        expect(due(&clock, until: 1e6), [(40, .taskExpires(isHandled: true))])
        #expect(clock.tasks == 0)
        #expect(clock.deadline == .distantFuture)
    }

    @Test func `without a handler the process has a second left`() {
        var clock = inBackground(at: 10, tasks: 1)
        expect(
            due(&clock, until: 1e6, handles: false),
            [(40, .taskExpires(isHandled: false)), (41, .exits(.taskTimeout))])
    }

    @Test func `an assertion that ends in the last second saves the process`() {
        var clock = inBackground(at: 10, tasks: 1)
        expect(due(&clock, until: 40, handles: false), [(40, .taskExpires(isHandled: false))])
        let answer = clock.endTask(at: at(40.5))
        #expect(answer)
        expect(due(&clock, until: 1e6), [(40.5, .suspends)])
    }

    @Test func `the last assertion to end lets the process go, never before its grace is over`() {
        var clock = inBackground(at: 10, tasks: 2)
        let first = clock.endTask(at: at(11))
        #expect(first)
        #expect(clock.deadline == at(40))
        let second = clock.endTask(at: at(12))
        #expect(second)
        #expect(clock.deadline == at(15))
        let third = clock.endTask(at: at(13))
        #expect(!third)
        clock.beginTask()
        #expect(clock.deadline == at(40))
        let fourth = clock.endTask(at: at(20))
        #expect(fourth)
        expect(due(&clock, until: 1e6), [(20, .suspends)])
    }

    @Test func `work of known length ends its assertion, leaks it, or is cut short`() {
        var clock = inBackground(at: 10, work: .seconds(12))
        expect(due(&clock, until: 1e6), [(22, .suspends)])
        clock = inBackground(at: 10, work: .seconds(2))
        expect(due(&clock, until: 1e6), [(12, .workEnds), (15, .suspends)])
        clock = inBackground(at: 10, work: .seconds(100))
        expect(due(&clock, until: 1e6), [(40, .taskExpires(isHandled: true))])
        clock = inBackground(at: 10, work: .seconds(12), leaks: true)
        expect(due(&clock, until: 1e6), [(22, .workEnds), (40, .taskExpires(isHandled: true))])
    }

    @Test func `an assertion that leaks uses no processor after its work`() {
        var clock = inBackground(at: 10, work: .seconds(12), leaks: true)
        expect(due(&clock, until: 23), [(22, .workEnds)])
        #expect(!clock.isWatched)
        // 12 s of the window that began at 10 s are used: 36 s are left.
        clock.use(1, at: at(30), rules)
        #expect(clock.processorLimit == at(66))
    }

    @Test func `work that is done before the grace is over uses the processor for its own time only`() {
        var clock = inBackground(at: 10, work: .seconds(2))
        #expect(clock.isWatched)
        expect(due(&clock, until: 12), [(12, .workEnds)])
        #expect(!clock.isWatched && !clock.holdsTask)
        // 2 s of the window that began at 10 s are used: 46 s are left.
        clock.use(1, at: at(13), rules)
        #expect(clock.processorLimit == at(59))
    }

    @Test func `the last release suspends at once, or after the grace that the rules give`() {
        var clock = inBackground(at: 10)
        expect(due(&clock, until: 15), [(15, .suspends)])
        var goesOn = clock.release(allowance: .seconds(30), at: at(20), rules)
        #expect(!goesOn)
        #expect(clock.deadline == .distantFuture)
        var generous = rules
        generous.workGrace = .seconds(3)
        goesOn = clock.release(allowance: .seconds(30), at: at(20), generous)
        #expect(goesOn)
        #expect(clock.deadline == at(23))
        expect(due(&clock, until: 1e6), [(23, .suspends)])
    }

    @Test func `a release within the grace of the screen changes nothing, and task assertions get their allowance`() {
        var clock = inBackground(at: 10)
        var goesOn = clock.release(allowance: .seconds(30), at: at(12), rules)
        #expect(goesOn)
        expect(due(&clock, until: 1e6), [(15, .suspends)])
        clock.beginTask()
        goesOn = clock.release(allowance: .seconds(30), at: at(20), rules)
        #expect(goesOn)
        #expect(clock.deadline == at(50))
        let ended = clock.endTask(at: at(22))
        #expect(ended)
        // The grace after work is none, so that nothing is left of it.
        #expect(clock.deadline == at(22))
    }

    @Test func `48 seconds of processor time within 60 end a process in the background`() {
        var clock = inBackground(at: 10, tasks: 1)
        clock.use(2, at: at(11), rules)
        expect(due(&clock, until: 1e6), [(35, .exits(.cpuLimit))])
    }

    @Test func `what a process uses on screen counts for nothing until it leaves`() {
        var clock = LifeCycleClock()
        _ = clock.comeToForeground(after: .zero, isLaunch: false, at: at(0), rules)
        clock.becameActive(at: at(0), rules)
        clock.use(2, at: at(1), rules)
        #expect(clock.processorLimit == .distantFuture)
        clock.leaveScreen(at: at(100), rules)
        #expect(clock.processorLimit == at(124))
        #expect(clock.deadline == at(124))
        let answer = clock.suspend(at: at(110), rules)
        #expect(answer == .nothing)
        #expect(clock.deadline == .distantFuture)
        clock.resumeInBackground(at: at(120), rules)
        #expect(clock.processorLimit == at(134))
    }

    @Test(arguments: [(19.9, true, 19.9, LifeCycleVerdict.becomesActive), (25, true, 20, .exits(.watchdog))])
    func `a launch may take 20 seconds`(takes: Double, isLaunch: Bool, ends: Double, verdict: LifeCycleVerdict) {
        var clock = LifeCycleClock()
        let span = clock.comeToForeground(after: .seconds(takes), isLaunch: isLaunch, at: at(0), rules)
        #expect(span == .seconds(ends))
        expect(due(&clock, until: 1e6), [(ends, verdict)])
    }

    @Test func `a resumption has no such limit, not even after a launch that was left`() {
        var clock = LifeCycleClock()
        _ = clock.comeToForeground(after: .seconds(25), isLaunch: true, at: at(0), rules)
        clock.startGrace(allowance: .seconds(30), at: at(5), rules)
        _ = clock.comeToForeground(after: .seconds(22), isLaunch: false, at: at(8), rules)
        expect(due(&clock, until: 1e6), [(30, .becomesActive)])
    }

    @Test func `a process that does not answer dies ten seconds after the last change of state`() {
        var clock = inBackground(at: 10)
        _ = clock.comeToForeground(after: .second, isLaunch: false, at: at(12), rules)
        expect(due(&clock, until: 20), [(13, .becomesActive)])
        clock.hang(at: at(20), rules)
        #expect(clock.deadline == at(30))
        clock.startGrace(allowance: .seconds(30), work: .seconds(4), at: at(22), rules)
        #expect(clock.deadline == at(32))
        _ = clock.comeToForeground(after: .second, isLaunch: false, at: at(25), rules)
        expect(due(&clock, until: 1e6), [(26, .becomesActive), (36, .exits(.watchdog))])
    }

    @Test func `an interruption gives the focus back after its length, and a hang does not wait for it`() {
        var clock = LifeCycleClock()
        _ = clock.comeToForeground(after: .zero, isLaunch: false, at: at(0), rules)
        clock.becameActive(at: at(0), rules)
        clock.interrupt(for: .seconds(30), at: at(10), rules)
        expect(due(&clock, until: 100), [(40, .becomesActive)])
        clock.hang(at: at(50), rules)
        clock.interrupt(for: .seconds(30), at: at(52), rules)
        expect(due(&clock, until: 100), [(62, .exits(.watchdog))])
    }

    @Test func `a lock that is held at suspension ends the process, and a new process holds none`() {
        var clock = inBackground(at: 10)
        clock.holdsLock = true
        expect(due(&clock, until: 20), [(15, .suspends)])
        let answer = clock.suspend(at: at(15), rules)
        #expect(answer == .exits(.lockedFile))
        clock.end()
        #expect(clock == LifeCycleClock())
    }

    @Test func `other work ends the grace and keeps the assertions`() {
        var clock = inBackground(at: 10, tasks: 1, work: .seconds(10))
        #expect(clock.isWatched)
        clock.endGrace(at: at(12), rules)
        #expect(clock.deadline == .distantFuture)
        #expect(!clock.isWatched)
        #expect(clock.tasks == 1)
    }
}
