// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities

/// What a point of a sweep must meet: `apps.count <= 100 or device.memory.ram >= 4 GiB`.
///
/// A side is a swept path, a number times a path, or a value; numbers are compared in their base units, words by `=`
/// and `!=`.
struct SweepCondition {
    private enum Relation: String, CaseIterable {
        // Longer ones first, for they are looked for in this order.
        case atMost = "<=", atLeast = ">=", differs = "!=", below = "<", above = ">", equals = "="

        func holds(_ left: Double, _ right: Double) -> Bool {
            switch self {
            case .atMost: left <= right
            case .atLeast: left >= right
            case .differs: left != right
            case .below: left < right
            case .above: left > right
            case .equals: left == right
            }
        }
    }

    private struct Comparison {
        let left: String
        let relation: Relation
        let right: String
    }

    private let text: String
    /// One of these must hold.
    private let choices: [Comparison]

    /// Reads `where:`; none without the key, nil when it is wrong.
    static func read(_ map: MapReader) -> [SweepCondition]? {
        let condition = ValueReader<SweepCondition>.scalar(
            "a condition such as \"apps.count <= 100\"", example: "apps.count <= 100", shape: .text
        ) { text, cursor in
            guard let condition = SweepCondition(text) else {
                cursor.expected("a condition such as \"apps.count <= 100 or device.memory.ram >= 4 GiB\"")
                return nil
            }
            return condition
        }
        guard map.has("where") else {
            _ = map.optional("where", .list(of: condition, orSingle: true))
            return []
        }
        return map.optional("where", .list(of: condition, orSingle: true))
    }

    private init?(_ text: String) {
        self.text = text
        var choices: [Comparison] = []
        for part in text.replacing(" or ", with: "|").split(separator: "|", omittingEmptySubsequences: false) {
            guard let relation = Relation.allCases.first(where: { part.contains($0.rawValue) }) else { return nil }
            let sides = part.split(separator: relation.rawValue, omittingEmptySubsequences: false).map(Self.trimmed)
            guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else { return nil }
            choices.append(Comparison(left: sides[0], relation: relation, right: sides[1]))
        }
        self.choices = choices
    }

    /// Whether a point meets the condition; nil where the two sides cannot be compared, which is reported.
    func holds(_ point: [Sweep.Setting], _ cursor: Cursor) -> Bool? {
        var holds = false
        for choice in choices {
            let (left, right) = (Self.value(choice.left, point), Self.value(choice.right, point))
            guard left.isSwept || right.isSwept else {
                let paths = point.map(\.path)
                let near = nearest(to: choice.left, in: paths) ?? nearest(to: choice.right, in: paths)
                cursor.fail(
                    "the condition \"\(text)\" names no axis of the sweep",
                    hint: near.map { "did you mean \"\($0)\"?" } ?? listHint(choice.left, of: paths))
                return nil
            }
            if let one = left.number, let other = right.number, one.dimension == other.dimension {
                holds = choice.relation.holds(one.base * left.factor, other.base * right.factor) || holds
            } else if left.number == nil, right.number == nil, [.equals, .differs].contains(choice.relation) {
                holds = (choice.relation == .equals) == (left.text == right.text) || holds
            } else {
                cursor.fail("the condition \"\(text)\" compares \"\(left.text)\" with \"\(right.text)\"")
                return nil
            }
        }
        return holds
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        text.split(separator: " ").joined(separator: " ")
    }

    /// What a side means at a point.
    private static func value(
        _ side: String, _ point: [Sweep.Setting]
    ) -> (text: String, number: WrittenNumber?, factor: Double, isSwept: Bool) {
        let parts = side.split(separator: "*", maxSplits: 1).map(trimmed)
        let factor = parts.count == 2 ? Double(parts[0]) : nil
        let name = factor == nil ? side : parts[1]
        guard let setting = point.first(where: { $0.path == name }) else {
            return (side, WrittenNumber(side), 1, false)
        }
        let text = setting.value.label
        return (text, WrittenNumber(text), factor ?? 1, true)
    }
}
