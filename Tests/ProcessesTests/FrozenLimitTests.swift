// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// Which limit of a frozen process is in force.
@Suite struct FrozenLimitTests {
    @Test func `a frozen process keeps its idle limit when something asserts it`() {
        let ram = ByteCount.gibibytes(4)
        var table = ProcessTable(
            apps: (0..<8).map { AppModel(name: "app-\($0)", category: "test") }, memory: MemoryParameters(ram: ram),
            profile: .ios18Point4(ram: ram), policy: Jetsam())
        let active = MemoryLimit(.mebibytes(300), isFatal: false)
        let inactive = MemoryLimit(.mebibytes(200), isFatal: false)
        for index in 0..<8 {
            table.launch(AppID(index), foreground: false, footprint: .mebibytes(50), at: .zero)
            _ = table.setLimits(active: active, inactive: inactive, of: AppID(index), at: .zero)
            if index > 0 { table.suspend(AppID(index), at: .zero) }
        }
        let end = SimTime.seconds(3)
        while table.nextAging <= end { table.age(at: table.nextAging) }
        #expect(table.limit(of: AppID(0)) == active)
        // Seven are suspended: the freezer takes the longest idle.
        #expect(table.isFrozen(AppID(1)))
        #expect(table.limit(of: AppID(1)) == inactive)
        #expect(table.assert(band: 40, of: AppID(1), at: end) == nil)
        #expect(table.band(of: AppID(1)) == 75 && table.limit(of: AppID(1)) == inactive)
        #expect(table.assert(band: 100, of: AppID(1), at: end) == nil)
        #expect(table.limit(of: AppID(1)) == active)
    }
}
