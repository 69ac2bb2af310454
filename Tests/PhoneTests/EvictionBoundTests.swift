// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// What no order of eviction can go below, in whole runs.
@Suite struct EvictionBoundTests {
    private static let orders = ["jetsam", "lru", "random", "largest-first", "gdsf", "lmkd", "smartlmk", "arc"]

    private static func outcome(
        _ order: String, ram: ByteCount, days: Double = 3, apps: [AppModel] = TestWorld.apps(40)
    ) -> RunOutcome {
        let device = TestWorld.device(ram: ram)
        return simulate(
            TestWorld.specification(
                apps: apps, device: device, days: days, warmup: .days(1), eviction: order,
                readsFuture: order == "belady"))
    }

    @Test(arguments: [0.75, 1, 2, 3])
    func `no order goes below the bound of its own run`(gibibytes: Double) {
        var least: [Double] = []
        for order in Self.orders + ["belady"] {
            let run = Self.outcome(order, ram: .gibibytes(gibibytes))
            #expect(run("least_relaunches_per_day") <= run("relaunches_per_day") + 1e-9, "\(order)")
            #expect(run("least_launch_wait_s_per_day") <= run("launch_wait_s_per_day") + 1e-9, "\(order)")
            #expect(run("least_launch_wait_s_per_day") > 0)
            least.append(run("least_relaunches_per_day"))
        }
        // It says something where memory is short.
        if gibibytes < 1 { #expect((least.min() ?? 0) > 1, "\(least)") }
    }

    @Test func `less memory leaves less to gain`() {
        let found = [0.75, 1.5, 6].map { Self.outcome("jetsam", ram: .gibibytes($0))("least_relaunches_per_day") }
        #expect(found == found.sorted(by: >) && found[0] > found[2], "\(found)")
    }

    @Test func `without a limit of memory what must be launched is left`() {
        let run = Self.outcome("unbounded", ram: .gibibytes(1))
        #expect(run("least_relaunches_per_day") <= run("relaunches_per_day") + 1e-9)
    }

    @Test func `apps that take no memory stay, and first opens are launches`() {
        var apps = TestWorld.apps(40)
        for index in apps.indices {
            (apps[index].foregroundFootprint, apps[index].backgroundFootprint) = (.mebibytes(1), .kibibytes(1))
        }
        let device = TestWorld.device(ram: .gibibytes(4))
        var persona = TestWorld.persona
        persona.forceQuitsPerDay = 0
        let run = simulate(TestWorld.specification(apps: apps, persona: persona, device: device, days: 2))
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(apps: apps, persona: persona, device: device, days: 2, tables: [.events]),
            sink: rows)
        var (seen, first) = (Set<AppID>(), 0.0)
        for row in rows.events where row.event == .launch {
            if row.to == .inactive, !seen.contains(row.app) { first += 1 }
            seen.insert(row.app)
        }
        #expect(abs(run("least_relaunches_per_day") * 2 - first) < 1e-9)
    }

    /// The one open is at the end of the warm-up, and its launch counts to the warm-up.
    @Test func `an open at the end of the warm-up counts neither as a relaunch nor in the bound`() throws {
        var day = ScriptedDay.plain(["0,network,,wifi", "3600,unlock,,", "3600,open,app-0,60", "4000,lock,,"])
        day.warmup = .hour
        let after = try day.run(tables: []).outcome
        #expect(after("relaunches_per_day") == 0 && after("least_relaunches_per_day") == 0)
        #expect(after("launch_wait_s_per_day") == 0 && after("least_launch_wait_s_per_day") == 0)
        // Without a warm-up, the app must be launched, as it never ran before.
        day.warmup = .zero
        let whole = try day.run(tables: []).outcome
        #expect(whole("relaunches_per_day") == 1 && whole("least_relaunches_per_day") == 1)
    }
}
