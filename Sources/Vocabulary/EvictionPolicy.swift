// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What an eviction policy may know about a process that could die.
public struct EvictionCandidate: Sendable, BitwiseCopyable {
    /// The app whose process it is.
    public var app: AppID
    /// Jetsam priority band, 0 to 210; lower bands are less wanted.
    public var band: Int16
    /// Life-cycle state.
    public var state: ProcessState
    /// Physical footprint: resident private memory plus compressed memory at full size.
    public var footprint: ByteCount
    /// Resident private memory.
    public var resident: ByteCount
    /// When the band was last set; every set moves a process to the tail of its band's queue.
    public var bandSet: SimTime
    /// When the process was launched.
    public var launched: SimTime
    /// When the user last saw the app, or when a daemon or an extension last began to work; the start of the run when
    /// never.
    public var lastForeground: SimTime
    /// How often the user has opened the app in this run, or how often a daemon or an extension has worked.
    public var opens: Int32
    /// Mean time a relaunch takes.
    public var relaunchTime: SimDuration
    /// Mean energy a relaunch costs.
    public var relaunchEnergy: Energy
    /// When the user opens the app next: only oracles may read it; `distantFuture` when unknown.
    public var nextOpen: SimTime
    /// Whether no user ever opens it: a daemon or an extension.
    ///
    /// Unless a policy says otherwise, its work counts as
    /// opens of apps do.
    public var isSystem = false

    /// Creates a view.
    public init(
        app: AppID, band: Int16, state: ProcessState, footprint: ByteCount, resident: ByteCount, bandSet: SimTime,
        launched: SimTime, lastForeground: SimTime, opens: Int32, relaunchTime: SimDuration, relaunchEnergy: Energy,
        nextOpen: SimTime = .distantFuture
    ) {
        self.app = app
        self.band = band
        self.state = state
        self.footprint = footprint
        self.resident = resident
        self.bandSet = bandSet
        self.launched = launched
        self.lastForeground = lastForeground
        self.opens = opens
        self.relaunchTime = relaunchTime
        self.relaunchEnergy = relaunchEnergy
        self.nextOpen = nextOpen
    }
}

/// The order in which processes die when memory runs short.
///
/// The phone decides *when* somebody dies and who cannot be considered; the policy gives each candidate a rank, the
/// smallest rank dies, and everything is looked at again. Equal ranks die in the order in which their bands were set.
/// The phone asks again whenever something in the candidate's view changed, so a rank must follow from the view, the
/// time and the policy's own state. A victim is then found in O(log n).
///
/// Only `rank` is required. A rank that changes while the view does not, because time passes or because it depends on
/// the other candidates, needs a `rankLifetime`; its price is that all candidates are ranked anew, O(n log n).
///
/// A policy is a value, as a phone is copied in mid-run with what its policies remember: a structure without references
/// to anything that changes. Copying a phone whose policy is a class traps.
public protocol EvictionPolicy: Sendable {
    /// The candidate's rank; the smallest dies first.
    mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double
    /// Tells the policy who died.
    mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime)
    /// Tells the policy that the user opened an app, whether or not its process was alive.
    mutating func didOpen(_ app: AppID, at now: SimTime)
    /// Whether memory has no bottom under this policy, so that nobody dies for want of it; read once, at the start.
    var killsNobody: Bool { get }
    /// Whether the policy itself says when somebody dies, through `highestRankToDie`; read once, at the start.
    var replacesTrigger: Bool { get }
    /// Up to which rank candidates may die now, nil for nobody; asked after every change and again after each death.
    ///
    /// Only a policy that replaces the trigger is asked. The phone kills on its own only when nothing at all is left.
    mutating func highestRankToDie(_ memory: MemoryView, at now: SimTime) -> Double?
    /// How long ranks hold while views stay the same, none for ever; zero is anew for each victim. Read once.
    var rankLifetime: SimDuration? { get }
    /// Shows all candidates together, before each of them is ranked anew because `rankLifetime` is over.
    mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime)
    /// Whether ranks are asked of `ranks(of:at:)`, because each question costs much; read once.
    var ranksTogether: Bool { get }
    /// The ranks of several candidates, in their order: what `rank` would say of one after the other.
    mutating func ranks(of candidates: [EvictionCandidate], at now: SimTime) -> [Double]
}

extension EvictionPolicy {
    /// Most policies need not know.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {}
    /// Most policies find what they need in the view.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {}
    /// Most policies leave the trigger to the operating system's profile.
    public var replacesTrigger: Bool { false }
    /// Nobody asks a policy that leaves the trigger to the profile.
    public mutating func highestRankToDie(_ memory: MemoryView, at now: SimTime) -> Double? { nil }
    /// Most ranks follow from the view.
    public var rankLifetime: SimDuration? { nil }
    /// Most ranks do not depend on the other candidates.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {}
    /// Most questions cost nothing.
    public var ranksTogether: Bool { false }
    /// One after the other.
    public mutating func ranks(of candidates: [EvictionCandidate], at now: SimTime) -> [Double] {
        candidates.map { rank($0, at: now) }
    }
    /// Only a reference without a limit lets memory grow without end.
    public var killsNobody: Bool { false }
}

extension EvictionPolicy {
    /// The position of the candidate that would die first, of equals the first; nil of none.
    public mutating func firstToDie(among candidates: [EvictionCandidate], at now: SimTime) -> Int? {
        let ranks = ranksAnew(candidates, at: now)
        return ranks.indices.min { ranks[$0] < ranks[$1] }
    }

    /// The position of the candidate that would die last, of equals the first; nil of none.
    public mutating func lastToDie(among candidates: [EvictionCandidate], at now: SimTime) -> Int? {
        let ranks = ranksAnew(candidates, at: now)
        return ranks.indices.max { ranks[$0] < ranks[$1] }
    }

    private mutating func ranksAnew(_ candidates: [EvictionCandidate], at now: SimTime) -> [Double] {
        if rankLifetime != nil { survey(candidates, at: now) }
        return ranks(of: candidates, at: now)
    }
}
