// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

/// Order in which a policy would kill the processes of a phone whose state does not change.
///
/// The system's profile determines the protected processes. The policy orders the others, whether or not memory is
/// short. Limits of single processes have no effect, because no process grows and policies do not choose the limits.
public struct WouldKill: Sendable {
    /// Where the list of victims ends.
    public enum Bound: Sendable, Equatable {
        /// The list ends after this many victims.
        case count(Int)
        /// The list ends as soon as this much memory is available.
        case available(ByteCount)
    }

    /// A victim, and the memory that its death returns.
    public struct Victim: Sendable, Equatable {
        /// Index of the process in the list that the caller passed.
        public let process: Int
        /// Band of the process.
        public let band: Int16
        /// Footprint of the process.
        public let footprint: ByteCount
        /// Memory that the death returned.
        public let freed: ByteCount
        /// Available memory after the death.
        public let available: ByteCount
    }

    /// Victims in order of death, up to the bound.
    public let victims: [Victim]
    /// The position of each process in the whole order; nil for a process that is never killed.
    public let order: [Int?]
    /// Available memory at the beginning.
    public let availableBefore: ByteCount

    /// Lets the policy kill all processes that can be killed, and keeps the victims up to the bound.
    public init(
        _ processes: [StartingProcess], memory: MemoryParameters, profile: OSProfile, policy: any EvictionPolicy,
        bound: Bound
    ) {
        var memory = memory
        memory.perProcessLimit = ByteCount(1 << 60)
        memory.compressorLimit = ByteCount(1 << 60)
        memory.compressBelowShare = 0
        var table = ProcessTable(
            apps: Self.models(processes.count), memory: memory, profile: profile, policy: OrderAlone(policy))
        table.setThresholds(critical: .never, idle: .never, soft: .never, reaper: .never, at: .zero)
        table.begin(with: processes.enumerated().map { (AppID($0.offset), $0.element) }, at: .zero)
        availableBefore = table.available
        var all: [Victim] = []
        var order = [Int?](repeating: nil, count: processes.count)
        while let app = table.nextVictim(idleOnly: false, at: .zero) {
            order[Int(app.index)] = all.count
            guard table.jettison(app, at: .zero) == nil, let kill = table.kills.last else { break }
            all.append(
                Victim(
                    process: Int(app.index), band: kill.band, footprint: kill.footprint, freed: kill.freed,
                    available: kill.availableAfter))
        }
        self.order = order
        switch bound {
        case .count(let count): victims = Array(all.prefix(count))
        case .available(let wanted):
            let enough = availableBefore >= wanted ? 0 : all.firstIndex { $0.available >= wanted }.map { $0 + 1 }
            victims = Array(all.prefix(enough ?? all.count))
        }
    }
}

extension WouldKill {
    /// Models of processes of which only the values of a report are known.
    fileprivate static func models(_ count: Int) -> [AppModel] {
        (0..<count).map { index in
            var app = AppModel(name: "process-\(index)", category: "report")
            app.launchFiles = .zero
            app.warningDrop = 0
            return app
        }
    }
}

extension ByteCount {
    /// A threshold below which memory never falls.
    fileprivate static var never: ByteCount { ByteCount(.min / 2) }
}

/// A policy that orders processes, but never decides when they die.
private struct OrderAlone: EvictionPolicy {
    private var policy: any EvictionPolicy

    init(_ policy: any EvictionPolicy) { self.policy = policy }

    var rankLifetime: SimDuration? { policy.rankLifetime }

    mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { policy.rank(candidate, at: now) }
    mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) { policy.didEvict(candidate, at: now) }
    mutating func didOpen(_ app: AppID, at now: SimTime) { policy.didOpen(app, at: now) }
    mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) { policy.survey(candidates, at: now) }
}

/// Deaths that a phone's thresholds and the limits of its processes cause at once, in the policy's order.
public struct PhoneReaction: Sendable {
    /// The death of a process.
    public struct Death: Sendable, Equatable {
        /// Index of the process in the list that the caller passed.
        public let process: Int
        /// Reason of the death.
        public let reason: KillReason
        /// Memory that the death returned.
        public let freed: ByteCount
    }

    /// The deaths, in order.
    public let deaths: [Death]
    /// Available memory before the first event and after the last one.
    public let available: (before: ByteCount, after: ByteCount)

    /// Finds the reaction of a phone in a given state, at one instant.
    public init(
        _ processes: [StartingProcess], memory: MemoryParameters, profile: OSProfile, policy: any EvictionPolicy
    ) {
        var memory = memory
        memory.compressBelowShare = 0
        var table = ProcessTable(
            apps: WouldKill.models(processes.count), memory: memory, profile: profile, policy: policy)
        table.begin(with: processes.enumerated().map { (AppID($0.offset), $0.element) }, at: .zero)
        deaths = table.kills.map { Death(process: Int($0.app.index), reason: $0.reason, freed: $0.freed) }
        available = (table.available - table.kills.reduce(.zero) { $0 + $1.freed }, table.available)
    }
}
