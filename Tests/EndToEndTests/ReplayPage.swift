// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation

/// `docs/evidence/replays.md`: one section for each replay of a recording, written by the test that runs the replay.
enum ReplayPage {
    private static let head = """
        # Replays of recordings

        Replays test the energy model against recordings that are not part of this project. With your own copy, this
        command repeats them and writes the page: `FLOTSAM_UPDATE_REPLAYS=1 FLOTSAM_RECORDINGS=FOLDER swift test
        --no-parallel --filter 'RecordedEnergyTests|RecordedPowerlogTests'`. Both replays are indications, not proofs.


        """

    /// Returns whether the page has exactly this section; `FLOTSAM_UPDATE_REPLAYS=1` puts the section there first.
    static func has(_ title: String, _ text: String) throws -> Bool {
        let file = Laboratory.package.appending(path: "docs/evidence/replays.md")
        let section = "## \(title)\n\n\(text)\n"
        var sections = Set(try sections(of: file).filter { !$0.hasPrefix("## \(title)\n") })
        if ProcessInfo.processInfo.environment["FLOTSAM_UPDATE_REPLAYS"] != nil {
            sections.insert(section)
            try (head + sections.sorted().joined(separator: "\n")).write(to: file, atomically: true, encoding: .utf8)
        }
        return try self.sections(of: file).contains(section)
    }

    private static func sections(of file: URL) throws -> [String] {
        guard let page = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return page.components(separatedBy: "\n## ").dropFirst().map { part in
            "## " + (part.hasSuffix("\n") ? part : part + "\n")
        }
    }
}
