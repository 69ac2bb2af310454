// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities

extension Sweep {
    /// Reports values that occur twice on an axis, even in different units.
    ///
    /// Returns whether there are none.
    static func areDistinct(_ axes: [Axis], _ cursor: Cursor) -> Bool {
        axes.map { axis in
            areDistinct(axis.values.map { ($0.meaning, $0) }, "on the axis \(axis.path)", cursor)
        }.allSatisfy { $0 }
    }

    /// Reports points that occur twice in a list or a zip.
    ///
    /// Returns whether there are none.
    static func areDistinct(_ points: [[Setting]], _ cursor: Cursor) -> Bool {
        let marked = points.compactMap { point in
            point.last.map { last in
                (point.map { $0.path + "=" + $0.value.meaning }.joined(separator: "\n"), last.value)
            }
        }
        return areDistinct(marked, "in the sweep with the same values on the other axes", cursor)
    }

    private static func areDistinct(_ values: [(meaning: String, node: Node)], _ scope: String, _ cursor: Cursor)
        -> Bool
    {
        var first: [String: Node] = [:]
        var isDistinct = true
        for (meaning, node) in values {
            guard let earlier = first[meaning] else {
                first[meaning] = node
                continue
            }
            isDistinct = false
            let same = earlier.label == node.label ? "" : ", because it equals \(earlier.label)"
            cursor.report.add(
                node.location.problem(
                    "the value \"\(node.label)\" occurs twice \(scope)\(same)",
                    hint: "leave one out: every point is run and compared once"))
        }
        return isDistinct
    }
}

extension Node {
    /// Text that is equal for values with equal meanings.
    ///
    /// Numbers are converted to the base unit; other texts do not change.
    fileprivate var meaning: String {
        guard let text = scalar else { return canonical }
        if let number = Double(text), number.isFinite { return "\(number)" }
        for dimension in Dimension.allCases {
            guard let value = try? UnitText.parse(text, as: dimension) else { continue }
            return dimension == .fraction ? "\(value)" : "\(value) \(dimension.rawValue)"
        }
        return canonical
    }
}
