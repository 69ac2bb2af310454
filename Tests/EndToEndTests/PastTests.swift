// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Runs with the same past, which go on under policies of their own.
@Suite(.serialized) struct PastTests {
    private static let instant = 86_400.0

    /// The lines of a table, by policy, without the column that numbers the runs.
    private func lines(
        _ laboratory: Laboratory, _ path: String, ofPast isPast: Bool? = nil
    ) throws -> [Substring: [Substring]] {
        let rows = try laboratory.text(path).split(separator: "\n")
        let columns = rows[0].split(separator: ",").map(String.init)
        let policy = try #require(columns.firstIndex(of: "policy"))
        let time = columns.firstIndex { $0 == "t_s" || $0 == "hour" }
        var found: [Substring: [Substring]] = [:]
        for row in rows.dropFirst() {
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            if let isPast, let time {
                let at = try #require(Double(cells[time])) * (columns[time] == "hour" ? 3600 : 1)
                if (at < Self.instant) != isPast { continue }
            }
            let rest = cells.indices.filter { !["run", "policy", "eviction", "token"].contains(columns[$0]) }
            found[cells[policy], default: []].append(Substring(rest.map { cells[$0] }.joined(separator: ",")))
        }
        return found
    }

    @Test func `all policies share the bytes of the past, and the baseline goes on as it was`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(
            eviction: "[jetsam, lru, random]", replications: 2, tables: "[runs, events, device_hours]")
        let small = ["small.yaml", "--set", "device.memory.ram=3 GiB", "-o"]
        func run(_ words: [String]) throws {
            let ending = try laboratory.start(["run"] + small + words).ending()
            #expect(ending.code == 0, "\(ending.errors)")
        }
        try run(["forked", "--set", "policies_from=1 d"])
        try run(["plain", "--set", "warmup=1 d"])
        let baseline: Substring = "jetsam+opportunistic"
        for table in ["events", "device_hours"] {
            let past = try lines(laboratory, "forked/\(table).csv", ofPast: true)
            let own = try #require(past[baseline])
            #expect(past.count == 3 && past.values.allSatisfy { $0 == own } && own.count > 40)
            let plain = try lines(laboratory, "plain/\(table).csv")
            let forked = try lines(laboratory, "forked/\(table).csv")
            #expect(forked[baseline] == plain[baseline])
            #expect(forked["lru+opportunistic"] != forked[baseline])
            #expect(forked["lru+opportunistic"] != plain["lru+opportunistic"])
        }
        // What is measured begins with the change, and is a number of the events after it.
        let (forked, plain) = (try lines(laboratory, "forked/runs.csv"), try lines(laboratory, "plain/runs.csv"))
        #expect(forked[baseline] == plain[baseline] && forked["random+opportunistic"] != plain["random+opportunistic"])
        // Another instant makes other runs, which the directory takes in their stead.
        try run(["forked", "--set", "policies_from=26 h"])
        #expect(try lines(laboratory, "forked/runs.csv")["lru+opportunistic"] != forked["lru+opportunistic"])
        #expect(try laboratory.run("repeat", "forked", "--sample", "100 %").code == 0)
    }

    @Test func `a run goes on under another policy from an instant on`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1, tables: "[runs]")
        let words = ["run", "small.yaml", "--set", "device.memory.ram=3 GiB", "-o"]
        #expect(try laboratory.start(words + ["plain"]).ending().code == 0)
        #expect(try laboratory.start(words + ["forked", "--set", "policies_from=1 d"]).ending().code == 0)
        let ending = try laboratory.run(
            "repeat", "plain#jetsam/0", "--policy", "lru", "--at", "1d00:00", "--json")
        #expect(ending.code == 0, "\(ending.errors)")
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(ending.out.utf8)) as? [String: Any])
        #expect(json["days"] as? Double == 1 && json["continued_under"] as? String == "lru+opportunistic")
        // It is the run that the experiment has with the same past.
        let rows = try laboratory.text("forked/runs.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let metrics = try #require(json["metrics"] as? [[String: Any]])
        var differing = 0
        for metric in metrics {
            let name = try #require(metric["metric"] as? String)
            let column = try #require(rows[0].firstIndex(of: name))
            // Foundation reads the last digit of a number in JSON otherwise than Swift does.
            for (key, row) in [("original", rows[1]), ("continued", rows[2])] {
                let (found, written) = (metric[key] as? Double, Double(row[column]))
                #expect(abs((found ?? 0) - (written ?? 0)) <= 1e-14 * abs(written ?? 0), "\(name) \(key)")
                #expect((found == nil) == (written == nil), "\(name) \(key)")
            }
            differing += rows[1][column] == rows[2][column] ? 0 : 1
        }
        #expect(metrics.count > 150 && differing > 30)
        let told = try laboratory.run("repeat", "plain#jetsam/0", "--policy", "lru", "--at", "1d00:00").out
        #expect(told.contains("under jetsam+opportunistic, compared with a run that changes to lru+opportunistic at "))
        #expect(told.contains("at 1d00:00:00; the figures cover the 1 days after the change"))
        #expect(told.contains("relaunches_per_day"))
        for (options, error) in [
            (["--policy", "lru"], "--at needs --policy"),
            (["--policy", "lru", "--spare", "mail", "--at", "1d00:00"], "one change at a time"),
            (["--policy", "lru", "--at", "2d00:00"], "the run begins at 0d00:00:00 and ends at 2d00:00:00"),
            (["--policy", "nobody", "--at", "1d00:00"], "nobody"),
        ] {
            let wrong = try laboratory.start(["repeat", "plain#jetsam/0"] + options).ending()
            #expect(wrong.code == 1 && wrong.errors.contains(error), "\(wrong.errors)")
        }
    }
}
