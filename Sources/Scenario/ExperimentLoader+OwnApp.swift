// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import PhoneCore
import Quantities
import Vocabulary
import Workload

/// Reads the app that an experiment is about: `app: {name: myapp, footprint: 400 MiB, opened: 6 / d}`.
///
/// The value may also be the path of a file that contains such a map.
extension ExperimentLoader {
    /// Name of the app.
    ///
    /// The other keys of the map are checked when the app is read.
    func readOwnName(_ cursor: Cursor) -> String? {
        wholeOwnApp(cursor)?["name"]?.scalar
    }

    /// Map of the app after its file or base is expanded; nil if there is an error, such as a missing file, which is
    /// reported.
    func wholeOwnApp(_ cursor: Cursor) -> Node? {
        let node = cursor.node
        guard let name = node.scalar == nil ? node["base"] : node else {
            if node.entries == nil { cursor.expected("a map such as {name: myapp, footprint: 400 MiB}, or a file") }
            return node.entries == nil ? nil : node
        }
        guard let word = name.scalar else {
            cursor.child(name, key: "base").expected("the path of an app's file")
            return nil
        }
        let folder = trees.folder(of: name)
        let path = FilePath.join(folder, word)
        guard FilePath.exists(path) else {
            reportMissingFile(word, Cursor(name, path: cursor.path, report: report), from: folder)
            return nil
        }
        guard let file = trees.load(FilePath.short(path)) else { return nil }
        return node.scalar == nil ? node.without("base").laid(over: file) : file
    }

    /// Reads the app of a sweep point as a list of at most one app, with its tree; nil if it has errors, which are
    /// reported.
    func readOwnApp(_ root: Node, beside catalogue: AppCatalogue) -> (apps: [AppModel], tree: Node?)? {
        guard let value = root["app"], !value.isNull else { return ([], nil) }
        let before = report.problems.errorCount
        let cursor = Cursor(value, path: "app", report: report)
        guard let tree = wholeOwnApp(cursor) else { return nil }
        let map = MapReader(Cursor(tree, path: "app", report: report))
        let name = map.required("name", .name)
        var app = start(map, catalogue)
        app.name = name ?? ""
        app.isStudied = true
        app.popularity = (catalogue.tail ?? AppTail()).popularity(
            rank: catalogue.named.count + catalogue.own.count + 1)
        switch map.optional("opened", Self.opened) {
        case .perDay(let opens): (app.opensPerDay, app.popularity) = (opens, 0)
        case .share(let share): (app.opensShare, app.popularity) = (share, 0)
        case nil: break
        }
        AppReader.read(map, into: &app)
        map.finish()
        if let name, (catalogue.named + catalogue.own).contains(where: { $0.name == name }) {
            map.cursor("name")?.fail(
                "the catalogue already has an app \"\(name)\"", hint: "give the app of the experiment another name")
        }
        return report.problems.errorCount == before ? ([app], tree) : nil
    }

    /// Default values of the app: those of its category, or those of an app without a category.
    private func start(_ map: MapReader, _ catalogue: AppCatalogue) -> AppModel {
        let names = catalogue.categories.map(\.name)
        guard let category = map.optional("category", names.isEmpty ? .name : .word(of: names, what: "category")) else {
            return catalogue.typical
        }
        return catalogue.category(category) ?? AppModel(name: "", category: category)
    }

    /// How often the user opens an app.
    private enum Opened {
        case perDay(Double)
        case share(Double)
    }

    /// Reads `6 / d`, or `{share: 4 %}` for a share of all opens of the user.
    private static var opened: ValueReader<Opened> {
        ValueReader(example: "6 / d", shape: .any) { cursor in
            guard cursor.node.entries != nil else { return rate.read(cursor).map { .perDay($0) } }
            let map = MapReader(cursor)
            let most = StatedOpens.mostShare
            let reader = ValueReader<Double>.share.checked("a share of the user's opens, up to \(Int(most * 100)) %") {
                $0 <= most
            }
            let share = map.required("share", reader)
            map.finish()
            return share.map { .share($0) }
        }
    }

    /// Reads a rate such as `6 / d`, as a number per day.
    private static var rate: ValueReader<Double> {
        .scalar("a rate such as \"6 / d\"", example: "6 / d", shape: .text) { text, cursor in
            let words = text.split(separator: "/", omittingEmptySubsequences: false).map {
                $0.split(separator: " ").joined(separator: " ")
            }
            let days = ["h": 1.0 / 24, "hour": 1.0 / 24, "d": 1, "day": 1, "week": 7]
            guard words.count == 2, let count = Double(words[0]), count >= 0, count.isFinite, let span = days[words[1]]
            else {
                cursor.expected("a rate such as \"6 / d\", \"3 / week\" or \"1 / h\", or {share: 4 %}")
                return nil
            }
            return count / span
        }
    }
}
