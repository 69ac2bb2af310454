// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import Phone
import Recording
import Scenario
import Testing

@testable import Experiments

/// Workers that fail, stop and die, as processes.
@Suite(.serialized) struct SupervisionTests {
    private let tables = ["runs.csv", "summary.csv", "comparisons.csv", "device_hours.csv", "failures.jsonl"]

    private func expectUndisturbed(_ laboratory: Laboratory) throws {
        let fresh = try Laboratory()
        try fresh.run()
        for table in tables { #expect(try laboratory.text(table) == fresh.text(table), "\(table)") }
    }

    @Test func `a failure is said when it happens, with policy, point, token, reason and last event`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["trap=3"]
        var notices: [String] = []
        var doneThen: Int?
        var done = 0
        try laboratory.run(
            report: { done = $0.done },
            notice: {
                notices.append($0)
                doneThen = done
            })
        let token = laboratory.plan.runs[3].token(modelVersion: modelVersion)
        let said = try #require(notices.first)
        #expect(notices.count == 1)
        #expect(
            said.hasPrefix(
                "run 3 (jetsam+immediate, device.memory.ram 4 GiB, replication 0, \(token)) failed: "
                    + "the worker died of signal"), "\(said)")
        #expect(said.hasSuffix("; its last event was number 53, at 2d07:33:23"), "\(said)")
        #expect(said.contains("Fatal error: ordered to trap"), "\(said)")
        #expect((doneThen ?? 99) < 15)
    }

    @Test func `a run that fails twice succeeds when it may be tried again, and leaves no trace`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["kill-once=3", "kill-once=5"]
        laboratory.supervision.onError = .retry(1)
        var notices: [String] = []
        let outcome = try laboratory.run(notice: { notices.append($0) })
        #expect(outcome.exitCode == 0 && outcome.failures.isEmpty)
        #expect(
            notices.count == 2 && notices.allSatisfy { $0.hasSuffix("the run is tried again (1 of 1)") }, "\(notices)")
        try expectUndisturbed(laboratory)
    }

    @Test func `a run that always fails is tried as often as it may be`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["fail=6"]
        laboratory.supervision.onError = .retry(2)
        let outcome = try laboratory.run(jobs: 2)
        #expect(outcome.exitCode == 3 && outcome.done == 15)
        #expect(outcome.failures.map(\.attempts) == [3])
        let remembered = try RememberedFailures(
            in: ResultDirectory(laboratory.results), plan: laboratory.plan)
        #expect(remembered.runs == outcome.failures)
    }

    @Test func `on_error stop begins no further run, and the next session goes on`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["fail=6"]
        laboratory.supervision.onError = .stop
        let outcome = try laboratory.run()
        #expect(outcome.exitCode == 3 && outcome.stoppedByFailure && outcome.done == 6)
        laboratory.orders = []
        #expect(try laboratory.run().exitCode == 0)
        try expectUndisturbed(laboratory)
    }

    @Test func `a stopped worker is ended, recorded with its reason, and its run is done by another`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["stop-once=3"]
        laboratory.supervision.patience = Patience(multiple: 10, floor: 10)
        let outcome = try laboratory.run()
        #expect(outcome.exitCode == 3 && outcome.done == 15)
        let failure = try #require(outcome.failures.first)
        #expect(failure.run.number == 3 && failure.signal == SIGKILL)
        #expect(
            failure.message == "the run took longer than 10 s, far above the median at its sweep point, and was ended")
        #expect(failure.last?.event == 53)
        laboratory.supervision.onError = .retry(1)
        laboratory.supervision.patience = Patience(seconds: 10)
        laboratory.orders = ["stop-once=9", "wait=1"]
        laboratory.plan = smallPlan(seed: 2)
        #expect(try laboratory.run().exitCode == 0)
    }

    @Test func `workers that die before they are ready are replaced, but not for ever`() throws {
        var laboratory = try Laboratory()
        laboratory.orders = ["die-first=3"]
        var notices: [String] = []
        #expect(try laboratory.run(notice: { notices.append($0) }).exitCode == 0)
        #expect(notices.count == 3 && notices[0].contains("lost before it was ready (the worker died of signal 9"))
        try expectUndisturbed(laboratory)
        let other = try Laboratory()
        laboratory = other
        laboratory.orders = ["die-first=50"]
        let outcome = try laboratory.run()
        #expect(outcome.exitCode == 1)
        #expect(
            outcome.problem == "a worker did not start: the worker died of signal 9 (Killed), 4 times in a row")
    }

    @Test func `patience is a multiple of the median with a floor, and none before the first run`() {
        #expect(Patience.standard.limit(median: nil) == nil)
        #expect(Patience.standard.limit(median: 0.1) == 60 && Patience.standard.limit(median: 7) == 70)
        #expect(Patience(seconds: 3).limit(median: nil) == 3)
        #expect(Patience(seconds: 0.001).reason(limit: 0.001) == "the run took longer than 1 ms and was ended")
        #expect(Patience.standard.reason(limit: 70).contains("1 min 10 s, 10 times the median at its sweep point"))
        var times = RunTimes(points: 2)
        #expect(times.median(point: 0) == nil)
        for seconds in [5.0, 1, 9] { times.add(seconds, point: 1) }
        #expect(times.median(point: 1) == 5 && times.median(point: 0) == nil)
    }

    @Test(arguments: ["lost", "empty", "half", "garbage", "foreign", "changed"])
    func `a manifest that is gone or damaged is written anew where the segments fit`(damage: String) throws {
        let laboratory = try Laboratory()
        try laboratory.run()
        let before = try tables.map(laboratory.text)
        let path = laboratory.results + "/manifest.json"
        let whole = try laboratory.text("manifest.json")
        let texts = [
            "empty": "", "half": String(whole.prefix(whole.count / 2)), "garbage": "\0\u{1}", "foreign": "{}",
            "changed": whole.replacing("\"replications\": 4", with: "\"replications\": 5"),
        ]
        if let text = texts[damage] { try replaceFile(path, with: text) } else { unlink(path) }
        var notices: [String] = []
        var first: Progress?
        #expect(try laboratory.run(report: { first = first ?? $0 }, notice: { notices.append($0) }).exitCode == 0)
        #expect(first == nil, "nothing is run again")
        let said = "it is written again from 16 runs of this experiment in segments"
        #expect(notices.count == 1 && notices[0].hasSuffix(said), "\(notices)")
        #expect(FilePath.exists(laboratory.results + "/earlier/manifest.json") == (damage != "lost"))
        #expect(try ResultDirectory(laboratory.results).plan() == laboratory.plan)
        #expect(try tables.map(laboratory.text) == before)
    }

    @Test func `a damaged manifest over another experiment's segments is refused and left alone`() throws {
        var laboratory = try Laboratory()
        try laboratory.run()
        try replaceFile(laboratory.results + "/manifest.json", with: "{")
        laboratory.plan = smallPlan(seed: 9)
        #expect(throws: (any Error).self) { try laboratory.run() }
        #expect(try laboratory.text("manifest.json") == "{")
    }
}
