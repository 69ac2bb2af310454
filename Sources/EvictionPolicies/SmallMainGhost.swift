// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Newcomers wait in a small queue, from which only apps that are used twice reach the main queue.
///
/// Source: Yang, Zhang, Qiu, Yue and Rashmi, "FIFO queues are all you need for cache eviction", SOSP 2023,
/// doi:10.1145/3600006.3613147 (S3-FIFO). A tenth of the processes is the small queue. Its oldest app dies, or goes to
/// the main queue if it was used more than once. The oldest app of the main queue dies, or goes round again once for
/// each use. At most three uses count.
///
/// A remembered victim of the small queue comes back into the main queue. A death in the small queue is forgotten when
/// the later deaths there reach nine tenths of the number of processes. If the phone kills another process because the
/// first is at work, that process leaves its queue and nothing else moves.
public struct SmallMainGhost: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "s3-fifo",
            summary: "Uses a small queue of newcomers, a main queue, and a list of the small queue's victims.",
            source: "Yang et al. 2023, doi:10.1145/3600006.3613147", meansApps: true)
    ) { _ in SmallMainGhost() }

    private struct Standing {
        /// The last three uses; earlier uses do not count.
        var uses = (SimTime.zero - .days(1), SimTime.zero - .days(1), SimTime.zero - .days(1))
        var launched = SimTime.distantFuture
        var count: UInt8 = 0
        /// Number of the app's last death in the small queue; zero if the app never died there.
        var death = 0
        var round = 0
        var order = 0.0
    }

    private var standings = GrowingAppTable(Standing())
    private var queues = SmallAndMain()
    /// The queues after the death of the next victim, and that victim.
    private var following = SmallAndMain()
    private var next: AppID?
    private var newcomers: [EvictionCandidate] = []
    private var deaths = 0
    private var round = 0

    /// Creates the policy.
    public init() {}

    /// Zero, because the queues move with each victim.
    public var rankLifetime: SimDuration? { .zero }

    /// The position in the order of eviction.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        standings[candidate.app].order
    }

    /// Counts a use.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {
        let uses = standings[app].uses
        standings[app].uses = (now, uses.0, uses.1)
        standings[app].count = min(3, standings[app].count + 1)
    }

    /// Updates the queues and finds the order of eviction, without an app that is just being launched.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        round += 1
        newcomers.removeAll(keepingCapacity: true)
        for candidate in candidates {
            standings[candidate.app].order = .greatestFiniteMagnitude
            if standings[candidate.app].launched == candidate.launched {
                standings[candidate.app].round = round
            } else if candidate.launched < now || candidates.count == 1 {
                newcomers.append(candidate)
            }
        }
        let (standings, round) = (standings, round)
        queues.removeAll { standings[$0].round != round }
        newcomers.sort { ($0.launched, $0.app) < ($1.launched, $1.app) }
        for candidate in newcomers { add(candidate) }
        queues.setCounts { self.standings[$0].count }
        following.copy(queues)
        next = following.removeNext()?.app
        plan()
    }

    private mutating func plan() {
        guard let next else { return }
        standings[next].order = 0
        var (rest, position) = (following, 1.0)
        while let victim = rest.removeNext() {
            standings[victim.app].order = position
            position += 1
        }
    }

    /// Commits the queues if the victim is the first in the order; any other victim leaves a gap.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        let app = candidate.app
        standings[app].death = 0
        if queues.isSmall(app), app != next || following.wasSmall {
            deaths += 1
            standings[app].death = deaths
        }
        if app == next { queues.copy(following) } else { queues.removeAll { $0 == app } }
        queues.forEach { standings[$0].count = $1 }
        standings[app].launched = .distantFuture
    }

    private mutating func add(_ candidate: EvictionCandidate) {
        var standing = standings[candidate.app]
        let uses = standing.uses
        standing.launched = candidate.launched
        standing.round = round
        standing.count = UInt8([uses.0, uses.1, uses.2].count { $0 > candidate.launched })
        let isRemembered = standing.death > 0 && 10 * (deaths - standing.death) < 9 * queues.total
        standing.death = 0
        standings[candidate.app] = standing
        queues.add(candidate.app, toMain: isRemembered)
    }
}

/// The two queues, the oldest first.
private struct SmallAndMain: Sendable {
    struct Entry: Sendable {
        let app: AppID
        var count: UInt8
    }

    private var small: [Entry] = []
    private var main: [Entry] = []
    /// Whether the last removed app died in the small queue.
    private(set) var wasSmall = false

    var total: Int { small.count + main.count }

    func isSmall(_ app: AppID) -> Bool { small.contains { $0.app == app } }

    func forEach(_ body: (AppID, UInt8) -> Void) {
        for entry in small { body(entry.app, entry.count) }
        for entry in main { body(entry.app, entry.count) }
    }

    mutating func add(_ app: AppID, toMain: Bool) {
        if toMain { main.append(Entry(app: app, count: 0)) } else { small.append(Entry(app: app, count: 0)) }
    }

    mutating func setCounts(_ count: (AppID) -> UInt8) {
        for index in small.indices { small[index].count = count(small[index].app) }
        for index in main.indices { main[index].count = count(main[index].app) }
    }

    mutating func removeAll(where isGone: (AppID) -> Bool) {
        small.removeAll { isGone($0.app) }
        main.removeAll { isGone($0.app) }
    }

    mutating func copy(_ other: SmallAndMain) {
        small.removeAll(keepingCapacity: true)
        small.append(contentsOf: other.small)
        main.removeAll(keepingCapacity: true)
        main.append(contentsOf: other.main)
        wasSmall = other.wasSmall
    }

    /// Removes the next victim, after moving the apps before it to the end of the main queue; nil if there is none.
    mutating func removeNext() -> Entry? {
        while total > 0 {
            if !small.isEmpty, 10 * small.count >= total || main.isEmpty {
                while !small.isEmpty {
                    let oldest = small.removeFirst()
                    wasSmall = true
                    guard oldest.count > 1 else { return oldest }
                    main.append(Entry(app: oldest.app, count: 0))
                }
            } else {
                var oldest = main.removeFirst()
                wasSmall = false
                guard oldest.count > 0 else { return oldest }
                oldest.count -= 1
                main.append(oldest)
            }
        }
        return nil
    }
}
