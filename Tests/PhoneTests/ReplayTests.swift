// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// A workload that was written down with all that servers send.
@Suite struct ReplayTests {
    private func drawn(hasHabits: Bool) -> RunSpecification {
        var persona = TestWorld.persona
        if hasHabits {
            persona.notifications = Persona.Notifications()
            persona.notifications?.answerShare = 0.3
        }
        let apps = TestWorld.apps(12) { $0.traits.silentPushesPerDay = 9 }
        return TestWorld.specification(apps: apps, persona: persona, days: 3)
    }

    private func replayed(_ drawn: RunSpecification, change: (inout WorkloadFile) -> Void = { _ in }) throws
        -> RunSpecification
    {
        var file = WorkloadFile(of: drawn.workload, apps: drawn.apps, days: 3)
        file.addArrivals(
            to: drawn.apps, persona: drawn.persona, startWeekday: 0, seed: drawn.seed, replication: drawn.replication)
        change(&file)
        let again = try WorkloadFile(bytes: file.encoded(), name: "w.csv")
        var copy = drawn
        copy.recording = try TraceRecording(
            file: again, apps: drawn.apps, chargerWatts: drawn.persona.charging.chargerPower.watts)
        return copy
    }

    @Test(arguments: [true, false])
    func `it is the run that it was written for, bit for bit`(hasHabits: Bool) throws {
        let drawn = drawn(hasHabits: hasHabits)
        let (one, other) = (simulate(drawn), simulate(try replayed(drawn)))
        #expect(one.fingerprint == other.fingerprint && one.events == other.events)
        #expect(one.workloadFingerprint == other.workloadFingerprint)
        #expect(one.metrics.map(\.bitPattern) == other.metrics.map(\.bitPattern))
        #expect(sent(drawn).silent > 150 && sent(drawn).all > sent(drawn).silent)
    }

    @Test(arguments: [WorkloadEventKind.content, .push, .silentPush], [true, false])
    func `a row less is another workload`(kind: WorkloadEventKind, hasHabits: Bool) throws {
        let drawn = drawn(hasHabits: hasHabits)
        let less = try replayed(drawn) { file in
            guard let index = file.events.firstIndex(where: { $0.kind == kind }) else { return }
            file.events.remove(at: index)
        }
        #expect(simulate(drawn).workloadFingerprint != simulate(less).workloadFingerprint)
    }

    @Test func `at another seed servers send the same`() throws {
        let drawn = drawn(hasHabits: true)
        var other = try replayed(drawn)
        other.seed += 1
        #expect(sent(other) == sent(drawn))
        var fresh = drawn
        fresh.seed += 1
        #expect(sent(fresh).silent != sent(drawn).silent)
    }

    /// Pushes that were sent, silent ones and all.
    private func sent(_ run: RunSpecification) -> (silent: Int, all: Int) {
        var run = run
        run.tables = .appDays
        let rows = RowCollector()
        _ = simulate(run, sink: rows)
        return rows.days.reduce((0, 0)) { ($0.0 + Int($1.silentPushesSent), $0.1 + Int($1.pushesSent)) }
    }
}
