// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Phone
import PhoneCore
import Power
import Quantities
import Vocabulary

/// Effects of the most influential decisions of a run.
///
/// The study undoes kills of apps and delays starts of background work, one at a time, with everything else unchanged.
/// The effects are counted until the end of the day.
///
/// If there are too many decisions, only a sample is tried. The sample is evenly spaced over all kills and over all
/// starts.
public struct DecisionStudy: Sendable {
    /// A decision, and the effects of flipping it.
    public struct Trial: Sendable {
        /// Decision that was flipped.
        public let request: FlipRequest
        /// Kill that was undone; nil if the decision was a start.
        public let kill: EventRow?
        /// Effects of the flip: flipped run minus original run.
        public let effects: FlipEffects
    }

    private struct Candidate: Sendable {
        let request: FlipRequest
        let flip: Flip
        let kill: EventRow?
    }

    /// Number of kills of apps after the warm-up, except kills at an app's own limit, where the system has no choice.
    public let kills: Int
    /// Number of starts of refresh and processing tasks after the warm-up.
    public let starts: Int
    /// Tried decisions, with the largest change of the user's waiting time first; ties are ordered by the change of
    /// energy.
    public let trials: [Trial]

    /// Tries decisions of a run.
    ///
    /// - Parameter most: largest number of decisions to try.
    /// - Throws: `Diagnostics` when the run cannot be forked.
    public init(_ replay: RunReplay, most: Int) throws(Diagnostics) {
        var specification = replay.specification
        specification.tables = [.events, .requests, .decisions]
        try FlipStudy.requireFork(specification, replay)
        let whole = BranchRecorder()
        _ = simulate(specification, sink: whole)
        let begin = SimTime.zero + specification.warmup
        let kills = Self.kills(whole, apps: specification.apps.count).filter { $0.request.time >= begin }
        let starts = Self.starts(whole).filter { $0.request.time >= begin }
        self.kills = kills.count
        self.starts = starts.count
        let share = min(1, Double(most) / Double(max(1, kills.count + starts.count)))
        let chosen = (Self.sample(kills, share) + Self.sample(starts, share)).sorted {
            ($0.request.time, $0.request.app.index) < ($1.request.time, $1.request.app.index)
        }
        let names = replay.appNames
        // Each thread takes whole days. It simulates up to a day once, and all decisions of the day start from that
        // state.
        let days = Dictionary(grouping: chosen, by: \.request.time.day).sorted { $0.key < $1.key }.map(\.value)
        let parts = min(days.count, HostDescription.processors)
        let ready = specification
        let found = inParallel(parts) { part in
            let own = days[(days.count * part / parts)..<(days.count * (part + 1) / parts)]
            return Self.trials(Array(own), ready, names)
        }
        trials = found.joined().sorted(by: Self.mattersMore)
    }

    private static func mattersMore(_ left: Trial, _ right: Trial) -> Bool {
        let waits = (abs(left.effects.sum.waitSeconds), abs(right.effects.sum.waitSeconds))
        if waits.0 != waits.1 { return waits.0 > waits.1 }
        let joules = (abs(left.effects.joules), abs(right.effects.joules))
        if joules.0 != joules.1 { return joules.0 > joules.1 }
        return (left.request.time, left.request.app.index) < (right.request.time, right.request.app.index)
    }

    private static func kills(_ run: BranchRecorder, apps: Int) -> [Candidate] {
        run.events.compactMap { row in
            guard row.event == .exit, let reason = row.reason, Int(row.app.index) < apps else { return nil }
            // An app that exceeds its own limit dies regardless of other processes.
            guard reason != .perProcessLimit else { return nil }
            return Candidate(
                request: FlipRequest(.spare, row.app, at: row.time, kind: .refresh),
                flip: .spare(row.app, at: row.time), kill: row)
        }
    }

    private static func starts(_ run: BranchRecorder) -> [Candidate] {
        run.decisions.filter(\.proceed).map { row in
            Candidate(
                request: FlipRequest(.deny, row.app, at: row.time, kind: row.kind),
                flip: .deny(row.app, row.kind, until: row.time + FlipStudy.denial), kill: nil)
        }
    }

    /// Evenly spaced sample that contains the given share of a list.
    private static func sample(_ all: [Candidate], _ share: Double) -> [Candidate] {
        let count = Int((Double(all.count) * share).rounded())
        return (0..<count).map { all[(2 * $0 + 1) * all.count / (2 * count)] }
    }

    private static func trials(
        _ days: [[Candidate]], _ specification: RunSpecification, _ names: [String]
    ) -> [Trial] {
        var run = ForkedRun(specification)
        var trials: [Trial] = []
        for day in days {
            guard let first = day.first else { continue }
            let end = min(
                .zero + .days(Double(first.request.time.day + 1)), SimTime.zero + specification.duration)
            run.advance(toJustBefore: first.request.time)
            let asItWas = BranchRecorder()
            guard let energy = run.outlook(until: end, sink: asItWas) else { continue }
            let original = asItWas.branch(energy)
            for candidate in day {
                let time = candidate.request.time
                run.advance(toJustBefore: time)
                let other = BranchRecorder()
                guard let otherEnergy = run.outlook(flipping: candidate.flip, until: end, sink: other) else { continue }
                let study = FlipStudy(
                    candidate.request, at: time, until: end, kill: candidate.kill, original: original.from(time),
                    flipped: other.branch(otherEnergy))
                if study.diesAnyway { continue }
                trials.append(
                    Trial(
                        request: candidate.request, kill: candidate.kill,
                        effects: FlipEffects(study, names: names)))
            }
        }
        return trials
    }
}

extension FlipStudy.Branch {
    /// The branch with only the rows from an instant on; its energy still counts from the start of the run.
    fileprivate func from(_ time: SimTime) -> FlipStudy.Branch {
        FlipStudy.Branch(
            events: events.filter { $0.time >= time }, requests: requests.filter { $0.ended >= time }, joules: joules)
    }
}
