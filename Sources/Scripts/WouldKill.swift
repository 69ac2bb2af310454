// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

/// Asks a policy in which order it would kill the processes of a phone that stands still.
///
/// The system's profile says who is protected, the policy orders; nobody asks whether memory is short, and limits of
/// single processes kill nobody, because nobody grows and they are no policy's choice.
public struct WouldKill: Sendable {
    /// When the asking ends.
    public enum Bound: Sendable, Equatable {
        /// After so many victims.
        case count(Int)
        /// As soon as so much memory is available.
        case available(ByteCount)
    }

    /// A victim and what its death returns.
    public struct Victim: Sendable, Equatable {
        /// Index of the process in the list that was asked about.
        public let process: Int
        /// Its band.
        public let band: Int16
        /// Its footprint.
        public let footprint: ByteCount
        /// What its death returned.
        public let freed: ByteCount
        /// Available memory after it.
        public let available: ByteCount
    }

    /// The victims, first to die first, as many as were asked for.
    public let victims: [Victim]
    /// The position of each process in the whole order.
    public let order: [Int?]
    /// Available memory at the beginning.
    public let availableBefore: ByteCount

    /// Lets the policy kill all that can die, and keeps what the bound covers.
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
    /// Processes that are nothing but what a report says.
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
    /// A threshold that memory never falls below.
    fileprivate static var never: ByteCount { ByteCount(.min / 2) }
}

/// A policy that says in which order processes die, but not when.
private struct OrderAlone: EvictionPolicy {
    private var policy: any EvictionPolicy

    init(_ policy: any EvictionPolicy) { self.policy = policy }

    var rankLifetime: SimDuration? { policy.rankLifetime }

    mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { policy.rank(candidate, at: now) }
    mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) { policy.didEvict(candidate, at: now) }
    mutating func didOpen(_ app: AppID, at now: SimTime) { policy.didOpen(app, at: now) }
    mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) { policy.survey(candidates, at: now) }
}

/// What the phone does in such a state on its own: its thresholds, the limits of its processes, and the policy's order.
public struct PhoneReaction: Sendable {
    /// A death.
    public struct Death: Sendable, Equatable {
        /// Index of the process in the list that was given.
        public let process: Int
        /// Why it died.
        public let reason: KillReason
        /// What its death returned.
        public let freed: ByteCount
    }

    /// The deaths, in order.
    public let deaths: [Death]
    /// Available memory before anything happened, and when nothing more happens.
    public let available: (before: ByteCount, after: ByteCount)

    /// Lets the phone stand in a state and react once, without any time passing.
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
