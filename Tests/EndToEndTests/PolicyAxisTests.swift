// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Parameters of policies as axes of a sweep.
@Suite(.serialized) struct PolicyAxisTests {
    private static func text(_ policies: String, _ sweep: String = "") -> String {
        """
        schema: 1
        name: knob
        seed: 5
        start: 2026-03-02 00:00
        duration: 2 d
        warmup: 1 d
        replications: 2
        device: iphone-13
        apps: {catalog: everyday, count: 20}
        user: {persona: average}
        policies: \(policies)
        metrics: {primary: energy_wh_per_day}
        \(sweep)
        """
    }

    private func write(_ name: String, _ text: String, _ laboratory: Laboratory) throws {
        try text.write(to: laboratory.folder.appending(path: name), atomically: true, encoding: .utf8)
    }

    /// A column of `runs.csv`, by the values of others.
    private func rows(_ laboratory: Laboratory, _ folder: String) throws -> [[String: String]] {
        let lines = try laboratory.text("\(folder)/runs.csv").split(separator: "\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
    }

    @Test func `a swept parameter gives the runs of a policy that states it, and a column of numbers`() throws {
        let laboratory = try Laboratory()
        let both = "{eviction: jetsam, scheduling: [immediate, lyapunov]}"
        try write("swept.yaml", Self.text(both, "sweep: {axes: {policies.scheduling.v: [30, 3000]}}"), laboratory)
        let stated = "{eviction: jetsam, scheduling: [immediate, \"lyapunov[v=30]\", \"lyapunov[v=3000]\"]}"
        try write("stated.yaml", Self.text(stated), laboratory)
        for name in ["swept", "stated"] {
            let ending = try laboratory.run("run", "\(name).yaml", "-o", name, "-q", "-j", "2")
            #expect(ending.code == 0, "\(ending.errors)")
        }
        let (swept, named) = (try rows(laboratory, "swept"), try rows(laboratory, "stated"))
        #expect(swept.count == 8 && named.count == 6)
        for row in swept {
            let value = try #require(row["policies.scheduling.v"])
            let policy = row["scheduling"] == "immediate" ? "immediate" : "lyapunov[v=\(value)]"
            let same = try #require(
                named.first { $0["scheduling"] == policy && $0["replication"] == row["replication"] })
            #expect(row["fingerprint"] == same["fingerprint"], "\(policy)")
        }
        #expect(Set(swept.compactMap { $0["policies.scheduling.v"] }) == ["30", "3000"])
        #expect(Set(swept.compactMap { $0["token"] }).count == 8)
        let patient = swept.filter { $0["scheduling"] == "lyapunov" }.compactMap { $0["fingerprint"] }
        #expect(Set(patient).count == 4, "the knob changes the runs")
        #expect(try laboratory.run("repeat", "swept", "--sample", "100 %").code == 0)
        let compared = try laboratory.run("compare", "swept").out
        #expect(compared.contains("along policies.scheduling.v, change of energy_wh_per_day"), "\(compared)")
    }

    @Test func `what cannot be swept is told, with what can`() throws {
        let laboratory = try Laboratory()
        let policies = "{eviction: jetsam, scheduling: [opportunistic, \"lyapunov[run=2J]\"]}"
        for (sweep, error, hint) in [
            (
                "policies.scheduling.w: [1, 2]", "none of the scheduling policies has a parameter \"w\"",
                "did you mean \"v\"?"
            ),
            ("policies.eviction.v: [1, 2]", "none of the eviction policies has a parameter \"v\"", ""),
            ("policies.scheduling.run: [1 J, 3 J]", "lyapunov[run=2J] already sets run", "leave it out"),
            ("policies.scheduling.v: [-1, 2]", "expected a value from 0 to 1000000000, found \"-1\"", ""),
            (
                "policies.scheduling: [a, b]",
                "a sweep can change device, apps, user, app and the parameters of policies, but not",
                "policies.scheduling.NAME"
            ),
        ] {
            try write("wrong.yaml", Self.text(policies, "sweep: {axes: {\(sweep)}}"), laboratory)
            let ending = try laboratory.run("check", "wrong.yaml")
            #expect(ending.code == 1 && ending.errors.contains(error), "\(sweep): \(ending.errors)")
            #expect(hint.isEmpty || ending.errors.contains(hint), "\(sweep): \(ending.errors)")
        }
    }
}
