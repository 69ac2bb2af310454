// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore
import Recording
import Vocabulary

/// Cost of one run.
public struct RunCost: Sendable {
    /// Wall-clock time, in seconds.
    public let seconds: Double
    /// Length of the run's segment, in bytes.
    public let bytes: Int
    /// Part of the segment that consists of rows, in bytes.
    public let rows: Int
    /// Total length of the run's lines in `runs.csv` and `plan.jsonl`, in bytes; estimated.
    public let lines: Int

    /// Estimated length of the columns before the metrics and of the line in `plan.jsonl`, in bytes.
    ///
    /// The true length depends on the names of policies and points.
    private static let leading = 130 + 90

    init(seconds: Double, bytes: Int, metrics: [Double]) {
        self.seconds = seconds
        self.bytes = bytes
        // Without rows, a run consists of a `begin`, a head, an outcome with its metrics and a checksum.
        rows = max(0, bytes - 130 - 8 * metrics.count)
        var text = ByteBuffer()
        for value in metrics {
            text.comma()
            text.append(value)
        }
        lines = Self.leading + text.bytes.count
    }
}

/// Simulates one run, writes its own segment and measures the cost; the segment is not removed.
public func measureRun(_ specification: RunSpecification, segmentPath: String) throws -> RunCost {
    let began = Clock.now()
    let segment = try SegmentWriter(path: segmentPath)
    let names = RowNames(apps: specification.apps.map(\.name))
    let recorder = try RunRecorder(run: 0, names: names, segment: segment)
    let outcome = simulate(specification, sink: specification.tables.isEmpty ? nil : recorder)
    try recorder.finish(outcome, tables: specification.tables, seconds: 0)
    return RunCost(
        seconds: Clock.now() - began, bytes: try InputFile(segmentPath).length(), metrics: outcome.metrics)
}
