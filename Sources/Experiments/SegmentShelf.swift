// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import Recording
import Synchronization

/// Position of a finished run, with a few values that are often needed.
struct StoredRun: Sendable {
    let workload: UInt64
    private let begin: Int
    private let footer: Int
    private let payload: UInt32
    /// Index of the segment; -1 for a run that is not finished.
    let segment: Int32
    let seconds: Float
    let tables: TableSet

    /// Entry of a run that is not finished.
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

    /// Reads the content of the run again; nil when the run is not finished.
    func read(from shelf: SegmentShelf) throws(FileError) -> FinishedRun? {
        isDone ? try shelf.run(self) : nil
    }
}

/// Entries of the runs of a plan, by the runs' numbers.
struct StoredRuns: Sendable {
    /// Entries of all runs; empty in a sparse store.
    private var runs: [StoredRun]
    /// Entries of the finished runs in a sparse store.
    private var some: [Int: StoredRun] = [:]
    /// Number of runs of the plan.
    let count: Int
    /// Counter that increases whenever segments are read.
    var edition = 0

    /// Creates entries without finished runs.
    ///
    /// - Parameter isSparse: whether only a few of the runs will be entered.
    init(count: Int, isSparse: Bool) {
        self.count = count
        runs = isSparse ? [] : Array(repeating: .none, count: count)
    }

    subscript(number: Int) -> StoredRun {
        get { runs.isEmpty ? some[number] ?? .none : runs[number] }
        set { if runs.isEmpty { some[number] = newValue } else { runs[number] = newValue } }
    }

    /// Numbers of the finished runs, in ascending order.
    var done: [Int] { runs.isEmpty ? some.keys.sorted() : runs.indices.filter { runs[$0].isDone } }

    /// Largest number of metrics of any finished run.
    var mostMetrics: Int { done.lazy.map { self[$0].spot.metrics }.max() ?? 0 }
}

/// Segments of a directory, which are opened when needed, and a cache of the metrics that were read last.
final class SegmentShelf: Sendable {
    /// Largest number of segments that are open at the same time.
    static let mostOpen = 32
    /// Size of the cache of metrics in bytes.
    ///
    /// If there are very many runs, `fewestColumns` metrics take more than this size.
    private static let columnBytes = 32 << 20
    /// Smallest number of metrics in the cache, so that a large store is not read again for each metric.
    private static let fewestColumns = 4

    private struct State {
        /// Location of each segment, by the segment's index.
        var locations: [Location] = []
        var open: [Int: SegmentFile] = [:]
        /// Indices of the open segments, in the order in which they were opened.
        var order: [Int] = []
        var failure: FileError?
        var firstColumn = 0
        var columns: [[Double]] = []
        /// Edition of the entries to which the cached metrics belong.
        var edition = 0

        /// Metrics that are in the cache; metrics of an earlier edition are removed first.
        mutating func held(of entries: StoredRuns) -> Range<Int> {
            if edition != entries.edition { (columns, edition) = ([], entries.edition) }
            return firstColumn..<firstColumn + columns.count
        }
    }

    private struct Location {
        let folder: Folder
        let name: String
    }

    private let state = Mutex(State())

    /// Sets the location of the next segment, or of a known one that has grown and must be opened again.
    func name(_ index: Int, _ name: String, in folder: Folder) {
        state.withLock { state in
            if index == state.locations.count { state.locations.append(Location(folder: folder, name: name)) }
            state.open[index] = nil
            state.order.removeAll { $0 == index }
        }
    }

    /// Keeps a segment open, unless too many are open already.
    func keep(_ segment: OpenSegment, at index: Int) throws(FileError) {
        try state.withLock { state throws(FileError) in
            guard state.order.count < Self.mostOpen, state.open[index] == nil else { return }
            state.open[index] = try SegmentFile(segment)
            state.order.append(index)
        }
    }

    /// The first error of all reads.
    var failure: FileError? { state.withLock { $0.failure } }

    /// Carries out a read.
    ///
    /// If it fails, the error is kept and the result is nil.
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

    /// Reads the content of a finished run again.
    func run(_ entry: StoredRun) throws(FileError) -> FinishedRun {
        try state.withLock { state throws(FileError) in
            if let run = try Self.file(entry.segment, &state).run(at: entry.spot) { return run }
            let location = state.locations[Int(entry.segment)]
            // ESTALE: the file is not the one that was read before.
            throw FileError(action: "read again", path: location.folder.path(location.name), code: 116)
        }
    }

    private static func file(_ segment: Int32, _ state: inout State) throws(FileError) -> SegmentFile {
        let index = Int(segment)
        if let file = state.open[index] { return file }
        if state.order.count >= mostOpen { state.open[state.order.removeFirst()] = nil }
        let location = state.locations[index]
        let file = try SegmentFile(location.name, in: location.folder)
        state.open[index] = file
        state.order.append(index)
        return file
    }

    /// Values of a metric by run.
    ///
    /// Each read takes as many metrics as fit into the cache.
    func column(_ metric: Int, of entries: StoredRuns) -> [Double] {
        state.withLock { state in
            let held = state.held(of: entries)
            if held.contains(metric) { return state.columns[metric - held.lowerBound] }
            let room = max(Self.fewestColumns, Self.columnBytes / max(1, 8 * entries.count))
            let wanted = metric..<max(metric + 1, min(metric + room, entries.mostMetrics))
            // The old content is freed before the new content is allocated.
            state.columns = []
            state.firstColumn = wanted.lowerBound
            do throws(FileError) {
                state.columns = try Self.columns(wanted, entries, &state)
            } catch {
                if state.failure == nil { state.failure = error }
                return Array(repeating: .nan, count: entries.count)
            }
            return state.columns[0]
        }
    }

    /// Value of a metric in one run; NaN if there is none.
    func value(_ metric: Int, _ number: Int, of entries: StoredRuns) -> Double {
        state.withLock { state in
            let held = state.held(of: entries)
            if held.contains(metric) { return state.columns[metric - held.lowerBound][number] }
            guard entries[number].isDone else { return .nan }
            do throws(FileError) {
                let file = try Self.file(entries[number].segment, &state)
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
        _ wanted: Range<Int>, _ entries: StoredRuns, _ state: inout State
    ) throws(FileError) -> [[Double]] {
        var columns = wanted.map { _ in [Double](repeating: .nan, count: entries.count) }
        for number in 0..<entries.count where entries[number].isDone {
            let entry = entries[number]
            try file(entry.segment, &state).eachMetric(wanted, at: entry.spot) { metric, value in
                columns[metric - wanted.lowerBound][number] = value
            }
        }
        return columns
    }
}
