// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Phone
import Vocabulary

extension ExperimentLoader {
    /// Reads `policies:` and `baseline:`; nil when something is wrong with them.
    func readPolicies(_ map: MapReader) -> (pairs: [PolicyPair], baseline: Int)? {
        let baseline = map.cursor("baseline")
        guard let cursor = map.cursor("policies") else {
            map.cursor.fail(
                "the key \"policies\" is missing",
                hint: "for instance \"policies: {eviction: [jetsam, lru], scheduling: [opportunistic]}\"")
            return nil
        }
        guard let pairs = cursor.node.items != nil ? readList(cursor) : readProduct(cursor) else { return nil }
        guard !pairs.isEmpty else {
            cursor.expected("at least one pair of policies")
            return nil
        }
        var names: Set<String> = []
        for pair in pairs where !names.insert(pair.name).inserted {
            cursor.fail(
                "the policies \"\(pair.name)\" are here twice",
                hint: "in the form of a list each pair may have a name of its own")
            return nil
        }
        guard let baseline else { return (pairs, 0) }
        return readBaseline(baseline, among: pairs).map { (pairs, $0) }
    }

    private var evictionReader: PolicyTextReader {
        PolicyTextReader(
            kind: "eviction policy", descriptors: catalog.eviction.map(\.descriptor),
            others: ("scheduling policy", catalog.scheduling.map(\.descriptor.name)),
            foreign: ForeignReader(folder: trees.folder) { code, cursor in
                self.find(code, cursor, in: \.foreignEvictions) { source, code throws(ForeignPolicyError) in
                    try source.eviction(code)
                }.map { ($0.entry.descriptor, $0.checksum) }
            })
    }

    private var schedulingReader: PolicyTextReader {
        PolicyTextReader(
            kind: "scheduling policy", descriptors: catalog.scheduling.map(\.descriptor),
            others: ("eviction policy", catalog.eviction.map(\.descriptor.name)),
            foreign: ForeignReader(folder: trees.folder) { code, cursor in
                self.find(code, cursor, in: \.foreignSchedulings) { source, code throws(ForeignPolicyError) in
                    try source.scheduling(code)
                }.map { ($0.entry.descriptor, $0.checksum) }
            })
    }

    /// The policy of foreign code, asked for once; reports why there is none.
    private func find<Entry>(
        _ code: ForeignCode, _ cursor: Cursor,
        in known: ReferenceWritableKeyPath<ExperimentLoader, [ForeignCode: ForeignPolicy<Entry>]>,
        _ make: (any ForeignPolicySource, ForeignCode) throws(ForeignPolicyError) -> ForeignPolicy<Entry>
    ) -> ForeignPolicy<Entry>? {
        if let policy = self[keyPath: known][code] { return policy }
        let policy = catalog.make(code, cursor, make)
        self[keyPath: known][code] = policy
        return policy
    }

    /// The files of foreign code.
    var foreignFiles: [String] {
        let files = foreignEvictions.values.flatMap(\.files) + foreignSchedulings.values.flatMap(\.files)
        return Set(files).sorted()
    }

    private func readProduct(_ cursor: Cursor) -> [PolicyPair]? {
        let map = MapReader(cursor, expected: "a map of eviction and scheduling, or a list of pairs")
        let eviction = ValueReader<[PolicyChoice]>.list(
            of: ValueReader(example: "jetsam", evictionReader.read), orSingle: true)
        let scheduling = ValueReader<[PolicyChoice]>.list(
            of: ValueReader(example: "opportunistic", schedulingReader.read), orSingle: true)
        let evictions = map.required("eviction", eviction)
        let schedulings = map.required("scheduling", scheduling)
        map.finish()
        guard let evictions, let schedulings else { return nil }
        return evictions.flatMap { first in schedulings.compactMap { pair(first, $0, name: nil) } }
    }

    private func readList(_ cursor: Cursor) -> [PolicyPair]? {
        let reader = ValueReader<PolicyPair>(example: "{eviction: jetsam, scheduling: opportunistic}") { item in
            let map = MapReader(item, expected: "a pair such as {eviction: jetsam, scheduling: opportunistic}")
            let name = map.optional("name", .text)
            let eviction = map.required("eviction", ValueReader(example: "jetsam", self.evictionReader.read))
            let scheduling = map.required(
                "scheduling", ValueReader(example: "opportunistic", self.schedulingReader.read))
            map.finish()
            guard let eviction, let scheduling else { return nil }
            return self.pair(eviction, scheduling, name: name)
        }
        return ValueReader<[PolicyPair]>.list(of: reader).read(cursor)
    }

    private func pair(_ eviction: PolicyChoice, _ scheduling: PolicyChoice, name: String?) -> PolicyPair? {
        let foreignEviction = eviction.code.flatMap { foreignEvictions[$0]?.entry }
        let foreignScheduling = scheduling.code.flatMap { foreignSchedulings[$0]?.entry }
        guard let first = foreignEviction ?? catalog.eviction(named: eviction.name),
            let second = foreignScheduling ?? catalog.scheduling(named: scheduling.name)
        else { return nil }
        return PolicyPair(
            name: name ?? "\(eviction.text)+\(scheduling.text)", eviction: eviction, scheduling: scheduling,
            makeEviction: { first.make(PolicyArguments(values: eviction.values, seed: $0)) },
            makeScheduling: { second.make(PolicyArguments(values: scheduling.values, seed: $0)) },
            schedulingRules: second.descriptor.rules,
            isOracle: first.descriptor.isOracle || second.descriptor.isOracle,
            replacesTrigger: first.descriptor.replacesTrigger || second.descriptor.replacesTrigger,
            needs: first.descriptor.needs.union(second.descriptor.needs))
    }

    /// The index of the baseline: named, or given by its two policies.
    private func readBaseline(_ cursor: Cursor, among pairs: [PolicyPair]) -> Int? {
        let wanted: String
        if let word = cursor.node.scalar {
            wanted = word
            if let index = pairs.firstIndex(where: { $0.name == word }) { return index }
        } else {
            let map = MapReader(cursor, expected: "the name of a pair, or {eviction: …, scheduling: …}")
            let eviction = map.required("eviction", ValueReader(example: "jetsam", evictionReader.read))
            let scheduling = map.required("scheduling", ValueReader(example: "opportunistic", schedulingReader.read))
            map.finish()
            guard let eviction, let scheduling else { return nil }
            wanted = "\(eviction.text)+\(scheduling.text)"
            if let index = pairs.firstIndex(where: { $0.eviction == eviction && $0.scheduling == scheduling }) {
                return index
            }
        }
        let names = pairs.map(\.name)
        let all = listHint(wanted, of: names, prefix: "add it to the policies, or take one of: ")
        // A pair of policies that exist was not misspelt.
        let near = cursor.node.scalar == nil ? nil : nearest(to: wanted, in: names).map { "did you mean \"\($0)\"?" }
        cursor.fail("the baseline \"\(wanted)\" is not among the policies", hint: near ?? all)
        return nil
    }
}
