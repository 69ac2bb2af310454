// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The rule shared by batching policies: wait for the end of the window; when one request must run, all that may run
/// start.
///
/// This is interval stabbing: starting at the earliest window end needs the fewest wake-ups that touch every window.
/// The policies differ in the definition of a window.
struct Departures: Sendable {
    /// When a batch last left because a window ended; the distant past if none has.
    private(set) var last = SimTime(nanoseconds: .min / 2)

    /// Waits in the window, leaves at its end, and joins a batch that left less than `reuse` ago.
    mutating func decide(
        windowEnd: SimTime, reuse: SimDuration = .zero, at now: SimTime, or wakeOn: ConditionChanges = []
    ) -> SchedulingDecision {
        if now == last || now - last < reuse { return .proceed(.joinedBatch) }
        if now >= windowEnd {
            last = now
            return .proceed(.deadlineReached)
        }
        return .wait(.batchWindow, until: windowEnd, or: wakeOn.union(.workStarted))
    }
}

extension RequestView {
    /// The last instant at which work may be started; at its deadline, a request is given up.
    var lastChance: SimTime { deadline - .second }

    /// The end of a tolerated delay after the earliest begin, but never after the last chance.
    func due(after patience: SimDuration) -> SimTime { min(earliestBegin + patience, lastChance) }

    /// Time from submission to the earliest begin, which is the period of a chain of refreshes.
    var interval: SimDuration { max(.zero, earliestBegin - submitted) }
}

extension Parameter {
    /// The delay that a batching policy may add to a request.
    static func patience(
        _ path: any WritableKeyPath<Settings, SimDuration> & Sendable, _ meaning: String
    ) -> Parameter {
        Parameter(path, "patience", .duration, 0...172_800, meaning)
    }
}
