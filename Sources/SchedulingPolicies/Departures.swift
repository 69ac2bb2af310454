// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The rule that batching policies share.
///
/// A request waits for the end of its window. When one request must run, all requests that may run start with it.
///
/// The rule is known as interval stabbing. It needs the fewest wake-ups such that every window contains one. The
/// policies differ in the definition of a window.
struct Departures: Sendable {
    /// When a batch last started because a window ended; the distant past if there was no such batch.
    private(set) var last = SimTime(nanoseconds: .min / 2)

    /// Lets a request wait in its window, and starts it at the window's end, or at once if a batch started less than
    /// `reuse` ago.
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
