// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// Corners of the aggressive march and of sustained pressure (`kern_memorystatus.c`, `memorystatus_act_aggressive`).
@Suite struct MarchAndPressureTests {
    private func table(_ count: Int, adjust: (inout MemoryParameters) -> Void = { _ in }) -> ProcessTable {
        var memory = MemoryParameters(ram: .gibibytes(4))
        adjust(&memory)
        let models = (0..<count).map { AppModel(name: "process-\($0)", category: "test") }
        return ProcessTable(apps: models, memory: memory, profile: .ios18(ram: .gibibytes(4)), policy: Jetsam())
    }

    private func spawn(
        _ apps: some Sequence<Int>, band: Int16, in table: inout ProcessTable, at now: SimTime = .zero,
        adjust: (inout ProcessTraits) -> Void = { _ in }
    ) {
        for app in apps {
            var traits = ProcessTraits()
            (traits.isManaged, traits.band, traits.relaunch) = (false, band, .high)
            adjust(&traits)
            table.spawn(AppID(app), traits, footprint: .mebibytes(8), at: now)
        }
    }

    private func age(_ table: inout ProcessTable, to end: SimTime) {
        while table.nextAging <= end { table.age(at: table.nextAging) }
    }

    /// The bands of those who died since the last call.
    private func bands(_ table: inout ProcessTable) -> [Int16] {
        defer { table.clearKills() }
        return table.kills.map(\.band)
    }

    /// Five idle processes come back and memory is short once more.
    private func march(_ idle: Range<Int>, in table: inout ProcessTable, at now: SimTime) -> [Int16] {
        table.setAvailable(share: 0.15, at: now)
        spawn(idle, band: 0, in: &table, at: now)
        table.setAvailable(share: 0.039, at: now)
        return bands(&table)
    }

    @Test func `a march kills at most twice as many as stood below its highest band`() {
        // Bands 0 to 39 hold five, band 40 holds twelve: ten die, the five below and five of the twelve.
        var table = table(17)
        spawn(0..<5, band: 0, in: &table)
        spawn(5..<17, band: 40, in: &table)
        table.setAvailable(share: 0.039, at: .seconds(1))
        #expect(table.kills.map { Int($0.app.index) } == Array(0..<10))
        #expect(table.kills.allSatisfy { $0.reason == .processThrashing })
    }

    @Test func `pinned processes die first, and the march ends when one of them was enough`() {
        // 8 MiB each but for the pinned: 300 MiB of them lift 3.9 % of 4 GiB above every threshold but the soft one.
        var table = table(7)
        spawn(0..<7, band: 0, in: &table)
        for app in 5..<7 {
            table.setFootprint(of: AppID(app), to: .mebibytes(300), at: .zero)
            #expect(table.setElevated(true, of: AppID(app), at: .zero) == nil)
        }
        table.setAvailable(share: 0.039, at: .seconds(1))
        #expect(table.kills.map { Int($0.app.index) } == [5])
        #expect(table.kills.first?.reason == .processThrashing)
    }

    @Test func `nothing marches when one of the idle comes back slowly: it dies like any other`() {
        var table = table(6)
        spawn(0..<5, band: 0, in: &table)
        spawn([5], band: 0, in: &table) { $0.relaunch = .medium }
        table.setAvailable(share: 0.039, at: .seconds(1))
        #expect(table.kills.map(\.reason).first == .pageShortage)
    }

    @Test func `a compressor that is full is critical pressure however many pages are outside`() {
        // 512 MiB at 2:1 take a fifteenth of the memory at most.
        var table = table(1) {
            ($0.compressorLimit, $0.compressorRatio, $0.systemCompressedShare) = (.mebibytes(512), 2, 0)
        }
        table.setCompressor(share: 0.97, at: .seconds(1))
        #expect(table.pressure == .normal)
        table.setCompressor(share: 0.99, at: .seconds(2))
        #expect(table.pressure == .critical)
        table.setCompressor(share: 0.97, at: .seconds(3))
        #expect(table.pressure == .normal)
    }

    @Test func `the kill that a full compressor asks for comes after a look at the level, which stays a warning`() {
        // Full, the pool takes 45 % of the pages that are not wired: more than half of them are outside.
        var table = table(2) { ($0.compressorRatio, $0.compressBelowShare) = (2.8, 0) }
        spawn(0..<1, band: 0, in: &table)
        table.setFootprint(of: AppID(0), to: .mebibytes(300), at: .zero)
        table.compressColdPages(of: AppID(0), share: 1, at: .zero)
        table.setCompressor(share: 0.979, at: .seconds(1))
        #expect(table.pressure == .normal && table.kills.isEmpty)
        table.setCompressor(share: 0.981, at: .seconds(2))
        #expect(table.kills.map(\.reason) == [.compressorSpaceShortage])
        #expect(table.pressure == .warning)
        // With 60 % outside it is over.
        table.setCompressor(share: 0.8, at: .seconds(3))
        #expect(table.pressure == .normal)
    }

    @Test(arguments: [(6.0, [Int16](repeating: 0, count: 5) + [80]), (6.001, [Int16](repeating: 0, count: 5))])
    func `the third march reaches band 80, and begins anew when 6 s have passed since the first`(
        seconds: Double, expected: [Int16]
    ) {
        var table = table(17)
        spawn([15], band: 80, in: &table)
        spawn([16], band: 100, in: &table)
        #expect(march(0..<5, in: &table, at: .seconds(1)) == [0, 0, 0, 0, 0])
        #expect(march(5..<10, in: &table, at: .seconds(3)) == [0, 0, 0, 0, 0])
        #expect(march(10..<15, in: &table, at: .seconds(1 + seconds)) == expected)
    }

    /// A phone whose compressor can be filled to a level, and idle processes that nobody warns.
    private func squeezed(_ count: Int) -> ProcessTable {
        table(count) {
            $0.systemFootprint = .gibibytes(2)
            $0.systemCompressedShare = 1
            $0.compressorRatio = 1.8
            $0.compressBelowShare = 0
        }
    }

    private func setLevelShare(_ share: Double, in table: inout ProcessTable, at now: SimTime) {
        let pageable = table.memory.visible - table.memory.wired
        table.setBallast(pageable - table.accounts.compressorPool * (1 / (1 - share)), at: now)
    }

    @Test func `a level that lasts kills twice as many as were idle at the first, half a second apart`() {
        var table = squeezed(8)
        spawn(0..<2, band: 0, in: &table)
        setLevelShare(0.45, in: &table, at: .seconds(1))
        #expect(table.pressure == .warning)
        age(&table, to: .seconds(601))
        spawn(2..<7, band: 0, in: &table, at: .seconds(601))
        age(&table, to: .seconds(700))
        let times = table.kills.map(\.time)
        #expect(times == [.seconds(601), .seconds(601.5), .seconds(602), .seconds(602.5)])
        #expect(table.kills.allSatisfy { $0.reason == .sustainedPressure })
        #expect(table.kills.map { Int($0.app.index) } == [0, 1, 2, 3])
        // A return to normal begins another count: six are idle no more than three.
        setLevelShare(0.65, in: &table, at: .seconds(800))
        setLevelShare(0.45, in: &table, at: .seconds(900))
        age(&table, to: .seconds(1499))
        #expect(table.kills.count == 4)
        age(&table, to: .seconds(1600))
        #expect(table.kills.map { Int($0.app.index) } == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test func `ten minutes above normal count through a change from warning to critical`() {
        var table = squeezed(2)
        spawn(0..<2, band: 0, in: &table)
        setLevelShare(0.45, in: &table, at: .zero)
        setLevelShare(0.29, in: &table, at: .seconds(300))
        #expect(table.pressure == .critical)
        age(&table, to: .seconds(599.9))
        #expect(table.kills.isEmpty)
        age(&table, to: .seconds(610))
        #expect(table.kills.map(\.time) == [.seconds(600), .seconds(600.5)])
    }
}

/// The freezer's interval and its count of thaws (`kern_memorystatus_freeze.c`).
@Suite struct FreezerIntervalTests {
    /// Suspended apps on a phone with twenty slots for frozen apps.
    static func table(_ count: Int, footprint: ByteCount = .mebibytes(512)) -> ProcessTable {
        var profile = OSProfile.ios18Point4(ram: .gibibytes(4))
        profile.freezer?.spared = 1000
        let models = (0..<count).map { AppModel(name: "app-\($0)", category: "test") }
        var table = ProcessTable(
            apps: models, memory: MemoryParameters(ram: .gibibytes(4)), profile: profile, policy: Jetsam())
        for app in 0..<count {
            table.spawn(AppID(app), ProcessTraits(), footprint: footprint, at: .zero)
            table.suspend(AppID(app), at: .zero)
        }
        return table
    }

    @Test(arguments: [(0.0, 1.75), (12, 2.25), (24, 2.75), (30, 3)])
    func `what is left of the budget stays, and missed time adds its share`(hours: Double, days: Double) {
        var table = Self.table(1)
        #expect(table.freeze(AppID(0), at: .seconds(1)) == nil)
        #expect(table.freezerBudget == .mebibytes(2048 * 0.75))
        table.expireFreezerInterval(ago: .hours(hours), at: .seconds(2))
        #expect(abs(table.freezerBudget.mebibytes - 2048 * days) < 1.0 / 64)
    }

    @Test func `five thaws keep the protection, four lose it`() {
        var table = Self.table(2)
        for app in 0..<2 {
            #expect(table.freeze(AppID(app), at: .seconds(Double(1 + 20 * app))) == nil)
            for thaw in 0..<(4 + app) {
                let now = SimTime.seconds(Double(10 + 20 * app + thaw))
                table.resume(AppID(app), foreground: true, at: now)
                table.becomeActive(AppID(app), at: now)
                table.resignActive(AppID(app), at: now)
                table.enterBackground(AppID(app), at: now)
                table.suspend(AppID(app), at: now)
            }
        }
        #expect((0..<2).map { table.thaws(of: AppID($0)) } == [4, 5])
        table.expireFreezerInterval(ago: .zero, at: .seconds(100))
        #expect((0..<2).map { table.band(of: AppID($0)) } == [0, 75])
    }
}
