// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import LifeCycle
import Phone
import PhoneCore
import Power
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Scenario

/// What a key sets, read back from the model: that it acts at all is shown by `ActingKeyTests`.
@Suite struct OwnPropertyTests {
    private func point(_ overrides: String...) throws -> SweepPoint {
        try load(sample, overrides: overrides).points[0]
    }

    @Test func `a battery that has lost capacity has the resistance that goes with it, unless it says which`() throws {
        func growth(_ more: String...) throws -> Double {
            try load(sample, overrides: ["device.battery.health=80 %"] + more).points[0].device.power.battery
                .resistanceGrowth
        }
        // A fifth is lost after 500 cycles, and the resistance doubles in 800.
        #expect(abs(try growth() - 1.625) < 1e-12)
        #expect(try growth("device.battery.resistance_growth=1.2") == 1.2)
    }

    @Test func `heat may be off`() throws {
        #expect(try point("device.heat=off").device.power.heat == nil)
        #expect(try point("device.heat=on").device.power.heat != nil)
    }

    @Test func `the energy of tails may be split`() throws {
        #expect(try point("device.radios.tail_attribution=equal-split").device.power.tailAttribution == .equalSplit)
        #expect(try point("device.radios.tail_attribution=last-user").device.power.tailAttribution == .lastUser)
    }

    @Test func `a stage of a tail has its power, length and time to resume`() throws {
        let stage = "{power: 250 mW, duration: 220 ms, resume_time: 30 ms}"
        let tail = try point("device.radios.cellular={base: lte-2020, tail: [\(stage)]}").device.power
            .radios[.cellular].tail
        #expect(tail.map(\.power) == [.milliwatts(250)] && tail.map(\.duration) == [.milliseconds(220)])
        #expect(tail.map(\.resumeTime) == [.milliseconds(30)])
    }

    @Test func `an assertion lasts as long as the system's generation allows, unless the device says otherwise`() throws
    {
        #expect(try point("device.os=ios-6").device.background.assertionLimit == .seconds(600))
        #expect(try point("device.os=ios-12").device.background.assertionLimit == .seconds(180))
        #expect(try point("device.os=ios-18").device.background.assertionLimit == .seconds(30))
        let own = try point("device.os=ios-12", "device.background.assertion_limit=40 s").device.background
        #expect(own.assertionLimit == .seconds(40))
    }

    @Test func `the grace after leaving an app is that of the device before that of the system`() throws {
        #expect(try point("device.background.background_grace=7 s").device.os.lifeCycle.backgroundGrace == .seconds(7))
    }

    @Test func `windows for held work are two`() throws {
        let device = try point(
            "device.background.herd_window=1 min", "device.background.herd_window_in_use=2 min"
        ).device
        #expect(device.background.herdWindow == .minutes(1) && device.background.herdWindowInUse == .minutes(2))
    }

    @Test func `a persona's habits are those of the file`() throws {
        let persona = try point(
            "user.persona.workdays_per_week=3", "user.persona.pickups.day_correlation=0.4",
            "user.persona.charging.charger=usb-5w"
        ).user.persona
        #expect(persona.workdaysPerWeek == 3 && persona.pickups.dayCorrelation == 0.4)
        #expect(persona.charging.chargerPower == .watts(5))
    }
}
