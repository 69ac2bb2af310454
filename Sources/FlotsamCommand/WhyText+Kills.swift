// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import PhoneCore
import Quantities
import Recording
import Vocabulary

extension WhyText {
    /// Kills of the app within the span.
    private var ends: [EventRow] { recorder.exits.filter { $0.time >= from && $0.time < to } }

    var kills: String {
        let ends = ends
        guard !ends.isEmpty else { return "\(name) was not killed.\n" }
        let shown = at.map { time in
            ends.sorted { abs(($0.time - time).seconds) < abs(($1.time - time).seconds) }.prefix(3).sorted {
                $0.time < $1.time
            }
        }
        let listed = shown ?? Array(ends.suffix(3))
        var text = "\(name) ended \(count(ends.count, "time"))"
        text += listed.count < ends.count ? (at == nil ? "; the last three:\n" : "; the three nearest:\n") : ":\n"
        for end in listed { text += describe(end) }
        return text
    }

    /// Full description of a kill: state of the app, shortage of memory, and conditions that would have prevented it.
    func describe(_ row: EventRow) -> String {
        var text = "  \(row.time.dayAndClock): \(row.exit?.name ?? "exit")"
        guard let reason = row.reason else { return text + ": \(exitWords(row))\n" }
        text += ", \(reason.name): \(reason.sentence)\n"
        text += "    it was \(Self.words(row.from)), in band \(row.band), footprint \(mib(row.footprintMiB)) "
        text += "(\(mib(row.residentMiB)) resident)" + lived(row) + "\n"
        text += "    available memory \(mib(row.availableBeforeMiB))"
        if row.thresholdMiB.isFinite { text += ", the rule fires below \(mib(row.thresholdMiB))" }
        text += "; its death freed \(mib(row.freedMiB)), so \(mib(row.availableAfterMiB)) were available\n"
        return text + considered(row) + saved(row)
    }

    private func lived(_ row: EventRow) -> String {
        guard let launch = recorder.launches.last(where: { $0.time <= row.time }) else { return "" }
        return ", alive for \(Moment.length(row.time - launch.time))"
    }

    private func considered(_ row: EventRow) -> String {
        guard !row.candidates.isEmpty else { return "" }
        let list = row.candidates.map { candidate in
            "\(nameOf(candidate.app)) (rank \(Figures.short(candidate.rank)), band \(candidate.band), "
                + "\(mib(candidate.footprint.mebibytes)))"
        }
        return "    next in line: " + list.joined(separator: ", ") + "\n"
    }

    /// Conditions under which the process would have survived.
    private func saved(_ row: EventRow) -> String {
        let way = "    what would have saved it: "
        switch row.reason {
        case .perProcessLimit: return way + "a smaller footprint, because it died at its own limit\n"
        case .highwater: return way + "a smaller footprint, below its high-water mark\n"
        case .longIdleExit where !ranksReaper:
            return way + "an open or a run within the \(Moment.length(row.inState ?? .zero)) for which it had been "
                + "\(Self.words(row.from)); its rank did not matter\n"
        case let reason? where !reason.isChosenByPolicy && reason != .longIdleExit:
            return "    its rank did not matter, because the rule itself names the victim\n"
        default: break
        }
        guard row.runnerUp != .system else { return "    no other process could have died instead\n" }
        var ways: [String] = []
        if row.thresholdMiB.isFinite, row.thresholdMiB > row.availableBeforeMiB {
            ways.append("\(mib(row.thresholdMiB - row.availableBeforeMiB)) more available memory")
        }
        let other = nameOf(row.runnerUp)
        ways.append(
            row.margin == 0
                ? "entering its band later than \(other), because at equal rank the process that entered first dies"
                : "a rank higher by more than \(Figures.short(row.margin)), the distance to \(other)")
        return "    what would have saved it: " + ways.joined(separator: ", or ") + "\n"
    }

    private func exitWords(_ row: EventRow) -> String {
        row.exit == .normal ? "the user swiped it away, or the phone was switched off" : "it ended without jetsam"
    }

    private func nameOf(_ app: AppID) -> String { RowNames(apps: names).name(of: app) }

    /// A size in MiB, or in a smaller unit if it is far below 1 MiB.
    private func mib(_ value: Double) -> String {
        abs(value) >= 0.01 || value == 0
            ? Figures.short(value, digits: 3) + " MiB" : Figures.binary((value * 1_048_576).rounded())
    }

    static func words(_ state: ProcessState) -> String {
        switch state {
        case .notRunning: "not running"
        case .prewarmed: "prewarmed"
        case .inactive: "in the foreground but inactive"
        case .active: "on screen"
        case .background: "working in the background"
        case .suspended: "suspended"
        }
    }

    // MARK: For programs

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "app": .string(name), "kind": .string(BackgroundWork(kind).name),
            "from_s": .number(from.seconds), "to_s": .number(to.seconds), "runs": .array(story.runs.map(Self.json)),
            "held_back": .array(
                story.held.map { .object(["reason": .string($0.reason), "time_s": .number($0.time.seconds)]) }),
            "refused": .array(
                story.refused.map { .object(["t_s": .number($0.time.seconds), "reason": .string($0.reason)]) }),
            "exits": .array(ends.map(json)),
        ]
        if let at { members["at"] = moment(at) }
        return .object(members)
    }

    private func moment(_ time: SimTime) -> JSONValue {
        guard let life = recorder.life(of: app, kind, at: time) else {
            return .object(["t_s": .number(time.seconds), "pending": .bool(false)])
        }
        var members: [String: JSONValue] = [
            "t_s": .number(time.seconds), "pending": .bool(true), "submitted_s": .number(life.submitted.seconds),
            "earliest_begin_s": .number(life.earliestBegin.seconds), "running": .bool(time >= life.started),
        ]
        let last = recorder.decisions.last { $0.isAbout(app, kind) && $0.time <= time }
        if let row = last, row.submitted == life.submitted {
            members["decision"] = .object([
                "t_s": .number(row.time.seconds), "proceed": .bool(row.proceed), "rule": .string(row.rule),
                "score": .number(row.score), "threshold": .number(row.threshold),
                "open_likelihood": .number(row.openLikelihood),
                "responses": .array(
                    row.responses.map {
                        .object([
                            "name": .string($0.name), "weight": .number($0.weight),
                            "decision": .string($0.answer.letters), "score": .number($0.score),
                            "rationale": .string($0.rationale), "sentence": .string($0.sentence),
                        ])
                    }),
                "wakes_on": .array(row.wakeOn.changes.map { .string($0.sentence) }),
            ])
        }
        return .object(members)
    }

    private static func json(_ life: RequestStory.Life) -> JSONValue {
        .object([
            "submitted_s": .number(life.submitted.seconds), "earliest_begin_s": .number(life.earliestBegin.seconds),
            "started_s": .number(life.started.seconds), "outcome": .string(life.outcome),
            "found_new": .bool(life.foundNew),
        ])
    }

    private func json(_ row: EventRow) -> JSONValue {
        .object([
            "t_s": .number(row.time.seconds), "exit": .string(row.exit?.name ?? ""),
            "reason": .string(row.reason?.name ?? ""), "band": .integer(Int(row.band)),
            "footprint_mib": .number(row.footprintMiB), "resident_mib": .number(row.residentMiB),
            "freed_mib": .number(row.freedMiB), "available_before_mib": .number(row.availableBeforeMiB),
            "available_after_mib": .number(row.availableAfterMiB),
            "runner_up": .string(row.runnerUp == .system ? "" : nameOf(row.runnerUp)),
            "candidates": .array(row.candidates.map { .string(nameOf($0.app)) }),
        ])
    }
}
