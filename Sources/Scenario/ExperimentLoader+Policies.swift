// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Phone
import PhoneCore
import Processes
import Vocabulary

extension ExperimentLoader {
    /// Reads the keys `policies` and `baseline`; nil if one of them has errors, which are reported.
    func readPolicies(_ map: MapReader) -> (pairs: [PolicyPair], baseline: Int)? {
        let baseline = map.cursor("baseline")
        guard let cursor = map.cursor("policies") else {
            map.reportMissing("policies", example: "{eviction: [jetsam, lru], scheduling: [opportunistic]}")
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
                "the policies \"\(pair.name)\" appear twice",
                hint: "write a list of pairs, and give each pair its own name")
            return nil
        }
        guard let baseline else { return (pairs, 0) }
        return readBaseline(baseline, among: pairs).map { (pairs, $0) }
    }

    var evictionReader: PolicyTextReader {
        PolicyTextReader(
            kind: "eviction policy", descriptors: catalog.eviction.map(\.descriptor),
            others: ("scheduling policy", catalog.scheduling.map(\.descriptor.name)),
            foreign: ForeignReader(folder: trees.folder) { code, cursor in
                self.find(code, cursor, in: \.foreignEvictions) { source, code, text throws(ForeignPolicyError) in
                    try source.eviction(code, namedIn: text)
                }.map { self.finding($0, $0.entry.descriptor, code) }
            })
    }

    var schedulingReader: PolicyTextReader {
        PolicyTextReader(
            kind: "scheduling policy", descriptors: catalog.scheduling.map(\.descriptor),
            others: ("eviction policy", catalog.eviction.map(\.descriptor.name)),
            foreign: ForeignReader(folder: trees.folder) { code, cursor in
                self.find(code, cursor, in: \.foreignSchedulings) { source, code, text throws(ForeignPolicyError) in
                    try source.scheduling(code, namedIn: text)
                }.map { self.finding($0, $0.entry.descriptor, code) }
            })
    }

    private func finding<Entry>(
        _ policy: ForeignPolicy<Entry>, _ descriptor: PolicyDescriptor, _ code: ForeignCode
    ) -> ForeignFinding {
        let name = policy.isKnown ? policyNames.own(descriptor.name, of: code) : nil
        return ForeignFinding(policy, descriptor, ownName: name)
    }

    /// Finds a policy of foreign code, and starts it once to read its description.
    ///
    /// Errors are reported.
    private func find<Entry>(
        _ code: ForeignCode, _ cursor: Cursor,
        in known: ReferenceWritableKeyPath<ExperimentLoader, [ForeignCode: ForeignPolicy<Entry>]>,
        _ make: (any ForeignPolicySource, ForeignCode, String) throws(ForeignPolicyError) -> ForeignPolicy<Entry>
    ) -> ForeignPolicy<Entry>? {
        if let policy = self[keyPath: known][code] { return policy }
        let policy = catalog.make(code, cursor, make)
        self[keyPath: known][code] = policy
        return policy
    }

    /// All files of foreign code, sorted.
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
        let ranks = readRanks(map)
        let prelaunches = map.optional("prelaunch", .list(of: choice(PrewarmChoice.self, "prelaunch"), orSingle: true))
        let freezings = map.optional("freezing", .list(of: choice(FreezingChoice.self, "freezing"), orSingle: true))
        let swaps = map.optional("swap", .list(of: choice(SwapChoice.self, "swap"), orSingle: true))
        map.finish()
        guard let evictions, let schedulings, let ranks else { return nil }
        var memories: [MemoryPolicies] = []
        for prelaunch in prelaunches.map({ $0.map(Optional.some) }) ?? [nil] {
            for freezing in freezings.map({ $0.map(Optional.some) }) ?? [nil] {
                for swap in swaps.map({ $0.map(Optional.some) }) ?? [nil] {
                    memories.append(MemoryPolicies(prelaunch: prelaunch, freezing: freezing, swap: swap))
                }
            }
        }
        return evictions.flatMap { first in
            schedulings.flatMap { second in
                memories.compactMap { pair(ranks(first), second, $0, name: nil, map) }
            }
        }
    }

    /// Reads a word of a kind, or an eviction policy that provides a ranking.
    private func choice<Word>(_ words: Word.Type, _ kind: String) -> ValueReader<MemoryChoice<Word>> {
        let word = ValueReader<Word>.choice("choice of \(kind)")
        return ValueReader(example: word.example, shape: word.shape) { cursor in
            let name = cursor.node.scalar.map { String($0.prefix { $0 != "[" }) }
            let isWord = name.flatMap(Word.init(rawValue:)) != nil
            let isPolicy = name.map { $0.contains("/") || self.catalog.eviction(named: $0) != nil } ?? true
            if isPolicy && !isWord { return self.evictionReader.read(cursor).map(MemoryChoice.ranked) }
            return word.read(cursor).map(MemoryChoice.word)
        }
    }

    /// Reads the keys `ranks` and `reaper`, which change eviction policies.
    ///
    /// A policy can rank only apps or all processes, and can also select the victims of the reaper.
    private func readRanks(_ map: MapReader) -> ((PolicyChoice) -> PolicyChoice)? {
        let ranks = word(map, "ranks", ["source", "all", "apps"], "ranking")
        let reaper = word(map, "reaper", ["system", "policy"], "choice of the reaper's victims")
        guard let ranks, let reaper else { return nil }
        return {
            let choice = ranks == "source" ? $0 : $0.ranking(appsOnly: ranks == "apps")
            return reaper == "policy" ? choice.forReaper : choice
        }
    }

    /// Reads one of several words, of which the first is the default; nil for any other value.
    private func word(_ map: MapReader, _ key: String, _ words: [String], _ what: String) -> String? {
        map.cursor(key) == nil ? words[0] : map.optional(key, .word(of: words, what: what))
    }

    private func readMemory(_ map: MapReader) -> MemoryPolicies {
        MemoryPolicies(
            prelaunch: map.optional("prelaunch", choice(PrewarmChoice.self, "prelaunch")),
            freezing: map.optional("freezing", choice(FreezingChoice.self, "freezing")),
            swap: map.optional("swap", choice(SwapChoice.self, "swap")))
    }

    private func readList(_ cursor: Cursor) -> [PolicyPair]? {
        let reader = ValueReader<PolicyPair>(example: "{eviction: jetsam, scheduling: opportunistic}") { item in
            let map = MapReader(item, expected: "a pair such as {eviction: jetsam, scheduling: opportunistic}")
            let name = map.optional("name", .text)
            let eviction = map.required("eviction", ValueReader(example: "jetsam", self.evictionReader.read))
            let scheduling = map.required(
                "scheduling", ValueReader(example: "opportunistic", self.schedulingReader.read))
            let ranks = self.readRanks(map)
            let memory = self.readMemory(map)
            map.finish()
            guard let eviction, let scheduling, let ranks else { return nil }
            return self.pair(ranks(eviction), scheduling, memory, name: name, map)
        }
        return ValueReader<[PolicyPair]>.list(of: reader).read(cursor)
    }

    private func pair(
        _ eviction: PolicyChoice, _ scheduling: PolicyChoice, _ memory: MemoryPolicies, name: String?,
        _ map: MapReader
    ) -> PolicyPair? {
        guard let first = evictionEntry(eviction), let second = schedulingEntry(scheduling) else { return nil }
        let mark = eviction.ranksAppsOnly ? "ranks: apps" : eviction.ranksReaper ? "reaper: policy" : nil
        guard mark == nil || !first.descriptor.replacesTrigger else {
            (map.cursor("ranks") ?? map.cursor("reaper"))?.fail(
                "\(eviction.name) itself decides when to kill, and ranks all processes",
                hint: mark.map { "list the pairs of policies, without \($0)" }
            )
            return nil
        }
        return made(
            name ?? [eviction.text, scheduling.text, memory.text].filter { !$0.isEmpty }.joined(separator: "+"),
            (eviction, first), (scheduling, second), memory)
    }

    private func made(
        _ name: String, _ one: (choice: PolicyChoice, entry: EvictionPolicyEntry),
        _ other: (choice: PolicyChoice, entry: SchedulingPolicyEntry), _ memory: MemoryPolicies
    ) -> PolicyPair {
        let ((eviction, first), (scheduling, second)) = (one, other)
        let rankings = memory.ranked.compactMap { choice in evictionEntry(choice).map { (choice, $0) } }
        let own = [first.descriptor.needs, second.descriptor.needs] + rankings.map { $0.1.descriptor.needs }
        let readsFuture = [first.descriptor, second.descriptor].contains(where: \.isOracle) || memory.isOracle
        let makeRanking: @Sendable (PolicyChoice) -> RunSpecification.MakeEviction? = { wanted in
            guard let (choice, entry) = rankings.first(where: { $0.0 == wanted }) else { return nil }
            return { entry.make(PolicyArguments(values: choice.values, seed: $0)) }
        }
        return PolicyPair(
            name: name,
            eviction: eviction, scheduling: scheduling, memory: memory,
            makeEviction: { first.make(PolicyArguments(values: eviction.values, seed: $0)) },
            makeScheduling: { second.make(PolicyArguments(values: scheduling.values, seed: $0)) },
            makeRanking: makeRanking,
            schedulingRules: second.descriptor.rules, useOwn: ownPolicies(eviction, scheduling),
            isOracle: readsFuture || rankings.contains { $0.1.descriptor.isOracle },
            replacesTrigger: first.descriptor.replacesTrigger || second.descriptor.replacesTrigger,
            needs: own.reduce([]) { $0.union($1) })
    }

    private func evictionEntry(_ choice: PolicyChoice) -> EvictionPolicyEntry? {
        choice.code.flatMap { foreignEvictions[$0]?.entry } ?? catalog.eviction(named: choice.name)
    }

    private func schedulingEntry(_ choice: PolicyChoice) -> SchedulingPolicyEntry? {
        choice.code.flatMap { foreignSchedulings[$0]?.entry } ?? catalog.scheduling(named: choice.name)
    }

    /// Sets the parameters of a sweep point in all policies that have them.
    ///
    /// The names of the policies do not change. A parameter is reported if no policy has it, or if a policy's text
    /// already sets it.
    func tuned(_ pairs: [PolicyPair], by settings: [Sweep.Setting]) -> [PolicyPair]? {
        let settings = settings.filter(\.isOfPolicies)
        // Foreign code that was not started has no description, so its parameters are unknown.
        guard !settings.isEmpty, pairs.allSatisfy(\.isRunnable) else { return pairs }
        var isGood = true
        var taken = Set<String>()
        let tuned = pairs.map { pair -> PolicyPair in
            guard let first = evictionEntry(pair.eviction), let second = schedulingEntry(pair.scheduling) else {
                return pair
            }
            var (eviction, scheduling) = (pair.eviction, pair.scheduling)
            for setting in settings {
                let isEviction = setting.keys[1] == "eviction"
                let parameters = isEviction ? first.descriptor.parameters : second.descriptor.parameters
                guard let index = parameters.firstIndex(where: { $0.name == setting.keys[2] }) else { continue }
                taken.insert(setting.path)
                let cursor = Cursor(setting.value, path: setting.path, report: report)
                let choice = isEviction ? eviction : scheduling
                guard !["[", ","].contains(where: { choice.text.contains($0 + setting.keys[2] + "=") }) else {
                    cursor.fail("\(choice.text) already sets \(setting.keys[2])", hint: "leave it out of the policy")
                    isGood = false
                    continue
                }
                let reader = isEviction ? evictionReader : schedulingReader
                guard let text = setting.value.scalar, let value = reader.value(text, of: parameters[index], cursor)
                else {
                    isGood = false
                    continue
                }
                if isEviction { eviction.set(index, to: value) } else { scheduling.set(index, to: value) }
            }
            return made(pair.name, (eviction, first), (scheduling, second), pair.memory)
        }
        for setting in settings where !taken.contains(setting.path) {
            let (kind, wanted) = (setting.keys[1], setting.keys[2])
            let names = pairs.flatMap { pair -> [String] in
                let parameters =
                    kind == "eviction"
                    ? evictionEntry(pair.eviction)?.descriptor.parameters
                    : schedulingEntry(pair.scheduling)?.descriptor.parameters
                return (parameters ?? []).map(\.name)
            }
            report.add(
                setting.location.problem(
                    "none of the \(kind) policies has a parameter \"\(wanted)\"",
                    hint: nameHint(wanted, in: Set(names).sorted(), prefix: "their parameters: ") ?? "they have none"))
            isGood = false
        }
        return isGood ? tuned : nil
    }

    /// Index of the baseline, which is identified by its name or its two policies.
    private func readBaseline(_ cursor: Cursor, among pairs: [PolicyPair]) -> Int? {
        let wanted: String
        if let word = cursor.node.scalar {
            wanted = word
            // Foreign code may be identified by its text or by its own name.
            let index = pairs.firstIndex { $0.name == word } ?? pairs.firstIndex { $0.writtenName == word }
            if let index { return index }
        } else {
            let map = MapReader(cursor, expected: "the name of a pair, or {eviction: …, scheduling: …}")
            let eviction = map.required("eviction", ValueReader(example: "jetsam", evictionReader.read))
            let scheduling = map.required("scheduling", ValueReader(example: "opportunistic", schedulingReader.read))
            let memory = readMemory(map)
            map.finish()
            guard let eviction, let scheduling else { return nil }
            wanted = [eviction.text, scheduling.text, memory.text].filter { !$0.isEmpty }.joined(separator: "+")
            let index = pairs.firstIndex { pair in
                pair.eviction == eviction.used(as: pair.eviction)
                    && pair.scheduling == scheduling && pair.memory.agrees(with: memory)
            }
            if let index { return index }
        }
        let names = pairs.map(\.name)
        let all = listHint(wanted, of: names, prefix: "add this pair to the policies, or use one of: ")
        // If the value is a pair of valid policies, no word is misspelt, so no similar name is suggested.
        let near = cursor.node.scalar == nil ? nil : nearest(to: wanted, in: names).map { "did you mean \"\($0)\"?" }
        cursor.fail("the baseline \"\(wanted)\" is not among the policies", hint: near ?? all)
        return nil
    }
}
