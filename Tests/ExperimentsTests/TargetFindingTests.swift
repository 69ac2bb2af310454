// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Files
import Measures
import Phone
import PhoneCore
import Quantities
import Recording
import Scenario
import TestSupport
import Testing
import Vocabulary

@testable import Experiments

/// Runs held against targets.
@Suite struct TargetFindingTests {
    /// A finished plan of two policies at two points; the metrics of a run follow from its position in the plan.
    private final class Finished {
        let plan: Plan
        let folder: TemporaryFolder

        init(replications: Int = 3, metric: (PlannedRun) -> Double) throws {
            plan = smallPlan(replications: replications, tables: .requests)
            folder = try TemporaryFolder()
            let directory = ResultDirectory(folder.path)
            try createDirectory(directory.segments)
            let segment = try SegmentWriter(path: directory.segments + "/1.seg", build: Build.current)
            for run in plan.runs {
                let recorder = try RunRecorder(
                    run: run.identity, names: RowNames(apps: ["a, \"b\"", "c"]), segment: segment)
                for (index, hour) in [1.0, 2, 26, 47].enumerated() {
                    var row = RequestRow()
                    row.app = AppID(index % 2)
                    row.submitted = .zero + .hours(hour)
                    row.started = .zero + .hours(hour) + .seconds(Double(10 * (index + 1 + run.replication)))
                    row.ended = row.started
                    row.outcome = index == 3 ? "expired" : "success"
                    recorder.write(row)
                }
                let outcome = RunOutcome(
                    metrics: MetricCatalog.catalogue.metrics.map { _ in metric(run) }, events: 1, userActions: 1,
                    fingerprint: 1,
                    workloadFingerprint: 1)
                try recorder.finish(outcome, tables: plan.tables, seconds: 0)
            }
        }

        func findings(_ targets: Target...) throws -> [TargetFinding] {
            let store = try RunStore(plan: plan, directory: ResultDirectory(folder.path))
            return try TargetJudgement(plan: plan, store: store, targets: targets).findings
        }
    }

    private func target(
        _ band: ClosedRange<Double>, _ strength: Target.Strength = .medium, quantity: TargetQuantity? = nil,
        unit: TargetUnit? = nil, policy: String? = nil, point: String? = nil, reference: Target.Reference? = nil
    ) -> Target {
        var claim = TargetClaim(id: "T", band: band)
        claim.strength = strength
        claim.source = "s"
        return Target(
            claim, quantity: quantity ?? .metric("kills_per_day"), unit: unit, policy: policy,
            point: point.map { [.init(path: "device.memory.ram", value: $0)] } ?? [], reference: reference)
    }

    @Test func `rows that are shorter than their table count as rows without values`() throws {
        let plan = smallPlan(replications: 1, tables: .requests)
        let folder = try TemporaryFolder()
        let directory = ResultDirectory(folder.path)
        try createDirectory(directory.segments)
        let segment = try SegmentWriter(path: directory.segments + "/1.seg", build: Build.current)
        for run in plan.runs {
            try segment.begin(run: run.identity)
            try segment.append(rows: Array("1\n\n,\n\"\n".utf8), of: .requests)
            let outcome = RunOutcome(
                metrics: [], events: .max, userActions: .max, fingerprint: 1, workloadFingerprint: 1)
            try segment.finish(outcome, tables: plan.tables, seconds: 0)
        }
        let store = try RunStore(plan: plan, directory: directory)
        let figures = ["submitted_s", "started_s"].map { column in
            TableFigure(
                table: PhoneTables.list[.requests], columns: [column], minus: nil, gaps: false, least: nil,
                conditions: [], statistic: .mean, warmupSeconds: 0, days: 1)
        }
        let targets = figures.map { target(0...1, quantity: .table($0)) }
        let findings = try TargetJudgement(plan: plan, store: store, targets: targets).findings
        #expect(findings.allSatisfy { $0.found.isNaN } && findings.count == 4)
    }

    @Test func `met when the interval lies inside, missed when outside, undecided over an end`() throws {
        // 9, 10, 11 have the mean 10 and, at 95 %, the half-width 4.303 / sqrt 3 = 2.484.
        let finished = try Finished { 9 + Double($0.replication) }
        let verdicts = try finished.findings(
            target(7.5...12.5, point: "3 GiB"), target(7.6...20, point: "3 GiB"), target(10.1...12.4, point: "3 GiB"),
            target(12.5...20, point: "3 GiB"), target(12.5...20, .found, point: "3 GiB"),
            target(0...12.4, point: "3 GiB"), target(0...7.5, point: "3 GiB"))
        #expect(verdicts.map(\.verdict) == [.met, .undecided, .undecided, .missed, .missed, .undecided, .missed])
        // Undecided is not met.
        #expect(verdicts.map(\.isFailure) == [false, true, true, true, false, true, true])
        #expect(abs(verdicts[0].halfWidth - 2.4841) < 1e-3 && verdicts[0].found == 10)
    }

    @Test func `the distance to the edge is a share of the nearer end, and negative outside`() throws {
        let found = try Finished(replications: 1) { _ in 4 }.findings(
            target(3.2...8, point: "3 GiB"), target(0...5, point: "3 GiB"), target(5...6, point: "3 GiB"),
            target(1 ... .infinity, point: "3 GiB"), target(4...4, point: "3 GiB"),
            target(-.infinity...2, point: "3 GiB"))
        let distances = found.map(\.distanceToEdge)
        for (distance, expected) in zip(distances, [0.25, 0.2, -0.2, 3, nil, -1]) {
            #expect(distance.map { ($0 * 1e9).rounded() } == expected.map { ($0 * 1e9).rounded() })
        }
        let none = try Finished { _ in .nan }.findings(target(0...5, point: "3 GiB"))
        #expect(none[0].distanceToEdge == nil)
    }

    @Test func `a single replication is judged by its value, and one without a value fails`() throws {
        let single = try Finished(replications: 1) { _ in 4 }.findings(target(0...5), target(5...6))
        #expect(single.map(\.verdict) == [.met, .met, .missed, .missed])
        let none = try Finished { _ in .nan }.findings(target(0...5, point: "3 GiB"))
        #expect(none[0].verdict == .empty && none[0].isFailure)
    }

    @Test func `without a point every point is judged, with a policy that policy`() throws {
        let finished = try Finished { Double(10 * $0.point + $0.policy) }
        let all = try finished.findings(target(0...0, policy: "jetsam+immediate"))
        #expect(all.map(\.found) == [1, 11])
        #expect(all.map(\.point) == ["3 GiB", "4 GiB"].map { [.init(path: "device.memory.ram", value: $0)] })
    }

    @Test func `a ratio is that of means, and exact where replications are in proportion`() throws {
        let finished = try Finished { Double(($0.replication + 1) * ($0.policy + 1) * ($0.point + 2)) }
        let policy = Target.Reference(quantity: .metric("kills_per_day"), policy: "lru+immediate", point: [])
        let point = Target.Reference(
            quantity: .metric("kills_per_day"), policy: nil,
            point: [.init(path: "device.memory.ram", value: "4 GiB")])
        let found = try finished.findings(
            target(0...9, policy: "jetsam+immediate", point: "3 GiB", reference: policy),
            target(0...9, point: "3 GiB", reference: point))
        #expect(abs(found[0].found - 2) < 1e-12 && abs(found[0].halfWidth) < 1e-9)
        #expect(abs(found[1].found - 2.0 / 3) < 1e-12 && found[1].verdict == .stuck)
    }

    @Test func `the jackknife agrees with the textbook's interval of a ratio`() {
        // Linearised: s² = Σ(y - Rx)² / (n - 1), se = s / (x̄ √n); the jackknife differs by terms of order 1/n.
        let above = [11.0, 19, 32, 38, 52, 59, 71, 79, 92, 98]
        let below = (1...10).map { Double($0) }
        let found = Experiments.TargetJudgement.ratio(above, below, level: 0.95)
        let squares = zip(above, below).reduce(0) { $0 + ($1.0 - found.0 * $1.1) * ($1.0 - found.0 * $1.1) }
        let linear = 2.2622 * (squares / 9).squareRoot() / (5.5 * 10.0.squareRoot())
        #expect(abs(found.0 - 551.0 / 55) < 1e-12)
        #expect(abs(found.1 / linear - 1) < 0.1, "\(found.1) for \(linear)")
    }

    @Test func `figures of tables take rows after the warm-up that fit the conditions`() throws {
        let finished = try Finished(replications: 2) { _ in 0 }
        func figure(
            _ statistic: TableFigure.Statistic, columns: [String] = ["started_s"], minus: String? = nil,
            gaps: Bool = false, least: TableFigure.Group? = nil, _ conditions: [TableFigure.Condition] = [],
            warmup: Double = 0
        ) throws -> Double {
            let figure = TableFigure(
                table: PhoneTables.list[.requests], columns: columns, minus: minus, gaps: gaps, least: least,
                conditions: conditions, statistic: statistic, warmupSeconds: warmup, days: 2)
            return try finished.findings(target(0...1e9, quantity: .table(figure), point: "3 GiB"))[0].found
        }
        // Late by 10 to 40 s in the first replication, by 20 to 50 s in the second.
        #expect(try figure(.mean, minus: "submitted_s") == 30)
        #expect(
            try figure(.mean, minus: "submitted_s", [.init(column: "outcome", requirement: .words(["expired"]))]) == 45)
        #expect(try figure(.count, columns: [], [.init(column: "app", requirement: .words(["a, \"b\""]))]) == 2)
        #expect(try figure(.count, columns: [], warmup: 86400) == 2)
        #expect(try figure(.count, columns: [], [.init(column: "started_s", requirement: .hours(22, 2))]) == 2)
        #expect(try figure(.count, columns: [], [.init(column: "started_s", requirement: .range(0...7300))]) == 2)
        // The apps' starts lie 25 h and 45 h apart, each plus 20 s.
        #expect(try figure(.maximum, gaps: true) == 45 * 3600 + 20)
        #expect(try figure(.minimum, gaps: true) == 25 * 3600 + 20)
        // Of rows that have something in common only the least value counts: all of them, none, all by a difference.
        #expect(try figure(.mean, least: .init(column: "plugged_in", minus: nil)) == 3615)
        #expect(try figure(.mean, minus: "submitted_s", least: .init(column: "ended_s", minus: nil)) == 30)
        #expect(try figure(.mean, minus: "submitted_s", least: .init(column: "ended_s", minus: "started_s")) == 15)
        #expect(try figure(.perDay, columns: ["plugged_in"]) == 0)
        #expect(try figure(.variation, columns: ["plugged_in"]).isNaN)
        #expect(try figure(.distinct, columns: ["app"]) == 2)
        #expect(
            try figure(.distinct, columns: ["app"], [.init(column: "outcome", requirement: .words(["expired"]))]) == 1)
    }

    @Test func `quantiles lie between neighbours of the sorted values`() {
        let values = [50.0, 10, 40, 20, 30]
        let found = [TableFigure.Statistic.p05, .p25, .median, .p75, .p95].map { $0.value(of: values, days: 1) }
        // At 0.05 × 4 = 0.2 places above the least, and so on.
        #expect(zip(found, [12, 20, 30, 40, 48]).allSatisfy { abs($0 - $1) < 1e-12 }, "\(found)")
    }

    @Test func `a band in another unit meets values that are scaled to it`() throws {
        let finished = try Finished { 7200 + 3600 * Double($0.replication) }
        let hours = TargetUnit(name: "h", scale: 1.0 / 3600)
        let found = try finished.findings(target(0...9, unit: hours, point: "3 GiB"))[0]
        #expect(abs(found.found - 3) < 1e-12 && abs(found.halfWidth - 2.4841) < 1e-3)
        #expect(found.verdict == .met)
    }
}
