import Phone
import PhoneCore
import Quantities
import Vocabulary

/// The tables that runs write row by row; a new column is one line here.
enum RowTables {
    static let deviceHours: [RowColumn<DeviceHourRow>] = [
        .init("hour", "h", .integer, "hours since the run's first midnight") { row, _, out in out.append(row.hour) },
        .number("battery_pct", "%", "battery level at the end of the hour", \.batteryPercent),
        .number("charged_j", "J", "energy into the cell over the hour", \.chargedJoules),
        .number("charge_w", "W", "mean power into the cell while on a charger; empty without one") {
            $0.pluggedSeconds > 0 ? $0.chargedJoules / $0.pluggedSeconds : .nan
        },
        .number("wall_j", "J", "energy drawn from the wall over the hour", \.wallJoules),
        .number("plugged_s", "s", "time on a charger", \.pluggedSeconds),
        .number("battery_c", "degC", "temperature of battery and skin at the end of the hour", \.batteryCelsius),
        .number("fair_s", "s", "time at thermal state fair or hotter", \.fairSeconds),
        .number("hot_s", "s", "time at thermal state serious or critical", \.hotSeconds),
        .number("low_power_s", "s", "time in Low Power Mode", \.lowPowerSeconds),
        .number("screen_s", "s", "time with the screen on", \.screenSeconds),
        .number("locked_s", "s", "time locked", \.lockedSeconds),
        .count("resident_apps", "apps with a process at the end of the hour", \.residentApps),
        .count("suspended_apps", "suspended apps at the end of the hour", \.suspendedApps),
        .number("available_min_mib", "MiB", "least available memory seen in the hour", \.availableMinimumMiB),
        .number("compressor_mib", "MiB", "size of the compressor's pool at the end of the hour", \.compressorMiB),
        .count("kills", "processes that jetsam killed in the hour", \.kills),
        .count("opens", "opens by the user", \.opens),
        .count("relaunches", "warm and cold opens by the user", \.relaunches),
        .count("background_launches", "background launches", \.backgroundLaunches),
        .count("concurrent_launches", "most background launches under way at once") { Int($0.concurrentLaunches) },
        .number("energy_budget_left", "1", "share of the day's energy allowance left at the end", \.energyBudgetLeft),
        .number(
            "cellular_budget_left", "1", "share of the day's cellular allowance left at the end", \.cellularBudgetLeft),
        .init("cellular_bytes", "B", .integer, "bytes over the cellular network") { row, _, out in
            out.append(row.cellularBytes)
        },
        .init("wifi_bytes", "B", .integer, "bytes over Wi-Fi") { row, _, out in out.append(row.wifiBytes) },
        .number("screen_energy_j", "J", "energy of the display", \.displayJoules),
        .number("processor_energy_j", "J", "energy of the processor", \.processorJoules),
        .number("wifi_energy_j", "J", "energy of Wi-Fi", \.wifiJoules),
        .number("cellular_energy_j", "J", "energy of the cellular modem", \.cellularJoules),
        .number("platform_energy_j", "J", "energy of everything else: suspend floor, wakes", \.platformJoules),
        .number("storage_energy_j", "J", "energy of flash memory", \.storageJoules),
        .number("graphics_energy_j", "J", "energy of the graphics processor", \.graphicsJoules),
        .number("memory_energy_j", "J", "energy of traffic of the main memory", \.memoryJoules),
        .number("audio_energy_j", "J", "energy of codec, amplifier and playback", \.audioJoules),
        .number("video_energy_j", "J", "energy of decoding and encoding films", \.videoJoules),
        .number("camera_energy_j", "J", "energy of the camera", \.cameraJoules),
        .number("location_energy_j", "J", "energy of the location receiver", \.locationJoules),
        .number("bluetooth_energy_j", "J", "energy of Bluetooth", \.bluetoothJoules),
        .number("for_foreground_j", "J", "of all energy: the app on screen", \.causeJoules[0]),
        .number("for_relaunch_j", "J", "of all energy: launches by the user", \.causeJoules[1]),
        .number("for_tasks_j", "J", "of all energy: background tasks", \.causeJoules[2]),
        .number("for_pushes_j", "J", "of all energy: pushes", \.causeJoules[3]),
        .number("for_transfers_j", "J", "of all energy: transfers by the system", \.causeJoules[4]),
        .number("for_playback_j", "J", "of all energy: music and navigation after leaving", \.causeJoules[5]),
        .number("for_connections_j", "J", "of all energy: heartbeats of connections", \.causeJoules[6]),
        .number("for_tails_j", "J", "of all energy: radios in their tails", \.causeJoules[7]),
        .number("for_nobody_j", "J", "of all energy: floor, paging, standby", \.causeJoules[8]),
    ]

    static let events: [RowColumn<EventRow>] = [
        .init("t_s", "s", .number, "time since the run's first midnight") { row, _, out in out.append(row.time) },
        .init("app", "", .string, "app") { row, names, out in out.append(field: names.name(of: row.app)) },
        .text("event", "what happened, named after the app's callbacks") { $0.event.rawValue },
        .text("from_state", "life-cycle state before") { name($0.from) },
        .text("to_state", "life-cycle state after") { name($0.to) },
        .number("in_state_s", "s", "time it had been in the state before") { $0.inState.seconds },
        .text("launch_kind", "resume, warm or cold, for opens") { $0.launchKind.map(name) ?? "" },
        .text("exit", "exit category, for exits") { $0.exit?.name ?? "" },
        .text("reason", "jetsam's reason, for kills") { $0.reason?.name ?? "" },
        .count("band", "jetsam band before") { Int($0.band) },
        .number("footprint_mib", "MiB", "physical footprint", \.footprintMiB),
        .number("resident_mib", "MiB", "resident private memory", \.residentMiB),
        .number("freed_mib", "MiB", "memory a kill returned", \.freedMiB),
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

    static let requests: [RowColumn<RequestRow>] = [
        .init("app", "", .string, "app that asked") { row, names, out in out.append(field: names.name(of: row.app)) },
        .text("kind", "refresh, processing, continued, silent-push, call, location, accessory, transfer(-done)") {
            $0.work.name
        },
        .count("request", "which of the app's requests of this kind, by identifier") { Int($0.identifier) },
        .init("submitted_s", "s", .number, "when it was submitted; for a push, sent") { row, _, out in
            out.append(row.submitted)
        },
        .init("earliest_begin_s", "s", .number, "the floor it named") { row, _, out in out.append(row.earliestBegin) },
        .init("started_s", "s", .number, "when it started; empty when it never did") { row, _, out in
            out.append(row.started)
        },
        .init("ended_s", "s", .number, "when it ended") { row, _, out in out.append(row.ended) },
        .text("outcome", "success, expired, failed, cancelled, replaced, never or refused", \.outcome),
        .text("error", "error of a refused submission, named as in BGTaskScheduler.Error.Code; else empty", \.error),
        .flag("plugged_in", "1 when the phone was on power at the start", \.pluggedIn),
        .text("network", "network it used: none, wifi or cellular") { name($0.network) },
        .flag("found_new", "1 when it brought new content", \.foundNew),
        .init("lateness_s", "s", .number, "start minus floor; empty when it never started") { row, _, out in
            if row.started != .distantFuture { out.append((row.started - row.earliestBegin).seconds) }
        },
        .number("granted_s", "s", "time its work was given at the start") { $0.granted.seconds },
        .init("used_s", "s", .number, "time its work took; empty when it never started") { row, _, out in
            if row.started != .distantFuture { out.append((row.ended - row.started).seconds) }
        },
        .init("idle_s", "s", .number, "time the phone had been locked at the start; empty when it was not") {
            row, _, out in
            if row.idle >= .zero { out.append(row.idle.seconds) }
        },
        .flag("low_power", "1 when Low Power Mode was on at the start", \.lowPower),
        .flag("requires_power", "1 when it asked for external power", \.requiresPower),
        .flag("requires_network", "1 when it asked for a network", \.requiresNetwork),
        .init("cellular_bytes", "B", .integer, "bytes it moved over cellular") { row, _, out in
            out.append(row.cellularBytes)
        },
        .init("wifi_bytes", "B", .integer, "bytes it moved over Wi-Fi") { row, _, out in out.append(row.wifiBytes) },
        .flag("resubmitted", "1 when its work asked for the next refresh", \.resubmitted),
        .number(
            "energy_j", "J",
            "booked to the app's background from start to end, without the radio's tail after it; empty: never started",
            \.joules),
        .number("progress", "1", "share of a continued task that was done; empty for other work", \.progress),
    ]

    static let decisions: [RowColumn<DecisionRow>] = [
        .init("t_s", "s", .number, "time since the run's first midnight") { row, _, out in out.append(row.time) },
        .init("app", "", .string, "app that asked") { row, names, out in out.append(field: names.name(of: row.app)) },
        .text("kind", "refresh or processing") { name($0.kind) },
        .flag("proceed", "1 when the work started", \.proceed),
        .text("rule", "the rule that decided", \.rule),
        .number("score", "1", "the weighted score", \.score),
        .number("threshold", "1", "the score that was needed", \.threshold),
        .init("reconsider_s", "s", .number, "when it is asked again at the latest; empty: at a change") { row, _, out in
            out.append(row.reconsider)
        },
        .count("request", "which of the app's requests of this kind, by identifier") { Int($0.identifier) },
        .init("earliest_begin_s", "s", .number, "the floor the request named") { row, _, out in
            out.append(row.earliestBegin)
        },
        .init("deadline_s", "s", .number, "when it is given up") { row, _, out in out.append(row.deadline) },
        .number("age_s", "s", "time since it was submitted") { ($0.time - $0.submitted).seconds },
        .number("open_likelihood", "1", "the predicted likelihood of an open within 30 minutes", \.openLikelihood),
        .text("final_decision", "highest-ranked answer: CP, MNP, MP, AMNP or AMP; empty: the policy is one rule") {
            $0.responses.isEmpty ? "" : JointDecision($0.responses).answer.letters
        },
        .number("sum_scores", "1", "sum over the scheduler's parts of weight times score") {
            JointDecision($0.responses).sumScores
        },
        .number("denominator", "1", "sum of their weights") { JointDecision($0.responses).denominator },
        .text("responses", "answers of the parts that do not score 1, each as in the phone's log") {
            $0.responses.filter { $0.answer != .canProceed || $0.score < 1 }.map(logText).joined(separator: "; ")
        },
    ]

    /// A response as dasd's log writes it.
    private static func logText(_ response: PolicyResponse) -> String {
        var text = "{name: \(response.name), policyWeight: \(response.weight), response: {Decision: "
        text += "\(response.answer.words), Score: \(hundredths(response.score))"
        if !response.rationale.isEmpty { text += ", Rationale: [{\(response.rationale)}]" }
        return text + "}}"
    }

    private static func hundredths(_ score: Double) -> String {
        let whole = Int((score * 100).rounded())
        return "\(whole / 100)." + (whole % 100 < 10 ? "0" : "") + "\(whole % 100)"
    }

    static let callbacks: [RowColumn<CallbackRecord>] = [
        .init("t_s", "s", .number, "time since the run's first midnight") { row, _, out in out.append(row.time) },
        .init("app", "", .string, "app") { row, names, out in out.append(field: names.name(of: row.app)) },
        .text("callback", "what the system called, named after the methods of UIKit's delegates") {
            $0.callback.rawValue
        },
        .text("receiver", "application or window, by whose delegate was called") {
            $0.window < 0 ? "application" : "window"
        },
        .init("window", "", .integer, "number of the window; empty for the application") { row, _, out in
            if row.window >= 0 { out.append(Int(row.window)) }
        },
        .text("state", "life-cycle state of the process after the move that the call belongs to") { name($0.state) },
    ]

    private static let stateNames = ProcessState.allCases.map { snakeCase(String(describing: $0)) }
    private static let launchNames = LaunchKind.allCases.map { snakeCase(String(describing: $0)) }
    private static let networkNames = Network.allCases.map { snakeCase(String(describing: $0)) }

    private static func name(_ state: ProcessState) -> String { stateNames[Int(state.rawValue)] }
    private static func name(_ kind: LaunchKind) -> String { launchNames[Int(kind.rawValue)] }
    private static func name(_ network: Network) -> String { networkNames[Int(network.rawValue)] }
    private static func name(_ kind: RequestKind) -> String { kind == .refresh ? "refresh" : "processing" }
}

/// `notRunning` as `not_running`.
func snakeCase(_ text: String) -> String {
    var result = ""
    for character in text {
        if character.isUppercase { result += "_" }
        result += character.lowercased()
    }
    return result
}
