// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Platform
import Quantities
import Workload

/// Reads a population from its expanded tree: the typical persona, the traits in which people differ, and the
/// correlations.
struct PopulationReader {
    /// Reads the population; nil if it has errors, which are reported.
    static func read(_ cursor: Cursor) -> Population? {
        let before = cursor.report.problems.errorCount
        let map = MapReader(cursor)
        _ = map.optional("schema", .schema)
        _ = map.optional("summary", .text)
        _ = map.optional("grounding", .text)
        let name = map.value("name", .text, default: "population")
        // This only marks the key as known. The loader reads its value.
        _ = map.cursor("persona")
        let stated = map.required("traits", .list(of: trait))
        let traits = stated ?? []
        let kinds = map.value("kinds", .list(of: kind), default: [])
        let pairs = map.value("correlations", .list(of: correlation), default: [])
        checkAssumptions(map)
        map.finish()
        guard stated != nil else { return nil }
        checkNames(traits, kinds, map)
        let factor = factor(of: traits, pairs, map)
        guard cursor.report.problems.errorCount == before, let factor else { return nil }
        return Population(name: name, traits: traits, kinds: kinds, factor: factor)
    }

    private static func checkNames(_ traits: [Population.Trait], _ kinds: [Population.Kind], _ map: MapReader) {
        var seen: Set<String> = ["kind"]
        for trait in traits where !seen.insert(trait.name).inserted {
            map.cursor("traits")?.fail(
                trait.name == "kind" ? "no trait may be called \"kind\"" : "two traits are called \"\(trait.name)\"")
        }
        var paths: Set<[String]> = []
        for effect in traits.flatMap(\.effects) where !paths.insert(effect.path).inserted {
            map.cursor("traits")?.fail("two traits change \"\(effect.path.joined(separator: "."))\"")
        }
        var names: Set<String> = []
        for kind in kinds where !names.insert(kind.name).inserted {
            map.cursor("kinds")?.fail("two kinds are called \"\(kind.name)\"")
        }
        if !kinds.isEmpty, abs(kinds.reduce(0) { $0 + $1.share } - 1) > 1e-6 {
            map.cursor("kinds")?.fail("the shares of all kinds must add up to 100 %")
        }
    }

    private static func factor(
        of traits: [Population.Trait], _ pairs: [(names: [String], value: Double, cursor: Cursor)], _ map: MapReader
    ) -> [[Double]]? {
        let names = traits.map(\.name)
        var matrix = names.indices.map { row in names.indices.map { $0 == row ? 1.0 : 0.0 } }
        for pair in pairs {
            let indices = pair.names.compactMap { names.firstIndex(of: $0) }
            guard indices.count == 2, indices[0] != indices[1] else {
                let unknown = pair.names.first { !names.contains($0) }
                pair.cursor.fail(
                    unknown.map { "unknown trait \"\($0)\"" } ?? "a correlation needs two different traits",
                    hint: unknown.flatMap { nearest(to: $0, in: names) }.map { "did you mean \"\($0)\"?" })
                continue
            }
            matrix[indices[0]][indices[1]] = pair.value
            matrix[indices[1]][indices[0]] = pair.value
        }
        guard let factor = Population.cholesky(matrix) else {
            map.cursor("correlations")?.fail(
                "these correlations contradict each other",
                hint: "no set of numbers can have all these correlations; make some smaller")
            return nil
        }
        return factor
    }
}

extension PopulationReader {
    /// Reads a trait such as `{name: use, title: pick-ups a day, keys: […]}`.
    private static var trait: ValueReader<Population.Trait> {
        ValueReader(example: "{name: use, keys: [{key: pickups.per_day, median: 100, spread: 0.5}]}") { cursor in
            let map = MapReader(cursor)
            let name = map.required("name", .name)
            let title = map.optional("title", .text)
            let effects = map.required("keys", .list(of: effect).checked("at least one key") { !$0.isEmpty })
            map.finish()
            guard let name, let effects else { return nil }
            return Population.Trait(name: name, title: title ?? name, effects: effects)
        }
    }

    /// Reads an effect such as `{key: pickups.per_day, median: 100, spread: 0.5, scale: log}`.
    private static var effect: ValueReader<Population.Effect> {
        ValueReader(example: "{key: pickups.per_day, median: 100, spread: 0.5}") { cursor in
            let map = MapReader(cursor)
            let key = map.required("key", .text)
            let median = map.required("median", .number(-1e9...1e9, example: "100"))
            let spread = map.required("spread", .number(-10...10, example: "0.5"))
            let scale = map.value("scale", .choice("scale"), default: Population.Effect.Scale.log)
            let unit = map.value("unit", .text, default: "")
            let range = map.value("range", ends, default: -Double.infinity...Double.infinity)
            let isWhole = map.value("whole", .flag, default: false)
            let interval = map.optional("interval", ends)
            let words = map.value("words", .list(of: .text), default: [])
            map.finish()
            guard let key, let median, let spread, let location = map.cursor("key")?.node.location else { return nil }
            if !words.isEmpty, scale != .linear || words.count < 2 {
                map.cursor("words")?.fail(
                    "give two or more words, with scale: linear",
                    hint: "the median is the number of a word, counted from 0, as in {median: 1.2, spread: 0.8, scale: "
                        + "linear}")
                return nil
            }
            if scale != .linear, !(median > 0 && (scale == .log || median < 1)) {
                map.cursor("median")?.expected(scale == .log ? "a median above 0" : "a median between 0 and 1")
                return nil
            }
            let numbers = 0...Double(max(words.count, 1) - 1)
            if !words.isEmpty, !numbers.contains(median) {
                map.cursor("median")?.expected("the number of one of the \(words.count) words, counted from 0")
                return nil
            }
            for (name, span) in [("range", range as ClosedRange<Double>?), ("interval", interval)] {
                guard let span, !span.contains(median) else { continue }
                map.cursor(name)?.fail("the \(name) must include the median, \(UnitText.plain(median))")
                return nil
            }
            return Population.Effect(
                path: key.split(separator: ".", omittingEmptySubsequences: false).map(String.init), median: median,
                spread: spread, scale: scale, unit: unit, range: words.isEmpty ? range : range.clamped(to: numbers),
                isWhole: isWhole || !words.isEmpty, words: words, interval: interval, location: location)
        }
    }

    /// Reads an interval such as `[57, 189]`.
    private static var ends: ValueReader<ClosedRange<Double>> {
        let list = ValueReader<[Double]>.list(of: .number(-1e9...1e9, example: "57"))
            .checked("two numbers, the smaller first") { $0.count == 2 && $0[0] <= $0[1] }
        return list.map { $0[0]...$0[1] }
    }

    /// Reads a kind such as `{name: office, share: 60 %, habits: {…}}`.
    private static var kind: ValueReader<Population.Kind> {
        ValueReader(example: "{name: office, share: 60 %}") { cursor in
            let map = MapReader(cursor)
            let name = map.required("name", .name)
            let share = map.required("share", .share)
            let habits = map.cursor("habits")
            map.finish()
            guard let name, let share else { return nil }
            return Population.Kind(name: name, share: share, habits: habits?.node)
        }
    }

    /// Reads a correlation such as `{between: [use, notifications], is: 0.5}`.
    private static var correlation: ValueReader<(names: [String], value: Double, cursor: Cursor)> {
        ValueReader(example: "{between: [use, notifications], is: 0.5}") { cursor in
            let map = MapReader(cursor)
            let names = map.required("between", .list(of: .text))
            let value = map.required("is", .number(-0.99...0.99, example: "0.5"))
            map.finish()
            guard let names, let value else { return nil }
            return (names, value, cursor)
        }
    }
}
