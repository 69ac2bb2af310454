// SPDX-License-Identifier: GPL-3.0-or-later
import Testing
import Vocabulary

@testable import Scenario

/// Every parameter of every policy that is shipped is changed, and a run has to change with it.
@Suite struct PolicyKeyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let kind: String
        let policy: String
        let parameter: PolicyParameter
        /// Whether the policy ranks apps only, so that it decides less.
        var meansApps = false

        var testDescription: String { "\(policy)[\(parameter.name)]" }

        /// Other legal values, as an experiment writes them.
        var values: [String] {
            if case .choice(let words) = parameter.dimension { return words }
            let (low, high) = (parameter.range.lowerBound, parameter.range.upperBound)
            let usual = parameter.defaultValue
            return [2 * usual, usual / 2, usual / 10, 1.3 * usual, 10 * usual, low, high].filter {
                parameter.range.contains($0) && $0 != usual
            }.map { parameter.dimension == .fraction ? "\(100 * $0) %" : "\($0)\(unit)" }
        }

        private var unit: String {
            switch parameter.dimension {
            case .number, .fraction, .choice: ""
            case .duration: "s"
            case .energy: "J"
            case .power: "W"
            case .bytes: "B"
            }
        }
    }

    static let all: [Case] =
        PolicyCatalog.builtIn.eviction.flatMap { entry in
            entry.descriptor.parameters.map {
                Case(
                    kind: "eviction", policy: entry.descriptor.name, parameter: $0,
                    meansApps: entry.descriptor.meansApps)
            }
        }
        + PolicyCatalog.builtIn.scheduling.flatMap { entry in
            entry.descriptor.parameters.map { Case(kind: "scheduling", policy: entry.descriptor.name, parameter: $0) }
        }

    private static let crowded = ["device.os=ios-17", "apps.count=100"]

    /// What parameters need that do not act in the plain run.
    private static let conditions: [String: [String]] = [
        // A battery that runs low.
        "opportunistic[critical-level]": KeyConditions.drained, "six-checks[battery]": KeyConditions.drained,
        // A user who is often away, so that launches are held back.
        "opportunistic[weight-herd]": ["device.background.long_absence=10 min"],
        // Work enough for several launches at once.
        "opportunistic[weight-group]": ["apps.count=200", "device.background.energy_budget=1000000"],
        // Launches that cost other energies than times.
        "gdsf[cost]": ["device.storage.read_per_megabyte=1 J"],
        // No reaper, which would leave little to the policy, and more apps than memory holds.
        "android-ranker[size]": crowded, "android-ranker[recency]": crowded, "android-ranker[uses]": crowded,
        "android-ranker[oldest]": crowded, "android-ranker[spared]": crowded,
    ]

    /// What parameters need beside them in the brackets that do not act alone.
    private static let beside: [String: String] = [
        "lmkd[partial-stall]": "events=stalls", "lmkd[complete-stall]": "events=stalls",
        "lmkd[read-rate]": "events=stalls", "lmkd[compress-rate]": "events=stalls",
        "lmkd[full-share]": "events=stalls", "lmkd[stall-critical]": "events=stalls",
        "lmkd[filecache-min]": "thrashing-limit=1 %", "lmkd[critical-thrashing]": "thrashing-limit=1 %",
        "lmkd[thrashing-decay]": "thrashing-limit=1 %", "lmkd[kill-timeout]": "death-time=300 ms",
    ]

    @Test(arguments: KeyRun.sample(all))
    func `another value of the parameter changes a run`(_ one: Case) throws {
        let settings = Self.conditions[one.testDescription] ?? (one.meansApps ? Self.crowded : [])
        func print(_ word: String) throws -> [UInt64] {
            try KeyRun.print(settings + ["policies.\(one.kind)=[\"\(word)\"]"])
        }
        let others = Self.beside[one.testDescription].map { [$0] } ?? []
        func word(_ words: [String]) -> String {
            words.isEmpty ? one.policy : "\(one.policy)[\(words.joined(separator: ","))]"
        }
        let before = try print(word(others))
        let acts = try one.values.contains { try print(word(others + ["\(one.parameter.name)=\($0)"])) != before }
        #expect(acts, "no value of \(one.values) changed a run")
    }

    @Test func `there are as many parameters as the list of policies shows`() {
        #expect(Self.all.count == 107)
        #expect(Set(Self.all.map(\.testDescription)).isSuperset(of: Self.conditions.keys))
    }
}
