// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Foundation
import TestSupport
import Testing

/// What README and the pages of `docs` promise is bound to what shows it, see `Claims`.
@Suite struct ClaimTests {
    private static let table = "docs/evidence/claims.md"
    /// Pages that a command writes; those of `docs/evidence` are not read at all.
    private static let generated = ["docs/reference/systems.md"]

    private static var pages: [String] {
        get throws {
            let docs = try ["docs", "docs/reference"].flatMap { folder in
                try FileManager.default.contentsOfDirectory(
                    atPath: SourceTree.root.appending(path: folder).path()
                ).filter { $0.hasSuffix(".md") }.map { folder + "/" + $0 }
            }
            return ["README.md"] + docs.filter { !generated.contains($0) }.sorted()
        }
    }

    @Test func `every claim of a page is bound to what shows it, or is known not to be`() throws {
        var found: [String: [String]] = [:]
        for page in try Self.pages {
            found[page] = try Claims.of(SourceTree.text(page)).filter(\.proofs.isEmpty).map {
                "line \($0.line): \($0.text)"
            }
        }
        try Baseline("claims").check(found.filter { !$0.value.isEmpty }, "sentences that nothing is said to show")
    }

    @Test func `whatever is said to show a claim exists`() throws {
        let tests = try SourceTree.files(below: "Tests").flatMap(\.lines)
        let suites = Set(
            tests.flatMap { line in
                let names = Prose.identifiers(line)
                return zip(names, names.dropFirst()).filter { $0.0 == "struct" }.map(\.1)
            })
        let titles = Set(
            tests.filter { $0.contains("func `") }.compactMap { line in
                line.split(separator: "`").dropFirst().first.map(String.init)
            })
        let targets = Set(
            try SourceTree.text("Makefile").split(separator: "\n").compactMap {
                $0.split(separator: ":").first.map(String.init)
            })
        let usage = try SourceTree.text("docs/reference/commands.md")
        for page in try Self.pages {
            for claim in Claims.of(try SourceTree.text(page)) {
                for proof in claim.proofs {
                    let words = proof.split(separator: " ").map(String.init)
                    let isThere =
                        switch words.first {
                        case "source": words.count == 1
                        case "test": titles.contains(words.dropFirst().joined(separator: " "))
                        case "make": words.count > 1 && targets.contains(words[1])
                        case "flotsam": words.count > 1 && usage.contains("`flotsam \(words[1]) ")
                        case let suite?: words.count == 1 && suites.contains(suite)
                        case nil: false
                        }
                    #expect(isThere, "\(page):\(claim.line): there is no \"\(proof)\"")
                    for path in words.dropFirst() where path.contains("/") && !path.hasPrefix("results/") {
                        #expect(Citations.exists(path), "\(page):\(claim.line): \(path)")
                    }
                }
            }
        }
    }

    @Test func `the table of claims has them all, and is written when it is asked for`() throws {
        var rows = 0
        var text = """
            # Claims

            Sentences of README and docs that state a figure or a guarantee, and the suite of tests
            (`make test TEST_FLAGS="--filter SUITE"`), the command or the source that shows each.
            Written by `FLOTSAM_UPDATE_TIDY=1 swift test --filter TidyTests` from the markers in the pages.

            """
        for page in try Self.pages {
            let claims = Claims.of(try SourceTree.text(page)).filter { !$0.proofs.isEmpty }
            if claims.isEmpty { continue }
            let link = page.hasPrefix("docs/") ? "../" + page.dropFirst(5) : "../../" + page
            text += "\n## [\(page)](\(link))\n\n| claim | shown by |\n|---|---|\n"
            for claim in claims {
                let proofs = claim.proofs.map { $0 == "source" ? "the source named" : "`\($0)`" }.joined(
                    separator: ", ")
                text += "| \(claim.text.replacing("|", with: "\\|")) | \(proofs) |\n"
                rows += 1
            }
        }
        #expect(rows > 100)
        if FilePath.environment("FLOTSAM_UPDATE_TIDY") != nil {
            try replaceFile(SourceTree.root.path() + Self.table, with: text)
        }
    }

    @Test func `figures and guarantees are found, names with digits are not`() {
        let page = """
            # 3 things

            Since iOS 13 it is so, says WWDC20 session 10063. It takes 30 s. The same seed
            never gives other bytes; `a 4` is code.

            * one thing
              in 2 lines

            <!-- shown by: TidyTests; make test -->

            | a | 5 % |

                8 in code
            """
        let claims = Claims.of(page)
        #expect(
            claims.map(\.text) == [
                "It takes 30 s.", "The same seed never gives other bytes; `a 4` is code.", "one thing in 2 lines",
                "a | 5 %",
            ])
        #expect(claims.map(\.proofs.count) == [2, 2, 2, 0])
        #expect(claims.map(\.line) == [3, 3, 6, 11])
    }
}
