// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// `flotsam validate`, as users run it.
@Suite(.serialized) struct ValidateTests {
    private func write(_ laboratory: Laboratory, _ file: String, name: String, targets: String) throws {
        try laboratory.write(file, name: name, replications: 2, tables: "[runs]")
        let path = laboratory.folder.appendingPathComponent(file)
        let text = try laboratory.text(file)
        try (text + "targets:\n" + targets).write(to: path, atomically: true, encoding: .utf8)
    }

    @Test func `targets are judged, results stay, and a missed one that binds ends with 2`() throws {
        let laboratory = try Laboratory()
        try FileManager.default.createDirectory(
            at: laboratory.folder.appendingPathComponent("suite"), withIntermediateDirectories: true)
        let energy = "  - {id: E1, metric: energy_wh_per_day, band: {at_least: -99}, strength: strong, source: sense}\n"
        try write(
            laboratory, "suite/one.yaml", name: "one",
            targets: energy + "  - {id: E2, metric: energy_wh_per_day, band: [-1e6, -1e3], strength: weak}\n"
                + "  - {id: E2-control, metric: energy_wh_per_day, band: {at_least: 0}, strength: control}\n")
        try laboratory.write("suite/two.yaml", name: "two", tables: "[runs]")
        let met = try laboratory.run("validate", "suite", "-o", "out", "-j", "1")
        #expect(met.code == 0, "\(met.errors)")
        #expect(met.out.contains("predictions of a phone: strong 1 of 1 met\n"), "\(met.out)")
        #expect(met.out.contains("predictions of a phone: weak 0 of 1 met (does not count)\n"))
        #expect(met.out.contains("controls: 1 of 1 met\n"), "\(met.out)")
        #expect(met.errors.contains("suite/two.yaml has no targets and is skipped"))
        #expect(try laboratory.text("out/validation.csv").contains("\none,E1,energy_wh_per_day,jetsam+opportunistic,"))
        // The results are not made again, and carry their targets with them.
        let segments = try laboratory.bytes("out/one/segments/000001.seg")
        try write(
            laboratory, "suite/one.yaml", name: "one",
            targets: energy
                + "  - {id: E3, of: {table: device_hours, column: screen_s, statistic: minimum}, "
                + "same_in_all: the screen is off for an hour of each night, band: {at_most: 3600}}\n"
                + "  - {id: E4, metric: energy_wh_per_day, band: [-1e6, -1e3]}\n")
        let missed = try laboratory.run("validate", "suite/one.yaml", "-o", "out", "--json")
        #expect(missed.code == 2, "\(missed.errors)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(missed.out.utf8)) as? [String: Any])
        let targets = try #require(json["targets"] as? [[String: Any]])
        #expect(targets.map { $0["verdict"] as? String } == ["met", "met", "not met"])
        #expect(json["passed"] as? Bool == false)
        #expect(try laboratory.bytes("out/one/segments/000001.seg") == segments)
        let again = try laboratory.run("validate", "out/one")
        #expect(again.code == 2 && again.out.contains("predictions of a phone: medium 1 of 2 met\n"), "\(again.out)")
    }

    @Test func `a known miss is no failure until it is met or moves, and the page says the same each time`() throws {
        let laboratory = try Laboratory()
        try FileManager.default.createDirectory(
            at: laboratory.folder.appendingPathComponent("suite"), withIntermediateDirectories: true)
        try write(
            laboratory, "suite/one.yaml", name: "one",
            targets: "  - {id: E1, metric: energy_wh_per_day, band: {at_least: 1e6}, strength: strong, source: a | b}\n"
                + "  - {id: E2, metric: kills_per_day, band: {at_least: -1e6}, basis: identity, parameter: seed}\n")
        func know(_ entry: String) throws {
            let text = "schema: 1\nkind: known-misses\nmisses:\n  - {experiment: one, \(entry), reason: too much}\n"
            try text.write(
                to: laboratory.folder.appendingPathComponent("suite/known-misses.yaml"), atomically: true,
                encoding: .utf8)
        }
        let unknown = try laboratory.run("validate", "suite", "-o", "out", "-j", "1")
        #expect(unknown.code == 2, "\(unknown.out)")
        #expect(unknown.out.contains("predictions of a phone: strong 0 of 1 met\n"))
        #expect(unknown.out.contains("identities: medium 1 of 1 met\n"))
        try know("id: E1, found: [0, 1000]")
        let known = try laboratory.run("validate", "suite", "-o", "out", "--page", "page.md")
        #expect(known.code == 0, "\(known.out)")
        #expect(known.out.contains("predictions of a phone: strong 0 of 1 met, 1 known to be missed\n"))
        let page = try laboratory.text("page.md")
        #expect(page.contains("with version 4 of the model") && page.contains("| identity: seed |"), "\(page)")
        let missed = "| at least 1000000 Wh/d | not met, known | strong | prediction | a \\| b | -100.0 % |"
        #expect(page.contains(missed + " iphone-13, ios-17 |\n"), "\(page)")
        #expect(page.contains("| one | E1 | 0 and 1000 | too much |"))
        #expect(!page.contains(laboratory.folder.path))
        try laboratory.run("validate", "suite/one.yaml", "-o", "elsewhere", "--page", "again.md")
        #expect(try laboratory.text("again.md") == page)
        for (entry, stale) in [
            ("id: E1, found: [0, 0.001]", "is listed as a known miss with a value from 0.0 to 0.001"),
            ("id: E2, found: [0, 1000]", "is now met"), ("id: E3, found: [0, 1]", "one has no target E3 at that point"),
        ] {
            try know(entry)
            let ending = try laboratory.run("validate", "suite", "-o", "out")
            #expect(ending.code == 2 && ending.out.contains("stale: suite/known-misses.yaml:4: "), "\(ending.out)")
            #expect(ending.out.contains(stale), "\(ending.out)")
        }
    }

    @Test func `mistakes of all files come before anything runs`() throws {
        let laboratory = try Laboratory()
        try write(
            laboratory, "a.yaml", name: "a",
            targets: "  - {id: E, of: {table: events, column: footprint, statistic: mean}, band: [0, 1]}\n")
        try laboratory.write("b.yaml")
        try write(laboratory, "c.yaml", name: "c", targets: "  - {id: E, metric: kills, band: [0, 1]}\n")
        let ending = try laboratory.run("validate", "a.yaml", "b.yaml", "c.yaml")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("the table events has no column \"footprint\""), "\(ending.errors)")
        #expect(ending.errors.contains("b.yaml has no targets"))
        #expect(ending.errors.contains("unknown metric \"kills\""))
        #expect(!FileManager.default.fileExists(atPath: laboratory.folder.path + "/results"))
        // Words cannot be averaged, but different ones can be counted.
        let words = "  - {id: E, of: {table: app_days, column: app, statistic: mean}, band: [0, 1]}\n"
        try write(laboratory, "d.yaml", name: "d", targets: words)
        #expect(try laboratory.run("check", "d.yaml").errors.contains("the column \"app\" contains words"))
        try write(laboratory, "e.yaml", name: "e", targets: words.replacing("mean", with: "distinct"))
        #expect(try laboratory.run("check", "e.yaml").code == 0)
        #expect(try laboratory.run("check", "a.yaml").errors.contains("did you mean \"footprint_mib\"?"))
    }
}
