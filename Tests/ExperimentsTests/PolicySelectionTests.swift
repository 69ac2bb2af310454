// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Statistics
import Testing

@testable import Experiments

@Suite struct PolicySelectionTests {
    private static let names = ["jetsam", "lru", "fifo", "random"]

    private func plan(replications: Int, lengths: [Int]? = nil, first: Int = 6, unbounded: Bool = false) -> Plan {
        var analysis = Analysis(primary: "relaunches_per_day", correction: .maxT)
        analysis.selection = SelectionRule(indifference: 0.03, level: 0.95, first: first)
        let names = Self.names + (unbounded ? ["unbounded"] : [])
        return Plan(
            name: "selection", schema: 1, seed: 1, axes: [], points: [PlannedPoint(values: [], configuration: 1)],
            policies: names.map { PlannedPolicy(eviction: $0, scheduling: "immediate") }, baseline: 0,
            replications: replications, tables: [], analysis: analysis, lengths: lengths)
    }

    /// Shared chance, own noise of up to 8, and a mean of 100, 97, 130 and 98.5.
    private func value(_ run: PlannedRun) -> Double {
        let own = Double((run.replication * 7 + run.policy * 5 + run.replication * run.policy * 3) % 9)
        return [100.0, 97, 130, 98.5, 0][run.policy] + own + Double(run.replication % 4) * 20
    }

    @Test func `policies are dropped, the best is selected, and a reference takes no part`() throws {
        let judgement = try judge(plan(replications: 60, unbounded: true), value: value)
        let rows = try #require(judgement.selection).rows
        #expect(rows.map(\.policy) == [0, 1, 2, 3])
        #expect(rows.map(\.outcome) == [.eliminated, .selected, .eliminated, .eliminated])
        // By the reader in Python, Tests/Reference/designs.py.
        #expect(rows.map(\.replications) == [8, 18, 6, 18] && rows.map(\.by) == [1, nil, 0, 1])
        #expect(rows[1].replications == rows.map(\.replications).max() && rows[1].by == nil)
        let baseline = (0..<6).map { value(PlannedRun(number: 0, replication: $0, point: 0, policy: 0, identity: 0)) }
        let zone = try #require(rows[0].indifference)
        #expect(abs(zone - 0.03 * baseline.reduce(0, +) / 6) < 1e-9)
    }

    @Test func `runs of dropped policies are left out, and all of a stage are done before the next`() throws {
        let first = PolicySelection(
            plan(replications: 6), try values(plan(replications: 6)),
            try #require(plan(replications: 6).analysis.selection))
        let next = try #require(first.next(atMost: 60))
        // Stages end after 6, 7, 8, 9, 10, 12, 14 … replications; fifo is out after six.
        #expect(next.replications == 7 && next.lengths == [7, 7, 6, 7] && next.wantedRuns == 27)
        #expect(next.runs.count == 28 && next.runs.count { !next.wants($0) } == 1)
        #expect(next.hash == plan(replications: 7).hash)
        let back = try #require(Plan(manifest: next.manifest))
        #expect(back.lengths == next.lengths && back == next)
    }

    private func values(_ plan: Plan) throws -> ReplicationValues {
        let store = try finishedStore(plan) { run in MetricCatalog.catalogue.metrics.map { _ in self.value(run) } }
        return ReplicationValues(plan: plan, store: store)
    }

    @Test func `the stages of a session lead to the same selection as all runs at once`() throws {
        let rule = try #require(plan(replications: 6).analysis.selection)
        var stage = plan(replications: 6)
        var stages = 0
        while let next = PolicySelection(stage, try values(stage), rule).next(atMost: 60) {
            #expect(next.replications > stage.replications)
            stage = next
            stages += 1
        }
        let whole = PolicySelection(plan(replications: 60), try values(plan(replications: 60)), rule)
        #expect(PolicySelection(stage, try values(stage), rule).rows == whole.rows)
        #expect(stages > 1 && stage.replications < 60 && stage.wantedRuns < stage.runs.count)
        #expect(whole.missed == nil && whole.next(atMost: 100) == nil)
    }

    @Test func `a selection that the most replications do not decide says so`() throws {
        let few = plan(replications: 6)
        let selection = PolicySelection(few, try values(few), try #require(few.analysis.selection))
        #expect(selection.next(atMost: 6) == nil)
        #expect(selection.missed == "no policy was selected within 6 replications: several are left")
    }

    @Test func `a session runs what the selection asks for and resumes to the same tables`() throws {
        var plan = smallPlan(replications: 40)
        var analysis = plan.analysis
        analysis.selection = SelectionRule(indifference: 0.2, level: 0.9, first: 5)
        plan = Plan(
            name: plan.name, schema: 1, seed: 1, axes: plan.axes, points: plan.points,
            policies: ["lru", "jetsam", "fifo"].map { PlannedPolicy(eviction: $0, scheduling: "immediate") },
            baseline: 0,
            replications: 40, tables: [], analysis: analysis)
        let laboratory = try Laboratory(plan: plan)
        let outcome = try laboratory.run()
        #expect(outcome.exitCode == 0 && outcome.missing.isEmpty && outcome.done == outcome.plan.wantedRuns)
        let table = try laboratory.text("selection.csv")
        #expect(table.split(separator: "\n").count == 1 + 3 * 2)
        let runs = try laboratory.text("runs.csv")
        #expect(runs.split(separator: "\n").count == 1 + outcome.done)
        var notices: [String] = []
        let again = try laboratory.run(notice: { notices.append($0) })
        #expect(notices.allSatisfy { !$0.contains(" to this experiment") }, "\(notices)")
        #expect(try laboratory.text("selection.csv") == table && laboratory.text("runs.csv") == runs)
        #expect(again.plan == outcome.plan)
    }
}
