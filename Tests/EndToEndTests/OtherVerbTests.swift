// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Verbs beside `run`.
@Suite(.serialized) struct OtherVerbTests {
    @Test func `a new experiment passes its check and is not overwritten`() throws {
        let laboratory = try Laboratory()
        #expect(try laboratory.run("new", "mine.yaml").code == 0)
        let check = try laboratory.run("check", "mine.yaml")
        #expect(check.code == 0, "\(check.errors)")
        #expect(!(try laboratory.text("mine.yaml").contains("$schema")))
        let before = try laboratory.bytes("mine.yaml")
        #expect(try laboratory.run("new", "mine.yaml").code == 1)
        #expect(try laboratory.bytes("mine.yaml") == before)
    }

    @Test func `a file is no directory of results, and a persona nobody knows is named with its option`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        #expect(try laboratory.run("status", "small.yaml").errors.contains("small.yaml is a file"))
        let persona = try laboratory.run("workload", "generate", "--persona", "averag", "-o", "w.csv")
        #expect(persona.code == 1)
        #expect(persona.errors.contains("--persona: unknown persona \"averag\""), "\(persona.errors)")
        #expect(persona.errors.contains("did you mean \"average\"?"))
    }

    @Test func `the plan counts runs and estimates their cost`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        let ending = try laboratory.run("plan", "small.yaml")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.out.contains("small: 6 runs = 2 policies x 3 replications"), "\(ending.out)")
        #expect(ending.out.contains("of disk"))
    }

    @Test func `the plan's estimate of the disk is of the right size`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(
            replications: 2, duration: "8 d",
            tables: "[runs, device_hours, app_days, events, requests, decisions, callbacks]")
        let plan = try laboratory.run("plan", "small.yaml", "--json")
        let json = try JSONSerialization.jsonObject(with: Data(plan.out.utf8)) as? [String: Any]
        let estimate = try #require(json?["estimated_bytes"] as? Double)
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let files = try #require(FileManager.default.enumerator(atPath: laboratory.folder.path + "/a"))
        var real = 0.0
        while files.nextObject() != nil { real += files.fileAttributes?[.size] as? Double ?? 0 }
        #expect((0.7...1.3).contains(estimate / real), "\(estimate) for \(real)")
    }

    @Test(arguments: ["policies", "devices", "apps", "personas", "systems", "metrics", "columns", "assumptions"])
    func `every list has lines, and JSON of as many objects`(topic: String) throws {
        let laboratory = try Laboratory()
        let lines = try laboratory.run("list", topic).out.split(separator: "\n")
        #expect(!lines.isEmpty)
        let json = try laboratory.run("list", topic, "--json").out
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: String]])
        #expect(rows.count == lines.count)
    }

    @Test func `a generated workload is the same twice, can be counted and can be replayed`() throws {
        let laboratory = try Laboratory()
        for file in ["a.csv", "b.csv"] {
            let ending = try laboratory.run("workload", "generate", "--days", "3", "--seed", "7", "-o", file)
            #expect(ending.code == 0, "\(ending.errors)")
        }
        #expect(try laboratory.bytes("a.csv") == laboratory.bytes("b.csv"))
        let statistics = try laboratory.run("workload", "stats", "a.csv")
        #expect(statistics.out.hasPrefix("statistic,value\n"))
        #expect(statistics.out.contains("\nlaunches_per_day,"))
        try laboratory.write()
        let replay = try laboratory.run(
            "run", "small.yaml", "-o", "r", "--quiet", "--set", "user={trace: a.csv, persona: average}")
        #expect(replay.code == 0, "\(replay.errors)")
    }

    @Test func `compare takes another metric, baseline and level`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        try laboratory.run("run", "small.yaml", "-o", "a", "--quiet")
        let ending = try laboratory.run(
            "compare", "a", "--metric", "kills_per_day", "--baseline", "lru+opportunistic", "--level", "0.9")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.out.contains("paired against lru+opportunistic, 90 % intervals"), "\(ending.out)")
        #expect(ending.out.contains("kills_per_day (1/d"))
        let wrong = try laboratory.run("compare", "a", "--metric", "kils_per_day")
        #expect(wrong.errors.contains("did you mean \"kills_per_day\"?"))
        #expect(try laboratory.run("compare", "a", "--baseline", "lur").errors.contains("did you mean \"lru\"?"))
        let json = try laboratory.run("compare", "a", "--json").out
        #expect((try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])?["comparisons"] != nil)
    }
}
