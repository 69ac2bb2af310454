// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures
import Phone
import PhoneCore
import Power
import Quantities
import Vocabulary

/// Request to reverse a decision of a run.
public struct FlipRequest: Sendable {
    /// Kind of the reversal.
    public enum Change: String, Sendable, CaseIterable {
        case spare, kill, grant, deny
    }

    /// Kind of the reversal.
    public let change: Change
    /// App whose process or request is affected.
    public let app: AppID
    /// Time of the decision; a kill or start within a minute of this time matches.
    public let time: SimTime
    /// Kind of the request.
    public let kind: RequestKind

    /// Creates a request.
    public init(_ change: Change, _ app: AppID, at time: SimTime, kind: RequestKind) {
        self.change = change
        self.app = app
        self.time = time
        self.kind = kind
    }
}

/// Effects of one reversed decision until the end of its day, with everything else in the run unchanged.
public struct FlipStudy: Sendable {
    /// Events of a run from the instant of the decision on.
    public struct Branch: Sendable {
        /// Changes of state of all processes.
        public let events: [EventRow]
        /// Requests that ended.
        public let requests: [RequestRow]
        /// Energy that the phone used since the start of the run, in joules.
        public let joules: Double

        /// Kills by jetsam.
        public var kills: [EventRow] { events.filter { $0.event == .exit && $0.reason != nil } }
        /// Opens by the user.
        public var opens: [EventRow] { events.filter { $0.launchKind != nil && $0.delaySeconds.isFinite } }
        /// Background work that ran.
        public var runs: [RequestRow] { requests.filter { $0.started != .distantFuture } }
    }

    /// Request for the reversal.
    public let request: FlipRequest
    /// Instant of the reversed decision.
    public let instant: SimTime
    /// End of the decision's day.
    public let end: SimTime
    /// Kill that was undone; nil for other reversals.
    public let kill: EventRow?
    /// Original run.
    public let original: Branch
    /// Run with the reversed decision.
    public let flipped: Branch

    /// Largest difference between the requested time and the time of the kill or start.
    static let window = SimDuration.minute
    /// Shortest delay of a denied request.
    public static let denial = SimDuration.minutes(15)

    /// Simulates the run up to the decision, and from there both branches to the end of the day.
    ///
    /// - Throws: `Diagnostics` when the decision does not exist; the hint lists the nearest decisions.
    public init(_ request: FlipRequest, in replay: RunReplay) throws(Diagnostics) {
        var specification = replay.specification
        specification.tables = [.events, .requests, .decisions]
        try Self.requireFork(specification, replay)
        var run = ForkedRun(specification)
        let decision = try Self.decision(request, &run, replay)
        run.advance(toJustBefore: decision.time)
        let nextDay = SimTime.zero + .days(Double(decision.time.day + 1))
        let end = min(nextDay, .zero + specification.duration)
        let (one, other) = (BranchRecorder(), BranchRecorder())
        let energy = run.outlook(until: end, sink: one)
        guard let energy, let otherEnergy = run.outlook(flipping: decision.flip, until: end, sink: other) else {
            throw FlipErrors(request, replay).nothingThere
        }
        self.init(
            request, at: decision.time, until: end, kill: decision.kill, original: one.branch(energy),
            flipped: other.branch(otherEnergy))
        if let kill, diesAnyway { throw FlipErrors(request, replay).diesAnyway(kill) }
    }

    /// Creates the study from two finished branches.
    init(
        _ request: FlipRequest, at instant: SimTime, until end: SimTime, kill: EventRow?, original: Branch,
        flipped: Branch
    ) {
        self.request = request
        self.instant = instant
        self.end = end
        self.kill = kill
        self.original = original
        self.flipped = flipped
    }

    /// Whether the spared app died at the same instant in the flipped branch.
    var diesAnyway: Bool {
        guard let kill else { return false }
        return flipped.kills.contains { $0.app == kill.app && $0.time == kill.time }
    }

    /// Throws an error for a run with a policy that is a class, because such a run cannot be forked.
    static func requireFork(_ specification: RunSpecification, _ replay: RunReplay) throws(Diagnostics) {
        guard ForkedRun.isPossible(specification) else {
            throw Diagnostics(
                "a run under \(replay.policyName) cannot be forked: one of its policies is a class, so the fork would "
                    + "share its state", hint: "make the policy a struct")
        }
    }

    private typealias Decision = (time: SimTime, flip: Flip, kill: EventRow?)

    /// Decision that matches the request: the nearest kill or start in the two minutes around the requested time.
    private static func decision(
        _ request: FlipRequest, _ run: inout ForkedRun, _ replay: RunReplay
    ) throws(Diagnostics) -> Decision {
        let app = request.app
        switch request.change {
        case .kill: return (request.time + SimDuration(nanoseconds: 1), .kill(app), nil)
        case .grant: return (request.time + SimDuration(nanoseconds: 1), .grant(app, request.kind), nil)
        case .spare, .deny: break
        }
        let begin = request.time > .zero + window ? request.time - window : .zero
        run.advance(toJustBefore: begin)
        let scout = BranchRecorder()
        _ = run.outlook(until: request.time + window, sink: scout)
        func isNearer(_ left: SimTime, _ right: SimTime) -> Bool {
            abs((left - request.time).seconds) < abs((right - request.time).seconds)
        }
        if request.change == .deny {
            let starts = scout.decisions.filter { $0.app == app && $0.kind == request.kind && $0.proceed }
            guard let start = starts.min(by: { isNearer($0.time, $1.time) }) else {
                throw FlipErrors(request, replay).neverStarted
            }
            return (start.time, .deny(app, request.kind, until: start.time + denial), nil)
        }
        let kills = scout.events.filter { $0.event == .exit && $0.reason != nil && $0.app == app }
        guard let kill = kills.min(by: { isNearer($0.time, $1.time) }) else {
            throw FlipErrors(request, replay).neverKilled
        }
        return (kill.time, .spare(app, at: kill.time), kill)
    }
}

/// Collects the events of a phone from an instant on, for one branch.
final class BranchRecorder: RowSink {
    private(set) var events: [EventRow] = []
    private(set) var decisions: [DecisionRow] = []
    private var requests: [RequestRow] = []

    func write<Row>(_ row: Row, to table: Table<Row>) {
        switch row {
        case let row as EventRow: events.append(row)
        case let row as RequestRow: requests.append(row)
        case let row as DecisionRow: decisions.append(row)
        default: break
        }
    }

    func branch(_ energy: Energy) -> FlipStudy.Branch {
        FlipStudy.Branch(events: events, requests: requests, joules: energy.joules)
    }
}
