// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Android's broadcasts on a whole phone, by the constants of `BroadcastConstants.java`.
@Suite struct BroadcastTests {
    /// In use for five seconds, dark from 3,000 s on, and opened once more in the afternoon.
    private static let rows = [
        "0,network,,wifi", "1000,unlock,,", "1000,open,app-0,5", "3000,lock,,", "50000,unlock,,", "50000,open,app-0,5",
        "51000,lock,,",
    ]

    private func broadcasts(
        _ system: String, _ receiver: BroadcastReceiver
    ) throws -> (rows: [RequestRow], outcome: RunOutcome) {
        var day = ScriptedDay.plain(Self.rows)
        day.apps[0].traits.broadcasts.perDay = 300
        day.apps[0].traits.broadcasts.receiver = receiver
        day.device.os = try #require(OSProfile.named(system, ram: day.device.memory.ram))
        day.device.background = BackgroundParameters(day.device.os.family)
        day.scheduling = "immediate"
        let (outcome, rows) = try day.run(tables: [.requests])
        return (rows.requests.filter { $0.work == .broadcast }, outcome)
    }

    private func late(_ row: RequestRow) -> Double { (row.started - row.submitted).seconds }

    @Test func `a cached app of the manifest hears two minutes later, and is started without a process`() throws {
        let (rows, outcome) = try broadcasts("android-15", .manifest)
        #expect(rows.count > 150 && outcome("broadcasts_per_day") == Double(rows.count))
        let first = try #require(rows.first)
        #expect(first.started < .seconds(1000) && abs(late(first) - 0.5) < 1e-6)
        let dark = rows.filter { $0.started > .seconds(4000) && $0.started < .seconds(49_000) }
        // While one is handled the app is not cached.
        #expect(dark.count > 60 && dark.allSatisfy { abs(late($0) - 120.5) < 1e-6 || abs(late($0) - 0.5) < 1e-6 })
        #expect(dark.count { late($0) > 1 } * 2 > dark.count)
    }

    @Test func `one that asked while it ran hears when it leaves the cache, once for all`() throws {
        let (rows, outcome) = try broadcasts("android-15", .context)
        #expect(outcome("broadcasts_per_day") == Double(rows.count))
        #expect(rows.allSatisfy { $0.started > .seconds(1000) })
        #expect(!rows.contains { $0.started > .seconds(4000) && $0.started < .seconds(50_000) })
        let held = try #require(rows.first { $0.started >= .seconds(50_000) })
        #expect(held.started < .seconds(50_010) && late(held) > 40_000)
        #expect(outcome("broadcast_delay_s_p95") > 0.5)
    }

    @Test(arguments: [("android-13", 0.5 as Double?), ("ios-18", nil)])
    func `Android 13 holds none back, and iOS has none`(system: String, delay: Double?) throws {
        for receiver in BroadcastReceiver.allCases {
            let (rows, _) = try broadcasts(system, receiver)
            #expect(rows.isEmpty == (delay == nil))
            for row in rows { #expect(late(row) <= (delay ?? 0) + 1e-6) }
        }
    }
}
