// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Measures
import Phone
import PhoneCore
import Processes
import Recording
import Scenario
import Vocabulary

/// `flotsam list`: what experiments may name.
enum ListVerb: Verb {
    static let name = "list"
    static let summary =
        "Lists policies, devices, apps, personas, populations, chargers, systems, metrics, columns, power, assumptions"
    static let example = "flotsam list metrics"

    private static let topics = [
        "policies", "devices", "apps", "personas", "populations", "chargers", "systems", "metrics", "columns",
        "power", "assumptions",
    ]

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let json = arguments.flag("--json", help: "Print JSON")
        let words = arguments.operands("WHAT", help: topics.joined(separator: ", "), 1...1)
        if let topic = words.first, !topics.contains(topic) {
            let near = nearest(to: topic, in: topics)
            arguments.report(
                "cannot list \"\(topic)\"",
                hint: near.map { "did you mean \($0)?" } ?? "one of: " + topics.joined(separator: ", "))
        }
        if let code = arguments.settled() { return code }
        let listing = try listing(words[0], setting)
        guard json else { return Console.out(listing.text) }
        let value = words[0] == "policies" ? PolicyListing.json(setting.policies) : listing.json
        return Console.out(value.pretty)
    }

    private static func listing(_ topic: String, _ setting: Setting) throws(Diagnostics) -> Listing {
        let library = ModelLibrary.located()
        switch topic {
        case "policies": return policies(setting.policies)
        case "metrics": return metrics
        case "columns": return columns
        case "systems": return systems
        case "power": return try power(library)
        case "assumptions":
            var listing = Listing(["file", "key", "interval", "reason"])
            for each in try library.assumptions() {
                listing.rows.append([each.file, each.key, each.interval.joined(separator: " to "), each.reason])
            }
            return listing
        default:
            var listing = Listing(["name", "summary"])
            guard let kind = ModelLibrary.Kind(rawValue: topic) else { return listing }
            for each in library.summaries(kind) { listing.rows.append([each.name, each.text]) }
            if listing.rows.isEmpty {
                throw Diagnostics(
                    "no models were found", hint: "name their folder in the environment: FLOTSAM_MODELS=…/models")
            }
            return listing
        }
    }

    private static var metrics: Listing {
        var listing = Listing(["name", "unit", "better", "of", "definition"])
        for metric in MetricCatalog.catalogue.metrics {
            let of = metric.isOfApps ? "phone, app" : "phone"
            listing.rows.append([metric.name, metric.unit, metric.better.rawValue, of, metric.definition])
        }
        return listing
    }

    /// The generations of the operating system that a device's `os` may name.
    private static var systems: Listing {
        var listing = Listing(["name", "summary"])
        for each in OSProfile.generations { listing.rows.append([each.name, each.summary]) }
        return listing
    }

    private static var columns: Listing {
        var listing = Listing(["table", "column", "unit", "meaning"])
        let tables =
            [
                TableCatalog.runs(axes: [], metrics: MetricList(MetricCatalog.catalogue)),
                TableCatalog.summary(axes: []), TableCatalog.comparisons(axes: []),
            ] + TableCatalog.ofSweeps(axes: []) + [
                TableCatalog.sensitivity, TableCatalog.selection(axes: []), TableCatalog.quantiles(axes: []),
            ] + TableCatalog.ofPeople(axes: [], traits: [])
            + TableCatalog.rowTables.map { TableCatalog.schema(of: $0, axes: []) } + [
                TableCatalog.failures, TableCatalog.columns,
            ]
        for table in tables {
            for column in table.columns {
                listing.rows.append([table.name, column.name, column.unit, column.meaning])
            }
        }
        return listing
    }

    private static func policies(_ catalog: PolicyCatalog) -> Listing {
        var listing = Listing(["kind", "name", "summary"])
        for (kind, descriptors) in [
            ("eviction", catalog.eviction.map(\.descriptor)), ("scheduling", catalog.scheduling.map(\.descriptor)),
        ] {
            for each in descriptors {
                var marks: [String] = []
                if each.isOracle { marks.append("reads the future") }
                if each.replacesTrigger { marks.append("replaces the trigger") }
                let mark = marks.isEmpty ? "" : " (" + marks.joined(separator: ", ") + ")"
                listing.rows.append([kind, each.name, each.summary + mark])
                for parameter in each.parameters {
                    let value = parameter.format(parameter.defaultValue, compact: true)
                    listing.rows.append([kind, "  [\(parameter.name)=\(value)]", parameter.meaning])
                }
            }
        }
        return listing
    }
}

/// Rows under names of columns, for people and for programs.
struct Listing {
    let columns: [String]
    var rows: [[String]] = []

    init(_ columns: [String]) { self.columns = columns }

    /// One line per row; the last column runs on.
    var text: String {
        var table = TextTable(columns.map { _ in .left })
        for row in rows { table.add(row) }
        return table.text
    }

    /// One object per row.
    var json: JSONValue {
        .array(
            rows.map { row in
                .object(
                    Dictionary(zip(columns, row.map { JSONValue.string($0) }), uniquingKeysWith: { first, _ in first }))
            })
    }
}
