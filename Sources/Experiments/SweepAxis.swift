// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A swept axis whose values are numbers, all of one dimension.
public struct SweepAxis: Sendable {
    /// Index of the axis in the plan.
    public let index: Int
    /// The unit of its numbers, that of the first value as written; empty for plain numbers.
    public let unit: String
    /// One number per sweep point, in the unit.
    let numbers: [Double]

    /// Reads an axis of a plan; nil when its values are no numbers of one dimension, or no two points differ in it
    /// alone, as in a list of points.
    init?(_ index: Int, of plan: Plan) {
        let texts = plan.points.map { $0.values[index] }
        guard let (numbers, unit) = Self.plain(texts) ?? Self.quantities(texts) else { return nil }
        self.index = index
        self.unit = unit
        self.numbers = numbers
        guard groups(of: plan).contains(where: { group in group.contains { numbers[$0] != numbers[group[0]] } }) else {
            return nil
        }
    }

    private static func plain(_ texts: [String]) -> ([Double], String)? {
        let numbers = texts.compactMap { Double($0) }.filter(\.isFinite)
        return numbers.count == texts.count ? (numbers, "") : nil
    }

    private static func quantities(_ texts: [String]) -> ([Double], String)? {
        for dimension in Dimension.allCases {
            let numbers = texts.compactMap { try? UnitText.parse($0, as: dimension) }
            guard numbers.count == texts.count, let first = texts.first else { continue }
            let unit = dimension.units.map(\.symbol).filter { first.hasSuffix($0) }.max { $0.count < $1.count } ?? ""
            guard let one = try? UnitText.parse("1 \(unit)", as: dimension),
                let none = try? UnitText.parse("0 \(unit)", as: dimension)
            else { return nil }
            return (numbers.map { ($0 - none) / (one - none) }, unit)
        }
        return nil
    }

    /// The sweep points in groups that share all other values, each in ascending order of the axis.
    func groups(of plan: Plan) -> [[Int]] {
        var groups: [[Int]] = []
        for point in plan.points.indices {
            let home = groups.firstIndex { plan.differ($0[0], point).allSatisfy { $0 == index } }
            if let home { groups[home].append(point) } else { groups.append([point]) }
        }
        return groups.map { $0.sorted { numbers[$0] < numbers[$1] } }
    }
}

extension Plan {
    /// The axes in which two sweep points differ.
    func differ(_ left: Int, _ right: Int) -> [Int] {
        axes.indices.filter { points[left].values[$0] != points[right].values[$0] }
    }

    /// The sweep point that another is compared with: the one that has the values named for the baseline and otherwise
    /// its own; nil when that is the point itself, or none.
    ///
    /// - Parameter named: Values by axis; when empty, those of the first point.
    func baselinePoint(of point: Int, named: [String: String]) -> Int? {
        let wanted = axes.indices.map { axis in
            named.isEmpty ? points[0].values[axis] : named[axes[axis]] ?? points[point].values[axis]
        }
        guard let found = points.firstIndex(where: { $0.values == wanted }), found != point else { return nil }
        return found
    }

    /// The axes whose values are numbers.
    public var numericAxes: [SweepAxis] { axes.indices.compactMap { SweepAxis($0, of: self) } }
}
