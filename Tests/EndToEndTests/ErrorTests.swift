// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// What users are told when something is wrong.
@Suite(.serialized) struct ErrorTests {
    @Test func `all errors of a file come at once, with their locations`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        var text = try laboratory.text("small.yaml")
        text = text.replacingOccurrences(of: "duration: 2 d", with: "duration: 2")
        text = text.replacingOccurrences(of: "[jetsam, lru]", with: "[jetsam, lruu]")
        text = text.replacingOccurrences(of: "seed: 1", with: "sead: 1")
        try text.write(
            to: laboratory.folder.appendingPathComponent("broken.yaml"), atomically: true, encoding: .utf8)
        let ending = try laboratory.run("check", "broken.yaml")
        #expect(ending.code == 1)
        for expected in [
            "broken.yaml:4:1: error:", "did you mean \"seed\"?", "broken.yaml:6:11: error:",
            "unknown eviction policy \"lruu\"", "did you mean \"lru\"?",
        ] { #expect(ending.errors.contains(expected), "\(expected) in \(ending.errors)") }
        #expect(try laboratory.run("run", "broken.yaml", "-o", "a").code == 1)
        #expect(!FileManager.default.fileExists(atPath: laboratory.folder.appendingPathComponent("a").path))
    }

    @Test func `numbers of options that no run can have are refused, up to the largest`() throws {
        let laboratory = try Laboratory()
        let group = try laboratory.run("lab", "coverage", "results", "--group", "9000000000000000000")
        #expect(group.errors.contains("--group expects at most 1000000, found 9000000000000000000"))
        for time in ["1e30 d", "-1e30 d", "1e308 d"] {
            let pilot = try laboratory.run("check", "--plan", "small.yaml", "--warmup=\(time)")
            #expect(pilot.errors.contains("--warmup expects the length of a pilot, 4 d to 1000 d, found \"\(time)\""))
        }
    }

    @Test func `a negative size and a misspelt key of a model are refused with their locations`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        let text = try laboratory.text("small.yaml").replacingOccurrences(
            of: "device: {base: iphone-13, os: ios-17}",
            with: "device: {base: iphone-13, memory: {ram: -4 GiB, wierd: 1}}")
        try text.write(
            to: laboratory.folder.appendingPathComponent("broken.yaml"), atomically: true, encoding: .utf8)
        let ending = try laboratory.run("check", "broken.yaml")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("broken.yaml:9:"), "\(ending.errors)")
        #expect(ending.errors.contains("-4 GiB"), "\(ending.errors)")
        #expect(ending.errors.contains("did you mean \"wired\"?"), "\(ending.errors)")
    }

    @Test func `a missing file, an unknown verb and an unknown option are usage errors`() throws {
        let laboratory = try Laboratory()
        let missing = try laboratory.run("check", "nowhere.yaml")
        #expect(missing.code == 1)
        #expect(missing.errors.contains("nowhere.yaml"))
        #expect(try laboratory.run("chekc").errors.contains("did you mean check?"))
        let option = try laboratory.run("run", "x.yaml", "--outptu", "a")
        #expect(option.code == 1)
        #expect(option.errors.contains("did you mean --output?"))
        #expect(try laboratory.run("run", "--status", "nowhere").code == 1)
    }

    @Test func `another experiment's directory is left alone`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        try laboratory.write("other.yaml", name: "other")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let before = try laboratory.bytes("a/runs.csv")
        let ending = try laboratory.run("run", "other.yaml", "-o", "a")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("contains the results of experiment \"small\""), "\(ending.errors)")
        #expect(try laboratory.bytes("a/runs.csv") == before)
    }

    @Test func `a trace with a broken row is refused with its location`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        let trace = "# zone: UTC\nt_s,event,app,value\n0,unlock,,\n10,opne,mail,5\n"
        try trace.write(to: laboratory.folder.appendingPathComponent("t.csv"), atomically: true, encoding: .utf8)
        let ending = try laboratory.run("check", "small.yaml", "--set", "user={trace: t.csv, persona: average}")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("t.csv:4:"), "\(ending.errors)")
        #expect(try laboratory.run("data", "workload", "stats", "t.csv").code == 1)
    }
}
