// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import SchedulingPolicies

@Suite struct JointDecisionTests {
    @Test func `V22: both published finals come out of the weighted mean`() {
        // ably-flutter README: sumScores 93.27, denominator 97.02, final 0.961348.
        let push = JointDecision([
            PolicyResponse("Device Activity Policy", weight: 5, score: 0.25),
            PolicyResponse("the others", weight: 92.02, score: 1),
        ])
        #expect(push.answer == .canProceed)
        #expect(abs(push.sumScores - 93.27) < 1e-9 && abs(push.denominator - 97.02) < 1e-9)
        #expect((push.score * 1e6).rounded() == 961_348)
        // cocoa-mhlw/cocoa#644: sumScores 24.86, denominator 29.61, final 0.839581.
        let processing = JointDecision([
            PolicyResponse("Device Activity Policy", weight: 5, score: 0.05),
            PolicyResponse("the others", weight: 24.61, score: 1),
        ])
        #expect(abs(processing.sumScores - 24.86) < 1e-9 && abs(processing.denominator - 29.61) < 1e-9)
        #expect((processing.score * 1e6).rounded() == 839_581)
    }

    @Test func `V22: the policy itself says the published finals for the published situations`() {
        var device = Samples.locked()
        device.pluggedIn = true
        device.lockedSince = device.now - .minutes(5)
        let processing = JointDecision(Opportunistic().responses(to: Samples.processing(), device))
        #expect((processing.score * 1e6).rounded() == 839_581)
        var inUse = Samples.locked()
        inUse.screenOn = true
        inUse.locked = false
        inUse.batteryLevel = 1
        let refresh = JointDecision(Opportunistic().responses(to: Samples.refresh(likelihood: 0.5), inUse))
        #expect((refresh.score * 1e6).rounded() == 961_348)
    }

    @Test func `the highest-ranked answer wins, whatever the scores`() {
        func joint(_ answers: PolicyAnswer...) -> JointDecision {
            JointDecision(answers.map { PolicyResponse("one", weight: 1, $0, score: $0.proceeds ? 1 : 0) })
        }
        #expect(joint(.canProceed, .mustNotProceed).answer == .mustNotProceed)
        #expect(joint(.mustNotProceed, .absolutelyMustNotProceed, .canProceed).answer == .absolutelyMustNotProceed)
        #expect(joint(.mustNotProceed, .mustProceed).proceeds(threshold: 1))
        #expect(!joint(.mustProceed, .absolutelyMustNotProceed).proceeds(threshold: 0))
        #expect(joint(.absolutelyMustProceed, .absolutelyMustNotProceed).proceeds(threshold: 1))
        #expect(!joint(.mustNotProceed).proceeds(threshold: 0))
        #expect(JointDecision([]).proceeds(threshold: 1))
        for answer in PolicyAnswer.allCases { #expect(joint(answer, .canProceed).answer == answer) }
    }

    @Test func `the parts together come to the verdict of the quick way, in ten thousand random situations`() {
        var random = PolicyRandom(seed: 11)
        var proceeded = 0
        for _ in 0..<10_000 {
            var (request, device) = Samples.random(&random)
            request.requiresNetwork = false
            let policy = Opportunistic()
            let decision = policy.decide(request, device)
            let joint = JointDecision(policy.responses(to: request, device))
            let threshold = policy.threshold(request, at: device.now)
            #expect(joint.proceeds(threshold: threshold) == decision.proceed, "\(decision.rule.name)")
            if joint.answer == .canProceed { #expect(abs(joint.score - decision.score) < 1e-12) }
            proceeded += decision.proceed ? 1 : 0
        }
        #expect(proceeded > 300 && proceeded < 9_700)
    }

    @Test func `weights and totals in brackets change the score`() throws {
        let entry = try #require(SchedulingPolicies.named("opportunistic"))
        let names = entry.descriptor.parameters.map(\.name)
        var values = entry.descriptor.parameters.map(\.defaultValue)
        let network = try #require(names.firstIndex(of: "weight-network"))
        let total = try #require(names.firstIndex(of: "weight-refresh-total"))
        values[network] = 0
        values[total] = 0
        var policy = entry.make(PolicyArguments(values: values, seed: 1))
        var device = Samples.locked()
        device.network = .cellular
        device.pluggedIn = true
        #expect(policy.decide(Samples.refresh(likelihood: 1), device).score == 1)
        let use = try #require(names.firstIndex(of: "weight-application"))
        values[use] = 0
        policy = entry.make(PolicyArguments(values: values, seed: 1))
        #expect(policy.decide(Samples.refresh(likelihood: 0), device).score == 1)
    }

    @Test func `a busy processor holds work back until it is looked at again or the user leaves`() {
        var device = Samples.locked()
        device.processorBusy = 0.9
        let decision = Opportunistic().decide(Samples.refresh(), device)
        #expect(decision.rule == .processorBusy && decision.wakeOn == .locked)
        #expect(decision.reconsider == device.now + .minutes(5))
        device.processorBusy = 0.5
        #expect(Opportunistic().decide(Samples.refresh(), device).proceed)
    }

    @Test func `V18: processing of an app unused for a week is not run, nor any refresh after two`() {
        var device = Samples.locked()
        device.pluggedIn = true
        var request = Samples.processing()
        request.lastOpened = device.now - .days(7) - .second
        #expect(Opportunistic().decide(request, device).rule == .notUsedRecently)
        request.lastOpened = device.now - .days(7)
        #expect(Opportunistic().decide(request, device).rule != .notUsedRecently)
        var refresh = Samples.refresh()
        refresh.lastOpened = device.now - .days(14)
        #expect(!Opportunistic().decide(refresh, device).proceed)
    }
}

extension Samples {
    /// A request and a phone in a random state.
    static func random(_ random: inout PolicyRandom) -> (RequestView, DeviceConditions) {
        func chance(_ p: Double) -> Bool { random.nextUniform() < p }
        let isRefresh = chance(0.5)
        var request = isRefresh ? refresh(likelihood: random.nextUniform() * 0.2) : processing()
        var device = locked()
        device.now = request.earliestBegin + (request.deadline - request.earliestBegin) * random.nextUniform()
        request.lastOpened = device.now - .days(random.nextUniform() * 8)
        request.lastRun = device.now - .minutes(random.nextUniform() * 120)
        device.pluggedIn = chance(isRefresh ? 0.5 : 0.9)
        device.batteryLevel = 0.1 + 0.9 * random.nextUniform()
        device.network = chance(0.6) ? .wifi : .cellular
        device.screenOn = chance(0.2)
        device.locked = !device.screenOn
        device.lockedSince = device.now - .minutes(random.nextUniform() * 40)
        device.lowPowerMode = chance(0.05)
        device.thermalLevel = chance(0.1) ? UInt8(random.nextUniform() * 4) : 0
        device.pressure = chance(0.1) ? (chance(0.5) ? .critical : .warning) : .normal
        device.runningLaunches = Int32(random.nextUniform() * 2.3)
        device.processorBusy = random.nextUniform() * 0.55
        device.herdUntil = chance(0.1) ? device.now + .minutes(2) : .zero
        device.energyBudgetLeft = chance(0.1) ? 0 : 0.5
        device.cameraOn = chance(0.1)
        device.cellularBudgetLeft = chance(0.1) ? 0 : 0.5
        return (request, device)
    }
}
