// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Phone
import PhoneCore
import Quantities
import Recording
import Scenario
import Vocabulary

/// Explains why one app's work ran or waited and why its process died, in sentences or as JSON.
///
/// With an instant, the text covers that day and the decisions at the instant; otherwise, it covers the whole run.
struct WhyText {
    let recorder: StoryRecorder
    let names: [String]
    let app: AppID
    let kind: RequestKind
    /// The instant of the question; nil for the whole run.
    let at: SimTime?
    let from: SimTime
    let to: SimTime
    let story: RequestStory
    /// Meanings of the reasons in tables.
    let reasons: ReasonTexts
    /// Whether the eviction policy ranks the victims of the reaper, which ends processes that were idle for too long.
    let ranksReaper: Bool
    private let asksNever: Bool
    private let refreshSwitch: RefreshSwitch

    init(_ recorder: StoryRecorder, _ replay: RunReplay, app: AppID, kind: RequestKind, at: SimTime?) {
        self.recorder = recorder
        names = replay.appNames
        self.app = app
        self.kind = kind
        self.at = at
        let end = SimTime.zero + replay.experiment.duration
        from = at.map { SimTime.zero + .days(Double($0.day)) } ?? .zero
        to = at == nil ? end : min(end, from + .day)
        story = RequestStory(recorder, app: app, kind: kind, from: from, to: to)
        let specification = replay.specification
        ranksReaper = specification.ranksReaper
        reasons = ReasonTexts(ownRules: specification.everyRule)
        refreshSwitch = RefreshSwitch(of: app, in: specification)
        // The daemons of the phone come after the apps, and make no requests.
        let index = Int(app.index)
        asksNever = !specification.apps.indices.contains(index) || !specification.apps[index].asks(for: kind)
    }

    var name: String { names[Int(app.index)] }
    var work: String { kind == .refresh ? "refresh" : "processing task" }
    private var works: String { kind == .refresh ? "refreshes" : "processing tasks" }

    var text: String {
        (at.map(moment) ?? "") + overTime + "\n" + kills
    }

    // MARK: One instant

    /// Decision that applied at an instant.
    private func moment(_ time: SimTime) -> String {
        var text = "\(name), \(work), at \(time.dayAndClock)\n"
        guard let life = recorder.life(of: app, kind, at: time) else {
            return text + "  No request was pending: " + whyNone + "\n\n"
        }
        text +=
            "  Requested at \(life.submitted.dayAndClock), for \(life.earliestBegin.dayAndClock) at the earliest.\n"
        if time >= life.started {
            return text + "  It had been running since \(life.started.dayAndClock).\n\n"
        }
        if time < life.earliestBegin {
            return text + "  It waited, because the app itself had asked for a later start.\n\n"
        }
        guard let row = recorder.decisions.last(where: { $0.isAbout(app, kind) && $0.time <= time }),
            row.submitted == life.submitted
        else { return text + "  The scheduler had not looked at it yet.\n\n" }
        return text + verdict(row) + "\n"
    }

    /// Course of one request: the time that each rule delayed it, and the decision that ended the wait.
    func life(of row: RequestRow) -> String {
        var text =
            "  Requested at \(row.submitted.dayAndClock), for \(row.earliestBegin.dayAndClock) at the earliest.\n"
        let looks = recorder.looks(at: row, kind)
        for held in HeldBack.by(looks, until: row.waitedUntil).prefix(4) {
            text += "  It waited \(Moment.length(held.time)): \(words(held.reason)) (\(held.reason)).\n"
        }
        return text + (looks.last.map(verdict) ?? "") + OtherWorkText.end(of: row)
    }

    private var whyNone: String {
        if asksNever { return "the app never requests such work." }
        if let sentence = refreshSwitch.sentence { return sentence + "." }
        if let last = RequestStory(recorder, app: app, kind: kind, from: .zero, to: at ?? to).refused.last {
            return "the request of \(last.time.dayAndClock) was refused, because \(words(last.reason))."
        }
        return "the app has to submit a new request after every run, or wait until the user opens it."
    }

    /// The rule that decided, the other delaying rules, the vetoes in the notation of the phone's log, and the score.
    private func verdict(_ row: DecisionRow) -> String {
        let vetoes = row.responses.filter { $0.answer != .canProceed }
        let decided = words(row.rule)
        var text = "  Decision at \(row.time.dayAndClock): "
        text +=
            row.proceed
            ? "started, because \(decided) (\(row.rule)).\n" : "it waited, because \(decided) (\(row.rule)).\n"
        let others = vetoes.map(\.sentence).filter { !$0.isEmpty && $0 != decided }
        if !others.isEmpty { text += "  Other rules that held it back: " + others.joined(separator: "; ") + ".\n" }
        for (index, veto) in vetoes.enumerated() {
            text += "    \(index == 0 ? "vetoes:" : "       ") \(veto.name) (weight \(Figures.short(veto.weight))): "
            text += "\(veto.answer.words): \(veto.rationale)\n"
        }
        text += scores(row)
        return row.proceed ? text : text + "  The scheduler looks again \(nextLook(row)).\n"
    }

    /// Next decision about a waiting request: at an instant, or when the device changes.
    private func nextLook(_ row: DecisionRow) -> String {
        let changes = row.wakeOn.changes.map { "when \($0.sentence)" }
        let instant = row.reconsider == .distantFuture ? [] : ["by \(row.reconsider.dayAndClock)"]
        let ways = instant + changes
        return ways.isEmpty ? "when the user opens the app" : ways.joined(separator: ", or ")
    }

    private func scores(_ row: DecisionRow) -> String {
        let scored = row.responses.filter { $0.answer == .canProceed }
        guard !scored.isEmpty else { return "" }
        let joint = JointDecision(scored)
        var text = "    score:  \(Figures.short(joint.score)) = \(Figures.short(joint.sumScores)) / "
        text += "\(Figures.short(joint.denominator))"
        if row.threshold > 0 { text += ", against a threshold of \(Figures.short(row.threshold))" }
        text += "; likelihood of an open within 30 min \(Figures.short(row.openLikelihood * 100, digits: 2)) %\n"
        let lost = scored.filter { $0.score < 1 }.sorted {
            $0.weight * (1 - $0.score) > $1.weight * (1 - $1.score)
        }
        for one in lost {
            text += "            \(one.name): \(Figures.short(one.score, digits: 3)) x \(Figures.short(one.weight)), "
            text += "costs \(Figures.short(one.weight * (1 - one.score) / joint.denominator, digits: 3))\n"
        }
        return text
    }

    /// Meaning of a reason; if the app never made a request, the reason for that.
    private func words(_ reason: String) -> String {
        if reason == StoryState.noRequest.rawValue, story.lives.isEmpty, story.refused.isEmpty {
            if asksNever { return "the app never requests such work" }
            if let sentence = refreshSwitch.sentence { return sentence }
        }
        return reasons[reason] ?? "the policy's rule \(reason) applied"
    }

    // MARK: Over time

    /// Requests that never started, by outcome, with their reasons; empty if all started.
    private var neverStarted: String {
        let ended = story.lives.filter { $0.started == .distantFuture && !$0.outcome.isEmpty }
        let refused = Dictionary(grouping: story.refused, by: \.reason).sorted { $0.key < $1.key }.map {
            "\($1.count) refused: \(words($0)) (\($0))"
        }
        let unrun = Dictionary(grouping: ended, by: \.outcome).sorted { $0.key < $1.key }.map {
            "\($1.count) \($0)" + (ReasonTexts.sentence(ofOutcome: $0).map { ": " + $0 } ?? "")
        }
        let lines = (refused + unrun).map { "    \($0)\n" }
        return lines.isEmpty ? "" : "  never started:\n" + lines.joined()
    }

    private var overTime: String {
        let span = at == nil ? "the whole run" : "day \(from.day)"
        let succeeded = story.runs.filter { $0.outcome == "success" }
        let asked = story.lives.filter { $0.submitted >= from }.count + story.refused.count
        var text = "\(name), \(works) over \(span): \(asked) requested, \(count(story.runs.count, "run"))"
        if succeeded.count < story.runs.count { text += ", \(succeeded.count) of them completed" }
        if kind == .refresh, !story.runs.isEmpty {
            text += ", \(story.runs.filter(\.foundNew).count) brought something new"
        }
        text += "\n"
        if !story.runs.isEmpty, story.runs.count <= 24 {
            text += "  at " + story.runs.map { $0.started.dayAndClock }.joined(separator: ", ") + "\n"
        }
        text += neverStarted
        var table = TextTable([.right, .right, .left, .left])
        for held in story.held {
            let share = held.time / (to - from)
            table.add(
                [
                    "    " + Moment.length(held.time), "\(Figures.short(share * 100, digits: 2)) %", held.reason,
                    words(held.reason),
                ])
        }
        return text + "  where the time went:\n" + table.text
    }
}

extension RequestRow {
    /// Instant at which the request stopped waiting.
    var waitedUntil: SimTime { min(started, ended) }
}

extension DecisionRow {
    /// Whether the decision is about this app and this kind of work.
    func isAbout(_ app: AppID, _ kind: RequestKind) -> Bool { self.app == app && self.kind == kind }
}

extension StoryRecorder {
    /// Decisions about a request, until it stopped waiting.
    func looks(at row: RequestRow, _ kind: RequestKind) -> [DecisionRow] {
        decisions.filter {
            $0.isAbout(row.app, kind) && $0.identifier == row.identifier && $0.submitted == row.submitted
                && $0.time <= row.waitedUntil
        }
    }

    /// The request that was pending or running at an instant.
    func life(of app: AppID, _ kind: RequestKind, at time: SimTime) -> RequestStory.Life? {
        RequestStory(self, app: app, kind: kind, from: time, to: time + .second).lives.last {
            $0.submitted <= time && time < $0.ended
        }
    }
}

extension AppModel {
    /// Whether the app ever requests work of a kind; processing may be requested at random or in a chain.
    fileprivate func asks(for kind: RequestKind) -> Bool {
        kind == .refresh ? refreshPeriod > .zero : processingPerDay > 0 || processingPeriod > .zero
    }
}
