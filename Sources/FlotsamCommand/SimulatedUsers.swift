// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Experiments
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import UserStudies
import Vocabulary
import Workload

/// Users with random actions; their phones are simulated, because charging depends on the battery.
enum SimulatedUsers {
    /// Samples of the first users of an experiment; user k is replication k.
    static func samples(of experiment: Experiment, count: Int) -> [UserSample] {
        let specifications = (0..<count).map { experiment.specification(point: 0, policy: 0, replication: $0) }
        return inParallel(count) { index in
            var run = specifications[index]
            run.tables = .battery
            let recorder = ChargeRecorder()
            _ = simulate(run, sink: recorder)
            return UserSample(file(of: run, charges: recorder.rows), startWeekday: run.startWeekday)
        }
    }

    /// Workload of a run, with the charging sessions that resulted from the intended ones.
    private static func file(of run: RunSpecification, charges: [BatteryRow]) -> WorkloadFile {
        let days = Int(((run.duration) / .day).rounded(.up))
        let source = PersonaWorkload(
            persona: run.persona, apps: run.appsAsSet, seed: run.seed, replication: run.replication,
            startWeekday: run.startWeekday, days: days)
        var file = WorkloadFile(of: .persona(source), apps: run.appsAsSet, days: days)
        file.addArrivals(
            to: run.appsAsSet, persona: run.persona, startWeekday: run.startWeekday, seed: run.seed,
            replication: run.replication)
        file.events.removeAll { [.plug, .unplug, .topUp, .content, .silentPush].contains($0.kind) }
        for row in charges {
            var event = WorkloadEvent(row.pluggedIn ? .plug : .unplug, at: row.time)
            event.level = Double(row.percent) / 100
            file.events.append(event)
        }
        file.finish()
        return file
    }

    /// Experiment over some days for a persona or a population, on the phone of the quickstart.
    ///
    /// By default, the number of apps is that of the persona.
    static func experiment(
        user: String, apps: Int?, days: Int, replications: Int, seed: UInt64, _ setting: Setting
    ) throws(Diagnostics) -> Experiment {
        let text = """
            schema: 1
            name: workload
            start: 2026-03-02 00:00
            duration: \(days) d
            warmup: 0 s
            replications: \(replications)
            device: iphone-13
            apps: {catalog: everyday\(apps.map { ", count: \($0)" } ?? "")}
            user: \(user)
            policies: {eviction: [jetsam], scheduling: [opportunistic]}
            baseline: {eviction: jetsam, scheduling: opportunistic}
            metrics: {primary: relaunches_per_day}
            seed: \(seed)

            """
        return try loadExperiment(
            SourceText(name: "--persona", text: text), overrides: [], catalog: setting.policies, library: .located())
    }
}

/// Collects the rows of the battery at which a charger is connected or disconnected.
private final class ChargeRecorder: RowSink {
    private(set) var rows: [BatteryRow] = []
    private var isPlugged = false

    func write<Row>(_ row: Row, to table: Table<Row>) {
        guard let row = row as? BatteryRow, row.pluggedIn != isPlugged else { return }
        isPlugged = row.pluggedIn
        rows.append(row)
    }
}
