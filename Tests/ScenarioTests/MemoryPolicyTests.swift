// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import PhoneCore
import Processes
import Testing

@testable import Scenario

/// What an experiment may say of policies beside eviction and scheduling.
@Suite struct MemoryPolicyTests {
    private static func policies(_ text: String, baseline: String? = nil) throws -> Experiment {
        let lines = sample.split(separator: "\n").filter { !$0.hasPrefix("  ") && !$0.hasPrefix("policies") }
        let kept = lines.filter { !$0.hasPrefix("baseline") }.joined(separator: "\n")
        return try load(kept + "\npolicies: \(text)\n" + (baseline.map { "baseline: \($0)\n" } ?? ""))
    }

    private static func problem(_ text: String, baseline: String? = nil) -> String {
        do {
            _ = try policies(text, baseline: baseline)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test func `every combination is a policy, named after what it says`() throws {
        let experiment = try Self.policies(
            "{eviction: [jetsam, lru], scheduling: never, prelaunch: [never, oracle], freezing: none}",
            baseline: "{eviction: lru, scheduling: never, prelaunch: oracle}")
        #expect(
            experiment.policies.map(\.name) == [
                "jetsam+never+prelaunch=never+freezing=none", "jetsam+never+prelaunch=oracle+freezing=none",
                "lru+never+prelaunch=never+freezing=none", "lru+never+prelaunch=oracle+freezing=none",
            ])
        #expect(experiment.baselineIndex == 3)
        #expect(experiment.policies.map(\.isOracle) == [false, true, false, true])
        let runs = (0..<4).map { experiment.specification(point: 0, policy: $0, replication: 0) }
        #expect(runs.map(\.device.prewarm.choice) == [.never, .oracle, .never, .oracle])
        #expect(runs.map(\.readsFuture) == [false, true, false, true])
        #expect(runs.allSatisfy { $0.freezing == .none && !$0.ranksAppsOnly })
    }

    @Test func `what is left out is the device's`() throws {
        let run = try Self.policies("{eviction: jetsam, scheduling: never}")
            .specification(point: 0, policy: 0, replication: 0)
        #expect(run.device.prewarm.choice == .likely && run.freezing == .system)
        guard case .longestSuspended = run.compression else { return #expect(Bool(false), "\(run.compression)") }
    }

    @Test func `policies for apps say so in their text, and are found by the words of the file`() throws {
        let experiment = try Self.policies(
            #"{eviction: [jetsam, "gdsf[cost=launch-energy]"], scheduling: never, ranks: apps}"#,
            baseline: #"{eviction: "gdsf[cost=launch-energy]", scheduling: never}"#)
        #expect(
            experiment.policies.map(\.name) == [
                "jetsam[ranks=apps]+never", "gdsf[cost=launch-energy,ranks=apps]+never",
            ])
        #expect(experiment.baselineIndex == 1)
        #expect(experiment.specification(point: 0, policy: 0, replication: 0).ranksAppsOnly)
        let pairs = try Self.policies(
            "[{eviction: lru, scheduling: never, ranks: apps}, {eviction: lru, scheduling: never, swap: none}]")
        #expect(pairs.policies.map(\.name) == ["lru[ranks=apps]+never", "lru+never+swap=none"])
        #expect(
            (0..<2).map { pairs.specification(point: 0, policy: $0, replication: 0).ranksAppsOnly } == [true, false])
    }

    @Test func `words that are none are answered with the nearest, and a trigger of its own with a reason`() {
        for (text, answer) in [
            ("{eviction: jetsam, scheduling: never, ranks: app}", #"did you mean "apps"?"#),
            ("{eviction: jetsam, scheduling: never, freezing: [systm]}", #"did you mean "system"?"#),
            ("{eviction: jetsam, scheduling: never, swap: likely}", "unknown choice of swap"),
            ("{eviction: jetsam, scheduling: never, prelaunch: orcle}", #"did you mean "oracle"?"#),
            (
                "{eviction: lmkd, scheduling: never, ranks: apps}",
                "lmkd itself decides when to kill, and ranks all processes"
            ),
        ] {
            #expect(Self.problem(text).contains(answer), "\(Self.problem(text))")
        }
        let pair = "{eviction: jetsam, scheduling: never"
        #expect(
            Self.problem(pair + "}", baseline: pair + ", swap: none}")
                .contains(#"the baseline "jetsam+never+swap=none" is not among the policies"#))
    }

    private static let crowded = ["device.os=ios-17", "apps.count=100", "policies.eviction=[lru]"]

    @Test(arguments: [
        ("ranks", "apps"), ("prelaunch", "[worth]"), ("freezing", "[none]"), ("freezing", "[refaulting]"),
        ("swap", "[none]"), ("swap", "[least-likely]"), ("swap", "[cold-first]"), ("reaper", "policy"),
        ("swap", "[largest-first]"), ("freezing", "[largest-first]"), ("prelaunch", "[lfu]"), ("prelaunch", "[files]"),
    ])
    func `each kind changes a run, and the system's own word none`(key: String, value: String) throws {
        // Only later systems have a reaper.
        let phone = Self.crowded + (key == "reaper" ? ["device.os=ios-18.5"] : [])
        let before = try KeyRun.print(phone)
        #expect(try KeyRun.print(phone + ["policies.\(key)=\(value)"]) != before)
        let own = [
            "ranks": "all", "reaper": "system", "prelaunch": "[likely]", "freezing": "[system]", "swap": "[system]",
        ]
        #expect(try KeyRun.print(phone + ["policies.\(key)=\(own[key] ?? "")"]) == before)
    }

    @Test(arguments: [("swap", "least-likely", "predicted"), ("freezing", "system", "jetsam")])
    func `a policy that ranks as a word does gives the word's run`(key: String, word: String, policy: String) throws {
        let found = try [word, policy].map { try KeyRun.print(Self.crowded + ["policies.\(key)=[\($0)]"]) }
        #expect(found[0] == found[1])
    }

    @Test func `eviction policies rank other decisions, with parameters and by the names that the results have`() throws
    {
        let experiment = try Self.policies(
            #"{eviction: lru, scheduling: never, swap: [system, "lfu[half-life=1d]"], prelaunch: belady}"#,
            baseline: #"{eviction: lru, scheduling: never, swap: "lfu[half-life=1d]"}"#)
        #expect(
            experiment.policies.map(\.name) == [
                "lru+never+prelaunch=belady+swap=system", "lru+never+prelaunch=belady+swap=lfu[half-life=1d]",
            ])
        #expect(experiment.baselineIndex == 1 && experiment.policies.allSatisfy(\.isOracle))
        let run = experiment.specification(point: 0, policy: 1, replication: 0)
        #expect(run.readsFuture && run.rankings.freezing == nil)
        #expect((run.rankings.swap?(1)).map { "\(type(of: $0))" } == "LeastFrequentlyUsed")
        #expect((run.rankings.prelaunch?(1)).map { "\(type(of: $0))" } == "Belady")
        #expect(
            Self.problem(#"{eviction: lru, scheduling: never, swap: "lfu[halflife=1d]"}"#)
                .contains(#"did you mean "half-life"?"#))
    }

    @Test func `orders that rank other processes are not compared without a word`() throws {
        func cautions(_ evictions: String, _ ranks: String = "") throws -> [String] {
            try Self.policies("{eviction: [\(evictions)], scheduling: never\(ranks)}").cautions
                .filter { $0.contains("rank the same processes") }
        }
        #expect(try cautions("lru, arc").first?.hasPrefix("arc ranks only apps, but lru also ranks daemons") == true)
        #expect(try cautions("jetsam, arc").isEmpty && cautions("lru, gdsf").isEmpty)
        #expect(try cautions("lru, arc", ", ranks: apps").isEmpty && cautions("lru, arc", ", ranks: all").isEmpty)
        let names = try Self.policies("{eviction: [lru, arc], scheduling: never, ranks: all}").policies.map(\.name)
        #expect(names == ["lru+never", "arc[ranks=all]+never"])
    }
}
