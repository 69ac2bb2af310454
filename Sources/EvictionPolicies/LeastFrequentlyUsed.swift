import Quantities
import Vocabulary

/// The app that the user has opened least often first; counts survive the process and do not decay.
///
/// Source: least-frequently-used with perfect counts, for instance Breslau, Cao, Fan, Phillips and Shenker, INFOCOM
/// 1999, doi:10.1109/INFCOM.1999.749260.
public struct LeastFrequentlyUsed: EvictionPolicy {
    /// How experiment files name the policy.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "lfu", summary: "The app that the user has opened least often.",
            source: "Breslau et al. 1999, doi:10.1109/INFCOM.1999.749260")
    ) { _ in LeastFrequentlyUsed() }

    /// Creates the policy.
    public init() {}

    /// How often the user has opened the app.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { Double(candidate.opens) }
}
