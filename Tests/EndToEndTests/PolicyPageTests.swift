// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The page that shows how to write a policy: what it prints is what is compiled.
@Suite struct PolicyPageTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A fenced block, with the file that the comment before it names.
    struct Block {
        var language: String
        var text: String
        var file: String?
        var isWhole: Bool
    }

    static func blocks() throws -> [Block] {
        let page = try String(contentsOf: root.appending(path: "docs/write-a-policy.md"), encoding: .utf8)
        var found: [Block] = []
        var open: Block?
        var before = ""
        for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                if let block = open {
                    found.append(block)
                    open = nil
                } else {
                    let words = before.split(separator: " ").map(String.init)
                    let isMarked = words.count == 4 && words[0] == "<!--"
                    open = Block(
                        language: String(line.dropFirst(3)), text: "", file: isMarked ? words[2] : nil,
                        isWhole: words.dropFirst().first == "file:")
                }
            } else {
                open?.text += line + "\n"
            }
            before = line
        }
        return found
    }

    @Test func `each code block is a file of the repository, or a part of one`() throws {
        let blocks = try Self.blocks()
        #expect(blocks.count { $0.language == "swift" } >= 5)
        for block in blocks {
            let name = try #require(block.file, "a block without a file: \(block.text)")
            let text = try String(contentsOf: Self.root.appending(path: name), encoding: .utf8)
            #expect(block.isWhole ? text == block.text : text.contains(block.text), "\(name) differs from the page")
        }
    }

    @Test func `the page shows every source file of the outside example`() throws {
        let shown = Set(try Self.blocks().filter(\.isWhole).compactMap(\.file))
        let folder = "docs/examples/outside-policy"
        let sources = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "\(folder)/Sources/my-flotsam").path)
        for name in sources { #expect(shown.contains("\(folder)/Sources/my-flotsam/\(name)")) }
        #expect(shown.contains("\(folder)/Package.swift"))
    }
}
