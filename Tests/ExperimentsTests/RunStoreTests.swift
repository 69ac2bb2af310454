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

    /// Runs whose numbers ascend, descend and jump, with rows between them that are longer than a piece.
    @Test(arguments: [1, 7, 15])
    func `columns are those of the runs, however they stand in the segments`(step: Int) throws {
        let folder = try TemporaryFolder()
        let directory = ResultDirectory(folder.path)
        try createDirectory(directory.segments)
        let plan = smallPlan(replications: 4)
        func value(_ run: PlannedRun, _ metric: Int) -> Double { Double(run.number * 1000 + metric) }
        for half in 0..<2 {
            let path = directory.segments + "/\(half).seg"
            let segment = try SegmentWriter(path: path, build: Build.current)
            for turn in 0..<16 where turn % 2 == half {
                let run = plan.runs[turn * step % 16]
                let recorder = try RunRecorder(run: run.identity, names: RowNames(apps: []), segment: segment)
                var row = DeviceHourRow()
                for hour in 0..<(turn % 5 == 0 ? 3000 : 3) {
                    row.hour = hour
                    recorder.write(row, to: DeviceHourRow.table)
                }
                let outcome = RunOutcome(
                    metrics: MetricCatalog.catalogue.metrics.indices.map { value(run, $0) }, events: 1, userActions: 1,
                    fingerprint: 1, workloadFingerprint: 1)
                try recorder.finish(outcome, tables: .deviceHours, seconds: 0)
            }
        }
        let store = try RunStore(plan: plan, directory: directory)
        for metric in [0, 1, 60, 5] {
            #expect(store.column(metric) == plan.runs.map { value($0, metric) })
            #expect(plan.runs.allSatisfy { store.value(metric, $0.number) == value($0, metric) })
        }
        let last = plan.metrics.entries.count - 1
        #expect(plan.runs.allSatisfy { store[$0.number]?.outcome.metrics.last == value($0, last) })
        try store.check()
    }
}
