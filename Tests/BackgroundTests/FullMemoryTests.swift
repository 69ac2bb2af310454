// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Background

/// Memories of a fixed length, filled beyond their length, and slots that become free again.
@Suite struct FullMemoryTests {
    private let app = AppID(0)

    /// The history holds 720 alarms, as many as the active bucket allows in an hour.
    @Test func `an alarm every four seconds goes off 720 times in each of three hours`() {
        var parameters = AlarmParameters()
        parameters.areKept = true
        var model = AppModel(name: "app", category: "test")
        model.traits.alarms.every = .seconds(4)
        model.traits.alarms.kind = .exact
        var table = AlarmTable(apps: [model], parameters: parameters, mayBeExact: true)
        table.set(app, due: .zero)
        var times: [Double] = []
        while table.nextWake < .zero + .hours(3) {
            let now = table.nextWake
            let rung = table.ring(AlarmConditions(now: now, pluggedIn: false)) { _ in .active }
            if !rung.isEmpty { times.append(now.seconds) }
        }
        // The 720th goes off at 719 * 4 s = 2,876 s. The next waits until the first is an hour old, and so on.
        let expected = [0.0, 3600, 7200].flatMap { hour in (0..<720).map { hour + 4 * Double($0) } }
        #expect(times == expected)
    }

    /// Two messages a day, none of which shows a notification: seven days have fourteen of them.
    @Test(arguments: [(14, false), (15, true)])
    func `of three weeks of messages the last seven days count`(least: Int, passes: Bool) {
        var parameters = PushParameters()
        parameters.downgradeCount = least
        var messages = UrgentMessages(apps: 2, parameters: parameters)
        for day in 0..<21 {
            for hour in [8.0, 20] {
                messages.record(app, shown: false, at: .zero + .days(Double(day)) + .hours(hour))
            }
        }
        #expect(messages.passes(app, .active, at: .zero + .days(20) + .hours(21)) == passes)
        // A day later one of the seven days is new and has none: twelve are too few for a downgrade.
        #expect(messages.passes(app, .active, at: .zero + .days(21)))
    }

    @Test func `thirty runs in a row without completion hold the next back for a day and no longer`() {
        var table = makeTable()
        var time = SimTime.zero + .hours(10)
        var hours: [Double] = []
        for _ in 0..<30 {
            _ = table.submitRefresh(0, at: time)
            let start = table.ask(0, at: time)
            #expect(start.action == .start)
            time += .seconds(30)
            table.finish(app, .refresh, .expired, at: time)
            _ = table.submitRefresh(0, at: time)
            let answer = table.ask(0, at: time)
            #expect(answer.reason == .system(.throttled))
            hours.append((answer.wakeAt - time).seconds / 3600)
            time = answer.wakeAt
        }
        // An hour, doubled each time, and at most a day.
        #expect(hours == [1, 2, 4, 8, 16] + Array(repeating: 24, count: 25))
    }

    /// A day times 2^17 is more nanoseconds than 64 bits hold.
    @Test func `a throttle of a day does not grow, after any number of runs without completion`() {
        var parameters = BackgroundParameters()
        (parameters.throttle, parameters.longestThrottle) = (.day, .day)
        var table = makeTable(parameters: parameters)
        var time = SimTime.zero + .hours(10)
        for _ in 0..<25 {
            _ = table.submitRefresh(0, at: time)
            let start = table.ask(0, at: time)
            #expect(start.action == .start)
            table.finish(app, .refresh, .expired, at: time + .seconds(30))
            _ = table.submitRefresh(0, at: time + .seconds(30))
            let answer = table.ask(0, at: time + .seconds(30))
            #expect(answer.wakeAt == time + .seconds(30) + .day)
            time = answer.wakeAt
        }
    }

    @Test func `a slot is free after each way in which a task can end`() {
        var tasks = ContinuedTasks()
        tasks.limit = 1
        for index in 0..<5 { _ = tasks.submit(AppID(index), isForeground: true, at: .zero) }
        #expect(tasks.running.map(\.app) == [AppID(0)] && tasks.queued.count == 4)
        // Done.
        let done = tasks.finish(AppID(0))
        let second = tasks.startNext(at: .zero)
        #expect(done?.app == AppID(0) && second?.app == AppID(1))
        // Ended under pressure.
        let shed = tasks.shed()
        let third = tasks.startNext(at: .zero)
        #expect(shed?.app == AppID(1) && third?.app == AppID(2))
        // Without progress for longer than a minute.
        let stalled = tasks.endStalled(at: .seconds(61))
        let fourth = tasks.startNext(at: .seconds(61))
        #expect(stalled?.app == AppID(2) && fourth?.app == AppID(3))
        // Its app was removed from the app switcher.
        let removed = tasks.remove(AppID(3))
        let fifth = tasks.startNext(at: .seconds(61))
        #expect(removed.ended.map(\.app) == [AppID(3)] && fifth?.app == AppID(4))
        #expect(tasks.running.count == 1 && tasks.queued.isEmpty)
    }

    @Test func `a hundred times ten requests take the rows of the ten that may be pending`() {
        var table = makeTable(apps: 4)
        for round in 0..<100 {
            let time = SimTime.seconds(Double(round))
            for identifier in 0..<10 { _ = table.submitProcessing(0, identifier: UInt8(identifier), at: time) }
            let more = table.submitProcessing(0, identifier: 10, at: time)
            #expect(more.reason == .tooManyPending)
            #expect(table.pendingCount(app, .processing) == 10)
            table.cancel(app, .processing, at: time)
            #expect(table.pendingCount(app, .processing) == 0)
        }
        // A row for refreshes and ten for processing requests, with a slot for each of the four apps.
        #expect(table.rowCount == 11 && table.slots.count == 44)
    }

    @Test func `ten days without work leave a budget at the amount of one day`() {
        var parameters = BackgroundParameters()
        parameters.energyBudget = 12
        var budgets = Budgets(parameters)
        let now = SimTime.zero + .days(10)
        let taken = budgets.reserve(BudgetShare(units: 100), at: now)
        #expect(taken.units == 12)
        let empty = budgets.left(at: now).energy
        // Twelve hours give half of the amount back, and ten days all of it.
        let half = budgets.left(at: now + .hours(12)).energy
        let full = budgets.left(at: now + .days(10)).energy
        #expect([empty, half, full] == [0, 0.5, 1])
    }
}
