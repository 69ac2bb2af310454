// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

@Suite struct StartingProcessTests {
    private func table(_ processes: [StartingProcess]) -> ProcessTable {
        let apps = processes.indices.map { index in
            var app = AppModel(name: "process-\(index)", category: "test")
            app.launchFiles = .zero
            return app
        }
        var memory = MemoryParameters(ram: .gibibytes(2))
        memory.compressBelowShare = 0
        var table = ProcessTable(apps: apps, memory: memory, profile: .ios18(ram: .gibibytes(2)), policy: Jetsam())
        table.begin(with: processes.enumerated().map { (AppID($0.offset), $0.element) }, at: .zero)
        return table
    }

    private func process(_ change: (inout StartingProcess) -> Void) -> StartingProcess {
        var process = StartingProcess(traits: ProcessTraits(), footprint: .mebibytes(30), compressed: .mebibytes(20))
        change(&process)
        return process
    }

    @Test func `processes stand where they are put, in the order of the list`() {
        let table = table([
            process { $0.isSuspended = true }, process { $0.isSuspended = true }, process { $0.traits.band = 100 },
        ])
        #expect(table.invariant() == nil)
        #expect((0..<3).map { table.band(of: AppID($0)) } == [0, 0, 100])
        #expect(table.positionInBand(of: AppID(0)) == 0 && table.positionInBand(of: AppID(1)) == 1)
        #expect(table.state(of: AppID(0)) == .suspended && table.state(of: AppID(2)) == .background)
        #expect(table.footprint(of: AppID(0)) == .mebibytes(30))
        #expect(table.compressed(of: AppID(0)) == .mebibytes(20))
        #expect(table.hasAssertion(AppID(2)) && !table.hasAssertion(AppID(0)))
    }

    @Test func `a daemon that ages goes on ageing, an idle one knows its band, a coalition stays together`() {
        var table = table([
            process {
                ($0.traits.isManaged, $0.traits.isTracked, $0.traits.allowsIdleExit) = (false, true, true)
                $0.traits.band = 10
            },
            process {
                ($0.traits.isManaged, $0.traits.isTracked, $0.traits.allowsIdleExit) = (false, true, true)
                $0.requestedBand = 30
            },
            process { ($0.traits.coalition, $0.traits.band) = (7, 100) },
            process { ($0.traits.coalition, $0.traits.band) = (7, 100) },
        ])
        #expect(table.nextAging == .zero + .seconds(2))
        table.age(at: .zero + .seconds(2))
        #expect(table.band(of: AppID(0)) == 0)
        #expect(table.setDirty(true, of: AppID(1), at: .zero + .seconds(3)) == nil)
        #expect(table.band(of: AppID(1)) == 30)
        for index in [2, 3, 0, 1] { #expect(table.jettison(AppID(index), at: .zero + .seconds(4)) == nil) }
        #expect(table.invariant() == nil)
        #expect(table.kills.map { Int($0.app.index) } == [2, 3, 0, 1])
    }

    @Test func `nobody reacts before all stand`() {
        // 981 MiB are available before: the second stands only in what the third will take from it.
        let table = table(
            (0..<3).map { index in
                process { ($0.isSuspended, $0.footprint, $0.compressed) = (false, .mebibytes(600), .zero) }
            })
        #expect(table.kills.map { Int($0.app.index) } == [0, 1])
        #expect(table.kills.first?.availableBefore ?? .zero < .zero)
    }
}
