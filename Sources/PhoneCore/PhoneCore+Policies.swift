// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import RandomStreams
import Vocabulary

/// The policies of a run, each created with its own random bits.
struct MadePolicies {
    let eviction: any EvictionPolicy
    let compression: CompressionOrder
    let freezing: (any EvictionPolicy)?
    let scheduling: any SchedulingPolicy

    init(_ policies: RunPolicies, for specification: RunSpecification) {
        var evictionSeed = specification.stream("eviction policy", "draws")
        var schedulingSeed = specification.stream("scheduling policy", "draws")
        eviction = policies.makeEviction(evictionSeed.nextBits())
        compression =
            policies.rankings.swap.map { .lowest($0(evictionSeed.nextBits())) } ?? policies.compression
        freezing = policies.rankings.freezing.map { $0(evictionSeed.nextBits()) }
        scheduling = policies.makeScheduling(schedulingSeed.nextBits())
    }
}

extension PhoneCore {
    /// Starts passing the next open of each app to policies, if the new policies read it.
    ///
    /// Returns true if the new policies are the first that receive the next opens.
    package mutating func beginReadingFuture(for change: PolicyChange) -> Bool {
        let isNew = change.policies.readsFuture && !readsFuture
        if isNew { readsFuture = true }
        return isNew
    }

    /// Replaces the policies for memory and background work.
    package mutating func exchangePolicies(for change: PolicyChange) {
        let policies = change.policies
        let made = MadePolicies(policies, for: specification)
        processes.exchange(
            policy: made.eviction, ranksAppsOnly: policies.ranksAppsOnly, ranksReaper: policies.ranksReaper,
            freezing: policies.freezing, compression: made.compression, freezingPolicy: made.freezing, at: now)
        background.exchange(policy: made.scheduling, ownRules: policies.schedulingRules, at: now)
    }
}
