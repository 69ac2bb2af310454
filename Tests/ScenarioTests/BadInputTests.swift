// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Scenario

/// What a user is told about each way to get an experiment wrong.
@Suite struct BadInputTests {
    @Test func `all problems come at once, in order of location`() {
        let text = """
            schema: 1
            name: Sample One
            seed: -7
            start: 2026-02-30
            duration: 3
            warmpu: 1 d
            replications: 0
            device: {base: iphone-13, memory: {ram: -4 GiB}}
            apps: {catalog: evryday, count: 20}
            user: {persona: averge}
            policies: {eviction: [jestam], scheduling: [opportunistic, jetsam]}
            """
        let problems = #expect(throws: Diagnostics.self) { try load(text) }
        #expect(
            problems?.description == """
                a.yaml:2:7: error: expected a name of lower-case letters, digits and hyphens, found "Sample One" \
                (at name)
                  2 | name: Sample One
                    |       ^~~~~~~~~~
                a.yaml:3:7: error: expected a whole number from 0 to 18446744073709551615, found "-7" (at seed)
                  3 | seed: -7
                    |       ^~
                a.yaml:4:8: error: there is no day 2026-02-30 (at start)
                  4 | start: 2026-02-30
                    |        ^~~~~~~~~~
                  hint: that month ends on 2026-02-28
                a.yaml:5:11: error: expected a time such as "8 d", found "3" without a unit (at duration)
                  5 | duration: 3
                    |           ^
                  hint: write the unit, for instance "3 d"; units: s, ns, us, µs, ms, min, h, d
                a.yaml:6:1: error: unknown key "warmpu"
                  6 | warmpu: 1 d
                    | ^~~~~~
                  hint: did you mean "warmup"?
                a.yaml:7:15: error: expected at least 1, found 0 (at replications)
                  7 | replications: 0
                    |               ^
                a.yaml:8:41: error: expected a size of at least 64 MiB, found "-4 GiB" (at device.memory.ram)
                  8 | device: {base: iphone-13, memory: {ram: -4 GiB}}
                    |                                         ^~~~~~
                a.yaml:9:17: error: unknown app catalogue "evryday" (at apps.catalog)
                  9 | apps: {catalog: evryday, count: 20}
                    |                 ^~~~~~~
                  hint: did you mean "everyday"?
                a.yaml:10:17: error: unknown persona "averge" (at user.persona)
                  10 | user: {persona: averge}
                     |                 ^~~~~~
                  hint: did you mean "average"?
                a.yaml:11:23: error: unknown eviction policy "jestam" (at policies.eviction[0])
                  11 | policies: {eviction: [jestam], scheduling: [opportunistic, jetsam]}
                     |                       ^~~~~~
                  hint: did you mean "jetsam"?
                a.yaml:11:60: error: unknown scheduling policy "jetsam" (at policies.scheduling[1])
                  11 | policies: {eviction: [jestam], scheduling: [opportunistic, jetsam]}
                     |                                                            ^~~~~~
                  hint: "jetsam" is an eviction policy

                """)
    }

    @Test(arguments: [
        ("duration", "duration: 3 W", "a.yaml:5:11: error: expected a time such as \"8 d\", found a power, \"3 W\""),
        ("device", "device: iphone-31", "hint: did you mean \"iphone-13\"?"),
        (
            "device", "device: {base: iphone-13, memory: {ram: -4 GiB}}",
            "a.yaml:8:41: error: expected a size of at least 64 MiB, found \"-4 GiB\" (at device.memory.ram)"
        ),
        ("device", "device: {base: iphone-13, memory: {ram: 4}}", "found \"4\" without a unit (at device.memory.ram)"),
        ("device", "device: ./mine.yaml", "no file \"./mine.yaml\" (at device)"),
        ("device", "device: {memory: {ram: 4 GiB}}", "the key \"battery\" is missing (at device)"),
        (
            "device", "device: {base: iphone-13, memory: {wired: 3 GiB}}",
            "memory.wired and memory.system_footprint leave less than 10 % of memory for apps"
        ),
        (
            "device", "device: {base: iphone-13, radios: {wifi: lte-2020}}",
            "this radio is for \"cellular\", so it cannot be used for \"wifi\" (at device.radios.wifi)"
        ),
        (
            "device", "device: {base: iphone-13, battery: {cell: {voltages: [3 V, 4 V]}}}",
            "a.yaml:8:54: error: voltage_states and voltages must have the same number of items, found 31 and 2"
        ),
        ("user", "user: average", "hint: write user: {persona: average}"),
        (
            "user", "user: {persona: {base: average, visit: {median: 10 s, sigma: 1, cap: 9 s}}}",
            "expected a cap that is not below the median, found \"9 s\" (at user.persona.visit.cap)"
        ),
        ("user", "user: {}", "the user needs a persona, a trace, both, or a population (at user)"),
        ("user", "user: {trace: nowhere.csv}", "a.yaml:10:15: error: no file \"nowhere.csv\" (at user.trace)"),
        ("warmup", "warmup: 3 d", "expected a warm-up shorter than the duration (3 d), found \"3 d\" (at warmup)"),
        (
            "warmup", "policies_from: 3 d",
            "expected an instant before the end of the run (3 d) (at policies_from)"
        ), ("warmup", "policies_from: 0 d", "found \"0 d\" (at policies_from)"),
        ("warmup", "policies_form: 2 d", "hint: did you mean \"policies_from\"?"),
        ("start", "start: 2026-03-02 08:00", "a run must begin at midnight, found \"08:00\" (at start)"),
        ("apps", "apps: {catalog: evryday}", "unknown app catalogue \"evryday\" (at apps.catalog)"),
        ("apps", "apps: {catalog: everyday, apps: {pigon: {}}}", "hint: did you mean \"pigeon\"?"),
        ("apps", "apps: {catalog: everyday, categories: {mesaging: {}}}", "hint: did you mean \"messaging\"?"),
        ("baseline", "baseline: jetsam+oportunistic", "hint: did you mean \"jetsam+opportunistic\"?"),
        ("  eviction", "  eviction: [jetsam, jetsam]", "the policies \"jetsam+opportunistic\" appear twice"),
        ("seed", "seed: 7\nmetrics: {primary: relaunch_per_day}", "hint: did you mean \"relaunches_per_day\"?"),
        ("seed", "seed: 7\noutput: {tables: [device_hour]}", "hint: did you mean \"device_hours\"?"),
        ("seed", "seed: 7\nanalysis: {level: 95}", "found \"95\" without a unit (at analysis.level)"),
        (
            "seed", "seed: 7\ntargets: [{id: a, metric: kills_per_day, band: [9, 1]}]",
            "the smaller first (at targets[0].band)"
        ),
        (
            "seed", "seed: 7\nsweep: {axes: {device: [iphone-13, {base: iphone-13}]}}",
            "this point of the sweep is the same as an earlier one"
        ),
        ("schema", "schema: 2", "the file has schema 2, which needs a newer flotsam; this version reads only schema 1"),
        ("seed", "seed: 7\nseed: 8", "the key \"seed\" appears twice"),
        ("seed", "seed: [7", "not valid YAML"),
    ])
    func `each mistake is explained`(line: String, wrong: String, message: String) {
        let found = complaint(line, wrong)
        #expect(found.contains(message), "\(found)")
    }

    @Test func `a swept path that does not exist is shown where it is swept`() {
        let found = complaint("seed", "seed: 7\nsweep: {axes: {device.memory.ramm: [3 GiB, 4 GiB], apps.cuont: [3]}}")
        #expect(
            found == """
                a.yaml:4:16: error: unknown key "ramm" (at device.memory)
                  4 | sweep: {axes: {device.memory.ramm: [3 GiB, 4 GiB], apps.cuont: [3]}}
                    |                ^~~~~~~~~~~~~~~~~~
                  hint: did you mean "ram"?
                a.yaml:4:52: error: unknown key "cuont" (at apps)
                  4 | sweep: {axes: {device.memory.ramm: [3 GiB, 4 GiB], apps.cuont: [3]}}
                    |                                                    ^~~~~~~~~~
                  hint: did you mean "count"?

                """)
        #expect(
            complaint("seed", "seed: 7\nsweep: {axes: {device.memory.ram: [3 GiB, 4]}}").contains(
                "a.yaml:4:43: error: expected a size such as \"4 GiB\", found \"4\" without a unit "
                    + "(at device.memory.ram)"
            ))
    }

    @Test func `a wrong option is shown as it was typed`() {
        #expect(
            complaint("seed", "seed: 7", overrides: ["device.memory.ram=4", "seed"]) == """
                --set:1:19: error: expected a size such as "4 GiB", found "4" without a unit (at device.memory.ram)
                  1 | device.memory.ram=4
                    |                   ^
                  hint: write the unit, for instance "4 GiB"; units: B, kB, MB, GB, KiB, MiB, GiB
                error: --set expects key=value, found "seed"
                  hint: for instance seed=7

                """)
    }

    @Test func `an empty name and a very long one are refused`() {
        #expect(complaint("name", "name: \"\"").contains("expected a name of lower-case letters"))
        #expect(complaint("name", "name: " + String(repeating: "a", count: 101)).contains("at most 100 letters"))
    }

    @Test func `a key without a value is shown where it stands`() {
        #expect(complaint("device", "device:").contains("error: the key \"device\" has no value"))
        #expect(complaint("duration", "duration:").contains("error: the key \"duration\" has no value"))
    }

    @Test func `a baseline of policies that exist is not called a misspelling`() {
        let found = complaint("baseline", "baseline: {eviction: fifo, scheduling: opportunistic}")
        #expect(found.contains("hint: add this pair to the policies, or use one of: "), "\(found)")
    }

    @Test func `a missing experiment is one plain sentence`() {
        let problems = #expect(throws: Diagnostics.self) { try loadExperiment(path: "/nowhere/at-all.yaml") }
        let sentence = "error: cannot read /nowhere/at-all.yaml: No such file or directory\n"
        #expect(problems?.description == sentence + "  hint: there is no folder /nowhere\n")
    }

    @Test func `bases that go in a circle are refused`() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.yaml", "base: ./b.yaml\n")
        try folder.write("b.yaml", "base: ./a.yaml\n")
        let found = complaint("device", "device: \(folder.path)/a.yaml")
        #expect(found.contains("b.yaml:1:7: error: the bases of \"./a.yaml\" form a cycle"), "\(found)")
    }
}

/// Recordings, with files on disk.
@Suite struct RecordingTests {
    let header = "# zone: UTC\n# start: 2026-03-02\n# covered_s: 0 to 259200\nt_s,event,app,value\n"

    func user(_ folder: borrowing TemporaryFolder, _ more: String = "") -> String {
        "user: {trace: \(folder.path)/t.csv\(more)}"
    }

    @Test func `a broken row is shown with its location in the recording`() throws {
        let folder = try TemporaryFolder()
        try folder.write("t.csv", header + "10,unlock,,\n12,opne,mail,5\n")
        let found = complaint("user", user(folder))
        #expect(found.contains("t.csv:6:4: error: unknown event \"opne\""), "\(found)")
        #expect(found.contains("hint: did you mean \"open\"?"))
    }

    @Test func `a run longer than the recording must be allowed to repeat it`() throws {
        let folder = try TemporaryFolder()
        try folder.write("t.csv", header + "10,unlock,,\n12,open,mail,5\n20,lock,,\n")
        let long = ["duration=5 d", "policies.scheduling=[opportunistic]"]
        let found = complaint("user", user(folder), overrides: long)
        #expect(
            found.contains("--set:1:10: error: the run lasts 5 days, but the recording only 3 (at duration)"),
            "\(found)")
        #expect(found.contains("hint: shorten the duration, or set repeat: true under user"))
        #expect(complaint("user", user(folder, ", repeat: true"), overrides: long) == "no problem")
    }

    @Test func `a policy that needs what the recording lacks is refused unless a persona fills it in`() throws {
        let folder = try TemporaryFolder()
        try folder.write("t.csv", header + "10,unlock,,\n12,open,mail,5\n20,lock,,\n")
        let charger = ["policies.scheduling=[opportunistic, charger-and-wifi]"]
        let found = complaint("user", user(folder), overrides: charger)
        #expect(
            found.contains(
                "the policy \"jetsam+charger-and-wifi\" needs charging and network, which the recording lacks"),
            "\(found)")
        #expect(complaint("user", user(folder, ", persona: average"), overrides: charger) == "no problem")
    }

    @Test func `the manifest can say what the persona fills in, and a wrong weekday is a warning`() throws {
        let folder = try TemporaryFolder()
        try folder.write("t.csv", header + "10,unlock,,\n12,open,mail,5\n20,lock,,\n200000,unlock,,\n200020,lock,,\n")
        let text = sample.replacing("user: {persona: average}", with: user(folder, ", persona: light"))
        let experiment = try load(text, overrides: ["start=2026-03-04"])
        #expect(experiment.points[0].user.filledParts.contains("network"))
        #expect(!experiment.points[0].user.filledParts.contains("sessions"))
        #expect(
            experiment.warnings.list.map(\.message)
                == [
                    "the recording begins on a Monday, but the experiment on a Wednesday",
                    "none of the recording's apps is in the catalogue, so other apps replace them",
                ])
        try folder.write("t.csv", header + "10,unlock,,\n12,open,mail,5\n21,lock,,\n")
        let other = try load(text, overrides: ["start=2026-03-04"])
        #expect(other.points[0].resolvedText != experiment.points[0].resolvedText)
    }

    @Test func `a recording cut off, without rows, or of unknown apps only is a warning`() throws {
        let folder = try TemporaryFolder()
        let text = sample.replacing("user: {persona: average}", with: user(folder))
        func warnings(_ rows: String) throws -> [String] {
            try folder.write("t.csv", header + rows)
            return try load(text).warnings.list.map(\.message)
        }
        #expect(
            try warnings("10,unlock,,\n86400,lock,,\n") == [
                "the header of the recording covers 3 days, but its rows end 2 days earlier"
            ])
        #expect(try warnings("") == ["the recording has no rows, so the phone is never used"])
        let unknown = "10,unlock,,\n12,open,nosuchapp,5\n200000,lock,,\n"
        #expect(
            try warnings(unknown) == ["none of the recording's apps is in the catalogue, so other apps replace them"])
    }

    @Test func `a byte-order mark before a recording is taken`() throws {
        let folder = try TemporaryFolder()
        try folder.write("t.csv", "\u{feff}" + header + "10,unlock,,\n200000,lock,,\n")
        #expect(complaint("user", user(folder)) == "no problem")
    }
}
