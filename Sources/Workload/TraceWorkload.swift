// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import RandomStreams
import Vocabulary

/// The replay of a recording in one run; a persona fills in the parts that the recording lacks.
///
/// A run longer than the recording continues with the first day that was recorded whole. At that seam, a lasting state
/// (the screen on, a charger, Low Power Mode) is ended or begun.
public struct TraceWorkload: Sendable {
    /// The recording that is replayed.
    public let recording: TraceRecording
    /// Number of days.
    public let days: Int

    /// Whether alerts are read as arrivals, because a run without the recording would draw them as arrivals.
    let sendsAlerts: Bool

    private let apps: [AppModel]
    private let persona: Persona?
    private let keys: StreamKeys
    private let startWeekday: Int
    private let appHashes: [UInt64]
    private var filler: TraceFiller?
    private var gate = IntentGate()
    private var coverage: PartialCoverage
    private var recorded: [Intent] = []
    private var invented: [Intent] = []
    private var day = 0
    private var hashes = WorkloadFingerprint()

    /// Creates the replay of one run.
    ///
    /// - Parameters:
    ///   - apps: The run's apps, the ones with which the recording was prepared.
    ///   - persona: Persona that fills in the missing parts; if nil, these parts stay empty.
    ///   - startWeekday: 0 when the first day is a Monday; the recording's own weekday is the best choice.
    ///   - repeats: Whether a run may be longer than the recording.
    /// - Throws: `Diagnostics` when the run is longer than the recording although `repeats` is false.
    public init(
        recording: TraceRecording, apps: [AppModel], filledBy persona: Persona?, seed: UInt64, replication: Int,
        startWeekday: Int, days: Int, repeats: Bool = false
    ) throws(Diagnostics) {
        if days > recording.days {
            guard repeats else {
                throw Diagnostics(
                    "the run lasts \(days) days, but the recording only \(recording.days)",
                    hint: "shorten the run, or set repeat: true")
            }
            guard recording.firstWholeDay < recording.days else {
                throw Diagnostics("the recording has no whole day that could be repeated")
            }
        }
        self.recording = recording
        self.days = days
        self.apps = apps
        self.persona = persona
        self.startWeekday = startWeekday
        keys = StreamKeys(seed: seed, replication: replication)
        sendsAlerts =
            persona.map { $0.notifications == nil } ?? false && recording.holds(.pushes)
            && !recording.coverage.parts.contains(.pushes)
        coverage = recording.coverage
        appHashes = apps.map { WorkloadFingerprint.hash($0.name) }
        if let persona {
            filler = TraceFiller(
                persona: persona, apps: apps, recording: recording, startWeekday: startWeekday, keys: keys)
        }
    }

    /// The parts that the persona filled in, for the manifest.
    public var filled: [String] { filler.map { $0.parts.map(\.rawValue) } ?? [] }

    /// The parts that are neither recorded nor filled in, without rare events.
    public var missing: [String] {
        WorkloadPart.allCases.filter { !$0.isRare }.map(\.rawValue).filter { name in
            !filled.contains(name) && !recording.parts.contains { $0.rawValue == name }
        }
    }

    /// A number that is equal for two workloads with the same intents so far, in whatever order they were added.
    public var fingerprint: UInt64 { hashes.value }

    /// Replaces the contents of the array by the next day's sorted intents; after the last day, empties it and returns
    /// false.
    public mutating func nextDay(into intents: inout [Intent]) -> Bool {
        intents.removeAll(keepingCapacity: true)
        guard day < days else { return false }
        if day == 0 { hashArrivals() }
        replayDay()
        let end = SimTime.zero + .days(Double(day + 1))
        filler?.fill(day: day, recorded: recorded, into: &invented)
        invented.sort(by: Intent.precedes)
        let shift = SimDuration.day * Double(day - sourceDay(day))
        let isPartial = filler != nil && !coverage.parts.isEmpty
        if isPartial { invented.removeAll { $0.time < end && !coverage.admits($0, shift: shift) } }
        let split = invented.firstIndex { $0.time >= end } ?? invented.count
        merge(invented[..<split], into: &intents)
        invented.removeSubrange(..<split)
        if isPartial { coverage.joinChargers(&intents, day: (end - .day)..<end, shift: shift) }
        for intent in intents {
            hashes.add(intent, appHash: intent.app.index < 0 ? 0 : appHashes[Int(intent.app.index)])
        }
        day += 1
        return true
    }

    /// Adds arrivals from servers to the hash.
    ///
    /// If the run would draw the same arrivals, the hash uses their rates, so that a generated workload and its replay
    /// have equal hashes.
    private mutating func hashArrivals() {
        let end = SimTime.zero + .days(Double(days))
        let profile = persona.map { ArrivalProfile(persona: $0, startWeekday: startWeekday) }
        for (index, app) in apps.enumerated() {
            var (content, pushes) = (app.contentPerDay, app.pushesPerDay)
            if recording.holds(.content), !draws(.content, to: index, profile, until: end) {
                content = 0
                var replay = recording.arrivals(.content)
                var time = replay.next(index)
                while time < end {
                    hashes.add(contentAt: time, appHash: appHashes[index])
                    time = replay.next(index)
                }
            }
            if recording.holds(.pushes), !(sendsAlerts && draws(.alert, to: index, profile, until: end)) { pushes = 0 }
            hashes.add(appHash: appHashes[index], contentPerDay: content, pushesPerDay: pushes)
        }
    }

    /// Whether the run would draw the recorded arrivals for an app.
    private func draws(_ kind: ArrivalKind, to app: Int, _ profile: ArrivalProfile?, until end: SimTime) -> Bool {
        guard let persona, let profile else { return false }
        var replay = recording.arrivals(kind)
        if kind == .content {
            var stream = ContentStream(
                app: apps[app], profile: profile, seed: keys.seed, replication: keys.replication)
            return replay.isDrawn(for: app, until: end) { stream.next() }
        }
        var stream = PushStream(
            app: apps[app], persona: persona, profile: profile, seed: keys.seed, replication: keys.replication)
        return replay.isDrawn(for: app, until: end) { stream.next() }
    }

    /// Copies the day's recorded intents, moved to the day of the run.
    private mutating func replayDay() {
        recorded.removeAll(keepingCapacity: true)
        filler?.lockedSessions.removeAll(keepingCapacity: true)
        let source = sourceDay(day)
        let shift = SimDuration.day * Double(day - source)
        if day > 0, sourceDay(day - 1) != source - 1 {
            recorded += gate.seam(to: recording.dayStates[source], at: .zero + .days(Double(day)))
            invented.removeAll { $0.kind == .open || $0.kind == .interrupt }
        }
        for index in recording.dayStarts[source]..<recording.dayStarts[source + 1] {
            var intent = recording.intents[index].intent
            intent.time += shift
            intent.until += shift
            guard gate.admit(intent), !(sendsAlerts && intent.kind == .push && intent.value == 0) else { continue }
            if recording.intents[index].isLocked { filler?.lockedSessions.append(intent.time) }
            recorded.append(intent)
        }
    }

    /// The recorded day that is replayed on a day of the run.
    private func sourceDay(_ day: Int) -> Int {
        guard day >= recording.days else { return day }
        let first = recording.firstWholeDay
        return first + (day - recording.days) % (recording.days - first)
    }

    /// Merges recorded and generated intents; at one instant, recorded intents come first.
    private func merge(_ invented: ArraySlice<Intent>, into intents: inout [Intent]) {
        var index = invented.startIndex
        for intent in recorded {
            while index < invented.endIndex, invented[index].time < intent.time {
                intents.append(invented[index])
                index += 1
            }
            intents.append(intent)
        }
        intents += invented[index...]
    }
}
