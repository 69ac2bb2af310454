// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Least recently used first, except that the oldest few are ordered by a weighted sum of their ranks by use, age and
/// size.
///
/// Source: `CacheOomRanker.java` of AOSP's activity manager (off by default there). It ranks the 8 least recently used
/// cached processes, except for the 3 used last. The sum is 0.5 × the rank by number of times cached + 0.35 × the rank
/// by last activity + 0.15 × the rank by resident memory, largest first. The smallest sum dies first. Here, opens
/// replace times cached, and processes that still work come after all cached ones.
public struct AndroidRanker: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "android-ranker",
            summary: "Least recently used first, but the oldest few are ranked by uses, recency and size.",
            source: "AOSP, services/core/java/com/android/server/am/CacheOomRanker.java", family: .android),
        AndroidRanker(),
        Parameter(\.uses, "uses", .fraction, 0...1, "weight of the rank by number of uses (AOSP: 0.5)"),
        Parameter(\.recency, "recency", .fraction, 0...1, "weight of the rank by recency (AOSP: 0.35)"),
        Parameter(\.size, "size", .fraction, 0...1, "weight of the rank by size (AOSP: 0.15)"),
        Parameter(
            \.oldest, "oldest", .number, 0...1e6,
            "number of least recently used processes that are re-ranked (AOSP: 8)"),
        Parameter(
            \.spared, "spared", .number, 0...1e6,
            "number of most recently used processes that are never re-ranked (AOSP: 3)"))

    /// Offset above every rank that a cached process can have.
    private static let workingOffset = 1e9

    /// Weight of the rank by number of opens.
    public var uses = 0.5
    /// Weight of the rank by last use.
    public var recency = 0.35
    /// Weight of the rank by resident memory.
    public var size = 0.15
    /// Number of least recently used processes that are ranked again.
    public var oldest = 8
    /// Number of most recently used processes that are never ranked again.
    public var spared = 3
    private var ranks = GrowingAppTable(0.0)

    /// Creates the policy with its defaults.
    public init() {}

    /// Zero, because a rank depends on all other ranks.
    public var rankLifetime: SimDuration? { .zero }

    /// Orders the cached processes anew.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        let working = candidates.filter { !$0.isCached }
        for candidate in working { ranks[candidate.app] = Self.workingOffset + Double(candidate.band) }
        let cached = candidates.filter(\.isCached).sorted(by: EvictionCandidate.isOlder)
        let ranked = max(0, min(oldest, cached.count - spared))
        for rank in cached.indices { ranks[cached[rank].app] = Double(rank) }
        let head = Array(cached[..<ranked])
        var scores = head.indices.map { recency * Double($0) }
        for (rank, index) in head.ranks(by: { Double($0.opens) }).enumerated() {
            scores[index] += uses * Double(rank)
        }
        for (rank, index) in head.ranks(by: { -Double($0.resident.bytes) }).enumerated() {
            scores[index] += size * Double(rank)
        }
        let order = scores.indices.sorted { (scores[$0], $0) < (scores[$1], $1) }
        for (rank, index) in order.enumerated() { ranks[head[index].app] = Double(rank) }
    }

    /// The rank in the order of the last survey.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { ranks[candidate.app] }
}

extension EvictionCandidate {
    /// Whether the process executes nothing and waits to be used again.
    var isCached: Bool { state == .suspended }

    /// Whether the user last saw the `left` app before the `right` one; ties are decided by when the band was set, then
    /// by app.
    static func isOlder(_ left: EvictionCandidate, _ right: EvictionCandidate) -> Bool {
        (left.lastForeground, left.bandSet, left.app) < (right.lastForeground, right.bandSet, right.app)
    }
}

extension [EvictionCandidate] {
    /// Indices of the candidates in the order of a measure; equal candidates keep their order.
    fileprivate func ranks(by measure: (EvictionCandidate) -> Double) -> [Int] {
        let values = map(measure)
        return indices.sorted { (values[$0], $0) < (values[$1], $1) }
    }
}
