// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Behaviours
@testable import Phone
@testable import PhoneCore

@Suite struct ChargingTests {
    /// Somebody who only charges, every night from 23 to 7.
    static func sleeper(unplug: Double = 7) -> Persona {
        var persona = Persona(name: "sleeper")
        persona.pickups.perDay = 20
        persona.apps.active = 5
        persona.visit = LogNormal(mu: 6, sigma: 0.5, cap: 1800)
        persona.workdaysPerWeek = 7
        persona.workdayHours = (0..<24).map { $0 > 8 && $0 < 22 ? 1 : 0 }
        persona.charging.nightProbability = 1
        persona.charging.nightPlug = ClockHour(mean: 23, deviation: 0.1)
        persona.charging.workdayUnplug = ClockHour(mean: unplug, deviation: 0.1)
        persona.charging.chargerPower = .watts(20)
        return persona
    }

    static func run(
        _ mode: ChargingMode, _ persona: Persona = sleeper(), days: Double = 9, learning: Int = 3
    ) -> (outcome: RunOutcome, hours: [DeviceHourRow], above80: Double) {
        var device = TestWorld.device()
        device.power.battery = BatteryParameters(capacity: .milliampereHours(1200))
        device.charging.mode = mode
        device.charging.learningCharges = learning
        device.charging.learningTime = .zero
        let rows = RowCollector()
        let outcome = simulate(
            TestWorld.specification(
                apps: TestWorld.apps(5), persona: persona, device: device, days: days,
                tables: [.deviceHours, .battery]),
            sink: rows)
        return (outcome, rows.hours, rows.secondsAbove80(until: .zero + .days(days)))
    }

    @Test func `the hold stops at 80 per cent, a plain charge goes to the end`() {
        let hold = Self.run(.hold, days: 4)
        let plain = Self.run(.plain, days: 4)
        #expect(abs(hold.hours[24 + 5].batteryPercent - 80) < 0.01)
        #expect(abs(plain.hours[24 + 5].batteryPercent - 100) < 0.01)
        #expect(hold.hours.dropFirst(24).allSatisfy { $0.batteryPercent <= 80.01 })
    }

    /// A phone that charges from 70 to 100 % and is then left alone until it is empty: the time above 80 % is that
    /// between its rows, on both sides.
    @Test func `80 per cent is passed where it is shown, on the way up and on the way down`() throws {
        var day = ScriptedDay.plain(["0,network,,wifi", "10,plug,,10", "20000,unplug,,"])
        day.device.habits.initialLevel = 0.7
        day.device.power.battery = BatteryParameters(capacity: .milliampereHours(150))
        let (outcome, rows) = try day.run(tables: [.battery])
        func passed(_ percent: Int, plugged: Bool) throws -> Double {
            try #require(rows.battery.first { $0.percent == percent && $0.pluggedIn == plugged }).time.seconds
        }
        // A level is shown from the instant at which it is passed, whichever way.
        let above = try passed(80, plugged: false) - passed(80, plugged: true)
        #expect(above > 15_000)
        #expect(abs(outcome("hours_above_80_pct_per_day") * 3600 - above) < 0.01)
        let below = try 86_400 - passed(20, plugged: false)
        #expect(below > 3_600)
        #expect(abs(outcome("hours_below_20_pct_per_day") * 3600 - below) < 0.01)
    }

    @Test func `a phone that holds at 80 per cent is not above it`() {
        let short = Self.run(.hold, days: 4).outcome("hours_above_80_pct_per_day") * 4
        let long = Self.run(.hold, days: 8).outcome("hours_above_80_pct_per_day") * 8
        // It begins full, and is never above the hold again.
        #expect(short > 3 && abs(long - short) < 1e-3)
    }

    @Test func `optimized charging learns the night, waits at 80 per cent and is full in time`() {
        let optimized = Self.run(.optimized)
        // At the end of hour 3 of the second day nothing is known yet; a week later the phone waits.
        #expect(abs(optimized.hours[24 + 3].batteryPercent - 100) < 0.01)
        #expect(abs(optimized.hours[7 * 24 + 3].batteryPercent - 80) < 0.01)
        #expect(optimized.hours[7 * 24 + 6].batteryPercent > 97)
        let plain = Self.run(.plain)
        for run in [optimized, plain] {
            let hours = run.outcome("hours_above_80_pct_per_day") * 9
            #expect(abs(hours - run.above80 / 3600) < 0.01, "\(hours) \(run.above80 / 3600)")
        }
        // Order is the claim: nights are learnt from the third on, and each is plugged in when its evening ends.
        #expect(optimized.above80 < plain.above80 - 9 * 2 * 3600)
        #expect(optimized.outcome("unplug_pct_mean") > 97)
        #expect(optimized.outcome.workloadFingerprint == plain.outcome.workloadFingerprint)
    }

    @Test func `it needs as many charges and as much time as it is told to`() {
        let late = Self.run(.optimized, learning: 14)
        #expect(abs(late.hours[7 * 24 + 3].batteryPercent - 100) < 0.01)
    }

    @Test func `what is learnt comes from the past alone`() {
        var memory = ChargingMemory()
        var settings = ChargingSettings()
        settings.learningCharges = 2
        settings.learningTime = .zero
        func at(_ day: Double, _ hour: Double) -> SimTime { .zero + .days(day) + .hours(hour) }
        #expect(memory.expectedUnplug(from: at(0, 23), settings) == nil)
        memory.record(plug: at(0, 23), unplug: at(1, 7))
        memory.record(plug: at(1, 9), unplug: at(1, 17))
        #expect(memory.expectedUnplug(from: at(1, 23), settings) == nil, "a day at the desk says nothing of the night")
        memory.record(plug: at(1, 23.5), unplug: at(2, 8))
        #expect(memory.expectedUnplug(from: at(2, 22), settings) == at(3, 7))
        #expect(memory.expectedUnplug(from: at(3, 0.5), settings) == at(3, 7))
    }

    /// Fourteen charges are kept.
    ///
    /// Of as many lengths, the second shortest counts, because 14 / 10 is 1.
    @Test(arguments: [(12, 6.0), (13, 8)])
    func `the fifteenth charge makes the phone forget the first`(late: Int, hour: Double) {
        var memory = ChargingMemory()
        var settings = ChargingSettings()
        settings.learningTime = .zero
        func at(_ day: Int, _ hour: Double) -> SimTime { .zero + .days(Double(day)) + .hours(hour) }
        // Fourteen nights until six, and then nights until eight: two or one of the first are left.
        for day in 0..<14 { memory.record(plug: at(day, 23), unplug: at(day + 1, 6)) }
        for day in 14..<14 + late { memory.record(plug: at(day, 23), unplug: at(day + 1, 8)) }
        #expect(memory.expectedUnplug(from: at(14 + late, 23), settings) == at(15 + late, hour))
    }

    /// The charger of a phone that lies still with 1 % in its battery, and the published minutes for 12.38 Wh.
    static let published: [(Charger, half: Double?, full: Double, share: Double)] = [
        (Charger(power: .watts(20)), 30, 99.6, 0.75), (Charger(power: .watts(12)), nil, 117, 0.75),
        (Charger(power: .watts(5)), nil, 208.6, 0.75),
        (
            Charger(
                power: .watts(18), link: .wireless, efficiency: 0.5, sustainedPower: .watts(14), boost: .minutes(7)),
            nil, 123.7, 0.5
        ),
    ]

    @Test(arguments: 0..<4) func `a whole phone charges in the time that was published`(row: Int) {
        let (charger, half, full, share) = Self.published[row]
        var persona = Persona(name: "nobody")
        persona.charging.nightProbability = 1
        persona.charging.nightPlug = ClockHour(mean: 23, deviation: 0)
        persona.charging.workdayUnplug = ClockHour(mean: 12, deviation: 0)
        persona.charging.freeDayUnplug = ClockHour(mean: 12, deviation: 0)
        persona.charging.chargerPower = charger.power
        var device = TestWorld.device()
        device.power.battery = BatteryParameters(capacity: .milliampereHours(3200))
        device.habits.initialLevel = 0.01
        var specification = TestWorld.specification(
            apps: TestWorld.apps(1) { $0.pushesPerDay = 0 }, persona: persona, device: device, days: 0.5)
        specification.charger = charger
        let outcome = simulate(specification)
        if let half { #expect(abs(outcome("charge_min_to_50") - half) < 3) }
        #expect(abs(outcome("charge_min_to_100") - full) < 0.08 * full)
        #expect(abs(outcome("charging_efficiency") - share) < 0.01)
    }
}
