// SPDX-License-Identifier: GPL-3.0-or-later
import Recording
import Scenario

extension Analysis {
    /// The rules as the manifest keeps them.
    var json: JSONValue {
        .object([
            "level": .number(level), "equivalence": .number(equivalence), "primary": .string(primary),
            "holm": .bool(holm), "shown": .array(shown.map { .string($0) }),
            "sweep_baseline": .object(sweepBaseline.mapValues { .string($0) }),
            "equivalence_by_metric": .object(equivalenceByMetric.mapValues { .number($0) }),
            "design": design.map(\.json) ?? .null, "warmup_s": warmup.map { .number($0) } ?? .null,
            "quantiles": .array(quantiles.map { .number($0) }), "is_recorded": .bool(isRecorded),
            "selection": selection.map(\.json) ?? .null,
        ])
    }

    /// Reads the rules back; nil when they are incomplete.
    init?(json: JSONValue) {
        guard let level = json["level"]?.number, let equivalence = json["equivalence"]?.number,
            let primary = json["primary"]?.string, let shown = Plan.texts(json["shown"])
        else { return nil }
        self.init(
            level: level, equivalence: equivalence, primary: primary, holm: json["holm"] != .bool(false), shown: shown,
            sweepBaseline: (json["sweep_baseline"]?.members ?? [:]).compactMapValues(\.string),
            equivalenceByMetric: (json["equivalence_by_metric"]?.members ?? [:]).compactMapValues(\.number),
            design: json["design"].flatMap(SweepDesign.init(json:)))
        warmup = json["warmup_s"]?.number
        isRecorded = json["is_recorded"] == .bool(true)
        quantiles = json["quantiles"]?.array?.compactMap(\.number) ?? []
        selection = json["selection"].flatMap(SelectionRule.init(json:))
        // What a reader of experiment files would not have let pass has no meaning here either.
        let shares = [level] + quantiles
        let widths = [equivalence, warmup ?? 0] + equivalenceByMetric.values
        guard shares.allSatisfy({ $0 > 0 && $0 < 1 }), widths.allSatisfy({ $0 >= 0 && $0.isFinite }) else { return nil }
    }
}

extension SelectionRule {
    var json: JSONValue {
        .object(["indifference": .number(indifference), "level": .number(level), "first": .integer(first)])
    }

    init?(json: JSONValue) {
        guard let indifference = json["indifference"]?.number, let level = json["level"]?.number,
            let first = json["first"]?.integer, indifference > 0, indifference.isFinite, level > 0, level < 1,
            (1...RunLimit.replications).contains(first)
        else { return nil }
        self.init(indifference: indifference, level: level, first: first)
    }
}

extension SweepDesign {
    var json: JSONValue {
        .object([
            "kind": .string(kind.rawValue), "rows": .array(rows.map { .integer($0) }),
            "low": .array(ranges.map { .number($0.lowerBound) }),
            "high": .array(ranges.map { .number($0.upperBound) }),
        ])
    }

    init?(json: JSONValue) {
        guard let kind = json["kind"]?.string.flatMap({ Kind(rawValue: $0) }),
            let rows = json["rows"]?.array?.compactMap(\.integer), let low = json["low"]?.array?.compactMap(\.number),
            let high = json["high"]?.array?.compactMap(\.number), low.count == high.count,
            zip(low, high).allSatisfy({ $0 < $1 && ($1 - $0).isFinite })
        else { return nil }
        self.init(kind: kind, rows: rows, ranges: zip(low, high).map { $0...$1 })
    }
}
