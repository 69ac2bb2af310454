import Quantities
import Vocabulary

/// The smallest footprint dies first: many kills for little memory.
struct SmallestFirst: EvictionPolicy {
    static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "smallest-first", summary: "The smallest footprint first.", source: "an exercise")
    ) { _ in SmallestFirst() }

    mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        Double(candidate.footprint.bytes)
    }
}
