// SPDX-License-Identifier: GPL-3.0-or-later
import Scenario

/// Swept axis whose values are numbers, all of one dimension.
public struct SweepAxis: Sendable {
    /// Index of the axis in the plan.
    public let index: Int
    /// Unit of the numbers, taken from the first value as written; empty for plain numbers.
    public let unit: String
    /// One number per sweep point, in the unit.
    let numbers: [Double]

    /// Reads an axis of a plan; nil when its values are not numbers of one dimension.
    ///
    /// The result is also nil when no two points differ in this axis alone, as may happen in a list of points.
    init?(_ index: Int, of plan: Plan) {
        let values = plan.axisValues[index]
        guard let numbers = values.numbers else { return nil }
        self.index = index
        unit = values.unit
        self.numbers = numbers
        guard groups(of: plan).contains(where: { group in group.contains { numbers[$0] != numbers[group[0]] } }) else {
            return nil
        }
    }

    /// Sweep points in groups that share all other values, each in ascending order of the axis.
    func groups(of plan: Plan) -> [[Int]] {
        plan.groups(along: index).map { $0.sorted { numbers[$0] < numbers[$1] } }
    }
}

extension Plan {
    /// Sweep points in groups that share the values of all other axes, in their order.
    func groups(along axis: Int) -> [[Int]] {
        var groups: [[Int]] = []
        var known: [[String]: Int] = [:]
        for point in self.points.indices {
            var others = self.points[point].values
            others.remove(at: axis)
            if let home = known[others] {
                groups[home].append(point)
            } else {
                known[others] = groups.count
                groups.append([point])
            }
        }
        return groups
    }

    /// Baseline of a sweep point: the point with the values named for the baseline, and its own values on other axes.
    ///
    /// The result is nil when that point is the sweep point itself, or does not exist.
    ///
    /// - Parameter named: values by axis; if empty, the values of the first point.
    func baselinePoint(of point: Int, named: [String: String]) -> Int? {
        let wanted = self.axes.indices.map { axis in
            named.isEmpty ? self.points[0].values[axis] : named[self.axes[axis]] ?? self.points[point].values[axis]
        }
        guard let found = self.points.firstIndex(where: { $0.values == wanted }), found != point else { return nil }
        return found
    }

    /// Axes whose values are numbers.
    public var numericAxes: [SweepAxis] { self.axes.indices.compactMap { SweepAxis($0, of: self) } }
}
