// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files

/// Expands names, paths and `{base: …, overrides}` to whole trees; reads every file once.
final class ModelTrees {
    let library: ModelLibrary
    let report: ConfigReport
    /// Folder to which paths in options of the command line are relative.
    let folder: String
    private var files: [String: Node] = [:]
    private var failed: Set<String> = []
    /// Model files read so far, in that order.
    private(set) var paths: [String] = []
    /// Whole trees returned so far, without duplicates.
    private(set) var wholes: [Node] = []
    private var texts: Set<String> = []

    init(library: ModelLibrary, report: ConfigReport, folder: String = ".") {
        self.library = library
        self.report = report
        self.folder = folder
    }

    /// Folder to which a path in a value is relative: that of the file that contains the value.
    func folder(of node: Node) -> String {
        let file = node.location.source.name
        return file.hasPrefix("--") ? folder : FilePath.folder(of: file)
    }

    /// Whole tree of a value, which is the name of a model, the path of a file, or a map that may name its base.
    func whole(_ cursor: Cursor, _ kind: ModelLibrary.Kind) -> Node? {
        guard let whole = whole(cursor, kind, above: []) else { return nil }
        if texts.insert(whole.canonical).inserted { wholes.append(whole) }
        return whole
    }

    /// Whole tree of the model that a value names or is based on; nil when the value is written in full.
    func base(of cursor: Cursor, _ kind: ModelLibrary.Kind) -> Node? {
        let names = [cursor.node.scalar == nil ? nil : cursor.node, cursor.node["catalog"], cursor.node["base"]]
        guard let name = names.compactMap({ $0 }).first else { return nil }
        return whole(Cursor(name, path: cursor.path, report: report), kind, above: [])
    }

    private func whole(_ cursor: Cursor, _ kind: ModelLibrary.Kind, above: [String]) -> Node? {
        if let word = cursor.node.scalar { return model(word, cursor, kind, above: above) }
        if kind == .apps, cursor.node.items != nil { return cursor.node }
        guard cursor.node.entries != nil else {
            cursor.expected("the name of \(article(kind.noun)) or a map")
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
            cursor.fail("the bases of \"\(word)\" lead back to it")
            return nil
        }
        guard let node = load(path) else { return nil }
        let inner = Cursor(node, report: report)
        return whole(inner, kind, above: above + [path])
    }

    /// Path of a word; a word with a slash or an extension is a path, and any other word is a name.
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
            ?? "no \(kind.noun) is installed; FLOTSAM_MODELS names the folder of models"
        cursor.fail("unknown \(kind.noun) \"\(word)\"", hint: hint)
    }

    /// Tree of a file; its problems are reported once.
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

/// Reports a missing file, with the most similar name.
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
        hint = "paths are seen from the file that names them"
    }
    cursor.fail("no file \"\(word)\"", hint: hint)
}
