// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Two lists by last use, one of apps used once and one of apps used more often; misses change the lengths of the
/// lists.
///
/// Source: Megiddo and Modha, "ARC: a self-tuning, low overhead replacement cache", FAST 2003. Each list has a memory
/// of the apps that it lost. An app that comes back from the first memory lengthens the first list; one from the second
/// memory shortens it. Room is the number of processes at the moment of a kill.
public struct AdaptiveReplacement: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "arc",
            summary: "Keeps two lists, one of apps used once and one of apps used more often, each ordered by last "
                + "use; their sizes adapt.",
            source: "Megiddo and Modha, FAST 2003: ARC", meansApps: true)
    ) { _ in AdaptiveReplacement() }

    private enum Membership { case nowhere, once, often, lostOnce, lostOften }

    private struct Standing {
        var membership = Membership.nowhere
        var used = SimTime.zero
        var order = 0.0
    }

    private var standings = GrowingAppTable(Standing())
    /// Apps that the lists lost, the oldest loss first.
    private var lostOnce: [AppID] = []
    private var lostOften: [AppID] = []
    /// Number of apps in each list.
    private var count = (once: 0, often: 0)
    /// Number of apps for which there is room; zero before the first kill.
    private var room = 0
    /// Target length of the first list.
    private var target = 0.0
    /// When an app last came back from the memory of the second list.
    private var returned = SimTime.zero - .days(1)
    private var once: [AppID] = []
    private var often: [AppID] = []

    /// Creates the policy.
    public init() {}

    /// Zero, because the lists change with each victim.
    public var rankLifetime: SimDuration? { .zero }

    /// The position in the order of eviction.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        standings[candidate.app].order
    }

    /// Moves the app to the list for its number of uses, and adapts the shares.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {
        forgetOldest()
        switch standings[app].membership {
        case .nowhere:
            count.once += 1
            standings[app].membership = .once
        case .once:
            count.once -= 1
            count.often += 1
            standings[app].membership = .often
        case .often: break
        case .lostOnce:
            target = min(Double(room), target + max(1, Double(lostOften.count) / Double(lostOnce.count)))
            comeBack(app)
        case .lostOften:
            target = max(0, target - max(1, Double(lostOnce.count) / Double(lostOften.count)))
            returned = now
            comeBack(app)
        }
        standings[app].used = now
    }

    /// Finds the order of eviction, without an app that is just being launched.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        count = (0, 0)
        once.removeAll(keepingCapacity: true)
        often.removeAll(keepingCapacity: true)
        for candidate in candidates {
            let app = candidate.app
            if ![.once, .often].contains(standings[app].membership) { didOpen(app, at: candidate.launched) }
            let isOnce = standings[app].membership == .once
            standings[app].order = .greatestFiniteMagnitude
            guard candidate.launched < now || candidates.count == 1 else { continue }
            if isOnce { once.append(app) } else { often.append(app) }
        }
        count.once = candidates.count { standings[$0.app].membership == .once }
        count.often = candidates.count - count.once
        order(at: now)
    }

    private mutating func order(at now: SimTime) {
        let standings = standings
        once.sort { (standings[$0].used, $0) < (standings[$1].used, $1) }
        often.sort { (standings[$0].used, $0) < (standings[$1].used, $1) }
        var (first, second) = (0, 0)
        while first < once.count || second < often.count {
            let left = Double(once.count - first)
            let isLong = left > target || (returned == now && left == target)
            if left >= 1, isLong || second == often.count {
                self.standings[once[first]].order = Double(first + second)
                first += 1
            } else {
                self.standings[often[second]].order = Double(first + second)
                second += 1
            }
        }
    }

    /// Adds the victim to the memory of its list.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        room = once.count + often.count
        if standings[candidate.app].membership == .once {
            count.once -= 1
            standings[candidate.app].membership = .lostOnce
            lostOnce.append(candidate.app)
        } else {
            count.often -= 1
            standings[candidate.app].membership = .lostOften
            lostOften.append(candidate.app)
        }
    }

    private mutating func comeBack(_ app: AppID) {
        lostOnce.removeAll { $0 == app }
        lostOften.removeAll { $0 == app }
        count.often += 1
        standings[app].membership = .often
    }

    /// Trims the memories.
    ///
    /// The first list and its memory have at most as many apps as there is room for. Both lists and both memories
    /// together have at most twice as many.
    private mutating func forgetOldest() {
        guard room > 0 else { return }
        while count.once + lostOnce.count > room, !lostOnce.isEmpty {
            standings[lostOnce.removeFirst()].membership = .nowhere
        }
        while count.once + count.often + lostOnce.count + lostOften.count > 2 * room, !lostOften.isEmpty {
            standings[lostOften.removeFirst()].membership = .nowhere
        }
    }
}
