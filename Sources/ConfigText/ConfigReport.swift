// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Collects what reading a configuration brings to light: problems, and the sources of its numbers.
public final class ConfigReport {
    /// All problems so far.
    public private(set) var problems = Diagnostics()
    /// The `source:` remarks, in the order read.
    public private(set) var sources: [SourceNote] = []

    /// The keys that readers asked for, with what they take; only when asked to record them.
    public private(set) var keys: [KeyNote] = []
    private let recordsKeys: Bool

    /// Creates an empty report.
    ///
    /// - Parameter recordsKeys: Whether to record every key that is asked for, as the schema of a format needs it.
    public init(recordsKeys: Bool = false) { self.recordsKeys = recordsKeys }

    /// A value that was read, or stands in for one that the file leaves out.
    public struct Value: Sendable, Equatable {
        /// Path of its key, as in `device.memory.ram`.
        public let path: String
        /// The value as files write it.
        public let text: String
    }

    /// Every value read so far by its key, defaults included; only while asked to record them.
    public private(set) var values: [Value] = []
    private var recordsValues = false

    /// Does something while values are recorded, or not.
    public func recording<T>(_ isWanted: Bool, _ body: () -> T) -> T {
        recordsValues = isWanted
        defer { recordsValues = false }
        return body()
    }

    /// Records a value when that is wanted; one without a text is left out.
    public func record(value key: String, of path: String, _ text: @autoclosure () -> String?) {
        guard recordsValues, let text = text() else { return }
        values.append(Value(path: path.isEmpty ? key : "\(path).\(key)", text: text))
    }

    /// Records a key when that is wanted.
    func record(key: String, of path: String, _ shape: ValueShape, isRequired: Bool) {
        if recordsKeys { keys.append(KeyNote(path: path, key: key, shape: shape, isRequired: isRequired)) }
    }

    /// Adds a problem.
    ///
    /// - Parameter hint: How to mend it, which is looked for only when the problem is shown.
    public func add(_ problem: Diagnostic, hint: () -> String? = { nil }) { problems.append(problem, hint: hint) }
    /// Adds problems found elsewhere.
    public func add(_ more: Diagnostics) { problems.append(contentsOf: more) }
    /// Takes back a problem that another explains.
    func remove(_ problem: Diagnostic) { problems.remove(problem) }
    /// Adds a remark on where a number comes from.
    func record(_ source: SourceNote) { sources.append(source) }
}

/// A key that a reader asked for.
public struct KeyNote: Hashable, Sendable {
    /// Path of the map.
    public let path: String
    /// The key.
    public let key: String
    /// What its value may be.
    public let shape: ValueShape
    /// Whether it must be there.
    public let isRequired: Bool

    /// Creates a note.
    public init(path: String, key: String, shape: ValueShape, isRequired: Bool) {
        self.path = path
        self.key = key
        self.shape = shape
        self.isRequired = isRequired
    }
}

/// Where a number of a model comes from.
public struct SourceNote: Hashable, Sendable {
    /// The file the remark stands in.
    public let file: String
    /// Path of the value in that file, as in `memory.ram`.
    public let path: String
    /// The source, or `assumption` with a reason.
    public let text: String

    /// Creates a remark.
    public init(file: String, path: String, text: String) {
        self.file = file
        self.path = path
        self.text = text
    }

    /// Whether the number is assumed.
    public var isAssumption: Bool { text.lowercased().hasPrefix("assum") }
}

/// A node together with its path, for messages, and the report they go to.
public struct Cursor {
    /// The value.
    public let node: Node
    /// Its path from the root, empty at the root.
    public let path: String
    /// Where problems go.
    public let report: ConfigReport

    /// Creates a cursor.
    public init(_ node: Node, path: String = "", report: ConfigReport) {
        self.node = node
        self.path = path
        self.report = report
    }

    /// Reports a problem at this value.
    ///
    /// - Parameter hint: How to mend it, which is looked for only when the problem is shown.
    public func fail(_ message: String, hint: @autoclosure () -> String? = nil) {
        report.add(problem(message, hint: nil), hint: hint)
    }

    /// A problem at this value, not yet reported.
    func problem(_ message: String, hint: String?) -> Diagnostic {
        node.location.problem(message.shortened + Self.suffix(path), hint: hint)
    }

    /// Reports something at this value that does not stop the program.
    public func warn(_ message: String, hint: String? = nil) {
        var problem = problem(message, hint: hint)
        problem.severity = .warning
        report.add(problem)
    }

    /// Reports that something else was expected here.
    public func expected(_ what: String, hint: @autoclosure () -> String? = nil) {
        fail("expected \(what), found \(node.found)", hint: hint())
    }

    /// The same with a child.
    public func child(_ node: Node, key: String) -> Cursor {
        Cursor(node, path: path.isEmpty ? key : "\(path).\(key)", report: report)
    }

    /// The same with an item of a list.
    public func item(_ node: Node, index: Int) -> Cursor { Cursor(node, path: "\(path)[\(index)]", report: report) }

    static func suffix(_ path: String) -> String { path.isEmpty ? "" : " (at \(path))" }
}
