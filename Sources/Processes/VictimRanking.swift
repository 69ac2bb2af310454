// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// The order of kills among candidates: by rank, and then by the time at which the band was set.
struct VictimKey: Comparable, Sendable, BitwiseCopyable {
    var rank: Double
    var sequence: UInt64

    @inline(__always)
    static func < (left: VictimKey, right: VictimKey) -> Bool {
        left.rank != right.rank ? left.rank < right.rank : left.sequence < right.sequence
    }
}

/// The candidates in the policy's order of kills: idle ones, working ones, and those that the user sees.
///
/// The policy ranks changed processes again only when a victim is needed.
struct VictimRanking: Sendable {
    typealias Heap = IndexedHeap<VictimKey>
    typealias Entry = Heap.Entry

    var policy: any EvictionPolicy
    /// Whether the policy, not the profile, decides when a process is killed.
    let policyTriggers: Bool
    /// Time for which ranks stay valid while views do not change; nil if they stay valid for ever.
    private let rankLifetime: SimDuration?
    /// Whether the policy computes several ranks in one call.
    private let ranksTogether: Bool
    /// The apps in the policy's order, if it ranks only apps; the heaps below are then in the system's order.
    private var apps: RankedApps?
    private let idleBand: Int16
    private let protectedBand: Int16
    /// When all candidates must be ranked again.
    private var expiry = SimTime.zero
    /// Buffer for candidates that are passed to the policy in one call.
    private var surveyed: [EvictionCandidate] = []
    /// Processes that must be ranked again before the next victim is chosen.
    private var stale: [Int32] = []
    private(set) var idle: Heap
    private(set) var working: Heap
    private(set) var protected: Heap

    init(_ policy: any EvictionPolicy, _ profile: OSProfile, capacity: Int, appsOnly: Bool) {
        self.policy = policy
        apps = appsOnly ? RankedApps(capacity: capacity) : nil
        idleBand = profile.idleBand
        protectedBand = profile.protectedBand
        policyTriggers = policy.replacesTrigger
        rankLifetime = policy.rankLifetime
        ranksTogether = policy.ranksTogether
        idle = Heap(capacity: capacity)
        working = Heap(capacity: capacity)
        protected = Heap(capacity: capacity)
        stale.reserveCapacity(capacity)
    }

    /// Whether there can be an idle process, possibly among those still to be ranked.
    var mayHaveIdle: Bool { !idle.isEmpty || !stale.isEmpty }

    /// Whether the policy ranks a process of this kind; true for all kinds unless the policy ranks only apps.
    func ranks(isSystem: Bool) -> Bool { !isSystem || apps == nil }

    /// The candidate with the lowest rank.
    ///
    /// A process that the user sees is returned only if no other candidate is left.
    var lowest: Entry? {
        let lowest = lowestOfAll
        guard let apps, let lowest else { return lowest }
        return apps.instead(of: lowest, idleOnly: false)
    }

    private var lowestOfAll: Entry? {
        guard let idle = idle.first else { return working.first ?? protected.first }
        guard let working = working.first else { return idle }
        return working.key < idle.key ? working : idle
    }

    /// The idle process with the lowest rank.
    var lowestIdle: Entry? {
        guard let apps, let first = idle.first else { return idle.first }
        return apps.instead(of: first, idleOnly: true)
    }

    /// Candidates in the order of kills; protected candidates are last.
    func ordered(idleOnly: Bool) -> [Entry] {
        var entries = (idleOnly ? idle.entries : idle.entries + working.entries).sorted { $0.key < $1.key }
        if !idleOnly { entries += protected.entries.sorted { $0.key < $1.key } }
        return apps?.reordered(entries, idleOnly: idleOnly) ?? entries
    }

    /// Number of heaps, out of three, that contain a process.
    func memberships(of index: Int) -> Int {
        (idle.contains(index) ? 1 : 0) + (working.contains(index) ? 1 : 0) + (protected.contains(index) ? 1 : 0)
    }

    /// Marks a changed process, so that the policy ranks it again before the next victim is chosen.
    @inline(__always)
    mutating func markStale(_ index: Int, _ record: inout ProcessRecord) {
        guard !record.isStale else { return }
        record.isStale = true
        stale.append(Int32(index))
    }

    /// Adds a candidate to the list of processes to rank again, at a position or at the end.
    mutating func markStale(_ index: Int, _ record: inout ProcessRecord, at position: Int?) {
        record.isStale = true
        stale.insert(Int32(index), at: min(position ?? stale.count, stale.count))
    }

    /// Removes a candidate from the list of processes to rank again; returns its position in the list.
    mutating func forget(_ index: Int) -> Int? {
        let position = stale.firstIndex(of: Int32(index))
        if let position { stale.remove(at: position) }
        return position
    }

    /// Puts a candidate into a heap with its previous rank.
    mutating func restore(
        _ index: Int, _ record: inout ProcessRecord, _ key: VictimKey, ofApp: VictimKey?, _ queue: VictimClass
    ) {
        insert(index, &record, rank: key.rank, queue)
        if let ofApp { apps?.set(index, ofApp, queue) }
    }

    /// Key of an idle process in the policy's order, or in the system's order if the policy does not rank it.
    func keyOfIdle(_ index: Int) -> VictimKey? { apps?.key(of: index) ?? idle.key(of: index) }

    /// Key of an app in the order of a policy that ranks only apps.
    func keyOfApp(_ index: Int) -> VictimKey? { apps?.key(of: index) }

    /// Updates the ranks: all of them if the ranks' lifetime is over, otherwise those of changed processes.
    mutating func update(_ records: inout [ProcessRecord], _ facts: [AppFacts], at now: SimTime) {
        if let rankLifetime, now >= expiry {
            expiry = now + rankLifetime
            surveyAll(&records, facts, at: now)
        }
        rankStale(&records, facts, at: now)
    }

    /// Passes all processes to the policy at once, and marks them for a new ranking.
    private mutating func surveyAll(_ records: inout [ProcessRecord], _ facts: [AppFacts], at now: SimTime) {
        for entry in idle.entries { markStale(entry.member, &records[entry.member]) }
        for entry in working.entries { markStale(entry.member, &records[entry.member]) }
        for entry in protected.entries { markStale(entry.member, &records[entry.member]) }
        surveyed.removeAll(keepingCapacity: true)
        for index in stale.lazy.map(Int.init) where records[index].isAlive && ranks(isSystem: facts[index].isSystem) {
            surveyed.append(records[index].view(AppID(index), facts[index]))
        }
        policy.survey(surveyed, at: now)
    }

    /// Requests the policy's rank of every changed process, in the order of the first changes.
    private mutating func rankStale(_ records: inout [ProcessRecord], _ facts: [AppFacts], at now: SimTime) {
        guard !stale.isEmpty else { return }
        if ranksTogether { return rankTogether(&records, facts, at: now) }
        for position in stale.indices {
            let index = Int(stale[position])
            records[index].isStale = false
            guard records[index].isAlive else { continue }
            guard ranks(isSystem: facts[index].isSystem) else {
                insertAsSystem(index, &records[index])
                continue
            }
            let rank = policy.rank(records[index].view(AppID(index), facts[index]), at: now)
            insertRanked(index, &records[index], rank)
        }
        stale.removeAll(keepingCapacity: true)
    }

    /// Computes the ranks of all changed processes in one call to the policy.
    @inline(never)
    private mutating func rankTogether(_ records: inout [ProcessRecord], _ facts: [AppFacts], at now: SimTime) {
        surveyed.removeAll(keepingCapacity: true)
        for index in stale.map(Int.init) {
            records[index].isStale = false
            guard records[index].isAlive else { continue }
            if ranks(isSystem: facts[index].isSystem) {
                surveyed.append(records[index].view(AppID(index), facts[index]))
            } else {
                insertAsSystem(index, &records[index])
            }
        }
        stale.removeAll(keepingCapacity: true)
        let ranks = policy.ranks(of: surveyed, at: now)
        guard ranks.count == surveyed.count else {
            fatalError("the eviction policy must return one rank for each candidate")
        }
        for (candidate, rank) in zip(surveyed, ranks) {
            insertRanked(Int(candidate.app.index), &records[Int(candidate.app.index)], rank)
        }
    }

    /// Adds a process with the policy's rank.
    @inline(__always)
    private mutating func insertRanked(_ index: Int, _ record: inout ProcessRecord, _ rank: Double) {
        guard !rank.isNaN else { fatalError("the eviction policy returned NaN as the rank of app \(index)") }
        guard apps != nil else { return insert(index, &record, rank: rank, victimClass(of: record.band)) }
        insertAsSystem(index, &record)
        apps?.set(index, VictimKey(rank: rank, sequence: record.sequence), record.queue)
    }

    /// Adds a process by its band, as in the system's order.
    @inline(never)
    private mutating func insertAsSystem(_ index: Int, _ record: inout ProcessRecord) {
        insert(index, &record, rank: Double(record.band), victimClass(of: record.band))
    }

    /// The heap for processes in this band.
    private func victimClass(of band: Int16) -> VictimClass {
        if band <= idleBand { return .idle }
        return band >= protectedBand ? .protected : .working
    }

    private mutating func insert(_ index: Int, _ record: inout ProcessRecord, rank: Double, _ queue: VictimClass) {
        if record.queue != queue { remove(index, &record) }
        record.queue = queue
        let key = VictimKey(rank: rank, sequence: record.sequence)
        switch queue {
        case .none: break
        case .idle: idle.set(index, key: key)
        case .working: working.set(index, key: key)
        case .protected: protected.set(index, key: key)
        }
    }

    mutating func remove(_ index: Int, _ record: inout ProcessRecord) {
        switch record.queue {
        case .none: break
        case .idle: idle.remove(index)
        case .working: working.remove(index)
        case .protected: protected.remove(index)
        }
        apps?.remove(index, record.queue)
        record.queue = .none
    }
}

extension ProcessRecord {
    /// The process as an eviction policy sees it.
    func view(_ app: AppID, _ facts: AppFacts) -> EvictionCandidate {
        var candidate = EvictionCandidate(
            app: app, band: band, state: state, footprint: ByteCount(footprint), resident: ByteCount(resident),
            bandSet: bandSet, launched: launched, lastForeground: lastForeground, opens: opens,
            relaunchTime: facts.relaunchTime, relaunchEnergy: facts.relaunchEnergy, nextOpen: nextOpen)
        candidate.isSystem = facts.isSystem
        return candidate
    }
}
