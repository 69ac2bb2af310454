// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Sends work along with transfers that happen anyway, such as heartbeats and pushes.
///
/// When waiting has become too costly, work leaves with a transfer of its own.
///
/// Zhang et al., "eTrain", ICDCS 2015: the heartbeat is the train, delay-tolerant data the cargo. Every request's cost
/// grows with its wait, here by 1 per tolerated delay. A train takes up to k of them, the longest wait first, and
/// without a train they leave when all costs together exceed theta. Any radio that is up counts as a train.
public struct ETrain: SchedulingPolicy {
    /// Cost of all waiting at which a train of its own is paid for.
    public var theta = 5.0
    /// Requests that one train takes.
    public var seats = 1000
    /// Wait that costs 1.
    public var patience = SimDuration.minutes(15)
    private var line = WaitingLine()
    private var departure = SimTime(nanoseconds: .min / 2)
    private var aboard = 0

    /// Creates the policy with its defaults.
    public init() {}

    /// Boards a train, or waits for one.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        line.enter(request)
        let now = device.now
        if now >= request.lastChance { return start(request, .deadlineReached) }
        if device.radioIsUp || now == departure {
            if now != departure { aboard = 0 }
            departure = now
            if aboard < seats { return start(request, .heartbeat) }
            return .wait(.heartbeat, until: now + .second, or: .radioUp)
        }
        let limit = theta * patience.seconds
        if line.waited(at: now) >= limit {
            departure = now
            aboard = 0
            return start(request, .backlog)
        }
        let until = min(line.instant(ofWaiting: limit), request.lastChance)
        return .wait(.heartbeat, until: until, or: [.radioUp, .workStarted])
    }

    private mutating func start(_ request: RequestView, _ rule: SchedulingRule) -> SchedulingDecision {
        line.leave(request)
        aboard += 1
        return .proceed(rule)
    }

    /// Leaves the platform.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) { line.leave(request) }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "etrain", summary: "Sends with heartbeats and other transfers, or alone when waiting is costly.",
            source: "eTrain (Zhang et al., ICDCS 2015)", needs: [.network, .radioTail]),
        ETrain(),
        Parameter(
            \.theta, "theta", .number, 0...1_000_000,
            "Cost of all waiting at which requests are sent alone; the paper's parameter"),
        Parameter(
            \.seats, "seats", .number, 1...1_000_000,
            "Requests sent with one heartbeat or transfer (k in the paper)"),
        .patience(\.patience, "Wait that costs 1; assumption"))
}
