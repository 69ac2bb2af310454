// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

/// Public names that nobody asks for are dead, or not public.
@Suite struct DeadDeclarationTests {
    /// Declarations that the language or the library calls without naming them.
    static let implicit: Set<String> = [
        "description", "debugDescription", "hash", "init", "subscript", "deinit", "body", "makeIterator", "next",
    ]

    @Test func `every public name is used by another file, or is known not to be`() throws {
        let files = try SourceTree.files(below: "Sources") + SourceTree.files(below: "Tests")
        let unused = Self.unused(in: files).map { "\($0.path) \($0.name)" }
        let list = "Tests/TidyTests/baselines/unused-names.txt"
        if ProcessInfo.processInfo.environment["FLOTSAM_UPDATE_TIDY"] != nil {
            let head = "# Public names that only their own file uses; the list may only shrink.\n"
            return try (head + unused.map { $0 + "\n" }.joined()).write(
                to: SourceTree.root.appending(path: list), atomically: true, encoding: .utf8)
        }
        let allowed = try SourceTree.text(list).split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        for name in unused where !allowed.contains(name) {
            Issue.record("\(name): public, and no other file uses it; drop it or its access level")
        }
        for name in allowed where !unused.contains(name) {
            Issue.record("\(name) is used or gone: take it off \(list)")
        }
    }

    @Test func `declarations are found and comments and own uses are not`() {
        let files = [
            SourceFile(
                path: "Sources/A/a.swift",
                text: """
                    /// Says `used` and `lonely`.
                    public struct Used { public let lonely = 1; }
                    @inlinable public static func also(_ x: Int) { lonely }
                    public enum Colours { case red }
                    func hidden() {}
                    public enum Answer { case yes }
                    public func ask(
                        twice: Bool
                    ) -> Answer { Unasked() }
                    public struct Unasked {}
                    """),
            SourceFile(path: "Sources/A/b.swift", text: "let a = Used() // also\nlet b = Colours.self; ask()"),
        ]
        #expect(Self.unused(in: files).map(\.name) == ["Unasked", "also", "lonely"])
    }

    /// Public names of the sources that occur in the code of no file but their own, nor there in the signature of
    /// another public declaration, which makes them public, too.
    static func unused(in files: [SourceFile]) -> [(path: String, name: String)] {
        var filesOfName: [String: Set<Int>] = [:]
        var declared: [(index: Int, name: String)] = []
        var inSignatures: [Set<String>] = Array(repeating: [], count: files.count)
        for (index, file) in files.enumerated() {
            var openParentheses = 0
            for line in file.lines {
                let code = code(of: line)
                let names = Prose.identifiers(code)
                for name in Set(names) { filesOfName[name, default: []].insert(index) }
                guard file.path.hasPrefix("Sources/") else { continue }
                // A key of configuration files is listed beside its property, and used through the list.
                for key in code.matches(of: #/^ +\.\w+\(\\\.(\w+), "/#) { inSignatures[index].insert(String(key.1)) }
                let found = declarations(names)
                declared += found.map { (index, $0) }
                if openParentheses > 0 || names.contains("public") {
                    let signature = code.prefix { $0 != "{" }
                    inSignatures[index].formUnion(Set(Prose.identifiers(signature)).subtracting(found))
                    openParentheses += signature.count { $0 == "(" } - signature.count { $0 == ")" }
                }
            }
        }
        let unused = declared.filter {
            filesOfName[$0.name] == [$0.index] && !inSignatures[$0.index].contains($0.name)
                && !implicit.contains($0.name)
        }
        return Set(unused.map { files[$0.index].path + " " + $0.name }).sorted().map { text in
            let parts = text.split(separator: " ")
            return (String(parts[0]), String(parts[1]))
        }
    }

    /// The line without its comment.
    private static func code(of line: Substring) -> Substring {
        guard let start = line.firstRange(of: "//") else { return line }
        return line[..<start.lowerBound]
    }

    /// The names that a line declares as public.
    private static func declarations(_ names: [String]) -> [String] {
        let kinds: Set<String> = ["func", "var", "let", "struct", "class", "enum", "protocol", "typealias", "actor"]
        var found: [String] = []
        var isPublic = false
        var last = ""
        for name in names {
            if name == "public" { isPublic = true }
            if isPublic, kinds.contains(last), !kinds.contains(name) {
                found.append(name)
                isPublic = false
            }
            last = name
        }
        return found
    }
}
