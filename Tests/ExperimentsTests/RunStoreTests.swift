// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import Measures
import Phone
import PhoneCore
import Recording
import TestSupport
import Testing

@testable import Experiments

/// What a store of finished runs says when it is asked again.
@Suite struct RunStoreTests {
    @Test func `a segment that is gone when a run is read again fails the check, and only that run`() throws {
        let folder = try TemporaryFolder()
        let directory = ResultDirectory(folder.path)
        try createDirectory(directory.segments)
        // More segments than are kept open: the last is opened anew.
        let plan = smallPlan(replications: 9)
        #expect(plan.runs.count == SegmentShelf.mostOpen + 4)
        func path(_ run: Int) -> String { directory.segments + "/\(100 + run).seg" }
        for run in plan.runs {
            let segment = try SegmentWriter(path: path(run.number), build: Build.current)
            let recorder = try RunRecorder(run: run.identity, names: RowNames(apps: []), segment: segment)
            let outcome = RunOutcome(
                metrics: MetricCatalog.catalogue.metrics.map { _ in Double(run.number) }, events: 1, userActions: 1,
                fingerprint: 1, workloadFingerprint: 1)
            try recorder.finish(outcome, tables: [], seconds: 0)
        }
        let store = try RunStore(plan: plan, directory: directory)
        try store.check()
        #expect(unlink(path(35)) == 0)
        #expect(store[34]?.outcome.metrics.first == 34)
        try store.check()
        #expect(store[35] == nil)
        #expect(throws: FileError.self) { try store.check() }
        #expect(store[0]?.outcome.metrics.first == 0)
    }
}
