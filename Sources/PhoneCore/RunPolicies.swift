// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

/// Eviction policies that rank processes for other decisions about memory.
///
/// The process with the lowest rank is frozen or compressed first. The app with the highest rank among those without a
/// process is prewarmed.
public struct MemoryRankings: Sendable {
    /// Ranks the apps to prewarm.
    public var prelaunch: RunSpecification.MakeEviction?
    /// Ranks the processes whose memory goes to storage.
    public var freezing: RunSpecification.MakeEviction?
    /// Ranks the processes whose memory is compressed.
    public var swap: RunSpecification.MakeEviction?

    /// Creates rankings from the given policies.
    public init(
        prelaunch: RunSpecification.MakeEviction? = nil, freezing: RunSpecification.MakeEviction? = nil,
        swap: RunSpecification.MakeEviction? = nil
    ) {
        (self.prelaunch, self.freezing, self.swap) = (prelaunch, freezing, swap)
    }
}

/// The policies of a run.
public struct RunPolicies: Sendable {
    /// Whether one of the policies is an oracle, which receives the next open of each app.
    public var readsFuture = false
    /// Creates the eviction policy.
    public var makeEviction: RunSpecification.MakeEviction
    /// Whether the eviction policy ranks only apps; daemons and extensions are then killed in the system's order.
    public var ranksAppsOnly = false
    /// Whether the reaper kills in the order of the eviction policy, and only as many processes as memory requires.
    public var ranksReaper = false
    /// Choice of the processes that the freezer writes to storage.
    public var freezing = FreezingChoice.system
    /// Choice of the processes whose memory is compressed first.
    public var compression = CompressionOrder.longestSuspended
    /// Policies that rank apps to prewarm, freeze or compress; each replaces the built-in choice.
    public var rankings = MemoryRankings()
    /// Creates the scheduling policy.
    public var makeScheduling: RunSpecification.MakeScheduling
    /// The rules that the scheduling policy declares.
    public var schedulingRules: [RuleText] = []

    /// Whether one of the policies is an object of a class; copies of the phone would share the object.
    var hasClasses: Bool {
        let evictions = [makeEviction, rankings.prelaunch, rankings.freezing, rankings.swap].compactMap { $0 }
        let types: [Any.Type] = evictions.map { type(of: $0(0)) } + [type(of: makeScheduling(0))]
        return types.contains { $0 is AnyClass }
    }
}

/// Other policies, which replace the present ones at an instant of a run.
public struct PolicyChange: Sendable {
    /// Instant of the change; the change follows all other events of this instant.
    public let time: SimTime
    /// The policies from then on.
    public var policies: RunPolicies
    /// Choice of the apps that the system prewarms from then on.
    public let prelaunch: PrewarmChoice

    /// Creates a change to the first policies of another run.
    public init(at time: SimTime, to other: RunSpecification) {
        self.time = time
        policies = other.policies
        prelaunch = other.device.prewarm.choice
    }
}

extension RunSpecification {
    /// This run, with the first policies of another run from an instant on.
    public func continued(as other: RunSpecification, from time: SimTime) -> RunSpecification {
        var result = self
        result.changes.removeAll { $0.time >= time }
        result.changes.append(PolicyChange(at: time, to: other))
        return result
    }
}
