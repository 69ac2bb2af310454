// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A process that may be killed, as an eviction policy sees it.
public struct EvictionCandidate: Sendable, BitwiseCopyable {
    /// The app that owns the process.
    public var app: AppID
    /// Jetsam priority band, 0 to 210; processes in lower bands die first.
    public var band: Int16
    /// Life-cycle state.
    public var state: ProcessState
    /// Physical footprint: resident private memory plus compressed memory at full size.
    public var footprint: ByteCount
    /// Resident private memory.
    public var resident: ByteCount
    /// When the band was last set; each setting moves the process to the tail of the band's queue.
    public var bandSet: SimTime
    /// When the process was launched.
    public var launched: SimTime
    /// When the user last saw the app, or when a daemon or an extension last began to work.
    ///
    /// The start of the run if this has not happened.
    public var lastForeground: SimTime
    /// Opens of the app in this run; for a daemon or an extension, the number of times it worked.
    public var opens: Int32
    /// Mean time of a relaunch.
    public var relaunchTime: SimDuration
    /// Mean energy of a relaunch.
    public var relaunchEnergy: Energy
    /// Next open of the app; only oracles may read it; `distantFuture` if unknown.
    public var nextOpen: SimTime
    /// Whether the process is a daemon or an extension, which no user opens.
    ///
    /// By default, policies count the work of a daemon like opens of an app.
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

/// The order in which processes are killed when memory runs short.
///
/// The phone decides *when* a process is killed and which processes are exempt. The policy gives each candidate a rank.
/// The candidate with the smallest rank is killed, and then all conditions are checked again. Candidates with equal
/// ranks are killed in the order in which their bands were set.
///
/// The phone requests a new rank whenever the view of a candidate has changed. A rank must therefore depend only on the
/// view, the time and the policy's own state. The phone then finds a victim in O(log n).
///
/// Only `rank` is required. If time or the other candidates can change a rank while the candidate's view stays equal,
/// the policy needs a `rankLifetime`. All candidates are then ranked again after that time, in O(n log n).
///
/// A policy must be a value, because a phone is copied in mid-run together with the state of its policies. Use a
/// structure without references to mutable objects. Copying a phone traps if its policy is a class.
public protocol EvictionPolicy: Sendable {
    /// Rank of the candidate; the candidate with the smallest rank is killed first.
    mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double
    /// Notifies the policy that a process was killed.
    mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime)
    /// Notifies the policy that the user opened an app, whether or not its process was alive.
    mutating func didOpen(_ app: AppID, at now: SimTime)
    /// Whether memory is unlimited under this policy, so that no process is killed for lack of memory.
    ///
    /// Read once, at the start.
    var killsNobody: Bool { get }
    /// Whether the policy itself decides when a process is killed, through `highestRankToDie`.
    ///
    /// Read once, at the start.
    var replacesTrigger: Bool { get }
    /// Highest rank that may be killed now; nil if none may.
    ///
    /// Called only for a policy that replaces the trigger, after every change and again after each death. The phone
    /// kills on its own only when no memory at all is left.
    mutating func highestRankToDie(_ memory: MemoryView, at now: SimTime) -> Double?
    /// Time for which ranks stay valid while views do not change; nil for ever, zero to rank again for each victim.
    ///
    /// Read once, at the start.
    var rankLifetime: SimDuration? { get }
    /// Gives the policy all candidates together, before each of them is ranked again because `rankLifetime` is over.
    mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime)
    /// Whether the phone calls `ranks(of:at:)` instead of `rank`, because each call is expensive.
    ///
    /// Read once, at the start.
    var ranksTogether: Bool { get }
    /// Ranks of several candidates, in their order; equal to the results of `rank` for one candidate after the other.
    mutating func ranks(of candidates: [EvictionCandidate], at now: SimTime) -> [Double]
}

extension EvictionPolicy {
    /// Does nothing, as most policies keep no record of victims.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {}
    /// Does nothing, as the view contains what most policies need.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {}
    /// False, as most policies leave the trigger to the operating system's profile.
    public var replacesTrigger: Bool { false }
    /// Nil, because a policy that leaves the trigger to the profile is never asked.
    public mutating func highestRankToDie(_ memory: MemoryView, at now: SimTime) -> Double? { nil }
    /// Nil, because most ranks depend only on the view.
    public var rankLifetime: SimDuration? { nil }
    /// Does nothing, as most ranks do not depend on the other candidates.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {}
    /// False, as most calls are cheap.
    public var ranksTogether: Bool { false }
    /// Calls `rank` for one candidate after the other.
    public mutating func ranks(of candidates: [EvictionCandidate], at now: SimTime) -> [Double] {
        candidates.map { rank($0, at: now) }
    }
    /// False, because only the reference policy without a memory limit returns true.
    public var killsNobody: Bool { false }
}

extension EvictionPolicy {
    /// Position of the candidate that would be killed first; among equals, the first; nil if there are no candidates.
    public mutating func firstToDie(among candidates: [EvictionCandidate], at now: SimTime) -> Int? {
        let ranks = ranksAnew(candidates, at: now)
        return ranks.indices.min { ranks[$0] < ranks[$1] }
    }

    /// Position of the candidate that would be killed last; among equals, the first; nil if there are no candidates.
    public mutating func lastToDie(among candidates: [EvictionCandidate], at now: SimTime) -> Int? {
        let ranks = ranksAnew(candidates, at: now)
        return ranks.indices.max { ranks[$0] < ranks[$1] }
    }

    private mutating func ranksAnew(_ candidates: [EvictionCandidate], at now: SimTime) -> [Double] {
        if rankLifetime != nil { survey(candidates, at: now) }
        return ranks(of: candidates, at: now)
    }
}
