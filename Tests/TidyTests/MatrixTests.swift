// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

/// `docs/evidence/matrix.md`: what each row of `features.txt` names, whether Flotsam has it, and what shows it.
@Suite struct MatrixTests {
    /// One feature of tools for experiments.
    private struct Feature {
        let group: String
        let name: String
        /// "yes", "no", or "in part" with what is missing.
        let has: String
        /// What to type or to open, in backquotes.
        let shows: String
    }

    private static var features: [Feature] {
        get throws {
            try SourceTree.text("Tests/TidyTests/features.txt").split(separator: "\n").dropFirst().map { line in
                let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
                try #require(cells.count == 4, "\(line)")
                return Feature(group: cells[0], name: cells[1], has: cells[2], shows: cells[3])
            }
        }
    }

    private static func page(_ features: [Feature]) -> String {
        func count(_ word: String) -> Int { features.count { $0.has.hasPrefix(word) } }
        var text = """
            # Features of experiments

            For each of \(features.count) features of tools for simulation experiments, this table shows whether Flotsam
            has it, and a command or key to try. The features are those of OMNeT++ with opp_repl, ns-3 SEM, libCacheSim,
            Caffeine's simulator, Batsim, JaamSim, the commercial packages and NetLogo BehaviorSpace. "In part" is
            followed by what is missing. `FLOTSAM_UPDATE_TIDY=1 swift test --filter TidyTests` writes this page from
            `Tests/TidyTests/features.txt`.

            Flotsam has \(count("yes")) of the \(features.count) features, \(count("in part")) in part, and lacks \
            \(count("no")).

            """
        var group = ""
        for (index, feature) in features.enumerated() {
            if feature.group != group {
                group = feature.group
                text += "\n## \(group)\n\n| # | feature | has it | command |\n|---|---|---|---|\n"
            }
            text += "| \(index + 1) | \(feature.name) | \(feature.has) | \(feature.shows) |\n"
        }
        return text + "\n<!-- shown by: MatrixTests -->\n"
    }

    @Test func `the page of features is what the list gives`() throws {
        let text = Self.page(try Self.features)
        let path = "docs/evidence/matrix.md"
        if ProcessInfo.processInfo.environment["FLOTSAM_UPDATE_TIDY"] != nil {
            try text.write(to: SourceTree.root.appending(path: path), atomically: true, encoding: .utf8)
        }
        #expect(try SourceTree.text(path) == text, "FLOTSAM_UPDATE_TIDY=1 swift test --filter TidyTests")
    }

    @Test func `each feature is there, in part or not, and every command is one of the program's`() throws {
        let usage = try SourceTree.text("docs/reference/commands.md")
        let features = try Self.features
        #expect(features.count == 48)
        for feature in features {
            #expect(["yes", "in part", "no"].contains { feature.has.hasPrefix($0) }, "\(feature.name): \(feature.has)")
            let parts = feature.shows.split(separator: "`", omittingEmptySubsequences: false)
            let quoted = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
            #expect(!quoted.isEmpty, "\(feature.name): nothing to type or to open")
            for words in quoted.map({ $0.split(separator: " ") }) where words.first == "flotsam" {
                let verb = words.dropFirst().first ?? "?"
                #expect(
                    usage.contains("`flotsam \(verb) ") || usage.contains("`\(verb) "), "\(feature.name): \(words)")
            }
        }
    }
}
