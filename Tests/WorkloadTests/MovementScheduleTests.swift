// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing

@testable import Workload

@Suite struct MovementScheduleTests {
    private func days(_ persona: Persona, count: Int, seed: UInt64 = 1) -> [[SimTime]] {
        var schedule = MovementSchedule(persona: persona, seed: seed, replication: 0, startWeekday: 0, days: count)
        var result: [[SimTime]] = []
        var day: [SimTime] = []
        while schedule.nextDay(into: &day) { result.append(day) }
        return result
    }

    @Test func `movements come every five minutes on the way and once at each change of location`() {
        var persona = Persona(name: "commuter")
        persona.places.commute = [8.0...9.0, 17.0...18.0]
        persona.places.work = [9.0...17.0]
        let week = days(persona, count: 7)
        // Two commutes of an hour: 11 movements inside of each, and four changes of location.
        for day in week[0..<5] { #expect(day.count == 26) }
        for day in week[5..<7] { #expect(day.isEmpty) }
        #expect(week[0] == week[0].sorted())
        #expect(week[0].allSatisfy { $0.day == 0 && (8...18).contains($0.hourOfDay) })
        #expect(days(Persona(name: "at home"), count: 7).allSatisfy { $0.isEmpty })
    }

    @Test func `outings are those of the same user, drawn from the same seed`() {
        var persona = Persona(name: "walker")
        persona.places.freeDayOuting.probability = 1
        persona.places.freeDayOuting.length = LogNormal(median: .hours(2), sigma: 0.5)
        #expect(days(persona, count: 14) == days(persona, count: 14))
        #expect(days(persona, count: 14) != days(persona, count: 14, seed: 2))
        #expect(days(persona, count: 14)[6].count == 2)
    }
}
