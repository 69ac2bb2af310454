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

    @Test func `no more than half of a user's visits can be stated`() {
        // 95 pick-ups, 80 % of them with apps, 2.6 apps each.
        #expect(abs(StatedOpens.most(for: averagePersona()) - 95 * 0.8 * 2.6 / 2) < 1e-9)
    }
}
