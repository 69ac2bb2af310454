import Power
import Quantities
import Vocabulary

/// The tables a run can write besides its metrics.
public struct TableSet: OptionSet, Sendable {
    /// One bit per table.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// One row per hour of the device.
    public static let deviceHours = TableSet(rawValue: 1)
    /// One row per app and day.
    public static let appDays = TableSet(rawValue: 2)
    /// One row per change of life-cycle state, warning and kill.
    public static let events = TableSet(rawValue: 4)
    /// One row per background request.
    public static let requests = TableSet(rawValue: 8)
    /// One row per scheduler decision.
    public static let decisions = TableSet(rawValue: 16)
    /// No table of its own: exits by jetsam name those who would have been next.
    public static let candidates = TableSet(rawValue: 128)
    /// One row per call of the system into an app.
    public static let callbacks = TableSet(rawValue: 32)
    /// One row per hour and app that spent energy in it.
    public static let appHours = TableSet(rawValue: 64)
    /// One row per change of a radio's state.
    public static let radio = TableSet(rawValue: 256)
    /// One row per step of the battery and every ten minutes.
    public static let battery = TableSet(rawValue: 512)
    /// One row per range of predicted likelihood.
    public static let predictions = TableSet(rawValue: 1024)
}

/// The device over one hour.
public struct DeviceHourRow: Sendable {
    /// Hours since the run's first midnight.
    public var hour = 0
    /// Battery level at the end of the hour, in percent.
    public var batteryPercent = 0.0
    /// Energy into the cell over the hour, in joules.
    public var chargedJoules = 0.0
    /// Energy drawn from the wall, in joules.
    public var wallJoules = 0.0
    /// Temperature of battery and skin at the end of the hour, in °C.
    public var batteryCelsius = 0.0
    /// Time at thermal state fair or hotter, in seconds.
    public var fairSeconds = 0.0
    /// Time at thermal state serious or critical, in seconds.
    public var hotSeconds = 0.0
    /// Time in Low Power Mode, in seconds.
    public var lowPowerSeconds = 0.0
    /// Time on a charger, in seconds.
    public var pluggedSeconds = 0.0
    /// Time with the screen on, in seconds.
    public var screenSeconds = 0.0
    /// Apps with a process at the end of the hour.
    public var residentApps = 0
    /// Suspended apps at the end of the hour.
    public var suspendedApps = 0
    /// Least available memory seen in the hour, in MiB.
    public var availableMinimumMiB = 0.0
    /// Compressor pool at the end of the hour, in MiB.
    public var compressorMiB = 0.0
    /// Jetsam kills in the hour.
    public var kills = 0
    /// Opens by the user, and how many of them were relaunches.
    public var opens = 0
    /// Warm and cold opens by the user.
    public var relaunches = 0
    /// Time locked, in seconds.
    public var lockedSeconds = 0.0
    /// Most background launches under way at once.
    public var concurrentLaunches: Int32 = 0
    /// Shares of the day's allowances left at the end of the hour, 0 to 1.
    public var energyBudgetLeft = 0.0
    /// Share of the allowance over cellular.
    public var cellularBudgetLeft = 0.0
    /// Background launches in the hour.
    public var backgroundLaunches = 0
    /// Bytes over the cellular network.
    public var cellularBytes: Int64 = 0
    /// Bytes over Wi-Fi.
    public var wifiBytes: Int64 = 0
    /// Energy by component, in joules.
    public var displayJoules = 0.0
    /// Energy of the processor, in joules.
    public var processorJoules = 0.0
    /// Energy of Wi-Fi, in joules.
    public var wifiJoules = 0.0
    /// Energy of the cellular modem, in joules.
    public var cellularJoules = 0.0
    /// Energy of everything else (suspend floor, wakes), in joules.
    public var platformJoules = 0.0
    /// Energy of flash memory, in joules.
    public var storageJoules = 0.0
    /// Energy of the graphics processor, in joules.
    public var graphicsJoules = 0.0
    /// Energy of traffic of the main memory, in joules.
    public var memoryJoules = 0.0
    /// Energy of codec, amplifier and playback, in joules.
    public var audioJoules = 0.0
    /// Energy of decoding and encoding films, in joules.
    public var videoJoules = 0.0
    /// Energy of the camera, in joules.
    public var cameraJoules = 0.0
    /// Energy of the location receiver, in joules.
    public var locationJoules = 0.0
    /// Energy of Bluetooth, in joules.
    public var bluetoothJoules = 0.0
    /// Energy by cause, in joules, in the order of `Cause`; the components once more.
    public var causeJoules = [Double](repeating: 0, count: Cause.allCases.count)

    /// Creates an empty hour.
    public init() {}
}

/// What happened to a process.
public enum EventName: String, Sendable {
    case launch, becomeActive, resignActive, enterBackground, suspend, willEnterForeground, memoryWarning, exit, missed
    case modeBegin, modeEnd
}

/// One change of state, warning or kill.
public struct EventRow: Sendable {
    /// When.
    public var time = SimTime.zero
    /// Whose.
    public var app = AppID.system
    /// What.
    public var event = EventName.launch
    /// State before.
    public var from = ProcessState.notRunning
    /// State after.
    public var to = ProcessState.notRunning
    /// How long it had been in the state before.
    public var inState = SimDuration.zero
    /// Kind of launch, for opens.
    public var launchKind: LaunchKind?
    /// Exit category, for exits.
    public var exit: ExitCategory?
    /// Jetsam's reason, for kills.
    public var reason: KillReason?
    /// Band before.
    public var band: Int16 = 0
    /// Footprint, in MiB.
    public var footprintMiB = 0.0
    /// Resident memory, in MiB.
    public var residentMiB = 0.0
    /// Memory that a kill returned, in MiB.
    public var freedMiB = 0.0
    /// Available memory before and after, in MiB.
    public var availableBeforeMiB = 0.0
    /// Available memory after, in MiB.
    public var availableAfterMiB = 0.0
    /// Available memory below which a kill for this reason happens, in MiB; NaN for reasons with another trigger.
    public var thresholdMiB = Double.nan
    /// The candidate that would have died next.
    public var runnerUp = AppID.system
    /// Rank of the runner-up minus that of the victim, in the units of the eviction policy; infinite without one.
    public var margin = Double.infinity
    /// Those who would have been next to die, in order, if `TableSet.candidates` asks for them.
    public var candidates: [KillCandidate] = []
    /// Battery level, in percent.
    public var batteryPercent = 0.0

    /// Creates an empty row.
    public init() {}
}

/// The life of one background request.
public struct RequestRow: Sendable {
    /// The app that asked.
    public var app = AppID.system
    /// Refresh, processing, or what else runs an app.
    public var work = BackgroundWork.refresh
    /// Which of the app's requests of this kind it was.
    public var identifier: UInt8 = 0
    /// When it was submitted; for a push, when it was sent.
    public var submitted = SimTime.zero
    /// The floor it named.
    public var earliestBegin = SimTime.zero
    /// When it started; `distantFuture` when it never did.
    public var started = SimTime.distantFuture
    /// When it ended.
    public var ended = SimTime.zero
    /// `success`, `expired`, `failed`, `cancelled`, `replaced`, `never` or `refused`.
    public var outcome = ""
    /// What a refused submission was told, by name; empty otherwise.
    public var error = ""
    /// Whether the phone was on power when it started; false when it never did.
    public var pluggedIn = false
    /// The network it used.
    public var network = Network.none
    /// Whether it brought new content.
    public var foundNew = false
    /// The time that its work was given at the start; zero when it never started.
    public var granted = SimDuration.zero
    /// How long the phone had been locked at the start; negative when it was not, or it never started.
    public var idle = SimDuration.seconds(-1)
    /// Whether Low Power Mode was on when it started.
    public var lowPower = false
    /// Whether it asked for external power.
    public var requiresPower = false
    /// Whether it asked for a network.
    public var requiresNetwork = false
    /// Bytes it moved over cellular.
    public var cellularBytes: Int64 = 0
    /// Bytes it moved over Wi-Fi.
    public var wifiBytes: Int64 = 0
    /// Whether its work asked for the next refresh.
    public var resubmitted = false
    /// Energy booked to the app's background while it ran, in joules; NaN when it never started.
    public var joules = Double.nan
    /// How much of a continued task was done; NaN for other work.
    public var progress = Double.nan

    /// Creates an empty row.
    public init() {}
}

/// One decision of the scheduler.
public struct DecisionRow: Sendable {
    /// When.
    public var time = SimTime.zero
    /// Whose request.
    public var app = AppID.system
    /// Refresh or processing.
    public var kind = RequestKind.refresh
    /// Whether the work started.
    public var proceed = false
    /// The rule that decided, by name.
    public var rule = ""
    /// The score.
    public var score = 0.0
    /// The score that was needed.
    public var threshold = 0.0
    /// When it will be asked again at the latest.
    public var reconsider = SimTime.distantFuture
    /// Which of the app's requests of this kind it is.
    public var identifier: UInt8 = 0
    /// When the request was submitted.
    public var submitted = SimTime.zero
    /// Its floor.
    public var earliestBegin = SimTime.zero
    /// When it is given up.
    public var deadline = SimTime.distantFuture
    /// The likelihood of use that the predictor gave.
    public var openLikelihood = 0.0
    /// What each part of the scheduler answered; those that only score 1 are not worth printing.
    public var responses: [PolicyResponse] = []
    /// The changes of the device that bring it up again before that; no column, but part of the story.
    public var wakeOn = ConditionChanges()

    /// Creates an empty row.
    public init() {}
}
