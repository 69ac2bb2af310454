// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import WorkloadFixtures

@testable import Workload

/// Apps and new versions that come to the phone.
@Suite struct InstallTests {
    private func intents(_ persona: Persona, days: Int) -> [Intent] {
        Array(allDays(persona, apps: someApps(80), days: days).days.joined())
    }

    @Test func `new versions come as often as was said, mostly at night`() {
        var persona = averagePersona()
        persona.installs.updatesPerMonth = 3
        persona.installs.nightShare = 0.25
        let updates = intents(persona, days: 300).filter { $0.kind == .install }
        #expect(updates.allSatisfy { $0.value == 1 })
        // 80 apps, 300 days: 2,400 expected, with a deviation of 46.
        #expect(abs(updates.count - 2400) < 150, "\(updates.count)")
        // Of what comes by day little comes between two and four.
        let night = updates.count { (2..<4).contains($0.time.hourOfDay) }
        #expect(abs(Double(night) / Double(updates.count) - 0.26) < 0.04, "\(night)")
        let first = updates.count { $0.app == AppID(0) }
        #expect(abs(first - 30) < 22, "\(first)")
    }

    @Test func `a user installs what they do not use yet, each app once, when a session ends`() {
        var persona = averagePersona()
        persona.installs.perMonth = 6
        let all = intents(persona, days: 100)
        let installs = all.filter { $0.kind == .install }
        #expect(installs.allSatisfy { $0.value == 0 })
        #expect(abs(installs.count - 20) < 14, "\(installs.count)")
        #expect(Set(installs.map(\.app)).count == installs.count)
        let locks = Set(all.filter { $0.kind == .lock }.map(\.time))
        #expect(installs.allSatisfy { locks.contains($0.time) })
        let active = ActiveApps(apps: someApps(80), active: persona.apps.active, seed: 7, replication: 0)
        #expect(installs.allSatisfy { !active.ranked.contains($0.app) })
    }

    @Test func `without a word on them there are none, and other intents stay`() {
        var persona = averagePersona()
        let before = intents(persona, days: 30)
        #expect(before.allSatisfy { $0.kind != .install })
        persona.installs.perMonth = 10
        persona.installs.updatesPerMonth = 2
        let after = intents(persona, days: 30)
        #expect(after.filter { $0.kind != .install } == before && after.count > before.count + 100)
    }

    @Test func `a file keeps them, and its replay is the generated workload`() throws {
        var persona = averagePersona()
        persona.installs.perMonth = 20
        persona.installs.updatesPerMonth = 4
        let apps = someApps(80)
        func source() -> WorkloadSource {
            .persona(
                PersonaWorkload(persona: persona, apps: apps, seed: 1, replication: 0, startWeekday: 0, days: 7))
        }
        let text = WorkloadFile(of: source(), apps: apps, days: 7).encoded()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains { $0.contains(",install,app-") } && lines.contains { $0.contains(",update,app-") })
        let recording = try TraceRecording(
            file: try WorkloadFile(bytes: text, name: "w.csv"), apps: apps, chargerWatts: 18)
        var replay = try TraceWorkload(
            recording: recording, apps: apps, filledBy: nil, seed: 1, replication: 0, startWeekday: 0, days: 7)
        var original = source()
        var (mine, theirs): ([Intent], [Intent]) = ([], [])
        var found = 0
        while original.nextDay(into: &theirs), replay.nextDay(into: &mine) {
            #expect(mine.filter { $0.kind == .install } == theirs.filter { $0.kind == .install })
            found += mine.count { $0.kind == .install }
        }
        #expect(found > 50)
    }

    @Test func `a persona fills them in only if it has any`() throws {
        let none = try filledIn(.install) { $0.installs.updatesPerMonth = 0 }
        let some = try filledIn(.install) { $0.installs.updatesPerMonth = 30 }
        #expect(none.count == 0 && !none.parts.contains("installs"))
        #expect(some.count == 800 && some.parts.contains("installs"))
    }
}
