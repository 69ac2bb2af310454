// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

/// Each simple rival against the rule it was published with.
@Suite struct RivalDecisionTests {
    @Test func `F33: six checks ask for battery, Wi-Fi, a dark screen, an inactive user and free memory`() throws {
        var policy = try PolicyBench.policy("six-checks")
        let request = Samples.refresh(likelihood: 0)
        #expect(policy.decide(request, Samples.locked()).proceed)
        var device = Samples.locked()
        device.batteryLevel = 0.2
        #expect(policy.decide(request, device).rule == .batteryCritical)
        device = Samples.locked()
        device.network = .cellular
        #expect(policy.decide(request, device).wakeOn == .wifiJoined)
        device = Samples.locked()
        device.screenOn = true
        #expect(policy.decide(request, device).wakeOn == .locked)
        // The wrong sign: likely use keeps work away.
        #expect(policy.decide(Samples.refresh(likelihood: 0.9), Samples.locked()).rule == .deviceInUse)
        device = Samples.locked()
        device.pressure = .warning
        #expect(policy.decide(request, device).rule == .memoryPressure)
        device = Samples.locked()
        device.lowPowerMode = true
        #expect(policy.decide(request, device).rule == .lowPowerMode)
    }

    @Test func `just in time refreshes what is about to be opened and leaves the rest`() throws {
        var policy = try PolicyBench.policy("just-in-time")
        #expect(policy.decide(Samples.refresh(likelihood: 0.1), Samples.locked()).proceed)
        let waits = policy.decide(Samples.refresh(likelihood: 0.09), Samples.locked())
        #expect(waits.reconsider == Samples.now + .minutes(10))
        var recent = Samples.refresh(likelihood: 1)
        recent.lastRun = Samples.now - .minutes(5)
        #expect(policy.decide(recent, Samples.locked()).reconsider == Samples.now + .minutes(10))
        #expect(policy.decide(Samples.processing(), Samples.locked()).wakeOn == .pluggedIn)
    }

    @Test func `hush doubles its back-off with every glance that does not open the app`() throws {
        var policy = try PolicyBench.policy("hush")
        var request = Samples.refresh()
        request.lastRun = Samples.now - .minutes(59)
        request.screenCyclesSinceOpened = 2
        #expect(policy.decide(request, Samples.locked()).reconsider == Samples.now + .minutes(1))
        request.screenCyclesSinceOpened = 0
        #expect(policy.decide(request, Samples.locked()).proceed)
        request.screenCyclesSinceOpened = 10_000
        #expect(policy.decide(request, Samples.locked()).reconsider == request.lastRun + .day)
        var device = Samples.locked()
        device.screenOn = true
        #expect(policy.decide(request, device).proceed)
    }

    @Test func `cargo rides on a radio that is up, and leaves without one when waiting is dear`() {
        let jobs: [BenchJob] = [.at(0, from: 0, to: 90_000), .at(1, from: 300, to: 90_000)]
        let train = PolicyBench.Moment(time: .seconds(400), change: .radioUp) { $0.radioIsUp = true }
        var bench = PolicyBench(
            adjusted(ETrain()) { ($0.theta, $0.seats, $0.patience) = (2, 10, .seconds(500)) },
            device: PolicyBench.pocket)
        #expect(bench.run(jobs, moments: [train]).map { $0?.seconds } == [400, 400])
        // Costs of 2 x 500 s together: 650 s and 350 s waited.
        var alone = PolicyBench(
            adjusted(ETrain()) { ($0.theta, $0.seats, $0.patience) = (2, 10, .seconds(500)) },
            device: PolicyBench.pocket)
        let starts = alone.run(jobs).compactMap { $0?.seconds }
        #expect(starts.allSatisfy { abs($0 - 650) < 0.001 })
        #expect(Set(starts).count == 1)
    }

    @Test func `a train takes as many as it has seats, those who waited longest first`() {
        let jobs: [BenchJob] = [
            .at(0, from: 0, to: 90_000), .at(1, from: 10, to: 90_000), .at(2, from: 20, to: 90_000),
        ]
        let up = PolicyBench.Moment(time: .seconds(60), change: .radioUp) { $0.radioIsUp = true }
        let down = PolicyBench.Moment(time: .seconds(60.5), change: []) { $0.radioIsUp = false }
        let again = PolicyBench.Moment(time: .seconds(90), change: .radioUp) { $0.radioIsUp = true }
        var bench = PolicyBench(
            adjusted(ETrain()) { ($0.theta, $0.seats, $0.patience) = (100, 2, .hour) }, device: PolicyBench.pocket)
        #expect(bench.run(jobs, moments: [up, down, again]).map { $0?.seconds } == [60, 60, 90])
    }
}
