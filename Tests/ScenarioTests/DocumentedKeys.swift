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

    private static let appRoots = ["apps.apps.*", "apps.categories.*", "apps.defaults", "apps[]", "app"]

    private static let sections = [
        Section(file: "docs/experiments.md", heading: "Keys", roots: [""]),
        Section(file: "docs/experiments.md", heading: "Targets", roots: ["targets[]"]),
        Section(file: "models/devices/README.md", heading: "Device models", roots: ["device"]),
        Section(file: "models/devices/README.md", heading: "Processors", roots: ["device.processor"]),
        Section(
            file: "models/devices/README.md", heading: "Radios",
            roots: ["device.radios.wifi", "device.radios.cellular", "device.radios.fallback"]),
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
    /// Meanings of words that mean the same in every map: by the end of their path.
    private(set) var words: [String: String] = [:]
    /// Meanings by path, the one of the most special page.
    private var byPath: [String: String] = [:]

    /// Reads the documents below a folder.
    init(root: String) throws {
        for section in Self.sections {
            let bytes = try readFile("\(root)/\(section.file)")
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            let before = keys.count
            for row in Self.rows(of: lines, below: section.heading) { add(row, section) }
            #expect(keys.count > before, "no keys below \(section.heading) of \(section.file)")
        }
        try readGeneral(root)
        for key in keys where !key.meaning.isEmpty {
            for path in key.paths where byPath[path] == nil { byPath[path] = key.meaning }
        }
    }

    /// Reads the page of maps and of words that mean the same everywhere.
    private mutating func readGeneral(_ root: String) throws {
        let file = "docs/reference/keys.md"
        for line in String(decoding: try readFile("\(root)/\(file)"), as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            guard line.hasPrefix("| `"), parts.count > 2, let bar = line.firstRange(of: "` | ") else { continue }
            let name = String(parts[1])
            var meaning = String(line[bar.upperBound...].dropLast()).replacing("`", with: "")
            while meaning.last == " " { meaning.removeLast() }
            if name.hasPrefix("….") {
                words[String(name.dropFirst(2))] = meaning
            } else if name.hasPrefix("APP.") {
                let paths = Self.appRoots.map { $0 + name.dropFirst(3) }
                keys.append(Key(file: file, name: name, paths: paths, meaning: meaning))
            } else {
                keys.append(Key(file: file, name: name, paths: [name], meaning: meaning))
            }
        }
        #expect(words.count > 40 && keys.contains { $0.file == file })
    }

    /// What a path means; nil where no page says it.
    func meaning(of path: String) -> String? {
        if let meaning = byPath[path] { return meaning }
        // The longest end that a page explains: `….assumptions[].key` before `….key`.
        let parts = path.split(separator: ".")
        return parts.indices.lazy.compactMap { words[parts[$0...].joined(separator: ".")] }.first
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
