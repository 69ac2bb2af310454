// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Quantities
import Recording
import Scenario
import Vocabulary

/// Timeline of several runs for the Perfetto viewer.
///
/// Each run is a group of tracks. Each app has a track with its states, its background work and its events. Counters
/// show values of the phone. Arrows lead from a memory warning to the kill that follows and to the relaunch.
public struct Timeline {
    private var trace = PerfettoTrace()
    private var runs = 0

    /// Creates an empty timeline.
    public init() {}

    /// Bytes of the file.
    public var bytes: [UInt8] { trace.bytes }

    /// Repeats a run and adds it under a name.
    ///
    /// - Throws: `NonDeterminism` when any bit of the result differs from the stored one.
    public mutating func add(_ replay: RunReplay, named name: String) throws(NonDeterminism) {
        let recorder = TimelineRecorder(
            trace, name: name, number: runs + 1, names: replay.appNames, apps: replay.specification.apps.count)
        _ = try replay.carryOut(tables: TimelineRecorder.tables, sink: recorder)
        recorder.finish(at: .zero + replay.experiment.duration)
        trace = recorder.trace
        runs += 1
    }
}

/// Converts the rows of one run to slices, instants and counters of a trace.
final class TimelineRecorder: RowSink {
    static let tables: TableSet = [.events, .requests, .battery]

    /// State of an app during the conversion.
    private struct Life {
        var state = ProcessState.notRunning
        var since = SimTime.zero
        /// Identifier of the arrows from the process's first warning, or its kill, to the next launch.
        var flow: UInt64?
        var isKilled = false
        /// End of the last work in each lane.
        var lanes: [SimTime] = []
    }

    private struct Counters {
        let available, compressor, battery, power, temperature: PerfettoTrace.Track
    }

    private(set) var trace: PerfettoTrace
    private let names: [String]
    private let number: UInt64
    private let process: PerfettoTrace.Track
    private let system: PerfettoTrace.Track
    private let counters: Counters
    private var lives: [Life]
    /// Tracks of each app: one for its states, followed by one lane for each piece of simultaneous work.
    private var tracks: [[PerfettoTrace.Track]]
    private var flows: UInt64 = 0
    private var last: (available: Double, compressor: Double) = (.nan, .nan)

    init(_ trace: PerfettoTrace, name: String, number: Int, names: [String], apps: Int) {
        var trace = trace
        let process = trace.addProcess(name, number: number)
        counters = Counters(
            available: trace.addCounter("available memory", unit: "MiB", in: process, rank: 0),
            compressor: trace.addCounter("compressor", unit: "MiB", in: process, rank: 1),
            battery: trace.addCounter("battery", unit: "%", in: process, rank: 2),
            power: trace.addCounter("power", unit: "W", in: process, rank: 3),
            temperature: trace.addCounter("temperature", unit: "degC", in: process, rank: 4))
        system = trace.addTrack("daemons and extensions", in: process, rank: 5)
        self.trace = trace
        self.process = process
        self.names = names
        self.number = UInt64(number)
        lives = Array(repeating: Life(), count: apps)
        tracks = Array(repeating: [], count: apps)
    }

    func write<Row>(_ row: Row, to table: Table<Row>) {
        switch row {
        case let row as EventRow: add(row)
        case let row as RequestRow: add(row)
        case let row as BatteryRow: add(row)
        default: break
        }
    }

    /// Ends the states that last until the run's end.
    func finish(at end: SimTime) {
        for app in lives.indices { change(app, to: .notRunning, at: end) }
    }

    // MARK: Processes

    private func add(_ row: EventRow) {
        addMemory(row)
        let app = Int(row.app.index)
        guard lives.indices.contains(app) else {
            if row.event == .exit { trace.addInstant(title(row), on: system, at: row.time.nanoseconds, about(row)) }
            return
        }
        if row.from != row.to {
            if lives[app].state != row.from {
                (lives[app].state, lives[app].since) = (row.from, row.time - (row.inState ?? .zero))
            }
            change(app, to: row.to, at: row.time)
        }
        switch row.event {
        case .memoryWarning:
            mark(app, row, flows: .init(passing: flow(of: app)))
        case .exit where row.reason != nil:
            mark(app, row, flows: .init(passing: flow(of: app)))
            lives[app].isKilled = true
        case .exit:
            mark(app, row)
            lives[app].flow = nil
        case .launch:
            let ending = lives[app].isKilled ? lives[app].flow : nil
            // Opening a prewarmed process also ends the flow of the process that was killed before.
            if row.from == .notRunning || ending != nil { (lives[app].flow, lives[app].isKilled) = (nil, false) }
            mark(app, row, flows: .init(ending: ending))
        case .missed, .alert: mark(app, row)
        default: break
        }
    }

    private func mark(_ app: Int, _ row: EventRow, flows: PerfettoTrace.Flows = .init()) {
        trace.addInstant(title(row), on: track(of: app, 0), at: row.time.nanoseconds, about(row), flows: flows)
    }

    private func flow(of app: Int) -> UInt64 {
        if let flow = lives[app].flow { return flow }
        flows += 1
        // Flows of different runs have different numbers.
        let flow = number << 32 | flows
        lives[app].flow = flow
        return flow
    }

    private func change(_ app: Int, to state: ProcessState, at time: SimTime) {
        let life = lives[app]
        if life.state != .notRunning, life.since < time {
            trace.addSlice(
                life.state.tableName, on: track(of: app, 0), from: life.since.nanoseconds, to: time.nanoseconds)
        }
        (lives[app].state, lives[app].since) = (state, time)
    }

    private func name(_ app: AppID) -> String { RowNames(apps: names).name(of: app) }

    private func title(_ row: EventRow) -> String {
        switch row.event {
        case .exit: row.reason.map { "killed: \($0.name)" } ?? "exit: \(row.exit?.name ?? "")"
        case .launch where row.delaySeconds.isFinite: "opened: \(row.launchKind?.tableName ?? "")"
        case .launch: "launched in the background"
        case .memoryWarning: "memory warning"
        default: row.event.rawValue
        }
    }

    private func about(_ row: EventRow) -> PerfettoTrace.Arguments {
        switch row.event {
        case .exit where row.reason != nil:
            [
                "app": .text(name(row.app)), "reason": .text(row.reason?.sentence ?? ""), "band": .whole(Int(row.band)),
                "state": .text(row.from.tableName), "footprint_mib": .number(row.footprintMiB),
                "freed_mib": .number(row.freedMiB), "available_before_mib": .number(row.availableBeforeMiB),
                "next_in_line": .text(row.runnerUp == .system ? "nobody" : name(row.runnerUp)),
            ]
        case .launch where row.delaySeconds.isFinite:
            ["app": .text(name(row.app)), "wait_s": .number(row.delaySeconds), "band": .whole(Int(row.band))]
        case .alert: ["app": .text(name(row.app)), "delay_s": .number(row.delaySeconds)]
        default:
            [
                "app": .text(name(row.app)), "band": .whole(Int(row.band)),
                "footprint_mib": .number(row.footprintMiB),
            ]
        }
    }

    // MARK: Work

    private func add(_ row: RequestRow) {
        let app = Int(row.app.index)
        guard lives.indices.contains(app), row.started != .distantFuture else { return }
        let words: PerfettoTrace.Arguments = [
            "outcome": .text(row.outcome), "submitted_s": .number(row.submitted.seconds),
            "waited_s": .number((row.started - max(row.submitted, row.earliestBegin)).seconds),
            "energy_j": .number(row.joules.isFinite ? row.joules : 0), "found_new": .text(row.foundNew ? "yes" : "no"),
        ]
        guard row.started < row.ended else {
            return trace.addInstant(row.work.name, on: track(of: app, 0), at: row.started.nanoseconds, words)
        }
        // Rows are ordered by their ends. Work that began before the last work of a lane ended needs another lane.
        let free = lives[app].lanes.firstIndex { $0 <= row.started } ?? lives[app].lanes.count
        if free == lives[app].lanes.count { lives[app].lanes.append(.zero) }
        lives[app].lanes[free] = row.ended
        trace.addSlice(
            row.work.name, on: track(of: app, free + 1), from: row.started.nanoseconds, to: row.ended.nanoseconds, words
        )
    }

    /// Track of an app's states, or a lane of its work; it is created on first use.
    private func track(of app: Int, _ lane: Int) -> PerfettoTrace.Track {
        while tracks[app].count <= lane {
            let isFirst = tracks[app].isEmpty
            // The viewer draws lanes with equal names as one group.
            tracks[app].append(
                trace.addTrack(
                    isFirst ? names[app] : "background work", in: isFirst ? process : tracks[app][0],
                    rank: isFirst ? 6 + app : 0))
        }
        return tracks[app][lane]
    }

    // MARK: Counters

    private func addMemory(_ row: EventRow) {
        let time = row.time.nanoseconds
        if row.availableAfterMiB != last.available {
            trace.addValue(row.availableAfterMiB, on: counters.available, at: time)
        }
        if row.compressorMiB != last.compressor { trace.addValue(row.compressorMiB, on: counters.compressor, at: time) }
        last = (row.availableAfterMiB, row.compressorMiB)
    }

    private func add(_ row: BatteryRow) {
        let time = row.time.nanoseconds
        trace.addValue(Double(row.percent), on: counters.battery, at: time)
        trace.addValue(row.loadWatts, on: counters.power, at: time)
        trace.addValue(row.celsius, on: counters.temperature, at: time)
    }
}
