// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Recording
import Scenario

/// Targets as the manifest keeps them, so that a finished directory can be held against them again.
extension Target {
    /// The target for the manifest.
    public var json: JSONValue {
        var members = quantity.members
        members["id"] = .string(id)
        members["what"] = .string(title)
        members["band"] = .array([band.lowerBound, band.upperBound].map { $0.isFinite ? .number($0) : .null })
        members["strength"] = .string(strength.rawValue)
        members["unit"] = .string(unit.name)
        members["scale"] = .number(unit.scale)
        members["basis"] = .string(basis.rawValue)
        if !parameter.isEmpty { members["parameter"] = .string(parameter) }
        members["source"] = .string(source)
        if let policy { members["policy"] = .string(policy) }
        if !point.isEmpty { members["point"] = Self.json(point) }
        if let reference {
            var inner = reference.quantity.members
            if let policy = reference.policy { inner["policy"] = .string(policy) }
            if !reference.point.isEmpty { inner["point"] = Self.json(reference.point) }
            members["relative_to"] = .object(inner)
        }
        return .object(members)
    }

    /// Reads a target back; nil when it is incomplete.
    public init?(json: JSONValue) {
        guard let id = json["id"]?.string, let quantity = TargetQuantity(json: json),
            let ends = json["band"]?.array, ends.count == 2,
            let strength = json["strength"]?.string.flatMap(Strength.init(rawValue:))
        else { return nil }
        let low = ends[0].number ?? -.infinity
        let high = ends[1].number ?? .infinity
        guard low <= high else { return nil }
        var reference: Reference?
        if let inner = json["relative_to"] {
            guard let below = TargetQuantity(json: inner) else { return nil }
            reference = Reference(quantity: below, policy: inner["policy"]?.string, point: Self.point(inner["point"]))
        }
        var claim = TargetClaim(id: id, band: low...high)
        claim.title = json["what"]?.string ?? ""
        claim.strength = strength
        // What earlier builds wrote says neither unit nor basis.
        claim.basis = json["basis"]?.string.flatMap(Basis.init(rawValue:)) ?? .prediction
        claim.parameter = json["parameter"]?.string ?? ""
        claim.source = json["source"]?.string ?? ""
        let unit = json["unit"]?.string.map { TargetUnit(name: $0, scale: json["scale"]?.number ?? 1) }
        self.init(
            claim, quantity: quantity, unit: unit, policy: json["policy"]?.string, point: Self.point(json["point"]),
            reference: reference)
    }

    private static func json(_ axes: [SweepPoint.Axis]) -> JSONValue {
        .array(axes.map { .array([.string($0.path), .string($0.value)]) })
    }

    private static func point(_ json: JSONValue?) -> [SweepPoint.Axis] {
        (json?.array ?? []).compactMap { axis in
            guard let pair = axis.array, pair.count == 2, let path = pair[0].string, let value = pair[1].string else {
                return nil
            }
            return SweepPoint.Axis(path: path, value: value)
        }
    }
}

extension TargetQuantity {
    var members: [String: JSONValue] {
        switch self {
        case .metric(let name): ["metric": .string(name)]
        case .table(let figure): ["of": figure.json]
        case .bench(let name, let value): ["case": .string(name), "value": .string(value)]
        }
    }

    init?(json: JSONValue) {
        if let name = json["metric"]?.string {
            self = .metric(name)
        } else if let figure = json["of"].flatMap(TableFigure.init(json:)) {
            self = .table(figure)
        } else if let name = json["case"]?.string, let value = json["value"]?.string {
            self = .bench(case: name, value: value)
        } else {
            return nil
        }
    }
}

extension TableFigure {
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "table": .string(table.name), "column": .array(columns.map { .string($0) }),
            "gaps": .bool(gaps), "statistic": .string(statistic.rawValue), "warmup_s": .number(warmupSeconds),
            "days": .number(days), "where": .array(conditions.map(\.json)),
        ]
        if let minus { members["minus"] = .string(minus) }
        if let least {
            members["least_per"] = .object(["column": .string(least.column), "minus": .string(least.minus ?? "")])
        }
        return .object(members)
    }

    init?(json: JSONValue) {
        guard let name = json["table"]?.string,
            let table = PhoneTables.list[name],
            let statistic = json["statistic"]?.string.flatMap(Statistic.init(rawValue:)),
            let warmup = json["warmup_s"]?.number, let days = json["days"]?.number, days > 0
        else { return nil }
        self.init(
            table: table, columns: (json["column"]?.array ?? []).compactMap(\.string), minus: json["minus"]?.string,
            gaps: json["gaps"] == .bool(true), least: json["least_per"].flatMap(Group.init(json:)),
            conditions: (json["where"]?.array ?? []).compactMap(Condition.init(json:)), statistic: statistic,
            warmupSeconds: warmup, days: days)
    }
}

extension TableFigure.Group {
    fileprivate init?(json: JSONValue) {
        guard let column = json["column"]?.string else { return nil }
        let minus = json["minus"]?.string ?? ""
        self.init(column: column, minus: minus.isEmpty ? nil : minus)
    }
}

extension TableFigure.Condition {
    fileprivate var json: JSONValue {
        let value: JSONValue =
            switch requirement {
            case .words(let words): .object(["words": .array(words.map { .string($0) })])
            case .range(let range):
                .object(["range": .array([.number(range.lowerBound), .number(range.upperBound)])])
            case .hours(let from, let to): .object(["hours": .array([.number(from), .number(to)])])
            }
        return .object(["column": .string(column), "requirement": value])
    }

    fileprivate init?(json: JSONValue) {
        guard let column = json["column"]?.string, let requirement = json["requirement"] else {
            return nil
        }
        if let words = requirement["words"]?.array {
            self.init(column: column, requirement: .words(words.compactMap(\.string)))
        } else if let ends = requirement["range"]?.array, ends.count == 2 {
            // An open end is written as null.
            let (low, high) = (ends[0].number ?? -.infinity, ends[1].number ?? .infinity)
            guard low <= high else { return nil }
            self.init(column: column, requirement: .range(low...high))
        } else if let ends = requirement["hours"]?.array, ends.count == 2, let from = ends[0].number,
            let to = ends[1].number
        {
            self.init(column: column, requirement: .hours(from, to))
        } else {
            return nil
        }
    }
}
