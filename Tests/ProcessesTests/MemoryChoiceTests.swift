// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// A policy that ranks only apps, and the choices of whom to freeze and whom to compress.
@Suite struct MemoryChoiceTests {
    /// Four idle processes, left in the order 0, 3, 1, 2: apps of 50, 200 and 100 MiB, and between them daemon 3 of 20.
    private static func mixed(appsOnly: Bool) -> TestPhone {
        var phone = TestPhone(apps: 4, policy: LargestFirst(), ranksAppsOnly: appsOnly, systemFrom: 3) {
            $0.compressBelowShare = 0
        }
        phone.makeIdle([0], mebibytes: 50)
        var traits = ProcessTraits()
        (traits.isManaged, traits.isTracked, traits.allowsIdleExit, traits.band) = (false, true, true, 30)
        phone.table.spawn(AppID(3), traits, footprint: .mebibytes(20), at: phone.now)
        _ = phone.table.setDirty(true, of: AppID(3), at: phone.now)
        _ = phone.table.setDirty(false, of: AppID(3), at: phone.now)
        phone.wait(12)
        phone.makeIdle([1], mebibytes: 200)
        phone.makeIdle([2], mebibytes: 100)
        return phone
    }

    private static func order(_ phone: TestPhone, idleOnly: Bool = false) -> [Int] {
        var phone = phone
        var order: [Int] = []
        while let victim = phone.table.nextVictim(idleOnly: idleOnly, at: phone.now) {
            order.append(Int(victim.index))
            _ = phone.table.jettison(victim, at: phone.now)
            #expect(phone.table.invariant() == nil)
        }
        return order
    }

    @Test func `a policy for apps chooses among apps, and the system says when a daemon is next`() {
        for idleOnly in [false, true] {
            #expect(Self.order(Self.mixed(appsOnly: false), idleOnly: idleOnly) == [1, 2, 0, 3])
            // The queue is 0, 3, 1, 2: the largest app for the first, then the daemon's turn comes when 0 is its head.
            #expect(Self.order(Self.mixed(appsOnly: true), idleOnly: idleOnly) == [1, 2, 0, 3])
        }
        // With the daemon at the head it goes first, however small.
        var phone = Self.mixed(appsOnly: true)
        _ = phone.table.jettison(AppID(0), at: phone.now)
        #expect(Self.order(phone) == [3, 1, 2])
    }

    @Test func `what the user sees dies last under a policy for apps, and after that the largest of it`() {
        var phone = Self.mixed(appsOnly: true)
        phone.open(1)
        #expect(Self.order(phone) == [2, 0, 3, 1])
    }

    @Test func `only kills of apps are chosen by a policy for apps`() {
        for (appsOnly, chosen) in [(false, [true, true, true, true]), (true, [false, true, true, true])] {
            var phone = Self.mixed(appsOnly: appsOnly)
            phone.table.clearKills()
            // Nothing is left for anybody.
            phone.table.setAvailable(share: 0, at: phone.now)
            phone.table.setAvailable(share: 0, at: phone.now)
            let kills = phone.table.kills.sorted { ($0.app.index == 3 ? 0 : 1) < ($1.app.index == 3 ? 0 : 1) }
            #expect(kills.map(\.isChosenByPolicy) == chosen)
        }
    }

    /// Five apps of 100, 300, 200, 150 and 50 MiB, idle one after the other on a system with a reaper, which wakes
    /// below a quarter of the memory; half an hour later 100 MiB are missing to that.
    private static func reaped(ranksReaper: Bool) -> [KillRecord] {
        var phone = TestPhone(apps: 5, policy: LargestFirst(), ranksReaper: ranksReaper) {
            $0.compressBelowShare = 0
        } os: {
            $0.reaperShare = 0.25
        }
        for (app, size) in [100.0, 300, 200, 150, 50].enumerated() { phone.makeIdle([app], mebibytes: size) }
        phone.wait(1800)
        phone.table.clearKills()
        let missing = 100.0 / phone.table.memory.visible.mebibytes
        phone.table.setAvailable(share: 0.25 - missing, at: phone.now)
        #expect(phone.table.invariant() == nil)
        return phone.table.kills
    }

    @Test func `a policy that ranks the reaper's victims takes the largest, and no more than memory needs`() {
        let all = Self.reaped(ranksReaper: false)
        #expect(all.map(\.app.index) == [0, 1, 2, 3, 4])
        #expect(all.allSatisfy { $0.reason == .longIdleExit && !$0.isChosenByPolicy })
        let ranked = Self.reaped(ranksReaper: true)
        #expect(ranked.map(\.app.index) == [1])
        #expect(ranked.allSatisfy { $0.reason == .longIdleExit && $0.isChosenByPolicy })
    }

    @Test func `a spared app comes back to its position under a policy for apps`() {
        var phone = Self.mixed(appsOnly: true)
        _ = phone.table.nextVictim(idleOnly: false, at: phone.now)
        let spared = phone.table.spare(AppID(1))
        #expect(phone.table.nextVictim(idleOnly: false, at: phone.now) == AppID(2))
        phone.table.unspare(spared, hasRun: false)
        #expect(phone.table.nextVictim(idleOnly: false, at: phone.now) == AppID(1))
        #expect(phone.table.invariant() == nil)
    }

    /// Three idle apps whose pages are compressed; the last works in the background now and then.
    private static func refaulting(_ freezing: FreezingChoice) -> TestPhone {
        var phone = TestPhone(apps: 4, freezing: freezing, freezer: FreezerRules())
        phone.makeIdle([0, 1, 2])
        phone.table.setAvailable(share: 0.18, at: phone.now)
        for _ in 0..<2 {
            phone.table.resume(AppID(1), foreground: false, at: phone.now)
            phone.table.suspend(AppID(1), at: phone.now)
            phone.wait(3)
            phone.table.setAvailable(share: 0.18, at: phone.now)
        }
        phone.table.resume(AppID(2), foreground: false, at: phone.now)
        phone.table.suspend(AppID(2), at: phone.now)
        phone.wait(3)
        return phone
    }

    @Test func `the system freezes the longest idle, ICE's choice the one whose pages came back most`() {
        var phone = Self.refaulting(.system)
        #expect(phone.table.freezeTop(at: phone.now) == AppID(0))
        phone = Self.refaulting(.refaulting)
        #expect(phone.table.freezeTop(at: phone.now) == AppID(1))
        #expect(phone.table.freezeTop(at: phone.now) == AppID(2))
        #expect(phone.table.freezeTop(at: phone.now) == AppID(0))
        phone = Self.refaulting(.none)
        #expect(phone.table.freezeTop(at: phone.now) == nil)
        phone.table.setFreezer(on: true, at: phone.now)
        #expect(phone.table.freezeTop(at: phone.now) == nil)
    }

    /// Ranks apps by their numbers, the last lowest.
    private struct LastFirst: EvictionPolicy {
        mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { -Double(candidate.app.index) }
    }

    /// How much of three apps of 100 MiB is compressed where 97 MiB are missing, and where 2 GiB are.
    private static func compressed(_ order: CompressionOrder) -> [[Double]] {
        var phone = TestPhone(apps: 3, compression: order)
        phone.makeIdle([0, 1, 2])
        func sizes() -> [Double] { (0..<3).map { phone.table.compressed(of: AppID($0)).mebibytes.rounded() } }
        phone.table.setAvailable(share: 0.199, at: phone.now)
        let few = sizes()
        phone.table.setAvailable(share: 0.16, at: phone.now)
        return [few, sizes()]
    }

    @Test func `memory is compressed in the order of the choice, or not at all`() {
        #expect(Self.compressed(.longestSuspended) == [[97, 0, 0], [97, 97, 97]])
        #expect(Self.compressed(.none) == [[0, 0, 0], [0, 0, 0]])
        // The one that is ranked highest stays as it is.
        #expect(Self.compressed(.lowest(LastFirst())) == [[0, 0, 97], [0, 97, 97]])
        // App 1 was opened least often.
        var phone = TestPhone(apps: 3, compression: .lowest(LeastFrequentlyUsed()))
        phone.makeIdle([0, 1, 2, 0, 2])
        phone.table.setAvailable(share: 0.199, at: phone.now)
        #expect((0..<3).map { phone.table.compressed(of: AppID($0)) > .zero } == [false, true, false])
    }

    @Test func `the least likely to be opened next is compressed first`() {
        var phone = TestPhone(apps: 3, compression: .lowest(Predicted()))
        phone.makeIdle([0, 1, 2, 0, 2, 0, 2])
        phone.table.setAvailable(share: 0.199, at: phone.now)
        #expect((0..<3).map { phone.table.compressed(of: AppID($0)) > .zero } == [false, true, false])
    }

    @Test func `an order that depends on all candidates is shown them before it compresses`() {
        // Of five, the two oldest are ranked anew: app 1, which is larger and was opened once, before app 0.
        var phone = TestPhone(apps: 5, compression: .lowest(AndroidRanker()))
        phone.makeIdle([0], mebibytes: 100)
        phone.makeIdle([0], mebibytes: 100)
        phone.makeIdle([1], mebibytes: 400)
        phone.makeIdle([2, 3, 4], mebibytes: 100)
        phone.table.setAvailable(share: 0.19, at: phone.now)
        let compressed = (0..<5).filter { phone.table.compressed(of: AppID($0)) > .zero }
        #expect(compressed.first == 1 && !compressed.contains(0), "\(compressed)")
    }
}
