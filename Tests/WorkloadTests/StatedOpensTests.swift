// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import WorkloadFixtures

@testable import Workload

/// An app of which the experiment says how often it is opened.
@Suite struct StatedOpensTests {
    private func intents(_ apps: [AppModel], days: Int) -> [Intent] {
        var workload = PersonaWorkload(
            persona: averagePersona(), apps: apps, seed: 3, replication: 0, startWeekday: 0, days: days)
        var all: [Intent] = []
        var day: [Intent] = []
        while workload.nextDay(into: &day) { all += day }
        return all
    }

    private func apps(stated: Double?) -> [AppModel] {
        var apps = (0..<40).map { number in
            var app = AppModel(name: "app-\(number)", category: "utility")
            app.popularity = 1 / Double(number + 1)
            return app
        }
        if let stated {
            var own = AppModel(name: "own", category: "utility")
            own.opensPerDay = stated
            apps.append(own)
        }
        return apps
    }

    @Test func `it is opened so often, never twice in a row within a session`() {
        // 300 days of 6 opens: the standard deviation of the mean is near √(6 · 1.5 / 300) = 0.17, as days differ.
        let all = intents(apps(stated: 6), days: 300)
        let opens = all.filter { $0.kind == .open && $0.app == AppID(40) }
        #expect(abs(Double(opens.count) / 300 - 6) < 0.7, "\(Double(opens.count) / 300)")
        var last = AppID.system
        for intent in all {
            if intent.kind == .lock { last = .system }
            guard intent.kind == .open else { continue }
            #expect(intent.app != AppID(40) || last != AppID(40))
            last = intent.app
        }
    }

    /// Without answers the app of every fifth visit; with one before each third, as many in all.
    @Test func `an answer stands for a stated open, and none follows it at once`() {
        func opens(answers: Bool) -> (all: Int, chosen: Int, doubled: Int) {
            var own = AppModel(name: "own", category: "utility")
            own.opensPerDay = 20
            var stated = StatedOpens(
                apps: [AppModel(name: "other", category: "utility"), own], visitsPerDay: 100,
                stream: StreamKeys(seed: 5, replication: 0).stream("stated-opens"))
            var (answered, chosen, doubled) = (0, 0, 0)
            stated.beginSession()
            for visit in 0..<60_000 {
                let isAnswer = answers && visit % 10 == 0
                if isAnswer {
                    stated.opened(AppID(1))
                    answered += 1
                }
                guard stated.next(insteadOf: AppID(0)) == AppID(1) else { continue }
                chosen += 1
                if isAnswer { doubled += 1 }
            }
            return (answered + chosen, chosen, doubled)
        }
        // One deviation of 12,000 of 60,000 is near 120.
        let (plain, answered) = (opens(answers: false), opens(answers: true))
        #expect(abs(plain.all - 12_000) < 500)
        #expect(answered.doubled == 0 && answered.all - answered.chosen == 6_000)
        #expect(abs(answered.all - 12_000) < 1_200, "\(answered)")
    }

    @Test func `sessions and the order of all other apps stay as they are`() {
        let without = intents(apps(stated: nil), days: 30)
        let with = intents(apps(stated: 6), days: 30)
        func opens(_ intents: [Intent]) -> [Intent] { intents.filter { $0.kind == .open } }
        #expect(opens(with).count == opens(without).count)
        for (one, other) in zip(opens(with), opens(without)) where one.app != AppID(40) {
            #expect(one.time == other.time && one.app == other.app && one.value == other.value)
        }
        let others = { (intents: [Intent]) in intents.filter { $0.kind == .unlock || $0.kind == .plug }.map(\.time) }
        #expect(others(with) == others(without))
    }

    /// Of all opens those of the last app, and of the visits of whole days those of it that are in a row.
    private func share(_ persona: Persona, stated: Double, pushes: Double) -> (share: Double, perDay: Double) {
        var apps = apps(stated: nil)
        for index in 0..<20 { apps[index].pushesPerDay = 8 }
        apps[3].category = "video"
        var own = AppModel(name: "own", category: "utility")
        own.opensShare = stated
        own.isStudied = true
        own.pushesPerDay = pushes
        apps.append(own)
        var workload = PersonaWorkload(
            persona: persona, apps: apps, seed: 3, replication: 0, startWeekday: 0, days: 200)
        var (opens, owns) = (0.0, 0.0)
        var day: [Intent] = []
        while workload.nextDay(into: &day) {
            for intent in day where intent.kind == .open {
                opens += 1
                if intent.app == AppID(40) { owns += 1 }
            }
        }
        return (owns / opens, owns / 200)
    }

    @Test func `a share is one of all opens, of answers to notifications and episodes too`() {
        // Some 30,000 opens: the standard deviation of a share of 4 % is 0.0014 with what repeats in a session.
        var persona = averagePersona()
        let plain = share(persona, stated: 0.04, pushes: 0)
        #expect(abs(plain.share - 0.04) < 0.004, "\(plain)")
        persona.episodes.shareOfLaunches = 0.3
        var habits = Persona.Notifications()
        habits.answerShare = 0.5
        habits.answerDelay = LogNormal(mu: 3, sigma: 1.5)
        persona.notifications = habits
        let busy = share(persona, stated: 0.04, pushes: 0)
        #expect(abs(busy.share - 0.04) < 0.004, "\(busy)")
        let answered = share(persona, stated: 0.1, pushes: 20)
        #expect(abs(answered.share - 0.1) < 0.008, "\(answered)")
        // Who picks the phone up half as often opens it half as often.
        var calm = averagePersona()
        calm.pickups.perDay /= 2
        let less = share(calm, stated: 0.04, pushes: 0)
        #expect(abs(less.perDay / plain.perDay - 0.5) < 0.08, "\(less) \(plain)")
    }

    @Test func `no more than half of a user's visits can be stated`() {
        // 95 pick-ups, 80 % of them with apps, 2.6 apps each.
        #expect(abs(StatedOpens.most(for: averagePersona()) - 95 * 0.8 * 2.6 / 2) < 1e-9)
    }
}
