// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Quantities
import Testing
import Vocabulary

@testable import Processes

/// A list of kills that is full, and slots of the freezer that their owners give back.
@Suite struct FullMemoryTests {
    /// The list has room for a twentieth of the 24 processes, and for 16 at the least.
    @Test func `the snapshot of kills keeps the first sixteen until it is read, and then begins anew`() {
        var table = FreezerIntervalTests.table(24, footprint: .mebibytes(16))
        for app in 0..<20 { table.killNow(AppID(app), at: .seconds(1)) }
        let first = table.takeFreezerSnapshot()
        #expect(first.map(\.app) == (0..<16).map { AppID($0) })
        for app in 20..<24 { table.killNow(AppID(app), at: .seconds(2)) }
        let second = table.takeFreezerSnapshot()
        #expect(second.map(\.app) == (20..<24).map { AppID($0) })
        #expect((first + second).allSatisfy { $0.reason == .jettisoned && !$0.isFrozen && $0.thaws == 0 })
        let third = table.takeFreezerSnapshot()
        #expect(third.isEmpty)
    }

    @Test func `a frozen process gives its slot back however it ends`() {
        var table = FreezerIntervalTests.table(24, footprint: .mebibytes(16))
        for app in 0..<20 { #expect(table.freeze(AppID(app), at: .seconds(1)) == nil) }
        #expect(table.freeze(AppID(20), at: .seconds(2)) == .notFound)
        // An orderly end, a crash and a kill.
        table.terminate(AppID(0), .normal, at: .seconds(3))
        #expect(table.frozenCount == 19)
        #expect(table.freeze(AppID(20), at: .seconds(3)) == nil)
        table.terminate(AppID(1), .abnormal, at: .seconds(4))
        #expect(table.frozenCount == 19)
        #expect(table.freeze(AppID(21), at: .seconds(4)) == nil)
        table.killNow(AppID(2), at: .seconds(5))
        #expect(table.frozenCount == 19)
        #expect(table.freeze(AppID(22), at: .seconds(5)) == nil)
        // A thawed process keeps its slot.
        table.resume(AppID(3), foreground: false, at: .seconds(6))
        #expect(table.frozenCount == 20)
        #expect(table.freeze(AppID(23), at: .seconds(6)) == .notFound)
        table.checkInvariants()
    }
}
