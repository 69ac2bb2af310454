// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Files
import Scenario
import Scripts
import Workload

extension ReaderTarget {
    private static let library = ModelLibrary.located()
    /// What an experiment needs but a user; it reads no other file, and so is read quickly.
    private static let small = """
        schema: 1
        name: small
        question: which?
        seed: 1
        start: 2026-03-02 00:00
        duration: 2 d
        replications: 2
        device: {name: x, memory: {ram: 4 GiB}, os: ios-17, battery: {capacity: 3000 mAh}}
        apps: [{name: a, footprint: 90 MiB}]
        policies: {eviction: [jetsam], scheduling: [opportunistic]}
        baseline: {eviction: jetsam, scheduling: opportunistic}
        metrics: {primary: relaunches_per_day}

        """
    private static let whole = small + "user: {persona: {name: p}}\n"

    private static let recording = """
        # covered_s: 0 to 172800
        # start: 2026-03-02
        t_s,event,app,value
        3610,unlock,,
        3610,open,mail,
        3610,network,,wifi
        3611.5,lock,,
        7215,plug,,level=0.98
        7216,unplug,,0.99

        """

    /// The readers of files that people write.
    static let experiments: [ReaderTarget] = [
        ReaderTarget("yaml", [("experiments", ".yaml"), ("models/devices", ".yaml")]) { bytes in
            let node = try YAML.parse(SourceText(name: "it.yaml", text: bytes.text("it.yaml"))).get()
            _ = JSONText.text(of: node)
        },
        ReaderTarget("json-text", [("docs/examples", ".ips")], texts: ["{\"a\": [1, -0.5e3, \"\\ud83e\\uddad\"]}"]) {
            let nodes = try JSONText.parse(SourceText(name: "it.json", text: $0.text("it.json"))).get()
            for node in nodes { _ = JSONText.text(of: node) }
        },
        ReaderTarget("experiment", texts: [whole], made: lightExperiments) { bytes in
            let source = SourceText(name: Scratch.folder + "/it.yaml", text: try bytes.text("it.yaml"))
            _ = try loadExperiment(source, library: library).runCount
        },
        ReaderTarget(
            "set",
            texts: [
                "device.memory.ram=3 GiB", "policies.eviction=[lru, jetsam]", "sweep.axes.seed=[1, 2]",
                "user.persona=light", "apps.count=7", "replications=3", "device.radios.wifi.send_power=2 W",
            ], longest: 512
        ) { bytes in
            let source = SourceText(name: Scratch.folder + "/it.yaml", text: whole)
            _ = try loadExperiment(source, overrides: [bytes.text("--set")], library: library).runCount
        },
        ReaderTarget("device", [("models/devices", ".yaml"), ("models/radios", ".yaml")]) {
            _ = try library.warnings(ofDevice: $0.text("device.yaml"), name: Scratch.folder + "/device.yaml")
        },
        ReaderTarget("cell", [("models/cells", ".yaml")]) { bytes in
            _ = try loadCell(Scratch.file("cell.yaml", bytes), library: library)
        },
        ReaderTarget("apps", [("models/apps/android-2013.yaml", "")], texts: ["[{name: a, footprint: 90 MiB}]"]) {
            _ = try library.apps(named: Scratch.file("apps.yaml", $0))
        },
        model("persona", "user: {persona: %}", [("models/personas", ".yaml")]),
        model("population", "user: {population: %, size: 3}", [("models/populations", ".yaml")]),
        model("charger", "user: {persona: {name: p, charging: {charger: %}}}", [("models/chargers", ".yaml")]),
        model("trace", "user: {trace: %}", [], texts: [recording]),
        ReaderTarget("scenario", [("Tests/ConformanceTests/scenarios", ".yaml")], longest: 1 << 13) {
            _ = try loadScenarioScript(SourceText(name: "it.yaml", text: $0.text("it.yaml")))
        },
        ReaderTarget(
            "workload",
            texts: [recording]
        ) { bytes in
            let file = try WorkloadFile(bytes: bytes, name: "it.csv")
            _ = WorkloadStatistics(of: file).figures
            _ = try WorkloadFile(bytes: file.encoded(), name: "again")
        },
        ReaderTarget("bench", [("experiments/validation", ".yaml")]) {
            _ = try loadBench(SourceText(name: "it.yaml", text: $0.text("it.yaml")), library: library)
        },
        ReaderTarget("cell-load", [("docs/examples/load.csv", "")]) {
            _ = try loadCellLoad(SourceText(name: "load.csv", text: $0.text("load.csv")))
        },
    ]

    /// The shipped experiments with the models of `whole`, so that they are read quickly.
    private static func lightExperiments() throws -> [[UInt8]] {
        let folder = FilePath.folder(of: FilePath.folder(of: FilePath.folder(of: #filePath))) + "/experiments"
        let models = whole.split(separator: "\n").filter { line in heavy.contains { line.hasPrefix($0) } }
        return try directoryEntries(folder).filter { $0.hasSuffix(".yaml") }.map { name in
            var isLeftOut = false
            let lines = try readFile(folder + "/" + name).text(name).split(separator: "\n").filter { line in
                if !line.hasPrefix(" ") { isLeftOut = heavy.contains { line.hasPrefix($0) } }
                return !isLeftOut
            }
            return Array((lines + models).joined(separator: "\n").utf8)
        }
    }

    private static let heavy = ["device:", "apps:", "user:"]

    /// A reader of a model file that an experiment names in one of its lines.
    private static func model(
        _ name: String, _ line: String, _ sources: [(path: String, ending: String)], texts: [String] = []
    ) -> ReaderTarget {
        ReaderTarget(name, sources, texts: texts) { bytes in
            let path = try Scratch.file(name == "trace" ? "trace.csv" : name + ".yaml", bytes)
            let text = small + line.replacing("%", with: path) + "\n"
            let source = SourceText(name: Scratch.folder + "/it.yaml", text: text)
            _ = try loadExperiment(source, library: library).runCount
        }
    }
}
