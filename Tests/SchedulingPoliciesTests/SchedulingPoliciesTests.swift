// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

@Suite struct SchedulingPoliciesTests {
    @Test func `every policy has a name of its own, a source and defaults inside their ranges`() {
        let names = SchedulingPolicies.all.map(\.descriptor.name)
        #expect(Set(names).count == names.count)
        let asked = [
            "opportunistic", "six-checks", "immediate", "periodic", "charger-and-wifi", "earliest-deadline",
            "native-alignment", "simty", "jobscheduler", "tailender", "etrain", "lyapunov", "hush", "just-in-time",
            "clairvoyant", "never",
        ]
        for name in asked { #expect(names.contains(name), "\(name)") }
        for entry in SchedulingPolicies.all {
            #expect(!entry.descriptor.source.isEmpty)
            for parameter in entry.descriptor.parameters { #expect(parameter.range.contains(parameter.defaultValue)) }
        }
        #expect(SchedulingPolicies.named("periodic")?.descriptor.parameters.first?.name == "every")
        #expect(SchedulingPolicies.named("nothing-like-it") == nil)
    }

    @Test func `the plain policies wait for what their names say`() {
        let request = Samples.refresh()
        var device = Samples.locked()
        #expect(Immediate().decide(request, device).proceed)
        #expect(Never().decide(request, device).proceed == false)
        #expect(ChargerAndWifi().decide(request, device).wakeOn == .pluggedIn)
        device.pluggedIn = true
        device.network = .cellular
        #expect(ChargerAndWifi().decide(request, device).wakeOn == .wifiJoined)
        device.network = .wifi
        #expect(ChargerAndWifi().decide(request, device).proceed)
    }

    @Test func `charger-and-wifi asks for no network where the work needs none`() {
        var device = Samples.locked()
        device.pluggedIn = true
        device.network = .none
        var request = Samples.processing()
        request.requiresNetwork = false
        #expect(ChargerAndWifi().decide(request, device).proceed)
    }

    @Test func `periodic starts once per period`() throws {
        let entry = try #require(SchedulingPolicies.named("periodic"))
        var policy = entry.make(PolicyArguments(values: [900], seed: 1))
        var request = Samples.refresh()
        request.lastRun = Samples.now - .minutes(10)
        let answer = policy.decide(request, Samples.locked())
        #expect(answer.proceed == false)
        #expect(answer.reconsider == Samples.now + .minutes(5))
        request.lastRun = Samples.now - .minutes(15)
        #expect(policy.decide(request, Samples.locked()).proceed)
    }

    @Test func `piggyback waits for a radio, and no longer than its patience`() {
        let policy = Piggyback()
        var device = Samples.locked()
        device.network = .cellular
        let request = Samples.refresh()
        let answer = policy.decide(request, device)
        #expect(answer.reconsider == request.earliestBegin + .hour)
        #expect(answer.wakeOn.contains(.radioUp))
        device.radioIsUp = true
        #expect(policy.decide(request, device).proceed)
        device.radioIsUp = false
        device.now = request.earliestBegin + .hour
        #expect(policy.decide(request, device).proceed)
    }
}

enum Samples {
    /// Ten in the morning of the tenth day.
    static let now = SimTime.zero + .days(9) + .hours(10)

    static func refresh(likelihood: Double = 0.5) -> RequestView {
        RequestView(
            app: AppID(0), kind: .refresh, submitted: now - .minutes(20), earliestBegin: now - .minutes(5),
            deadline: now - .minutes(5) + .day, requiresPower: false, requiresNetwork: true,
            lastOpened: now - .hours(2), lastRun: now - .hours(1), openLikelihood: likelihood,
            expectedBytes: .kibibytes(30), expectedDuration: .seconds(2))
    }

    static func processing() -> RequestView {
        var view = refresh(likelihood: 0)
        view.kind = .processing
        view.deadline = view.earliestBegin + .days(2)
        return view
    }

    /// Locked for an hour, on Wi-Fi, half full, off the charger.
    static func locked() -> DeviceConditions {
        var device = DeviceConditions(now: now)
        device.batteryLevel = 0.5
        device.network = .wifi
        device.lockedSince = now - .hour
        return device
    }
}
