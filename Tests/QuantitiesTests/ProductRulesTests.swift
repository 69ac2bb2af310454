// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing

/// Every rule that joins two dimensions, with numbers of which no two results are alike.
@Suite struct ProductRulesTests {
    @Test func `products and quotients of different dimensions are those of the numbers`() {
        #expect((Power.watts(3) * SimDuration.seconds(8)).joules == 24)
        #expect((Energy.joules(24) / SimDuration.seconds(8)).watts == 3)
        #expect((Current(rawValue: 2) * SimDuration.seconds(5)).rawValue == 10)
        #expect((Voltage.volts(4) * Current(rawValue: 0.5)).watts == 2)
        #expect((Power.watts(6) / Voltage.volts(4)).rawValue == 1.5)
        #expect((Current(rawValue: 0.5) * Resistance.milliohms(80)).rawValue == 0.04)
        #expect((Charge.ampereHours(2) * Voltage.volts(4)).joules == 28800)
        #expect(ByteCount(1000) / DataRate(rawValue: 16000) == .milliseconds(500))
        #expect(Energy.joules(24) / Power.watts(3) == .seconds(8))
    }

    @Test func `instants are ordered, and move by what is added`() {
        let early = SimTime.zero + .seconds(1)
        var late = early
        late += .seconds(2)
        #expect(late == .zero + .seconds(3) && early < late && !(late < early) && !(early < early))
    }
}
