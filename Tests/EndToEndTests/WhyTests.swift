// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// `why` and `replay`: one run of a directory done again.
@Suite(.serialized) struct WhyTests {
    private func finished() throws -> Laboratory {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1, tables: "[runs]")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        return laboratory
    }

    @Test func `a replay is the run bit for bit, by its number and by its token`() throws {
        let laboratory = try finished()
        let replay = try laboratory.run("repeat", "a#1", "--json")
        #expect(replay.code == 0, "\(replay.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(replay.out.utf8)) as? [String: Any]
        let fingerprint = try #require(json?["fingerprint"] as? String)
        let runs = try laboratory.text("a/runs.csv").split(separator: "\n").map { $0.split(separator: ",") }
        #expect(runs[2].contains(Substring(fingerprint)))
        #expect(json?["compared"] as? Bool == true)
        let token = try #require(runs[2].first { $0.hasPrefix("m") && $0.contains("-") })
        let again = try laboratory.run("repeat", "a#\(token)").out
        #expect(again.contains("the result matches bit for bit (\(fingerprint))"))
    }

    @Test func `an experiment that has changed since plays no part, and a run that is not there is refused`() throws {
        let laboratory = try finished()
        #expect(try laboratory.run("repeat", "a#9").errors.contains("a run by its number, 0 to 1"))
        #expect(try laboratory.run("repeat", "b").errors.contains("there is no directory b"))
        try laboratory.write(replications: 1, duration: "3 d", tables: "[runs]")
        // The manifest keeps the experiment as it was; one that is named is held against it.
        #expect(try laboratory.run("repeat", "a#0").out.contains("the result matches bit for bit"))
        let ending = try laboratory.run("repeat", "a#0", "--experiment", "small.yaml")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("no longer describes run 0"), "\(ending.errors)")
    }

    @Test func `why says what ends a service of an Android app`() throws {
        let laboratory = try Laboratory()
        let text = """
            schema: 1
            name: service
            seed: 3
            start: 2026-03-02 00:00
            duration: 4 d
            warmup: 1 d
            replications: 1
            device: {base: pixel-7, os: android-15}
            apps: {catalog: everyday, count: 40}
            app: {name: up, footprint: 300 MiB, opened: 3 / d, continued: {share: 100 %, time: 9 h, type: TYPE}}
            user: {persona: average}
            policies: {eviction: [lmkd], scheduling: [opportunistic]}
            metrics: {primary: relaunches_per_day}

            """
        for (type, reason) in [
            (
                "data-sync",
                "services of the type data-sync may run 6 h 0 min within 24 h while the app is not on screen"
            ),
            ("short-service", "a short service may run 3 min 0 s"),
        ] {
            try text.replacing("TYPE", with: type).write(
                to: laboratory.folder.appendingPathComponent("\(type).yaml"), atomically: true, encoding: .utf8)
            #expect(try laboratory.run("run", "\(type).yaml", "-o", type, "-q").code == 0)
            let why = try laboratory.run("why", "\(type)#0", "--app", "up", "--kind", "service")
            #expect(why.code == 0 && why.out.contains("expired: \(reason)\n"), "\(why.out)\(why.errors)")
        }
    }

    @Test func `why tells of refreshes and kills that no table was asked for`() throws {
        let laboratory = try finished()
        let overview = try laboratory.run("why", "a#0", "--json")
        #expect(overview.code == 0, "\(overview.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(overview.out.utf8)) as? [String: Any]
        let apps = try #require(json?["apps"] as? [[String: Any]])
        let first = try #require(apps.first)
        let name = try #require(first["app"] as? String)
        #expect(try #require(first["refreshes"] as? Int) > 0)
        let day = try laboratory.run("why", "a#0", "--app", name, "--at", "1d14:05", "--json")
        let story = try JSONSerialization.jsonObject(with: Data(day.out.utf8)) as? [String: Any]
        let held = try #require(story?["held_back"] as? [[String: Any]])
        let seconds = held.compactMap { $0["time_s"] as? Double }.reduce(0, +)
        #expect(abs(seconds - 86400) < 1e-3)
        let text = try laboratory.run("why", "a#0", "--app", name)
        #expect(text.out.contains("the result matches bit for bit") && text.out.contains("where the time went:"))
        let killed = try #require(apps.first { ($0["kills"] as? Int ?? 0) > 0 }?["app"] as? String)
        let kill = try laboratory.run("why", "a#0", "--app", killed)
        #expect(kill.out.contains("what would have saved it:"), "\(kill.out)")
        #expect(kill.out.contains("next in line:"))
    }

    @Test func `an app whose refresh is switched off is not told to ask again`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1, tables: "[runs]")
        let off = ["--set", "device.background.refresh_switch=false"]
        let words = ["run", "small.yaml", "-o", "a", "--quiet"] + off
        #expect(try laboratory.start(words).ending().code == 0)
        // Pushes and transfers leave rows, and the app asks in vain whenever it is opened.
        let why = try laboratory.run("why", "a#0", "--app", "agora", "--at", "1d14:05")
        #expect(why.code == 0, "\(why.errors)")
        #expect(why.out.contains("Background App Refresh is switched off for the phone"), "\(why.out)")
        #expect(!why.out.contains("has to submit a new request"))
    }

    @Test func `processing tasks that the system refuses were asked for, and why tells what refused them`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1, tables: "[runs, requests]")
        let file = laboratory.folder.appendingPathComponent("small.yaml")
        let app =
            "app: {name: job, category: news, opened: 3 / d, refresh: {every: 1 h, enabled: false}, "
            + "processing: {per_day: 4, time: 1 min}}\n"
        try (String(contentsOf: file, encoding: .utf8) + app).write(to: file, atomically: true, encoding: .utf8)
        let run = try laboratory.run("run", "small.yaml", "-o", "a", "--quiet")
        #expect(run.code == 0, "\(run.errors)")
        let rows = try laboratory.text("a/requests.csv").split(separator: "\n").filter {
            $0.contains(",job,processing,") && $0.contains("refused,unavailable") && $0.contains("jetsam")
        }
        #expect(rows.count > 2)
        let why = try laboratory.run("why", "a#0", "--app", "job", "--kind", "processing")
        #expect(why.code == 0, "\(why.errors)")
        #expect(why.out.contains("job, processing tasks over the whole run: \(rows.count) requested, 0 runs"))
        let reason = "\(rows.count) refused: Background App Refresh was switched off (switched-off)"
        #expect(why.out.contains(reason), "\(why.out)")
        #expect(!why.out.contains("100 %  no-request"))
        // The refreshes of the app fare no better, and the overview names the reason.
        let overview = try laboratory.run("why", "a#0").out.split(separator: "\n").first { $0.hasPrefix("job ") }
        #expect(overview?.contains("switched-off") == true)
        let json = try laboratory.run("why", "a#0", "--app", "job", "--kind", "processing", "--json")
        let story = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        let refused = try #require(story?["refused"] as? [[String: Any]])
        #expect(refused.count == rows.count && refused.allSatisfy { $0["reason"] as? String == "switched-off" })
    }

    @Test func `work that no policy decides about is counted with its ends, and the kinds are named`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1, tables: "[runs, requests]")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let lines = try laboratory.text("a/requests.csv").split(separator: "\n").filter { $0.contains(",silent-push,") }
        let fields = try #require(lines.first).split(separator: ",", omittingEmptySubsequences: false)
        let kind = try #require(fields.firstIndex(of: "silent-push"))
        let name = String(fields[kind - 1])
        let pushes = lines.filter { $0.contains("jetsam+opportunistic,") && $0.contains(",\(name),silent-push,") }
        let json = try laboratory.run("why", "a#0", "--app", name, "--kind", "silent-push", "--json")
        let told = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        #expect(told?["asked"] as? Int == pushes.count, "\(json.errors)")
        let ends = try #require(told?["ends"] as? [[String: Any]])
        #expect(ends.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == pushes.count)
        let text = try laboratory.run("why", "a#0", "--app", name, "--kind", "silent-push").out
        #expect(text.contains("\(name), silent-push over the whole run: \(pushes.count) requested, "))
        let wrong = try laboratory.run("why", "a#0", "--app", name, "--kind", "widget")
        let kinds =
            "refresh, processing, silent-push, call, location, accessory, transfer-done, transfer, continued, alarm, "
            + "broadcast"
        #expect(wrong.code == 1 && wrong.errors.contains("--kind expects one of \(kinds), found widget"))
    }

    @Test func `an app or an instant that is not there is named`() throws {
        let laboratory = try finished()
        #expect(try laboratory.run("why", "a#0", "--app", "nobody-at-all").code == 1)
        #expect(try laboratory.run("why", "a#0", "--at", "1d14:05").errors.contains("--at needs --app"))
        let late = try laboratory.run("why", "a#0", "--app", "agora", "--at", "40d14:05")
        #expect(late.errors.contains("40d14:05 lies outside of the run, which begins on 2026-03-02"), "\(late.errors)")
    }
}
