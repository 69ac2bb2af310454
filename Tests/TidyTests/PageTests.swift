// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

/// The pages as a reader meets them: found from the index, links that lead somewhere, lines that fit.
@Suite struct PageTests {
    private static func names(_ folder: String, _ ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.appending(path: folder).path())
            .filter { $0.hasSuffix(ending) }.sorted()
    }

    /// Pages of the site, as they are named from `docs`; the table of claims is not committed.
    private static var site: [String] {
        get throws {
            try ["", "reference/", "evidence/"].flatMap { folder in
                try names("docs/" + folder, ".md").map { folder + $0 }
            }.filter { $0 != "evidence/claims.md" }
        }
    }

    private static var pages: [String] {
        get throws {
            try ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "experiments/README.md"]
                + site.map { "docs/" + $0 }
        }
    }

    @Test func `the index names every page`() throws {
        let index = try SourceTree.text("docs/index.md")
        for name in try Self.site where name != "index.md" {
            #expect(index.contains("](\(name))"), "docs/index.md does not name \(name)")
        }
    }

    @Test func `the index of experiments has each with its question, once`() throws {
        let index = try SourceTree.text("experiments/README.md").split(separator: "\n").map(String.init)
        let myths = try Self.names("experiments/myths", ".yaml").map { "myths/" + $0 }
        let files = try Self.names("experiments", ".yaml") + myths
        #expect(files.count > 25)
        for file in files {
            let text = try SourceTree.text("experiments/" + file)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("question: ") }, "\(file)")
            let question = line.dropFirst(10).trimmingCharacters(in: ["\"", " "])
            let row = "| \(question) | [\(file)](\(file)) |"
            let rows = index.filter { $0.hasPrefix(row) }
            #expect(rows.count == 1, "experiments/README.md lacks the row \(row)")
            // What was found is written by `make pages`.
            #expect(rows[0].count > row.count + 10, "\(file) has no answer")
        }
        // Another model finds something else.
        let source = try SourceTree.text("Sources/Phone/Phone.swift")
        let model = try #require(source.firstMatch(of: /modelVersion = "([0-9]+)"/)).1
        #expect(index.contains { $0.contains("with model \(model) ") })
        #expect(index.count { $0.hasPrefix("| ") && $0.contains(".yaml](") } == files.count)
    }

    @Test func `every link within the pages leads to a file, and to a heading of it`() throws {
        var count = 0
        for page in try Self.pages {
            let folder = page.split(separator: "/").dropLast().joined(separator: "/")
            for match in try SourceTree.text(page).matches(of: #/\]\(([^)#: ]*)(#[^) ]*)?\)/#) {
                let target = String(match.output.1)
                let path = target.isEmpty ? page : Self.normalized(folder.isEmpty ? target : folder + "/" + target)
                #expect(Citations.exists(path), "\(page) links to \(path)")
                count += 1
                guard let anchor = match.output.2?.dropFirst(), path.hasSuffix(".md") else { continue }
                let anchors = try SourceTree.text(path).split(separator: "\n").filter { $0.hasPrefix("#") }
                    .map { Self.anchor($0) }
                #expect(anchors.contains(String(anchor)), "\(page) links to #\(anchor) of \(path)")
            }
        }
        #expect(count > 100)
    }

    @Test func `no line of a page is wider than 120 columns, tables and code apart`() throws {
        for page in try Self.pages {
            var isCode = false
            let lines = try SourceTree.text(page).split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() {
                if line.hasPrefix("```") { isCode.toggle() }
                let isFree = isCode || line.hasPrefix("|") || line.hasPrefix("    ") || line.hasPrefix("<!--")
                // An address cannot be broken.
                let longest = line.split(separator: " ").map(\.count).max() ?? 0
                #expect(isFree || line.count <= 120 || longest > 80, "\(page):\(number + 1) has \(line.count) columns")
            }
        }
    }

    /// `docs/../models/x` as `models/x`.
    private static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    /// A heading as links name it: small letters, hyphens for spaces, without signs.
    private static func anchor(_ heading: Substring) -> String {
        let title = heading.drop { $0 == "#" || $0 == " " }.lowercased()
        return String(title.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
    }
}
