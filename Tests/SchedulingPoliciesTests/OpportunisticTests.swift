// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import SchedulingPolicies

@Suite struct OpportunisticTests {
    let policy = Opportunistic()

    @Test func `the weighted mean gives both finals that were published`() {
        // ably-flutter README: one policy of weight 5 at 0.25 and everything else at 1, denominator 97.02.
        var push = WeightedScore()
        push.add(0.25, weight: 5)
        push.fill(to: 97.02)
        #expect(abs(push.mean - 0.961348) < 1e-6)
        // cocoa-mhlw/cocoa#644: one policy of weight 5 at 0.05, denominator 29.61.
        var processing = WeightedScore()
        processing.add(0.05, weight: 5)
        processing.fill(to: 29.61)
        #expect(abs(processing.mean - 0.839581) < 1e-6)
    }

    @Test func `processing on a phone that has just become idle scores what the log shows`() {
        var device = Samples.locked()
        device.pluggedIn = true
        device.lockedSince = device.now - .minutes(5)
        let decision = policy.decide(Samples.processing(), device)
        #expect(decision.proceed)
        #expect(decision.rule == .scored)
        #expect(abs(decision.score - 0.839581) < 1e-6)
    }

    @Test func `a refresh of an app about to be used on a phone in use scores what the log shows`() {
        var device = Samples.locked()
        device.screenOn = true
        device.locked = false
        device.batteryLevel = 1
        let decision = policy.decide(Samples.refresh(likelihood: 0.5), device)
        #expect(decision.proceed)
        #expect(abs(decision.score - 0.961348) < 1e-6)
    }

    @Test func `an app that is hardly used waits for the bar to fall, and is asked at the crossing at the latest`() {
        let request = Samples.refresh(likelihood: 0)
        var device = Samples.locked()
        let decision = policy.decide(request, device)
        #expect(decision.rule == .belowThreshold)
        #expect(decision.reconsider == device.now + .minutes(30))
        // Where the bar meets the score: asked a minute before, it waits until then; asked then, it starts.
        let life = (request.deadline - request.earliestBegin).seconds
        let crossing = request.earliestBegin + .seconds(life * (0.8 - decision.score) / 0.4)
        device.now = crossing - .minutes(1)
        let near = policy.decide(request, device)
        #expect(near.proceed == false)
        #expect(abs((near.reconsider - crossing).seconds) < 0.001)
        device.now = near.reconsider
        #expect(policy.decide(request, device).proceed)
    }

    @Test func `the bar falls in a straight line from the floor to the deadline`() {
        let request = Samples.refresh()
        let half = request.earliestBegin + (request.deadline - request.earliestBegin) * 0.5
        #expect(abs(policy.threshold(request, at: request.earliestBegin) - 0.8) < 1e-12)
        #expect(abs(policy.threshold(request, at: half) - 0.6) < 1e-12)
        #expect(abs(policy.threshold(request, at: request.deadline + .day) - 0.4) < 1e-12)
    }

    @Test func `each veto names what has to change`() {
        func rule(_ change: (inout DeviceConditions) -> Void) -> SchedulingDecision {
            var device = Samples.locked()
            change(&device)
            return policy.decide(Samples.refresh(), device)
        }
        #expect(policy.decide(Samples.refresh(), Samples.locked()).proceed)
        let cases: [(SchedulingDecision, SchedulingRule, ConditionChanges)] = [
            (rule { $0.lowPowerMode = true }, .lowPowerMode, .lowPowerModeEnded),
            (rule { $0.batteryLevel = 0.19 }, .batteryCritical, [.pluggedIn, .batteryRecovered]),
            (rule { $0.thermalLevel = 2 }, .thermal, .cooled),
            (rule { $0.pressure = .critical }, .memoryPressure, .pressureFell),
            (rule { $0.cameraOn = true }, .camera, .cameraStopped),
            (rule { $0.runningLaunches = 2 }, .groupLimit, .launchEnded),
            (rule { $0.energyBudgetLeft = 0 }, .energyBudget, .pluggedIn),
            (
                rule {
                    $0.network = .cellular
                    $0.cellularBudgetLeft = 0
                }, .cellularBudget, .wifiJoined
            ),
        ]
        for (decision, expected, changes) in cases {
            #expect(decision.proceed == false)
            #expect(decision.rule == expected)
            #expect(decision.wakeOn == changes)
        }
        let herd = rule { $0.herdUntil = $0.now + .minutes(4) }
        #expect(herd.rule == .herd && herd.reconsider == Samples.now + .minutes(4))
    }

    @Test func `a charger lifts the battery and the energy budget`() {
        var device = Samples.locked()
        device.pluggedIn = true
        device.batteryLevel = 0.05
        device.energyBudgetLeft = 0
        #expect(policy.decide(Samples.refresh(), device).proceed)
    }

    @Test func `refreshes of one app keep their distance, and an app not opened for a week gets none`() {
        var request = Samples.refresh()
        request.lastRun = Samples.now - .minutes(14)
        let early = policy.decide(request, Samples.locked())
        #expect(early.rule == .rateLimit && early.reconsider == Samples.now + .minutes(1))
        request = Samples.refresh()
        request.lastOpened = Samples.now - .days(8)
        #expect(policy.decide(request, Samples.locked()).rule == .notUsedRecently)
    }

    @Test func `processing waits for the charger, for the lock and for five quiet minutes, in this order`() {
        var device = Samples.locked()
        device.screenOn = true
        device.locked = false
        let request = Samples.processing()
        #expect(policy.decide(request, device).rule == .needsCharger)
        device.pluggedIn = true
        #expect(policy.decide(request, device).wakeOn == .locked)
        device.screenOn = false
        device.locked = true
        device.lockedSince = device.now - .minutes(2)
        let quiet = policy.decide(request, device)
        #expect(quiet.rule == .notIdleLongEnough)
        #expect(quiet.reconsider == device.now + .minutes(3))
    }

    @Test func `parameters in brackets take effect`() throws {
        let entry = try #require(SchedulingPolicies.named("opportunistic"))
        var values = entry.descriptor.parameters.map(\.defaultValue)
        values[5] = 1
        values[9] = 1
        var changed = entry.make(PolicyArguments(values: values, seed: 1))
        var device = Samples.locked()
        #expect(changed.decide(Samples.processing(), device).proceed)
        device.runningLaunches = 1
        #expect(changed.decide(Samples.processing(), device).rule == .groupLimit)
    }

    @Test func `cellular takes half of the network's weight from a score`() {
        let policy = Opportunistic()
        var device = Samples.locked()
        let wifi = policy.decide(Samples.refresh(likelihood: 0.01), device).score
        device.network = .cellular
        let cellular = policy.decide(Samples.refresh(likelihood: 0.01), device).score
        #expect(abs(wifi - cellular - 8.4 * 0.5 / 97.02) < 1e-12)
    }
}
