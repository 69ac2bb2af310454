// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Collects problems, sources of numbers and requested keys while a configuration is read.
public final class ConfigReport {
    /// Problems so far.
    public private(set) var problems = Diagnostics()
    /// Remarks of the keys `source`, in reading order.
    public private(set) var sources: [SourceNote] = []

    /// Keys that readers requested, with the form of their values; empty unless keys are recorded.
    public private(set) var keys: [KeyNote] = []
    private let recordsKeys: Bool

    /// Creates an empty report.
    ///
    /// - Parameter recordsKeys: Whether to record every key that a reader requests, for the schema of a format.
    public init(recordsKeys: Bool = false) { self.recordsKeys = recordsKeys }

    /// A value that was read, or the default of an omitted key.
    public struct Value: Sendable, Equatable {
        /// Path of the key, for instance `device.memory.ram`.
        public let path: String
        /// Value as in a file.
        public let text: String
    }

    /// Every value with its key so far, including defaults; empty unless values are recorded.
    public private(set) var values: [Value] = []
    private var recordsValues = false

    /// Runs a closure, and records values if `isWanted` is true.
    public func recording<T>(_ isWanted: Bool, _ body: () -> T) -> T {
        recordsValues = isWanted
        defer { recordsValues = false }
        return body()
    }

    /// Records a value if values are recorded.
    ///
    /// A value without a text is omitted.
    public func record(value key: String, of path: String, _ text: @autoclosure () -> String?) {
        guard recordsValues, let text = text() else { return }
        values.append(Value(path: path.isEmpty ? key : "\(path).\(key)", text: text))
    }

    /// Records a key if keys are recorded.
    func record(key: String, of path: String, _ shape: ValueShape, isRequired: Bool) {
        if recordsKeys { keys.append(KeyNote(path: path, key: key, shape: shape, isRequired: isRequired)) }
    }

    /// Adds a problem.
    ///
    /// - Parameter hint: Hint for the user, which is computed only if the problem is kept.
    public func add(_ problem: Diagnostic, hint: () -> String? = { nil }) { problems.append(problem, hint: hint) }
    /// Adds problems from another collection.
    public func add(_ more: Diagnostics) { problems.append(contentsOf: more) }
    /// Removes a problem that is the consequence of another problem.
    func remove(_ problem: Diagnostic) { problems.remove(problem) }
    /// Adds a remark about the source of a number.
    func record(_ source: SourceNote) { sources.append(source) }
}

/// A key that a reader requested.
public struct KeyNote: Hashable, Sendable {
    /// Path of the map that contains the key.
    public let path: String
    /// Name of the key.
    public let key: String
    /// Form of the value.
    public let shape: ValueShape
    /// Whether the key is required.
    public let isRequired: Bool

    /// Creates a note.
    public init(path: String, key: String, shape: ValueShape, isRequired: Bool) {
        self.path = path
        self.key = key
        self.shape = shape
        self.isRequired = isRequired
    }
}

/// Source of a number in a model.
public struct SourceNote: Hashable, Sendable {
    /// File that contains the remark.
    public let file: String
    /// Path of the value in the file, for instance `memory.ram`.
    public let path: String
    /// Source, or the word `assumption` with a reason.
    public let text: String

    /// Creates a remark.
    public init(file: String, path: String, text: String) {
        self.file = file
        self.path = path
        self.text = text
    }

    /// Whether the number is an assumption.
    public var isAssumption: Bool { text.lowercased().hasPrefix("assum") }
}

/// A node with its path, for messages, and with the report that collects problems.
public struct Cursor {
    /// The node.
    public let node: Node
    /// Path of the node from the root; empty for the root.
    public let path: String
    /// Report that receives problems.
    public let report: ConfigReport

    /// Creates a cursor.
    public init(_ node: Node, path: String = "", report: ConfigReport) {
        self.node = node
        self.path = path
        self.report = report
    }

    /// Reports a problem with this value.
    ///
    /// - Parameter hint: Hint for the user, which is computed only if the problem is kept.
    public func fail(_ message: String, hint: @autoclosure () -> String? = nil) {
        report.add(problem(message, hint: nil), hint: hint)
    }

    /// Creates a problem with this value, but does not report it.
    func problem(_ message: String, hint: String?) -> Diagnostic {
        node.location.problem(message.shortened + Self.suffix(path), hint: hint)
    }

    /// Reports a warning about this value.
    public func warn(_ message: String, hint: String? = nil) {
        var problem = problem(message, hint: hint)
        problem.severity = .warning
        report.add(problem)
    }

    /// Reports that another kind of value was expected.
    public func expected(_ what: String, hint: @autoclosure () -> String? = nil) {
        fail("expected \(what), found \(node.found)", hint: hint())
    }

    /// Cursor of a child.
    public func child(_ node: Node, key: String) -> Cursor {
        Cursor(node, path: path.isEmpty ? key : "\(path).\(key)", report: report)
    }

    /// Cursor of an item of a list.
    public func item(_ node: Node, index: Int) -> Cursor { Cursor(node, path: "\(path)[\(index)]", report: report) }

    static func suffix(_ path: String) -> String { path.isEmpty ? "" : " (at \(path))" }
}
