// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities
import Vocabulary
import Workload

/// Reads the expanded tree of a catalogue, or of the apps in an experiment.
struct AppCatalogueReader {
    /// Content of the key `apps`.
    struct Selection {
        var catalogue: AppCatalogue
        /// Number of apps; nil when the file does not contain it.
        var count: Int?
        /// Location of the number, for messages.
        var countCursor: Cursor?
    }

    /// Largest allowed number of apps.
    static let limit = Persona.mostApps

    private var catalogue = AppCatalogue()
    /// Catalogue that the experiment names.
    ///
    /// The experiment added all apps that this catalogue does not contain.
    private let base: Node?
    private let baseNames: Set<String>

    private init(base: Node?) {
        self.base = base
        baseNames = Set(base?["apps"]?.entries?.map(\.key) ?? [])
    }

    /// Reports a number of apps above the limit.
    ///
    /// Returns whether the number is within the limit.
    private static func areFew(_ count: Int, _ cursor: Cursor) -> Bool {
        if count > limit { cursor.fail("expected at most \(limit) apps, found \(count)") }
        return count <= limit
    }

    /// Reads an expanded tree: a map in the form of a catalogue, or a list of apps.
    ///
    /// - Parameter base: Tree of the catalogue that the experiment names; nil when it names none.
    static func read(_ cursor: Cursor, base: Node?) -> Selection? {
        var reader = AppCatalogueReader(base: base)
        if cursor.node.items != nil { return reader.readList(cursor) }
        return reader.readMap(cursor)
    }

    private mutating func readList(_ cursor: Cursor) -> Selection? {
        let before = cursor.report.problems.errorCount
        let items = cursor.node.items ?? []
        guard Self.areFew(items.count, cursor) else { return nil }
        var names: Set<String> = []
        for (index, item) in items.enumerated() {
            let map = MapReader(cursor.item(item, index: index))
            guard let name = map.required("name", .text) else {
                map.finish()
                continue
            }
            var app = AppModel(name: name, category: map.value("category", .name, default: "other"))
            AppReader.read(map, into: &app)
            map.finish()
            if !names.insert(name).inserted { map.cursor.fail("the app \"\(name.excerpt)\" appears twice") }
            catalogue.own.append(app)
        }
        if catalogue.own.isEmpty { cursor.expected("at least one app") }
        return cursor.report.problems.errorCount == before ? Selection(catalogue: catalogue) : nil
    }

    private mutating func readMap(_ cursor: Cursor) -> Selection? {
        let before = cursor.report.problems.errorCount
        let map = MapReader(cursor)
        readHeader(map)
        let count = map.optional("count", .integer(1...Self.limit, example: "120"))
        var typical = AppModel(name: "", category: "other")
        map.section("defaults") { AppReader.read($0, into: &typical) }
        catalogue.typical = typical
        readCategories(map.cursor("categories"), from: typical)
        readTail(map)
        readNamed(map.cursor("apps"), from: typical)
        checkCategories(map.cursor("categories"))
        map.finish()
        check(count, map)
        guard cursor.report.problems.errorCount == before else { return nil }
        return Selection(catalogue: catalogue, count: count, countCursor: map.cursor("count"))
    }

    private func check(_ count: Int?, _ map: MapReader) {
        if catalogue.named.isEmpty, catalogue.own.isEmpty, catalogue.tail == nil {
            map.cursor.fail(
                "the map defines no apps", hint: "for instance {catalog: everyday, count: 120}, or apps: {name: {…}}")
        }
        let most = catalogue.named.count + catalogue.own.count
        if let count, count > most, catalogue.tail == nil {
            map.cursor("count")?.fail(
                "expected at most \(most) apps, found \(count)",
                hint: "the catalogue names \(most) apps and has no rule (tail:) for further apps")
        }
    }

    private mutating func readCategories(_ cursor: Cursor?, from typical: AppModel) {
        guard let cursor, let entries = cursor.mapEntries() else { return }
        for entry in entries {
            var app = typical
            app.category = entry.key
            let map = MapReader(cursor.child(entry.value, key: entry.key))
            AppReader.read(map, into: &app)
            map.finish()
            catalogue.categories.append((entry.key, app))
        }
    }

    /// Reports categories without any app; their names are probably misspelt.
    private func checkCategories(_ cursor: Cursor?) {
        let taken = Set(
            (catalogue.named + catalogue.own).map(\.category) + (catalogue.tail?.shares.map(\.category) ?? []))
        let names = catalogue.categories.map(\.name).filter(taken.contains)
        for entry in cursor?.node.entries ?? [] where catalogue.category(entry.key) != nil && !taken.contains(entry.key)
        {
            let near = nearest(to: entry.key, in: names)
            cursor?.report.add(
                entry.location.problem(
                    "no app is of the category \"\(entry.key)\"",
                    hint: near.map { "did you mean \"\($0)\"?" } ?? "categories: " + names.joined(separator: ", ")))
        }
    }

    private mutating func readNamed(_ cursor: Cursor?, from typical: AppModel) {
        guard let cursor, let entries = cursor.mapEntries(), Self.areFew(entries.count, cursor) else { return }
        let tail = catalogue.tail ?? AppTail()
        let known = entries.filter { !isOwn($0.key) }
        for entry in entries {
            let map = MapReader(cursor.child(entry.value, key: entry.key))
            let isOwn = isOwn(entry.key)
            if isOwn, base != nil, map.isMap, !map.has("category") {
                cursor.report.add(
                    entry.location.problem(
                        "the catalogue has no app \"\(entry.key.excerpt)\", and a new app needs a category")
                ) {
                    nearest(to: entry.key, in: known.map(\.key)).map { "did you mean \"\($0)\"?" }
                }
            }
            var app = start(map, from: typical)
            app.name = entry.key
            app.popularity = tail.popularity(rank: (isOwn ? known.count : catalogue.named.count) + 1)
            AppReader.read(map, into: &app)
            map.finish()
            if isOwn { catalogue.own.append(app) } else { catalogue.named.append(app) }
        }
    }

    /// Whether an app was added by the experiment and is not in the catalogue.
    private func isOwn(_ name: String) -> Bool { !baseNames.contains(name) }

    private func start(_ map: MapReader, from typical: AppModel) -> AppModel {
        guard let name = map.optional("category", .name) else { return typical }
        if let known = catalogue.category(name) { return known }
        if !catalogue.categories.isEmpty {
            let names = catalogue.categories.map(\.name)
            _ = map.optional("category", .word(of: names, what: "category"))
        }
        var app = typical
        app.category = name
        return app
    }

    private mutating func readTail(_ map: MapReader) {
        guard let section = map.map("tail") else { return }
        var tail = AppTail()
        readShares(section, into: &tail)
        section.set(&tail, AppTail.keys)
        section.finish()
        catalogue.tail = tail
    }

    private func readShares(_ section: MapReader, into tail: inout AppTail) {
        let names = catalogue.categories.map(\.name)
        guard let cursor = section.cursor("categories") else {
            section.cursor.fail(
                "the key \"categories\" is missing", hint: "for instance \"categories: {utility: 40 %}\"")
            return
        }
        for entry in cursor.mapEntries() ?? [] {
            let key = Node(.scalar(entry.key, quoted: false), at: entry.location)
            let word = ValueReader<String>.word(of: names, what: "category")
            guard let name = word.read(cursor.child(key, key: entry.key)),
                let share = ValueReader<Double>.share.read(cursor.child(entry.value, key: entry.key))
            else { continue }
            tail.shares.append((name, share))
        }
    }
}

/// Reads the header keys that every model file may have.
func readHeader(_ map: MapReader) {
    _ = map.optional("schema", .schema)
    _ = map.optional("name", .text)
    _ = map.optional("summary", .text)
    checkAssumptions(map)
}

extension Cursor {
    /// Entries of a map whose keys are names.
    ///
    /// Any other node is reported.
    func mapEntries() -> [Node.Entry]? {
        if let entries = node.entries { return entries.filter { $0.key != "source" && $0.key != "note" } }
        expected("a map")
        return nil
    }
}
