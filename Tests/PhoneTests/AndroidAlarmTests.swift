// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Power
import Processes
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Alarms, messages of high priority and motion on a whole phone.
@Suite struct AndroidAlarmTests {
    private static let app = AppID(0)
    /// In use for ten seconds, and dark from 3,000 s on.
    private static let rows = ["0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "3000,lock,,"]

    private func day(_ rows: [String] = rows, _ change: (inout AppModel) -> Void) throws -> ScriptedDay {
        var day = ScriptedDay.plain(rows, change)
        day.device.os = try #require(OSProfile.named("android-13", ram: day.device.memory.ram))
        day.device.background = BackgroundParameters(.android)
        day.device.background.alarms.isLimitedByBucket = false
        day.scheduling = "jobscheduler"
        return day
    }

    private func alarmed(
        _ kind: AlarmKind, every: SimDuration, rows: [String] = rows
    ) throws -> ScriptedDay {
        try day(rows) {
            $0.traits.alarms.every = every
            $0.traits.alarms.kind = kind
        }
    }

    private func alarms(_ day: ScriptedDay) throws -> (starts: [Double], rows: [RequestRow], outcome: RunOutcome) {
        let (outcome, rows) = try day.run(tables: [.requests])
        let found = rows.requests.filter { $0.work == .alarm }
        return (found.map { ($0.started - SimTime.zero).seconds }, found, outcome)
    }

    /// Minutes after the screen went off at 3,000 s at which deep doze holds nobody.
    private static let open = [
        (0.0, 64.5), (124.5, 125), (245, 245.5), (485.5, 486), (846, 846.5), (1206.5, 1207),
    ]

    @Test func `alarms wait for the windows of deep doze, and run their app for a moment`() throws {
        let day = try alarmed(.exact, every: .minutes(10))
        let (starts, rows, outcome) = try alarms(day)
        let late = starts.map { ($0 - 3000) / 60 }
        for minute in late {
            #expect(minute < 0 || Self.open.contains { $0.0 - 1e-6 <= minute && minute <= $0.1 }, "after \(minute) min")
        }
        for window in Self.open.dropFirst() { #expect(late.contains { abs($0 - window.0) < 1e-6 }) }
        // 11 or 12 until deep doze, then one in each of five windows: ten minutes later the long ones are over.
        #expect((16...17).contains(starts.count), "\(starts.count)")
        #expect(outcome("alarms_per_day") == Double(starts.count))
        #expect(outcome("alarm_wakeups_per_day") == Double(Set(starts).count))
        #expect(rows.allSatisfy { $0.outcome == "success" && $0.granted == .zero || $0.granted == .seconds(60) })
        #expect((rows.map { ($0.started - $0.submitted).seconds }.max() ?? 0) > 3600)
        var awake = day
        awake.scheduling = "immediate"
        let free = try alarms(awake)
        #expect(free.starts.count == 144 && free.rows.allSatisfy { $0.started == $0.submitted })
        #expect(free.outcome("alarm_delay_s_p95") == 0)
        // An alarm starts or resumes its app unless the app executes; only a start or resume has a limit.
        let launches = free.rows.count { $0.granted == .seconds(60) }
        #expect(launches >= 143 && free.outcome("event_launches_per_day") == Double(launches))
    }

    @Test func `an hour of deep doze has seven alarms for idle phones, and a hand lets all go off`() throws {
        var rows = Self.rows
        rows += ["12000,unlock,,", "12010,lock,,"]
        let (starts, _, _) = try alarms(try alarmed(.whileIdle, every: .minute, rows: rows))
        // From 3,000 s + 64.5 min to the window at 124.5 min.
        #expect(starts.count { $0 > 6870 && $0 < 10_470 } == 7)
        #expect(starts.count { $0 > 3000 && $0 < 6870 } >= 35)
        let exact = try alarms(try alarmed(.exact, every: .minutes(20), rows: rows)).starts
        #expect(exact.contains { abs($0 - 12_000) < 1e-6 })
        #expect(!exact.contains { $0 > 10_770 && $0 < 12_000 })
    }

    @Test func `apps ring together, which saves wake-ups`() throws {
        func wakes(_ kind: AlarmKind) throws -> (rung: Double, wakes: Double) {
            var day = try alarmed(kind, every: .hour)
            for index in day.apps.indices { day.apps[index].traits.alarms = day.apps[0].traits.alarms }
            day.scheduling = "immediate"
            let outcome = try day.run().outcome
            return (outcome("alarms_per_day"), outcome("alarm_wakeups_per_day"))
        }
        let (exact, together) = (try wakes(.exact), try wakes(.repeating))
        // Three apps an hour, at instants of their own; of three windows of 45 min at least two overlap.
        #expect(exact.rung == 72 && exact.wakes == 72)
        #expect(together.rung > 66 && together.rung <= 72 && together.wakes <= 48, "\(together)")
    }

    @Test func `iOS has no alarms, and Android 14 gives no permission for exact ones`() throws {
        var day = try alarmed(.exact, every: .hour)
        day.device.background = BackgroundParameters()
        #expect(try alarms(day).starts.isEmpty)
        day.device.background = BackgroundParameters(.android)
        day.scheduling = "immediate"
        #expect(try alarms(day).rows.allSatisfy { $0.started == $0.submitted })
        day.device.os = try #require(OSProfile.named("android-14", ram: day.device.memory.ram))
        let inexact = try alarms(day).rows
        #expect(!inexact.isEmpty && inexact.allSatisfy { ($0.started - $0.submitted).seconds == 2700 })
    }

    @Test func `a swipe keeps the alarms of an app`() throws {
        var rows = Self.rows
        rows.insert("200,force_quit,app-0,", at: 3)
        var day = try alarmed(.exact, every: .hour, rows: rows)
        day.scheduling = "immediate"
        #expect(try alarms(day).starts.count == 24)
        day.device.background.forceQuitStopsWork = true
        #expect(try alarms(day).starts.count <= 1)
    }

    @Test func `alarms that do not wake the phone wait for it, those of clocks wait for nothing`() throws {
        let rows = Self.rows + ["40000,unlock,,", "40600,lock,,"]
        var day = try alarmed(.exact, every: .minutes(10), rows: rows)
        day.apps[0].traits.alarms.wakesPhone = false
        let (starts, _, outcome) = try alarms(day)
        #expect(outcome("alarm_wakeups_per_day") == 0 && outcome("alarms_per_day") == Double(starts.count))
        // Every ten minutes while the display is on, from the unlock on.
        #expect(starts.filter { $0 > 3000 } == [40_000, 40_600] && starts.count { $0 < 3000 } == 5, "\(starts)")
        let clock = try alarmed(.clock, every: .minutes(10), rows: rows)
        let rung = try alarms(clock)
        #expect(rung.starts.count == 144 && rung.rows.allSatisfy { $0.started == $0.submitted })
    }

    /// Deep doze begins at 6,870 s, and holds no alarm of an app with unrestricted use of the battery.
    @Test func `an alarm that does not wake the phone is no wake-up, even when doze holds one that would`() throws {
        var day = try alarmed(.exact, every: .minutes(10))
        day.apps[1].traits.alarms = day.apps[0].traits.alarms
        day.apps[1].traits.alarms.wakesPhone = false
        day.apps[1].traits.battery = .unrestricted
        let (_, rows, outcome) = try alarms(day)
        func instants(_ app: AppID) -> Set<Double> { Set(rows.filter { $0.app == app }.map(\.started.seconds)) }
        let alone = instants(AppID(1)).subtracting(instants(AppID(0))).filter { $0 > 6870 }
        // Ten minutes after the last alarm before doze, and ten minutes after the first of each of its five windows.
        #expect(alone.count == 6, "\(alone)")
        #expect(outcome("alarm_wakeups_per_day") == Double(instants(AppID(0)).count))
    }

    /// The battery is empty within an hour of use, and the phone starts again on the charger at 60,000 s.
    @Test func `a phone that died in use starts dark, so alarms that do not wake it wait for its user`() throws {
        var day = try alarmed(
            .exact, every: .minutes(10),
            rows: [
                "0,network,,wifi", "100,unlock,,", "100,open,app-0,50000", "59000,lock,,", "60000,plug,,10",
                "80000,unlock,,", "80300,lock,,",
            ])
        day.apps[0].traits.alarms.wakesPhone = false
        day.device.power.battery = BatteryParameters(capacity: .milliampereHours(150))
        let (starts, _, outcome) = try alarms(day)
        // Any time off shows that the battery was empty.
        #expect(outcome("dead_hours_per_day") > 0)
        // The next one would be due at 80,600 s, when the display is off again.
        #expect(starts.filter { $0 > 59_000 } == [80_000], "\(starts)")
    }

    @Test func `the battery saver holds alarms until it ends, but those of clocks`() throws {
        let rows = Self.rows + ["20000,low_power_mode,,on", "40000,low_power_mode,,off"]
        func starts(_ kind: AlarmKind) throws -> [Double] {
            var day = try alarmed(kind, every: .hour, rows: rows)
            day.scheduling = "immediate"
            return try alarms(day).starts
        }
        let exact = try starts(.exact)
        #expect(!exact.contains { $0 > 20_000 && $0 < 40_000 } && exact.contains(40_000), "\(exact)")
        #expect(exact.count { $0 < 20_000 } >= 5 && exact.count { $0 > 40_000 } >= 12)
        #expect(try starts(.clock).count == 24)
    }

    // MARK: Messages

    @Test func `a message of high priority runs its app in Doze, until too few notifications follow`() throws {
        func count(_ shown: Double, _ change: (inout PushParameters) -> Void = { _ in }) throws -> RunOutcome {
            var day = try day {
                $0.traits.silentPushesPerDay = 200
                $0.traits.urgentShare = 1
                $0.traits.urgentShownShare = shown
            }
            change(&day.device.background.pushes)
            let (outcome, rows) = try day.run(tables: [.requests, .events])
            let events = rows.events
            #expect(outcome("urgent_pushes_per_day") == Double(events.count { $0.event == .urgentPush }))
            #expect(outcome("downgraded_pushes_per_day") == Double(events.count { $0.event == .downgradedPush }))
            return outcome
        }
        let all = try count(1)
        #expect(all("urgent_pushes_per_day") > 150 && all("downgraded_pushes_per_day") == 0)
        #expect(all("silent_push_delay_s_p95") == 0)
        #expect(all("local_notifications_per_day") == all("urgent_pushes_per_day"))
        let none = try count(0)
        #expect(none("urgent_pushes_per_day") == 10 && none("downgraded_pushes_per_day") > 140)
        #expect(none("silent_push_delay_s_p95") > 100)
        let lenient = try count(0) { $0.downgrades = false }
        #expect(lenient("downgraded_pushes_per_day") == 0 && lenient("local_notifications_per_day") == 0)
        // Where the system knows no priorities, none is drawn.
        let plain = try count(1) { $0.hasUrgent = false }
        #expect(plain("urgent_pushes_per_day") == 0)
    }

    // MARK: Motion

    @Test func `a phone in a pocket that travels leaves Doze`() throws {
        // Taken up a few times a day, and seldom charged.
        var persona = TestWorld.persona
        persona.pickups.perDay = 4
        persona.charging.nightProbability = 0.3
        persona.places.commute = [8.0...9.0, 17.0...18.0]
        let apps = TestWorld.apps(3) {
            $0.traits.alarms.every = .minutes(5)
            $0.traits.alarms.kind = .exact
        }
        var device = TestWorld.device()
        device.os = try #require(OSProfile.named("android-13", ram: device.memory.ram))
        device.background = BackgroundParameters(.android)
        device.background.alarms.isLimitedByBucket = false
        func late(_ doze: String) throws -> Double {
            var specification = TestWorld.specification(
                apps: apps, persona: persona, device: device, days: 7, scheduling: "jobscheduler")
            let entry = try #require(SchedulingPolicies.all.first { $0.descriptor.name == "jobscheduler" })
            let parameters = entry.descriptor.parameters
            var values = parameters.map(\.defaultValue)
            let index = try #require(parameters.firstIndex { $0.name == "doze" })
            guard case .choice(let words) = parameters[index].dimension else { return .nan }
            values[index] = Double(try #require(words.firstIndex(of: doze)))
            let arguments = values
            specification.makeScheduling = { entry.make(PolicyArguments(values: arguments, seed: $0)) }
            return simulate(specification)("alarms_per_day")
        }
        let (still, moving, light) = (try late("full"), try late("motion"), try late("light"))
        // Light doze holds no alarm: three apps, every five minutes.
        #expect(light <= 864)
        #expect(still < 0.95 * moving && moving < light, "\(still) \(moving) \(light)")
    }
}
