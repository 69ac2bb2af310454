// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Experiments
import ForeignPolicies
import Quantities
import Scenario
import Vocabulary

extension ReaderTarget {
    /// The readers of words on the command line and of lines that policies write.
    static let words: [ReaderTarget] = [
        ReaderTarget("quantity", texts: ["4 GiB", "-3.5e2 mW", "12 %", "15min", "80 Mbit/s", "1 d"], longest: 256) {
            let text = try $0.text("quantity")
            for dimension in Dimension.allCases {
                guard let value = try? UnitText.parse(text, as: dimension) else { continue }
                let again = UnitText.format(value, as: dimension)
                precondition((try? UnitText.parse(again, as: dimension)) != nil, "\(again) cannot be read again")
            }
        },
        ReaderTarget(
            "where", texts: ["policy == lru+immediate && replication < 10", "device.memory.ram >= 4 GiB || run == 7"],
            longest: 512
        ) { bytes in
            let condition = try RunCondition(bytes.text("--where"))
            _ = try RunSelection.meeting(condition).runs(of: plan)
        },
        ReaderTarget("runs", texts: ["3,7-9", "1 2\n3-3"], longest: 512) { bytes in
            let text = try bytes.text("--runs")
            _ = RunSelection(shard: text)
            guard !text.contains("/") else { return }
            _ = try RunSelection(runs: text).runs(of: plan)
        },
        ReaderTarget(
            "gate",
            texts: [
                "relaunches_per_day(lru+immediate) <= 12",
                "relaunches_per_day(jetsam+immediate) - relaunches_per_day(lru+immediate) <= 2 %",
            ], longest: 512
        ) { _ = try Gate($0.text("--fail-if"), plan: plan) },
        ReaderTarget(
            "policy", texts: ["jetsam", "lmkd[mode=minfree]", "gdsf[cost=energy,ranks=apps]", "periodic[every=15min]"],
            longest: 512
        ) { bytes in
            let text = try bytes.text("--policy")
            // Code of strangers is started only where a user names it; this is a user who does not.
            guard !text.contains("/"), !text.hasPrefix("{") else { return }
            _ = try PolicyCatalog.builtIn.eviction(reading: text, option: "--policy")
        },
        ReaderTarget(
            "policy-greeting",
            texts: [
                #"{"name": "mine", "parameters": [{"name": "alpha", "dimension": "number", "range": [0, 1], "#
                    + #""default": 0.5}], "hears": ["open"], "rules": [{"name": "later", "sentence": "It waits."}], "#
                    + #""needs": ["apps"], "is_oracle": false, "rank_lifetime": 5}"#
            ], longest: 2048
        ) { try readGreeting($0.text("answer")) },
        ReaderTarget(
            "policy-answer",
            texts: [#"{"ranks": [1, 2.5, -0, 1e3]}"#, #"{"decisions": [{"run": 3}, {"wait": "later"}]}"#], longest: 2048
        ) { bytes in
            let nodes = try JSONText.parse(SourceText(name: "answer", text: bytes.text("answer"))).get()
            for node in nodes { for item in node["ranks"]?.items ?? [] { _ = item.scalar } }
        },
    ]
}
