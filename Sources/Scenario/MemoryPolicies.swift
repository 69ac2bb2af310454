// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Phone
import PhoneCore
import Processes
import Vocabulary

/// Order in which memory is compressed when memory is short.
public enum SwapChoice: String, Sendable, CaseIterable {
    /// Compress the app that was suspended longest first.
    case system
    /// Compress nothing.
    case none
    /// Compress the app that the user is least likely to open next first. The likeliest app is never compressed.
    case leastLikely = "least-likely"

    /// Compress first the memory that an app does not use at its next open.
    case coldFirst = "cold-first"

    /// Compression order of this choice.
    var order: CompressionOrder {
        switch self {
        case .system: .longestSuspended
        case .none: .none
        case .leastLikely: .lowest(Predicted())
        case .coldFirst: .coldFirst
        }
    }
}

/// Choice for a memory decision: a built-in rule, or a policy that ranks apps as for eviction.
///
/// The app that the policy would kill first is frozen or compressed first. Of the apps without a process, the app that
/// the policy would kill last is prelaunched.
public enum MemoryChoice<Word>: Sendable, Equatable
where Word: RawRepresentable<String> & CaseIterable & Sendable & Equatable {
    /// A built-in rule, by its word.
    case word(Word)
    /// The ranking of an eviction policy, from the program or from foreign code.
    case ranked(PolicyChoice)

    /// Text of the choice in the names of pairs.
    var text: String {
        switch self {
        case .word(let word): word.rawValue
        case .ranked(let policy): policy.text
        }
    }

    var word: Word? { if case .word(let word) = self { word } else { nil } }
    var policy: PolicyChoice? { if case .ranked(let policy) = self { policy } else { nil } }
}

/// Settings of a pair of policies, except eviction and scheduling; nil if the device determines a setting.
public struct MemoryPolicies: Sendable, Equatable {
    /// Which app's process is started in advance.
    public var prelaunch: MemoryChoice<PrewarmChoice>?
    /// Which app's memory is moved to storage.
    public var freezing: MemoryChoice<FreezingChoice>?
    /// Which memory is compressed first.
    public var swap: MemoryChoice<SwapChoice>?

    /// Text of the settings in the names of pairs, for instance `freezing=none+swap=system`.
    public var text: String {
        let words = [
            prelaunch.map { "prelaunch=\($0.text)" }, freezing.map { "freezing=\($0.text)" },
            swap.map { "swap=\($0.text)" },
        ]
        return words.compactMap { $0 }.joined(separator: "+")
    }

    /// Policies that provide rankings for settings without a built-in rule.
    public var ranked: [PolicyChoice] { [prelaunch?.policy, freezing?.policy, swap?.policy].compactMap { $0 } }

    /// Whether one of the settings reads the future.
    var isOracle: Bool { prelaunch == .word(.oracle) }

    /// Whether this value contains every setting of another value.
    func agrees(with other: MemoryPolicies) -> Bool {
        (other.prelaunch == nil || other.prelaunch == prelaunch)
            && (other.freezing == nil || other.freezing == freezing) && (other.swap == nil || other.swap == swap)
    }

    /// Applies the settings to the specification of a run; `make` creates the ranking policies.
    func apply(
        to specification: inout RunSpecification, _ make: (PolicyChoice) -> RunSpecification.MakeEviction?
    ) {
        if let word = prelaunch?.word { specification.device.prewarm.choice = word }
        if let word = freezing?.word { specification.freezing = word }
        if let word = swap?.word { specification.compression = word.order }
        specification.rankings = MemoryRankings(
            prelaunch: prelaunch?.policy.flatMap(make), freezing: freezing?.policy.flatMap(make),
            swap: swap?.policy.flatMap(make))
    }

    /// Kinds of settings with their words, for `flotsam list policies`.
    ///
    /// The first word is the default.
    public static let kinds: [(name: String, policies: [PolicyDescriptor])] = [
        ("prelaunch", prelaunches), ("freezing", freezings), ("swap", swaps),
    ]

    private static let prelaunches = [
        PolicyDescriptor(
            name: PrewarmChoice.never.rawValue, summary: "Starts no process before its app is opened.",
            source: "iOS before iOS 15"),
        PolicyDescriptor(
            name: PrewarmChoice.likely.rawValue,
            summary: "Starts the app that is most likely to be opened within half an hour.",
            source: "Parate et al. 2013, doi:10.1145/2493432.2493490", needs: .apps),
        PolicyDescriptor(
            name: PrewarmChoice.worth.rawValue,
            summary: "Starts the app with the largest product of probability of an open and saved waiting time.",
            source: "Yan et al. (FALCON), MobiSys 2012", needs: .apps),
        PolicyDescriptor(
            name: PrewarmChoice.files.rawValue,
            summary: "Reads only the launch files of the app with the largest expected saving of time.",
            source: "Li et al. (AppFlow), arXiv 2603.17259, 2026", needs: .apps),
        PolicyDescriptor(
            name: PrewarmChoice.oracle.rawValue, summary: "Starts the app that the user opens next.",
            source: "this project", isOracle: true),
    ]

    private static let freezings = [
        PolicyDescriptor(
            name: FreezingChoice.system.rawValue,
            summary: "The app that has been idle for longest goes to storage first, as on iOS.",
            source: "xnu-11417.101.15, memorystatus_freeze_top_process"),
        PolicyDescriptor(
            name: FreezingChoice.none.rawValue, summary: "No memory goes to storage.",
            source: "an extreme case of this project; also iPhones before iOS 10"),
        PolicyDescriptor(
            name: FreezingChoice.refaulting.rawValue,
            summary: "As in ICE, the app that read back the most memory in the background goes to storage first.",
            source: "Li et al. 2023 (ICE), doi:10.1145/3552326.3567497"),
    ]

    private static let swaps = [
        PolicyDescriptor(
            name: SwapChoice.system.rawValue,
            summary: "The app that has been suspended for longest is compressed first.",
            source: "xnu-11417.101.15, osfmk/vm/vm_pageout.c"),
        PolicyDescriptor(
            name: SwapChoice.none.rawValue, summary: "Nothing is compressed when memory runs short.",
            source: "an extreme case of this project"),
        PolicyDescriptor(
            name: SwapChoice.leastLikely.rawValue,
            summary: "The app that the user, by habit, is least likely to open next is compressed first.",
            source:
                "Li et al. (SEAL), IEEE TCAD 39(11), 2020, which swaps by app; likelihood as in the policy predicted",
            needs: .apps),
        PolicyDescriptor(
            name: SwapChoice.coldFirst.rawValue,
            summary: "Memory that apps do not touch when they are opened is compressed first.",
            source: "Liang et al. (Ariadne), HPCA 2025, arXiv 2502.12826; SWAM (MobiCom 2023), Fleet (ASPLOS 2024)"),
    ]
}
