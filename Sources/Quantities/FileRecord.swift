// SPDX-License-Identifier: GPL-3.0-or-later

/// One number of a value that files write as a small map.
public struct FileField: Sendable {
    /// Its key.
    public let name: String
    /// Its dimension; nil for a plain number.
    public let dimension: Dimension?
    /// What is allowed, in the SI base unit.
    public let range: ClosedRange<Double>
    /// A plain number as files write one.
    public let example: String
    /// Whether it may be left out.
    public let isOptional: Bool

    /// A number with a unit.
    public static func quantity(
        _ name: String, _ dimension: Dimension, _ range: ClosedRange<Double>, isOptional: Bool = false
    ) -> FileField {
        FileField(name: name, dimension: dimension, range: range, example: "", isOptional: isOptional)
    }

    /// A plain number.
    public static func number(_ name: String, _ range: ClosedRange<Double>, example: String) -> FileField {
        FileField(name: name, dimension: nil, range: range, example: example, isOptional: false)
    }
}

/// What is wrong with numbers each of which is allowed.
public struct FileFieldProblem: Error {
    /// The key to point at.
    public let field: String
    /// What was expected there.
    public let expectation: String
    /// How to mend it, if what was found does not say enough.
    public let hint: String?

    /// Creates a problem.
    public init(_ field: String, expected expectation: String, hint: String? = nil) {
        self.field = field
        self.expectation = expectation
        self.hint = hint
    }
}

/// How files write a value as a small map of numbers, such as `{median: 12 s, sigma: 1.8}`.
public struct FileRecord: Sendable {
    /// The numbers of one value in SI base units, in the order of the fields; nil for one that is left out.
    public typealias Numbers = [Double?]

    /// A value as files write one.
    public let example: String
    /// What errors call it.
    public let what: String
    /// Its numbers.
    public let fields: [FileField]
    /// What is wrong with them together.
    public let problem: @Sendable (Numbers) -> FileFieldProblem?

    /// Creates a shape.
    public init(
        _ what: String, example: String, fields: [FileField],
        problem: @escaping @Sendable (Numbers) -> FileFieldProblem? = { _ in nil }
    ) {
        self.what = what
        self.example = example
        self.fields = fields
        self.problem = problem
    }
}

/// What the items of a list must fulfil together.
public struct FileListRule: Sendable {
    /// As an error says it.
    public let expectation: String
    /// Whether they do.
    public let holds: @Sendable ([FileRecord.Numbers]) -> Bool

    /// Creates a rule.
    public init(_ expectation: String, holds: @escaping @Sendable ([FileRecord.Numbers]) -> Bool) {
        self.expectation = expectation
        self.holds = holds
    }
}
