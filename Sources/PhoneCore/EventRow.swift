// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Processes
import Quantities
import Vocabulary

/// Event of a process.
public enum EventName: String, Sendable {
    case prewarm
    case launch, becomeActive, resignActive, enterBackground, suspend, willEnterForeground, memoryWarning, exit, missed
    case modeBegin, modeEnd, alert, interrupted, displaced
    case localAlert, refusedAlert, lostPush, saveCut, returnBurst, playbackPaused, lowPowerSave, givenUp
    case trackingBegin, trackingEnd, helperUsed, helperFailed, urgentPush, downgradedPush, installed, updated
}

/// One change of state, warning, kill, call, alert or missed visit.
public struct EventRow: Sendable {
    /// Time of the event.
    public var time = SimTime.zero
    /// App to which the event belongs.
    public var app = AppID.system
    /// Kind of event.
    public var event = EventName.launch
    /// State before the event.
    public var from = ProcessState.notRunning
    /// State after the event.
    public var to = ProcessState.notRunning
    /// Time for which the app was in the previous state; nil for the system's own processes.
    public var inState: SimDuration?
    /// Time until an opened app responds, or since an alert was sent, in seconds; NaN for other rows.
    public var delaySeconds = Double.nan
    /// Age of the newest missing content at an open, in seconds; NaN for other rows.
    public var contentAgeSeconds = Double.nan
    /// For exits, time in the app since its last save, in seconds; NaN for other rows.
    public var lostSeconds = Double.nan
    /// Kind of launch, for opens.
    public var launchKind: LaunchKind?
    /// Reason for which the app came to the screen, for opens by the user.
    public var openedBy: OpenReason?
    /// Exit category, for exits.
    public var exit: ExitCategory?
    /// Jetsam's reason, for kills.
    public var reason: KillReason?
    /// Android's trim level up to version 13, for warnings.
    public var trimLevel = TrimLevel.none
    /// Band before the event.
    public var band: Int16 = 0
    /// Footprint, in MiB.
    public var footprintMiB = 0.0
    /// Resident memory, in MiB.
    public var residentMiB = 0.0
    /// Memory that a kill freed, in MiB.
    public var freedMiB = 0.0
    /// Available memory before the event, in MiB.
    public var availableBeforeMiB = 0.0
    /// Available memory after the event, in MiB.
    public var availableAfterMiB = 0.0
    /// Size of the compressor's pool, in MiB; used by timelines, not by a table.
    public var compressorMiB = 0.0
    /// Available memory below which a kill for this reason occurs, in MiB; NaN for reasons with another trigger.
    public var thresholdMiB = Double.nan
    /// The candidate that would have been killed next.
    public var runnerUp = AppID.system
    /// Rank of the runner-up minus rank of the victim, in units of the eviction policy; infinite without a runner-up.
    public var margin = Double.infinity
    /// The next candidates for a kill, in order, if `TableSet.candidates` is set.
    public var candidates: [KillCandidate] = []
    /// Battery level, in percent.
    public var batteryPercent = 0.0

    /// Time after a kill within which an open of the app makes the kill a regretted one.
    public static let regret = SimDuration.minutes(10)

    /// Creates an empty row.
    public init() {}
}

extension EventRow: TableRow {
    /// One row per change of state, warning, kill, start and end of a call, alert and missed visit.
    public static let table = PhoneTables.table(
        "events", "one row per change of state, warning, kill, start or end of a call, alert and missed visit",
        time: "t_s", columns)

    private static let columns: [TableColumn<EventRow>] = [
        .time("t_s", "time since the run's first midnight", \.time),
        .app("app", "app", \.app),
        .text(
            "event",
            "what happened, named after the app's callbacks; modeBegin, modeEnd: start and end of a call; "
                + "interrupted: a call or an alarm took the focus; displaced: a call took the screen; localAlert: a "
                + "notification that the app scheduled; refusedAlert: an alert that the user's settings block; "
                + "lostPush: a push that never arrived; saveCut: a save cut off because the app was suspended or "
                + "ended; returnBurst: an app made all its requests because the user came back to it; playbackPaused: "
                + "a call or an alarm silenced the app; lowPowerSave: a save because the battery became low or Low "
                + "Power Mode began; givenUp: the user no longer opens the app; trackingBegin, trackingEnd: start and "
                + "end of continuous location tracking; helperUsed, helperFailed: an extension or the service of a "
                + "language model started work, or died during work; urgentPush, downgradedPush: a "
                + "high-priority message ran its app at once, or was treated as a normal one; installed, updated: the "
                + "app, or a new version of it, was installed"
        ) { $0.event.rawValue },
        .text("from_state", "life-cycle state before") { $0.from.tableName },
        .text("to_state", "life-cycle state after") { $0.to.tableName },
        .number("in_state_s", "s", "time for which the app had been in the previous state") {
            $0.inState?.seconds ?? .nan
        },
        .text("launch_kind", "resume, warm or cold, for opens") { $0.launchKind?.tableName ?? "" },
        .text("opened_by", "icon, notification, link, widget, share_sheet, app or restart, for opens by the user") {
            $0.openedBy?.name ?? ""
        },
        .number(
            "delay_s", "s",
            "for opens by the user: time until the app answers; for alerts: time since they were sent; for "
                + "resignActive: time by which the app's work delays the next step",
            \.delaySeconds),
        .number(
            "content_age_s", "s",
            "for opens by the user of apps with content: age of the newest content not yet fetched, 0 if none is "
                + "missing",
            \.contentAgeSeconds),
        .text("exit", "exit category, for exits") { $0.exit?.name ?? "" },
        .number(
            "lost_work_s", "s",
            "for exits: time in the app since its last save, lost with the process; for saveCut: the part not saved",
            \.lostSeconds),
        .text("reason", "jetsam's reason, for kills") { $0.reason?.name ?? "" },
        .init("trim_level", "", .integer, "level of onTrimMemory, 5 to 80, for memory warnings until Android 13") {
            row, _, out in
            if row.trimLevel > .none { out.append(row.trimLevel.rawValue) }
        },
        .count("band", "jetsam band before", \.band),
        .number("footprint_mib", "MiB", "physical footprint", \.footprintMiB),
        .number("resident_mib", "MiB", "resident private memory", \.residentMiB),
        .number("freed_mib", "MiB", "memory freed by a kill", \.freedMiB),
        .number("available_before_mib", "MiB", "available memory before", \.availableBeforeMiB),
        .number("available_after_mib", "MiB", "available memory after", \.availableAfterMiB),
        .init("threshold_mib", "MiB", .number, "available memory below which a kill for this reason happens") {
            row, _, out in
            if row.thresholdMiB.isFinite { out.append(row.thresholdMiB) }
        },
        .init("runner_up", "", .string, "the process that would have died next, for kills") { row, names, out in
            if row.runnerUp != .system { out.append(field: names.name(of: row.runnerUp)) }
        },
        .init("margin", "", .number, "rank of the runner-up minus that of the victim, in the policy's own units") {
            row, _, out in
            if row.margin.isFinite { out.append(row.margin) }
        },
        .number("battery_pct", "%", "battery level", \.batteryPercent),
    ]
}

extension TableSet {
    /// Adds the candidates that would have been killed next to exits by jetsam; this is not a separate table.
    public static let candidates = TableSet(rawValue: 1 << 15)
}

extension TableSet {
    /// One row per change of life-cycle state, warning and kill.
    public static let events = EventRow.table.set
}
