// SPDX-License-Identifier: GPL-3.0-or-later

/// One number of a value that files write as a small map.
public struct FileField: Sendable {
    /// Key of the number.
    public let name: String
    /// Dimension of the number; nil for a plain number.
    public let dimension: Dimension?
    /// Allowed range, in the SI base unit.
    public let range: ClosedRange<Double>
    /// Example of a plain number, as in a file.
    public let example: String
    /// Whether the number is optional.
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

/// Problem with numbers that are each allowed but do not fit together.
public struct FileFieldProblem: Error {
    /// Key at which the problem is reported.
    public let field: String
    /// Text of what was expected at the key.
    public let expectation: String
    /// Hint for the user; nil if the expectation is clear enough.
    public let hint: String?

    /// Creates a problem.
    public init(_ field: String, expected expectation: String, hint: String? = nil) {
        self.field = field
        self.expectation = expectation
        self.hint = hint
    }
}

/// Form of a value that files write as a small map of numbers, such as `{median: 12 s, sigma: 1.8}`.
public struct FileRecord: Sendable {
    /// Numbers of one value in SI base units, in the order of the fields; nil for an omitted number.
    public typealias Numbers = [Double?]

    /// Example of a value, as in a file.
    public let example: String
    /// Name of the value in errors.
    public let what: String
    /// Fields of the value.
    public let fields: [FileField]
    /// Checks the numbers together; nil if they are consistent.
    public let problem: @Sendable (Numbers) -> FileFieldProblem?

    /// Creates the form of a value.
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

/// Rule that the items of a list must fulfil together.
public struct FileListRule: Sendable {
    /// Expectation in the words of an error.
    public let expectation: String
    /// Checks the items of a list.
    public let holds: @Sendable ([FileRecord.Numbers]) -> Bool

    /// Creates a rule.
    public init(_ expectation: String, holds: @escaping @Sendable ([FileRecord.Numbers]) -> Bool) {
        self.expectation = expectation
        self.holds = holds
    }
}
