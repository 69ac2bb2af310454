// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

/// Eviction policies that rank processes for other decisions about memory.
///
/// The process with the lowest rank is frozen and compressed first. The app without a process that has the highest rank
/// is prewarmed.
public struct MemoryRankings: Sendable {
    /// For whom a process is built.
    public var prelaunch: RunSpecification.MakeEviction?
    /// Ranks the processes whose memory goes to storage.
    public var freezing: RunSpecification.MakeEviction?
    /// Ranks the processes whose memory is compressed.
    public var swap: RunSpecification.MakeEviction?

    /// Creates those that are given.
    public init(
        prelaunch: RunSpecification.MakeEviction? = nil, freezing: RunSpecification.MakeEviction? = nil,
        swap: RunSpecification.MakeEviction? = nil
    ) {
        (self.prelaunch, self.freezing, self.swap) = (prelaunch, freezing, swap)
    }
}

/// Who decides in a run.
public struct RunPolicies: Sendable {
    /// Whether one of the policies is an oracle, which receives the next open of each app.
    public var readsFuture = false
    /// Makes the eviction policy.
    public var makeEviction: RunSpecification.MakeEviction
    /// Whether the eviction policy ranks only apps, and daemons and extensions die in the system's order.
    public var ranksAppsOnly = false
    /// Whether the victims of the reaper die in the order of the eviction policy, and only as many as memory needs.
    public var ranksReaper = false
    /// Choice of the processes that the freezer takes.
    public var freezing = FreezingChoice.system
    /// Choice of the processes whose memory is compressed first.
    public var compression = CompressionOrder.longestSuspended
    /// Makes the policies that rank apps to prewarm, freeze or compress, if the choices above do not decide this.
    public var rankings = MemoryRankings()
    /// Makes the scheduling policy.
    public var makeScheduling: RunSpecification.MakeScheduling
    /// The rules that the scheduling policy declares itself.
    public var schedulingRules: [RuleText] = []

    /// Whether one of the policies is a class, which a copy of the phone would share.
    var hasClasses: Bool {
        let evictions = [makeEviction, rankings.prelaunch, rankings.freezing, rankings.swap].compactMap { $0 }
        let types: [Any.Type] = evictions.map { type(of: $0(0)) } + [type(of: makeScheduling(0))]
        return types.contains { $0 is AnyClass }
    }
}

/// Other policies, which take over at an instant of a run.
public struct PolicyChange: Sendable {
    /// Instant of the change, after all other events of that instant.
    public let time: SimTime
    /// Who decides from then on.
    public var policies: RunPolicies
    /// Choice of the apps that the system prewarms from then on.
    public let prelaunch: PrewarmChoice

    /// The change to the policies that another run begins with.
    public init(at time: SimTime, to other: RunSpecification) {
        self.time = time
        policies = other.policies
        prelaunch = other.device.prewarm.choice
    }
}

extension RunSpecification {
    /// This run, which continues from an instant on under the policies with which another begins.
    public func continued(as other: RunSpecification, from time: SimTime) -> RunSpecification {
        var result = self
        result.changes.removeAll { $0.time >= time }
        result.changes.append(PolicyChange(at: time, to: other))
        return result
    }
}
