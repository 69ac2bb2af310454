// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// `flotsam data workload`: what it writes reads back and runs.
@Suite(.serialized) struct WorkloadVerbTests {
    @Test func `a fitted persona reads back, runs, and lies near the one that was recorded`() throws {
        let laboratory = try Laboratory()
        #expect(
            try laboratory.run(
                "data", "workload", "generate", "--persona", "light", "--days", "14", "--seed", "3", "--start",
                "2026-03-02",
                "--arrivals", "-o", "light.csv"
            ).code == 0)
        let fit = try laboratory.run("data", "workload", "fit", "light.csv", "-o", "me.yaml")
        #expect(fit.code == 0, "\(fit.errors)")
        #expect(fit.out.hasPrefix("me.yaml: a persona fitted to 14 days\n"), "\(fit.out)")
        let text = try laboratory.text("me.yaml")
        #expect(text.contains("base: average"))
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  per_day: ") })
        let value = try #require(Double(line.dropFirst(11).prefix { $0 != " " }))
        // `light` picks the phone up 45 times a day.
        #expect(abs(value / 45 - 1) < 0.3, "\(line)")
        #expect(line.contains("    # "))
        try laboratory.write()
        let run = try laboratory.run(
            "run", "small.yaml", "--set", "user.persona=me.yaml", "--set", "replications=2", "-o", "results", "--quiet")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try laboratory.run("data", "workload", "fit", "light.csv", "-o", "me.yaml").code == 0)
        #expect(try laboratory.text("me.yaml") == text)
    }

    @Test func `a recorded month without apps gives pick-ups, gaps and charges, and leaves apps to the base`() throws {
        let laboratory = try Laboratory()
        let month = Laboratory.package.appendingPathComponent("models/traces/niimpy-month.csv").path
        let fit = try laboratory.run("data", "workload", "fit", month, "-o", "month.yaml")
        #expect(fit.code == 0, "\(fit.errors)")
        let text = try laboratory.text("month.yaml")
        func value(_ key: String) throws -> Double {
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  \(key): ") }, "\(key)")
            return try #require(Double(line.dropFirst(key.count + 4).prefix { $0 != " " }))
        }
        // 50 sessions a day (models/recordings.md, section 2.3), a charge each night (2.5).
        let sessions = try value("per_day") * (5 + 2 * value("free_day_factor")) / 7
        #expect(abs(sessions / 50 - 1) < 0.1, "\(sessions)")
        #expect(try (0.45...0.7).contains(value("gap_shape")))
        #expect(try value("night_probability") > 90)
        #expect(!text.contains("\napps:") && !text.contains("visit:"))
    }

    @Test func `several recordings make a population that can be drawn from`() throws {
        let laboratory = try Laboratory()
        for (number, persona) in ["light", "average", "heavy"].enumerated() {
            let made = try laboratory.run(
                "data", "workload", "generate", "--persona", persona, "--days", "8", "--seed", "\(number)", "-o",
                "\(number).csv")
            #expect(made.code == 0, "\(made.errors)")
        }
        let fit = try laboratory.run("data", "workload", "fit", "0.csv", "1.csv", "2.csv", "-o", "us.yaml")
        #expect(fit.code == 0, "\(fit.errors)")
        #expect(fit.out.hasPrefix("us.yaml: a population of 3 users\n"), "\(fit.out)")
        let line = try #require(
            try laboratory.text("us.yaml").split(separator: "\n").first { $0.contains("key: pickups.per_day") })
        // 45, 95 and 170: the logarithm's deviation is .67.
        let spread = try #require(line.range(of: "spread: ")).upperBound
        let value = try #require(Double(line[spread...].prefix { $0 != "," }))
        #expect((0.4...0.9).contains(value), "\(line)")
        try laboratory.write()
        let check = try laboratory.run(
            "check", "small.yaml", "--set", "user={population: us.yaml, size: 5}", "--set", "replications=5")
        #expect(check.code == 0, "\(check.errors)")
    }

    @Test func `a card shows figures beside people, what was recorded, and what is odd`() throws {
        let laboratory = try Laboratory()
        let rows = (0..<2).flatMap { day in
            (0..<20).map { number -> String in
                let time = day * 86400 + 30_000 + number * 600
                return "\(time),unlock,,\n\(time),open,app \(number % 3),4000\n\(time + 60),lock,,\n"
            }
        }
        try Data(("# covered_s: 0 to 172800\nt_s,event,app,value\n" + rows.joined()).utf8)
            .write(to: laboratory.folder.appendingPathComponent("odd.csv"))
        let card = try laboratory.run("data", "workload", "card", "odd.csv", "--people", "6")
        #expect(card.code == 0, "\(card.errors)")
        let lines = card.out.split(separator: "\n").map(String.init)
        let sessions = try #require(lines.first { $0.hasPrefix("sessions a day") })
        #expect(sessions.split(separator: " ").contains("20"))
        #expect(lines.contains { $0.hasPrefix("charging: not recorded") })
        #expect(lines.contains { $0.hasPrefix("sessions: 2 of 2 days") })
        let json = try laboratory.run("data", "workload", "card", "odd.csv", "--people", "6", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        let file = try #require((object?["files"] as? [[String: Any]])?.first)
        let curves = try #require(file["curves"] as? [[String: Any]])
        let launches = try #require(curves.first { $0["name"] as? String == "launches" })
        #expect((launches["values"] as? [Double])?.reduce(0, +) == 20)
        #expect((launches["low"] as? [Double])?.count == 24)
    }

    @Test func `too few days, no sessions and unknown words are refused`() throws {
        let laboratory = try Laboratory()
        try Data("# covered_s: 0 to 172800\nt_s,event,app,value\n100,unlock,,\n200,lock,,\n".utf8)
            .write(to: laboratory.folder.appendingPathComponent("short.csv"))
        let short = try laboratory.run("data", "workload", "fit", "short.csv", "-o", "me.yaml")
        #expect(short.code == 1)
        #expect(short.errors.contains("covers 2 whole days, but habits need 3 or more"), "\(short.errors)")
        try Data("# covered_s: 0 to 864000\nt_s,event,app,value\n100,plug,,18\n200,unplug,,\n".utf8)
            .write(to: laboratory.folder.appendingPathComponent("idle.csv"))
        #expect(
            try laboratory.run("data", "workload", "fit", "idle.csv", "-o", "me.yaml").errors.contains(
                "contains no session"))
        let word = try laboratory.run("data", "workload", "fitt", "idle.csv")
        #expect(word.errors.contains("did you mean fit?"), "\(word.errors)")
        let gamer = try laboratory.run("data", "workload", "fit", "idle.csv", "--persona", "gamer", "-o", "me.yaml")
        #expect(gamer.errors.contains("gamer plays games"), "\(gamer.errors)")
    }

    @Test func `acceptance writes a page with a row for each test, the same page each time`() throws {
        let laboratory = try Laboratory()
        let words = ["data", "workload", "accept", "--days", "3", "--seeds", "2", "--people", "4", "-o", "page.md"]
        let first = try laboratory.start(words).ending()
        #expect(first.code == 0, "\(first.errors)")
        let page = try laboratory.text("page.md")
        for name in ["average", "commuter", "gamer", "heavy", "light", "night-shift", "smartphone-users, 4 people"] {
            #expect(page.contains("\n## \(name)\n"), "\(name)")
        }
        #expect(!page.contains("\n## android-2013\n"))
        #expect(
            page.components(separatedBy: "| 13 | battery level when plugged in, KS distance | at most 0.25 |").count
                == 9)
        try (page + "\n# By hand\n").write(
            to: laboratory.folder.appending(path: "page.md"), atomically: true, encoding: .utf8)
        #expect(try laboratory.start(words).ending().code == 0)
        #expect(try laboratory.text("page.md") == page)
    }
}
