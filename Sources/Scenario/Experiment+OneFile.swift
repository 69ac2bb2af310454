// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Vocabulary

extension Experiment {
    /// The first line of every such file.
    public static let oneFileMark = "# An experiment with all that it reads, written by flotsam check --emit-config."

    /// The experiment as one file: models and settings of the command line laid out, every other value in a comment.
    ///
    /// Recordings stay files of their own, named as the experiment names them; the text belongs into the same folder.
    public var oneFileText: String {
        var text = Self.oneFileMark + "\n# Recordings are named as seen from the folder of the experiment "
        text += "it was made from.\n"
        whole.writeBlock(to: &text, indent: "")
        guard let first = points.first else { return text }
        text += "\n# Every value of the device and of the persona at the first point, by the names that the program "
        text += "uses:\n"
        for (part, value) in [("device", first.device as Any), ("persona", first.user.persona as Any)] {
            let source = SourceText(name: path, text: ResolvedValues.json(value))
            if let node = try? JSONText.parse(source).get().first { node.list(below: part, to: &text) }
        }
        return text
    }
}

extension Experiment {
    /// Every value of the file with its models and overrides laid out, defaults included, as one line of JSON.
    ///
    /// Made when asked for: a worker reads an experiment and does not need it.
    public var resolvedText: String {
        let first = points[0].apps.map(\.name)
        let values = points.enumerated().map { index, point in
            let names = point.apps.map(\.name)
            let apps = index > 0 && names == first ? "\"as in the first point\"" : ResolvedValues.json(names)
            let axes = point.axes.map { [$0.path, $0.value] }
            return "{\"axes\":" + ResolvedValues.json(axes) + ",\"device\":" + ResolvedValues.json(point.device)
                + ",\"persona\":" + ResolvedValues.json(point.user.persona) + ",\"apps\":" + apps + "}"
        }
        return "{\"experiment\":" + whole.complete + ",\"points\":[" + values.joined(separator: ",") + "]}"
    }
}

/// Reads an experiment from the text that a manifest keeps of one: the file with its models laid out.
///
/// - Parameters:
///   - resolved: `resolvedText` of an experiment.
///   - path: Path of the experiment, from whose folder recordings are seen.
///   - catalog: The policies that may be named.
/// - Throws: `Diagnostics` when it cannot be read.
public func loadExperiment(
    resolved: String, path: String, catalog: PolicyCatalog = .builtIn
) throws(Diagnostics) -> Experiment {
    let root = try JSONText.parse(SourceText(name: path, text: resolved)).get()
    guard let whole = root.first?["experiment"] else {
        throw Diagnostics("the text that the manifest keeps of \(path) is damaged")
    }
    var text = ""
    whole.writeBlock(to: &text, indent: "")
    return try loadExperiment(
        SourceText(name: path, text: text), catalog: catalog, library: .located(experiment: path))
}

extension Node {
    /// Writes the tree in the block style of YAML; remarks are left out.
    func writeBlock(to text: inout String, indent: String) {
        for entry in entries ?? [] where !Self.remarks.contains(entry.key) {
            text += indent + Self.word(entry.key, isQuoted: false) + ":"
            entry.value.writeValue(to: &text, indent: indent)
        }
    }

    private func writeValue(to text: inout String, indent: String) {
        if let plain = plainValue { return plain.writeValue(to: &text, indent: indent) }
        switch content {
        case .scalar(let word, let isQuoted):
            text += " " + (isNull ? "null" : Self.word(word, isQuoted: isQuoted)) + "\n"
        case .map(let entries) where entries.isEmpty: text += " {}\n"
        case .map:
            text += "\n"
            writeBlock(to: &text, indent: indent + "  ")
        case .list(let items) where items.isEmpty: text += " []\n"
        case .list(let items):
            text += "\n"
            for item in items {
                text += indent + "  -"
                item.writeItem(to: &text, indent: indent + "    ")
            }
        }
    }

    /// An item of a list, behind its hyphen: its first key stands in the same line.
    private func writeItem(to text: inout String, indent: String) {
        guard plainValue == nil, entries?.isEmpty == false else { return writeValue(to: &text, indent: indent) }
        var block = ""
        writeBlock(to: &block, indent: indent)
        text += " " + block.dropFirst(indent.count)
    }

    /// A scalar as YAML takes it back.
    private static func word(_ word: String, isQuoted: Bool) -> String {
        let plain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " ._%/+-()=".contains($0)) }
        let mayStart = word.first.map { $0.isLetter || $0.isNumber } ?? false
        if plain, mayStart, !isQuoted, word.last != " ", word != "null" { return word }
        return JSONText.quoted(word)
    }

    /// Lists every value of the tree by its path, as comments.
    fileprivate func list(below path: String, to text: inout String) {
        if let entries {
            for entry in entries { entry.value.list(below: path + "." + entry.key, to: &text) }
        } else if let items {
            for (index, item) in items.enumerated() { item.list(below: "\(path).\(index)", to: &text) }
        } else {
            text += "# \(path): \(scalar ?? "null")\n"
        }
    }
}
