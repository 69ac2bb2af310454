// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import LifeCycle
import Processes
import Quantities
import Testing
import Vocabulary

/// What sets the generations of the system apart.
@Suite struct OSGenerationTests {
    private func profile(_ name: String, gibibytes: Double = 4) throws -> OSProfile {
        try #require(OSProfile.named(name, ram: .gibibytes(gibibytes)))
    }

    @Test func `every generation has a name of its own`() {
        let names = OSProfile.generations.map(\.name)
        #expect(Set(names).count == names.count && names.count >= 12)
        #expect(OSProfile.named("ios-5", ram: .gibibytes(1)) == nil)
    }

    @Test(arguments: [
        ("ios-6", 600.0), ("ios-9", 180), ("ios-10", 180), ("ios-12", 180), ("ios-13", 30), ("ios-16", 30),
        ("ios-18", 30),
    ])
    func `background tasks lasted longer in older systems`(name: String, seconds: Double) throws {
        #expect(try profile(name).assertionLength == .seconds(seconds))
    }

    /// Frozen and pinned band, the freezer's slots, smallest app and daily budget in MiB, top bands of the march.
    @Test(arguments: [
        ("ios-10", Int16(0), Int16(30), Int.max, 1.0, 1024.0, [Int16(80), 80, 80, 150]),
        ("ios-12", 80, 30, 20, 8, 1024, [80, 80, 80, 150]), ("ios-14", 80, 30, 20, 8, 1024, [80, 80, 80, 150]),
        ("ios-15", 80, 40, 20, 8, 1024, [80, 80, 80, 150]), ("ios-16", 75, 40, 20, 8, 1024, [80, 80, 80, 15]),
        ("ios-17", 75, 40, 20, 8, 1024, [80, 80, 80, 15]), ("ios-18.4", 75, 40, 20, 8, 2048, [40, 40, 80, 80, 150]),
    ])
    func `bands and freezer are those of the published kernels`(
        name: String, frozen: Int16, pinned: Int16, slots: Int, least: Double, daily: Double, march: [Int16]
    ) throws {
        let profile = try profile(name)
        #expect(profile.frozenBand == frozen && profile.elevatedBand == pinned && profile.aggressiveBands == march)
        let freezer = try #require(profile.freezer)
        #expect(freezer.slots == slots && freezer.minimum == .mebibytes(least))
        #expect(freezer.dailyBudget == .mebibytes(daily))
    }

    /// Seconds from cached to frozen, and hours of a service of data a day.
    @Test(arguments: [
        ("android-13", 600.0, 24.0), ("android-14", 10, 24), ("android-15", 10, 6), ("android-16", 10, 6),
    ])
    func `Android freezes, warns nobody from 14 on and knows no limit of a process`(
        name: String, frozen: Double, service: Double
    ) throws {
        let profile = try profile(name)
        let isOld = name == "android-13"
        #expect(profile.family == .android)
        #expect(profile.ownEviction == (isOld ? "lmkd[critical-thrashing=2,low-score=1001]" : "lmkd"))
        #expect(profile.sendsTrimLevels == isOld && profile.holdsBroadcasts == !isOld)
        let quotas = name == "android-16" ? "quotas=present," : ""
        #expect(profile.ownScheduling == "jobscheduler[\(quotas)doze=motion]")
        #expect(profile.exactAlarms == isOld)
        let rules = profile.lifeCycle
        #expect(rules.backgroundGrace == .seconds(frozen) && rules.previousTime == .seconds(60))
        #expect(rules.workGrace == .seconds(10) && rules.updateLimit == .seconds(5))
        #expect(!rules.killsAtExpiration && !rules.graceKeepsAwake && !rules.prewarms)
        #expect(profile.assertionLength == .seconds(60) && profile.serviceTime == .hours(service))
        #expect(profile.shortServiceTime == (isOld ? .day : .minutes(3)))
        #expect(profile.userJobTime == (isOld ? .zero : .hours(12)))
        #expect(profile.reaperShare == nil && profile.freezer == nil && profile.appSwap == nil)
        #expect(profile.warningBelow == 0 && profile.criticalBelow == 0)
        #expect([profile.idleShare, profile.softShare] == [0.04, 0.04] && profile.criticalShare == 0.04)
        let memory = MemoryParameters(ram: .gibibytes(8), family: .android)
        #expect(memory.compressorLimit == .gibibytes(4) && memory.perProcessLimit == .gibibytes(8))
    }

    @Test func `the old scale had a tenth of today's numbers`() throws {
        #expect(try profile("ios-15").ownBand(100) == 10)
        #expect(try profile("ios-16").ownBand(100) == 100)
    }

    @Test(arguments: ["ios-10", "ios-12", "ios-16", "ios-17"])
    func `before iOS 18 an idle process dies of a page shortage, with the same threshold`(name: String) throws {
        let memory = MemoryParameters(ram: .gibibytes(4))
        for (generation, reason) in [(name, KillReason.pageShortage), ("ios-18", .idleExit)] {
            let models = (0..<3).map { AppModel(name: "app-\($0)", category: "test") }
            var table = ProcessTable(
                apps: models, memory: memory, profile: try profile(generation), policy: Jetsam())
            for app in 0..<3 { table.spawn(AppID(app), ProcessTraits(), footprint: .mebibytes(100), at: .zero) }
            table.setAvailable(share: 0.0899, at: .seconds(1))
            #expect(table.kills.map(\.reason) == [reason])
            #expect(table.kills.map(\.app) == [AppID(0)])
            #expect(table.invariant() == nil)
        }
    }

    @Test func `without a band for stuck daemons they age on`() throws {
        for (name, band) in [("ios-17", Int16(10)), ("ios-18", 15)] {
            let models = [AppModel(name: "d", category: "test")]
            var table = ProcessTable(
                apps: models, memory: MemoryParameters(ram: .gibibytes(4)), profile: try profile(name),
                policy: Jetsam())
            var traits = ProcessTraits()
            (traits.isManaged, traits.isTracked, traits.allowsIdleExit, traits.band) = (false, true, true, 80)
            table.spawn(AppID(0), traits, footprint: .mebibytes(5), at: .zero)
            _ = table.setDirty(true, of: AppID(0), at: .zero)
            _ = table.setImportance(true, of: AppID(0), at: .zero)
            _ = table.setDirty(false, of: AppID(0), at: .zero)
            while table.nextAging <= .seconds(9) { table.age(at: table.nextAging) }
            #expect(table.band(of: AppID(0)) == band)
        }
    }
}
