// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Testing

@testable import Phone
@testable import PhoneCore

@Suite struct DeterminismTests {
    @Test func `the same specification gives the same outcome, bit for bit`() {
        let first = simulate(TestWorld.specification())
        let second = simulate(TestWorld.specification())
        #expect(first.fingerprint == second.fingerprint)
        #expect(first.metrics.map(\.bitPattern) == second.metrics.map(\.bitPattern))
    }

    @Test func `asking for tables changes no number`() {
        let plain = simulate(TestWorld.specification())
        let tables: TableSet = [
            .deviceHours, .appDays, .events, .requests, .decisions, .callbacks, .appHours, .radio, .battery,
            .predictions,
        ]
        let recorded = simulate(TestWorld.specification(tables: tables), sink: RowCollector())
        #expect(plain.fingerprint == recorded.fingerprint)
        #expect(plain.metrics.map(\.bitPattern) == recorded.metrics.map(\.bitPattern))
    }

    @Test(arguments: ["lru", "largest-first", "random"])
    func `every eviction policy sees the workload that jetsam sees`(policy: String) {
        let baseline = simulate(TestWorld.specification())
        let other = simulate(TestWorld.specification(eviction: policy))
        #expect(baseline.workloadFingerprint == other.workloadFingerprint)
    }

    @Test(arguments: ["immediate", "charger-and-wifi"])
    func `every scheduling policy sees the workload that the default sees`(policy: String) {
        let baseline = simulate(TestWorld.specification())
        let other = simulate(TestWorld.specification(scheduling: policy))
        #expect(baseline.workloadFingerprint == other.workloadFingerprint)
        #expect(baseline.fingerprint != other.fingerprint)
    }

    @Test func `a phone with other memory sees the same workload`() {
        let small = simulate(TestWorld.specification(device: TestWorld.device(ram: .gibibytes(3))))
        let large = simulate(TestWorld.specification(device: TestWorld.device(ram: .gibibytes(8))))
        #expect(small.workloadFingerprint == large.workloadFingerprint)
    }

    @Test func `another replication is another workload`() {
        let first = simulate(TestWorld.specification(replication: 0))
        let second = simulate(TestWorld.specification(replication: 1))
        #expect(first.workloadFingerprint != second.workloadFingerprint)
    }
}
