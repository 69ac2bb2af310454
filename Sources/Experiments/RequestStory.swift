// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Phone
import PhoneCore
import Quantities
import Vocabulary

/// Time for which one reason delayed a request.
public struct HeldBack: Sendable, Equatable {
    /// Name of a rule, as in the table of decisions, or of a `StoryState`.
    public var reason: String
    /// Length of the time.
    public var time: SimDuration

    /// Whether a rule caused the delay; false for the app's own delay, for times without a request and for running
    /// work.
    public var isByRule: Bool {
        switch StoryState(rawValue: reason) {
        case .noRequest, .running: false
        case .refused, .notAsked, nil: reason != RequestStory.earliestBegin
        }
    }
}

extension HeldBack {
    /// Creates an entry for a time in which the user's switch for background refresh was off.
    public static func switchedOff(for time: SimDuration) -> HeldBack {
        HeldBack(reason: AppFacts.switchedOff, time: time)
    }

    /// Time for which each rule delayed one request until an instant, with the longest first.
    ///
    /// - Parameter looks: decisions about the request in order of time; each applies until the next one.
    package static func by(_ looks: [DecisionRow], until end: SimTime) -> [HeldBack] {
        var sums: [String: SimDuration] = [:]
        for (index, look) in looks.enumerated() where !look.proceed {
            let next = index + 1 < looks.count ? looks[index + 1].time : end
            sums[look.rule, default: .zero] += next - look.time
        }
        return sums.map { HeldBack(reason: $0.key, time: $0.value) }.filter { $0.time > .zero }.sorted {
            ($1.time, $0.reason) < ($0.time, $1.reason)
        }
    }
}

/// Requests of one kind from an app in a span of time, with the reasons that delayed them.
///
/// After a refused submission, while no request is pending, the reason of the refusal applies. Before the earliest
/// begin of a request, the app itself delays the request. Between two decisions, the reason of the earlier decision
/// applies, because the scheduler decides again whenever the awaited condition changes.
public struct RequestStory: Sendable {
    /// One request, from its submission to its end, as far as the run contains it.
    public struct Life: Sendable {
        /// Time at which the app submitted the request.
        public var submitted: SimTime
        /// Earliest begin that the app requested.
        public var earliestBegin: SimTime
        /// Start of the request's work; `distantFuture` when the work never started.
        public var started = SimTime.distantFuture
        /// End of the request; `distantFuture` while it is pending.
        public var ended = SimTime.distantFuture
        /// Outcome of the request; empty while it is pending.
        public var outcome = ""
        /// Whether the request's work found new content.
        public var foundNew = false

        /// End of the waiting time.
        var waitedUntil: SimTime { min(started, ended) }
    }

    /// Submission that the system refused.
    public struct Refusal: Sendable, Equatable {
        /// Time of the submission.
        public let time: SimTime
        /// Reason of the refusal, as in the table of reasons; `StoryState.refused` if no reason was recorded.
        public let reason: String

        /// Creates the refusal from a row of the table `requests`.
        public init(_ row: RequestRow) {
            time = row.submitted
            let error = row.error
            let known = RequestReason.all.first { $0.error?.rawValue == error }
            reason = known?.text().name ?? (error.isEmpty ? StoryState.refused.rawValue : error)
        }
    }

    /// Requests that existed during the span, in the order of their submission.
    public let lives: [Life]
    /// Submissions within the span that were refused.
    public let refused: [Refusal]
    /// Decisions within the span.
    public let decisions: [DecisionRow]
    /// Time for which each reason applied, with the longest first.
    ///
    /// The times add up to the span.
    public let held: [HeldBack]

    /// Requests whose work started within the span.
    public let runs: [Life]

    /// Builds the story of an app's requests of one kind from the rows of a whole run.
    public init(
        _ recorder: StoryRecorder, app: AppID, kind: RequestKind, from: SimTime, to: SimTime
    ) {
        let all = recorder.decisions.filter { $0.app == app && $0.kind == kind }
        let rows = recorder.requests.filter { $0.app == app && $0.work == BackgroundWork(kind) }
        let lives = Self.lives(rows, all)
        let refused = rows.filter { $0.outcome == "refused" }.map { Refusal($0) }
        self.lives = lives.filter { $0.submitted < to && $0.ended > from }
        self.refused = refused.filter { $0.time >= from && $0.time < to }
        runs = lives.filter { $0.started >= from && $0.started < to }
        decisions = all.filter { $0.time >= from && $0.time < to }
        held = Self.held(lives, all, refused, from: from, to: to)
    }

    private static func lives(_ ended: [RequestRow], _ decisions: [DecisionRow]) -> [Life] {
        // A refused submission creates no request.
        var lives = ended.filter { $0.outcome != "refused" }.map {
            Life(
                submitted: $0.submitted, earliestBegin: $0.earliestBegin, started: $0.started, ended: $0.ended,
                outcome: $0.outcome, foundNew: $0.foundNew)
        }
        // A request that is pending at the end of the run has no row. Only its last decision shows that it exists.
        if let last = decisions.last, !lives.contains(where: { $0.submitted == last.submitted }) {
            var pending = Life(submitted: last.submitted, earliestBegin: last.earliestBegin)
            if last.proceed { pending.started = last.time }
            lives.append(pending)
        }
        return lives.sorted { ($0.submitted, $0.ended) < ($1.submitted, $1.ended) }
    }

    static let earliestBegin = SystemRule.earliestBegin.facts.text.name

    /// Assigns every part of the span to a reason, and adds up the times.
    private static func held(
        _ lives: [Life], _ decisions: [DecisionRow], _ refused: [Refusal], from: SimTime, to: SimTime
    ) -> [HeldBack] {
        var sums: [String: SimDuration] = [:]
        var cursor = from
        func add(_ reason: String, until end: SimTime) {
            let end = min(end, to)
            guard end > cursor else { return }
            sums[reason, default: .zero] += end - cursor
            cursor = end
        }
        // Instant since which no request has been pending.
        var idle = lives.filter { $0.ended <= from }.map(\.ended).max() ?? .zero
        func addIdle(until end: SimTime) {
            var reason = StoryState.noRequest.rawValue
            for refusal in refused where refusal.time >= idle && refusal.time < end {
                add(reason, until: refusal.time)
                reason = refusal.reason
            }
            add(reason, until: end)
        }
        for life in lives where life.ended > from && life.submitted < to {
            addIdle(until: life.submitted)
            idle = max(idle, life.ended)
            add(Self.earliestBegin, until: min(life.earliestBegin, life.waitedUntil))
            let mine = decisions.filter { $0.submitted == life.submitted && $0.time >= life.earliestBegin }
            for (index, decision) in mine.enumerated() where !decision.proceed {
                add(StoryState.notAsked.rawValue, until: min(decision.time, life.waitedUntil))
                let next = index + 1 < mine.count ? mine[index + 1].time : life.waitedUntil
                add(decision.rule, until: min(next, life.waitedUntil))
            }
            add(StoryState.notAsked.rawValue, until: life.waitedUntil)
            if life.started != .distantFuture { add(StoryState.running.rawValue, until: life.ended) }
        }
        addIdle(until: to)
        return sums.map { HeldBack(reason: $0.key, time: $0.value) }.sorted {
            $0.time == $1.time ? $0.reason < $1.reason : $0.time > $1.time
        }
    }
}
