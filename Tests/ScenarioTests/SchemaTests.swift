// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Glibc
import Measures
import Phone
import PhoneCore
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Scenario

/// Holds `models/schema/experiment.json` to the keys that the readers take.
///
/// `FLOTSAM_UPDATE_SCHEMA=1 swift test --filter SchemaTests` writes the file anew.
@Suite struct SchemaTests {
    /// Maps that readers open only where they are written, of a device and of an app.
    private static let deviceParts =
        "heat: {dwell: 30 s}, services: {push: 1 mW}, incidents: {jettisons_per_day: 1}, "
        + "charging: {mode: plain}, background: {connections: {outlive_apps: no}, alarms: {kept: yes}, "
        + "broadcasts: {sent: yes}}, disk: {free: 5 %}, "
        + "interruptions: {calls_per_day: 1}, restarts: {upgrades_per_month: 1}, "
        + "surroundings: {hand: {}, pocket: {}, table: {}, cable: {}, bedside: {}, bed: {}, pad: {}, car: {}, "
        + "sun: {}}, "
        + "processor: {base: a15-like, placement: {launch: {}, event: {}, refresh: {}, processing: {}}}, "
        + "radios: {fallback: lte-2020}, "
        + "helpers: {share: {per_day: 1}, photo: {per_day: 1}, model: {per_day: 1}}, part_starts: {gps: 1 J}"
    private static let appParts =
        "alarms: {every: 1 h}, broadcasts: {per_day: 1}, faults: {crashes_per_hour: 0.1}, continued: {share: 1 %}, "
        + "connection: {heartbeat: 10 min}, files: {caches: 1 GB}, declares: {fetch: true}, "
        + "refresh: {hardware: {gps: true}}, processes: {\(processes)}"
    private static let processes = AppProcess.Kind.allCases.map { "\($0.rawValue): {}" }.joined(separator: ", ")

    /// People with every key that a population may have.
    private static let population = """
        user:
          size: 6
          population:
            {name: all, summary: x, grounding: x, persona: average, correlations: [{between: [a, b], is: 0.1}],
             kinds: [{name: one, share: 100 %, habits: {installed_apps: 70}}], assumptions: [{key: traits, reason: x}],
             traits: [{name: a, title: x, keys: [{key: day_shift, median: 1, spread: 1, scale: linear, unit: h,
               range: [0, 2], interval: [0, 2]}]},
               {name: b, keys: [{key: apps.active, median: 30, spread: 0.1, whole: true}]}]}
        """

    private static let memoryChoices = "prelaunch: never, freezing: none, swap: system"

    /// Experiments that open every map a reader knows.
    static let complete = [
        sample.replacing("replications: 6", with: "replications: {min: 10, max: 12, until: half-width < 1 %}")
            .replacing(
                "device: iphone-13",
                with: "device: {base: iphone-13, os: {profile: ios-18, writeback: {every: 9 h}, freezer: {slots: 9}}}"
            )
            .replacing("freezer: {slots: 9}}", with: "freezer: {slots: 9}}, \(deviceParts)")
            .replacing(
                "apps: {catalog: everyday, count: 20}",
                with: "apps: {catalog: everyday, count: 20, summary: x, apps: {pigeon: {\(appParts)}}}"
            )
            .replacing(
                "persona: average}",
                with:
                    "persona: {base: gamer, notifications: {zipf: 1}, episodes: {}, restarts: {}, opened_by: {}, "
                    + "installs: {}, cellular: {signal: {}}, "
                    + "charging: {charger: {power: 5 W}}}, repeat: true}"
            )
                + """

                app: {name: mine, opened: 6 / d, footprint: 90 MiB, \(appParts)}
                sweep: {mode: product, axes: {apps.count: [20]}, baseline: {apps.count: 20}, where: apps.count < 30}
                metrics: {primary: kills_per_day, shown: [relaunches_per_day]}
                analysis: {level: 95 %, equivalence: 1 %, correction: holm}
                output: {tables: [runs], keep: [events], compress: gzip, format: csv}
                on_error: retry(2)
                uncertainty: {samples: 2}
                targets:
                  - {id: a, what: kills, metric: kills_per_day, band: [0, 9], policy: jetsam+opportunistic}
                  - id: b
                    of: {table: requests, column: [started_s], minus: submitted_s, gaps: true,
                      where: {app: pigeon}, statistic: p05}
                    band: {value: 5, tolerance: 8 %}
                    strength: found
                    point: {apps.count: 20}
                    relative_to: {policy: jetsam+opportunistic, point: {apps.count: 20}, metric: kills_per_day}
                  - {id: d, metric: kills_per_day, unit: 1/d, band: {exactly: 1}, basis: identity, parameter: seed}
                  - id: e
                    of: {table: requests, column: idle_s, least_per: {column: started_s, minus: idle_s}, statistic: p05}
                    band: [1, 2]
                  - {id: c, metric: kills_per_day, band: {at_least: 1},
                      relative_to: {of: {table: events, statistic: count}}}
                assumptions: [{key: seed, reason: none better, interval: ["1", "9"]}]
                """,
        sample.replacing("apps: {catalog: everyday, count: 20}", with: "apps: [{name: one, \(appParts)}]")
            .replacing(
                "\n  eviction: [jetsam, lru]",
                with: """

                      - {name: a, eviction: jetsam, scheduling: immediate, ranks: apps, prelaunch: never,
                         freezing: none, swap: none}
                    """
            )
            .replacing("\n  scheduling: [opportunistic, \"periodic[every=30min]\"]", with: "")
            .replacing("baseline: {eviction: jetsam, scheduling: opportunistic}", with: "baseline: a")
            + "\nsweep: {mode: list, points: [{device.memory.ram: 3 GiB}]}",
        sample.replacing("user: {persona: average}", with: population)
            .replacing(
                "policies:", with: "policies:\n  ranks: all\n  prelaunch: never\n  freezing: none\n  swap: [system]"
            )
            .replacing("scheduling: opportunistic}", with: "scheduling: opportunistic, \(memoryChoices)}"),
        sample.replacing("replications: 6", with: "replications: 50")
            + "\nsweep: {mode: morris, count: 1, levels: 4, ranges: {device.memory.ram: [3 GiB, 4 GiB]}}"
            + "\nselect: {indifference: 1 %, level: 95 %, first: 10}\nanalysis: {quantiles: [5 %, 95 %]}",
    ]

    static let namedModel = SchemaValue.anyOf([.type("string"), .raw("MAP")])

    /// One word of an enumeration, or a list of them.
    private static func choices<Choice: RawRepresentable & CaseIterable>(_ choice: Choice.Type) -> SchemaValue
    where Choice.RawValue == String {
        let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        let one = SchemaValue.raw("{\"enum\": [\(words)]}")
        return .anyOf([one, .map([("type", .text("array")), ("items", one)])])
    }

    /// Values of which the keys alone say too little.
    static var special: [String: SchemaValue] {
        let programWords = SchemaValue.map([
            ("type", .text("array")), ("items", .type("string")), ("minItems", .raw("1")),
        ])
        let process = SchemaValue.map([
            ("type", .text("object")), ("required", .raw("[\"process\"]")),
            (
                "properties",
                .map([
                    ("process", programWords), ("reads", programWords), ("parameters", .type("object")),
                ])
            ), ("additionalProperties", .raw("false")),
        ])
        func policy(_ kind: String) -> SchemaValue { .anyOf([.reference("\(kind)-policy"), process]) }
        func policyList(_ kind: String) -> SchemaValue {
            .anyOf([policy(kind), .map([("type", .text("array")), ("items", policy(kind))])])
        }
        let path = "^((device|apps|user|app)(\\.[A-Za-z0-9_-]+)*|policies\\.(eviction|scheduling)\\.[A-Za-z0-9_-]+)$"
        let values = SchemaValue.map([("type", .text("array")), ("minItems", .raw("1"))])
        let axes = SchemaValue.map([
            ("type", .text("object")), ("patternProperties", .map([(path, values)])),
            ("additionalProperties", .raw("false")),
        ])
        let ends = SchemaValue.map([
            ("type", .text("array")), ("minItems", .raw("2")), ("maxItems", .raw("2")),
        ])
        let ranges = SchemaValue.map([
            ("type", .text("object")), ("patternProperties", .map([(path, ends)])),
            ("additionalProperties", .raw("false")),
        ])
        let point = SchemaValue.map([
            ("type", .text("object")), ("patternProperties", .map([(path, .map([]))])),
            ("additionalProperties", .raw("false")),
        ])
        let base = SchemaValue.type("string")
        let columns = SchemaValue.type("object")
        let words = SchemaValue.anyOf([base, .map([("type", .text("array")), ("items", base)])])
        let metric = SchemaValue.reference("metric")
        let table = SchemaValue.reference("table")
        let runs = SchemaValue.map([
            ("const", .text("runs")), ("description", .text("one row per run; always written")),
        ])
        let failures = SchemaValue.map([
            ("type", .text("string")), ("pattern", .text("^(continue|stop|retry\\([0-9]+\\))$")),
        ])
        let tables = SchemaValue.map([("type", .text("array")), ("items", .anyOf([runs, table]))])
        return [
            "on_error": failures,
            "analysis.equivalence": .anyOf([
                .reference("fraction"),
                .map([("type", .text("object")), ("additionalProperties", .reference("fraction"))]),
            ]),
            "user.population": namedModel, "user.population.base": base,
            "user.population.persona": .anyOf([base, columns]),
            "user.population.kinds[].habits": columns,
            "device": namedModel, "device.base": base, "user.persona": namedModel, "user.persona.base": base,
            "device.radios.wifi": namedModel, "device.radios.cellular": namedModel,
            "device.radios.fallback": .anyOf([.type("null"), .type("string"), .raw("MAP")]),
            "device.battery.cell": namedModel,
            "device.radios.wifi.base": base, "device.radios.cellular.base": base, "device.battery.cell.base": base,
            "device.os": namedModel, "device.processor": namedModel, "device.processor.base": base,
            "device.os.freezer": namedModel, "apps.base": base, "apps.catalog": .anyOf([base, columns]),
            "user.persona.charging.charger": namedModel, "user.persona.charging.charger.base": base,
            "device.services": .anyOf([.raw("{\"enum\": [\"off\"]}"), .raw("MAP")]),
            "device.surroundings": .anyOf([.raw("{\"enum\": [\"off\"]}"), .raw("MAP")]),
            "device.heat": .anyOf([.raw("{\"enum\": [\"on\", \"off\"]}"), .raw("MAP")]),
            "device.os.app_swap": namedModel, "device.os.writeback": namedModel,
            "apps": .anyOf([.type("string"), .raw("MAP"), .map([("type", .text("array")), ("items", .raw("ITEM"))])]),
            "apps.tail.categories": .map([("type", .text("object"))]),
            "replications": .anyOf([.map([("type", .text("integer")), ("minimum", .raw("1"))]), .raw("MAP")]),
            "policies": .anyOf([.raw("MAP"), .map([("type", .text("array")), ("items", .raw("ITEM"))])]),
            "policies.eviction": policyList("eviction"), "policies.scheduling": policyList("scheduling"),
            "policies.prelaunch": .anyOf([choices(PrewarmChoice.self), policyList("eviction")]),
            "policies.freezing": .anyOf([choices(FreezingChoice.self), policyList("eviction")]),
            "policies.swap": .anyOf([choices(SwapChoice.self), policyList("eviction")]),
            "policies[].eviction": policy("eviction"), "policies[].scheduling": policy("scheduling"),
            "baseline": namedModel, "baseline.eviction": policy("eviction"),
            "baseline.scheduling": policy("scheduling"),
            "sweep.baseline": point, "targets[].point": point, "targets[].relative_to.point": point,
            "targets[].band": .anyOf([
                .raw("MAP"),
                .map([
                    ("type", .text("array")), ("items", .type("number")), ("minItems", .raw("2")),
                    ("maxItems", .raw("2")),
                ]),
            ]),
            "targets[].band.tolerance": .anyOf([.type("number"), .type("string")]), "targets[].of.where": columns,
            "targets[].relative_to.of.where": columns, "targets[].of.column": words,
            "targets[].relative_to.of.column": words,
            "metrics.primary": metric, "metrics.shown": .map([("type", .text("array")), ("items", metric)]),
            // Names of the experiment's own policies, which no schema can know.
            "targets[].policy": base, "targets[].relative_to.policy": base,
            "targets[].metric": metric, "targets[].relative_to.metric": metric,
            "targets[].of.table": table, "targets[].relative_to.of.table": table,
            "output.tables": tables, "output.keep": tables,
            "sweep.where": words, "sweep.ranges": ranges,
            "sweep.axes": axes, "sweep.points": .map([("type", .text("array")), ("items", point)]),
        ]
    }

    /// The names of metrics and tables with what they mean, so that editors show it where they complete them.
    static var words: [(String, SchemaValue)] {
        func list(_ entries: [(name: String, meaning: String)]) -> [SchemaValue] {
            entries.map { .map([("const", .text($0.name)), ("description", .text($0.meaning))]) }
        }
        let catalogue = MetricCatalog.catalogue
        let metrics = catalogue.metrics.map { metric in
            (metric.name, metric.definition + (metric.unit == "1" ? "" : ", in \(metric.unit)"))
        }
        let ofApps = catalogue.metrics.filter(\.isOfApps).map(\.name).joined(separator: "|")
        let pattern = SchemaValue.map([
            ("description", .text("the same of a single app")), ("type", .text("string")),
            ("pattern", .text("^(\(ofApps))\\(app=.+\\)$")),
        ])
        let tables = PhoneTables.list.tables.map { ($0.name, $0.title) }
        let catalog = PolicyCatalog.builtIn
        return [
            ("metric", .anyOf(list(metrics) + (ofApps.isEmpty ? [] : [pattern]))), ("table", .anyOf(list(tables))),
            ("eviction-policy", policies(catalog.eviction.map(\.descriptor))),
            ("scheduling-policy", policies(catalog.scheduling.map(\.descriptor))),
        ]
    }

    /// The names of policies with what their parameters may be, and files of libraries.
    private static func policies(_ descriptors: [PolicyDescriptor]) -> SchemaValue {
        func value(_ parameter: PolicyParameter) -> String {
            func quantity(_ dimension: Quantities.Dimension) -> String {
                "[-+]?[0-9]*\\.?[0-9]*([eE][-+]?[0-9]+)?\\s*(\(dimension.units.map(\.symbol).joined(separator: "|")))"
            }
            switch parameter.dimension {
            case .number: return "[-+]?[0-9]*\\.?[0-9]*([eE][-+]?[0-9]+)?"
            case .fraction: return quantity(.fraction)
            case .duration: return quantity(.time)
            case .energy: return quantity(.energy)
            case .power: return quantity(.power)
            case .bytes: return quantity(.bytes)
            case .choice(let words): return "(\(words.joined(separator: "|")))"
            }
        }
        let own = descriptors.flatMap { policy in
            let name = SchemaValue.map([("const", .text(policy.name)), ("description", .text(policy.summary))])
            if policy.parameters.isEmpty { return [name] }
            let one = policy.parameters.map { "\($0.name)\\s*=\\s*\(value($0))" }.joined(separator: "|")
            let pattern = "^\(policy.name)\\[\\s*(\(one))(\\s*,\\s*(\(one)))*\\s*\\]$"
            return [
                name,
                .map([
                    ("type", .text("string")), ("pattern", .text(pattern)),
                    ("description", .text("\(policy.name) with parameters")),
                ]),
            ]
        }
        let library = SchemaValue.map([
            ("description", .text("a library with a policy, and its parameters")), ("type", .text("string")),
            ("pattern", .text("^[^\\[]*(/|\\.so)")),
        ])
        return .anyOf(own + [library])
    }

    /// Files of other kinds: a bench has cases and targets about them, known misses name targets.
    private static var kinds: [(name: String, entries: [(String, SchemaValue)])] {
        let (text, any) = (SchemaValue.type("string"), SchemaValue.map([]))
        func object(_ required: [String], _ properties: [(String, SchemaValue)]) -> [(String, SchemaValue)] {
            [
                ("type", .text("object")), ("required", .list(required.map { .text($0) })),
                ("properties", .map(properties)), ("additionalProperties", .raw("false")),
            ]
        }
        func list(_ items: SchemaValue) -> SchemaValue { .map([("type", .text("array")), ("items", items)]) }
        let target = SchemaValue.map(
            object(
                ["id", "case", "value", "band"],
                ["id", "what", "case", "value", "unit", "strength", "basis", "parameter", "note"].map { ($0, text) }
                    + [("band", any), ("relative_to", any), ("source", .reference("source"))]))
        let one = SchemaValue.map([("type", .text("object")), ("additionalProperties", .type("object"))])
        let version = ("schema", SchemaValue.raw("{\"const\": 1}"))
        let miss = SchemaValue.map(
            object(
                ["experiment", "id", "found", "reason"],
                [
                    ("experiment", text), ("id", text), ("at", .type("object")), ("found", list(.type("number"))),
                    ("reason", text),
                ]))
        return [
            (
                "bench",
                object(
                    ["schema", "kind", "name", "cases", "targets"],
                    [
                        version, ("kind", any), ("name", text), ("question", text), ("cases", one),
                        ("targets", list(target)),
                    ])
            ),
            ("known-misses", object(["schema", "kind", "misses"], [version, ("kind", any), ("misses", list(miss))])),
        ]
    }

    static func generated() throws -> String {
        let documents = try documents()
        var builder = try self.builder(documents)
        return builder.schema(title: "An experiment of flotsam", words: words, kinds: kinds)
    }

    private static func documents() throws -> DocumentedKeys {
        let folder = try #require(library.folders.first { FilePath.exists("\($0)/schema") })
        return try DocumentedKeys(root: "\(folder)/..")
    }

    private static func builder(_ documents: DocumentedKeys) throws -> SchemaBuilder {
        var notes: [KeyNote] = []
        for text in complete {
            let report = ConfigReport(recordsKeys: true)
            let source = SourceText(name: "a.yaml", text: text)
            let loader = ExperimentLoader(
                try YAML.parse(source).get(), source: source, catalog: .builtIn, library: library, report: report)
            #expect(loader.load() != nil, "\(report.problems)")
            notes += report.keys
        }
        // Bases are resolved before the readers see a tree, so no reader asks for them.
        for path in [
            "device", "user.persona", "user.population", "device.processor", "device.radios.wifi",
            "device.radios.cellular",
            "device.battery.cell", "apps",
        ] {
            notes.append(KeyNote(path: path, key: "base", shape: .text, isRequired: false))
        }
        notes.append(KeyNote(path: "apps", key: "catalog", shape: .text, isRequired: false))
        for key in ["device", "apps", "user", "policies"] {
            notes.append(KeyNote(path: "", key: key, shape: .any, isRequired: true))
        }
        return SchemaBuilder(notes, special: special, meanings: documents.meaning(of:))
    }

    @Test func `every key that the documents list is one that a reader asks for`() throws {
        let documents = try Self.documents()
        var builder = try Self.builder(documents)
        _ = builder.schema(title: "", words: [])
        for key in documents.keys {
            let isRead = key.paths.contains { builder.paths.contains($0) }
            #expect(isRead, "\(key.file): \(key.name)")
        }
    }

    @Test func `the schema says of every key what it means, each word of the page is met`() throws {
        let documents = try Self.documents()
        var builder = try Self.builder(documents)
        _ = builder.schema(title: "", words: [])
        #expect(builder.paths.count > 700)
        #expect(builder.unexplained == [])
        for word in documents.words.keys.sorted() {
            #expect(builder.paths.contains { $0.hasSuffix("." + word) }, "docs/reference/keys.md: ….\(word)")
        }
    }

    @Test func `the schema names the keys that the readers take`() throws {
        let text = try Self.generated()
        let folder = try #require(library.folders.first { FilePath.exists("\($0)/schema") })
        let path = "\(folder)/schema/experiment.json"
        if FilePath.environment("FLOTSAM_UPDATE_SCHEMA") != nil {
            let file = try #require(fopen(path, "w"))
            fputs(text, file)
            fclose(file)
        }
        let shipped = String(decoding: try #require(try? readFile(path)), as: UTF8.self)
        #expect(shipped == text, "FLOTSAM_UPDATE_SCHEMA=1 swift test --filter SchemaTests writes it anew")
    }
}
