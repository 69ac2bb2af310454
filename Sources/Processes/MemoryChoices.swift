// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Whose memory the freezer writes to storage.
public enum FreezingChoice: String, Sendable, CaseIterable {
    /// The longest idle first, as `memorystatus_freeze_top_process` walks the queue (`FreezerRules`).
    case system
    /// Nobody's.
    case none
    /// The one whose pages came back most often while it was in the background, as ICE picks whom to stop (C. Li et
    /// al., "ICE: Collaborating Memory and Process Management for User Experience", EuroSys 2023).
    ///
    /// ICE stops its processes for good until memory allows; here the system still wakes them for background work.
    case refaulting
}

/// Whose memory is compressed when it runs short.
public enum CompressionOrder: Sendable {
    /// The longest suspended first, as the kernel finds the coldest pages.
    case longestSuspended
    /// Nobody's: what is suspended stays as it is until it is killed or frozen.
    case none
    /// The part that its app does not touch at its next open, of the longest suspended first; what is left of them only
    /// when that is not enough.
    ///
    /// As Ariadne (Liang and others, HPCA 2025, arXiv 2502.12826), Fleet (Huang and others, ASPLOS 2024) and SWAM (Lim
    /// and others, MobiCom 2023) choose; how they find that part out is not modelled.
    case coldFirst
    /// Whom a policy ranks lowest; the highest of those not compressed yet stays as it is.
    case lowest(any EvictionPolicy)
}

extension ProcessTable {
    /// Who is compressed next; nil when nobody is left, or nobody may be.
    mutating func nextToCompress(at now: SimTime) -> Int? {
        if compression.asksPolicy { return lowestToCompress(at: now) }
        if compression.isNone { return nil }
        return compressor.compressible.first ?? compressor.cooled.first
    }

    @inline(never)
    private mutating func lowestToCompress(at now: SimTime) -> Int? {
        guard case .lowest(var policy) = compression else { return nil }
        // Held once, or a policy that copies its state on demand would do so for every question.
        compression = .none
        // As long as what is suspended, which memory bounds, not the number of apps.
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

    /// Whom a policy that ranks for another decision would let die first; the policy hears that it was chosen.
    mutating func evict(from indices: [Int], by policy: inout any EvictionPolicy, at now: SimTime) -> Int? {
        let candidates = indices.map { processes[$0].view(AppID($0), facts[$0]) }
        guard let first = policy.firstToDie(among: candidates, at: now) else { return nil }
        policy.didEvict(candidates[first], at: now)
        return indices[first]
    }

    /// An open of an app, from which orders of compression and of freezing may learn.
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
    /// Asked first wherever the policy is wanted: to take it out copies it.
    var asksPolicy: Bool { if case .lowest = self { true } else { false } }
}
