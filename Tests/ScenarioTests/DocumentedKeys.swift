// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Testing

@testable import Scenario

/// The meanings of keys, read from the tables in which the documents list them.
struct DocumentedKeys {
    /// A section of a document whose table lists keys, and where these keys stand in an experiment.
    private struct Section {
        let file: String
        /// Heading below which the table stands.
        let heading: String
        let roots: [String]
    }

    private static let appRoots = ["apps.apps.*", "apps.categories.*", "apps[]", "app"]

    private static let sections = [
        Section(file: "docs/experiment-files.md", heading: "Keys", roots: [""]),
        Section(file: "docs/experiment-files.md", heading: "Targets", roots: ["targets[]"]),
        Section(file: "models/devices/README.md", heading: "Device models", roots: ["device"]),
        Section(file: "models/devices/README.md", heading: "Processors", roots: ["device.processor"]),
        Section(
            file: "models/devices/README.md", heading: "Radios",
            roots: ["device.radios.wifi", "device.radios.cellular"]),
        Section(file: "models/devices/README.md", heading: "Chargers", roots: ["user.persona.charging.charger"]),
        Section(file: "models/devices/README.md", heading: "Cells", roots: ["device.battery.cell"]),
        Section(file: "models/apps/README.md", heading: "App catalogues", roots: appRoots),
        Section(file: "models/personas/README.md", heading: "Personas", roots: ["user.persona"]),
        Section(file: "models/populations/README.md", heading: "Populations", roots: ["user.population"]),
    ]

    /// A documented key, with every path at which it may stand.
    struct Key {
        let file: String
        let name: String
        let paths: [String]
        let meaning: String
    }

    private(set) var keys: [Key] = []

    /// Reads the documents below a folder.
    init(root: String) throws {
        for section in Self.sections {
            let bytes = try readFile("\(root)/\(section.file)")
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            let before = keys.count
            for row in Self.rows(of: lines, below: section.heading) { add(row, section) }
            #expect(keys.count > before, "no keys below \(section.heading) of \(section.file)")
        }
    }

    /// Meanings by path.
    var meanings: [String: String] {
        var meanings: [String: String] = [:]
        for key in keys where !key.meaning.isEmpty {
            for path in key.paths { meanings[path] = key.meaning }
        }
        return meanings
    }

    /// The cells of the rows of the tables between a heading and the next.
    private static func rows(of lines: [String], below heading: String) -> [(names: String, meaning: String)] {
        var isInside = false
        var column: Int?
        var rows: [(String, String)] = []
        for line in lines {
            if line.hasPrefix("#") {
                let title = line.drop { $0 == "#" || $0 == " " }
                isInside = title == heading || title.hasPrefix(heading + " (")
            }
            guard isInside, line.hasPrefix("|") else { continue }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map {
                $0.drop { $0 == " " }
            }
            if let index = cells.firstIndex(where: { $0.hasPrefix("meaning") }) { column = index }
            guard let column, column < cells.count, cells[0].hasPrefix("`") else { continue }
            rows.append((String(cells[0]), String(cells[column])))
        }
        return rows
    }

    private mutating func add(_ row: (names: String, meaning: String), _ section: Section) {
        var meaning = row.meaning.replacing("`", with: "")
        while meaning.last == " " { meaning.removeLast() }
        var parent = ""
        // Names stand between backticks; one without a dot is a neighbour of the one before.
        for (index, part) in row.names.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where !index.isMultiple(of: 2) {
            var name = String(part)
            if let dot = name.lastIndex(of: ".") { parent = String(name[...dot]) } else { name = parent + name }
            if name.contains(where: \.isUppercase) || name.hasSuffix("…") { continue }
            let names =
                name.hasPrefix("….")
                ? ["efficiency", "performance"].map { $0 + name.dropFirst() } : [name]
            let paths = section.roots.flatMap { root in names.map { root.isEmpty ? $0 : "\(root).\($0)" } }
            keys.append(Key(file: section.file, name: name, paths: paths, meaning: meaning))
        }
    }
}
