// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics

/// Condition on the points of a sweep, such as `apps.count <= 100 or device.memory.ram >= 4 GiB`.
///
/// Names are swept paths.
struct SweepCondition {
    private let text: String
    private let condition: Condition

    /// Reads the key `where`; empty if the key is missing, nil if it has errors.
    static func read(_ map: MapReader) -> [SweepCondition]? {
        let condition = ValueReader<SweepCondition>.scalar(
            "a condition such as \"apps.count <= 100\"", example: "apps.count <= 100", shape: .text
        ) { text, cursor in
            guard let condition = try? Condition(text) else {
                cursor.expected("a condition such as \"apps.count <= 100 or device.memory.ram >= 4 GiB\"")
                return nil
            }
            return SweepCondition(text: text, condition: condition)
        }
        guard map.has("where") else {
            _ = map.optional("where", .list(of: condition, orSingle: true))
            return []
        }
        return map.optional("where", .list(of: condition, orSingle: true))
    }

    /// Whether a point meets the condition; nil if two sides cannot be compared, which is reported.
    func holds(_ point: [Sweep.Setting], _ cursor: Cursor) -> Bool? {
        do throws(Condition.Problem) {
            return try condition.holds { name in point.first { $0.path == name }?.value.label }
        } catch {
            switch error {
            case .namesNothing(let term):
                let paths = point.map(\.path)
                let near = nearest(to: term.left, in: paths) ?? nearest(to: term.right, in: paths)
                cursor.fail(
                    "the condition \"\(text)\" names no axis of the sweep",
                    hint: near.map { "did you mean \"\($0)\"?" } ?? listHint(term.left, of: paths))
            case .incomparable(let left, _, let right):
                cursor.fail("the condition \"\(text)\" cannot compare \"\(left)\" with \"\(right)\"")
            }
            return nil
        }
    }
}
