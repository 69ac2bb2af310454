// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The built program, run as users run it.
@Suite(.serialized) struct RunTests {
    private let tables = ["runs.csv", "summary.csv", "comparisons.csv", "device_hours.csv", "columns.csv"]

    /// Replications that keep the program busy for a second or more, so that it can be disturbed in the middle, and a
    /// run that takes nearly all of the time of its worker.
    #if DEBUG
        private let many = 30
        private let long = "20 d"
    #else
        private let many = 400
        private let long = "200 d"
    #endif

    private func expectSameTables(_ laboratory: Laboratory, _ left: String, _ right: String) throws {
        for table in tables {
            #expect(try laboratory.bytes(left + "/" + table) == laboratory.bytes(right + "/" + table), "\(table)")
        }
    }

    /// The number of runs in the segments of a directory, as `status` counts them.
    private func done(_ laboratory: Laboratory, _ directory: String) throws -> Int {
        let status = try laboratory.run("run", "--status", directory, "--json")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(status.out.utf8)) as? [String: Any], "\(status.errors)")
        return try #require(object["done"] as? Int)
    }

    private func segmentBytes(_ laboratory: Laboratory, _ directory: String) -> Int {
        let folder = laboratory.folder.appendingPathComponent(directory + "/segments")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.reduce(0) { sum, name in
            let path = folder.appendingPathComponent(name).path
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }

    @Test func `one job and two leave the same bytes`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        let one = try laboratory.run("run", "small.yaml", "-o", "a", "-j", "1")
        #expect(one.code == 0, "\(one.errors)")
        #expect(try laboratory.run("run", "small.yaml", "-o", "b", "-j2", "--quiet").code == 0)
        try expectSameTables(laboratory, "a", "b")
        #expect(one.out.contains("relaunches_per_day (1/d, lower is better)"))
        #expect(try laboratory.run("compare", "a").out == laboratory.run("compare", "b").out)
    }

    @Test func `a policy against itself differs by zero in no replication, which proves nothing`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        let twins =
            "policies=[{name: a, eviction: lru, scheduling: immediate}, "
            + "{name: b, eviction: lru, scheduling: immediate}]"
        let ending = try laboratory.run(
            "run", "small.yaml", "-o", "a", "--set", twins, "--set", "baseline=a")
        #expect(ending.code == 0, "\(ending.errors)")
        for line in try laboratory.text("a/comparisons.csv").split(separator: "\n").dropFirst() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            if cells[3].isEmpty { continue }
            #expect(cells[3] == "0.0" && cells[4].isEmpty && cells[5].isEmpty && cells[6] == "0.0", "\(line)")
            #expect(cells[7] == "1.0" && cells[9] == "undecided" && cells[cells.count - 2] == "0", "\(line)")
            #expect(cells.last?.hasPrefix("differs in 0 of ") == true, "\(line)")
        }
    }

    @Test func `killed at any moment, a second run does the rest and nothing twice`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: many)
        let running = try laboratory.start(["run", "small.yaml", "-o", "a", "-j", "2", "--quiet"])
        #expect(running.wait { segmentBytes(laboratory, "a") > 30_000 })
        kill(running.identifier, SIGKILL)
        #expect(running.ending().code == -SIGKILL)
        let before = try done(laboratory, "a")
        #expect((1..<2 * many).contains(before), "\(before) runs")
        let second = try laboratory.run("run", "small.yaml", "-o", "a", "-j", "2", "--quiet")
        #expect(second.code == 0, "\(second.errors)")
        try laboratory.run("run", "small.yaml", "-o", "b", "--quiet")
        try expectSameTables(laboratory, "a", "b")
        let repeated = segmentBytes(laboratory, "a") - segmentBytes(laboratory, "b")
        #expect(repeated < 80_000, "\(repeated) bytes more than undisturbed")
    }

    @Test func `tables of an earlier experiment are moved aside, not left beside new ones`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 2)
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let old = try laboratory.bytes("a/device_hours.csv")
        let ending = try laboratory.run(
            "run", "small.yaml", "-o", "a", "--quiet", "--set", "output.tables=[runs]", "--set", "seed=100")
        #expect(ending.code == 0, "\(ending.errors)")
        let said = "device_hours.csv of an earlier experiment is now in a/earlier"
        #expect(ending.errors.contains(said), "\(ending.errors)")
        #expect(throws: (any Error).self) { try laboratory.bytes("a/device_hours.csv") }
        #expect(try laboratory.bytes("a/earlier/device_hours.csv") == old)
        #expect(try laboratory.run("run", "--status", "a").code == 0)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2])
    func `Ctrl-C, a polite kill, a closed terminal and a user's signal end with 130 and the line that goes on`(
        signal: Int32
    ) throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 4 * many)
        let running = try laboratory.start(["run", "small.yaml", "-o", "a", "-j", "2"])
        #expect(running.wait { segmentBytes(laboratory, "a") > 20_000 })
        kill(running.identifier, signal)
        let ending = running.ending()
        #expect(ending.code == 130)
        #expect(ending.errors.contains("continue with\n  flotsam run small.yaml -o a\n"), "\(ending.errors)")
        #expect(try done(laboratory, "a") > 0)
    }

    @Test func `a worker that is shot loses one run, and the next session mends it`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 6, duration: long)
        // A shot between two runs loses nothing and proves nothing: runs are long, and there are several attempts.
        var directory = ""
        for attempt in 1...5 {
            directory = "a\(attempt)"
            let running = try laboratory.start(["run", "small.yaml", "-o", directory, "-j", "1", "--quiet"])
            #expect(running.wait { segmentBytes(laboratory, directory) > 2000 })
            kill(try #require(running.children.first), SIGKILL)
            let ending = running.ending()
            if ending.code == 3 { break }
            #expect(ending.code == 0, "\(ending.errors)")
        }
        #expect(try done(laboratory, directory) == 11)
        #expect(try laboratory.text(directory + "/failures.jsonl").contains("\"signal\":9"))
        #expect(try laboratory.run("run", "small.yaml", "-o", directory, "--quiet").code == 0)
        #expect(try laboratory.text(directory + "/failures.jsonl").isEmpty)
        try laboratory.run("run", "small.yaml", "-o", "b", "--quiet")
        try expectSameTables(laboratory, directory, "b")
    }

    @Test func `a stopped worker is ended after the time-out, said, and its run done by another`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: many)
        let running = try laboratory.start([
            "run", "small.yaml", "-o", "a", "-j", "1", "--on-error", "retry(1)", "--timeout", "20 s",
        ])
        #expect(running.wait { segmentBytes(laboratory, "a") > 20_000 })
        kill(try #require(running.children.first), SIGSTOP)
        let ending = running.ending()
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.errors.contains("failed: the run took longer than 20 s and was ended"), "\(ending.errors)")
        #expect(ending.errors.contains("the run is tried again (1 of 1)"), "\(ending.errors)")
        try laboratory.run("run", "small.yaml", "-o", "b", "--quiet")
        try expectSameTables(laboratory, "a", "b")
        #expect(try laboratory.run("run", "small.yaml", "--on-error", "never", "--timeout", "5").code == 1)
    }

    @Test func `a policy of one's own that traps loses its runs and no others`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(eviction: "[jetsam, trap]")
        let ending = try laboratory.run("run", "small.yaml", "-o", "a", program: "trapping-phone")
        #expect(ending.code == 3)
        #expect(ending.errors.contains("3 runs failed: see a/failures.jsonl"))
        #expect(try laboratory.text("a/failures.jsonl").contains("asked about a candidate"))
        #expect(try laboratory.text("a/runs.csv").contains(",jetsam,opportunistic,2,done,"))
        #expect(try laboratory.run("check", "small.yaml").errors.contains("unknown eviction policy \"trap\""))
    }

    @Test func `runs that were finished before the disk was full are kept`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(tables: "[runs, device_hours, app_days, app_hours]")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "-j", "1", "--quiet").code == 0)
        let whole = try laboratory.bytes("a/segments/000001.seg").count
        let room = whole / 6 * 5 / 2 / 1024
        let program = Laboratory.program("flotsam")
        let ending = try laboratory.run(
            "-c", "ulimit -f \(room); exec \(program) run small.yaml -o b -j 1", program: "/bin/bash")
        #expect(ending.code == 3 && ending.errors.contains("2 of 6 runs done and kept"), "\(ending.errors)")
    }

    @Test func `a file-size limit ends with 3 and keeps what was there`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let before = try tables.map { try laboratory.bytes("a/" + $0) }
        try laboratory.write(replications: 6)
        let program = Laboratory.program("flotsam")
        let ending = try laboratory.run(
            "-c", "ulimit -f 24; exec \(program) run small.yaml -o a", program: "/bin/bash")
        #expect(ending.code == 3, "\(ending.errors)")
        #expect(ending.errors.contains("cannot write: File too large"), "\(ending.errors)")
        #expect(try tables.map { try laboratory.bytes("a/" + $0) } == before)
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        try laboratory.run("run", "small.yaml", "-o", "b", "--quiet")
        try expectSameTables(laboratory, "a", "b")
    }
}
