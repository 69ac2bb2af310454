// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import ConfigText
import Diagnostics
import Power
import Quantities
import Testing

@testable import Scenario

/// Files of kind bench.
@Suite struct BenchTests {
    private static let text = """
        schema: 1
        kind: bench
        name: parts
        cases:
          beat: {radio: {base: lte-2012, idle_power: 10 mW}, traffic: [{every: 60 s, count: 3, down: 1 kB}], \
        duration: 1 h}
          empty: {cell: lco-reference, load: {power: 3 W}, lumped: true, temperature: 10 degC}
          filled: {cell: lco-reference, load: {charge: 1 A, limit: 4.2 V, end: 0.1 A}}
        targets:
          - {id: a, case: beat, value: tail_share, band: [0, 1]}
          - {id: b, case: empty, value: "soc<=0.5", band: [0, 1], relative_to: {case: filled, value: end_s}}
        """

    private func problem(_ old: String, _ new: String) -> String {
        do {
            _ = try loadBench(SourceText(name: "b.yaml", text: Self.text.replacing(old, with: new)), library: library)
            return "no problem"
        } catch {
            return "\(error)"
        }
    }

    @Test func `cases and targets are read with the models they name`() throws {
        let bench = try loadBench(SourceText(name: "b.yaml", text: Self.text), library: library)
        #expect(bench.cases.map(\.name) == ["beat", "empty", "filled"])
        guard case .radio(let radio) = bench.cases[0].subject, case .cell(let empty) = bench.cases[1].subject,
            case .cell(let filled) = bench.cases[2].subject
        else {
            Issue.record("other subjects")
            return
        }
        #expect(radio.radio.idlePower == .milliwatts(10) && radio.interface == .cellular && radio.duration == 3600)
        #expect(radio.traffic.map(\.count) == [3])
        #expect(empty.cell.pairs.isEmpty && !filled.cell.pairs.isEmpty)
        #expect(empty.charge == 1 && filled.charge == 0 && empty.temperature == .celsius(10))
        #expect(bench.targets.map(\.id) == ["a", "b"])
    }

    @Test(arguments: [
        ("value: tail_share", "value: tail_shar", "did you mean \"tail_share\"?"),
        ("case: beat, value", "case: bet, value", "unknown case \"bet\""),
        ("cell: lco-reference, load: {power: 3 W}", "load: {power: 3 W}", "exactly one of the keys"),
        ("{power: 3 W}", "{power: 3 V}", "expected a power"),
        ("count: 3, down", "count: 3, up: 1 kB, dawn", "did you mean \"down\"?"),
        ("every: 60 s, ", "", "if count is above 1, the key \"every\" is required"),
        ("radio: {base: lte-2012, ", "radio: {base: lte-2013, ", "did you mean \"lte-2012\"?"),
        ("lumped: true", "curve: none.csv", "no file \"none.csv\""),
    ])
    func `mistakes in benches are explained where they stand`(old: String, new: String, expected: String) {
        let found = problem(old, new)
        #expect(found.contains(expected) && found.contains("b.yaml:"), "\(found)")
    }
}
