// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Testing
import Vocabulary

/// The limit of a launch to the second, and windows that come, go and hear of it.
@Suite struct WindowAndLimitTests {
    private let rules = LifeCycleRules()

    private func calls(_ machine: LifeCycleMachine, _ move: LifeCycleMove) -> [AppCallback] {
        var found: [AppCallback] = []
        machine.forEachCallback(of: move, hasScenes: true) { callback, _ in found.append(callback) }
        return found
    }

    private func leave(_ window: Int, _ machine: inout LifeCycleMachine) {
        machine.apply(.becomeActive(window: window))
        machine.apply(.resignActive(window: window))
        machine.apply(.enterBackground(window: window))
    }

    @Test(arguments: [(19.999, false), (20, true), (25, true)])
    func `a launch that takes the whole limit is too long`(seconds: Double, ends: Bool) {
        var clock = LifeCycleClock()
        let span = clock.comeToForeground(after: .seconds(seconds), isLaunch: true, at: .zero, rules)
        #expect(span == .seconds(min(seconds, 20)))
        let verdict = clock.advance(at: .zero + span, handlesExpiration: true, rules)
        #expect(verdict == (ends ? .exits(.watchdog) : .becomesActive))
    }

    @Test func `of the windows in the background the last goes first`() {
        var machine = LifeCycleMachine()
        machine.apply(.launch(window: 0))
        leave(0, &machine)
        machine.apply(.enterForeground(window: 5))
        leave(5, &machine)
        #expect(machine.lastBackgroundWindow == 5)
        machine.apply(.disconnect(window: 5, isDiscarded: false))
        #expect(machine.lastBackgroundWindow == 0)
        #expect(machine.state(ofWindow: 5) == .disconnected)
        machine.apply(.disconnect(window: 0, isDiscarded: true))
        #expect(machine.lastBackgroundWindow == nil)
        #expect(machine.state(ofWindow: 0) == .unattached)
    }

    @Test func `a window is connected once, and again only after it was taken`() {
        var machine = LifeCycleMachine()
        machine.apply(.launch(window: 0))
        leave(0, &machine)
        #expect(calls(machine, .enterForeground(window: 0)) == [.willEnterForeground])
        let connects: [AppCallback] = [.configurationForConnecting, .willConnect, .willEnterForeground]
        #expect(calls(machine, .enterForeground(window: 1)) == connects)
        machine.apply(.disconnect(window: 0, isDiscarded: false))
        #expect(calls(machine, .enterForeground(window: 0)) == connects)
    }

    @Test func `F44: an app that executes is notified of an orderly end, a suspended one is not`() {
        var machine = LifeCycleMachine()
        machine.apply(.launch(window: 0))
        leave(0, &machine)
        #expect(calls(machine, .end(isOrderly: true)) == [.didDisconnect, .willTerminate])
        #expect(calls(machine, .end(isOrderly: false)) == [])
        machine.apply(.suspend)
        #expect(calls(machine, .end(isOrderly: true)) == [])
    }

    @Test func `a window on screen that is not active makes its app inactive`() {
        var machine = LifeCycleMachine()
        machine.apply(.launch(window: 0))
        #expect(machine.state == .inactive)
        leave(0, &machine)
        #expect(machine.state == .background)
    }
}
