// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Vocabulary

extension Experiment {
    /// First line of every file that contains an expanded experiment.
    public static let oneFileMark = "# An experiment with all that it reads, written by flotsam check --emit-config."

    /// Text of the experiment as one file.
    ///
    /// Models and `--set` options are expanded. Comments contain all other values of the phone and the persona.
    ///
    /// Recordings remain separate files and keep their names, so the text must be in the folder of the experiment. If
    /// the sweep sets a map or another base in a section, the models of this section are not expanded. The maps are
    /// merged into the named models.
    public var oneFileText: String {
        var text = Self.oneFileMark + "\n# Paths of recordings are relative to the folder of the original "
        text += "experiment.\n"
        let set = Set(points.flatMap { zip($0.axes, $0.settings) }.filter { !$0.1.isNull }.map(\.0.section))
        let entries = (whole.entries ?? []).map { entry -> Node.Entry in
            guard set.contains(entry.key), let named = written[entry.key] else { return entry }
            return Node.Entry(key: entry.key, location: entry.location, value: named)
        }
        if !set.isEmpty {
            text += "# In these sections, models are not expanded, because the sweep sets maps or another base: "
            text += set.sorted().joined(separator: ", ") + "\n"
        }
        Node(.map(entries), at: whole.location).writeBlock(to: &text, indent: "")
        text += "\n# All values of the phone and the persona at the first point, including defaults:\n"
        for value in values { text += "# \(value.path): \(value.text)\n" }
        return text
    }
}

extension Experiment {
    /// Text of the experiment with models and overrides expanded, as one line of JSON that can be read again.
    ///
    /// If values were recorded, the text also contains every value of the first point by its key.
    public var resolvedText: String {
        let here = whole.location
        let values = Node(self.values.map { ($0.path, Node($0.text, at: here)) }, at: here)
        var members = [("experiment", whole), ("values", values)]
        if points.contains(where: { !$0.doubts.isEmpty }) {
            let doubts = points.map { point in Node(.list(point.doubts.map { $0.tree(at: here) }), at: here) }
            members.append(("doubts", Node(.list(doubts), at: here)))
        }
        if points.contains(where: { !$0.settings.allSatisfy(\.isNull) }) {
            members.append(("settings", Node(.list(points.map { Node(.list($0.settings), at: here) }), at: here)))
        }
        return Node(members, at: here).complete
    }
}

/// Reads an experiment from the text in a manifest, which is the experiment file with its models expanded.
///
/// - Parameters:
///   - resolved: `resolvedText` of an experiment.
///   - path: Path of the experiment. Paths of recordings are relative to its folder.
///   - catalog: Policies that the experiment may name.
///   - library: Library of the models that the sweep names; by default, the library found for the path of the
///     experiment.
/// - Throws: `Diagnostics` when the text cannot be read.
public func loadExperiment(
    resolved: String, path: String, catalog: PolicyCatalog = .builtIn, library: ModelLibrary? = nil
) throws(Diagnostics) -> Experiment {
    let root = try resolvedTree(resolved, path: path)
    guard let whole = root["experiment"] else { throw damagedText(path) }
    let loader = ExperimentLoader(
        whole, source: SourceText(name: path, text: resolved), catalog: catalog,
        library: library ?? .located(experiment: path), report: ConfigReport())
    loader.kept = (
        doubts: root["doubts"]?.items?.map { ($0.items ?? []).compactMap(ModelDoubt.init(tree:)) },
        settings: (root["settings"]?.items ?? []).map { $0.items ?? [] }
    )
    return try loader.loaded()
}

extension [Sweep.Setting] {
    /// Replaces the settings by their expanded values, for a tree with expanded models.
    func laidOut(_ values: [Node]) -> [Sweep.Setting] {
        zip(self, values).map { setting, value in
            guard !value.isNull else { return setting }
            return Sweep.Setting(
                path: setting.laidOutPath.joined(separator: "."), location: setting.location, value: value)
        }
    }
}

extension Node {
    /// Appends the tree in the block style of YAML, without remarks.
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

    /// Appends an item of a list after its hyphen.
    ///
    /// The first key of the item is on the line of the hyphen.
    private func writeItem(to text: inout String, indent: String) {
        guard plainValue == nil, entries?.isEmpty == false else { return writeValue(to: &text, indent: indent) }
        var block = ""
        writeBlock(to: &block, indent: indent)
        text += " " + block.dropFirst(indent.count)
    }

    /// Text that YAML reads as the given scalar.
    private static func word(_ word: String, isQuoted: Bool) -> String {
        let plain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " ._%/+-()=".contains($0)) }
        let mayStart = word.first.map { $0.isLetter || $0.isNumber } ?? false
        if plain, mayStart, !isQuoted, word.last != " ", word != "null" { return word }
        return JSONText.quoted(word)
    }
}
