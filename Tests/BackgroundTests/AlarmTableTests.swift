// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Background

/// Android's alarms against the constants of AlarmManagerService.
@Suite struct AlarmTableTests {
    private static let rules: AlarmParameters = {
        var rules = AlarmParameters()
        rules.areKept = true
        return rules
    }()

    private func app(_ kind: AlarmKind, every: SimDuration, window: SimDuration = .zero) -> AppModel {
        var app = AppModel(name: "app", category: "test")
        app.traits.alarms.every = every
        app.traits.alarms.kind = kind
        app.traits.alarms.window = window
        return app
    }

    private func table(_ apps: [AppModel], _ rules: AlarmParameters = rules, mayBeExact: Bool = true) -> AlarmTable {
        AlarmTable(apps: apps, parameters: rules, mayBeExact: mayBeExact)
    }

    private func still(_ seconds: Double) -> AlarmConditions {
        AlarmConditions(now: .seconds(seconds), pluggedIn: false)
    }

    /// When the phone wakes for an alarm that is due at 100,000 s.
    private func late(_ app: AppModel, mayBeExact: Bool = true) -> Double {
        var table = table([app], mayBeExact: mayBeExact)
        table.set(AppID(0), due: .seconds(100_000))
        return (table.nextWake - SimTime.seconds(100_000)).seconds
    }

    @Test func `windows are three quarters of an interval, an hour for one that does not repeat`() {
        #expect(late(app(.repeating, every: .hour)) == 2700)
        #expect(late(app(.repeating, every: .hours(4))) == 10_800)
        #expect(late(app(.inexact, every: .hour)) == 2700)
        #expect(late(app(.inexact, every: .hours(4))) == 3600)
        #expect(late(app(.whileIdle, every: .hours(4))) == 3600)
        // What is due in less than ten seconds has none; an interval is a minute at the least.
        #expect(late(app(.inexact, every: .seconds(9))) == 0)
        #expect(late(app(.inexact, every: .seconds(10))) == 7.5)
        #expect(late(app(.repeating, every: .seconds(9))) == 45)
        #expect(late(app(.window, every: .hour, window: .minutes(5))) == 600)
        #expect(late(app(.window, every: .hour, window: .minutes(25))) == 1500)
        #expect(late(app(.exact, every: .hour)) == 0)
        #expect(late(app(.exactWhileIdle, every: .hour)) == 0)
    }

    @Test func `without the permission nothing is exact`() {
        #expect(late(app(.exact, every: .hour), mayBeExact: false) == 2700)
        #expect(late(app(.exactWhileIdle, every: .hours(4)), mayBeExact: false) == 3600)
        #expect(late(app(.window, every: .hour, window: .minutes(25)), mayBeExact: false) == 1500)
    }

    @Test func `when one must go off, all go off whose window is open`() {
        var table = table([
            app(.exact, every: .hour), app(.repeating, every: .hour), app(.inexact, every: .hour),
            AppModel(name: "none", category: "test"),
        ])
        #expect(table.apps == [AppID(0), AppID(1), AppID(2)])
        for (index, due) in [1000.0, 900, 1100].enumerated() { table.set(AppID(index), due: .seconds(due)) }
        let rung1 = table.ring(still(999)) { _ in .active }
        #expect(rung1.isEmpty)
        #expect(table.nextWake == .seconds(1000))
        let rung = table.ring(still(1000)) { _ in .active }
        #expect(rung.map(\.app) == [AppID(0), AppID(1)])
        #expect(rung.map(\.due) == [.seconds(1000), .seconds(900)])
        // The third closes at 1100 + 2700 s, before the next of the first; one that repeats keeps its beat.
        #expect(table.nextWake == .seconds(3800))
        let rung2 = table.ring(still(3800)) { _ in .active }
        #expect(rung2.map(\.app) == [AppID(2)])
        let rung3 = table.ring(still(4600)) { _ in .active }
        #expect(rung3.map(\.due) == [.seconds(4600), .seconds(4500)])
    }

    @Test func `an alarm clock needs no permission, and nothing holds it`() {
        #expect(late(app(.clock, every: .hour), mayBeExact: false) == 0)
        let clock = app(.clock, every: .minute)
        let times = rings(clock, hours: 2, in: .restricted) {
            AlarmConditions(now: $0, pluggedIn: false, idleUntil: .zero + .hours(5), saver: true)
        }
        #expect(times.count == 120)
    }

    @Test func `an app that may use the battery without restriction has alarms as clocks have`() {
        var free = app(.exact, every: .minute)
        free.traits.battery = .unrestricted
        #expect(late(free, mayBeExact: false) == 0)
        let times = rings(free, hours: 2, in: .restricted) {
            AlarmConditions(now: $0, pluggedIn: false, idleUntil: .zero + .hours(5), saver: true)
        }
        #expect(times.count == 120)
    }

    @Test func `exact ones for idle phones are exempt from buckets, and no other kind is`() {
        func count(_ kind: AlarmKind) -> Int {
            rings(app(kind, every: .minutes(5)), hours: 2, in: .restricted) {
                AlarmConditions(now: $0, pluggedIn: false)
            }.count
        }
        #expect(count(.exactWhileIdle) == 24)
        #expect(count(.exact) == 1)
        #expect(count(.whileIdle) == 1)
    }

    /// When an alarm that does not wake the phone goes off, of one that is asked every ten seconds.
    private func other(lastAlarm: Double, darkSince: Double?) -> Double? {
        var quiet = app(.exact, every: .hours(30))
        quiet.traits.alarms.wakesPhone = false
        var table = table([app(.exact, every: .hours(30)), quiet])
        table.set(AppID(0), due: .seconds(lastAlarm))
        table.set(AppID(1), due: .seconds(lastAlarm + 20))
        #expect(table.nextWake == .seconds(lastAlarm) && table.nextOfOthers == .seconds(lastAlarm + 20))
        for step in 0..<1000 {
            var present = still(lastAlarm + 10 * Double(step))
            present.darkSince = darkSince.map { .seconds($0) }
            let rung = table.ring(present) { _ in .active }
            #expect(step > 0 || rung.map(\.app) == [AppID(0)])
            if rung.contains(where: { $0.app == AppID(1) }) { return 10 * Double(step) }
        }
        return nil
    }

    @Test func `one that does not wake the phone waits for it, up to an hour after the last`() {
        #expect(other(lastAlarm: 10_000, darkSince: nil) == 20)
        // By the time that the display has been off.
        #expect(other(lastAlarm: 10_000, darkSince: 10_000) == 120)
        #expect(other(lastAlarm: 10_000, darkSince: 9_800) == 900)
        #expect(other(lastAlarm: 10_000, darkSince: 5_000) == 3600)
    }

    @Test func `one that does not wake the phone goes off with one that does`() {
        var quiet = app(.exact, every: .hours(30))
        quiet.traits.alarms.wakesPhone = false
        var table = table([app(.exact, every: .hour), quiet])
        table.set(AppID(0), due: .seconds(1000))
        table.set(AppID(1), due: .seconds(900))
        var present = still(950)
        present.darkSince = .seconds(900)
        #expect(table.nextWake == .seconds(1000))
        let early = table.ring(present) { _ in .active }
        #expect(early.map(\.app) == [AppID(1)])
        table.set(AppID(1), due: .seconds(960))
        present.now = .seconds(1000)
        let both = table.ring(present) { _ in .active }
        #expect(both.map(\.app) == [AppID(0), AppID(1)])
    }

    @Test func `one that repeats skips what it missed`() {
        var table = table([app(.repeating, every: .minutes(10))])
        table.set(AppID(0), due: .seconds(600))
        let rung4 = table.ring(still(4000)) { _ in .active }
        #expect(rung4.map(\.due) == [.seconds(600)])
        #expect(table.nextWake == .seconds(4200 + 450))
    }

    @Test func `a phone without alarms keeps none`() {
        let table = AlarmTable(apps: [app(.exact, every: .hour)], parameters: AlarmParameters(), mayBeExact: true)
        #expect(table.apps.isEmpty && table.nextWake == .distantFuture)
    }

    /// The instants at which the alarm of one app goes off, in seconds.
    private func rings(
        _ app: AppModel, hours: Double, in bucket: StandbyBucket = .active, rules: AlarmParameters = rules,
        _ conditions: (SimTime) -> AlarmConditions
    ) -> [Double] {
        var table = table([app], rules)
        table.set(AppID(0), due: .zero)
        var times: [Double] = []
        while table.nextWake < .zero + .hours(hours) {
            let now = table.nextWake
            let rung = table.ring(conditions(now)) { _ in bucket }
            if !rung.isEmpty { times.append((now - SimTime.zero).seconds) }
        }
        return times
    }

    @Test(arguments: [
        (StandbyBucket.active, 60), (.workingSet, 10), (.frequent, 2), (.rare, 1), (.restricted, 1),
    ])
    func `an app has so many an hour by its bucket`(bucket: StandbyBucket, count: Int) {
        let everyMinute = app(.exact, every: .minute)
        let free = { AlarmConditions(now: $0, pluggedIn: false) }
        #expect(rings(everyMinute, hours: 1, in: bucket, free).count == count)
        let day = bucket == .restricted ? 1 : count * 24
        #expect(rings(everyMinute, hours: 24, in: bucket, free).count == day)
        #expect(rings(everyMinute, hours: 1, in: bucket) { AlarmConditions(now: $0, pluggedIn: true) }.count == 60)
        var unlimited = Self.rules
        unlimited.isLimitedByBucket = false
        #expect(rings(everyMinute, hours: 1, in: bucket, rules: unlimited, free).count == 60)
    }

    @Test func `an hour rolls on`() {
        let found = rings(app(.exact, every: .minutes(20)), hours: 3, in: .frequent) {
            AlarmConditions(now: $0, pluggedIn: false)
        }
        // The third waits until the first is an hour old, and is set again 20 min after it went off.
        #expect(found == [0, 1200, 3600, 4800, 7200, 8400])
    }

    @Test func `in deep doze seven an hour go off that may while the phone is idle, 72 of them where exact`() {
        let idle = { (now: SimTime) in
            AlarmConditions(now: now, pluggedIn: false, idleUntil: .zero + .hours(6))
        }
        let often = SimDuration.seconds(20)
        #expect(rings(app(.whileIdle, every: often), hours: 1, idle).count == 7)
        #expect(rings(app(.whileIdle, every: often), hours: 5, idle).count == 35)
        #expect(rings(app(.exactWhileIdle, every: often), hours: 1, idle).count == 72)
        #expect(rings(app(.exactWhileIdle, every: .minutes(10)), hours: 2, idle).count == 12)
        // Others wait for the window of maintenance.
        #expect(rings(app(.exact, every: often), hours: 6, idle).isEmpty)
        var rare = Self.rules
        rare.whileIdlePerHour = 2
        #expect(rings(app(.whileIdle, every: often), hours: 1, rules: rare, idle).count == 2)
    }

    @Test func `a window of maintenance lets all go off, and the allowance counts only while idle`() {
        var table = table([app(.exact, every: .hour), app(.whileIdle, every: .minute)])
        table.set(AppID(0), due: .seconds(10))
        table.set(AppID(1), due: .seconds(10))
        let dozing = AlarmConditions(now: .seconds(60), pluggedIn: false, idleUntil: .seconds(3000))
        let rung5 = table.ring(dozing) { _ in .active }
        #expect(rung5.map(\.app) == [AppID(1)])
        var open = dozing
        (open.now, open.idleUntil) = (.seconds(3000), nil)
        let rung6 = table.ring(open) { _ in .active }
        #expect(rung6.map(\.app) == [AppID(0), AppID(1)])
    }

    @Test func `the battery saver holds alarms until it ends, but for a few`() {
        var table = table([app(.exact, every: .hour)])
        table.set(AppID(0), due: .seconds(10))
        let saving = AlarmConditions(now: .seconds(10), pluggedIn: false, saver: true)
        let rung7 = table.ring(saving) { _ in .active }
        #expect(rung7.isEmpty)
        #expect(table.nextWake == .distantFuture)
        table.reconsider()
        #expect(table.nextWake == .seconds(10))
        let rung8 = table.ring(still(50)) { _ in .active }
        #expect(rung8.map(\.due) == [.seconds(10)])
        let few = rings(app(.whileIdle, every: .minute), hours: 2) {
            AlarmConditions(now: $0, pluggedIn: false, saver: true)
        }
        #expect(few.count == 14)
    }
}

/// Messages of high priority against Firebase's rules.
@Suite struct UrgentMessageTests {
    private static let app = AppID(1)

    private func messages(_ change: (inout PushParameters) -> Void = { _ in }) -> UrgentMessages {
        var parameters = PushParameters()
        change(&parameters)
        return UrgentMessages(apps: 3, parameters: parameters)
    }

    @Test func `ten messages without a notification make the next normal ones, for seven days`() {
        var messages = messages()
        for minute in 0..<10 {
            #expect(messages.passes(Self.app, .active, at: .zero + .minutes(Double(minute))))
            messages.record(Self.app, shown: minute < 4, at: .zero + .minutes(Double(minute)))
        }
        #expect(!messages.passes(Self.app, .active, at: .zero + .hour))
        #expect(messages.passes(AppID(0), .active, at: .zero + .hour))
        #expect(!messages.passes(Self.app, .active, at: .zero + .days(6.9)))
        #expect(messages.passes(Self.app, .active, at: .zero + .days(7)))
        // Half of them is enough.
        messages.record(Self.app, shown: true, at: .zero + .hour)
        messages.record(Self.app, shown: true, at: .zero + .hour)
        #expect(messages.passes(Self.app, .active, at: .zero + .hour))
        var free = self.messages { $0.downgrades = false }
        for _ in 0..<20 { free.record(Self.app, shown: false, at: .zero) }
        #expect(free.passes(Self.app, .active, at: .zero))
    }

    @Test(arguments: [(StandbyBucket.active, 100), (.workingSet, 100), (.frequent, 10), (.rare, 5), (.restricted, 5)])
    func `until Android 12 an app had so many a day by its bucket`(bucket: StandbyBucket, count: Int) {
        var messages = messages { $0.isLimitedByBucket = true }
        for day in [0.0, 1] {
            var passed = 0
            for minute in 0..<100 {
                let now = SimTime.zero + .days(day) + .minutes(Double(minute))
                guard messages.passes(Self.app, bucket, at: now) else { continue }
                passed += 1
                messages.record(Self.app, shown: true, at: now)
            }
            #expect(passed == count)
        }
    }
}
