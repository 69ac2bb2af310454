// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Vocabulary

extension ModelLibrary {
    /// A value of a model with its source.
    public struct ShownValue: Sendable, Equatable {
        /// Path of the value in the model, as in `--set` and sweeps.
        public let key: String
        /// Value as in its file.
        public let text: String
        /// File that contains the value: the model's own file, or a file that the model is based on.
        public let file: String
        /// Line of the value in the file.
        public let line: Int
        /// Source of the value, reason of the assumption, or remark on the line; empty if the file contains none of
        /// them.
        public let source: String
        /// Whether the value is an assumption.
        public let isAssumed: Bool
    }

    /// A model with all its values, including inherited ones.
    public struct ShownModel: Sendable {
        /// File of the model, followed by the files that the model is based on.
        public let files: [String]
        /// Values in the order of the files.
        public let values: [ShownValue]
    }

    /// Reads all values of a model, including inherited ones.
    ///
    /// - Throws: The problems of the file or, if there is no such model, an error with the most similar name.
    public func shown(_ kind: Kind, named name: String) throws(Diagnostics) -> ShownModel {
        let report = ConfigReport()
        let trees = ModelTrees(library: self, report: report)
        let cursor = Cursor(try YAML.parse(SourceText(name: "--show", text: name)).get(), report: report)
        guard let whole = trees.whole(cursor, kind), report.problems.isEmpty else {
            throw Diagnostics(
                report.problems.list.map { problem in
                    problem.location?.file == "--show" ? Diagnostic(problem.message, hint: problem.hint) : problem
                })
        }
        var reasons: [String: [(key: String, reason: String)]] = [:]
        for path in trees.paths {
            guard let root = trees.load(path) else { continue }
            reasons[path] = Assumption.all(in: root, file: path).map { ($0.key, $0.reason) }
        }
        var walk = ModelWalk(reasons: reasons)
        walk.visit(whole, key: "", source: nil)
        return ShownModel(files: trees.paths, values: walk.values)
    }

    /// Apps in a catalogue, in descending order of reach.
    ///
    /// - Throws: The problems of the file, or an error if there is no such catalogue.
    public func apps(named name: String) throws(Diagnostics) -> [AppModel] {
        let report = ConfigReport()
        let trees = ModelTrees(library: self, report: report)
        let cursor = Cursor(try YAML.parse(SourceText(name: "--apps", text: name)).get(), report: report)
        guard let whole = trees.whole(cursor, .apps),
            let selection = AppCatalogueReader.read(Cursor(whole, report: report), base: whole),
            report.problems.isEmpty
        else { throw report.problems }
        return selection.catalogue.apps(count: nil)
    }
}

/// Collects the values of an expanded tree.
private struct ModelWalk {
    /// Assumptions of each file.
    let reasons: [String: [(key: String, reason: String)]]
    var values: [ModelLibrary.ShownValue] = []

    init(reasons: [String: [(key: String, reason: String)]]) { self.reasons = reasons }

    /// Visits a node.
    ///
    /// - Parameter source: Remark of the enclosing map. It applies to the values of the map that are from the same
    ///   file.
    mutating func visit(_ node: Node, key: String, source: Node?) {
        if let value = node.plainValue {
            return add(value, key, node["source"]?.scalar ?? text(source, of: value))
        }
        guard let entries = node.entries else { return add(node, key, text(source, of: node)) }
        let own = node["source"]
        for entry in entries where !Node.remarks.contains(entry.key) && !(key.isEmpty && entry.key == "schema") {
            let path = key.isEmpty ? entry.key : "\(key).\(entry.key)"
            visit(entry.value, key: path, source: own?[entry.key] ?? (own?.scalar == nil ? nil : own))
        }
    }

    /// Text of a remark, if it is from the same file as the value.
    private func text(_ source: Node?, of value: Node) -> String? {
        source?.location.source.name == value.location.source.name ? source?.scalar : nil
    }

    /// Comment after a value on the same line.
    ///
    /// Model files use such comments for sources.
    private static func comment(_ node: Node) -> String? {
        let lines = node.location.source.lines
        guard lines.indices.contains(node.location.line - 1) else { return nil }
        let rest = lines[node.location.line - 1].dropFirst(node.location.column - 1)
        return rest.firstRange(of: " # ").map { String(rest[$0.upperBound...]) }
    }

    private mutating func add(_ node: Node, _ key: String, _ source: String?) {
        let file = node.location.source.name
        let reason = reasons[file]?.first { key == $0.key || key.hasPrefix($0.key + ".") }?.reason
        values.append(
            ModelLibrary.ShownValue(
                key: key, text: node.label, file: file, line: node.location.line,
                source: reason ?? source ?? Self.comment(node) ?? "",
                isAssumed: reason != nil))
    }
}
