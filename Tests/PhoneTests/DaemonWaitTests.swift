// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// The user's wait for daemons that are gone.
@Suite struct DaemonWaitTests {
    /// Launches on a phone on which daemons die, where each launch needs so many and one takes a second of work.
    private func launches(needing count: Int) -> [EventRow] {
        var device = TestWorld.device(ram: .gibibytes(2))
        device.daemons.isPopulated = true
        device.daemons.isAsRecorded = true
        device.daemons.relaunchTime = .second
        device.daemons.neededByLaunch = count
        let rows = RowCollector()
        _ = simulate(TestWorld.specification(device: device, days: 2, tables: [.events]), sink: rows)
        return rows.events.filter { $0.event == .launch && $0.to == .inactive }
    }

    @Test func `a launch waits for each daemon it needs that is gone, and a resume for none`() throws {
        let (without, with) = (launches(needing: 0), launches(needing: 6))
        let first = try #require(zip(without, with).first { $0.delaySeconds != $1.delaySeconds })
        // Until then both runs are one: the same app is launched from the same state.
        #expect(first.0.app == first.1.app && first.0.time == first.1.time && first.0.launchKind == first.1.launchKind)
        #expect(first.0.launchKind != .resume)
        let specification = TestWorld.specification(device: TestWorld.device(ram: .gibibytes(2)))
        let (measures, catalogue) = MetricCatalog.declared
        let core = PhoneCore(specification, catalogue, measures.core, sink: nil)
        let start = core.power.processor.duration(ofWork: .second).seconds
        let daemons = (first.1.delaySeconds - first.0.delaySeconds) / start
        #expect(daemons > 0.5 && daemons < 6.5 && abs(daemons - daemons.rounded()) < 1e-6)
        let resumes = zip(without, with).prefix { $0.time == $1.time && $0.app == $1.app }.filter {
            $0.0.launchKind == .resume && $0.1.launchKind == .resume
        }
        #expect(resumes.count > 5)
        #expect(resumes.allSatisfy { abs($0.delaySeconds - $1.delaySeconds) < start / 2 })
    }
}
