// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation

/// One Swift file of the package.
public struct SourceFile: Sendable {
    /// Path from the root of the package.
    public let path: String
    /// The lines without their ends.
    public let lines: [Substring]

    /// Creates a file from memory.
    public init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The modules it imports, with line numbers from 1.
    public var imports: [(line: Int, module: String)] {
        lines.enumerated().compactMap { number, line in
            Self.importedModule(line).map { (number + 1, $0) }
        }
    }

    /// Whether it begins with five comment lines besides its licence's (and not with the comment of a declaration).
    public var introducesModule: Bool {
        let start = lines.first?.hasPrefix("// SPDX-") == true ? 1 : 0
        let card = lines.dropFirst(start).prefix(5)
        return card.count == 5 && card.allSatisfy { $0.hasPrefix("// ") && $0.count > 3 }
    }

    /// The module that a line imports, whatever attributes, access level or kind stand before its name.
    private static func importedModule(_ line: Substring) -> String? {
        guard !line.hasPrefix("//") else { return nil }
        var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })
        let levels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        while let word = words.first, word.hasPrefix("@") || levels.contains(word) { words.removeFirst() }
        guard words.first == "import", words.count > 1 else { return nil }
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
        return name.split(separator: ".").first.map(String.init)
    }
}

/// The sources as they lie on disk beside the tests.
public enum SourceTree {
    /// The root of the package.
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of a file, named from the root.
    public static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The folders directly below a folder, sorted.
    public static func folders(below path: String) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: path).path())
        return names.filter { name in
            var isFolder: ObjCBool = false
            let folder = root.appending(path: "\(path)/\(name)").path(percentEncoded: false)
            return FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
        }.sorted()
    }

    /// The names of the files directly below a folder, sorted.
    public static func names(below path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: path).path()).sorted()
    }

    /// All Swift files at any depth below a folder, sorted by path.
    public static func files(below path: String) throws -> [SourceFile] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: path).path())
        return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            SourceFile(path: "\(path)/\(name)", text: try text("\(path)/\(name)"))
        }
    }
}
