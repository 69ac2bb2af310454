// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Measures
import Phone
import PhoneCore
import Processes
import Quantities
import Recording
import Scenario
import Vocabulary

/// `flotsam list`: lists the names that experiments may use.
enum ListVerb: Verb {
    static let name = "list"
    static let summary = "Lists valid names, or prints one policy, device or other model"
    static let example = "flotsam list policies lyapunov"

    static let topics =
        ["policies"] + ModelLibrary.Kind.allCases.map(\.rawValue)
        + ["systems", "metrics", "tables", "columns", "power", "assumptions"]

    /// The flag that prints every value of a model.
    static let whole = "--whole"

    /// Singular of a topic: `device` for `devices`.
    private static func singular(_ topic: String) -> String {
        if topic.hasSuffix("ies") { return topic.dropLast(3) + "y" }
        return topic.hasSuffix("s") && topic != "apps" ? String(topic.dropLast()) : topic
    }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let json = arguments.flag("--json", help: "Prints JSON")
        let isWhole = arguments.flag(whole, help: "For a catalogue of apps: every value with its source")
        var words = arguments.operands(
            "WHAT [NAME]",
            help: topics.joined(separator: ", ")
                + "; NAME selects one entry; for metrics, columns, power and assumptions, all entries that contain "
                + "NAME",
            1...2, choices: topics)
        if let word = words.first, let topic = topics.first(where: { singular($0) == word }) { words[0] = topic }
        if let topic = words.first, !topics.contains(topic) {
            arguments.report("cannot list \"\(topic)\"", hint: nameHint(topic, in: topics, all: "flotsam list --help"))
        }
        if words.isEmpty, !arguments.wantsHelp { arguments.report("name a topic: " + topics.joined(separator: ", ")) }
        if let code = arguments.settled() { return code }
        if isWhole, words.count > 1, words[0] == ModelLibrary.Kind.apps.rawValue {
            let listing = try entire(.apps, words[1], .located())
            return json ? Console.out(listing.json.pretty) : page(listing)
        }
        return try show(words[0], words.count > 1 ? words[1] : nil, json: json, setting)
    }

    /// Prints a topic, or one entry of it.
    static func show(_ topic: String, _ name: String?, json: Bool, _ setting: Setting) throws -> Int32 {
        if topic == "policies" {
            if json { return Console.out(try PolicyListing.json(setting.policies, named: name).pretty) }
            guard let name else { return page(PolicyListing.all(setting.policies)) }
            return Console.page(try PolicyListing.text(setting.policies, named: name, width: width))
        }
        let listing = try listing(topic, name)
        return json ? Console.out(listing.json.pretty) : page(listing)
    }

    /// Width of the terminal, at which texts are folded; nil without a terminal, so that programs get one row per line.
    private static var width: Int? { Console.width }

    private static func page(_ listing: Listing) -> Int32 { Console.page(listing.text(width: width)) }

    private static func listing(_ topic: String, _ name: String?) throws(Diagnostics) -> Listing {
        let library = ModelLibrary.located()
        var found: Listing
        switch topic {
        case "metrics": found = metrics
        case "columns": found = columns
        case "tables": found = tables
        case "systems": found = systems
        case "power": found = try power(library)
        case "assumptions": found = try assumptions(library)
        default:
            guard let kind = ModelLibrary.Kind(rawValue: topic) else { return Listing([]) }
            guard let name else { return try models(kind, library) }
            return try kind == .apps ? apps(name, library) : entire(kind, name, library)
        }
        guard let name else { return found }
        let names = found.rows.compactMap { $0.first?.text }
        if topic == "tables" {
            guard names.contains(name) else { throw unknown("table", name, names, topic) }
            found = columns
            found.keep { $0[0].text == name }
            return found
        }
        if let row = found.rows.first(where: { $0[0].text == name }), topic != "columns" {
            found.keep { $0[0].text == row[0].text }
            return found
        }
        found.keep(containing: name)
        guard !found.rows.isEmpty else { throw unknown("entry", name, names, topic) }
        return found
    }

    private static func unknown(_ what: String, _ name: String, _ names: [String], _ topic: String) -> Diagnostics {
        Diagnostics("no \(what) of \(topic) matches \"\(name)\"", hint: nameHint(name, in: names))
    }

    /// The models of a kind.
    private static func models(_ kind: ModelLibrary.Kind, _ library: ModelLibrary) throws(Diagnostics) -> Listing {
        var listing = Listing(["name", "summary"])
        for each in library.summaries(kind) { listing.add(Listing.Cell(each.name), Listing.Cell(each.text)) }
        guard listing.rows.isEmpty else { return listing }
        throw Diagnostics(
            "no models were found", hint: "name their folder in the environment: FLOTSAM_MODELS=…/models")
    }

    /// The apps of a catalogue.
    private static func apps(_ name: String, _ library: ModelLibrary) throws(Diagnostics) -> Listing {
        guard library.names(.apps).contains(name) else {
            throw Diagnostics("there is no catalogue \"\(name)\"", hint: nameHint(name, in: library.names(.apps)))
        }
        var listing = Listing([
            "app", "category", "footprint_mib", "background_mib", "cold_launch_ms", "pushes_per_day",
        ])
        for app in try library.apps(named: name) {
            let numbers = [
                app.foregroundFootprint.mebibytes, app.backgroundFootprint.mebibytes,
                app.coldLaunchTime.seconds * 1000, app.pushesPerDay,
            ].map { ($0 * 10).rounded() / 10 }
            listing.add(
                [Listing.Cell(app.name), Listing.Cell(app.category)] + numbers.map { .number($0, short($0)) })
        }
        return listing
    }

    /// Number without unnecessary decimals.
    static func short(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }

    private static var metrics: Listing {
        var listing = Listing(["name", "unit", "better", "of", "range", "definition"], programsOnly: ["range"])
        for metric in MetricCatalog.catalogue.metrics {
            // An open end is written as null.
            let range = JSONValue.array([.number(metric.range.lowerBound), .number(metric.range.upperBound)])
            listing.add(
                Listing.Cell(metric.name), Listing.Cell(metric.unit), Listing.Cell(metric.better.rawValue),
                metric.isOfApps ? "phone, app" : "phone", Listing.Cell("", range), Listing.Cell(metric.definition))
        }
        return listing
    }

    /// Generations of the operating system that a device's `os` may name.
    private static var systems: Listing {
        var listing = Listing(["name", "summary"])
        for each in OSProfile.generations { listing.add(Listing.Cell(each.name), Listing.Cell(each.summary)) }
        return listing
    }

    private static func assumptions(_ library: ModelLibrary) throws(Diagnostics) -> Listing {
        var listing = Listing(["file", "key", "interval", "reason"])
        for each in try library.assumptions() {
            let ends = JSONValue.array(each.interval.map { .string($0) })
            listing.add(
                Listing.Cell(each.file), Listing.Cell(each.key),
                Listing.Cell(each.interval.joined(separator: " to "), ends), Listing.Cell(each.reason))
        }
        return listing
    }

    private static var schemas: [TableSchema] {
        [
            TableCatalog.runs(axes: [], metrics: MetricList(MetricCatalog.catalogue)),
            TableCatalog.summary(axes: []), TableCatalog.comparisons(axes: []),
        ] + TableCatalog.ofSweeps(axes: []) + [
            TableCatalog.sensitivity, TableCatalog.selection(axes: []), TableCatalog.quantiles(axes: []),
        ] + TableCatalog.ofPeople(axes: [], traits: [])
            + TableCatalog.rowTables.map { TableCatalog.schema(of: $0, axes: []) } + [
                TableCatalog.failures, TableCatalog.columns,
            ]
    }

    private static var tables: Listing {
        var listing = Listing(["table", "columns", "written", "title"])
        let asked = Set(TableCatalog.rowTables.map(\.name))
        for table in schemas {
            listing.add(
                Listing.Cell(table.name), .number(Double(table.columns.count), String(table.columns.count)),
                asked.contains(table.name) ? "on request" : "by run",
                Listing.Cell(table.title))
        }
        listing.foot =
            "on request: written if the experiment lists the table, as in \"output: {tables: [NAME]}\"; "
            + "by run: always written, if it has rows\n"
        return listing
    }

    private static var columns: Listing {
        var listing = Listing(["table", "column", "type", "unit", "meaning"])
        for table in schemas {
            for column in table.columns {
                listing.add(
                    Listing.Cell(table.name), Listing.Cell(column.name), Listing.Cell(column.kind.rawValue),
                    Listing.Cell(column.unit), Listing.Cell(column.meaning))
            }
        }
        return listing
    }
}
