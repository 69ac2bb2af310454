// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension WorkloadFile {
    /// Collects a whole workload, so that it can be inspected, counted and replayed.
    ///
    /// - Parameters:
    ///   - source: The workload, which is consumed.
    ///   - apps: The apps with which the workload was made.
    ///   - days: Number of days of the workload.
    public init(of source: consuming WorkloadSource, apps: [AppModel], days: Int) {
        self.init()
        self.apps = apps.map(\.name)
        covered = .zero..<(.zero + .days(Double(days)))
        var intents: [Intent] = []
        while source.nextDay(into: &intents) {
            for intent in intents { events.append(WorkloadEvent(intent)) }
        }
    }
}

extension WorkloadEvent {
    /// Creates the row of an intent.
    init(_ intent: Intent) {
        self.init(WorkloadEventKind(intent), at: intent.time, app: Int(intent.app.index))
        until = intent.until
        switch intent.kind {
        case .unlock, .interrupt, .restart: seconds = intent.value
        case .open:
            seconds = intent.value
            reason = intent.reason
        case .push: isLocal = intent.value == 1
        case .plug: watts = intent.value
        case .topUp:
            level = intent.value
            seconds = intent.duration.seconds
            watts = intent.watts
        case .network, .signal, .location: network = UInt8(intent.value)
        case .lowPowerMode: isOn = intent.value == 1
        case .lock, .forceQuit, .unplug, .install: break
        }
    }
}

extension WorkloadEventKind {
    /// The kind of row for an intent.
    init(_ intent: Intent) {
        switch intent.kind {
        case .unlock: self = .unlock
        case .lock: self = .lock
        case .open: self = .open
        case .interrupt: self = .interrupt
        case .forceQuit: self = .forceQuit
        case .plug: self = .plug
        case .unplug: self = .unplug
        case .topUp: self = .topUp
        case .network: self = .network
        case .push: self = .push
        case .lowPowerMode: self = .lowPowerMode
        case .signal: self = .signal
        case .location: self = .location
        case .restart: self = .restart
        case .install: self = intent.value == 1 ? .update : .install
        }
    }
}

extension WorkloadFile {
    /// Adds all pushes, silent ones included, and the new content of all apps.
    ///
    /// A run with this seed and replication draws the same arrivals on demand. Without these rows, a replay draws its
    /// own arrivals, which are the same only with the same seed. Voice calls are always drawn.
    public mutating func addArrivals(
        to apps: [AppModel], persona: Persona, startWeekday: Int, seed: UInt64, replication: Int
    ) {
        let profile = ArrivalProfile(persona: persona, startWeekday: startWeekday)
        for app in apps {
            let index = index(ofApp: app.name)
            var content = ContentStream(app: app, profile: profile, seed: seed, replication: replication)
            addArrivals(.content, index) { content.next() }
            var silent = PushStream(silentTo: app, profile: profile, seed: seed, replication: replication)
            addArrivals(.silentPush, index) { silent.next() }
            // If the persona has notification habits, the intents already contain the pushes.
            guard persona.notifications == nil else { continue }
            var pushes = PushStream(app: app, persona: persona, profile: profile, seed: seed, replication: replication)
            addArrivals(.push, index) { pushes.next() }
        }
        finish()
    }

    private mutating func addArrivals(_ kind: WorkloadEventKind, _ index: Int, next: () -> SimTime) {
        var time = next()
        while time < covered.upperBound {
            events.append(WorkloadEvent(kind, at: time, app: index))
            time = next()
        }
    }
}
