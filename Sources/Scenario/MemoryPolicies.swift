// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Phone
import PhoneCore
import Processes
import Vocabulary

/// Whose memory is compressed first when it runs short.
public enum SwapChoice: String, Sendable, CaseIterable {
    /// The longest suspended.
    case system
    /// Nobody's.
    case none
    /// The app that the user is least likely to open next; the likeliest stays as it is.
    case leastLikely = "least-likely"

    /// What its app does not touch at its next open.
    case coldFirst = "cold-first"

    /// The order that the word stands for.
    var order: CompressionOrder {
        switch self {
        case .system: .longestSuspended
        case .none: .none
        case .leastLikely: .lowest(Predicted())
        case .coldFirst: .coldFirst
        }
    }
}

/// What a pair of policies says besides eviction and scheduling; nil where it leaves a matter to the device.
public struct MemoryPolicies: Sendable, Equatable {
    /// Which app without a process the system builds one for.
    public var prelaunch: PrewarmChoice?
    /// Whose memory goes to storage.
    public var freezing: FreezingChoice?
    /// Whose memory is compressed first.
    public var swap: SwapChoice?

    /// What is said, as it stands in the names of policies: `freezing=none+swap=system`.
    public var text: String {
        let words = [
            prelaunch.map { "prelaunch=\($0.rawValue)" }, freezing.map { "freezing=\($0.rawValue)" },
            swap.map { "swap=\($0.rawValue)" },
        ]
        return words.compactMap { $0 }.joined(separator: "+")
    }

    /// Whether one of them reads the future.
    var isOracle: Bool { prelaunch == .oracle }

    /// Whether it says all that another says, and the same.
    func agrees(with other: MemoryPolicies) -> Bool {
        (other.prelaunch == nil || other.prelaunch == prelaunch)
            && (other.freezing == nil || other.freezing == freezing) && (other.swap == nil || other.swap == swap)
    }

    /// Puts what is said into the specification of a run.
    func apply(to specification: inout RunSpecification) {
        if let prelaunch { specification.device.prewarm.choice = prelaunch }
        if let freezing { specification.freezing = freezing }
        if let swap { specification.compression = swap.order }
    }

    /// The kinds with their words, as `flotsam list policies` shows them, the default first.
    public static let kinds: [(name: String, policies: [PolicyDescriptor])] = [
        ("prelaunch", prelaunches), ("freezing", freezings), ("swap", swaps),
    ]

    private static let prelaunches = [
        PolicyDescriptor(
            name: PrewarmChoice.never.rawValue, summary: "No process is built before its app is opened.",
            source: "what iOS did before iOS 15"),
        PolicyDescriptor(
            name: PrewarmChoice.likely.rawValue, summary: "The app most likely to be opened within half an hour.",
            source: "Parate et al. 2013, doi:10.1145/2493432.2493490", needs: .apps),
        PolicyDescriptor(
            name: PrewarmChoice.worth.rawValue, summary: "The largest likelihood times the wait that is saved.",
            source: "Yan et al. (FALCON), MobiSys 2012", needs: .apps),
        PolicyDescriptor(
            name: PrewarmChoice.files.rawValue,
            summary: "Only the launch files of the app whose launch that shortens most, by likelihood.",
            source: "Li et al. (AppFlow), arXiv 2603.17259, 2026", needs: .apps),
        PolicyDescriptor(
            name: PrewarmChoice.oracle.rawValue, summary: "The app that the user opens next.",
            source: "this project", isOracle: true),
    ]

    private static let freezings = [
        PolicyDescriptor(
            name: FreezingChoice.system.rawValue, summary: "The longest idle app goes to storage first, as on iOS.",
            source: "xnu-11417.101.15, memorystatus_freeze_top_process"),
        PolicyDescriptor(
            name: FreezingChoice.none.rawValue, summary: "Nobody's memory goes to storage.",
            source: "extreme of this project; iPhones before iOS 10"),
        PolicyDescriptor(
            name: FreezingChoice.refaulting.rawValue,
            summary: "The app whose memory came back most in the background goes to storage first, after ICE.",
            source: "Li et al. 2023 (ICE), doi:10.1145/3552326.3567497"),
    ]

    private static let swaps = [
        PolicyDescriptor(
            name: SwapChoice.system.rawValue, summary: "What has been suspended for longest is compressed first.",
            source: "xnu-11417.101.15, osfmk/vm/vm_pageout.c"),
        PolicyDescriptor(
            name: SwapChoice.none.rawValue, summary: "Nothing is compressed when memory runs short.",
            source: "extreme of this project"),
        PolicyDescriptor(
            name: SwapChoice.leastLikely.rawValue,
            summary: "The app that the user, by habit, is least likely to open next is compressed first.",
            source: "Li et al. (SEAL), IEEE TCAD 39(11), 2020: swaps by app; the likelihood is that of predicted",
            needs: .apps),
        PolicyDescriptor(
            name: SwapChoice.coldFirst.rawValue, summary: "What apps do not touch when they are opened is compressed first.",
            source: "Liang et al. (Ariadne), HPCA 2025, arXiv 2502.12826; SWAM (MobiCom 2023), Fleet (ASPLOS 2024)"),
    ]
}
