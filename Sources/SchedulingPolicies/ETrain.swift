// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Sends work along with transfers that happen anyway, such as heartbeats and pushes.
///
/// When waiting has become too costly, work starts its own transfer.
///
/// Source: Zhang et al., "eTrain", ICDCS 2015. The heartbeat is the train, and delay-tolerant data is the cargo. The
/// cost of every request grows with its wait, here by 1 per tolerated delay. A train takes up to k requests, the
/// longest wait first. Without a train, requests leave when all costs together exceed theta. Any radio that is up
/// counts as a train.
public struct ETrain: SchedulingPolicy {
    /// Total cost of waiting at which requests start their own transfer.
    public var theta = 5.0
    /// Number of requests that one train takes.
    public var seats = 1000
    /// Wait that costs 1.
    public var patience = SimDuration.minutes(15)
    private var line = WaitingLine()
    private var departure = SimTime(nanoseconds: .min / 2)
    private var aboard = 0

    /// Creates the policy with its defaults.
    public init() {}

    /// Sends the request with the next heartbeat or transfer, or lets it wait.
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

    /// Removes a request that no longer waits for a train.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) { line.leave(request) }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "etrain", summary: "Sends with heartbeats and other transfers, or alone when waiting is costly.",
            source: "eTrain (Zhang et al., ICDCS 2015)", needs: [.network, .radioTail]),
        ETrain(),
        Parameter(
            \.theta, "theta", .number, 0...1_000_000,
            "Total cost of waiting at which requests are sent alone; the paper's theta"),
        Parameter(
            \.seats, "seats", .number, 1...1_000_000,
            "Largest number of requests sent with one heartbeat or transfer (k in the paper)"),
        .patience(\.patience, "Length of a wait that costs 1; assumption"))
}
