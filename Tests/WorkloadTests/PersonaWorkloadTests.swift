// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import Workload
import WorkloadFixtures

@Suite struct PersonaWorkloadTests {
    @Test func `the same key gives the same workload`() {
        let first = allDays(averagePersona(), days: 5)
        let second = allDays(averagePersona(), days: 5)
        #expect(first.days == second.days)
        #expect(first.fingerprint == second.fingerprint)
    }

    @Test(arguments: [(8, 0), (7, 1)])
    func `another seed or replication gives another workload`(seed: UInt64, replication: Int) {
        let base = allDays(averagePersona(), days: 2)
        let other = allDays(averagePersona(), seed: seed, replication: replication, days: 2)
        #expect(base.days != other.days)
        #expect(base.fingerprint != other.fingerprint)
    }

    @Test func `a longer run begins with the shorter one`() {
        let short = allDays(averagePersona(), days: 3)
        let long = allDays(averagePersona(), days: 6)
        #expect(Array(long.days.prefix(3)) == short.days)
    }

    @Test func `apps that only work in the background change no intent`() {
        var apps = someApps(60)
        let base = allDays(averagePersona(), apps: apps, days: 4)
        var silent = AppModel(name: "silent", category: "utility")
        silent.contentPerDay = 3
        apps.append(silent)
        let more = allDays(averagePersona(), apps: apps, days: 4)
        #expect(base.days == more.days)
        #expect(base.fingerprint != more.fingerprint)
    }

    @Test func `the fingerprint does not depend on the order of the apps`() {
        let apps = someApps(60)
        let base = allDays(averagePersona(), apps: apps, days: 4)
        let turned = allDays(averagePersona(), apps: Array(apps.reversed()), days: 4)
        #expect(base.fingerprint == turned.fingerprint)
        #expect(base.days != turned.days)
    }

    @Test func `charging habits move no app and no session`() {
        var persona = averagePersona()
        let base = allDays(persona, days: 6)
        persona.charging.nightProbability = 0.1
        persona.charging.topUpsPerHour = 3
        let other = allDays(persona, days: 6)
        func screen(_ days: [[Intent]]) -> [Intent] {
            days.joined().filter { [.unlock, .open, .lock].contains($0.kind) }
        }
        #expect(screen(base.days) == screen(other.days))
        #expect(base.days != other.days)
    }

    @Test func `a habit of once in a thousand years is kept by nobody`() {
        var persona = averagePersona()
        persona.charging.topUpsPerHour = 0
        let never = allDays(persona, days: 6)
        persona.charging.topUpsPerHour = 1e-7
        #expect(allDays(persona, days: 6).days == never.days)
    }

    @Test func `each day holds its own intents, sorted`() {
        for (day, intents) in allDays(averagePersona()).days.enumerated() {
            #expect(!intents.isEmpty)
            #expect(intents.allSatisfy { $0.time.day == day })
            #expect(zip(intents, intents.dropFirst()).allSatisfy { $0.time <= $1.time })
        }
    }

    @Test func `sessions never overlap and apps are opened inside them`() {
        var isOn = false
        var lastLock = SimTime.zero
        for intent in allDays(averagePersona()).days.joined() {
            switch intent.kind {
            case .unlock:
                #expect(!isOn && (intent.time > lastLock || lastLock == .zero))
                isOn = true
            case .lock:
                #expect(isOn)
                isOn = false
                lastLock = intent.time
            case .open, .interrupt:
                #expect(isOn)
            default: break
            }
        }
    }

    @Test func `plugs and unplugs alternate`() {
        var isPlugged = false
        var count = 0
        for intent in allDays(averagePersona(), days: 60).days.joined() where [.plug, .unplug].contains(intent.kind) {
            #expect(isPlugged == (intent.kind == .unplug))
            isPlugged = intent.kind == .plug
            count += 1
        }
        #expect(count > 60)
    }

    @Test func `a persona without habits leaves the phone alone but for its network and its location`() {
        let days = allDays(Persona(name: "nobody"), days: 3).days
        #expect(days.count == 3)
        #expect(days.joined().allSatisfy { $0.kind == .network || $0.kind == .location })
    }

    @Test func `after the last day there is none`() {
        var workload = WorkloadSource.persona(
            PersonaWorkload(
                persona: averagePersona(), apps: someApps(10), seed: 1, replication: 0, startWeekday: 2, days: 1))
        var intents: [Intent] = []
        let first = workload.nextDay(into: &intents)
        #expect(first)
        let fingerprint = workload.fingerprint
        let second = workload.nextDay(into: &intents)
        #expect(!second)
        #expect(intents.isEmpty)
        #expect(workload.fingerprint == fingerprint)
    }
}
