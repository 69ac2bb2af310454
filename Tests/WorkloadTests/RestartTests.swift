// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import WorkloadFixtures

@testable import Workload

/// Restarts and signals: what a persona says of them, and that a file keeps them.
@Suite struct RestartTests {
    private func intents(_ persona: Persona, days: Int) -> [Intent] {
        Array(allDays(persona, apps: someApps(80), days: days).days.joined())
    }

    @Test func `restarts come as often as was said, at night or after a session`() {
        var persona = averagePersona()
        persona.restarts.perMonth = 15
        persona.restarts.nightShare = 0.25
        let all = intents(persona, days: 2000)
        var (night, day, isOn) = (0, 0, false)
        var (locked, quiet) = (SimTime.zero, SimTime.zero)
        for intent in all {
            switch intent.kind {
            case .unlock:
                isOn = true
                #expect(intent.time >= quiet)
            case .lock: (isOn, locked) = (false, intent.time)
            case .restart:
                #expect(!isOn)
                quiet = intent.time + .minutes(3)
                if intent.time - locked == .second { day += 1 } else { night += 1 }
                if intent.time - locked != .second { #expect((2..<4).contains(intent.time.hourOfDay)) }
            default: break
            }
        }
        // Of 1,000 a deviation is 22; some nights are not slept through, and some evenings end without a pause.
        #expect(abs(night + day - 1000) < 90, "\(night), \(day)")
        #expect(abs(Double(night) / Double(night + day) - 0.25) < 0.06, "\(night), \(day)")
    }

    @Test func `without a word on them there are none, and other intents stay`() {
        var persona = averagePersona()
        let before = intents(persona, days: 30)
        #expect(before.allSatisfy { $0.kind != .restart && $0.kind != .signal })
        persona.restarts.perMonth = 10
        persona.cellular.transitSignal = .poor
        let after = intents(persona, days: 30)
        #expect(after.filter { $0.kind != .restart && $0.kind != .signal } == before)
        #expect(after.count > before.count)
    }

    @Test func `the signal is that of the location, told when it changes`() {
        var persona = averagePersona()
        persona.places.workdayOuting.probability = 0
        persona.cellular.homeSignal = .good
        persona.cellular.workSignal = .poor
        persona.cellular.transitSignal = .veryPoor
        let signals = intents(persona, days: 1).filter { $0.kind == .signal }
        // The average persona commutes from 8.2 to 8.8 h and from 17.2 to 17.9 h, and works from 9 to 17 h.
        let hours = [0, 8.2, 8.8, 9, 17, 17.2, 17.9]
        let levels: [SignalLevel] = [.good, .veryPoor, .good, .poor, .good, .veryPoor, .good]
        #expect(signals.map { SignalLevel(number: Int($0.value)) } == levels)
        #expect(zip(signals, hours).allSatisfy { abs($0.time.seconds / 3600 - $1) < 1e-6 })
    }

    @Test func `where the user is is told on arrival`() {
        var persona = averagePersona()
        persona.places.workdayOuting.probability = 0
        let found = intents(persona, days: 1).filter { $0.kind == .location }
        let hours = [0, 8.2, 8.8, 9, 17, 17.2, 17.9]
        let locations: [Location] = [.home, .transit, .home, .work, .home, .transit, .home]
        #expect(found.map { Location(number: UInt8($0.value)) } == locations)
        #expect(zip(found, hours).allSatisfy { abs($0.time.seconds / 3600 - $1) < 1e-6 })
        #expect(Location.allCases.filter(\.isUsual) == [.home, .work])
        #expect(Location(number: 99) == .home)
    }

    @Test func `elsewhere and abroad have signals of their own`() {
        var persona = averagePersona()
        (persona.cellular.otherSignal, persona.cellular.abroadSignal) = (.moderate, .poor)
        persona.places.work = []
        persona.places.commute = []
        persona.places.workdayOuting.probability = 1
        func levels() -> Set<SignalLevel> {
            Set(intents(persona, days: 5).filter { $0.kind == .signal }.map { SignalLevel(number: Int($0.value)) })
        }
        #expect(levels() == [.excellent, .moderate])
        persona.places.tripsPerYear = 365
        #expect(levels() == [.poor])
    }

    @Test func `a file keeps both`() throws {
        var persona = averagePersona()
        persona.restarts.perMonth = 30
        (persona.cellular.homeSignal, persona.cellular.workSignal) = (.moderate, .excellent)
        let apps = someApps(80)
        func source() -> WorkloadSource {
            .persona(
                PersonaWorkload(persona: persona, apps: apps, seed: 1, replication: 0, startWeekday: 0, days: 7))
        }
        let file = try WorkloadFile(
            bytes: WorkloadFile(of: source(), apps: apps, days: 7).encoded(), name: "w.csv")
        let recording = try TraceRecording(file: file, apps: apps, chargerWatts: 18)
        var replay = try TraceWorkload(
            recording: recording, apps: apps, filledBy: nil, seed: 1, replication: 0, startWeekday: 0, days: 7)
        var original = source()
        var (mine, theirs): ([Intent], [Intent]) = ([], [])
        var found = 0
        while original.nextDay(into: &theirs), replay.nextDay(into: &mine) {
            let kinds: Set<IntentKind> = [.restart, .signal, .network, .location]
            #expect(mine.filter { kinds.contains($0.kind) } == theirs.filter { kinds.contains($0.kind) })
            found += mine.count { $0.kind == .restart }
        }
        #expect(found >= 5)
    }

    @Test func `a persona fills restarts in only if it has any`() throws {
        let none = try filledIn(.restart) { $0.restarts.perMonth = 0 }
        let some = try filledIn(.restart) { $0.restarts.perMonth = 30 }
        #expect(none.count == 0 && !none.parts.contains("restarts"))
        // Nobody opens a session after the first day, so that those by day have none to follow.
        #expect((2...9).contains(some.count) && some.parts.contains("restarts"))
    }
}
