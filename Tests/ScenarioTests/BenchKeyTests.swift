// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

@testable import Experiments
@testable import Scenario

/// Every key of a bench, of its cells and of its radios is changed, and a measurement or a verdict has to change.
@Suite struct BenchKeyTests {
    private static let circuit = """
        capacity: 3 Ah, voltage_states: [0 %, 50 %, 100 %], voltages: [3 V, 3.7 V, 4.2 V],
              resistance_states: [0 %, 100 %], r0: [60 mohm, 30 mohm], r1: [30 mohm, 10 mohm], c1: [1 kF, 2 kF],
              r2: [20 mohm, 10 mohm], c2: [9 kF, 9 kF], health: 90 %, resistance_growth: 1.2,
              entropy_states: [0 %, 100 %], voltages_per_kelvin: [0.1 mV, 0.2 mV]
        """
    private static let text = """
        schema: 1
        kind: bench
        name: parts
        cases:
          beat:
            radio: {base: lte-2020, tail: [{power: 400 mW, duration: 100 s}]}
            traffic: [{at: 10 s, every: 60 s, count: 30, down: 1 MB, up: 100 kB}]
            duration: 1 h
          still: {radio: {base: lte-2020, signal: poor}, traffic: [{down: 1 kB}], duration: 1 h}
          drawn: {cell: {\(circuit)}, load: {current: 3 A}, charge: 100 %, temperature: 10 degC}
          burnt: {cell: {\(circuit)}, load: {power: 9 W}, lumped: false, events: {"soc<=0.5": 1800 s}}
          beaten: {cell: {\(circuit)}, load: {pulses: [{power: 9 W, duration: 60 s}], repeat: 40}}
          filled: {cell: {\(circuit), charge_limit: 4.3 V}, load: {charge: 1 A, limit: 4.2 V, end: 0.1 A}}
          plain:
            cell: {capacity: 3 Ah, resistance: 90 mohm, resistance_states: [0 %, 100 %], resistance_factors: [2, 1]}
            load: {power: 9 W}
          warm: {device: iphone-13, power: 3 W, air: 20 degC, skin: 30 degC, duration: 2 h}
        targets:
          - {id: a, case: beat, value: tail_share, band: [0.5, 1], strength: strong,
              relative_to: {case: beat, value: energy_j}}
        """

    /// Keys that change nothing that is measured.
    private static let reasons: [(pattern: String, reason: String)] = [
        ("schema", "the version of the format"), ("kind", "says that the file is a bench"), ("name", "a name"),
        ("question", "for readers"), ("cases.*.*.schema", "the version of the format"), ("cases.*.*.name", "a name"),
        ("cases.*.*.summary", "for lists"), ("cases.*.*.assumptions.**", "for readers"),
        ("cases.*.*.assumptions", "for readers"), ("cases.*.radio.search_power", "no network is looked for here"),
        ("cases.*.cell.charge_limit", "where a load that charges has no limit of its own: flotsam lab battery"),
        ("cases.*.cell.empty_voltage", "what a phone shows as 0 %: ActingKeyTests"),
        ("cases.*.radio.interface", "says for which radio a file is"), ("cases.*.cell.base", "the name of a file"),
        ("cases.warm.device.**", "keys of devices are for runs: ActingKeyTests"),
        ("cases.*.curve", "the path of a file: BenchRunTests"),
        ("targets.0.basis", "how the row is counted: TargetTests"), ("targets.0.parameter", "goes with the basis"),
        ("targets.0.unit", "of the band: TargetTests; the bench states bands in its own units"),
        ("targets.0.id", "a name"), ("targets.0.what", "a title"), ("targets.0.source", "for readers"),
        ("cases.*.cell", "a map"), ("cases.*.radio", "a map"), ("cases.*.device", "a map"),
        ("cases.*.traffic", "a list of maps"), ("cases.*.load", "a map"), ("cases.*.load.pulses", "a list of maps"),
        ("targets", "a list of maps"), ("cases", "a map"), ("targets.0.relative_to", "a map"),
    ]

    private static let values: [String: [String]] = [
        "voltage_states": ["[0 %, 40 %, 100 %]"], "voltages": ["[3 V, 3.6 V, 4.2 V]"],
        "resistance_states": ["[10 %, 90 %]"], "r0": ["[90 mohm, 30 mohm]"], "r1": ["[90 mohm, 30 mohm]"],
        "r2": ["[90 mohm, 30 mohm]"], "c1": ["[9 kF, 3 kF]"], "c2": ["[2 kF, 3 kF]"],
        "resistance_factors": ["[3, 1]"], "tail": ["[{power: 1 W, duration: 2 s}]"], "band": ["[0, 1]"],
        "capacity": ["2 Ah"], "charge": ["50 %", "0.5 A"], "limit": ["4.1 V"], "end": ["0.2 A"], "skin": ["28 degC"],
        "current": ["2 A"], "charge_limit": ["4 V"], "case": ["still"], "value": ["tail_j", "end_s"],
        "events": ["{\"soc<=0.5\": 1700 s}"], "cutoff": ["3.3 V"], "entropy_states": ["[10 %, 100 %]"],
        "voltages_per_kelvin": ["[0.3 mV, 0.2 mV]"],
    ]

    /// A key of benches, wherever one of the cases may have it, with values to try.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var paths: [String] = []
        var values: [String] = []
        var testDescription: String { name }
    }

    static let all: [Case] = {
        guard let root = try? tree(text) else { return [] }
        let report = ConfigReport(recordsKeys: true)
        let reader = BenchReader(trees: ModelTrees(library: library, report: report))
        #expect(reader.read(Cursor(root, report: report), path: "a.yaml") != nil, "\(report.problems)")
        var found: [Case] = []
        for note in report.keys {
            let path = (note.path.isEmpty ? note.key : note.path + "." + note.key)
                .replacing("[", with: ".").replacing("]", with: "")
            guard !reasons.contains(where: { KeyConditions.matches(path, $0.pattern) }) else { continue }
            let name = path.replacing(#/^cases\.[a-z]+/#, with: "cases.*")
            if !found.contains(where: { $0.name == name }) { found.append(Case(name: name)) }
            guard let index = found.firstIndex(where: { $0.name == name }) else { continue }
            found[index].paths.append(path)
            if found[index].values.isEmpty { found[index].values = values[note.key] ?? ModelKey.values(note.shape) }
        }
        return found
    }()

    /// What the bench measures and how its targets are judged.
    private static func print(_ key: String, _ value: String) throws -> [String] {
        let report = ConfigReport()
        let root = try tree(text).setting(key: key, value: value).get()
        let reader = BenchReader(trees: ModelTrees(library: library, report: report))
        let bench = reader.read(Cursor(root, report: report), path: "a.yaml")
        guard let bench, !report.problems.hasErrors else { throw report.problems }
        let measured = try bench.cases.map { each in
            try BenchRun.measure(each.subject).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined()
        }
        return measured + (try BenchRun.findings(of: bench)).map { "\($0.found) \($0.verdict) \($0.isFailure)" }
    }

    private static let plain = Result { try print("schema", "1") }

    @Test(arguments: all)
    func `another value of the key changes what is measured`(_ one: Case) throws {
        let before = try Self.plain.get()
        let acts = one.paths.contains { path in
            one.values.contains { value in
                guard let after = try? Self.print(path, value) else { return false }
                return after != before
            }
        }
        #expect(acts, "no value of \(one.values) changed a measurement")
    }
}
