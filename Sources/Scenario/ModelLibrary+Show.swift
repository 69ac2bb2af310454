// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Vocabulary

extension ModelLibrary {
    /// A value of a model with where it comes from.
    public struct ShownValue: Sendable, Equatable {
        /// Its path, as `--set` and sweeps name it below the model.
        public let key: String
        /// The value as its file writes it.
        public let text: String
        /// The file that says it: the model's own, or one that it begins from.
        public let file: String
        /// The line there.
        public let line: Int
        /// Its source, why it is assumed, or the remark on its line; empty where the file says none of these.
        public let source: String
        /// Whether nobody measured it.
        public let isAssumed: Bool
    }

    /// A whole model: every value that it has or inherits.
    public struct ShownModel: Sendable {
        /// The file of the model, then those it begins from.
        public let files: [String]
        /// The values in the order of the files.
        public let values: [ShownValue]
    }

    /// Everything that a model says or inherits.
    ///
    /// - Throws: What is wrong with its file, or that there is none, with the nearest name.
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

    /// The apps that a catalogue names, the most widely used first.
    ///
    /// - Throws: What is wrong with its file, or that there is none.
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

/// Walks over a whole tree and collects its values.
private struct ModelWalk {
    /// What each file assumes.
    let reasons: [String: [(key: String, reason: String)]]
    var values: [ModelLibrary.ShownValue] = []

    init(reasons: [String: [(key: String, reason: String)]]) { self.reasons = reasons }

    /// - Parameter source: The remark of the map around, which holds for what the same file says in it.
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

    /// A remark, if it is of the file that says the value.
    private func text(_ source: Node?, of value: Node) -> String? {
        source?.location.source.name == value.location.source.name ? source?.scalar : nil
    }

    /// What stands behind a value on its line: model files name sources there.
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
