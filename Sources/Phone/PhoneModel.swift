import Background
import EventKernel
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary
import Workload

/// The simulated phone: the parts, what joins them, and the counts of a run.
///
/// Each event is handled in two steps: it changes the parts, and `settle` carries the consequences (kills, warnings, new
/// deadlines) to the others and to the event queue.
struct PhoneModel: ~Copyable, SimulationModel {
    typealias Queue = TimingWheel
    /// What asking a server for news sends; assumption: a few HTTP requests.
    static let requestBytes = ByteCount.kibibytes(4)

    let specification: RunSpecification
    let apps: [AppModel]
    let device: DeviceModel
    let end: SimTime
    let warmupEnd: SimTime
    let sink: (any RowSink)?
    let tables: TableSet

    var processes: ProcessTable
    var power: PowerSystem
    var requests: RequestTable
    var predictor: UsePredictor
    var workload: WorkloadSource
    /// The opens to come, for policies that may know them.
    var forecast: OpenForecast?

    /// The daemons and extensions; in the process table they follow the apps.
    var system: [SystemRuntime]
    var runtime: [AppRuntime]
    var lives: [AppLife]
    var content: [ContentStream]
    var pushes: [PushStream]
    var silentPushes: [PushStream]
    var visitStreams: [RandomStream]
    var workStreams: [RandomStream]
    var taskStreams: [RandomStream]
    var lifeStreams: [RandomStream]
    var deviceStream: RandomStream

    var intents: [Intent] = []
    var nextIntent = 0
    var foreground = AppID.system
    var conditions = DeviceConditions()
    /// Whether the dead are being dealt with.
    var isSettlingDeaths = false
    /// How many daemons and extensions run.
    var liveSystem = 0
    /// Apps with background work under way, in the order of their start.
    var running: [AppID] = []
    /// Apps with a push held for lack of a network.
    var held: [AppID] = []
    /// Silent pushes on their way, and the apps whose push waits for a change of the phone.
    var gate: PushGate
    var waitingPushes: [AppID] = []
    /// Room for those who are looked at again.
    var wokenApps: [AppID] = []
    /// Runs for events, by app.
    var wakes: [WakeRun]
    var agenda = Agenda()
    /// When the newest alert of each app was shown.
    var alerts: [SimTime]
    /// Calls that hold apps running, by app, and the user's movements.
    var modes: [ModeRun]
    var movements: Movements
    /// Apps that follow the location.
    var followers: [AppID]
    var callStreams: [RandomStream]
    var accessoryStreams: [RandomStream]
    var callMisses: [Int]
    var calls: [CallPlan]
    /// Background transfers: what there is, what is on its way, who waits for a change of the phone.
    var transfers: TransferTable
    var pieces: [TransferPiece]
    var transferWishes: [Int]
    var transferStreams: [RandomStream]
    var waitingTransfers: [AppID] = []
    var movingTransfers: [AppID] = []
    var widgetBudgets: [WidgetBudget]
    /// What users began and left to go on.
    var continued: ContinuedTasks
    var continuedRuns: [ContinuedRun] = []
    var continuedCount: UInt32 = 0
    /// When something last passed over the system's push connection.
    var lastPushTraffic = SimTime.zero
    /// Factor on the time until the next refresh of apps that use the older fetch interface.
    var fetchStretch: [Double]
    /// An open offer to charge: until when, and at or below which level.
    var offer: Intent?
    var lastLevel = 1.0
    var offlineSince = SimTime.zero
    var radioWasUp = false
    /// What the app in front has switched on.
    var frontLoads = ActivityLoads.none
    /// Apps that go on in the background.
    var continuing: [Continuing] = []
    /// When music, and when navigation, was last begun.
    var lastPlayback = [SimTime.zero, SimTime.zero]
    var counts = RunCounts()
    var energyAtWarmup = EnergySnapshot()
    var marksAtWarmup = EnergyMarks()
    var outcomesAtWarmup: [Int] = []
    var windowsAtWarmup = 0
    var hourRow = DeviceHourRow()
    var hourEnergy = EnergySnapshot()
    var hourHeat = HourHeat()
    var charge = ChargeState()
    /// Share of the highest clocks that an old, cold or empty battery leaves to the processors.
    var batteryCap = 1.0
    var screenSince = SimTime.zero
    var dayRows: [AppDayRow] = []
    var calibration: CalibrationMeter
    /// How long after its floor a request comes up for its first look, app by app.
    var notices: [RandomStream]
    /// When each app entered its present state; kept for the table of events only.
    var stateSince: [SimTime] = []
    /// When each app entered its present state or the day began; kept for the table of app days only.
    var dayStates: [SimTime] = []
    var dayEnergy: [(foreground: Double, background: Double)] = []
    var armed = ArmedDeadlines()
    /// What the tables of radios, battery and apps by the hour last said.
    var trace = PowerTrace()
    var arrivals = ArrivalFingerprint()
    /// Changes of the device that waiting requests have not been told of yet.
    var raised: ConditionChanges = []
    /// Largest relative difference seen between the ledger and the energy at the terminals.
    var ledgerError = 0.0

    init(_ specification: RunSpecification, sink: (any RowSink)?) {
        self.specification = specification
        self.sink = sink
        tables = sink == nil ? [] : specification.tables
        apps = specification.appsAsSet
        device = specification.device
        end = .zero + specification.duration
        warmupEnd = .zero + specification.warmup
        var evictionSeed = specification.stream("eviction policy", "draws")
        var schedulingSeed = specification.stream("scheduling policy", "draws")
        let power = specification.device.power
        let launchPower = ProcessorPlan(power.processor, awake: power.platform.awakePower).launchPower
        let daemons = specification.systemProcesses
        system = daemons.map { SystemRuntime($0, specification.stream($0.name, "work")) }
        let population = specification.device.daemons
        let models = apps + daemons.map { AppModel($0, population) }
        var memory = specification.device.memory
        if !daemons.isEmpty, population.listed.isEmpty { memory.systemFootprint = .zero }
        processes = ProcessTable(
            apps: models, memory: memory, profile: device.os,
            policy: specification.makeEviction(evictionSeed.nextBits()),
            relaunchEnergy: models.map { power.relaunchEnergy(of: $0, launchPower: launchPower) })
        self.power = PowerSystem(
            power, apps: apps.count, initialLevel: device.habits.initialLevel,
            ambient: specification.persona.ambient(hour: 0))
        if tables.contains(.candidates) { processes.candidatesKept = 5 }
        requests = RequestTable(
            apps: apps, parameters: device.background,
            policy: specification.makeScheduling(schedulingSeed.nextBits()), ownRules: specification.schedulingRules)
        predictor = UsePredictor(apps: apps.count, startWeekday: specification.startWeekday)
        var samples = specification.stream("device", "predictions looked at")
        calibration = CalibrationMeter(apps: apps.count, seed: samples.nextBits())
        notices = apps.map { specification.stream($0.name, "notice") }
        if tables.contains(.events) { stateSince = Array(repeating: .zero, count: apps.count) }
        let workload = specification.workload
        self.workload = workload
        runtime = Array(repeating: AppRuntime(), count: apps.count)
        lives = Array(repeating: AppLife(), count: apps.count)
        let profile = ArrivalProfile(persona: specification.persona, startWeekday: specification.startWeekday)
        content = apps.map { specification.content(of: $0, profile, isRecorded: workload.holdsContent) }
        pushes = apps.map { specification.pushes(to: $0, profile, isRecorded: workload.holdsPushes) }
        silentPushes = apps.map { specification.silentPushes(to: $0, profile) }
        gate = PushGate(apps: apps.count, parameters: device.background.pushes)
        wakes = Array(repeating: WakeRun(), count: apps.count)
        alerts = Array(repeating: SimTime(nanoseconds: .min / 2), count: apps.count)
        modes = Array(repeating: ModeRun(), count: apps.count)
        movements = Movements(schedule: specification.movements)
        followers = Self.followers(among: apps)
        callStreams = apps.map { specification.stream($0.name, "calls") }
        accessoryStreams = apps.map { specification.stream($0.name, "accessory") }
        callMisses = Array(repeating: 0, count: apps.count)
        calls = Array(repeating: CallPlan(), count: apps.count)
        transfers = TransferTable(apps: apps.count, parameters: device.background.transfers)
        pieces = Array(repeating: TransferPiece(), count: apps.count)
        transferWishes = Array(repeating: 0, count: apps.count)
        transferStreams = apps.map { specification.stream($0.name, "transfers") }
        continued = ContinuedTasks(device.background.continued)
        widgetBudgets = Array(repeating: WidgetBudget(device.background.widgets), count: apps.count)
        fetchStretch = Array(repeating: 1, count: apps.count)
        visitStreams = apps.map { specification.stream($0.name, "visit") }
        workStreams = apps.map { specification.stream($0.name, "background work") }
        taskStreams = apps.map { specification.stream($0.name, "processing requests") }
        lifeStreams = apps.map { specification.stream($0.name, "faults") }
        deviceStream = specification.stream("device", "habits")
        lastLevel = device.habits.initialLevel
        counts.below20 = TimeIntegral(lastLevel < 0.20 ? 1 : 0)
        counts.above80 = TimeIntegral(lastLevel > 0.80 ? 1 : 0)
        processes.recordsCallbacks = tables.contains(.callbacks)
        if tables.contains(.appDays) {
            dayRows = Array(repeating: AppDayRow(), count: apps.count)
            dayStates = Array(repeating: .zero, count: apps.count)
            dayEnergy = Array(repeating: (0, 0), count: apps.count)
        }
        if tables.contains(.appHours) { trace.apps = Array(repeating: AppEnergy(), count: apps.count + 1) }
        hourEnergy = EnergySnapshot(self.power)
    }
}
