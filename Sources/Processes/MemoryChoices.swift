// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Choice of the process whose memory the freezer writes to storage.
public enum FreezingChoice: String, Sendable, CaseIterable {
    /// The longest idle process, in the order in which `memorystatus_freeze_top_process` searches the queue
    /// (`FreezerRules`).
    case system
    /// No process.
    case none
    /// The process that brought back the most compressed memory in the background; ICE stops processes by this rule.
    ///
    /// Source: C. Li et al., "ICE: Collaborating Memory and Process Management for User Experience", EuroSys 2023. ICE
    /// stops the chosen processes until memory allows them to run again; here, the system still wakes them for
    /// background work.
    case refaulting
}

/// Choice of the process whose memory is compressed when memory runs short.
public enum CompressionOrder: Sendable {
    /// The longest suspended process, because the kernel compresses the coldest pages first.
    case longestSuspended
    /// No process: suspended apps keep their memory until they are killed or frozen.
    case none
    /// First the part of each app that its next open does not touch, beginning with the longest suspended app.
    ///
    /// The rest of these apps is compressed only if that is not enough. Ariadne (Liang and others, HPCA 2025, arXiv
    /// 2502.12826), Fleet (Huang and others, ASPLOS 2024) and SWAM (Lim and others, MobiCom 2023) choose in this way.
    /// How these systems find the part is not modelled.
    case coldFirst
    /// The process that a policy ranks lowest; the highest-ranked process that is not compressed yet is spared.
    case lowest(any EvictionPolicy)
}

extension ProcessTable {
    /// The process to compress next; nil if there is none, or if none may be compressed.
    mutating func nextToCompress(at now: SimTime) -> Int? {
        if compression.asksPolicy { return lowestToCompress(at: now) }
        if compression.isNone { return nil }
        return compressor.compressible.first ?? compressor.cooled.first
    }

    @inline(never)
    private mutating func lowestToCompress(at now: SimTime) -> Int? {
        guard case .lowest(var policy) = compression else { return nil }
        // Only one copy of the policy remains, because a policy with copy-on-write state would otherwise be copied in
        // each call.
        compression = .none
        // The list is as long as the suspended processes, whose number depends on memory, not on the number of apps.
        var suspended: [Int] = []
        var next = compressor.compressible.first
        while let index = next {
            suspended.append(index)
            next = compressor.compressible.next(after: index)
        }
        let chosen = suspended.count > 1 ? evict(from: suspended, by: &policy, at: now) : nil
        compression = .lowest(policy)
        return chosen
    }

    /// The process that a policy for freezing or compression would evict first; the policy is notified of the choice.
    mutating func evict(from indices: [Int], by policy: inout any EvictionPolicy, at now: SimTime) -> Int? {
        let candidates = indices.map { processes[$0].view(AppID($0), facts[$0]) }
        guard let first = policy.firstToDie(among: candidates, at: now) else { return nil }
        policy.didEvict(candidates[first], at: now)
        return indices[first]
    }

    /// Notifies the policies for compression and freezing that an app was opened, so that they can learn from it.
    @inline(never)
    mutating func noteOpenForCompression(_ index: Int, at now: SimTime) {
        if freezingPolicy != nil { freezingPolicy?.didOpen(AppID(index), at: now) }
        guard compression.asksPolicy, case .lowest(var policy) = compression else { return }
        compression = .none
        policy.didOpen(AppID(index), at: now)
        compression = .lowest(policy)
    }
}

extension CompressionOrder {
    var isColdFirst: Bool { if case .coldFirst = self { true } else { false } }
    var isNone: Bool { if case .none = self { true } else { false } }
    /// Whether the order needs a policy; check this first, because extracting the policy copies it.
    var asksPolicy: Bool { if case .lowest = self { true } else { false } }
}
