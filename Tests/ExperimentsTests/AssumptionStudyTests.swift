// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import Phone
import Quantities
import Scenario
import Statistics
import Testing
import Vocabulary

@testable import Experiments

/// What assumptions move, against the same experiments run by hand.
@Suite struct AssumptionStudyTests {
    private static let source = SourceText(
        name: "mine.yaml",
        text: """
            schema: 1
            name: mine
            seed: 3
            start: 2026-03-02 00:00
            duration: 2 d
            replications: 3
            device: {base: iphone-13, memory: {ram: 3 GiB}}
            apps: {catalog: everyday, count: 50}
            user: {persona: average}
            policies: {eviction: [jetsam, random, lru], scheduling: immediate}
            metrics: {primary: relaunches_per_day}
            """)

    private func study(_ only: String, policy: String? = nil) throws -> AssumptionStudy {
        var question = AssumptionStudy.Question()
        (question.only, question.policy, question.share) = (only, policy, 0.5)
        return try AssumptionStudy(
            Self.source, overrides: [], catalog: .builtIn, library: ModelLibrary.located(), question)
    }

    /// Mean relaunches a day under each of the three policies.
    private func means(_ overrides: [String] = []) throws -> [Double] {
        let experiment = try loadExperiment(
            Self.source, overrides: overrides, library: ModelLibrary.located())
        let metric = try #require(MetricCatalog.catalogue.index(of: "relaunches_per_day"))
        return (0..<3).map { policy in
            (0..<3).map { replication in
                simulate(experiment.specification(point: 0, policy: policy, replication: replication)).metrics[metric]
            }.reduce(0, +) / 3
        }
    }

    @Test func `the best policy is held against the baseline with each value set`() throws {
        let study = try study("apps.categories.*.memory.")
        let own = try means()
        let best = own[1] < own[2] ? 1 : 2
        #expect(study.policy == best)
        #expect(abs(study.paired.difference - (own[best] - own[0])) < 1e-9)
        #expect(study.rows.count == 5 && study.others.isEmpty)
        #expect(zip(study.rows, study.rows.dropFirst()).allSatisfy { $0.weight >= $1.weight })
        let row = try #require(study.rows.first { $0.value.assumption.key.hasSuffix("foreground") })
        for (side, setting) in [(row.low, row.value.low), (row.high, row.value.high)] {
            let found = try means(try #require(setting?.overrides.first))
            let difference = found[best] - found[0]
            #expect(abs(try #require(side).paired.difference - difference) < 1e-9)
            #expect(abs(try #require(side).shift.difference - (difference - (own[best] - own[0]))) < 1e-9)
        }
        let shifts = row.sides.map { abs($0.shift.difference) }
        #expect(abs(row.weight - (try #require(shifts.max())) / own[0]) < 1e-9)
    }

    @Test func `another policy than the best can be asked for`() throws {
        let study = try study("device.camera.power", policy: "random+immediate")
        #expect(study.policy == 1 && study.rows.count + study.refused.count == 1)
        let problem = #expect(throws: Diagnostics.self) { try self.study("device.camera", policy: "gdsf") }
        #expect(problem?.description.contains("random+immediate, lru+immediate") == true)
    }

    @Test func `a path that is no assumption's is said with the nearest one`() throws {
        let problem = #expect(throws: Diagnostics.self) { try self.study("device.camera.powr") }
        #expect(problem?.description.contains("did you mean device.camera.power?") == true)
    }
}
