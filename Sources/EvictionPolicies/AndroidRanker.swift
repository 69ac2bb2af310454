import Quantities
import Structures
import Vocabulary

/// Least recently used first, but the oldest few in the order of a weighted sum of their places by use, age and size.
///
/// Source: `CacheOomRanker.java` of AOSP's activity manager (off by default there): of the least recently used cached
/// processes, 8 in number, those 3 aside that were used last, each gets 0.5 × its rank by number of times cached
/// + 0.35 × its rank by last activity + 0.15 × its rank by resident memory, largest first; the smallest sum dies
/// first. Here opens stand for times cached, and processes that still work come after all cached ones.
public struct AndroidRanker: EvictionPolicy {
    /// How experiment files name the policy.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "android-ranker",
            summary: "Least recently used, the oldest re-ranked by a weighted sum of uses, age and size.",
            source: "AOSP, services/core/java/com/android/server/am/CacheOomRanker.java",
            parameters: [
                weight("uses", 0.5), weight("recency", 0.35), weight("size", 0.15),
                PolicyParameter(
                    name: "oldest", dimension: .number, defaultValue: 8, range: 0...1e6,
                    meaning: "how many of the least recently used are re-ranked (AOSP: 8)"),
                PolicyParameter(
                    name: "spared", dimension: .number, defaultValue: 3, range: 0...1e6,
                    meaning: "how many of the most recently used are never re-ranked (AOSP: 3)"),
            ])
    ) {
        AndroidRanker(
            uses: $0.values[0], recency: $0.values[1], size: $0.values[2], oldest: Int($0.values[3]),
            spared: Int($0.values[4]))
    }

    private static func weight(_ name: String, _ value: Double) -> PolicyParameter {
        PolicyParameter(
            name: name, dimension: .fraction, defaultValue: value, range: 0...1,
            meaning: "weight of the place by \(name) (AOSP: \(value))")
    }

    /// Above every rank that a cached process can have.
    private static let workingOffset = 1e9

    private let weights: (uses: Double, recency: Double, size: Double)
    private let oldest: Int
    private let spared: Int
    private var ranks = GrowingAppTable(0.0)

    /// Creates the policy with its weights and the number of processes it re-ranks.
    public init(uses: Double = 0.5, recency: Double = 0.35, size: Double = 0.15, oldest: Int = 8, spared: Int = 3) {
        weights = (uses, recency, size)
        self.oldest = oldest
        self.spared = spared
    }

    /// A rank depends on all the others.
    public var rankLifetime: SimDuration? { .zero }

    /// Orders the cached processes anew.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        let working = candidates.filter { !$0.isCached }
        for candidate in working { ranks[candidate.app] = Self.workingOffset + Double(candidate.band) }
        let cached = candidates.filter(\.isCached).sorted(by: EvictionCandidate.isOlder)
        let ranked = max(0, min(oldest, cached.count - spared))
        for position in cached.indices { ranks[cached[position].app] = Double(position) }
        let head = Array(cached[..<ranked])
        var scores = head.indices.map { weights.recency * Double($0) }
        for (position, index) in head.ordered(by: { Double($0.opens) }).enumerated() {
            scores[index] += weights.uses * Double(position)
        }
        for (position, index) in head.ordered(by: { -Double($0.resident.bytes) }).enumerated() {
            scores[index] += weights.size * Double(position)
        }
        let order = scores.indices.sorted { (scores[$0], $0) < (scores[$1], $1) }
        for (position, index) in order.enumerated() { ranks[head[index].app] = Double(position) }
    }

    /// The position in the order of the last survey.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { ranks[candidate.app] }
}

extension EvictionCandidate {
    /// Whether the process executes nothing and waits to be used again.
    var isCached: Bool { state == .suspended }

    /// Whether the user saw the app longer ago; among equals the lower identifier.
    static func isOlder(_ left: EvictionCandidate, _ right: EvictionCandidate) -> Bool {
        (left.lastForeground, left.bandSet, left.app) < (right.lastForeground, right.bandSet, right.app)
    }
}

extension [EvictionCandidate] {
    /// Indices in the order of a measure, equals in the order they have.
    fileprivate func ordered(by measure: (EvictionCandidate) -> Double) -> [Int] {
        let values = map(measure)
        return indices.sorted { (values[$0], $0) < (values[$1], $1) }
    }
}
