// SPDX-License-Identifier: GPL-3.0-or-later
import Scenario

/// Swept axis whose values are numbers of one dimension.
public struct SweepAxis: Sendable {
    /// Index of the axis in the plan.
    public let index: Int
    /// Unit of all numbers: the unit in which the first value is written; empty for numbers without a unit.
    public let unit: String
    /// One number per sweep point, in `unit`.
    let numbers: [Double]

    /// Reads an axis of a plan; nil when its values are not numbers of one dimension.
    ///
    /// The result is also nil when no two points differ only in this axis, which can happen in a list of points.
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

    /// Groups of sweep points with equal values on all other axes; each group is in ascending order of this axis.
    func groups(of plan: Plan) -> [[Int]] {
        plan.groups(along: index).map { $0.sorted { numbers[$0] < numbers[$1] } }
    }
}

extension Plan {
    /// Groups of sweep points with equal values on all other axes, in the order of the sweep.
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

    /// Baseline point of a sweep point: it has the values in `named`, and the sweep point's own values on other axes.
    ///
    /// The result is nil when the baseline point is the sweep point itself, or when it does not exist.
    ///
    /// - Parameter named: values by axis; if empty, the first point is the baseline point.
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
