// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing

@Suite struct SimTimeTests {
    @Test func `an instant plus a length is later by exactly that length`() {
        let start = SimTime.zero + .hours(23) + .seconds(0.000_000_001)
        #expect((start + .minutes(90)).day == 1)
        #expect((start + .minutes(90)) - start == .minutes(90))
    }

    @Test func `a length is rounded to a nanosecond once`() {
        #expect(SimDuration.seconds(0.3).nanoseconds == 300_000_000)
        #expect(SimDuration.seconds(1.4e-9).nanoseconds == 1)
        #expect(SimDuration.seconds(1e12) == .max)
    }

    @Test func `whole numbers are rounded to with halves away from zero, and just below a half down`() {
        let rounded: [(Double, Int64)] = [
            (0.5, 1), (-0.5, -1), (2.5, 3), (-2.5, -3), (0.499_999_999_999_999_94, 0), (-0.499_999_999_999_999_94, 0),
            (4_503_599_627_370_495.5, 4_503_599_627_370_496), (-4_503_599_627_370_495.5, -4_503_599_627_370_496),
            (9_007_199_254_740_994, 9_007_199_254_740_994), (-9.2e18, -9_200_000_000_000_000_000), (1.25, 1),
            (-1.75, -2),
        ]
        for (value, whole) in rounded {
            #expect(Int64(rounding: value) == whole)
            #expect(Double(Int64(rounding: value)) == value.rounded())
        }
    }

    @Test func `cross-unit rules follow physics`() {
        #expect(abs((Power.watts(2) * .hours(1)).wattHours - 2) < 1e-12)
        #expect(ByteCount(1_000_000) / DataRate.megabitsPerSecond(8) == .seconds(1))
        #expect(abs(Charge.milliampereHours(1000).coulombs - 3600) < 1e-9)
    }
}
