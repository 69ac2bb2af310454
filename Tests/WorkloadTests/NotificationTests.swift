// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Quantities
import Testing
import Vocabulary
import WorkloadFixtures

@testable import Workload

@Suite struct NotificationTests {
    private static let days = 60
    private static let apps = (0..<40).map { number in
        var app = AppModel(name: "app \(number)", category: number % 5 == 0 ? "messaging" : "utility")
        app.popularity = 100 / Double(number + 1)
        app.pushesPerDay = number < 24 ? 10 : 0
        return app
    }

    private static func persona(_ change: (inout Persona.Notifications) -> Void = { _ in }) -> Persona {
        var persona = averagePersona()
        var habits = Persona.Notifications()
        habits.inUseShare = 0.3
        habits.replyDelay = LogNormal(mu: 3.7, sigma: 1.4)
        habits.burstShare = 0.06
        habits.followShare = 0.2
        habits.followDelay = LogNormal(mu: 4, sigma: 1.2)
        habits.zipf = 1.4
        habits.favourites = 0.3
        habits.answerShare = 0.2
        habits.answerDelay = LogNormal(mu: 3, sigma: 1.5)
        change(&habits)
        persona.notifications = habits
        return persona
    }

    private static func intents(
        _ persona: Persona, replication: Int = 0, apps: [AppModel] = apps, lostAlerts: Double = 0
    ) -> [Intent] {
        var workload = PersonaWorkload(
            persona: persona, apps: apps, seed: 5, replication: replication, startWeekday: 0, days: days,
            lostAlerts: lostAlerts)
        var all: [Intent] = []
        var day: [Intent] = []
        while workload.nextDay(into: &day) { all += day }
        return all
    }

    private static func pushes(_ intents: [Intent]) -> [Intent] { intents.filter { $0.kind == .push } }

    /// Share of the pushes whose app is opened within a time.
    private static func opened(within seconds: Double, _ intents: [Intent]) -> Double {
        var next: [AppID: SimTime] = [:]
        var (opened, all) = (0.0, 0.0)
        for intent in intents.reversed() {
            if intent.kind == .open { next[intent.app] = intent.time }
            guard intent.kind == .push else { continue }
            all += 1
            if let time = next[intent.app], (time - intent.time).seconds <= seconds { opened += 1 }
        }
        return opened / all
    }

    @Test func `as many come as the persona says, and days differ far more than Poisson's`() {
        let counts = (0..<6).flatMap { replication in
            Dictionary(grouping: Self.pushes(Self.intents(Self.persona(), replication: replication)), by: \.time.day)
                .values.map { Double($0.count) }
        }
        let moments = Moments(counts)
        #expect(abs(moments.mean / 130 - 1) < 0.15)
        // Two users' logs have 11 and 26.
        #expect(moments.variance / moments.mean > 6 && moments.variance / moments.mean < 40)
    }

    @Test func `answers take the turns of planned opens and add none`() {
        let without = Self.intents(Self.persona { $0.answerShare = 0 })
        let with = Self.intents(Self.persona())
        func sessions(_ intents: [Intent]) -> [SimTime] { intents.filter { $0.kind == .unlock }.map(\.time) }
        func opens(_ intents: [Intent]) -> Double { Double(intents.count { $0.kind == .open }) }
        // Visits of another app last a little longer or shorter, which moves the sessions after them.
        #expect(abs(Double(sessions(with).count) / Double(sessions(without).count) - 1) < 0.03)
        #expect(abs(opens(with) / opens(without) - 1) < 0.03)
        // Of the fifth that is to be answered some would have been opened anyhow, and some finds no turn: 0.05 is left.
        let gain = Self.opened(within: 600, with) - Self.opened(within: 600, without)
        #expect(gain > 0.03 && gain < 0.1)
    }

    @Test func `apps in use notify more`() {
        let use = Self.intents(
            Self.persona {
                $0.inUseShare = 0.6; $0.answerShare = 0
            })
        let alone = Self.intents(
            Self.persona {
                $0.inUseShare = 0; $0.answerShare = 0
            })
        func whileOn(_ intents: [Intent]) -> Double {
            var isOn = false
            var (on, all) = (0.0, 0.0)
            for intent in intents {
                if intent.kind == .unlock { isOn = true }
                if intent.kind == .lock { isOn = false }
                if intent.kind == .push { all += 1; on += isOn ? 1 : 0 }
            }
            return on / all
        }
        #expect(whileOn(use) > whileOn(alone) + 0.15)
    }

    @Test func `who mutes every app is notified of nothing, and an own app cannot be muted`() {
        let muted = Self.persona { $0.mutedShare = 1 }
        #expect(Self.pushes(Self.intents(muted)).isEmpty)
        var apps = Self.apps
        apps[3].isStudied = true
        #expect(Set(Self.pushes(Self.intents(muted, apps: apps)).map(\.app)) == [AppID(3)])
    }

    @Test func `an own app notifies as often as it declares, whatever the others do`() {
        var apps = Self.apps
        apps[3].isStudied = true
        apps[3].pushesPerDay = 12
        apps[30].isStudied = true
        apps[30].pushesPerDay = 3
        func perDay(_ app: Int, _ persona: Persona, _ apps: [AppModel]) -> Double {
            let runs = (0..<6).map { Self.intents(persona, replication: $0, apps: apps) }
            let count = runs.reduce(0) { $0 + Self.pushes($1).count { $0.app == AppID(app) } }
            return Double(count) / Double(6 * Self.days)
        }
        // Its days are Poisson's times a factor of spread .35: over 360 of them a mean is good to 2 %.
        #expect(abs(perDay(3, Self.persona(), apps) / 12 - 1) < 0.1)
        #expect(abs(perDay(30, Self.persona(), apps) / 3 - 1) < 0.15)
        // Twice as many notifications are twice as many of every app.
        var busy = Self.persona()
        busy.notificationsPerDay = 260
        #expect(abs(perDay(3, busy, apps) / 24 - 1) < 0.1)
        // Alone on the phone it gets no other app's.
        #expect(abs(perDay(0, Self.persona(), [apps[3]]) / 12 - 1) < 0.1)
    }

    @Test func `bursts come within five seconds`() {
        func close(_ share: Double) -> Double {
            let pushes = Self.pushes(
                Self.intents(
                    Self.persona {
                        $0.burstShare = share; $0.answerShare = 0
                    }))
            let gaps = zip(pushes, pushes.dropFirst()).filter { $0.app == $1.app }.map { ($1.time - $0.time).seconds }
            return Double(gaps.count { $0 <= 5 }) / Double(pushes.count)
        }
        #expect(close(0.3) > close(0.05) + 0.17)
    }

    @Test func `the same person has the same notifications again, and a day holds them`() {
        let persona = Self.persona()
        #expect(Self.intents(persona) == Self.intents(persona))
        #expect(Self.intents(persona) != Self.intents(persona, replication: 1))
        let source = WorkloadSource.persona(
            PersonaWorkload(persona: persona, apps: Self.apps, seed: 5, replication: 0, startWeekday: 0, days: 2))
        #expect(source.holdsPushes)
        var file = WorkloadFile(of: source, apps: Self.apps, days: 2)
        let pushes = file.events.count { $0.kind == .push }
        #expect(pushes > 50)
        file.addArrivals(to: Self.apps, persona: persona, startWeekday: 0, seed: 5, replication: 0)
        #expect(file.events.count { $0.kind == .push } == pushes)
    }

    @Test func `a persona without these habits draws what it drew before`() {
        var plain = Self.persona()
        plain.notifications = nil
        #expect(Self.pushes(Self.intents(plain)).isEmpty)
        let source = WorkloadSource.persona(
            PersonaWorkload(persona: plain, apps: Self.apps, seed: 5, replication: 0, startWeekday: 0, days: 1))
        #expect(!source.holdsPushes)
    }

    // MARK: Notifications that apps schedule, and why apps are opened

    @Test func `an app schedules as many as it says, which come alone and are answered as others`() {
        var apps = Self.apps
        apps[0].traits.localPerDay = 8
        let intents = Self.intents(Self.persona { $0.answerShare = 0.4 }, apps: apps)
        let local = Self.pushes(intents).filter { $0.value == 1 }
        #expect(Set(local.map(\.app)) == [AppID(0)])
        // 480 of them: four deviations are 88.
        #expect(abs(Double(local.count) - 480) < 88)
        let answers = intents.filter { $0.kind == .open && $0.reason == .notification }
        #expect(answers.contains { $0.app == AppID(0) })
        // The others' notifications are those of a phone without it.
        let without = Self.pushes(Self.intents(Self.persona { $0.answerShare = 0 }))
        let with = Self.pushes(Self.intents(Self.persona { $0.answerShare = 0 }, apps: apps)).filter { $0.value == 0 }
        #expect(with.count == without.count)
    }

    @Test func `a persona without habits of notification shows what apps schedule, and answers none`() {
        var plain = Self.persona()
        plain.notifications = nil
        var apps = Self.apps
        apps[2].traits.localPerDay = 5
        let intents = Self.intents(plain, apps: apps)
        let pushes = Self.pushes(intents)
        #expect(pushes.allSatisfy { $0.app == AppID(2) && $0.value == 1 })
        #expect(abs(Double(pushes.count) - 300) < 70)
        #expect(!intents.contains { $0.reason == .notification })
    }

    @Test func `apps that were refused are never answered`() {
        var persona = Self.persona { $0.answerShare = 0.5 }
        #expect(Self.intents(persona).contains { $0.reason == .notification })
        persona.background.refusedShare = 1
        #expect(!Self.intents(persona).contains { $0.reason == .notification })
        persona.background.refusedShare = 0.5
        let refused = persona.refusals(of: Self.apps, StreamKeys(seed: 5, replication: 0))
        let answered = Self.intents(persona).filter { $0.reason == .notification }.map { Int($0.app.index) }
        #expect(answered.allSatisfy { !refused[$0] } && !answered.isEmpty)
        #expect(refused.contains(true) && refused.contains(false))
    }

    @Test func `alerts that never arrive are never answered`() {
        // Nothing follows visits, so that the same is sent whatever is answered.
        let persona = Self.persona {
            $0.answerShare = 0.5
            $0.inUseShare = 0
        }
        func answers(_ intents: [Intent]) -> [Intent] { intents.filter { $0.reason == .notification } }
        let (all, half) = (Self.intents(persona), Self.intents(persona, lostAlerts: 0.5))
        #expect(answers(Self.intents(persona, lostAlerts: 1)).isEmpty)
        #expect(Self.pushes(half).map(\.time) == Self.pushes(all).map(\.time))
        // Several alerts of an app that wait are answered by one open: more than half of the opens are left.
        let share = Double(answers(half).count) / Double(answers(all).count)
        #expect(share > 0.45 && share < 0.9, "\(share)")
        // Whoever carries the alerts out in their order loses the same ones.
        var lost = LostAlerts(apps: Self.apps, share: 0.5, keys: StreamKeys(seed: 5, replication: 0))
        var arrived = [SimTime](repeating: SimTime(nanoseconds: .min / 2), count: Self.apps.count)
        var (found, lostCount) = (0, 0)
        for intent in half {
            let index = Int(intent.app.index)
            if intent.kind == .push {
                if lost.next(of: intent.app) { lostCount += 1 } else { arrived[index] = intent.time }
            } else if intent.reason == .notification {
                found += 1
                #expect(intent.time - arrived[index] < .days(1))
            }
        }
        #expect(found == answers(half).count && found > 100)
        // Of some eight thousand, four deviations are 2.3 %.
        #expect(abs(Double(lostCount) / Double(Self.pushes(half).count) - 0.5) < 0.023)
    }

    @Test func `opens come by links, widgets and other apps as often as the persona says`() {
        var persona = Self.persona { $0.answerShare = 0 }
        #expect(Self.intents(persona).allSatisfy { $0.reason == .icon })
        persona.openedBy.link = 0.2
        persona.openedBy.widget = 0.3
        let opens = Self.intents(persona).filter { $0.kind == .open }
        func share(_ reason: OpenReason) -> Double {
            Double(opens.count { $0.reason == reason }) / Double(opens.count)
        }
        // Opens on the way to one from another app are by the icon, and an app does not come from itself.
        #expect(abs(share(.widget) - 0.3) < 0.05)
        #expect(share(.link) > 0.12 && share(.link) < 0.2)
        #expect(share(.app) == 0 && share(.shareSheet) == 0)
    }

    @Test func `an app that is opened from another has that one in front before, in the same session`() {
        var persona = Self.persona { $0.answerShare = 0 }
        persona.openedBy.app = 0.5
        var before: Intent?
        var found = 0
        for intent in Self.intents(persona) {
            if intent.kind == .unlock { before = nil }
            guard intent.kind == .open else { continue }
            if intent.reason == .app {
                found += 1
                #expect(before != nil && before?.app != intent.app)
            }
            before = intent
        }
        #expect(found > 500)
    }
}
