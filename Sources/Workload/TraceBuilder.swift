// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// A recorded intent.
struct RecordedIntent: Sendable, BitwiseCopyable {
    var intent: Intent
    /// Whether the intent begins a session in which the screen stayed locked, so that no app was opened.
    var isLocked = false

    var time: SimTime { intent.time }
}

/// Turns the rows of a workload file into intents: closes sessions, sets lengths, and gives chargers their power.
struct TraceBuilder {
    /// Longest time between opens of one session if no screen row is between them.
    static let sameSession = SimDuration.second

    private let apps: [AppID]
    private let chargerWatts: Double
    private var intents: [RecordedIntent] = []
    /// Index of the current session's `unlock`; nil while the screen is off.
    private var session: Int?
    /// Planned end of the session; nil if its row states none.
    private var plannedEnd: SimTime?
    /// End of a session that no row began; nil for recorded sessions.
    private var impliedEnd: SimTime?
    /// Index of the visit that has not ended yet.
    private var visit: Int?
    private var isPlugged = false

    /// Creates a builder; `apps` maps each app of the file to an app of the run.
    init(apps: [AppID], chargerWatts: Double) {
        self.apps = apps
        self.chargerWatts = chargerWatts
    }

    /// The intents of a file, sorted by time; rows at one instant keep their order.
    mutating func intents(of file: WorkloadFile) -> [RecordedIntent] {
        if let first = file.events.first(where: { $0.kind == .plug || $0.kind == .unplug }), first.kind == .unplug {
            // The phone was on the charger when the recording began.
            let start = file.coveredParts[.charging]?.lowerBound ?? file.covered.lowerBound
            append(Intent(.plug, at: start, value: chargerWatts))
            isPlugged = true
        }
        for event in file.events { append(event) }
        endImpliedSession(before: .distantFuture)
        // A session that outlasts the file ends at its planned end, if the file states one.
        let end = max(file.covered.upperBound, intents.last?.time ?? .zero)
        if session != nil { endSession(at: plannedEnd ?? end) }
        if isPlugged, let span = file.coveredParts[.charging] { append(Intent(.unplug, at: span.upperBound)) }
        let order = intents.indices.sorted { (intents[$0].time, $0) < (intents[$1].time, $1) }
        return order.map { intents[$0] }
    }

    private mutating func append(_ event: WorkloadEvent) {
        endImpliedSession(before: event.time)
        switch event.kind {
        case .unlock: unlock(event)
        case .lock: if session != nil { endSession(at: event.time) }
        case .open, .switch: open(event)
        case .home: endVisit(at: event.time)
        case .interrupt: if session != nil { add(.interrupt, event, value: event.seconds) }
        case .forceQuit: add(.forceQuit, event)
        case .plug: plug(event)
        case .unplug: unplug(event)
        case .topUp: topUp(event)
        case .network: add(.network, event, value: Double(event.network))
        case .lowPowerMode: add(.lowPowerMode, event, value: event.isOn ? 1 : 0)
        case .signal: add(.signal, event, value: Double(event.network))
        case .location: add(.location, event, value: Double(event.network))
        case .restart: add(.restart, event, value: event.seconds.isNaN ? 0 : event.seconds)
        case .install: add(.install, event)
        case .update: add(.install, event, value: 1)
        case .push, .notification: add(.push, event, value: event.isLocal ? 1 : 0)
        // Runs read these rows instead of the arrivals that they would draw.
        case .content, .silentPush: break
        }
    }

    private mutating func append(_ intent: Intent) { intents.append(RecordedIntent(intent: intent)) }

    private func app(of event: WorkloadEvent) -> AppID { event.app < 0 ? .system : apps[Int(event.app)] }

    private mutating func add(_ kind: IntentKind, _ event: WorkloadEvent, value: Double = 0) {
        append(Intent(kind, at: event.time, app: app(of: event), value: value, reason: event.reason))
    }

    private mutating func unlock(_ event: WorkloadEvent) {
        if session != nil {
            // An app that was opened a moment too early has already begun this session.
            if impliedEnd != nil { return impliedEnd = nil }
            endSession(at: event.time)
        }
        session = intents.count
        plannedEnd = event.seconds.isNaN ? nil : event.time + .seconds(event.seconds)
        intents.append(RecordedIntent(intent: Intent(.unlock, at: event.time), isLocked: event.isLocked))
    }

    private mutating func open(_ event: WorkloadEvent) {
        if session == nil {
            session = intents.count
            plannedEnd = nil
            append(Intent(.unlock, at: event.time))
            impliedEnd = event.time
        }
        endVisit(at: event.time)
        visit = intents.count
        add(.open, event, value: event.seconds)
        if let end = impliedEnd, !event.seconds.isNaN { impliedEnd = max(end, event.time + .seconds(event.seconds)) }
    }

    /// Sets the length of the visit, which ends no later than now.
    private mutating func endVisit(at time: SimTime) {
        guard let index = visit else { return }
        visit = nil
        let seconds = (time - intents[index].time).seconds
        let planned = intents[index].intent.value
        // Times are rounded to nanoseconds, lengths are not.
        if planned.isNaN || planned > seconds + 1e-9 { intents[index].intent.value = seconds }
    }

    private mutating func endSession(at time: SimTime) {
        guard let index = session else { return }
        endVisit(at: time)
        session = nil
        impliedEnd = nil
        intents[index].intent.value = (time - intents[index].time).seconds
        append(Intent(.lock, at: time))
    }

    private mutating func endImpliedSession(before time: SimTime) {
        if let end = impliedEnd, time > end + Self.sameSession { endSession(at: end) }
    }

    private mutating func plug(_ event: WorkloadEvent) {
        guard !isPlugged else { return }
        isPlugged = true
        add(.plug, event, value: event.watts.isNaN ? chargerWatts : event.watts)
    }

    private mutating func unplug(_ event: WorkloadEvent) {
        guard isPlugged else { return }
        isPlugged = false
        add(.unplug, event)
    }

    private mutating func topUp(_ event: WorkloadEvent) {
        append(
            Intent(
                .topUp, at: event.time, value: event.level, until: event.until,
                duration: event.seconds.isNaN ? event.until - event.time : .seconds(event.seconds),
                watts: event.watts.isNaN ? chargerWatts : event.watts))
    }
}
