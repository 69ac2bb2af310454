// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Quantities
import Vocabulary

/// The life of one background request.
public struct RequestRow: Sendable {
    /// The app that submitted the request.
    public var app = AppID.system
    /// Refresh, processing, or other work that runs an app.
    public var work = BackgroundWork.refresh
    /// Identifier of the request; an app's identifiers for each kind count from 0.
    public var identifier: UInt8 = 0
    /// When the request was submitted; for a push, when it was sent.
    public var submitted = SimTime.zero
    /// Time before which the work may not start.
    public var earliestBegin = SimTime.zero
    /// When the work started; `distantFuture` if it never started.
    public var started = SimTime.distantFuture
    /// When the request ended.
    public var ended = SimTime.zero
    /// `success`, `expired`, `failed`, `cancelled`, `replaced`, `never` or `refused`.
    public var outcome = ""
    /// Name of the error of a refused submission; empty otherwise.
    public var error = ""
    /// Whether the phone was on a charger at the start; false if the work never started.
    public var pluggedIn = false
    /// Network that the work used.
    public var network = Network.none
    /// Whether the work found new content.
    public var foundNew = false
    /// Time limit of the work at the start; zero if it never started.
    public var granted = SimDuration.zero
    /// Time for which the phone had been locked at the start; negative if it was unlocked or the work never started.
    public var idle = SimDuration.seconds(-1)
    /// Whether Low Power Mode was on at the start.
    public var lowPower = false
    /// Whether the request needed external power.
    public var requiresPower = false
    /// Whether the request needed a network.
    public var requiresNetwork = false
    /// Bytes that the work moved, by radio.
    public var bytes = RadioTable<Int64>(0)
    /// Whether the work requested the next refresh.
    public var resubmitted = false
    /// Energy charged to the app's background during the work, in joules; NaN if the work never started.
    public var joules = Double.nan
    /// Share of a continued task that was completed; NaN for other work.
    public var progress = Double.nan

    /// Creates an empty row.
    public init() {}
}

extension RequestRow: TableRow {
    /// One row per background request.
    public static let table = PhoneTables.table(
        "requests", "one row per background request that ended", time: "ended_s", head + bytes + tail)

    private static let head: [TableColumn<RequestRow>] = [
        .app("app", "app that asked", \.app),
        .text(
            "kind", "refresh, processing, continued, silent-push, call, location, accessory, transfer(-done), alarm"
        ) { $0.work.name },
        .count("request", "identifier of the request; an app's identifiers for each kind count from 0", \.identifier),
        .time("submitted_s", "time of the submission; for a push, time at which it was sent", \.submitted),
        .time("earliest_begin_s", "earliest begin of the request", \.earliestBegin),
        .time("started_s", "time of the start; empty if the work never started", \.started),
        .time("ended_s", "time of the end", \.ended),
        .text("outcome", "success, expired, failed, cancelled, replaced, never or refused", \.outcome),
        .text("error", "error of a refused submission, named as in BGTaskScheduler.Error.Code; else empty", \.error),
        .flag("plugged_in", "1 when the phone was on power at the start; 0 when the work never started", \.pluggedIn),
        .text("network", "network it used: " + Network.alternatives) { $0.network.name },
        .flag("found_new", "1 when a refresh brought new content", \.foundNew),
        .init("lateness_s", "s", .number, "start minus earliest begin; empty when the work never started") {
            row, _, out in
            if row.started != .distantFuture { out.append((row.started - row.earliestBegin).seconds) }
        },
        .number("granted_s", "s", "time limit of the work at the start; 0 without a limit") { $0.granted.seconds },
        .init("used_s", "s", .number, "duration of the work; empty if the work never started") { row, _, out in
            if row.started != .distantFuture { out.append((row.ended - row.started).seconds) }
        },
        .init("idle_s", "s", .number, "time from the lock of the phone to the start; empty if the phone was not locked")
        {
            row, _, out in
            if row.idle >= .zero { out.append(row.idle.seconds) }
        },
        .flag("low_power", "1 when Low Power Mode was on at the start; 0 when the work never started", \.lowPower),
        .flag("requires_power", "1 when the request required external power", \.requiresPower),
        .flag("requires_network", "1 when the request required a network", \.requiresNetwork),
    ]

    private static let bytes: [TableColumn<RequestRow>] = Interface.allCases.reversed().map { radio in
        .integer("\(radio.name)_bytes", "B", "bytes moved over \(radio.network.words.network)") { $0.bytes[radio] }
    }

    private static let tail: [TableColumn<RequestRow>] = [
        .flag("resubmitted", "1 when the work requested the next refresh", \.resubmitted),
        .number(
            "energy_j", "J",
            "energy booked to the app in the background from start to end, without the radio tail after the end; "
                + "empty when the work never started",
            \.joules),
        .number("progress", "1", "share of a continued task that was done; empty for other work", \.progress),
    ]
}

extension TableSet {
    /// One row per background request.
    public static let requests = RequestRow.table.set
}
