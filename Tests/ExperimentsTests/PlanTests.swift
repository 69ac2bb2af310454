// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Files
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Testing

@Suite struct PlanTests {
    @Test func `a replication is complete before the next begins`() {
        let plan = smallPlan(replications: 2)
        #expect(plan.runs.count == 8)
        #expect(plan.runs.map(\.replication) == [0, 0, 0, 0, 1, 1, 1, 1])
        #expect(plan.run(replication: 1, point: 1, policy: 0).number == 6)
    }

    @Test func `a plan that grows keeps the identities of its runs`() {
        let small = smallPlan(replications: 2)
        let grown = smallPlan(replications: 3, policies: ["lru", "random", "jetsam"])
        let identities = Set(grown.runs.map(\.identity))
        #expect(identities.count == grown.runs.count)
        #expect(small.runs.allSatisfy { identities.contains($0.identity) })
    }

    @Test func `another number of replications keeps what is asked of single apps`() throws {
        let request = try MetricCatalog.catalogue.request("relaunches_per_day(app=mail)")
        let small = smallPlan()
        let plan = Plan(
            name: small.name, question: small.question, schema: small.schema, seed: small.seed, axes: small.axes,
            points: small.points, policies: small.policies, baseline: small.baseline, replications: small.replications,
            tables: small.tables, analysis: small.analysis,
            appMetrics: [request])
        #expect(plan.with(replications: 9).metrics.names.last == "relaunches_per_day(app=mail)")
    }

    @Test func `another seed shares no run`() {
        let identities = Set(smallPlan(seed: 1).runs.map(\.identity))
        #expect(smallPlan(seed: 2).runs.allSatisfy { !identities.contains($0.identity) })
    }

    @Test func `a plan comes back from its JSON, and not when a run would be another`() throws {
        let plan = smallPlan(seed: .max)
        let text = plan.manifest.pretty
        #expect(Plan(manifest: try JSONValue(parsing: text))?.definition.seed == .max)
        #expect(Plan(manifest: try JSONValue(parsing: text))?.layout == plan.layout)
        let other = text.replacing("\"lru\"", with: "\"fifo\"")
        #expect(Plan(manifest: try JSONValue(parsing: other)) == nil)
    }

    @Test func `a manifest whose hash went through all runs is read`() throws {
        let plan = smallPlan()
        var checksum = Checksum()
        for run in plan.runs { checksum.add(part: hexadecimal(run.identity)) }
        checksum.add(part: String(plan.recorded.rawValue))
        let text = plan.manifest.compact
        let earlier = text.replacing(hexadecimal(plan.hash), with: hexadecimal(checksum.value))
        #expect(earlier != text)
        #expect(Plan(manifest: try JSONValue(parsing: earlier))?.layout == plan.layout)
    }

    @Test func `plans of other runs have other hashes`() {
        let plan = smallPlan(replications: 3)
        let others = [plan.with(replications: plan.replications + 1), plan.with(replications: 1)]
        #expect(Set((others + [plan]).map(\.hash)).count == 3)
        #expect(plan.with(replications: plan.replications).hash == plan.hash)
    }

    @Test func `plan lines name policy, replication and swept values`() throws {
        let lines = smallPlan().lines(of: smallPlan().runs.indices).split(separator: 10)
        #expect(lines.count == 16)
        let line = try JSONValue(parsing: Array(lines[3]))
        #expect(line["device.memory.ram"]?.string == "4 GiB")
        #expect(line["policy"]?.string == "jetsam+immediate")
    }
}
