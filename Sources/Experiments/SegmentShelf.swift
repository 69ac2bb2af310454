// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import Recording
import Synchronization

/// Where a finished run stands, and the little of it that is always at hand.
struct StoredRun: Sendable {
    let workload: UInt64
    private let begin: Int
    private let footer: Int
    private let payload: UInt32
    /// Index of the segment; -1 for a run that is not done.
    let segment: Int32
    let seconds: Float
    let tables: TableSet

    /// Of a run that is not done.
    static let none = StoredRun(
        workload: 0, begin: 0, footer: 0, payload: 0, segment: -1, seconds: 0, tables: [])

    private init(
        workload: UInt64, begin: Int, footer: Int, payload: UInt32, segment: Int32, seconds: Float, tables: TableSet
    ) {
        self.workload = workload
        self.begin = begin
        self.footer = footer
        self.payload = payload
        self.segment = segment
        self.seconds = seconds
        self.tables = tables
    }

    init(_ run: FinishedRun, segment: Int) {
        self.init(
            workload: run.outcome.workloadFingerprint, begin: run.spot.begin, footer: run.spot.footer,
            payload: UInt32(run.spot.payload), segment: Int32(segment), seconds: Float(run.seconds),
            tables: run.tables)
    }

    var isDone: Bool { segment >= 0 }
    var spot: RunSpot { RunSpot(begin: begin, footer: footer, payload: Int(payload)) }

    /// Reads the run again; nil when it is not done.
    func read(from shelf: SegmentShelf) throws(FileError) -> FinishedRun? {
        isDone ? try shelf.run(self) : nil
    }
}

/// The segments of a directory, opened as they are needed, and the metrics that were read from them last.
final class SegmentShelf: Sendable {
    /// Segments that are open at once.
    static let mostOpen = 32
    /// Bytes of metrics that are held at least, whatever the number of runs.
    private static let columnBytes = 32 << 20
    /// Metrics that are held at least, so that a large store is not gone through once for each.
    private static let fewestColumns = 4

    private struct State {
        var open: [Int: SegmentFile] = [:]
        /// The open segments, the one that was opened last at the end.
        var order: [Int] = []
        var failure: FileError?
        var firstColumn = 0
        var columns: [[Double]] = []
    }

    private let source: Source
    private let state: Mutex<State>

    /// Where the segments lie.
    private struct Source {
        let folder: Folder?
        let names: [String]

        func file(_ index: Int) throws(FileError) -> SegmentFile {
            guard let folder else { throw FileError(action: "read", path: names[index], code: 2) }
            return try SegmentFile(names[index], in: folder)
        }
    }

    /// Of segments of a folder, of which the first may be open already; without a folder there are none.
    init(_ names: [String], in folder: Folder?, open: sending [SegmentFile] = []) {
        source = Source(folder: folder, names: names)
        var state = State()
        for (index, file) in open.enumerated() {
            state.open[index] = file
            state.order.append(index)
        }
        self.state = Mutex(state)
    }

    /// The first error of any reading.
    var failure: FileError? { state.withLock { $0.failure } }

    /// Reads something; nil, and an error that is kept, when it cannot be read.
    func reading<Value>(_ body: () throws(FileError) -> Value) -> Value? {
        do throws(FileError) {
            return try body()
        } catch {
            keep(error)
            return nil
        }
    }

    private func keep(_ error: FileError) {
        state.withLock { state in if state.failure == nil { state.failure = error } }
    }

    /// Reads a finished run again.
    func run(_ entry: StoredRun) throws(FileError) -> FinishedRun {
        let name = source.names[Int(entry.segment)]
        let run = try state.withLock { state throws(FileError) in
            try Self.file(entry.segment, source, &state).run(at: entry.spot)
        }
        // ESTALE: the file is another than the one that was gone through.
        guard let run else { throw FileError(action: "read again", path: source.folder?.path(name) ?? name, code: 116) }
        return run
    }

    private static func file(
        _ segment: Int32, _ source: Source, _ state: inout State
    ) throws(FileError) -> SegmentFile {
        let index = Int(segment)
        if let file = state.open[index] { return file }
        if state.order.count >= mostOpen { state.open[state.order.removeFirst()] = nil }
        let file = try source.file(index)
        state.open[index] = file
        state.order.append(index)
        return file
    }

    /// The values of a metric, by run; as many metrics are read at once as there is room for.
    func column(_ metric: Int, of entries: [StoredRun]) -> [Double] {
        state.withLock { state in
            let held = state.firstColumn..<state.firstColumn + state.columns.count
            if held.contains(metric) { return state.columns[metric - held.lowerBound] }
            let most = entries.lazy.filter(\.isDone).map(\.spot.metrics).max() ?? 0
            let room = max(Self.fewestColumns, Self.columnBytes / max(1, 8 * entries.count))
            let wanted = metric..<max(metric + 1, min(metric + room, most))
            // What was held goes before its successor comes.
            state.columns = []
            state.firstColumn = wanted.lowerBound
            do throws(FileError) {
                state.columns = try Self.columns(wanted, entries, source, &state)
            } catch {
                if state.failure == nil { state.failure = error }
                return Array(repeating: .nan, count: entries.count)
            }
            return state.columns[0]
        }
    }

    /// The value of a metric of one run; not a number where there is none.
    func value(_ metric: Int, _ number: Int, of entries: [StoredRun]) -> Double {
        state.withLock { state in
            let held = state.firstColumn..<state.firstColumn + state.columns.count
            if held.contains(metric) { return state.columns[metric - held.lowerBound][number] }
            guard entries[number].isDone else { return .nan }
            do throws(FileError) {
                let file = try Self.file(entries[number].segment, source, &state)
                var found = Double.nan
                try file.eachMetric(metric..<metric + 1, at: entries[number].spot) { _, value in found = value }
                return found
            } catch {
                if state.failure == nil { state.failure = error }
                return .nan
            }
        }
    }

    private static func columns(
        _ wanted: Range<Int>, _ entries: [StoredRun], _ source: Source, _ state: inout State
    ) throws(FileError) -> [[Double]] {
        var columns = wanted.map { _ in [Double](repeating: .nan, count: entries.count) }
        for (number, entry) in entries.enumerated() where entry.isDone {
            try file(entry.segment, source, &state).eachMetric(wanted, at: entry.spot) { metric, value in
                columns[metric - wanted.lowerBound][number] = value
            }
        }
        return columns
    }
}
