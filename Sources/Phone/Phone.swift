// SPDX-License-Identifier: GPL-3.0-or-later
// Phone composes the parts: it has a field for each behaviour, and one switch each for timers, signals and the user's
// intents. In: a `RunSpecification`. Out: a `RunOutcome` and, if requested, rows.
// It contains no mechanism. Common state is in `PhoneCore`, and each behaviour is in `Behaviours`. Memory, energy and
// the rules of background work are in `Processes`, `Power` and `Background`. Behaviours receive a signal in the order
// of the lines in `PhoneBehaviours+Routing.swift`; nothing else decides this order.
// Read first: this file, then `PhoneBehaviours+Routing.swift`.

import Behaviours
import EventKernel
import Measures
import PhoneCore
import Power
import Quantities
import Vocabulary

/// Version of the model, part of every row and token; it is raised when a change alters results.
public let modelVersion = "4"

/// Result of a run besides its rows.
public struct RunOutcome: Sendable {
    /// One value per requested metric, metrics of the phone first; NaN for a share without a denominator.
    public var metrics: [Double]
    /// Number of events that the kernel dispatched.
    public var events: UInt64
    /// Number of opens by the user after the warm-up.
    public var userActions: UInt64
    /// Hash of all events, which depends on their order.
    public var fingerprint: UInt64
    /// Hash of the workload, equal under every policy of a replication.
    public var workloadFingerprint: UInt64
    /// Relative difference between the energy ledger and the energy at the terminals, which is only rounding error.
    public var ledgerError: Double
    /// Energy of the watched app since the warm-up; nil if no app is watched.
    public var energy: WatchedEnergy?

    /// Creates an outcome.
    public init(
        metrics: [Double], events: UInt64, userActions: UInt64, fingerprint: UInt64, workloadFingerprint: UInt64,
        ledgerError: Double = 0
    ) {
        self.metrics = metrics
        self.events = events
        self.userActions = userActions
        self.fingerprint = fingerprint
        self.workloadFingerprint = workloadFingerprint
        self.ledgerError = ledgerError
    }
}

/// Measures of every part of the phone, declared next to the code that counts them.
struct PhoneMeasures: Sendable {
    let visits: Visits.Measures
    let core: CoreMeasures
    let charging: Charging.Measures
    let requests: RequestMeasures
    let pushes: Pushes.Measures
    let calls: Calls.Measures
    let transfers: Transfers.Measures
    let widgets: Widgets.Measures
    let connections: Connections.Measures
    let interruptions: Interruptions.Measures
    let prewarming: Prewarming.Measures
    let playback: Playback.Measures
    let restarts: SystemRestarts.Measures
    let tracking: Tracking.Measures
    let alarms: Alarms.Measures
    let helpers: Helpers.Measures
    let broadcasts: Broadcasts.Measures
    let installs: AppInstalls.Measures

    /// The order of the declarations is the order of the metrics in tables and lists.
    init(_ builder: inout MeasureBuilder) {
        visits = Visits.Measures(&builder)
        core = CoreMeasures(&builder)
        charging = Charging.Measures(&builder)
        requests = RequestMeasures(&builder)
        pushes = Pushes.Measures(&builder)
        calls = Calls.Measures(&builder)
        transfers = Transfers.Measures(&builder)
        widgets = Widgets.Measures(&builder)
        connections = Connections.Measures(&builder)
        interruptions = Interruptions.Measures(&builder)
        prewarming = Prewarming.Measures(&builder)
        playback = Playback.Measures(&builder)
        restarts = SystemRestarts.Measures(&builder)
        tracking = Tracking.Measures(&builder)
        helpers = Helpers.Measures(&builder)
        alarms = Alarms.Measures(&builder)
        broadcasts = Broadcasts.Measures(&builder)
        installs = AppInstalls.Measures(&builder)
    }
}

/// All behaviours of a phone.
struct PhoneBehaviours {
    var stages: RunStages
    var user: UserIntents
    var visits: Visits
    var requests: Requests
    var pushes: Pushes
    var calls: Calls
    var location: Location
    var accessories: Accessories
    var transfers: Transfers
    var continued: ContinuedWork
    var widgets: Widgets
    var connections: Connections
    var playback: Playback
    var daemons: Daemons
    var incidents: Incidents
    var prewarming: Prewarming
    var services: Services
    var charging: Charging
    var storage: Storage
    var interruptions: Interruptions
    var restarts: SystemRestarts
    var tracking: Tracking
    var alarms: Alarms
    var broadcasts: Broadcasts
    var helpers: Helpers
    var surroundings: Surroundings
    var roaming: Roaming
    var coverage: Coverage
    var autoLock: AutoLock
    var installs: AppInstalls

    init(_ core: inout PhoneCore, _ measures: PhoneMeasures) {
        stages = RunStages(core.specification)
        user = UserIntents(core)
        visits = Visits(&core, measures.visits)
        requests = Requests(core, measures.requests)
        pushes = Pushes(core, measures.pushes)
        calls = Calls(core, measures.calls)
        location = Location(core)
        accessories = Accessories(core)
        transfers = Transfers(core, measures.transfers)
        continued = ContinuedWork(core)
        widgets = Widgets(core, measures.widgets)
        connections = Connections(measures.connections)
        playback = Playback(core, measures.playback)
        daemons = Daemons(core)
        incidents = Incidents(core)
        prewarming = Prewarming(core, measures.prewarming)
        services = Services(core)
        charging = Charging(&core, measures.charging)
        storage = Storage(core)
        interruptions = Interruptions(core, measures.interruptions)
        restarts = SystemRestarts(core, measures.restarts)
        tracking = Tracking(core, measures.tracking)
        alarms = Alarms(core, measures.alarms)
        broadcasts = Broadcasts(core, measures.broadcasts)
        helpers = Helpers(core, measures.helpers)
        surroundings = Surroundings(core)
        roaming = Roaming(core)
        coverage = Coverage(core)
        autoLock = AutoLock(core)
        installs = AppInstalls(measures.installs)
    }

    /// Schedules the first events of each behaviour, at time zero.
    mutating func start(_ core: inout PhoneCore) {
        daemons.start(&core)
        core.limitPeaks()
        user.schedule(&core)
        core.engine.schedule(Slots.device(.hour), at: .zero + .hour, class: EventClass.counting)
        for index in core.apps.indices {
            let app = AppID(index)
            pushes.start(app, &core)
            requests.start(app, &core)
            calls.start(app, &core)
            accessories.start(app, &core)
            transfers.start(app, &core)
            broadcasts.start(app, &core)
        }
        incidents.schedule(&core)
        prewarming.schedule(&core)
        services.start(&core)
        location.start(&core)
        widgets.start(&core)
        connections.start(&core)
        storage.start(&core)
        interruptions.schedule(&core)
        restarts.schedule(&core)
        helpers.start(&core)
        surroundings.timer(&core)
        roaming.schedule(&core)
        coverage.timer(&core)
        alarms.start(&core)
    }
}

/// A phone and its behaviours.
struct Phone: ~Copyable {
    var core: PhoneCore
    var behaviours: PhoneBehaviours

    init(_ specification: RunSpecification, sink: (any RowSink)?) {
        let (measures, catalogue) = MetricCatalog.declared
        core = PhoneCore(specification, catalogue, measures.core, sink: sink)
        behaviours = PhoneBehaviours(&core, measures)
    }

    private init(copying other: borrowing Phone, sink: (any RowSink)?) {
        core = PhoneCore(copying: other.core, sink: sink)
        behaviours = other.behaviours
    }

    /// Copies the phone in its present state.
    ///
    /// Without further changes, original and copy have the same later events and measures, bit for bit. They share no
    /// mutable state if policies are values; a policy that is a class traps.
    ///
    /// - Parameter sink: Destination of the tables that the original also writes; nil for no rows. A phone without a
    ///   sink has prepared no tables, so its copy writes none.
    borrowing func copy(sink: (any RowSink)?) -> Phone { Phone(copying: self, sink: sink) }

    /// Schedules the first events, at time zero.
    mutating func start() {
        behaviours.stages.schedule(&core)
        if core.specification.warmup == .zero { behaviours.endWarmup(&core) }
        core.power.setNetwork(.none, at: .zero)
        core.power.setDisplay(on: false, brightness: 0, app: .system, at: .zero)
        behaviours.start(&core)
        behaviours.propagate(&core)
    }

    /// Handles events in order up to and including an instant.
    mutating func run(until limit: SimTime, watch: RunWatch? = nil) {
        while step(until: limit, watch: watch) {}
    }

    /// Handles the next event and its immediate consequences; returns false if there is no event up to the limit.
    @inline(__always)
    mutating func step(until limit: SimTime, watch: RunWatch? = nil) -> Bool {
        guard let slot = core.engine.next(notAfter: limit) else { return false }
        core.conditions.now = core.engine.now
        watch?.mark(RunPosition(time: core.engine.now, event: core.engine.eventsProcessed))
        behaviours.handle(slot, &core)
        behaviours.propagate(&core)
        return true
    }

    /// Result of the run.
    mutating func outcome() -> RunOutcome {
        core.checkConservation(at: core.end)
        core.writeCutRows(at: core.end)
        behaviours.requests.recordPredictions(&core)
        behaviours.requests.readMeters(&core)
        MetricCatalog.declared.measures.visits.countBound(core.bound, &core.measures)
        var outcome = RunOutcome(
            metrics: core.metrics(at: core.end), events: core.engine.eventsProcessed,
            userActions: UInt64(behaviours.visits.opens(core)), fingerprint: core.engine.fingerprint,
            workloadFingerprint: behaviours.user.fingerprint &+ core.arrivals.value, ledgerError: core.book.ledgerError)
        outcome.energy = core.watchedEnergy(at: core.end)
        return outcome
    }
}

/// Simulates one run, and writes rows of the requested tables to the sink during the run.
///
/// The result depends only on the specification. Energy and memory are checked at the end of every simulated hour. The
/// run traps if the energy ledger does not balance to 1e-9, or if the memory accounts do not sum to the RAM. The watch
/// receives each event before it is handled.
public func simulate(
    _ specification: RunSpecification, sink: (any RowSink)? = nil, watch: RunWatch? = nil
) -> RunOutcome {
    watch?.mark(RunPosition())
    var phone = Phone(specification, sink: sink)
    phone.start()
    phone.run(until: phone.core.end, watch: watch)
    return phone.outcome()
}
