// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore
import Recording
import Vocabulary

/// What one run cost.
public struct RunCost: Sendable {
    /// Wall-clock time, in seconds.
    public let seconds: Double
    /// Length of its segment, in bytes.
    public let bytes: Int
}

/// Simulates one run into a segment of its own and says what it cost; the segment stays.
public func measureRun(_ specification: RunSpecification, segmentPath: String) throws -> RunCost {
    let began = Clock.now()
    let segment = try SegmentWriter(path: segmentPath)
    let names = RowNames(apps: specification.apps.map(\.name))
    let recorder = try RunRecorder(run: 0, names: names, segment: segment)
    let outcome = simulate(specification, sink: specification.tables.isEmpty ? nil : recorder)
    try recorder.finish(outcome, tables: specification.tables, seconds: 0)
    return RunCost(seconds: Clock.now() - began, bytes: try InputFile(segmentPath).length())
}
