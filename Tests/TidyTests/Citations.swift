// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport

/// What a line refers to: files of the repository, and documents that are none of it.
enum Citations {
    private static let folders = [
        "docs", "models", "experiments", "plots", "Benchmarks", "Tests", "Sources", ".github",
    ]
    private static let endings = [".md", ".yaml", ".csv", ".py", ".swift", ".txt", ".json"]

    /// Notes of the makers: they are cited by the path of what is shipped of them, or not at all.
    private static let notes = ["users-and-traces", "lifecycle-and-background", "jetsam-and-memory"]
    private static let topics = ["jetsam", "energy", "lifecycle", "Energy", "Jetsam", "the"]

    /// The documents named in a line that a reader does not have.
    static func unknownSheets(_ line: Substring) -> [String] {
        var found = notes.filter { note in
            let path = "docs/sources/\(note).md"
            return line.replacing(path, with: "").contains(note) || line.contains(path) && !exists(path)
        }
        for topic in topics where line.contains(topic + " sheet") { found.append(topic + " sheet") }
        if line.contains("../shared") || line.contains("/facts/") { found.append("a folder outside") }
        // A section of nothing: "(section 5.6)" is somebody's, but whose?
        for opening in ["(section ", ": section ", "of section ", "those of section "] where found.isEmpty {
            if line.contains(opening), !line.contains("20"), !line.contains("IMC") { found.append(opening + "…") }
        }
        return found
    }

    /// The paths of files of the repository in a line.
    static func paths(_ line: Substring) -> [String] {
        guard folders.contains(where: { line.contains($0 + "/") }) else { return [] }
        let isPart: (Character) -> Bool = { $0.isLetter || $0.isNumber || "/-_.+".contains($0) }
        return line.split { !isPart($0) }.map(String.init).filter { word in
            folders.contains { word.hasPrefix($0 + "/") } && endings.contains { word.hasSuffix($0) }
        }
    }

    /// Whether there is such a file.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: SourceTree.root.appending(path: path).path(percentEncoded: false))
    }
}
