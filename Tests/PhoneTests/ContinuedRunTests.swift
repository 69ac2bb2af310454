// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Power
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Continued processing on the whole phone (Apple, BGContinuedProcessingTask and BGTaskRequest.h).
@Suite struct ContinuedRunTests {
    /// The first three apps begin a task of a minute at every visit.
    private func day(
        _ rows: [String], _ change: (inout BackgroundTraits) -> Void = { _ in },
        device: (inout DeviceModel) -> Void = { _ in }
    ) throws -> RowCollector {
        var day = ScriptedDay(rows)
        day.device.os = try #require(OSProfile.named("ios-26", ram: day.device.memory.ram))
        day.device.habits.workSigma = 0
        device(&day.device)
        for index in day.apps.indices {
            day.apps[index].traits.continuedShare = 1
            day.apps[index].traits.continuedTime = .minutes(1)
            change(&day.apps[index].traits)
        }
        return try day.run(tables: [.events, .requests]).rows
    }

    private func tasks(_ rows: RowCollector) -> [RequestRow] { rows.requests.filter { $0.work == .continued } }

    private static let threeVisits = [
        "0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "110,open,app-1,5", "120,open,app-2,5", "130,lock,,",
    ]

    @Test func `it goes on when the app is left, and the app is suspended when it is done`() throws {
        let rows = try day(["0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "106,lock,,"])
        let task = try #require(tasks(rows).first)
        #expect(task.outcome == "success" && task.progress == 1 && task.joules > 0)
        // The app is active after 0.7 s; a minute of an efficiency core, 20 pieces of it.
        let power = TestWorld.device().power
        let plan = ProcessorPlan(power.processor, awake: power.platform.awakePower)
        #expect(task.started == .seconds(100.7))
        #expect(abs((task.ended - task.started).seconds - plan.duration(ofProcessing: .minutes(1)).seconds) < 1e-6)
        let suspended = try #require(rows.events.first { $0.event == .suspend && $0.app == AppID(0) })
        #expect(suspended.time == task.ended)
        #expect(suspended.inState == task.ended - .seconds(105))
    }

    @Test(arguments: [
        (true, true, "ios-26", nil as Background.RequestError?), (false, true, "ios-26", .unavailable),
        (true, false, "ios-26", .notPermitted), (false, false, "ios-26", .notPermitted),
        (false, false, "android-15", nil),
    ])
    func `a task for the graphics processor needs a device that has it, and the entitlement`(
        has: Bool, mayUse: Bool, system: String, error: Background.RequestError?
    ) throws {
        var day = ScriptedDay(["0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "106,lock,,"])
        day.device.os = try #require(OSProfile.named(system, ram: day.device.memory.ram))
        day.device.background.continued.hasGPU = has
        for index in day.apps.indices {
            day.apps[index].traits.continuedShare = 1
            day.apps[index].traits.continuedNeedsGPU = true
            day.apps[index].declares.backgroundGPU = mayUse
        }
        let task = try #require(tasks(try day.run(tables: [.requests]).rows).first)
        #expect(task.outcome == (error == nil ? "success" : "refused") && task.error == error?.rawValue ?? "")
    }

    @Test func `two run at once, the third waits for its turn and is brought back for it`() throws {
        let rows = try day(Self.threeVisits)
        let list = tasks(rows)
        #expect(list.count == 3 && list.allSatisfy { $0.outcome == "success" })
        let third = try #require(list.first { $0.app == AppID(2) })
        let free = try #require(list.first { $0.app == AppID(0) })
        #expect(third.started == free.ended && third.submitted == .seconds(120.7) && free.submitted == .seconds(100.7))
        #expect(rows.events.contains { $0.event == .launch && $0.app == AppID(2) && $0.from == .suspended })
    }

    @Test func `one that would rather fail than wait is refused with the number of Apple's error`() throws {
        let list = tasks(try day(Self.threeVisits) { $0.continuedStrategy = .fail })
        let refused = try #require(list.first { $0.app == AppID(2) })
        #expect(refused.outcome == "refused" && refused.error == "immediateRunIneligible")
        #expect(refused.started == .distantFuture)
    }

    @Test(arguments: ["ios-12", "ios-18", "ios-18.5"])
    func `systems before iOS 26 do not know it`(system: String) throws {
        let list = tasks(
            try day(Self.threeVisits) { _ in
            } device: { device in
                if let os = OSProfile.named(system, ram: device.memory.ram) { device.os = os }
            })
        #expect(list.count == 3)
        #expect(list.allSatisfy { $0.outcome == "refused" && $0.error == "unavailable" })
    }

    @Test func `V34: off the app switcher, what is queued is cancelled and what runs ends`() throws {
        let rows = try day(
            Self.threeVisits.dropLast() + ["130,force_quit,app-2,", "132,force_quit,app-0,", "140,lock,,"])
        let list = tasks(rows)
        let (queued, running) = (list.first { $0.app == AppID(2) }, list.first { $0.app == AppID(0) })
        #expect(queued?.outcome == "cancelled" && queued?.started == .distantFuture && queued?.ended == .seconds(130))
        #expect(running?.outcome == "cancelled" && running?.ended == .seconds(132))
        #expect(list.first { $0.app == AppID(1) }?.outcome == "success")
    }

    @Test func `who reports no progress is ended after the system's patience`() throws {
        let list = tasks(
            try day(Self.threeVisits) {
                $0.continuedReports = 0
                $0.continuedTime = .minutes(5)
            })
        let first = try #require(list.first)
        #expect(first.outcome == "expired" && first.progress == 0)
        // A minute of patience, asked for every quarter of a minute.
        #expect(first.ended - first.started > .minutes(1) && first.ended - first.started <= .seconds(75))
    }

    @Test func `under heat that stops all work the one with the least progress ends first`() throws {
        let rows = try day(Self.threeVisits) {
            $0.continuedTime = .hours(1)
        } device: { device in
            device.power.heat?.fairAbove = .celsius(23)
            device.power.heat?.seriousAbove = .celsius(23.5)
            device.power.heat?.criticalAbove = .celsius(24)
        }
        let list = tasks(rows)
        let first = try #require(list.first)
        #expect(first.app == AppID(1) && first.outcome == "expired")
        let rival = try #require(list.first { $0.app == AppID(0) })
        // Order is the claim: when the phone is hot enough, and how far each is by then, is the heat's matter.
        #expect(rival.ended > first.ended && rival.progress > first.progress)
    }

    @Test func `it sends its bytes, and gives up when there has been no network for too long`() throws {
        let sent = try #require(
            tasks(
                try day(["0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "106,lock,,"]) {
                    $0.continuedBytes = .mebibytes(20)
                }
            ).first)
        #expect(sent.outcome == "success" && abs(Double(sent.bytes[.wifi]) / 20 / 1_048_576 - 1) < 1e-4)
        let lost = try #require(
            tasks(
                try day(["0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "106,lock,,", "120,network,,none"]) {
                    $0.continuedBytes = .mebibytes(20)
                }
            ).first)
        // Six of the 20 pieces of three seconds were done in the 19.3 s before.
        #expect(lost.outcome == "expired" && abs(lost.progress - 0.3) < 1e-9, "\(lost.progress)")
    }

    @Test(arguments: [0.95, 0.1])
    func `on lively days at most two run at once, each ends once, and the energy adds up`(charges: Double) throws {
        var device = TestWorld.device()
        device.os = try #require(OSProfile.named("ios-26", ram: device.memory.ram))
        var persona = TestWorld.persona
        persona.charging.nightProbability = charges
        persona.forceQuitsPerDay = 20
        let apps = TestWorld.apps(20) { app in
            app.traits.continuedShare = 0.4
            app.traits.continuedTime = .minutes(6)
            app.traits.continuedBytes = .mebibytes(5)
        }
        let rows = RowCollector()
        let outcome = simulate(
            TestWorld.specification(apps: apps, persona: persona, device: device, days: 3, tables: [.requests]),
            sink: rows)
        let list = tasks(rows)
        #expect(list.count > 50)
        let ran = list.filter { $0.started != .distantFuture }
        for row in ran {
            #expect(row.submitted <= row.started && row.started <= row.ended)
            #expect(ran.count { $0.started <= row.started && row.started < $0.ended } <= 2)
            #expect((row.outcome == "success") == (row.progress == 1))
        }
        let waited = list.filter { $0.started == .distantFuture }
        #expect(waited.allSatisfy { $0.outcome == "cancelled" || $0.outcome == "failed" })
        #expect(Set(ran.map(\.outcome)).isSuperset(of: ["success", "cancelled"]))
        #expect(outcome.ledgerError <= 1e-9)
    }
}
