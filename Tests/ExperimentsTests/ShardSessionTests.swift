// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Glibc
import Recording
import Scenario
import Testing

@testable import Experiments

/// Shares of a plan, done by workers that obey orders.
@Suite(.serialized) struct ShardSessionTests {
    private let tables = ["runs.csv", "summary.csv", "comparisons.csv", "device_hours.csv"]

    @discardableResult
    private func exec(
        _ laboratory: Laboratory, _ shard: String, notice: @escaping (String) -> Void = { _ in }
    ) throws -> ShardOutcome {
        let session = ShardSession(
            plan: laboratory.plan, directory: ResultDirectory(laboratory.results),
            selection: try #require(RunSelection(shard: shard)), supervision: laboratory.supervision)
        return try session.carryOut(
            jobs: 2, worker: try laboratory.worker(), report: { _ in }, notice: notice)
    }

    /// The processes that write segments of a directory.
    private func workers(of laboratory: Laboratory) -> [pid_t] {
        directoryEntries("/proc").compactMap { pid_t($0) }.filter { identifier in
            let words = try? readFile("/proc/\(identifier)/cmdline", upTo: 1 << 20)
            return words.map { String(decoding: $0, as: UTF8.self).contains(laboratory.results + "/segments/") }
                ?? false
        }
    }

    /// Whether a process has ended and is only waited for, or is gone.
    private func isZombie(_ process: pid_t) -> Bool {
        guard let text = try? readFile("/proc/\(process)/stat", upTo: 1 << 12) else { return true }
        return String(decoding: text, as: UTF8.self).contains(") Z ")
    }

    private func collect(_ laboratory: Laboratory) throws -> SessionOutcome {
        try laboratory.session().collect(build: laboratory.worker().build)
    }

    @Test func `a failure is in the list after the merge, until another attempt has done the run`() throws {
        var laboratory = try Laboratory()
        #expect(try collect(laboratory).missing == Array(0..<16))
        laboratory.orders = ["trap=3"]
        let failed = try exec(laboratory, "1/2")
        #expect(failed.exitCode == 3 && failed.missing == [3] && failed.total == 8)
        let early = try collect(laboratory)
        #expect(early.exitCode == 3 && early.missing == [3] + Array(8..<16))
        #expect(early.failures.map(\.run.number) == [3])
        #expect(try laboratory.text("failures.jsonl").contains("\"last_event\":53"))
        laboratory.orders = []
        #expect(try exec(laboratory, "1/2").doneBefore == 7)
        #expect(try exec(laboratory, "2/2").exitCode == 0)
        let merged = try collect(laboratory)
        #expect(merged.exitCode == 0 && merged.failures.isEmpty)
        #expect(try laboratory.text("failures.jsonl").isEmpty)
        let fresh = try Laboratory()
        try fresh.run()
        for table in tables { #expect(try laboratory.text(table) == fresh.text(table), "\(table)") }
    }

    @Test func `shares that come one after the other are done by one worker, which stays`() throws {
        var laboratory = try Laboratory()
        _ = try collect(laboratory)
        laboratory.orders = ["trap=5"]
        var lines = ["0-2", "x", "2-3", "", "4-6", "16", "5", "7"]
        var answers: [JSONValue] = []
        let service = try ShareService(
            plan: laboratory.plan, directory: ResultDirectory(laboratory.results), supervision: laboratory.supervision,
            jobs: 1, worker: try laboratory.worker())
        let code = try service.serve(next: { lines.isEmpty ? nil : lines.removeFirst() }) {
            answers.append((try? JSONValue(parsing: Array($0.utf8))) ?? .null)
        }
        #expect(code == 3)
        let found = answers.map { answer in
            "\(answer["runs"]?.string ?? "?"): \(answer["code"]?.integer ?? -1), "
                + "\(answer["done"]?.integer ?? -1), \(answer["missing"]?.string ?? "?")"
        }
        #expect(
            found == [
                "0-2: 0, 3, ", "x: 1, 0, ", "2-3: 0, 2, ", ": 0, 0, ", "4-6: 3, 2, 5", "16: 1, 0, ", "5: 3, 0, 5",
                "7: 0, 1, ",
            ])
        let said = answers.map { $0["said"]?.string ?? "" }
        #expect(said[1].contains("expected numbers of runs, found \"x\""))
        #expect(said[5].contains("the plan has no run 16"))
        #expect(said[4].contains("run 5 (") && said[6].contains("run 5 (") && said[7].isEmpty)
        let names = directoryEntries(laboratory.results + "/segments")
        #expect(names.count { $0.hasSuffix(".seg") } == 3, "the worker, and one for each that died: \(names)")
        let merged = try collect(laboratory)
        #expect(merged.missing == [5] + Array(8..<16) && merged.failures.map(\.run.number) == [5])
        laboratory.orders = []
        try exec(laboratory, "1/1")
        #expect(try collect(laboratory).exitCode == 0)
        let fresh = try Laboratory()
        try fresh.run()
        for table in tables { #expect(try laboratory.text(table) == fresh.text(table), "\(table)") }
    }

    @Test func `a worker that is killed between two shares costs none of them`() throws {
        let laboratory = try Laboratory()
        _ = try collect(laboratory)
        let service = try ShareService(
            plan: laboratory.plan, directory: ResultDirectory(laboratory.results), supervision: laboratory.supervision,
            jobs: 1, worker: try laboratory.worker())
        var lines = ["0-3", "4-7"]
        var codes: [Int?] = []
        _ = try service.serve(next: { lines.isEmpty ? nil : lines.removeFirst() }) { answer in
            codes.append((try? JSONValue(parsing: Array(answer.utf8)))?["code"]?.integer)
            let staying = workers(of: laboratory)
            for worker in staying { kill(worker, SIGKILL) }
            // A process that ends loses its command line before its pipes; a zombie has closed them.
            while staying.contains(where: { !isZombie($0) }) { usleep(1000) }
            // A process that another test is starting may hold a copy of them until it is another program.
            usleep(200_000)
        }
        #expect(codes == [0, 0])
        #expect(try collect(laboratory).missing == Array(8..<16))
    }

    @Test func `lines of a pipe come one by one, and the last without an end`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let text = Array("1\n\n2-3".utf8)
        #expect(write(ends[1], text, text.count) == text.count)
        close(ends[1])
        var lines = SlowLines(ends[0])
        for line in ["1", "", "2-3", nil] { #expect(try lines.next() == line) }
        close(ends[0])
    }

    @Test func `a line without an end is refused and not read for ever`() throws {
        let laboratory = try Laboratory()
        let path = laboratory.results + "-lines"
        try replaceFile(path) { file in try file.write([UInt8](repeating: 49, count: 17 << 20)) }
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var lines = SlowLines(descriptor)
        let problem = #expect(throws: Diagnostics.self) { try lines.next() }
        #expect("\(try #require(problem))".contains("a line of standard input has more than 16 MiB"))
    }

    @Test func `shares leave nothing but segments, named for the attempt`() throws {
        let laboratory = try Laboratory()
        _ = try collect(laboratory)
        let before = directoryEntries(laboratory.results)
        try exec(laboratory, "2/3")
        #expect(directoryEntries(laboratory.results) == before)
        let names = directoryEntries(laboratory.results + "/segments")
        #expect(names.count == 2)
        #expect(names.allSatisfy { $0.hasPrefix("exec-2of3-\(HostDescription.name)-\(getpid())-") }, "\(names)")
        try exec(laboratory, "2/3")
        #expect(directoryEntries(laboratory.results + "/segments") == names, "nothing is done twice")
    }

    @Test func `a share opens no segment of another share of the same plan`() throws {
        let laboratory = try Laboratory()
        _ = try collect(laboratory)
        try exec(laboratory, "1/2")
        let openings = try SegmentOpenings(in: laboratory.results + "/segments")
        #expect(try exec(laboratory, "2/2").doneBefore == 0)
        let fresh = openings.counts()
        #expect(!fresh.isEmpty && fresh.keys.allSatisfy { $0.hasPrefix("exec-2of2-") }, "\(fresh)")
        // Another division of the plan needs some of both.
        #expect(try exec(laboratory, "2/3").doneBefore == 5)
        #expect(Set(openings.counts().keys.map { $0.prefix(9) }) == ["exec-1of2", "exec-2of2"])
        #expect(try collect(laboratory).exitCode == 0)
    }

    @Test(arguments: [
        ("exec-2of8-a-host-7-18ab-80-1.seg", RunSelection.shard(2, of: 8), true),
        ("exec-2of8-a-host-7-18ab-80-1.seg", .shard(3, of: 8), false),
        ("exec-2of8-a-host-7-18ab-80-1.seg", .shard(1, of: 4), true),
        ("exec-2of8-a-host-7-18ab-80-1.seg", .ranges([0...9, 20...30]), false),
        ("exec-2of8-a-host-7-18ab-80-1.seg", .ranges([0...9, 19...30]), true),
        ("exec-2of8-a-host-7-18ab-80-1.seg", .all, true),
        // Of a smaller plan: its second part lies in the first of this one.
        ("exec-2of8-a-host-7-18ab-40-1.seg", .shard(1, of: 8), true),
        ("exec-2of8-a-host-7-18ab-40-1.seg", .shard(2, of: 8), false),
        ("exec-2of8-a-host-7-18ab-1.seg", .shard(3, of: 8), true),
        ("exec-9of8-a-host-7-18ab-80-1.seg", .shard(3, of: 8), true), ("000001.seg", .shard(3, of: 8), true),
        ("exec-1of9223372036854775807-a-7-18ab-80-1.seg", .shard(3, of: 8), true),
    ])
    func `the name of a share says which runs it cannot hold`(name: String, selection: RunSelection, may: Bool) {
        #expect(ShareName(name).mayHold(selection, of: 80) == may)
    }

    @Test func `shares that contradict each other are non-determinism, which names the run`() throws {
        var laboratory = try Laboratory()
        _ = try collect(laboratory)
        try exec(laboratory, "1/2")
        let other = try Laboratory()
        try createDirectory(other.results + "/segments")
        laboratory.orders = ["noise"]
        let session = ShardSession(
            plan: laboratory.plan, directory: ResultDirectory(other.results), selection: .ranges([5...5]))
        _ = try session.carryOut(jobs: 1, worker: laboratory.worker(), report: { _ in }, notice: { _ in })
        let segment = try #require(other.segments.first)
        let bytes = try readFile(segment)
        try replaceFile(laboratory.results + "/segments/exec-other.seg") { file in try file.write(bytes) }
        let problem = try #require(throws: NonDeterminism.self) { try collect(laboratory) }
        #expect(problem.description.contains("run 5 was done twice with different results"))
    }

    @Test func `with a rule the merge asks for more replications until the goal is reached`() throws {
        var laboratory = try Laboratory(plan: smallPlan(replications: 100))
        laboratory.orders = ["noise"]
        laboratory.rule = StoppingRule(minimum: 3, maximum: 100, halfWidth: 0.005)
        var stages: [Int] = []
        while stages.count < 20 {
            let outcome = try collect(laboratory)
            stages.append(outcome.plan.replications)
            if outcome.missing.isEmpty { break }
            let session = ShardSession(
                plan: try ResultDirectory(laboratory.results).plan(), directory: ResultDirectory(laboratory.results),
                selection: .all)
            _ = try session.carryOut(jobs: 2, worker: laboratory.worker(), report: { _ in }, notice: { _ in })
        }
        let whole = try Laboratory(plan: laboratory.plan)
        var undisturbed = whole
        undisturbed.orders = ["noise"]
        undisturbed.rule = laboratory.rule
        #expect(try undisturbed.run(jobs: 2).plan.replications == stages.last)
        #expect(stages.count > 2 && stages[0] == 3, "\(stages)")
        for table in tables { #expect(try laboratory.text(table) == undisturbed.text(table), "\(table)") }
    }
}
