// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files

/// Expands names, paths and `{base: …, overrides}` to whole trees.
///
/// Every file is read once.
final class ModelTrees {
    let library: ModelLibrary
    let report: ConfigReport
    /// Folder for relative paths in `--set` options.
    let folder: String
    private var files: [String: Node] = [:]
    private var failed: Set<String> = []
    /// Model files that were read, in the order of reading.
    private(set) var paths: [String] = []
    /// Expanded trees that were returned, without duplicates.
    private(set) var wholes: [Node] = []
    private var texts: Set<String> = []

    init(library: ModelLibrary, report: ConfigReport, folder: String = ".") {
        self.library = library
        self.report = report
        self.folder = folder
    }

    /// Folder for relative paths in a value, which is the folder of the file that contains the value.
    func folder(of node: Node) -> String {
        let file = node.location.source.name
        return file.hasPrefix("--") ? folder : FilePath.folder(of: file)
    }

    /// Expands a value, which is the name of a model, the path of a file, or a map with an optional base.
    func whole(_ cursor: Cursor, _ kind: ModelLibrary.Kind) -> Node? {
        guard let whole = whole(cursor, kind, above: []) else { return nil }
        if texts.insert(whole.canonical).inserted { wholes.append(whole) }
        return whole
    }

    /// Expanded tree of the model that a value names or is based on; nil if the value names no model.
    func base(of cursor: Cursor, _ kind: ModelLibrary.Kind) -> Node? {
        let names = [cursor.node.scalar == nil ? nil : cursor.node, cursor.node["catalog"], cursor.node["base"]]
        guard let name = names.compactMap({ $0 }).first else { return nil }
        return whole(Cursor(name, path: cursor.path, report: report), kind, above: [])
    }

    private func whole(_ cursor: Cursor, _ kind: ModelLibrary.Kind, above: [String]) -> Node? {
        if let word = cursor.node.scalar { return model(word, cursor, kind, above: above) }
        if kind == .apps, cursor.node.items != nil { return cursor.node }
        guard cursor.node.entries != nil else {
            cursor.expected("a map, or the name of \(article(kind.noun))")
            return nil
        }
        let key = kind == .apps && cursor.node["catalog"] != nil ? "catalog" : "base"
        guard let base = cursor.node[key] else { return cursor.node }
        let baseCursor = cursor.child(base, key: key)
        if key == "catalog", base.entries != nil {
            return whole(baseCursor, kind, above: above).map { cursor.node.without(key).laid(over: $0) }
        }
        guard let word = base.scalar else {
            baseCursor.expected("the name of \(article(kind.noun))")
            return nil
        }
        guard let below = model(word, baseCursor, kind, above: above) else { return nil }
        return cursor.node.without(key).laid(over: below)
    }

    private func model(_ word: String, _ cursor: Cursor, _ kind: ModelLibrary.Kind, above: [String]) -> Node? {
        let folder = folder(of: cursor.node)
        guard let path = path(word, kind, from: folder) else {
            reportMissing(word, cursor, kind, from: folder)
            return nil
        }
        guard !above.contains(path) else {
            cursor.fail("the bases of \"\(word)\" form a cycle")
            return nil
        }
        guard let node = load(path) else { return nil }
        let inner = Cursor(node, report: report)
        return whole(inner, kind, above: above + [path])
    }

    /// Path of a model.
    ///
    /// A word with a slash or the extension `.yaml` is a path; any other word is a name.
    private func path(_ word: String, _ kind: ModelLibrary.Kind, from folder: String) -> String? {
        guard word.contains("/") || word.hasSuffix(".yaml") else { return library.path(kind, word) }
        let path = FilePath.join(folder, word)
        return FilePath.exists(path) ? FilePath.short(path) : nil
    }

    private func reportMissing(_ word: String, _ cursor: Cursor, _ kind: ModelLibrary.Kind, from folder: String) {
        if word.contains("/") || word.hasSuffix(".yaml") {
            reportMissingFile(word, cursor, from: folder)
            return
        }
        let names = library.names(kind)
        let hint =
            nameHint(word, in: names, all: "flotsam list \(kind.rawValue)")
            ?? "no \(kind.noun) is installed; set FLOTSAM_MODELS to the folder of models"
        cursor.fail("unknown \(kind.noun) \"\(word)\"", hint: hint)
    }

    /// Tree of a file.
    ///
    /// The problems of a file are reported only once.
    func load(_ path: String) -> Node? {
        if let node = files[path] { return node }
        if failed.contains(path) { return nil }
        switch YAML.load(path: path) {
        case .success(let node):
            files[path] = node
            paths.append(path)
            return node
        case .failure(let problems):
            failed.insert(path)
            report.add(problems)
            return nil
        }
    }
}

/// Reports a missing file, and suggests the most similar name.
func reportMissingFile(_ word: String, _ cursor: Cursor, from folder: String) {
    let path = FilePath.join(folder, word)
    let folder = FilePath.folder(of: path)
    let near = nearest(to: FilePath.name(of: word), in: directoryEntries(folder))
    let hint: String
    if let near {
        hint = "did you mean \"\(FilePath.join(FilePath.folder(of: word), near))\"?"
    } else if !isDirectory(folder) {
        hint = "there is no folder \(folder)"
    } else {
        hint = "paths are relative to the file that contains them"
    }
    cursor.fail("no file \"\(word)\"", hint: hint)
}
