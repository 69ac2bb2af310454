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
        // Editors are told of the schema, which lies elsewhere.
        let first = try #require(try laboratory.text("mine.yaml").split(separator: "\n").first)
        let schema = try #require(first.wholeMatch(of: #/# yaml-language-server: \$schema=(/.+/experiment\.json)/#)?.1)
        #expect(FileManager.default.fileExists(atPath: String(schema)))
        let before = try laboratory.bytes("mine.yaml")
        #expect(try laboratory.run("new", "mine.yaml").code == 1)
        #expect(try laboratory.bytes("mine.yaml") == before)
    }

    @Test func `a file is no directory of results, and a persona nobody knows is named with its option`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        #expect(try laboratory.run("run", "--status", "small.yaml").errors.contains("small.yaml is a file"))
        let persona = try laboratory.run("data", "workload", "generate", "--persona", "averag", "-o", "w.csv")
        #expect(persona.code == 1)
        #expect(persona.errors.contains("--persona: unknown persona \"averag\""), "\(persona.errors)")
        #expect(persona.errors.contains("did you mean \"average\"?"))
    }

    @Test func `the plan counts runs and estimates their cost`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        let ending = try laboratory.run("check", "--plan", "small.yaml")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.out.contains("small: 6 runs = 2 policies x 3 replications"), "\(ending.out)")
        #expect(ending.out.contains("of disk"))
    }

    @Test func `the plan's estimate of the disk is of the right size`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(
            replications: 2, duration: "8 d",
            tables: "[runs, device_hours, app_days, events, requests, decisions, callbacks]")
        let plan = try laboratory.run("check", "--plan", "small.yaml", "--json")
        let json = try JSONSerialization.jsonObject(with: Data(plan.out.utf8)) as? [String: Any]
        let estimate = try #require(json?["estimated_bytes"] as? Double)
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let files = try #require(FileManager.default.enumerator(atPath: laboratory.folder.path + "/a"))
        var real = 0.0
        while files.nextObject() != nil { real += files.fileAttributes?[.size] as? Double ?? 0 }
        #expect((0.7...1.3).contains(estimate / real), "\(estimate) for \(real)")
    }

    @Test(arguments: [
        "devices", "apps", "personas", "populations", "processors", "radios", "cells", "chargers", "systems", "metrics",
        "tables", "columns", "assumptions",
    ])
    func `every list has headings and lines, and JSON of as many objects`(topic: String) throws {
        let laboratory = try Laboratory()
        let lines = try laboratory.run("list", topic).out.split(separator: "\n")
        #expect(lines.count >= 2)
        let json = try laboratory.run("list", topic, "--json").out
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        // A heading; tables have a line below that explains a column.
        #expect(rows.count == lines.count - (topic == "tables" ? 2 : 1))
        // The headings are the keys; programs get the range of a metric besides.
        let headings = Set(lines[0].split(separator: " ").map(String.init)).union(topic == "metrics" ? ["range"] : [])
        for row in rows { #expect(Set(row.keys) == headings) }
        if topic == "metrics" {
            let share = try #require(rows.first { $0["name"] as? String == "relaunch_share" })
            #expect(share["range"] as? [Double] == [0, 1])
        }
    }

    @Test func `policies for programs have their parameters with unit, default, range or words`() throws {
        let laboratory = try Laboratory()
        let json = try laboratory.run("list", "policies", "--json").out
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        let named = try laboratory.run("list", "policies").out.split(separator: "\n")
        // A heading, and two lines below that explain the marks.
        #expect(rows.count == named.count - 3)
        func parameter(_ policy: String, _ name: String) throws -> [String: Any] {
            let row = try #require(rows.first { $0["name"] as? String == policy })
            let parameters = try #require(row["parameters"] as? [[String: Any]])
            return try #require(parameters.first { $0["name"] as? String == name })
        }
        let idle = try parameter("opportunistic", "idle")
        #expect(idle["unit"] as? String == "s" && idle["default_value"] as? Double == 300)
        #expect(idle["default"] as? String == "5min" && idle["choices"] == nil)
        let share = try parameter("opportunistic", "processor-limit")
        #expect(share["unit"] as? String == "%" && share["default_value"] as? Double == 50)
        #expect(share["low"] as? Double == 0 && share["high"] as? Double == 100)
        let words = try parameter("gdsf", "cost")
        #expect(words["choices"] as? [String] == ["launch-time", "launch-energy"] && words["low"] == nil)
        let oracle = try #require(rows.first { $0["name"] as? String == "belady" })
        #expect(oracle["reads_the_future"] as? Bool == true && oracle["kind"] as? String == "eviction")
    }

    @Test func `verbs of the Python package say how to install it, and hand over where it is`() throws {
        let laboratory = try Laboratory()
        let program = Laboratory.program("flotsam")
        let folder = laboratory.folder.path
        try FileManager.default.createDirectory(
            atPath: folder + "/empty", withIntermediateDirectories: true)
        for (verb, extra) in [("submit", "dask"), ("tune", "tune")] {
            let hint = "python3 -m pip install './python[\(extra)]'"
            // Without the folders in which packages are installed there is none.
            let bare = try laboratory.run(
                "-c",
                "cd empty; printf '#!/bin/sh\\nexec python3 -S -E \"$@\"' > p; chmod +x p; "
                    + "FLOTSAM_PYTHON=./p \(program) \(verb) x", program: "/bin/bash")
            #expect(bare.code == 1)
            #expect(bare.errors.contains(hint) && !bare.errors.contains("Traceback"), "\(bare.errors)")
            let none = try laboratory.run(
                "-c", "FLOTSAM_PYTHON=/nowhere/python \(program) \(verb) x", program: "/bin/bash")
            #expect(none.code == 1)
            #expect(none.errors.contains("/nowhere/python cannot be started") && none.errors.contains(hint))
        }
        // A package that says what it was called with.
        let package = folder + "/lib/flotsam"
        try FileManager.default.createDirectory(atPath: package, withIntermediateDirectories: true)
        try "".write(toFile: package + "/__init__.py", atomically: true, encoding: .utf8)
        try """
        import os
        def main(words):
            print(words, os.environ["FLOTSAM"])
            return 7

        """.write(toFile: package + "/__main__.py", atomically: true, encoding: .utf8)
        // What the environment names is not imported, but the user may name a Python that has it.
        let named = try laboratory.run("-c", "PYTHONPATH=lib \(program) tune x", program: "/bin/bash")
        #expect(named.code == 1 && named.errors.contains("python3 -m pip install"), "\(named.errors)")
        let handed = try laboratory.run(
            "-c",
            "printf '#!/bin/sh\\n[ $1 = -I ] && shift && PYTHONPATH=lib exec python3 \"$@\"' > p; chmod +x p; "
                + "FLOTSAM_PYTHON=./p \(program) tune a.yaml --trials 3 --help", program: "/bin/bash")
        #expect(handed.code == 7, "\(handed.errors)")
        let real = URL(fileURLWithPath: program).resolvingSymlinksInPath().path
        #expect(handed.out == "['tune', 'a.yaml', '--trials', '3', '--help'] \(real)\n")
    }

    @Test func `a generated workload is the same twice, can be counted and can be replayed`() throws {
        let laboratory = try Laboratory()
        for file in ["a.csv", "b.csv"] {
            let ending = try laboratory.run("data", "workload", "generate", "--days", "3", "--seed", "7", "-o", file)
            #expect(ending.code == 0, "\(ending.errors)")
        }
        #expect(try laboratory.bytes("a.csv") == laboratory.bytes("b.csv"))
        let statistics = try laboratory.run("data", "workload", "stats", "a.csv")
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

    @Test func `cite names title and authors as CITATION does, and the plan of results`() throws {
        let laboratory = try Laboratory()
        let file = try String(contentsOf: Laboratory.package.appending(path: "CITATION.cff"), encoding: .utf8)
        let title = try #require(file.firstMatch(of: /(?m)^title: "(.*)"$/)).1
        let authors = try #require(file.firstMatch(of: /name: "(.*)"/)).1
        let program = try laboratory.run("cite")
        #expect(program.code == 0 && program.out.hasPrefix("\(authors). \(title).\nVersion "))
        #expect(program.out.contains("title   = {{\(title)}}") && program.out.contains("author  = {{\(authors)}}"))
        try laboratory.write(replications: 1, duration: "1 d")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "-q").code == 0)
        let cited = try laboratory.run("cite", "a").out
        #expect(cited.contains("\nExperiment: small, 2 runs, seed "), "\(cited)")
        #expect(try laboratory.run("cite", "nowhere").code == 1)
    }
}
