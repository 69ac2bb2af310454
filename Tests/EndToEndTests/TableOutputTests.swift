// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// What becomes of the rows that runs write: tables, compressed tables, rows that are kept.
@Suite(.serialized) struct TableOutputTests {
    /// The content of a gzip file, by the system's own program.
    private func unpacked(_ path: String, _ laboratory: Laboratory) throws -> String {
        let ending = try laboratory.start(["-dc", path], program: "/bin/gzip").ending()
        #expect(ending.code == 0, "\(ending.errors)")
        return ending.out
    }

    @Test func `a compressed table holds the bytes of the plain one, whatever the number of jobs`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(tables: "[runs, device_hours, events]")
        #expect(try laboratory.run("run", "small.yaml", "-o", "plain", "--quiet").code == 0)
        let words = ["run", "small.yaml", "--quiet", "--set", "output.compress=gzip"]
        for (folder, jobs) in [("one", "1"), ("two", "2")] {
            #expect(try laboratory.start(words + ["-o", folder, "-j", jobs]).ending().code == 0)
        }
        for table in ["device_hours.csv", "events.csv"] {
            let plain = try laboratory.text("plain/" + table)
            #expect(try unpacked("one/\(table).gz", laboratory) == plain)
            #expect(try laboratory.bytes("one/\(table).gz") == laboratory.bytes("two/\(table).gz"))
            #expect(try laboratory.bytes("one/\(table).gz").count < plain.utf8.count / 2)
            #expect(throws: (any Error).self) { try laboratory.bytes("one/" + table) }
        }
        #expect(try laboratory.bytes("one/runs.csv") == laboratory.bytes("plain/runs.csv"))
        let before = try segmentBytes(laboratory, "one")
        // Asked for otherwise, the same runs are written otherwise, and none is done again.
        #expect(try laboratory.run("run", "small.yaml", "-o", "one", "--quiet").code == 0)
        #expect(try laboratory.bytes("one/events.csv") == laboratory.bytes("plain/events.csv"))
        #expect(throws: (any Error).self) { try laboratory.bytes("one/events.csv.gz") }
        #expect(try segmentBytes(laboratory, "one") == before)
    }

    /// What other readers make of the values is tried in Python (`test_results.py`).
    @Test func `Parquet has the same bytes whatever the number of jobs, and replaces the plain table`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(tables: "[runs, device_hours, events]")
        let words = ["run", "small.yaml", "--quiet"]
        for (folder, jobs) in [("one", "1"), ("two", "2")] {
            #expect(try laboratory.start(words + ["-o", folder, "-j", jobs]).ending().code == 0)
            let again = ["-o", folder, "--set", "output.format=parquet"]
            #expect(try laboratory.start(words + again).ending().code == 0)
        }
        for table in ["device_hours", "events"] {
            let bytes = try laboratory.bytes("one/\(table).parquet")
            #expect(bytes.starts(with: Data("PAR1".utf8)) && bytes.suffix(4) == Data("PAR1".utf8))
            #expect(try laboratory.bytes("two/\(table).parquet") == bytes)
            #expect(try bytes.count < laboratory.bytes("one/earlier/\(table).csv").count / 2)
            #expect(throws: (any Error).self) { try laboratory.bytes("one/\(table).csv") }
        }
        let package = try laboratory.text("one/datapackage.json")
        #expect(package.contains("\"path\": \"events.parquet\"") && package.contains("\"path\": \"runs.csv\""))
        let wrong = try laboratory.start(words + ["--set", "output.format=xlsx"]).ending()
        #expect(wrong.code == 1 && wrong.errors.contains("unknown format \"xlsx\""), "\(wrong.errors)")
    }

    @Test func `a table whose rows were kept is written without a run`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(tables: "[runs]")
        let keep = ["--set", "output.keep=[events, device_hours]"]
        #expect(try laboratory.start(["run", "small.yaml", "-o", "a", "--quiet"] + keep).ending().code == 0)
        #expect(throws: (any Error).self) { try laboratory.bytes("a/events.csv") }
        let before = try segmentBytes(laboratory, "a")
        let tables = ["--set", "output.tables=[runs, events]"]
        let second = try laboratory.start(["run", "small.yaml", "-o", "a", "--quiet"] + tables).ending()
        #expect(second.code == 0 && !second.errors.contains("made again"), "\(second.errors)")
        #expect(try segmentBytes(laboratory, "a") == before)
        #expect(try laboratory.start(["run", "small.yaml", "-o", "b", "--quiet"] + tables).ending().code == 0)
        #expect(try laboratory.bytes("a/events.csv") == laboratory.bytes("b/events.csv"))
    }

    /// Bytes of all segments: a run that was done again would stand in them twice.
    private func segmentBytes(_ laboratory: Laboratory, _ folder: String) throws -> Int {
        let path = laboratory.folder.appendingPathComponent(folder + "/segments").path
        let sizes = try FileManager.default.contentsOfDirectory(atPath: path).map { name in
            try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.size] as? Int ?? 0
        }
        return sizes.reduce(0, +)
    }
}
