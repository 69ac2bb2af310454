// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import Recording
import Synchronization

/// Position of a finished run, with the few values that are needed often.
struct StoredRun: Sendable {
    let workload: UInt64
    private let begin: Int
    private let footer: Int
    private let payload: UInt32
    /// Index of the segment; -1 for a run that is not done.
    let segment: Int32
    let seconds: Float
    let tables: TableSet

    /// Entry of a run that is not done.
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

/// Positions of the runs of a plan, by their numbers.
struct StoredRuns: Sendable {
    /// Entries of all runs, in a store for the whole plan.
    private var runs: [StoredRun]
    /// Entries of finished runs, in a store for some runs.
    private var some: [Int: StoredRun] = [:]
    /// Number of runs of the plan.
    let count: Int
    /// Counter that increases whenever more segments were read.
    var edition = 0

    /// Creates entries without any finished run.
    ///
    /// - Parameter isSparse: whether only few of the runs will ever be entered.
    init(count: Int, isSparse: Bool) {
        self.count = count
        runs = isSparse ? [] : Array(repeating: .none, count: count)
    }

    subscript(number: Int) -> StoredRun {
        get { runs.isEmpty ? some[number] ?? .none : runs[number] }
        set { if runs.isEmpty { some[number] = newValue } else { runs[number] = newValue } }
    }

    /// Numbers of the finished runs, in order.
    var done: [Int] { runs.isEmpty ? some.keys.sorted() : runs.indices.filter { runs[$0].isDone } }

    /// Largest number of metrics of a run.
    var mostMetrics: Int { done.lazy.map { self[$0].spot.metrics }.max() ?? 0 }
}

/// Segments of a directory, opened as needed, and the metrics that were read last.
final class SegmentShelf: Sendable {
    /// Largest number of open segments.
    static let mostOpen = 32
    /// Smallest size of the cache of metrics in bytes, for any number of runs.
    private static let columnBytes = 32 << 20
    /// Fewest metrics in the cache, so that a large store is not read once for each metric.
    private static let fewestColumns = 4

    private struct State {
        /// Location of each segment, by its index.
        var locations: [Location] = []
        var open: [Int: SegmentFile] = [:]
        /// Open segments, the last opened at the end.
        var order: [Int] = []
        var failure: FileError?
        var firstColumn = 0
        var columns: [[Double]] = []
        /// Edition of the runs whose metrics are in the cache.
        var edition = 0

        /// Metrics in the cache, after those of an earlier edition are removed.
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

    /// Sets the location of a segment: the next one, or one that has grown and must be opened again.
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

    /// First error of any read.
    var failure: FileError? { state.withLock { $0.failure } }

    /// Carries out a read; nil when it fails, and the error is kept.
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
        try state.withLock { state throws(FileError) in
            if let run = try Self.file(entry.segment, &state).run(at: entry.spot) { return run }
            let location = state.locations[Int(entry.segment)]
            // ESTALE: the file is another than the one that was read before.
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

    /// Values of a metric, by run; as many metrics are read at once as fit into the cache.
    func column(_ metric: Int, of entries: StoredRuns) -> [Double] {
        state.withLock { state in
            let held = state.held(of: entries)
            if held.contains(metric) { return state.columns[metric - held.lowerBound] }
            let room = max(Self.fewestColumns, Self.columnBytes / max(1, 8 * entries.count))
            let wanted = metric..<max(metric + 1, min(metric + room, entries.mostMetrics))
            // The old content is freed before the new one is allocated.
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

    /// The value of a metric of one run; not a number where there is none.
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
