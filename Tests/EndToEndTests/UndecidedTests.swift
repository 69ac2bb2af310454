// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// What is said where the eviction policies of an experiment cannot decide.
@Suite struct UndecidedTests {
    /// What `check` and `run` print of the small experiment on a device, with policies.
    private static func printed(
        _ device: String, policies: String = "{eviction: [jetsam, lru], scheduling: [opportunistic]}"
    ) throws -> (check: String, run: String) {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 2, tables: "[runs]")
        let file = laboratory.folder.appendingPathComponent("small.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
            .replacing("{base: iphone-13, os: ios-17}", with: device)
            .replacing("{eviction: [jetsam, lru], scheduling: [opportunistic]}", with: policies)
        try text.write(to: file, atomically: true, encoding: .utf8)
        let check = try laboratory.run("check", "small.yaml")
        let run = try laboratory.run("run", "small.yaml", "-o", "out")
        #expect(check.code == 0 && run.code == 0, "\(check.errors)\(run.errors)")
        return (check.out + check.errors, run.out + run.errors)
    }

    @Test func `a system with a reaper is named before any run and after`() throws {
        let (check, run) = try Self.printed("{base: iphone-13, os: ios-18.5, memory: {ram: 6 GiB}}")
        #expect(check.contains("the reaper of this system kills long-idle processes before"))
        #expect(run.contains("note: the eviction policies cannot decide much: a policy chose the victim of at most "))
        let flat = run.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
        let trust = try #require(flat.firstMatch(of: #/Trust: (.*) Next: /#)).1
        #expect(trust.hasSuffix("; eviction decides little") && trust.split(separator: " ").count <= 25, "\(trust)")
        #expect(flat.contains("(policy_decided_kill_share, kills_long_idle_exit_per_day"), "\(run)")
        #expect(
            flat.contains(
                "A system without a reaper (device: {os: ios-18}) or less memory gives the policies more choice."))
        #expect(flat.contains("With \"policies: {reaper: policy}\", they also rank the victims of the reaper."))
        #expect(!run.contains("kills_..."))
        let ranked = try Self.printed(
            "{base: iphone-13, os: ios-18.5, memory: {ram: 6 GiB}}",
            policies: "{eviction: [jetsam, largest-first], scheduling: [opportunistic], reaper: policy}")
        #expect(!ranked.run.contains("cannot decide much") && !ranked.check.contains("the reaper of this system"))
        #expect(ranked.run.contains("largest-first[reaper=policy]+opportunistic"))
    }

    @Test func `a phone on which nobody is killed leaves nothing to decide`() throws {
        let roomy = "{base: iphone-13, os: ios-17, memory: {ram: 64 GiB}, daemons: {populated: false}}"
        #expect(
            try Self.printed(roomy).run.contains("note: the eviction policies have nothing to decide: no process is"))
        // One eviction policy is no comparison of them.
        let alone = "{eviction: [jetsam], scheduling: [opportunistic, never]}"
        #expect(try !Self.printed(roomy, policies: alone).run.contains("nothing to decide"))
    }

    @Test func `where policies choose nearly all victims nothing is said`() throws {
        let (check, run) = try Self.printed("{base: iphone-13, os: ios-17, memory: {ram: 3 GiB}}")
        #expect(!check.contains("reaper"))
        #expect(!run.contains("cannot decide") && !run.contains("nothing to decide"))
    }
}
