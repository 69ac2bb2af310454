// SPDX-License-Identifier: GPL-3.0-or-later
import Structures

/// ARC over apps of equal size: the lists T1 and T2, and the memories B1 and B2 of the apps that they lost.
///
/// Source: Megiddo and Modha, FAST 2003, figure 4.
struct AdaptiveLists: Sendable {
    private static let (once, often, lostOnce, lostOften, nowhere) = (0, 1, 2, 3, 4)
    private var lists: IndexedLists
    private var list: [UInt8]
    private var counts = [0, 0, 0, 0, 0]
    private var target = 0.0
    private let room: Int

    init(apps: Int, room: Int) {
        lists = IndexedLists(lists: 4, capacity: apps)
        list = Array(repeating: UInt8(Self.nowhere), count: apps)
        self.room = room
    }

    func contains(_ app: Int) -> Bool { Int(list[app]) <= Self.often }
    var residents: Int { counts[Self.once] + counts[Self.often] }

    /// Serves a request; returns whether the app was resident.
    mutating func request(_ app: Int) -> Bool {
        let from = Int(list[app])
        switch from {
        case Self.once, Self.often:
            move(app, to: Self.often)
            return true
        case Self.lostOnce:
            let (own, other) = (Double(counts[Self.lostOnce]), Double(counts[Self.lostOften]))
            target = min(Double(room), target + max(1, other / own))
            makeRoom(isFromOften: false)
            move(app, to: Self.often)
        case Self.lostOften:
            let (own, other) = (Double(counts[Self.lostOften]), Double(counts[Self.lostOnce]))
            target = max(0, target - max(1, other / own))
            makeRoom(isFromOften: true)
            move(app, to: Self.often)
        default:
            forgetForNewcomer()
            move(app, to: Self.once)
        }
        return false
    }

    /// Case IV of the paper.
    private mutating func forgetForNewcomer() {
        let first = counts[Self.once] + counts[Self.lostOnce]
        if first == room {
            if counts[Self.once] < room {
                forget(Self.lostOnce)
                makeRoom(isFromOften: false)
            } else {
                forget(Self.once)
            }
        } else if counts[0] + counts[1] + counts[2] + counts[3] >= room {
            if counts[0] + counts[1] + counts[2] + counts[3] == 2 * room { forget(Self.lostOften) }
            makeRoom(isFromOften: false)
        }
    }

    /// The paper's REPLACE.
    private mutating func makeRoom(isFromOften: Bool) {
        guard residents >= room else { return }
        let first = Double(counts[Self.once])
        let isLong = first > target || (isFromOften && first == target)
        if first >= 1, isLong || counts[Self.often] == 0 {
            if let app = lists.first(of: Self.once) { move(app, to: Self.lostOnce) }
        } else if let app = lists.first(of: Self.often) {
            move(app, to: Self.lostOften)
        }
    }

    private mutating func forget(_ from: Int) {
        guard let app = lists.first(of: from) else { return }
        counts[from] -= 1
        lists.remove(app)
        list[app] = UInt8(Self.nowhere)
    }

    private mutating func move(_ app: Int, to other: Int) {
        counts[Int(list[app])] -= 1
        counts[other] += 1
        list[app] = UInt8(other)
        lists.append(app, to: other)
    }
}

/// S3-FIFO over apps of equal size (Yang et al., SOSP 2023), with the memory of `SmallMainGhost`.
struct SmallMainLists: Sendable {
    private static let (small, main, nowhere) = (0, 1, 2)
    private var lists: IndexedLists
    private var list: [UInt8]
    private var uses: [UInt8]
    /// Number of each app's last death in the small queue; zero if the app never died there.
    private var death: [Int]
    private var counts = [0, 0, 0]
    private var deaths = 0
    private let room: Int

    init(apps: Int, room: Int) {
        lists = IndexedLists(lists: 2, capacity: apps)
        list = Array(repeating: UInt8(Self.nowhere), count: apps)
        uses = Array(repeating: 0, count: apps)
        death = Array(repeating: 0, count: apps)
        self.room = room
    }

    func contains(_ app: Int) -> Bool { Int(list[app]) != Self.nowhere }
    var residents: Int { counts[Self.small] + counts[Self.main] }

    /// Serves a request; returns whether the app was resident.
    mutating func request(_ app: Int) -> Bool {
        if contains(app) {
            uses[app] = min(3, uses[app] + 1)
            return true
        }
        if residents >= room { removeNext() }
        let isRemembered = death[app] > 0 && 10 * (deaths - death[app]) < 9 * residents
        death[app] = 0
        uses[app] = 0
        move(app, to: isRemembered ? Self.main : Self.small)
        return false
    }

    private mutating func removeNext() {
        while true {
            if counts[Self.small] > 0, 10 * counts[Self.small] >= residents || counts[Self.main] == 0 {
                while let oldest = lists.first(of: Self.small) {
                    if uses[oldest] > 1 {
                        uses[oldest] = 0
                        move(oldest, to: Self.main)
                        continue
                    }
                    deaths += 1
                    death[oldest] = deaths
                    return end(oldest)
                }
            } else if let oldest = lists.first(of: Self.main) {
                if uses[oldest] == 0 { return end(oldest) }
                uses[oldest] -= 1
                move(oldest, to: Self.main)
            }
        }
    }

    private mutating func end(_ app: Int) {
        counts[Int(list[app])] -= 1
        list[app] = UInt8(Self.nowhere)
        lists.remove(app)
    }

    private mutating func move(_ app: Int, to other: Int) {
        counts[Int(list[app])] -= 1
        counts[other] += 1
        list[app] = UInt8(other)
        lists.append(app, to: other)
    }
}
