// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures
import Phone
import PhoneCore
import Power
import Quantities
import Vocabulary

/// Which decision of a run is to be taken otherwise.
public struct FlipRequest: Sendable {
    /// What is done instead.
    public enum Change: String, Sendable, CaseIterable {
        case spare, kill, grant, deny
    }

    /// What is done instead.
    public let change: Change
    /// Whose process or request it is about.
    public let app: AppID
    /// When; a kill or a start within a minute of it is meant.
    public let time: SimTime
    /// Which of its requests.
    public let kind: RequestKind

    /// Creates a request.
    public init(_ change: Change, _ app: AppID, at time: SimTime, kind: RequestKind) {
        self.change = change
        self.app = app
        self.time = time
        self.kind = kind
    }
}

/// What one decision of a run, taken otherwise, changes until the end of its day, everything else being fixed.
public struct FlipStudy: Sendable {
    /// What happened from the instant of the decision on.
    public struct Branch: Sendable {
        /// Changes of state of all apps.
        public let events: [EventRow]
        /// Requests that ended.
        public let requests: [RequestRow]
        /// Energy the phone has used since the run began, in joules.
        public let joules: Double

        /// The kills by jetsam.
        public var kills: [EventRow] { events.filter { $0.event == .exit && $0.reason != nil } }
        /// The opens by the user.
        public var opens: [EventRow] { events.filter { $0.launchKind != nil && $0.delaySeconds.isFinite } }
        /// Background work that ran.
        public var runs: [RequestRow] { requests.filter { $0.started != .distantFuture } }
    }

    /// What was asked for.
    public let request: FlipRequest
    /// When the decision was taken that is flipped.
    public let instant: SimTime
    /// The end of its day.
    public let end: SimTime
    /// The kill that is taken back; nil for other flips.
    public let kill: EventRow?
    /// The run as it was.
    public let original: Branch
    /// The run with the decision flipped.
    public let flipped: Branch

    /// A kill or a start this far from the time asked for is meant.
    static let window = SimDuration.minute
    /// A denied request may start so much later at the soonest.
    public static let denial = SimDuration.minutes(15)

    /// Runs to the decision, and from there twice to the end of its day.
    ///
    /// - Throws: `Diagnostics` when there is no such decision, with those that are near.
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

    /// Two branches from one instant on.
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

    /// Whether the app that was to be spared died at the same instant all the same.
    var diesAnyway: Bool {
        guard let kill else { return false }
        return flipped.kills.contains { $0.app == kill.app && $0.time == kill.time }
    }

    /// A run whose policies are classes cannot be forked.
    static func requireFork(_ specification: RunSpecification, _ replay: RunReplay) throws(Diagnostics) {
        guard ForkedRun.isPossible(specification) else {
            throw Diagnostics(
                "a run under \(replay.policyName) cannot be forked: one of its policies is a class, which a copy would "
                    + "share", hint: "make the policy a struct")
        }
    }

    private typealias Decision = (time: SimTime, flip: Flip, kill: EventRow?)

    /// The decision that is meant, after a look ahead from a minute before.
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

/// Keeps what happens on a phone from an instant on.
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
