// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Designs, selections, pilots and the study of coverage, by the built program.
@Suite struct DesignTests {
    #if DEBUG
        private static let isQuick = false
    #else
        private static let isQuick = true
    #endif

    @Test func `a pilot prints each day and advises a warm-up, and says when the experiment's is too short`() throws {
        let laboratory = try Laboratory()
        try laboratory.write()
        let pilot = try laboratory.run("check", "--plan", "small.yaml", "--warmup", "5 d")
        #expect(pilot.code == 0, "\(pilot.errors)")
        let lines = pilot.out.split(separator: "\n").map(String.init)
        #expect(lines[0] == "relaunches_per_day by day, mean of a pilot of 5 replications without a warm-up")
        #expect(lines[1].split(separator: " ").map(String.init) == ["day", "1", "2", "3", "4", "5", "MSER", "cuts"])
        #expect(lines[2].hasPrefix("jetsam ") && lines[3].hasPrefix("lru minus jetsam "))
        #expect(pilot.out.contains("MSER advises") && pilot.out.contains("The experiment's warm-up of 0.5 d is"))
        let short = try laboratory.run("check", "--plan", "small.yaml", "--warmup", "2 d")
        #expect(short.code == 1 && short.errors.contains("--warmup expects the length of a pilot, 4 d to 1000 d"))
    }

    @Test func `a selection drops policies, says so and leaves their runs out`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(
            eviction: "[jetsam, lru, largest-first]", replications: 9, duration: "1 d", tables: "[runs]")
        let run = try laboratory.run(
            "run", "small.yaml", "--set", "select={indifference: 30 %, first: 5}", "--set", "device.memory.ram=2 GiB")
        #expect(run.code == 0, "\(run.errors)")
        let text = run.out.split(separator: "\n").joined(separator: " ")
        #expect(
            text.contains("is selected: it is the best, or within 30 %") || text.contains("no policy is selected yet;"))
        let rows = try laboratory.text("results/small/selection.csv").split(separator: "\n")
        #expect(rows.count == 4 && rows[0] == "metric,policy,outcome,replications,mean,eliminated_by,indifference")
        let lines = try laboratory.text("results/small/runs.csv").split(separator: "\n")
        let table = lines.map { $0.split(separator: ",") }
        let runs = table.count - 1
        // Left out is what other policies did not do of the replications that the last one of all got.
        let column = try #require(table[0].firstIndex(of: "replication"))
        let left = 3 * (try #require(table.dropFirst().compactMap { Int($0[column]) }.max()) + 1) - runs
        #expect(left >= 0 && run.out.contains(left == 1 ? "\n1 run omitted" : "\n\(left) runs omitted"))
        let status = try laboratory.run("run", "--status", "results/small")
        #expect(status.out.hasPrefix("small: \(runs) runs: \(runs) done, 0 failed, 0 missing"))
    }

    @Test func `a selection over exec and merge leaves out the same runs, round by round`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(
            eviction: "[jetsam, lru, largest-first]", replications: 8, duration: "1 d", tables: "[runs]")
        let settings = ["--set", "select={indifference: 15 %, first: 5}", "--set", "device.memory.ram=3 GiB"]
        #expect(try laboratory.start(["run", "small.yaml", "-o", "a", "--quiet"] + settings).ending().code == 0)
        #expect(try laboratory.start(["cluster", "init", "small.yaml", "-o", "b"] + settings).ending().code == 0)
        var asked: [Int] = []
        for _ in 0..<6 {
            let done = try laboratory.run("cluster", "exec", "b")
            #expect(done.code == 0, "\(done.errors)")
            asked.append(try #require(done.out.split(separator: " ").dropFirst().first.flatMap { Int($0) }))
            // Until nothing is left to do, merge names the runs of the next round.
            if try laboratory.run("cluster", "merge", "b", "--quiet").code == 0 { break }
        }
        for name in ["runs", "selection", "comparisons"] {
            #expect(try laboratory.bytes("a/\(name).csv") == laboratory.bytes("b/\(name).csv"), "\(name)")
        }
        // Five replications of three policies, one more of each, then of the two that are left only.
        #expect(asked == [15, 18, 20, 22])
    }

    @Test func `a design is planned, run and told by axis, and its points are left out where they do not matter`()
        throws
    {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 2, duration: "1 d", tables: "[runs]")
        let design = "sweep={mode: morris, count: 2, ranges: {device.memory.ram: [2 GiB, 4 GiB], apps.count: [20, 60]}}"
        let run = try laboratory.run("run", "small.yaml", "--set", design)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.out.contains("6 rows of mode morris") && run.out.contains("mu_star"))
        let rows = try laboratory.text("results/small/sensitivity.csv").split(separator: "\n")
        #expect(rows[0] == "metric,baseline,policy,axis,measure,value,low,high,n")
        #expect(
            rows.contains { $0.hasPrefix("relaunches_per_day,jetsam+opportunistic,lru+opportunistic,apps.count,mu,") })
        let columns = try laboratory.text("results/small/columns.csv")
        #expect(columns.contains("runs,device.memory.ram,GiB,value of a swept axis"))
    }

    @Test func `a named baseline of a sweep is what compare tells the other points against`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(eviction: "[jetsam]", replications: 6, duration: "1 d", tables: "[runs]")
        let sweep = "sweep={axes: {device.os: [ios-18.5, android-15]}, baseline: {device.os: ios-18.5}}"
        let run = try laboratory.run("run", "small.yaml", "--set", sweep)
        #expect(run.code == 0, "\(run.errors)")
        let heading = "\ncompared with the same policy at device.os = ios-18.5, relaunches_per_day"
        let start = try #require(run.out.range(of: heading)).lowerBound
        let lines = run.out[start...].split(separator: "\n").map(String.init)
        #expect(lines[1].split(separator: " ") == ["at", "policy", "difference", "relative", "verdict"])
        let rows = try laboratory.text("results/small/sweep_comparisons.csv").split(separator: "\n")
        let first = try #require(rows.first { $0.hasPrefix("relaunches_per_day,") })
        let row = first.split(separator: ",").map(String.init)
        #expect(row[1...3] == ["jetsam+opportunistic", "ios-18.5", "android-15"])
        let difference = try #require(Double(row[4]))
        #expect(lines[2].hasPrefix("device.os = android-15  jetsam+opportunistic"))
        let printed = try #require(lines[2].split(separator: " ").dropFirst(4).first.flatMap { Double($0) })
        #expect(abs(printed - difference) <= 0.01 * abs(difference))
        #expect(!run.out.contains("compared with the same policy at device.memory"))
    }

    /// The small form of the study in docs/statistics.md.
    @Test(.enabled(if: isQuick, "240 runs take minutes without optimisation"))
    func `intervals from ten replications hold what 120 found, in most groups`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 120, duration: "36 h", tables: "[runs]")
        #expect(try laboratory.run("run", "small.yaml", "--quiet", "--set", "device.memory.ram=2 GiB").code == 0)
        let study = try laboratory.run("lab", "coverage", "results/small", "--group", "10")
        #expect(
            study.code == 0 && study.out.hasPrefix("small: 120 replications in groups of 10, paired against jetsam"))
        let all = try #require(study.out.split(separator: "\n").first { $0.hasPrefix("all ") })
        // Of all intervals of all metrics; 91.8 % in the study of 580 replications.
        let cells = all.split(separator: " ").filter { $0 != "%" }
        let coverage = try #require(Double(cells[3]))
        #expect(coverage > 80 && coverage < 99.5, "\(all)")
        let json = try laboratory.run("lab", "coverage", "results/small", "--group", "10", "--json").out
        let held = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let classes = try #require(held["classes"] as? [[String: Any]])
        #expect(abs((classes.last?["coverage"] as? Double ?? 0) * 100 - coverage) < 0.06)
        let without = try #require(held["without_value"] as? [[String: Any]])
        #expect(without.isEmpty != study.out.contains("\npairs without a value, which are left out of all groups\n"))
        let few = try laboratory.run("lab", "coverage", "results/small", "--group", "61")
        #expect(few.code == 1 && few.errors.contains("groups of 61 need 122 replications or more"))
    }
}
