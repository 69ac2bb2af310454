// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import PhoneCore
import Quantities
import Recording
import Processes
import Vocabulary

/// Number and outcome of an app's requests for a kind of work that no scheduling policy handles.
///
/// Examples of such work are silent pushes, transfers, alarms and continued processing. The text reports what the rows
/// of the table `requests` contain.
struct OtherWorkText {
    let name: String
    let work: BackgroundWork
    /// Rows of work that was requested within the span.
    let rows: [RequestRow]
    private let span: String
    private let reasons: ReasonTexts
    private let refreshSwitch: RefreshSwitch
    /// Sentence about the system's limit for the app's type of service, which explains an early end; nil without a
    /// limit.
    private let serviceLimit: String?

    init(_ recorder: StoryRecorder, _ replay: RunReplay, app: AppID, work: BackgroundWork, at: SimTime?) {
        name = replay.appNames[Int(app.index)]
        self.work = work
        rows = recorder.requests.filter {
            $0.app == app && $0.work == work && (at == nil || $0.submitted.day == at?.day)
        }
        span = at.map { "day \($0.day)" } ?? "the whole run"
        reasons = ReasonTexts(ownRules: replay.specification.everyRule)
        refreshSwitch = RefreshSwitch(of: app, in: replay.specification)
        let (apps, index) = (replay.specification.apps, Int(app.index))
        serviceLimit =
            work == .continued && apps.indices.contains(index)
            ? Self.limit(of: apps[index].traits.continuedType, on: replay.specification.device.os) : nil
    }

    private static func limit(of type: ServiceType, on system: OSProfile) -> String? {
        switch type {
        case .shortService where system.shortServiceTime < .day:
            "a short service may run \(Moment.length(system.shortServiceTime))"
        case .userJob where system.userJobTime < .day:
            "a job that the user started may run \(Moment.length(system.userJobTime))"
        case _ where type.sharesDay && system.serviceTime < .day:
            "services of the type \(type.rawValue) may run \(Moment.length(system.serviceTime)) within 24 h while the "
                + "app is not on screen"
        default: nil
        }
    }

    private var groups: [(text: String, count: Int)] {
        Dictionary(grouping: rows, by: words).map { ($0.key, $0.value.count) }.sorted {
            ($1.count, $0.text) < ($0.count, $1.text)
        }
    }

    /// Course of one request, in words.
    func life(of row: RequestRow) -> String {
        "  Requested at \(row.submitted.dayAndClock): \(words(row)).\n" + Self.end(of: row)
    }

    /// Length of a piece of work and its result, or the fact that the work never started; empty for a refused request.
    static func end(of row: RequestRow) -> String {
        guard row.started != .distantFuture else {
            let isRefused = row.outcome == "refused"
            return isRefused ? "" : "  Ended at \(row.ended.dayAndClock) without a run: \(row.outcome).\n"
        }
        var text = "  Ran \(Moment.length(row.ended - row.started)) from \(row.started.dayAndClock): \(row.outcome)"
        if row.foundNew { text += ", brought something new" }
        if row.joules.isFinite { text += ", \(Figures.short(row.joules)) J" }
        return text + ".\n"
    }

    /// Outcome of a piece of work and the reason.
    private func words(_ row: RequestRow) -> String {
        if row.outcome == "refused" {
            let reason = RequestStory.Refusal(row).reason
            return "refused: \(reasons[reason] ?? "the system answered \(reason)") (\(reason))"
        }
        let isUnrun = row.started == .distantFuture
        let why =
            isUnrun && work == .silentPush && row.outcome == "cancelled"
            ? refreshSwitch.sentence ?? "the app was swiped away or killed, or declares no background pushes"
            : (row.outcome == "expired" ? serviceLimit : nil) ?? ReasonTexts.sentence(ofOutcome: row.outcome)
        return (isUnrun ? "never started, " : "") + row.outcome + (why.map { ": " + $0 } ?? "")
    }

    /// Adds the number of requests and their outcomes.
    func add(to report: inout Report) {
        let runs = rows.count { $0.started != .distantFuture }
        report.give([
            "app": .string(name), "kind": .string(work.name), "asked": .integer(rows.count), "runs": .integer(runs),
        ])
        report.say("\(name), \(work.name) over \(span): ")
        report.say(
            rows.isEmpty
                ? "no request has ended\n" : "\(rows.count) requested, \(count(runs, "run"))\n")
        report.table(
            "ends", groups, isHeaded: false,
            [
                .right("", "count") { Report.Cell("    \($0.count)", .integer($0.count)) },
                .left("", "what") { Report.Cell($0.text) },
            ])
    }
}
