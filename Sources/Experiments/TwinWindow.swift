// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import Vocabulary
import Workload

/// Part of a recording that is replayed alone, with the recorded level at its start.
public struct TwinWindow: Sendable {
    /// Start and end of the window, in time since the first midnight of the recording.
    public let span: Range<SimTime>
    /// Rows of the window, with times since the last midnight before the window.
    let file: WorkloadFile
    /// Days from the first midnight of the recording to the last midnight before the window.
    let shift: Int

    /// Battery level at the start of the window.
    let initialLevel: Double

    /// Creates a window of a recording; its rows cover whole days.
    init(_ span: Range<SimTime>, of recording: WorkloadFile) {
        self.span = span
        shift = Int((span.lowerBound - SimTime.zero) / .day)
        let distance = SimDuration.days(-Double(shift))
        let begin = span.lowerBound + distance
        var file = WorkloadFile()
        file.apps = recording.apps
        file.zone = recording.zone
        if let day = CalendarDate(recording.start) {
            file.start = CalendarDate(daysSince1970: day.daysSince1970 + shift).text
        }
        var state: [WorkloadEventKind: WorkloadEvent] = [:]
        for event in recording.events {
            guard event.time < span.upperBound else { break }
            var event = event
            if event.kind == .plug { event.watts = .nan }
            event.time += distance
            event.until += distance
            if event.time < begin { Self.keep(event, in: &state) } else { file.events.append(event) }
        }
        // States that exist at the start of the window begin again there. Network, signal and location begin at
        // midnight, so that they also apply to the hours before the window.
        let kept: [WorkloadEventKind] = [.network, .signal, .location, .plug, .unlock, .open]
        file.events =
            kept.compactMap { kind in
                state[kind].map { event in
                    var event = event
                    event.time = [.network, .signal, .location].contains(kind) ? .zero : begin
                    event.until = event.time
                    if kind == .unlock || kind == .open { event.seconds = .nan }
                    return event
                }
            } + file.events
        // If levels were recorded and no charge, the phone was off the charger.
        if !recording.response.levels.isEmpty, !file.events.contains(where: { $0.kind == .plug || $0.kind == .unplug })
        {
            file.events.insert(WorkloadEvent(.unplug, at: .zero), at: 0)
        }
        // A recording with unlocks recorded the screen. If the window has none, an unlock at midnight for one second
        // shows this.
        if recording.events.contains(where: { $0.kind == .unlock }),
            !file.events.contains(where: { $0.kind == .unlock })
        {
            file.events.insert(WorkloadEvent(.lock, at: .zero + .seconds(1)), at: 0)
            file.events.insert(WorkloadEvent(.unlock, at: .zero), at: 0)
        }
        file.covered =
            .zero..<(.zero + .days(max(1, ((span.upperBound + distance - SimTime.zero) / .day).rounded(.up))))
        initialLevel = recording.response.level(at: span.lowerBound) ?? recording.response.levels.first?.level ?? 1
        self.file = file
    }

    private static func keep(_ event: WorkloadEvent, in state: inout [WorkloadEventKind: WorkloadEvent]) {
        switch event.kind {
        case .network, .signal, .location, .plug, .unlock, .open: state[event.kind] = event
        case .unplug: state[.plug] = nil
        case .lock: (state[.unlock], state[.open]) = (nil, nil)
        case .home, .switch: state[.open] = nil
        default: break
        }
    }

    /// Full hours of the window, counted from the first midnight of the recording.
    var hours: Range<Int> {
        let first = Int(((span.lowerBound - SimTime.zero) / .hour).rounded(.up))
        return first..<max(first, Int((span.upperBound - SimTime.zero) / .hour))
    }
}

/// Results of one run of a window.
struct TwinRun: Sendable {
    /// Rows of the phone's hours, by hours since the first midnight of the recording.
    var hours: [Int: DeviceHourRow] = [:]
    /// Battery levels, with times since the first midnight of the recording.
    var response = RecordedResponse()
    /// Times of started jobs, of kills, and of cold or warm opens, since the first midnight of the recording.
    var jobs: [SimTime] = []
    var deaths: [(time: SimTime, reason: KillReason, band: Int)] = []
    var coldOpens: [SimTime] = []
    /// Values of all metrics.
    var metrics: [Double] = []

    /// Battery level at an instant, from 0 to 1.
    func level(at time: SimTime) -> Double? { response.level(at: time) }
}

/// Replays windows with the models of a twin.
struct TwinRunner: Sendable {
    let experiment: Experiment
    /// Power of the charger in watts; nil if the recording does not determine it.
    var chargerWatts: Double?
    /// Adjusts the specification of a run.
    var adjust: @Sendable (inout RunSpecification) -> Void = { _ in }

    /// Simulates a window several times; each replication has its own random numbers.
    ///
    /// - Parameter change: Changes the recorded rows.
    func runs(
        of window: TwinWindow, count: Int, change: (inout WorkloadFile) -> Void = { _ in }
    ) throws(Diagnostics) -> [TwinRun] {
        // The phone is idle from midnight to the window's start, so it starts with the window's level plus the loss
        // until then. If that is more than a full battery, the phone stays on a charger for the first part of this
        // time.
        let begin = window.span.lowerBound + .days(-Double(window.shift)) - SimTime.zero
        let wanted = window.initialLevel
        guard begin >= SimDuration.hour else { return try run(of: window, numbers: 0..<count, level: wanted, change) }
        let first = try run(of: window, numbers: 0..<1, level: wanted, change)[0]
        let lost = wanted - (first.level(at: window.span.lowerBound) ?? wanted)
        guard wanted + lost > 1 else {
            return try run(of: window, numbers: 0..<count, level: wanted + lost, change)
        }
        let unplugged = begin * max(0, 1 - (1 - wanted) / max(lost, 0.001))
        return try run(of: window, numbers: 0..<count, level: 1, pluggedUntil: .zero + unplugged, change)
    }

    private func run(
        of window: TwinWindow, numbers: Range<Int>, level: Double, pluggedUntil: SimTime? = nil,
        _ change: (inout WorkloadFile) -> Void
    ) throws(Diagnostics) -> [TwinRun] {
        var file = window.file
        let begin = window.span.lowerBound + .days(-Double(window.shift))
        if let pluggedUntil {
            file.events.removeAll { $0.kind == .unplug && $0.time < begin }
            file.events += [WorkloadEvent(.plug, at: .zero), WorkloadEvent(.unplug, at: pluggedUntil)]
        }
        change(&file)
        file.finish()
        var first = experiment.specification(point: 0, policy: experiment.baselineIndex, replication: 0)
        adjust(&first)
        let recording = try TraceRecording(
            file: file, apps: first.apps, chargerWatts: chargerWatts ?? first.persona.charging.chargerPower.watts)
        let weekday = file.startWeekday
        let end = (window.span.upperBound - SimTime.zero) - .days(Double(window.shift))
        return inParallel(numbers.count) { index in
            var run = experiment.specification(
                point: 0, policy: experiment.baselineIndex, replication: numbers.lowerBound + index)
            adjust(&run)
            run.recording = recording
            run.duration = end
            run.warmup = begin - SimTime.zero
            run.startWeekday = weekday ?? run.startWeekday
            run.device.habits.initialLevel = level
            run.tables = [EventRow.table.set, RequestRow.table.set, .deviceHours, .battery]
            let sink = TwinSink(shift: window.shift, from: begin)
            sink.run.metrics = simulate(run, sink: sink).metrics
            if let last = sink.run.response.levels.last, last.time < window.span.upperBound {
                sink.run.response.levels.append(
                    RecordedResponse.Level(time: window.span.upperBound, level: last.level))
            }
            return sink.run
        }
    }
}

/// Collects the rows of a run that are compared with the recording.
private final class TwinSink: RowSink {
    var run = TwinRun()
    private let shift: Int
    private let begin: SimTime

    init(shift: Int, from begin: SimTime) { (self.shift, self.begin) = (shift, begin) }

    func write<Row>(_ row: Row, to table: Table<Row>) {
        let distance = SimDuration.days(Double(shift))
        switch row {
        case let row as DeviceHourRow: run.hours[row.hour + shift * 24] = row
        case let row as BatteryRow:
            run.response.add(level: Double(row.percent) / 100, at: row.time + distance)
        case let row as RequestRow where row.started != .distantFuture && row.started >= begin:
            if row.work == .refresh || row.work == .processing { run.jobs.append(row.started + distance) }
        case let row as EventRow where row.time >= begin:
            if let reason = row.reason { run.deaths.append((row.time + distance, reason, Int(row.band))) }
            if row.openedBy != nil || row.event == .becomeActive, let kind = row.launchKind {
                if kind == .cold || kind == .warm { run.coldOpens.append(row.time + distance) }
            }
        default: break
        }
    }
}
