import Experiments
import Phone
import PhoneCore
import Quantities
import Recording
import Scenario
import Vocabulary

/// Why one app's work ran or waited and why its process died, in sentences or as JSON.
///
/// With an instant the story is of that day and of what was decided then; without, of the whole run.
struct WhyText {
    let recorder: StoryRecorder
    let names: [String]
    let app: AppID
    let kind: RequestKind
    /// The instant asked about.
    let at: SimTime?
    let from: SimTime
    let to: SimTime
    let story: RequestStory
    private let asksNever: Bool

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
        let model = replay.experiment.points[replay.run.point].apps[Int(app.index)]
        asksNever = kind == .refresh ? model.refreshPeriod <= .zero : model.processingPerDay <= 0
    }

    var name: String { names[Int(app.index)] }
    var work: String { kind == .refresh ? "refresh" : "processing task" }
    private var works: String { kind == .refresh ? "refreshes" : "processing tasks" }

    var text: String {
        (at.map(moment) ?? "") + overTime + "\n" + kills
    }

    // MARK: One instant

    /// The decision in force at an instant.
    private func moment(_ time: SimTime) -> String {
        var text = "\(name), \(work), at \(Moment(time).text)\n"
        guard let life = recorder.life(of: app, kind, at: time) else {
            return text + "  No request was pending: " + whyNone + "\n\n"
        }
        text += "  Asked for at \(Moment(life.submitted).text), not before \(Moment(life.earliestBegin).text).\n"
        if time >= life.started {
            return text + "  It was running, since \(Moment(life.started).text).\n\n"
        }
        if time < life.earliestBegin { return text + "  It waited for its floor: the app asked for no earlier.\n\n" }
        guard let row = recorder.decisions.last(where: { $0.isAbout(app, kind) && $0.time <= time }),
            row.submitted == life.submitted
        else { return text + "  The scheduler had not looked at it yet.\n\n" }
        return text + verdict(row) + "\n"
    }

    private var whyNone: String {
        if asksNever { return "the app has nothing of this kind to ask for." }
        if recorder.requests.isEmpty, recorder.decisions.isEmpty {
            return "the app asked for none all through the run (switched off, or it has nothing to ask for)."
        }
        return "the app has to ask again after every run; whoever forgets it waits for the next visit of the user."
    }

    /// The rule that decided, then everything that spoke against it, then the score.
    private func verdict(_ row: DecisionRow) -> String {
        var text = "  Looked at \(Moment(row.time).text): "
        text += row.proceed ? "started (\(row.rule)).\n" : "it waited: \(WhyReasons.words(row.rule)) (\(row.rule)).\n"
        let vetoes = row.responses.filter { $0.answer != .canProceed }
        for (place, veto) in vetoes.enumerated() {
            text += "    \(place == 0 ? "vetoes:" : "       ") \(veto.name) (weight \(Figures.short(veto.weight))): "
            text += "\(veto.answer.words): \(veto.rationale)\n"
        }
        text += scores(row)
        if !row.proceed {
            let when = row.reconsider == .distantFuture ? "when something changes" : Moment(row.reconsider).text
            text += "  To be asked again \(row.reconsider == .distantFuture ? "" : "by ")\(when).\n"
        }
        return text
    }

    private func scores(_ row: DecisionRow) -> String {
        let scored = row.responses.filter { $0.answer == .canProceed }
        guard !scored.isEmpty else { return "" }
        let joint = JointDecision(scored)
        var text = "    score:  \(Figures.short(joint.score)) = \(Figures.short(joint.sumScores)) / "
        text += "\(Figures.short(joint.denominator))"
        if row.threshold > 0 { text += ", against a bar of \(Figures.short(row.threshold))" }
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

    // MARK: Over time

    private var overTime: String {
        let span = at == nil ? "the whole run" : "day \(from.day)"
        let succeeded = story.runs.filter { $0.outcome == "success" }
        var text = "\(name), \(works) over \(span): \(count(story.runs.count, "run"))"
        if succeeded.count < story.runs.count { text += ", \(succeeded.count) of them completed" }
        if kind == .refresh, !story.runs.isEmpty {
            text += ", \(story.runs.filter(\.foundNew).count) brought something new"
        }
        text += "\n"
        if !story.runs.isEmpty, story.runs.count <= 24 {
            text += "  at " + story.runs.map { Moment($0.started).text }.joined(separator: ", ") + "\n"
        }
        let ended = story.lives.filter { $0.started == .distantFuture && !$0.outcome.isEmpty }
        let unrun = Dictionary(grouping: ended, by: \.outcome).sorted { $0.key < $1.key }
        if !unrun.isEmpty {
            text += "  never started: " + unrun.map { "\($0.value.count) \($0.key)" }.joined(separator: ", ") + "\n"
        }
        var table = TextTable([.right, .right, .left, .left])
        for held in story.held {
            let share = held.time / (to - from)
            table.add(
                [
                    "    " + Moment.length(held.time), "\(Figures.short(share * 100, digits: 2)) %", held.reason,
                    WhyReasons.words(held.reason),
                ])
        }
        return text + "  where the time went:\n" + table.text
    }
}

extension DecisionRow {
    /// Whether it is about an app's work of a kind.
    func isAbout(_ app: AppID, _ kind: RequestKind) -> Bool { self.app == app && self.kind == kind }
}

extension StoryRecorder {
    /// The request that was pending or running at an instant.
    func life(of app: AppID, _ kind: RequestKind, at time: SimTime) -> RequestStory.Life? {
        RequestStory(self, app: app, kind: kind, from: time, to: time + .second).lives.last {
            $0.submitted <= time && time < $0.ended
        }
    }
}
