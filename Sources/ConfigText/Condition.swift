// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Condition in the form for users: `policy == lru && replication < 10`, `apps.count <= 80 or 2 * path >= 4 GiB`.
///
/// A term has two sides with a relation between them. A side is a name, a number times a name, or a value, optionally
/// in quotes. `=` equals `==`, `&&` equals `and`, and `||` equals `or`; `and` has precedence over `or`. Numbers are
/// compared by size, also in different units. Words can be compared only by `==` and `!=`.
public struct Condition: Sendable, Equatable {
    /// Relation between the two sides of a term.
    public enum Relation: String, Sendable {
        case equals = "==", differs = "!=", atMost = "<=", atLeast = ">=", below = "<", above = ">"

        /// Whether the relation can compare words.
        public var isOfWords: Bool { self == .equals || self == .differs }

        func holds(_ left: Double, _ right: Double) -> Bool {
            switch self {
            case .equals: left == right
            case .differs: left != right
            case .atMost: left <= right
            case .atLeast: left >= right
            case .below: left < right
            case .above: left > right
            }
        }
    }

    /// A comparison of two sides.
    public struct Term: Sendable, Equatable {
        /// The left side.
        public var left: String
        /// Relation between the sides.
        public let relation: Relation
        /// The right side.
        public var right: String
    }

    /// Error for a text that is not a condition.
    public struct Malformed: Error, Equatable {
        /// Part of the text that is not a valid term.
        public let part: String
    }

    /// Error in the evaluation of a term.
    public enum Problem: Error, Equatable {
        /// Neither side is a known name.
        case namesNothing(Term)
        /// The values of the two sides are of different kinds.
        case incomparable(left: String, Relation, right: String)
    }

    /// Signs of the relations in search order, which is longer signs first.
    private static let signs: [(String, Relation)] = [
        ("==", .equals), ("!=", .differs), ("<=", .atMost), (">=", .atLeast), ("<", .below), (">", .above),
        ("=", .equals),
    ]
    /// The signs of all relations, for hints.
    public static let relations = signs.dropLast().map(\.0).joined(separator: " ")

    /// Alternatives; at least one of them must be true.
    ///
    /// An alternative is true if all of its terms are true.
    public private(set) var choices: [[Term]]

    /// Reads a condition.
    public init(_ text: String) throws(Malformed) {
        choices = []
        for choice in Self.parts(text, at: ["||", " or "]) {
            var terms: [Term] = []
            for part in Self.parts(choice, at: ["&&", " and "]) { terms.append(try Self.term(part)) }
            choices.append(terms)
        }
    }

    private static func term(_ part: String) throws(Malformed) -> Term {
        for (sign, relation) in signs {
            let sides = parts(part, at: [sign]).map { $0.split(separator: " ").joined(separator: " ") }
            guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else { continue }
            return Term(left: sides[0], relation: relation, right: sides[1])
        }
        throw Malformed(part: part)
    }

    /// Splits a text at marks.
    ///
    /// Marks in quotes and in the brackets of policy parameters are ignored.
    private static func parts(_ text: String, at marks: [String]) -> [String] {
        var parts = [""]
        var rest = text[...]
        var quote: Character?
        var depth = 0
        while let next = rest.first {
            if quote == nil, depth == 0, let mark = marks.first(where: rest.hasPrefix) {
                parts.append("")
                rest = rest.dropFirst(mark.count)
                continue
            }
            if next == quote { quote = nil } else if quote == nil, next == "'" || next == "\"" { quote = next }
            if quote == nil, next == "[" { depth += 1 } else if quote == nil, next == "]" { depth -= 1 }
            parts[parts.count - 1].append(next)
            rest = rest.dropFirst()
        }
        return parts
    }

    /// Returns the condition with every term replaced.
    public func replacing<Failure>(_ change: (Term) throws(Failure) -> Term) throws(Failure) -> Condition {
        var changed = self
        for choice in choices.indices {
            for term in choices[choice].indices {
                changed.choices[choice][term] = try change(choices[choice][term])
            }
        }
        return changed
    }

    /// Whether the condition is true.
    ///
    /// Every term is evaluated, so that unknown names are always reported.
    ///
    /// - Parameter value: Returns the value of a name; nil for an unknown name.
    public func holds(_ value: (String) -> String?) throws(Problem) -> Bool {
        var holds = false
        for terms in choices {
            var all = true
            for term in terms { all = try Self.holds(term, value) && all }
            holds = holds || all
        }
        return holds
    }

    private static func holds(_ term: Term, _ value: (String) -> String?) throws(Problem) -> Bool {
        let (left, right) = (Side(term.left, value), Side(term.right, value))
        guard left.isNamed || right.isNamed else { throw .namesNothing(term) }
        if let one = left.number, let other = right.number, one.dimension == other.dimension {
            return term.relation.holds(one.base * left.factor, other.base * right.factor)
        }
        guard term.relation.isOfWords, left.number == nil || right.number == nil else {
            throw .incomparable(left: left.text, term.relation, right: right.text)
        }
        return (term.relation == .equals) == (left.text == right.text)
    }

    /// Value of one side of a term.
    private struct Side {
        let text: String
        var factor = 1.0
        var isNamed = false

        var number: WrittenNumber? { WrittenNumber(text) }

        init(_ side: String, _ value: (String) -> String?) {
            if let named = value(side) {
                (text, isNamed) = (named, true)
                return
            }
            let parts = side.split(separator: "*", maxSplits: 1).map { String($0.trimmingPrefix(" ")) }
            if parts.count == 2, let number = Double(parts[0].filter { $0 != " " }), let named = value(parts[1]) {
                (text, factor, isNamed) = (named, number, true)
                return
            }
            text = Condition.unquoted(side)
        }
    }

    /// Returns a value without surrounding quotes.
    public static func unquoted(_ side: String) -> String {
        guard side.count > 1, let first = side.first, first == side.last, "'\"".contains(first) else { return side }
        return String(side.dropFirst().dropLast())
    }
}
