// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// What `report` hands to the page, and `reproduce`, which makes a page's results again.
@Suite(.serialized) struct ReportTests {
    private func finished() throws -> Laboratory {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 3, tables: "[runs, device_hours]")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        return laboratory
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func rows(_ text: String) -> [[String: String]] {
        let lines = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
    }

    @Test func `what the page is made of is what the tables hold`() throws {
        let laboratory = try finished()
        let report = try laboratory.run("report", "a", "--json", "--again", "2")
        #expect(report.code == 0, "\(report.errors)")
        let material = try object(report.out)
        let details = try #require(material["details"] as? [String: Any])
        #expect(details["replications"] as? Int == 2 && details["runs"] as? Int == 4)
        let runs = rows(try laboratory.text("a/runs.csv"))
        #expect(material["fingerprints"] as? [String] == runs.map { $0["fingerprint"] ?? "" })
        let kills = try #require(details["kills"] as? [[String: Any]])
        for run in runs where Int(run["replication"] ?? "") ?? 9 < 2 {
            let own = kills.filter {
                $0["policy"] as? String == run["policy"] && "\($0["replication"] ?? "")" == run["replication"]
            }
            for (key, metric) in [("kills", "kills_per_day"), ("regretted", "regretted_kills_per_day")] {
                let sum = Double(own.compactMap { $0[key] as? Int }.reduce(0, +)) / 1.5
                #expect(abs(sum - (Double(run[metric] ?? "") ?? .nan)) < 1e-9, "\(metric)")
            }
        }
        let hours = try #require(details["hours"] as? [[String: Any]])
        let table = rows(try laboratory.text("a/device_hours.csv")).filter {
            Int($0["replication"] ?? "") ?? 9 < 2 && Int($0["hour"] ?? "") ?? 0 >= 12
        }
        #expect(hours.count == table.count && table.count == 4 * 36)
        for key in ["battery_pct", "suspended_mib", "compressor_mib"] {
            let (own, theirs) = (
                hours.compactMap { $0[key] as? Double }.reduce(0, +),
                table.compactMap { Double($0[key] ?? "") }.reduce(0, +)
            )
            #expect(abs(own - theirs) < 1e-6 * abs(theirs) && theirs > 0, "\(key)")
        }
        let parts = ["wired", "system", "screen", "background", "suspended", "compressor", "cached"]
        for row in table {
            let sum = parts.compactMap { Double(row[$0 + "_mib"] ?? "") }.reduce(0, +)
            #expect(abs(sum - 4096) < 1e-6)
        }
    }

    @Test func `a day of the page holds what the tables do, and says of each kill what why says`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 2, tables: "[runs, events, requests, battery]")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let report = try laboratory.run("report", "a", "--json", "--again", "1", "--user", "1", "--day", "0")
        #expect(report.code == 0, "\(report.errors)")
        let day = try #require((try object(report.out)["days"] as? [[String: Any]])?.first)
        let sides = try #require(day["sides"] as? [[String: Any]])
        let names = try #require(day["apps"] as? [String])
        #expect(day["day"] as? Int == 0 && day["user"] as? Int == 1 && day["length_s"] as? Double == 86400)
        #expect(sides.map { $0["policy"] as? String } == ["jetsam+opportunistic", "lru+opportunistic"])
        let events = rows(try laboratory.text("a/events.csv"))
        let requests = rows(try laboratory.text("a/requests.csv"))
        func instants(_ rows: [[String: String]], _ side: [String: Any], _ column: String) -> [Double] {
            rows.filter { $0["policy"] == side["policy"] as? String && $0["replication"] == "1" }
                .compactMap { Double($0[column] ?? "") }.filter { $0 < 86400 }.map { ($0 * 1000).rounded() / 1000 }
                .sorted()
        }
        func marks(_ side: [String: Any], _ key: String) throws -> [[String: Any]] {
            try #require(side[key] as? [[String: Any]])
        }
        for side in sides {
            let (kills, work) = (try marks(side, "kills"), try marks(side, "work"))
            let killed = instants(events.filter { $0["reason"] != "" }, side, "t_s")
            #expect(kills.compactMap { $0["at"] as? Double } == killed && killed.count > 5)
            let begun = work.compactMap { $0["at"] as? Double }.filter { $0 < 86400 }.sorted()
            #expect(begun == instants(requests, side, "started_s") && begun.count > 20)
            let opened = events.filter { $0["event"] == "launch" && $0["delay_s"] != "" }
            #expect(try marks(side, "opens").compactMap { $0["at"] as? Double } == instants(opened, side, "t_s"))
        }
        // Both policies face the same user: what one decides alone differs, and only that.
        let (mine, others) = (try marks(sides[0], "kills"), try marks(sides[1], "kills"))
        for kill in mine {
            let at = try #require(kill["at"] as? Double)
            let isAlone = !others.contains {
                $0["app"] as? Int == kill["app"] as? Int && abs(($0["at"] as? Double ?? -99) - at) <= 60
            }
            #expect(kill["differs"] as? Bool == isAlone)
        }
        let kill = try #require(mine.first { ($0["why"] as? String)?.contains("available memory") == true })
        let (app, at) = (names[try #require(kill["app"] as? Int)], try #require(kill["at"] as? Double))
        let why = try laboratory.run(
            "why", try #require(sides[0]["run"] as? String), "--app", app, "--at", "\(Int(at))")
        #expect(why.out.contains(try #require(kill["why"] as? String)), "\(why.out)\(why.errors)")
        let none = try laboratory.run("report", "a", "--json", "--day", "2")
        #expect(none.code == 1 && none.errors.contains("its days are 0 to 1, its users 0 to 1"), "\(none.errors)")
    }

    /// A page that carries the results of a directory, without its pictures.
    private func page(_ laboratory: Laboratory, change: (inout [String: Any]) -> Void = { _ in }) throws {
        let material = try object(try laboratory.run("report", "a", "--json", "--again", "0").out)
        let manifest = try object(try laboratory.text("a/manifest.json"))
        var carried: [String: Any] = [
            "name": "small", "experiment": try #require(manifest["experiment"]), "replications": 3,
            "versions": try #require(manifest["versions"]), "fingerprints": try #require(material["fingerprints"]),
        ]
        change(&carried)
        let json = try JSONSerialization.data(withJSONObject: carried)
        let text =
            "<html><script type=\"application/json\" id=\"flotsam-results\">"
            + String(decoding: json, as: UTF8.self) + "</script></html>"
        try text.write(
            to: laboratory.folder.appendingPathComponent("page.html"), atomically: true, encoding: .utf8)
    }

    @Test func `the runs of a page come out bit for bit, also where the experiment file is gone`() throws {
        let laboratory = try finished()
        try page(laboratory)
        let again = try laboratory.run("repeat", "page.html", "-o", "b", "-q")
        #expect(again.code == 0, "\(again.errors)")
        #expect(again.out == "b: all 6 runs match the page bit for bit\n")
        try FileManager.default.removeItem(at: laboratory.folder.appendingPathComponent("small.yaml"))
        let fewer = try laboratory.run("repeat", "page.html", "-o", "c", "-q", "--replications", "1")
        #expect(fewer.out == "c: all 2 runs match the page bit for bit\n", "\(fewer.errors)")
        #expect(try laboratory.text("c.yaml").hasPrefix("schema: 1\nname: small\n"))
        try "name: other\n".write(
            to: laboratory.folder.appendingPathComponent("c.yaml"), atomically: true, encoding: .utf8)
        let refused = try laboratory.run("repeat", "page.html", "-o", "c", "-q")
        #expect(
            refused.code == 1 && refused.errors.contains("c.yaml contains a different experiment"), "\(refused.errors)")
    }

    @Test func `what comes out otherwise is told, with what differs`() throws {
        let laboratory = try finished()
        try page(laboratory) { $0["fingerprints"] = ["0", "1", "2", "3", "4", "5"] }
        let strange = try laboratory.run("repeat", "page.html", "-o", "b", "-q")
        #expect(strange.code == 4 && strange.out.contains("6 of 6 runs differ from those on the page (0, 1, 2"))
        try page(laboratory) {
            $0["fingerprints"] = ["0", "1", "2", "3", "4", "5"]
            $0["versions"] = ["model": "1"]
        }
        let older = try laboratory.run("repeat", "page.html", "-o", "b", "-q")
        #expect(older.code == 2 && older.errors.contains("model 1 there, "), "\(older.errors)")
        _ = try laboratory.shell("cp small.yaml other.html")
        let none = try laboratory.run("repeat", "other.html")
        #expect(none.code == 1 && none.errors.contains("is not a page that this version of flotsam report wrote"))
        #expect(try laboratory.run("repeat", "small.yaml").errors.contains("there is no directory small.yaml"))
    }

    @Test func `without Python a sentence says what to install`() throws {
        let laboratory = try finished()
        let report = try laboratory.run(
            "PATH=/nowhere", Laboratory.program("flotsam"), "report", "a", program: "/usr/bin/env")
        #expect(report.code == 1)
        #expect(report.errors.contains("there is no python3 on the path"), "\(report.errors)")
        #expect(report.errors.contains("apt-get install python3-venv"))
    }
}
