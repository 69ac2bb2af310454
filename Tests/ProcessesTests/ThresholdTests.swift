// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Testing
import Vocabulary

/// What the published kernel says about thresholds, levels and the compressor.
@Suite struct ThresholdTests {
    /// The kernel's thresholds in MiB at nominal memory, from `memorystatus_init`'s percentages.
    @Test(arguments: [
        (1, 51.0, 102.0, 154.0), (2, 102, 205, 307), (3, 154, 307, 461), (4, 164, 369, 614), (6, 246, 553, 922),
        (8, 328, 655, 983), (12, 492, 983, 1475), (16, 655, 1311, 1966),
    ])
    func `thresholds have the sizes that follow from the published percentages`(
        gibibytes: Int, critical: Double, idle: Double, soft: Double
    ) {
        let ram = ByteCount.gibibytes(Double(gibibytes))
        let profile = OSProfile.ios18(ram: ram)
        #expect((ram * profile.criticalShare).mebibytes.rounded() == critical)
        #expect((ram * profile.idleShare).mebibytes.rounded() == idle)
        #expect((ram * profile.softShare).mebibytes.rounded() == soft)
    }

    @Test(arguments: [1.0, 2, 3, 4, 6, 8, 12, 16])
    func `typical parameters make a phone whose accounts sum to its memory`(gibibytes: Double) {
        let phone = TestPhone(apps: 1, ram: .gibibytes(gibibytes))
        #expect(phone.table.memory.problems == [])
        #expect(phone.table.accounts.total == .gibibytes(gibibytes))
        #expect(phone.table.availableShare > 0.2)
        phone.table.checkInvariants()
    }

    @Test func `impossible parameters are named, all at once`() {
        var memory = MemoryParameters(ram: .gibibytes(4))
        memory.compressorRatio = 0.5
        memory.warmShare = 1.5
        memory.perProcessLimit = .zero
        #expect(
            memory.problems == [
                "memory.compressorRatio must be at least 1", "memory.perProcessLimit must be positive",
                "memory.warmShare must lie between 0 and 1",
            ])
        var crowded = MemoryParameters(ram: .gibibytes(1))
        crowded.systemFootprint = .gibibytes(3)
        #expect(
            crowded.problems == [
                "memory.wired and memory.systemFootprint leave less than 10 % of memory for apps"
            ])
    }

    @Test func `a critical level alone kills nobody, and kills need no level`() {
        var squeezed = TestPhone(apps: 2) {
            $0.systemFootprint = .gibibytes(3)
            $0.systemCompressedShare = 1
            $0.compressorRatio = 1.1
            $0.wired = .zero
            $0.compressBelowShare = 0
        }
        squeezed.makeIdle([0, 1], mebibytes: 20)
        #expect(squeezed.table.pressure == .critical)
        #expect(squeezed.table.availableShare > 0.09)
        #expect(squeezed.killed == [])

        var roomy = TestPhone(apps: 2) {
            $0.systemCompressedShare = 0
            $0.compressBelowShare = 0
        }
        roomy.makeIdle([0, 1])
        roomy.table.setAvailable(share: 0.05, at: roomy.now)
        #expect(roomy.table.pressure == .normal)
        #expect(!roomy.killed.isEmpty)
    }

    @Test func `a full compressor kills the lowest band even while memory is available`() {
        var phone = TestPhone(apps: 3) {
            $0.systemFootprint = .gibibytes(1)
            $0.systemCompressedShare = 0
            $0.compressorLimit = .mebibytes(300)
            $0.compressBelowShare = 0
        }
        phone.makeIdle([0, 1], mebibytes: 200)
        phone.open(2)
        phone.table.compress(AppID(0), at: phone.now)
        #expect(phone.killed == [])
        phone.table.compress(AppID(1), at: phone.now)
        #expect(phone.killed == [0])
        #expect(phone.table.kills.first?.reason == .compressorSpaceShortage)
        #expect(phone.table.availableShare > 0.09)
        #expect(phone.table.invariant() == nil)
    }

    @Test func `only processes of six MiB and more in band 20 and above that execute are warned`() {
        var phone = TestPhone(apps: 4) {
            $0.systemFootprint = .gibibytes(2)
            $0.systemCompressedShare = 1
            $0.compressBelowShare = 0
        }
        let sizes = [5.9, 6, 50, 50]
        for app in 0..<4 {
            phone.table.launch(AppID(app), foreground: false, footprint: .mebibytes(sizes[app]), at: phone.now)
        }
        phone.table.setBand(of: AppID(2), to: 10, at: phone.now)
        phone.table.suspend(AppID(3), at: phone.now)
        let pool = phone.table.accounts.compressorPool
        let pageable = phone.table.memory.visible - phone.table.memory.wired
        phone.table.setBallast(pageable - pool * (1 / (1 - 0.45)), at: phone.now)
        #expect(phone.table.warnings.map(\.app) == [AppID(1)])
        #expect(abs((phone.table.warnings.first?.dropped.mebibytes ?? 0) - 1.2) < 0.001)
        phone.table.clearWarnings()
        phone.table.repeatWarning(at: phone.now)
        #expect(phone.table.warnings.map(\.app) == [])
        #expect(phone.table.pressure == .warning)
        #expect(abs(phone.table.footprint(of: AppID(1)).mebibytes - 4.8) < 0.001)
    }

    @Test func `a level that lasts is repeated to those who execute`() {
        var phone = TestPhone(apps: 1) {
            $0.systemFootprint = .gibibytes(2)
            $0.systemCompressedShare = 1
        }
        phone.open(0, mebibytes: 100)
        phone.table.repeatWarning(at: phone.now)
        #expect(phone.table.warnings.isEmpty, "nobody is warned at the normal level")
        let pool = phone.table.accounts.compressorPool
        phone.table.setBallast(
            phone.table.memory.visible - phone.table.memory.wired - pool * (1 / (1 - 0.45)), at: phone.now)
        phone.wait(1800)
        phone.table.repeatWarning(at: phone.now)
        #expect(phone.table.warnings.map(\.time) == [.zero, .seconds(1800)])
        #expect(abs(phone.table.footprint(of: AppID(0)).mebibytes - 64) < 0.001)
    }

    @Test func `without a bottom to memory nobody dies for want of it and the shortage is the growth`() throws {
        var phone = TestPhone(apps: 60, policy: try makePolicy("unbounded", seed: 0))
        for app in 0..<60 {
            phone.open(app, mebibytes: 300)
            phone.leave(app, suspend: false)
        }
        #expect(phone.table.isUnbounded)
        #expect(phone.killed == [])
        #expect(phone.table.residentApps == 60)
        #expect(phone.table.lowestAvailable < .zero)
        #expect(phone.table.accounts.total == phone.table.memory.ram)
        #expect(phone.table.invariant() == nil)
        let survived = phone.table.setFootprint(of: AppID(0), to: .gibibytes(3), at: phone.now)
        #expect(!survived, "the limit of a process is not want of memory")
    }
}
