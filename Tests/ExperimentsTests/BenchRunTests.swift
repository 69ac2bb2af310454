// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

@testable import Experiments
@testable import Scenario

/// Parts measured by themselves.
@Suite struct BenchRunTests {
    private func values(_ cases: String) throws -> [[String: Double]] {
        let text = "schema: 1\nkind: bench\nname: b\ncases:\n\(cases)\ntargets: []\n"
        let bench = try loadBench(SourceText(name: "b.yaml", text: text), library: .located())
        return try bench.cases.map { try BenchRun.measure($0.subject) }
    }

    @Test func `a radio's energy is the sum of its table`() throws {
        let found = try values(
            "  a: {radio: lte-2012, traffic: [{at: 5 s, down: 1625 kB}], duration: 60 s}"
                + "\n  b: {radio: lte-2012, traffic: [{at: 5 s, every: 5 s, count: 4, down: 1 B}], duration: 60 s}")
        // Promotion 1.21 W x 0.26 s, one second at 13 Mbit/s, then the tail; the rest of the minute idle.
        let transfer = 1.21 * 0.26 + 1.28804 + 0.05197 * 13
        #expect(abs(found[0]["transfer_j", default: 0] - transfer) < 1e-6)
        #expect(abs(found[0]["tail_j", default: 0] - 1.06 * 11.576) < 1e-6)
        #expect(abs(found[0]["idle_j", default: 0] - 0.02 * (60 - 0.26 - 1 - 11.576)) < 1e-6)
        #expect(abs(found[0]["tail_share", default: 0] - 12.270_56 / (12.270_56 + transfer)) < 1e-6)
        // Four packets share one promotion, and their tails do not stack.
        #expect(found[1]["promotions"] == 1)
        #expect(abs(found[1]["tail_j", default: 0] - 1.06 * (15 - 0.26 + 11.576)) < 1e-4)
    }

    @Test func `a bucket of energy outlasts the cell, more so under a heavy load`() throws {
        let found = try values(
            "  a: {cell: lco-reference, load: {power: 0.5 W}}\n  b: {cell: lco-reference, load: {power: 5 W}}")
        let ratios = found.map { $0["bucket_end_s", default: 0] / $0["end_s", default: 1] }
        #expect((1.001...1.01).contains(ratios[0]) && (1.03...1.06).contains(ratios[1]), "\(ratios)")
        #expect(found[0]["V<=3.0"] == found[0]["end_s"])
    }

    @Test func `the root of the mean of squares lies between the smallest deviation and the largest`() throws {
        let text = """
            schema: 1
            kind: bench
            name: b
            cases: {a: {cell: lco-reference, load: {power: 0.5 W}}}
            targets: []
            """
        let bench = try loadBench(SourceText(name: "b.yaml", text: text), library: .located())
        guard case .cell(let plain) = try #require(bench.cases.first).subject else {
            Issue.record("no bench of a cell")
            return
        }
        // Against a curve of no volts, deviations are the cell's voltage, which falls by a hundredth in ten minutes.
        let curve = (0...10).map { CellBench.Sample(time: 60 * Double($0), charge: 1, volts: 0) }
        let values = try CellBench(
            cell: plain.cell, load: plain.load, charge: plain.charge, temperature: plain.temperature, curve: curve,
            events: []
        ).measure()
        let (rms, largest) = (values["voltage_rms_mv", default: 0], values["voltage_max_mv", default: 0])
        #expect(largest > 3000 && rms < largest && rms > 0.95 * largest, "\(rms) \(largest)")
    }

    @Test func `targets relate cases to each other`() throws {
        let text = """
            schema: 1
            kind: bench
            name: b
            cases:
              a: {radio: lte-2012, traffic: [{down: 1 kB}], duration: 60 s}
              b: {radio: lte-2012, traffic: [{down: 1 kB}, {at: 30 s, down: 1 kB}], duration: 60 s}
            targets:
              - {id: x, case: b, value: energy_j, relative_to: {case: a}, band: {value: 2, tolerance: 1 %}}
              - {id: y, case: a, value: tail_j, relative_to: {value: energy_j}, band: [0, 0.5]}
            """
        let bench = try loadBench(SourceText(name: "b.yaml", text: text), library: .located())
        #expect(try BenchRun.findings(of: bench).map(\.verdict) == [.met, .missed])
    }

    @Test func `a single mass warms as its capacity and its resistance to the air say`() throws {
        let found = try values(
            "  a: {device: {base: iphone-15, heat: {board_capacity: 0.01 J/K, body_capacity: 100 J/K, "
                + "air_resistance: 4 K/W, body_share: 100 %}}, power: 5 W, "
                + "air: 20 degC, skin: 30 degC, duration: 400 s}"
        )
        // 20 + 20 (1 - exp(-t / 400 s)).
        #expect(abs(found[0]["end_c", default: 0] - (20 + 20 * (1 - 0.367_879_44))) < 0.05)
        #expect(abs(found[0]["reach_s", default: 0] - 400 * 0.693_147_18) < 1)
    }
}
