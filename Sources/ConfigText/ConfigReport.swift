// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Collects the problems of a configuration and the sources of its numbers while it is read.
public final class ConfigReport {
    /// Problems so far.
    public private(set) var problems = Diagnostics()
    /// The `source:` remarks, in reading order.
    public private(set) var sources: [SourceNote] = []

    /// Keys that readers requested, with the form of their values; empty unless recording is on.
    public private(set) var keys: [KeyNote] = []
    private let recordsKeys: Bool

    /// Creates an empty report.
    ///
    /// - Parameter recordsKeys: whether to record every key that a reader requests, for the schema of a format.
    public init(recordsKeys: Bool = false) { self.recordsKeys = recordsKeys }

    /// Value that was read, or the default of an omitted key.
    public struct Value: Sendable, Equatable {
        /// Path of its key, as in `device.memory.ram`.
        public let path: String
        /// Value as written in files.
        public let text: String
    }

    /// Every value read so far with its key, defaults included; empty unless recording is on.
    public private(set) var values: [Value] = []
    private var recordsValues = false

    /// Runs a closure with the recording of values on or off.
    public func recording<T>(_ isWanted: Bool, _ body: () -> T) -> T {
        recordsValues = isWanted
        defer { recordsValues = false }
        return body()
    }

    /// Records a value while recording is on; a value without a text is skipped.
    public func record(value key: String, of path: String, _ text: @autoclosure () -> String?) {
        guard recordsValues, let text = text() else { return }
        values.append(Value(path: path.isEmpty ? key : "\(path).\(key)", text: text))
    }

    /// Records a key while recording is on.
    func record(key: String, of path: String, _ shape: ValueShape, isRequired: Bool) {
        if recordsKeys { keys.append(KeyNote(path: path, key: key, shape: shape, isRequired: isRequired)) }
    }

    /// Adds a problem.
    ///
    /// - Parameter hint: hint for the user, computed only when the problem is kept.
    public func add(_ problem: Diagnostic, hint: () -> String? = { nil }) { problems.append(problem, hint: hint) }
    /// Adds problems that were found elsewhere.
    public func add(_ more: Diagnostics) { problems.append(contentsOf: more) }
    /// Removes a problem that another problem explains.
    func remove(_ problem: Diagnostic) { problems.remove(problem) }
    /// Adds a remark about the source of a number.
    func record(_ source: SourceNote) { sources.append(source) }
}

/// Key that a reader asked for.
public struct KeyNote: Hashable, Sendable {
    /// Path of the map with the key.
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
    /// Path of the value in that file, as in `memory.ram`.
    public let path: String
    /// Source, or `assumption` with a reason.
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

/// Node with its path, for messages, and the report that collects them.
public struct Cursor {
    /// Node itself.
    public let node: Node
    /// Path of the node from the root, empty at the root.
    public let path: String
    /// Report that receives problems.
    public let report: ConfigReport

    /// Creates a cursor.
    public init(_ node: Node, path: String = "", report: ConfigReport) {
        self.node = node
        self.path = path
        self.report = report
    }

    /// Reports a problem at this value.
    ///
    /// - Parameter hint: hint for the user, computed only when the problem is kept.
    public func fail(_ message: String, hint: @autoclosure () -> String? = nil) {
        report.add(problem(message, hint: nil), hint: hint)
    }

    /// Creates a problem at this value without reporting it.
    func problem(_ message: String, hint: String?) -> Diagnostic {
        node.location.problem(message.shortened + Self.suffix(path), hint: hint)
    }

    /// Reports a warning at this value.
    public func warn(_ message: String, hint: String? = nil) {
        var problem = problem(message, hint: hint)
        problem.severity = .warning
        report.add(problem)
    }

    /// Reports that something else was expected here.
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
