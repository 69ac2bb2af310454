// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
@testable import Experiments
import Files
import Glibc
import Phone
import PhoneCore
import Recording
import Testing

@Suite(.serialized) struct RunSessionTests {
    private let tables = ["runs.csv", "summary.csv", "comparisons.csv", "device_hours.csv", "columns.csv"]

    @Test func `one worker and two leave the same bytes`() throws {
        let one = try Laboratory()
        let two = try Laboratory()
        #expect(try one.run(jobs: 1).exitCode == 0)
        #expect(try two.run(jobs: 2).exitCode == 0)
        for table in tables { #expect(try one.text(table) == two.text(table), "\(table)") }
        #expect(try one.text("runs.csv").split(separator: "\n").count == 17)
        #expect(try one.text("device_hours.csv").split(separator: "\n").count == 1 + 16 * 3)
        #expect(try one.text("failures.jsonl") == "")
    }

    @Test func `a finished run is not repeated, and a grown plan does only what is new`() throws {
        var laboratory = try Laboratory(plan: smallPlan(replications: 2))
        try laboratory.run()
        laboratory.plan = smallPlan(replications: 3)
        var first: Progress?
        try laboratory.run { first = first ?? $0 }
        #expect(first?.done == 8)
        #expect(first?.total == 12)
        let fresh = try Laboratory(plan: smallPlan(replications: 3))
        try fresh.run()
        for table in tables { #expect(try laboratory.text(table) == fresh.text(table), "\(table)") }
    }

    @Test func `each segment is opened once, for all that a session makes of it`() throws {
        var laboratory = try Laboratory(plan: smallPlan(replications: 6))
        try laboratory.run()
        let openings = try SegmentOpenings(in: laboratory.results + "/segments")
        laboratory.rule = StoppingRule(minimum: 5, maximum: 6, halfWidth: 1e-9)
        let again = try laboratory.run()
        #expect(openings.counts() == ["000001.seg": 1])
        // What is shown is what the tables hold, and is read from the same opening.
        let comparisons = try #require(again.judgement).comparisonTable
        #expect(String(decoding: comparisons, as: UTF8.self) == (try laboratory.text("comparisons.csv")))
        #expect(again.plan.replications == 6)
        let rows = try #require(again.store[23]?.chunks.first)
        #expect(try !rows.text().isEmpty)
        #expect(openings.counts() == [:])
        laboratory.rule = nil
        laboratory.plan = smallPlan(replications: 7)
        try laboratory.run()
        // The second one is made by a worker, and then read.
        #expect(openings.counts() == ["000001.seg": 1, "000002.seg": 2])
    }

    @Test func `a table asked for later makes the runs again and nothing contradicts`() throws {
        var laboratory = try Laboratory(plan: smallPlan(tables: []))
        try laboratory.run()
        laboratory.plan = smallPlan()
        var notices: [String] = []
        #expect(try laboratory.run(notice: { notices.append($0) }).exitCode == 0)
        #expect(notices == ["16 runs were made without a table that is now requested, and are made again"])
        #expect(try laboratory.text("device_hours.csv").split(separator: "\n").count == 1 + 16 * 3)
    }

    @Test func `another table asked for later makes the runs once more, and only once`() throws {
        var laboratory = try Laboratory(plan: smallPlan(replications: 2, tables: .events))
        try laboratory.run()
        laboratory.plan = smallPlan(replications: 2)
        #expect(try laboratory.run().exitCode == 0)
        var first: Progress?
        #expect(try laboratory.run { first = first ?? $0 }.exitCode == 0)
        #expect(first == nil || first?.done == first?.total)
    }

    @Test func `runs of another build are run again, said and remarked, and never mixed`() throws {
        var laboratory = try Laboratory(plan: smallPlan(replications: 2))
        laboratory.orders = ["build=7"]
        #expect(try laboratory.run().exitCode == 0)
        laboratory.plan = smallPlan(replications: 3)
        laboratory.orders = []
        var notices: [String] = []
        var first: Progress?
        #expect(try laboratory.run(report: { first = first ?? $0 }, notice: { notices.append($0) }).exitCode == 0)
        #expect(first?.done == 0)
        #expect(notices == ["8 runs were made by another build of flotsam and are run again"])
        let fresh = try Laboratory(plan: smallPlan(replications: 3))
        try fresh.run()
        for table in tables { #expect(try laboratory.text(table) == fresh.text(table), "\(table)") }
        #expect(try laboratory.text("manifest.json").contains("8 runs were made by another build"))
        notices = []
        #expect(try laboratory.run(notice: { notices.append($0) }).exitCode == 0)
        #expect(notices.isEmpty)
    }

    @Test func `records of one build that contradict each other are non-determinism, those of two are not`() throws {
        var laboratory = try Laboratory(plan: smallPlan(tables: []))
        try laboratory.run()
        laboratory.plan = smallPlan(tables: .deviceHours)
        laboratory.orders = ["noise"]
        #expect(throws: NonDeterminism.self) { try laboratory.run() }
        laboratory.orders = ["noise", "build=7"]
        #expect(try laboratory.run().exitCode == 0)
    }

    @Test func `a directory of another build whose runs have other identities is announced and remarked`() throws {
        var laboratory = try Laboratory()
        try laboratory.run()
        let path = laboratory.results + "/manifest.json"
        let manifest = try laboratory.text("manifest.json")
        let build = try #require(try JSONValue(parsing: manifest)["versions"]?["build"]?.string)
        let other = try JSONValue(parsing: manifest.replacing(build, with: "00000000000000ab"))
        try replaceFile(path, with: String(decoding: ManifestSeal.sealed(other), as: UTF8.self))
        laboratory.plan = smallPlan(seed: 5)
        var notices: [String] = []
        try laboratory.run(notice: { notices.append($0) })
        #expect(notices.count == 1 && notices[0].contains("16 runs"), "\(notices)")
        #expect(notices.first?.contains("by another build of flotsam") == true, "\(notices)")
        try laboratory.run()
        let after = try JSONValue(parsing: laboratory.text("manifest.json"))
        #expect(after["earlier_builds"]?.array?.count == 1)
        #expect(after["remarks"]?.array?.count == 1)
    }

    @Test func `tables whose runs another seed replaces are announced`() throws {
        var laboratory = try Laboratory()
        try laboratory.run()
        laboratory.plan = smallPlan(seed: 5)
        var notices: [String] = []
        try laboratory.run(notice: { notices.append($0) })
        #expect(notices.count == 1 && notices[0].hasPrefix("16 runs in"), "\(notices)")
    }

    @Test func `a run that traps is recorded, the others go on, and a second session mends it`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["trap=3", "fail=6"]
        let outcome = try laboratory.run(jobs: 2)
        #expect(outcome.exitCode == 3)
        #expect(outcome.done == 14)
        #expect(outcome.failures.map(\.run.number) == [3, 6])
        #expect(outcome.failures[0].signal != nil)
        #expect(outcome.failures[0].stderrTail.contains("ordered to trap"))
        #expect(outcome.failures[1].signal == nil)
        let line = try JSONValue(parsing: String(laboratory.text("failures.jsonl").prefix { $0 != "\n" }))
        #expect(line["run"]?.integer == 3)
        #expect(line["command"]?.string == "flotsam repeat '\(laboratory.results)#3'")
        #expect(line["token"]?.string == laboratory.plan.runs[3].token(modelVersion: modelVersion))
        #expect(line["last_event"]?.integer == 53 && line["last_event_s"]?.number == 200_003)
        #expect(line["attempts"]?.integer == 1)
        #expect(try laboratory.text("runs.csv").contains("3,jetsam+immediate,jetsam,immediate,4,0,failed,,,,m"))
        laboratory.orders = []
        let mended = try laboratory.run()
        #expect(mended.exitCode == 0 && mended.failures.isEmpty)
        #expect(try laboratory.text("failures.jsonl") == "")
        let fresh = try Laboratory()
        try fresh.run()
        for table in tables { #expect(try laboratory.text(table) == fresh.text(table), "\(table)") }
    }

    @Test func `a damaged list of failures is said to be, and what can be read of it counts`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["trap=3", "fail=6"]
        try laboratory.run(jobs: 2)
        let whole = try laboratory.text("failures.jsonl")
        let end = try #require(whole.firstIndex(of: "\n"))
        try replaceFile(laboratory.results + "/failures.jsonl", with: String(whole[...end]) + "{\"run\": 6, \"ident\n")
        let directory = ResultDirectory(laboratory.results)
        let remembered = try RememberedFailures(in: directory, plan: laboratory.plan)
        #expect(remembered.runs.map(\.run.number) == [3] && remembered.damagedLines == 1)
        var notices: [String] = []
        laboratory.orders = []
        try laboratory.run(notice: { notices.append($0) })
        let damaged = "\(laboratory.results)/failures.jsonl: 1 line is damaged and left out"
        let kept = "failures.jsonl (changed after flotsam wrote it) is now in \(laboratory.results)/earlier"
        #expect(notices == [damaged, "1 run failed and is tried again", kept], "\(notices)")
        // A failure of another plan's run is no damage.
        try replaceFile(laboratory.results + "/failures.jsonl", with: whole)
        let other = try RememberedFailures(in: directory, plan: smallPlan(seed: 5))
        #expect(other.runs.isEmpty && other.damagedLines == 0)
        // One that is there but cannot be read is no empty list.
        unlink(laboratory.results + "/failures.jsonl")
        #expect(try RememberedFailures(in: directory, plan: laboratory.plan).runs.isEmpty)
        try createDirectory(laboratory.results + "/failures.jsonl")
        #expect(throws: FileError.self) { try RememberedFailures(in: directory, plan: laboratory.plan) }
    }

    @Test func `a build that is not known does no runs`() throws {
        #expect(Build.identity(ofProgram: "/nowhere/flotsam") == 0)
        var laboratory = try Laboratory()
        laboratory.orders = ["build=0"]
        #expect(throws: Diagnostics.self) { try laboratory.run() }
        #expect(!FilePath.exists(laboratory.results))
    }

    @Test func `replications are added until the primary difference is known, the same number every time`() throws {
        var laboratory = try Laboratory(plan: smallPlan(replications: 100))
        laboratory.orders = ["noise"]
        laboratory.rule = StoppingRule(minimum: 3, maximum: 100, halfWidth: 0.005)
        let first = try laboratory.run(jobs: 2)
        #expect(first.exitCode == 0)
        #expect((4..<100).contains(first.plan.replications), "\(first.plan.replications)")
        let runs = try laboratory.text("runs.csv")
        #expect(try laboratory.run().plan.replications == first.plan.replications)
        #expect(try laboratory.text("runs.csv") == runs)
        #expect(try ResultDirectory(laboratory.results).plan().replications == first.plan.replications)
    }

    @Test func `what a policy prints disturbs nothing`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["babble"]
        #expect(try laboratory.run(jobs: 2).exitCode == 0)
    }

    @Test func `a worker that does not start stops the session and says why`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["refuse"]
        let outcome = try laboratory.run(jobs: 2)
        #expect(outcome.exitCode == 1)
        #expect(outcome.problem?.contains("the experiment file has changed") == true)
    }

    @Test func `different workloads within a replication are non-determinism`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["workload=5"]
        #expect(throws: NonDeterminism.self) { try laboratory.run() }
    }

    @Test(arguments: [
        (1, "all 4 replications have the same workload"), (3, "4 replications have only 3 different workloads"),
    ])
    func `replications that saw a workload twice are said to be`(drawn: Int, text: String) throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["drawn=\(drawn)"]
        var notices: [String] = []
        #expect(try laboratory.run(notice: { notices.append($0) }).exitCode == 0)
        #expect(notices.count == 1 && notices[0].hasPrefix(text), "\(notices)")
    }

    @Test func `a directory of another experiment is refused and untouched`() throws {
        var laboratory = try Laboratory()
        try laboratory.run()
        let before = try tables.map(laboratory.text)
        laboratory.plan = smallPlan(name: "other")
        let problem = try #require(throws: Diagnostics.self) { try laboratory.run() }
        #expect(
            problem.description.contains("contains the results of experiment \"small\" (schema 1), not of \"other\""))
        #expect(try tables.map(laboratory.text) == before)
    }

    @Test func `a directory with other files is refused and untouched`() throws {
        let laboratory = try Laboratory()
        try createDirectory(laboratory.results)
        try replaceFile(laboratory.results + "/thesis.tex", with: "years of work")
        #expect(throws: Diagnostics.self) { try laboratory.run() }
        #expect(directoryEntries(laboratory.results) == ["thesis.tex"])
    }

    @Test func `two sessions do not write to one directory`() throws {
        let laboratory = try Laboratory()
        let holder = ResultDirectory(laboratory.results)
        #expect(try holder.claim(for: laboratory.plan).isEmpty)
        let problem = try #require(throws: Diagnostics.self) { try laboratory.run() }
        #expect(problem.description.contains("another flotsam process is writing to"))
        withExtendedLifetime(holder) {}
    }

    @Test func `torn and damaged segments cost only the runs they held`() throws {
        let laboratory = try Laboratory()
        try laboratory.run()
        let before = try tables.map(laboratory.text)
        let path = try #require(laboratory.segments.first)
        let bytes = try readFile(path)
        try replaceFile(path) { file in try file.write(bytes[..<(bytes.count * 2 / 3)]) }
        var first: Progress?
        #expect(try laboratory.run { first = first ?? $0 }.exitCode == 0)
        #expect((1..<16).contains(first?.done ?? 0))
        #expect(try tables.map(laboratory.text) == before)
    }

    @Test func `the manifest keeps the plan, the versions and the first time`() throws {
        let laboratory = try Laboratory()
        try laboratory.run()
        let manifest = try JSONValue(parsing: laboratory.text("manifest.json"))
        #expect(try ResultDirectory(laboratory.results).plan() == laboratory.plan)
        #expect(manifest["versions"]?["gsl"]?.string?.isEmpty == false)
        #expect(manifest["versions"]?["cpu"]?.string?.isEmpty == false)
        #expect(manifest["commits"]?.members?.keys.sorted() == ["experiment", "program"])
        #expect(manifest["status"]?["done"]?.integer == 16)
        try laboratory.run()
        let again = try JSONValue(parsing: laboratory.text("manifest.json"))
        #expect(again["times"]?["begun"] == manifest["times"]?["begun"])
    }
}
