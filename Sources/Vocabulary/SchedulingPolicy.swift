import Quantities

/// The kind of background work an app asked for.
public enum RequestKind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// A short launch of up to 30 s to fetch new content (BGAppRefreshTask).
    case refresh
    /// Minutes of work, for an idle device (BGProcessingTask).
    case processing
}

/// What a scheduling policy may know about a pending request.
public struct RequestView: Sendable, BitwiseCopyable {
    /// The app that asked.
    public var app: AppID
    /// Refresh or processing.
    public var kind: RequestKind
    /// When the app submitted it.
    public var submitted: SimTime
    /// The floor before which nothing may run.
    public var earliestBegin: SimTime
    /// When the request is given up.
    public var deadline: SimTime
    /// Whether the app needs external power.
    public var requiresPower: Bool
    /// Whether the app needs a network.
    public var requiresNetwork: Bool
    /// When the user last opened the app; the start of the run when never.
    public var lastOpened: SimTime
    /// When background work of this kind last started for the app; the start of the run when never.
    public var lastRun: SimTime
    /// Probability that the user opens the app in the next 30 minutes, learned from this user's own past.
    public var openLikelihood: Double
    /// Bytes the work is expected to move.
    public var expectedBytes: ByteCount
    /// Time the work is expected to take.
    public var expectedDuration: SimDuration
    /// How long the screen has been on since the user last opened the app.
    public var screenTimeSinceOpened = SimDuration.zero
    /// How often the user has woken the screen since then without opening the app.
    public var screenCyclesSinceOpened: Int32 = 0
    /// For oracles only: when the user opens the app next.
    ///
    /// A policy that reads it says `isOracle` in its descriptor; the distant future where nobody told.
    public var nextOpen = SimTime.distantFuture

    /// Creates a view.
    public init(
        app: AppID, kind: RequestKind, submitted: SimTime, earliestBegin: SimTime, deadline: SimTime,
        requiresPower: Bool, requiresNetwork: Bool, lastOpened: SimTime, lastRun: SimTime, openLikelihood: Double,
        expectedBytes: ByteCount, expectedDuration: SimDuration
    ) {
        self.app = app
        self.kind = kind
        self.submitted = submitted
        self.earliestBegin = earliestBegin
        self.deadline = deadline
        self.requiresPower = requiresPower
        self.requiresNetwork = requiresNetwork
        self.lastOpened = lastOpened
        self.lastRun = lastRun
        self.openLikelihood = openLikelihood
        self.expectedBytes = expectedBytes
        self.expectedDuration = expectedDuration
    }
}

/// The state of the device as a scheduling policy sees it.
public struct DeviceConditions: Sendable, BitwiseCopyable {
    /// The current instant.
    public var now: SimTime
    /// Battery level shown to the user, 0 to 1.
    public var batteryLevel: Double
    /// Whether a charger is connected.
    public var pluggedIn: Bool
    /// The network in use.
    public var network: Network
    /// Whether the cellular or Wi-Fi radio is already up (active or in its tail), so that a transfer costs no promotion.
    public var radioIsUp: Bool
    /// Whether the screen is on.
    public var screenOn: Bool
    /// Whether the phone is locked.
    public var locked: Bool
    /// Since when the phone has been locked; meaningless while unlocked.
    public var lockedSince: SimTime
    /// Since when the phone has been off the charger; meaningless while on it.
    public var unpluggedSince: SimTime
    /// Whether Low Power Mode is on.
    public var lowPowerMode: Bool
    /// Thermal level: 0 nominal, 1 fair, 2 serious, 3 critical.
    public var thermalLevel: UInt8
    /// Share of the processor that is busy, 0 to 1.
    public var processorBusy = 0.0
    /// Memory-pressure level.
    public var pressure: PressureLevel
    /// Whether the app in front uses the camera.
    public var cameraOn = false
    /// Background launches running now.
    public var runningLaunches: Int32
    /// Until when launches are held back after a herd trigger (long lock, long offline, boot).
    public var herdUntil: SimTime
    /// Share of the day's energy budget for background work that is left, 0 to 1.
    public var energyBudgetLeft: Double
    /// Share of the day's cellular budget for background work that is left, 0 to 1.
    public var cellularBudgetLeft: Double

    /// Creates the conditions of an idle, locked, offline phone with a full battery.
    public init(now: SimTime = .zero) {
        self.now = now
        batteryLevel = 1
        pluggedIn = false
        network = .none
        radioIsUp = false
        screenOn = false
        locked = true
        lockedSince = .zero
        unpluggedSince = .zero
        lowPowerMode = false
        thermalLevel = 0
        pressure = .normal
        runningLaunches = 0
        herdUntil = .zero
        energyBudgetLeft = 1
        cellularBudgetLeft = 1
    }
}

/// Changes of the device that a waiting request can ask to be woken by.
public struct ConditionChanges: OptionSet, Sendable, BitwiseCopyable {
    /// One bit per kind of change.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A charger was connected.
    public static let pluggedIn = ConditionChanges(rawValue: 1 << 0)
    /// Wi-Fi was joined.
    public static let wifiJoined = ConditionChanges(rawValue: 1 << 1)
    /// Some network appeared where there was none.
    public static let networkAppeared = ConditionChanges(rawValue: 1 << 2)
    /// The phone was locked.
    public static let locked = ConditionChanges(rawValue: 1 << 3)
    /// The phone was unlocked.
    public static let unlocked = ConditionChanges(rawValue: 1 << 4)
    /// Low Power Mode ended.
    public static let lowPowerModeEnded = ConditionChanges(rawValue: 1 << 5)
    /// The battery rose above the critical level.
    public static let batteryRecovered = ConditionChanges(rawValue: 1 << 6)
    /// The device cooled below the serious level.
    public static let cooled = ConditionChanges(rawValue: 1 << 7)
    /// A background launch ended.
    public static let launchEnded = ConditionChanges(rawValue: 1 << 8)
    /// Memory pressure fell.
    public static let pressureFell = ConditionChanges(rawValue: 1 << 9)
    /// A radio came up for somebody else.
    public static let radioUp = ConditionChanges(rawValue: 1 << 10)
    /// Background work of some app started: a chance to run along with it.
    public static let workStarted = ConditionChanges(rawValue: 1 << 11)

    /// The camera went off.
    public static let cameraStopped = ConditionChanges(rawValue: 1 << 12)

    /// How many kinds of change there are.
    public static let count = 13
}

/// The rule that decided, for `decisions.csv` and for explanations.
public enum SchedulingRule: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case immediate, scored, belowThreshold, deviceInUse, notIdleLongEnough, lowPowerMode, batteryCritical, thermal
    case memoryPressure, herd, groupLimit, rateLimit, energyBudget, cellularBudget, notUsedRecently, needsCharger
    case needsWifi, deadlineReached, custom
    case batchWindow, joinedBatch, heartbeat, backlog, backOff, quota, doze, notExpectedSoon, beforeUse
    /// The processor is busy with other work.
    case processorBusy
    /// The camera is in use.
    case camera

    /// The name written into tables.
    public var name: String {
        switch self {
        case .immediate: "immediate"
        case .scored: "scored"
        case .belowThreshold: "below-threshold"
        case .deviceInUse: "device-in-use"
        case .notIdleLongEnough: "not-idle-long-enough"
        case .lowPowerMode: "low-power-mode"
        case .batteryCritical: "battery-critical"
        case .thermal: "thermal"
        case .memoryPressure: "memory-pressure"
        case .herd: "herd"
        case .groupLimit: "group-limit"
        case .rateLimit: "rate-limit"
        case .energyBudget: "energy-budget"
        case .cellularBudget: "cellular-budget"
        case .notUsedRecently: "not-used-recently"
        case .needsCharger: "needs-charger"
        case .needsWifi: "needs-wifi"
        case .deadlineReached: "deadline-reached"
        case .custom: "custom"
        case .batchWindow: "batch-window"
        case .joinedBatch: "joined-batch"
        case .heartbeat: "heartbeat"
        case .backlog: "backlog"
        case .backOff: "back-off"
        case .quota: "quota"
        case .doze: "doze"
        case .notExpectedSoon: "not-expected-soon"
        case .beforeUse: "before-use"
        case .processorBusy: "processor-busy"
        case .camera: "camera"
        }
    }
}

/// A scheduling policy's answer for one request at one instant.
public struct SchedulingDecision: Sendable, BitwiseCopyable {
    /// Whether the work starts now.
    public var proceed: Bool
    /// The rule that decided.
    public var rule: SchedulingRule
    /// The weighted score, where the policy has one; otherwise 1 or 0.
    ///
    /// Of several requests that wait for running work to end, the one with the highest score is asked first.
    public var score: Double
    /// The score that was needed.
    public var threshold: Double
    /// When to ask again at the latest; `distantFuture` when only a change can help.
    public var reconsider: SimTime
    /// The changes of the device that make asking again worth while.
    public var wakeOn: ConditionChanges

    /// The work starts now.
    public static func proceed(
        _ rule: SchedulingRule, score: Double = 1, threshold: Double = 0
    ) -> SchedulingDecision {
        SchedulingDecision(
            proceed: true, rule: rule, score: score, threshold: threshold, reconsider: .distantFuture, wakeOn: [])
    }

    /// The work waits until an instant or until one of the changes.
    public static func wait(
        _ rule: SchedulingRule, until reconsider: SimTime = .distantFuture, or wakeOn: ConditionChanges = [],
        score: Double = 0, threshold: Double = 0
    ) -> SchedulingDecision {
        SchedulingDecision(
            proceed: false, rule: rule, score: score, threshold: threshold, reconsider: reconsider, wakeOn: wakeOn)
    }
}

/// When background work runs.
///
/// The phone checks what no policy may override (earliest begin, stated requirements, the app in the foreground, force
/// quit, switches) and then asks the policy. A policy that waits must name an instant or a change; it is asked again at
/// the first of them, and at no other time.
public protocol SchedulingPolicy: Sendable {
    /// Whether requests come up at their floor to the instant, as alarms do, and not when the OS looks at them next.
    var ringsAtFloor: Bool { get }
    /// Whether the policy spends the day's budgets, so that silent pushes spend them as well and wait when they are used up.
    var keepsBudgets: Bool { get }
    /// Decides whether a request that may run now does run now.
    mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision
    /// Tells the policy that work ended, and whether it brought anything new.
    mutating func didFinish(_ request: RequestView, foundNewContent: Bool, at now: SimTime)
    /// Tells the policy of a request that was accepted and may not run before its floor yet.
    mutating func didSubmit(_ request: RequestView, at now: SimTime)
    /// Tells the policy that a pending request is gone without having started: replaced, given up or force-quit.
    mutating func didWithdraw(_ request: RequestView, at now: SimTime)
    /// Says what each part of the policy answers to the question that `decide` gets next, for tables and explanations.
    func responses(to request: RequestView, _ device: DeviceConditions) -> [PolicyResponse]
}

extension SchedulingPolicy {
    /// Most policies know no budgets.
    public var keepsBudgets: Bool { false }
    /// Most policies are asked a little later (`BackgroundParameters.notice`).
    public var ringsAtFloor: Bool { false }
    /// Most policies need not know.
    public mutating func didFinish(_ request: RequestView, foundNewContent: Bool, at now: SimTime) {}
    /// Most policies look at a request when it may run.
    public mutating func didSubmit(_ request: RequestView, at now: SimTime) {}
    /// Most policies keep no list of what is pending.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) {}
    /// Most policies are one rule, which `decide` names.
    public func responses(to request: RequestView, _ device: DeviceConditions) -> [PolicyResponse] { [] }
}

/// A scheduling policy that experiment files can name.
public struct SchedulingPolicyEntry: Sendable {
    /// Name, source and parameters.
    public let descriptor: PolicyDescriptor
    /// Makes the policy for one run.
    public let make: @Sendable (PolicyArguments) -> any SchedulingPolicy

    /// Creates an entry.
    public init(_ descriptor: PolicyDescriptor, make: @escaping @Sendable (PolicyArguments) -> any SchedulingPolicy) {
        self.descriptor = descriptor
        self.make = make
    }
}
