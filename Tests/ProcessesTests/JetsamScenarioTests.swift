// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// Scenarios derived from the published kernel source; 4 GB: critical 4 %, idle 9 %, soft 15 %.
@Suite struct JetsamScenarioTests {
    @Test func `at 16 percent available nothing dies`() {
        var phone = TestPhone(apps: 3)
        phone.makeIdle([0, 1, 2])
        phone.table.setAvailable(share: 0.16, at: phone.now)
        #expect(phone.killed == [])
    }

    @Test func `below the idle threshold idle apps die head first until the number is back`() {
        var phone = TestPhone(apps: 3) { $0.compressBelowShare = 0 }
        phone.makeIdle([0, 1, 2], mebibytes: 3)
        phone.table.setAvailable(share: 0.089, at: phone.now)
        // 0.1 % of 3,891 MiB are 3.9 MiB: two apps of 3 MiB.
        #expect(phone.killed == [0, 1])
        #expect(phone.table.kills.allSatisfy { $0.reason == .idleExit && $0.category == .memoryPressure })
        #expect(phone.table.availableShare >= 0.09)
        #expect(phone.table.kills.first?.runnerUp == AppID(1))
        #expect(phone.table.kills.first?.margin == 0)
    }

    @Test func `exactly at the idle threshold nobody dies and one byte below one dies`() {
        var phone = TestPhone(apps: 1)
        phone.makeIdle([0])
        let threshold = phone.table.memory.visible * 0.09
        phone.table.compress(AppID(0), at: phone.now)
        phone.table.setBallast(phone.table.available - threshold, at: phone.now)
        #expect(phone.table.available == threshold)
        #expect(phone.killed == [])
        let ballast = phone.table.accounts.wired - phone.table.memory.wired
        phone.table.setBallast(ballast + ByteCount(1), at: phone.now)
        #expect(phone.killed == [0])
    }

    @Test func `killing a compressed app returns its resident part and its share of the pool`() throws {
        var phone = TestPhone(apps: 1)
        phone.makeIdle([0], mebibytes: 100)
        phone.table.compress(AppID(0), at: phone.now)
        #expect(phone.table.footprint(of: AppID(0)) == .mebibytes(100))
        phone.table.setAvailable(share: 0.085, at: phone.now)
        let kill = try #require(phone.table.kills.first)
        #expect(abs(kill.freed.mebibytes - (3 + 97 / 2.7)) < 0.001)
        #expect(kill.availableAfter - kill.availableBefore == kill.freed)
        #expect(kill.footprint == .mebibytes(100))
    }

    @Test func `an app that just left does not die as idle before two seconds have passed`() {
        var phone = TestPhone(apps: 1)
        phone.open(0)
        phone.leave(0)
        phone.table.setAvailable(share: 0.05, at: phone.now)
        phone.wait(1.9)
        #expect(phone.table.band(of: AppID(0)) == 20)
        #expect(phone.killed == [])
        phone.wait(0.1)
        #expect(phone.killed == [0])
        #expect(phone.table.kills.first?.band == 0)
        #expect(phone.table.kills.first?.time == .seconds(2))
    }

    @Test func `below the critical threshold the lowest band dies first and the visible app last`() {
        var phone = TestPhone(apps: 5) { $0.compressBelowShare = 0 }
        phone.makeIdle([3])
        phone.open(1, mebibytes: 200)
        phone.leave(1, suspend: false)
        phone.open(2)
        phone.leave(2)
        phone.open(0)
        phone.table.setAvailable(share: 0.001, at: phone.now)
        #expect(phone.killed == [3, 2])
        phone.table.setAvailable(share: 0.001, at: phone.now)
        #expect(phone.killed == [3, 2, 1])
        phone.table.setAvailable(share: 0.001, at: phone.now)
        #expect(phone.killed == [3, 2, 1, 0])
        #expect(phone.table.kills.last?.category == .memoryLimit)
        #expect(phone.table.kills.dropFirst().allSatisfy { $0.reason == .pageShortage })
        #expect(phone.table.statistics(at: phone.now).noVictim == 1)
    }

    @Test(arguments: killers.map(\.descriptor.name))
    func `what the user sees dies only when nothing else is left`(name: String) throws {
        var phone = TestPhone(apps: 6, policy: try makePolicy(name, seed: 7))
        phone.open(5, mebibytes: 900)
        for app in 0..<5 { phone.table.launch(AppID(app), foreground: false, footprint: .mebibytes(60), at: phone.now) }
        phone.table.setAvailable(share: 0.001, at: phone.now)
        for _ in 0..<4 { phone.table.setAvailable(share: 0.001, at: phone.now) }
        #expect(phone.killed.sorted() == Array(0..<6))
        #expect(phone.killed.last == 5)
    }

    @Test func `setting a band again moves a process to the tail of its queue`() {
        var phone = TestPhone(apps: 3) { $0.compressBelowShare = 0 }
        phone.makeIdle([0, 1, 2])
        phone.table.setBand(of: AppID(0), to: 0, at: phone.now)
        #expect(phone.table.nextVictim(idleOnly: true, at: phone.now) == AppID(1))
        phone.table.resume(AppID(1), foreground: false, at: phone.now)
        phone.table.suspend(AppID(1), at: phone.now)
        phone.wait(3)
        phone.table.setAvailable(share: 0.05, at: phone.now)
        #expect(phone.killed.first == 2)
    }

    @Test func `a process above its own limit dies at once whatever is free`() {
        var phone = TestPhone(apps: 1) { $0.systemFootprint = .gibibytes(1) }
        phone.open(0)
        let grown = phone.table.setFootprint(of: AppID(0), to: phone.table.memory.perProcessLimit, at: phone.now)
        #expect(grown)
        let limit = phone.table.memory.perProcessLimit
        let survived = phone.table.setFootprint(of: AppID(0), to: limit + ByteCount(1), at: phone.now)
        #expect(!survived)
        #expect(phone.table.kills.map(\.reason) == [.perProcessLimit])
        #expect(phone.table.statistics(at: phone.now).exits(.memoryLimit, inForeground: true) == 1)
        #expect(phone.table.invariant() == nil)
    }
}
