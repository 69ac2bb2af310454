// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Where background work runs, as whole phones show it.
@Suite struct TaskPlacementRunTests {
    private static func run(_ change: (inout ProcessorParameters) -> Void) -> (joules: Double, rows: RowCollector) {
        var device = TestWorld.device()
        change(&device.power.processor)
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(
                apps: TestWorld.apps(12), persona: TestWorld.persona, device: device, days: 2,
                tables: [.deviceHours, .requests], scheduling: "immediate"), sink: rows)
        return (rows.hours.reduce(0) { $0 + $1.processorJoules }, rows)
    }

    @Test func `as many more busy cores, so much more energy, and the same work at the same times`() {
        let runs = [1.0, 2, 3].map { load in Self.run { $0.taskLoad = load } }
        let (first, second) = (runs[1].joules - runs[0].joules, runs[2].joules - runs[1].joules)
        #expect(first > 10 && abs(second / first - 1) < 1e-9, "\(first) \(second)")
        for run in runs { #expect(run.rows.requests.map(\.ended) == runs[0].rows.requests.map(\.ended)) }
    }

    /// Half a second of the reference core takes 0.658 s at a speed of 0.76 and 0.287 s at 1.744; its logarithm has a
    /// deviation of 0.3, so that means are 1.046 times that.
    @Test func `a refresh on faster cores is over sooner, and nothing else is`() throws {
        func mean(_ work: BackgroundWork, _ rows: RowCollector) throws -> Double {
            let lengths = rows.requests.filter { $0.work == work && $0.outcome == "success" }.map {
                ($0.ended - $0.started).seconds
            }
            try #require(lengths.count > 20)
            return lengths.reduce(0, +) / Double(lengths.count)
        }
        let usual = Self.run { _ in }
        let fast = Self.run { $0.placement.refresh.cores = .performance }
        let saved = try mean(.refresh, usual.rows) - mean(.refresh, fast.rows)
        #expect(abs(saved - 0.388) < 0.08, "\(saved)")
        #expect(fast.joules > usual.joules)
    }
}
