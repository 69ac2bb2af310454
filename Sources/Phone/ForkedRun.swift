// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Behaviours
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import Vocabulary

/// A change of one decision of a run.
public enum Flip: Sendable, Equatable {
    /// The killer ignores the app at this instant; if a kill is necessary, another process is killed instead.
    case spare(AppID, at: SimTime)
    /// The app's process is killed at the instant of the fork.
    case kill(AppID)
    /// The app's pending request starts at the instant of the fork, despite all rules and the policy.
    case grant(AppID, RequestKind)
    /// The app's pending request may not start before this instant.
    case deny(AppID, RequestKind, until: SimTime)
}

/// A run that stops at an instant and can continue unchanged or with one decision flipped.
///
/// Everything else stays unchanged: the user's days, the random draws of every process, the state of the policies.
///
///     var run = ForkedRun(specification)
///     run.advance(toJustBefore: kill)
///     let asItWas = run.outlook(until: night, sink: one)
///     let flipped = run.outlook(flipping: .spare(app, at: kill), until: night, sink: other)
public struct ForkedRun: ~Copyable {
    private var phone: Phone

    /// Creates a run; its branches write the tables of the specification.
    ///
    /// - Precondition: `isPossible`.
    public init(_ specification: RunSpecification) {
        phone = Phone(specification, sink: Nowhere())
        phone.start()
    }

    /// Whether a run can be forked: its policies must be values, so that a copy shares nothing with its original.
    public static func isPossible(_ specification: RunSpecification) -> Bool {
        !specification.hasClasses
    }

    /// Advances through every event before an instant.
    public mutating func advance(toJustBefore time: SimTime) {
        guard time > .zero else { return }
        phone.run(until: time - SimDuration(nanoseconds: 1))
    }

    /// Runs a copy to an instant; this run is unchanged.
    ///
    /// - Returns: The energy that the phone has used until then. It is nil if the decision cannot be flipped, because
    ///   the app has no process or no pending request of this kind.
    public borrowing func outlook(flipping flip: Flip? = nil, until end: SimTime, sink: any RowSink) -> Energy? {
        var copy = phone.copy(sink: sink)
        if let flip, !copy.apply(flip) { return nil }
        copy.run(until: end)
        copy.core.bookWrites(at: end)
        return copy.core.power.usedEnergy(at: end)
    }
}

/// Discards the rows that a run writes before the fork.
private final class Nowhere: RowSink {
    func write<Row>(_ row: Row, to table: Table<Row>) {}
}

extension Phone {
    /// Flips one decision; returns false if there is nothing to flip.
    mutating func apply(_ flip: Flip) -> Bool {
        switch flip {
        case .spare(let app, let time):
            guard core.processes.isAlive(app) else { return false }
            let spared = core.spare(app)
            run(until: time)
            core.unspare(spared, hasRun: true)
        case .kill(let app):
            guard core.processes.isAlive(app) else { return false }
            core.catchUp()
            core.killNow(app)
            behaviours.propagate(&core)
        case .grant(let app, let kind):
            guard behaviours.requests.grant(app, kind, &core) else { return false }
            behaviours.propagate(&core)
        case .deny(let app, let kind, let time): return core.background.postpone(app, kind, until: time)
        }
        return true
    }
}
