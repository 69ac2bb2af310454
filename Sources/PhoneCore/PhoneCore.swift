// SPDX-License-Identifier: GPL-3.0-or-later
// PhoneCore owns what all behaviours of a phone share: engine, process table, power, life cycles, device conditions and
// measures. It also owns the assertion table, which contains the reasons for which apps execute in the background.
// In: a `RunSpecification`; calls of behaviours, each of which uses only the core and its own state.
// Out: processes started and ended, loads charged, rows written, and signals for other behaviours.
// It depends on no behaviour: one switch in `Phone` decides which behaviours receive a signal, and in which order.
// Read first: this file, then `PhoneCore+Assertions.swift`, `Signal.swift`, `PhoneCore+Exits.swift`.

import Background
import Disk
import EventKernel
import Measures
import Power
import Processes
import Quantities
import RandomStreams
import Structures
import Vocabulary
import Workload

/// State of one phone that all of its behaviours share.
package struct PhoneCore: ~Copyable {
    /// Bytes sent to a server to request new content.
    ///
    /// Assumption: a few HTTP requests.
    package static let requestBytes = ByteCount.kibibytes(4)

    package let specification: RunSpecification
    package let apps: [AppModel]
    package let device: DeviceModel
    /// The daemons and extensions; in the process table, they follow the apps.
    package let daemons: [SystemProcess]
    package let end: SimTime
    package let warmupEnd: SimTime

    package var engine: Engine<TimingWheel>
    /// Processes and memory.
    ///
    /// Behaviours change processes only through `PhoneCore+Processes.swift`, which returns whether a process is alive.
    package internal(set) var processes: ProcessTable
    package var power: PowerSystem
    /// Requests of apps for background work, and the system's budgets for it.
    package var background: RequestTable

    /// Reasons for which apps execute in the background.
    package var assertions: AssertionTable
    /// Clocks and faults of each app's life cycle.
    package var lives: [AppLife]
    /// Short runs in which apps handle events.
    package var eventRuns: EventRuns
    /// Content on the apps' servers, and the part of it on the phone.
    package var content: ContentStore
    /// Files on the storage; nil on a phone whose storage is never full.
    package var disk: DiskSpace?
    /// Lower bound on the number of relaunches under any order of eviction.
    package var bound: EvictionBound
    /// The app on screen.
    package var front: FrontApp
    /// The previous app, if the system keeps it from being cached; `system` if there is none.
    var previousApp: AppID
    package var conditions: DeviceConditions
    /// Changes of the device that have not been routed yet.
    package var changes: ConditionChanges
    /// Signals that have not been routed yet.
    package var signals: Ring<Signal>
    /// Ends of processes that have not been routed yet; they are routed before any signal.
    package var ends: Ring<ProcessEnd>
    /// Number of daemons and extensions that run.
    package var liveDaemons: Int
    /// Whether a policy receives the next open of each app.
    package internal(set) var readsFuture: Bool
    /// The system's predictor of the user's opens.
    package var predictor: UsePredictor
    /// When bytes last passed over the system's push connection.
    package var lastPushTraffic: SimTime

    /// Random streams of visits, by app: every open draws the same numbers under every policy.
    package var visitStreams: [RandomStream]
    /// Random streams of faults, by app.
    package var lifeStreams: [RandomStream]
    /// A hash of the arrivals, which are equal under every policy.
    package var arrivals: ArrivalFingerprint

    /// Measures of the run, and the handles of the core's own measures.
    package var measures: RunMeasures
    package let handles: CoreMeasures
    /// State of the run's tables.
    package var book: RunBook
    var armed: ArmedDeadlines
    /// Number of apps with a process after the last event.
    var residentApps: Int
    var isApplyingDeaths: Bool
    var radioWasUp: Bool
    var offlineSince: SimTime
    /// Share of the highest clocks that the processors may use on an old, cold or empty battery.
    var batteryCap: Double
    /// Whether power is short; apps that save power then work less.
    var isPowerShort: Bool
    /// Surroundings of the phone when it is not held, on a device with surroundings.
    package var resting: Resting
    /// The user's stays at locations, day by day.
    var stays: StayCursor
    /// Present surroundings; nil until they are first set, and on devices without surroundings.
    var surrounding: Surrounding?
    /// Size of memory written to storage whose energy has been charged.
    var bookedWrites = ByteCount.zero
    /// Instant of the last unlock; on a locked phone, the start of the last session.
    package var unlockedSince: SimTime
    /// When content was last fetched outside a session, and the number of radio promotions by then.
    var lastFetch: (time: SimTime, promotions: Int)

    package init(
        _ specification: RunSpecification, _ catalogue: MetricCatalogue, _ handles: CoreMeasures,
        sink: (any RowSink)?
    ) {
        front = FrontApp()
        previousApp = .system
        conditions = DeviceConditions()
        changes = []
        signals = Ring<Signal>()
        ends = Ring<ProcessEnd>()
        liveDaemons = 0
        lastPushTraffic = SimTime.zero
        arrivals = ArrivalFingerprint()
        armed = ArmedDeadlines()
        residentApps = 0
        isApplyingDeaths = false
        radioWasUp = false
        offlineSince = SimTime.zero
        batteryCap = 1.0
        isPowerShort = false
        let surroundings = specification.device.surroundings ?? SurroundingParameters()
        resting = Resting(free: surroundings.bedside, onCable: surroundings.bed)
        surrounding = nil
        stays = StayCursor(specification)
        self.specification = specification
        unlockedSince = SimTime(nanoseconds: -1)
        lastFetch = (unlockedSince, 0)
        let apps = specification.appsAsSet
        let device = specification.device
        self.apps = apps
        self.device = device
        end = .zero + specification.duration
        warmupEnd = .zero + specification.warmup
        let tables = sink == nil ? [] : specification.tables
        let made = MadePolicies(specification.policies, for: specification)
        readsFuture = specification.readsFuture
        let parameters = device.power
        let launchPower = ProcessorPlan(parameters.processor, awake: parameters.platform.awakePower).launchPower
        daemons = specification.systemProcesses
        let models = apps + daemons.map { AppModel($0, device.daemons) }
        var memory = device.memory
        let hasDaemons = daemons.contains { $0.kind != .helper }
        if hasDaemons, device.daemons.listed.isEmpty { memory.systemFootprint = .zero }
        processes = ProcessTable(
            apps: models, memory: memory, profile: device.os,
            policy: made.eviction, ranksAppsOnly: specification.ranksAppsOnly,
            ranksReaper: specification.ranksReaper, freezing: specification.freezing, compression: made.compression,
            freezingPolicy: made.freezing,
            relaunchEnergy: models.map { parameters.relaunchEnergy(of: $0, launchPower: launchPower) })
        if device.os.appSwap != nil { processes.swappableApps = apps.count }
        if tables.contains(.candidates) { processes.candidatesKept = 5 }
        processes.recordsCallbacks = tables.contains(.callbacks)
        power = PowerSystem(
            parameters, apps: apps.count, initialLevel: device.habits.initialLevel,
            ambient: device.surroundings?.bedside.air ?? specification.persona.ambient(hour: 0),
            watched: specification.watchedApp)
        background = RequestTable(
            apps: apps, parameters: device.background,
            policy: made.scheduling, ownRules: specification.schedulingRules)
        engine = Engine<TimingWheel>(
            slots: Slots.count(processes: models.count, continued: device.background.continued.limit))
        assertions = AssertionTable(apps: apps.count)
        lives = Array(repeating: AppLife(), count: apps.count)
        eventRuns = EventRuns(apps: apps.count)
        let prelaunches = [device.prewarm.choice] + specification.changes.map(\.prelaunch)
        bound = EvictionBound(apps, device, prewarms: prelaunches.contains { $0 != .never })
        content = ContentStore(specification, apps: apps)
        predictor = UsePredictor(apps: apps.count, startWeekday: specification.startWeekday)
        disk = device.disk.map { parameters in
            DiskSpace(
                parameters, apps: apps,
                normals: apps.map { app in
                    var stream = specification.stream(app.name, "reserve")
                    return stream.normal()
                })
        }
        visitStreams = apps.map { specification.stream($0.name, "visit") }
        lifeStreams = apps.map { specification.stream($0.name, "faults") }
        measures = RunMeasures(catalogue, for: specification.appMetrics)
        self.handles = handles
        book = RunBook(apps: apps.count, tables: tables, sink: sink, power: power)
    }

    /// Copies the core at any instant; the copy writes its rows to its own sink, or to none.
    ///
    /// Stored properties have no defaults, so that the compiler reports a property that is missing here.
    package init(copying other: borrowing PhoneCore, sink: (any RowSink)?) {
        guard !other.specification.hasClasses else {
            fatalError("a phone whose policy is a class cannot be copied")
        }
        specification = other.specification
        bookedWrites = other.bookedWrites
        (unlockedSince, lastFetch) = (other.unlockedSince, other.lastFetch)
        readsFuture = other.readsFuture
        apps = other.apps
        device = other.device
        daemons = other.daemons
        end = other.end
        warmupEnd = other.warmupEnd
        engine = Engine(copying: other.engine)
        processes = other.processes
        power = PowerSystem(copying: other.power)
        background = other.background
        assertions = other.assertions
        lives = other.lives
        previousApp = other.previousApp
        eventRuns = other.eventRuns
        bound = other.bound
        content = other.content
        predictor = other.predictor
        disk = other.disk
        front = other.front
        conditions = other.conditions
        changes = other.changes
        signals = other.signals
        ends = other.ends
        liveDaemons = other.liveDaemons
        lastPushTraffic = other.lastPushTraffic
        visitStreams = other.visitStreams
        lifeStreams = other.lifeStreams
        arrivals = other.arrivals
        measures = other.measures
        handles = other.handles
        book = other.book
        book.sink = sink
        armed = other.armed
        residentApps = other.residentApps
        isApplyingDeaths = other.isApplyingDeaths
        radioWasUp = other.radioWasUp
        offlineSince = other.offlineSince
        batteryCap = other.batteryCap
        isPowerShort = other.isPowerShort
        resting = other.resting
        surrounding = other.surrounding
        stays = other.stays
    }

    /// The present instant.
    @inline(__always)
    package var now: SimTime { engine.now }

    /// Posts a signal to other behaviours; it is routed before the next event.
    @inline(__always)
    package mutating func post(_ signal: Signal) { signals.append(signal) }

    /// Whether any signal, process end or change must be routed before the next event.
    @inline(__always)
    package var hasNews: Bool {
        !signals.isEmpty || !ends.isEmpty || changes != [] || !processes.kills.isEmpty
    }

    /// Records a change of a condition for which background work can wait.
    @inline(__always)
    package mutating func raise(_ change: ConditionChanges) { changes.insert(change) }

    /// The random stream of an entity for a purpose in this run.
    package func stream(_ entity: String, _ purpose: String) -> RandomStream { specification.stream(entity, purpose) }

    /// One random stream for a purpose for each app.
    package func streams(_ purpose: String) -> [RandomStream] { apps.map { specification.stream($0.name, purpose) } }
}

/// The app on screen, and its load on the phone.
package struct FrontApp {
    /// The app; `system` if none is on screen.
    package var app = AppID.system
    /// Whether the app is being opened and has not been active in the present visit.
    package var isComingUp = false
    /// Processor load of the app.
    package var load = LoadHandle.none
    /// Other parts that the app has switched on.
    package var parts = ActivityLoads.none
    /// Factor that multiplies the usual data rate of the network in this visit.
    package var rate = 1.0
    /// Time for which the app's launch waits for daemons that must be started again.
    package var daemonWait = SimDuration.zero
}

/// The end of a process, as it is routed to behaviours.
package struct ProcessEnd: BitwiseCopyable {
    package var app: AppID
    /// Outcome of the background work that ended with the process.
    package var outcome: RequestOutcome
    /// Whether the user opens the app again at once because it was on screen.
    package var reopens: Bool
    /// Whether jetsam killed the process.
    package var wasKilled: Bool
}
