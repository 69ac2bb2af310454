// SPDX-License-Identifier: GPL-3.0-or-later
import Disk
import Measures
import Phone
import PhoneCore
import Quantities
import Testing

@Suite struct MeterTests {
    /// With loads that nothing changes for hours, which the ledger does not know of meanwhile.
    @Test func `a meter ends at what the metrics say of the days after the warm-up`() throws {
        let specification = TestWorld.specification(warmup: .hours(7.25))
        var (last, least) = (RunMeter(), Energy.joules(.infinity))
        let outcome = simulate(specification) { meter in
            (last, least) = (meter, min(least, meter.energy))
        }
        let days = (specification.duration - specification.warmup).seconds / 86_400
        #expect(least == .zero)
        #expect(abs(last.energy.joules / 3600 / days / outcome("energy_wh_per_day") - 1) < 1e-9)
        #expect(abs(last.relaunches / days - outcome("relaunches_per_day")) < 1e-9)
        #expect(abs(last.wait / days - outcome("launch_wait_s_per_day")) < 1e-6)
        #expect(abs(last.contentAge / last.contentOpens - outcome("content_age_s_mean")) < 1e-6)
    }

    /// The app is opened once, in the warm-up; the phone checks its storage every hour, also when the warm-up ends.
    @Test func `a meter shows nothing of the warm-up, even at its last instant`() throws {
        var day = ScriptedDay.plain()
        day.device.disk = DiskParameters()
        day.warmup = .hours(12)
        var meters: [RunMeter] = []
        let outcome = simulate(try day.specification(tables: [])) { meters.append($0) }
        #expect(outcome("relaunches_per_day") == 0)
        #expect(meters.count > 12 && meters.allSatisfy { $0.relaunches == 0 && $0.wait == 0 })
    }

    @Test func `what is foreseen for a decision is what the whole run uses`() throws {
        let specification = TestWorld.specification(days: 2.01)
        let whole = simulate(specification)
        let run = ForkedRun(specification)
        let outlook = run.outlook(until: .zero + specification.duration, sink: RowCollector())
        let energy = try #require(outlook)
        let days = specification.duration.seconds / 86_400
        #expect(abs(energy.joules / 3600 / days / whole("energy_wh_per_day") - 1) < 1e-9)
    }
}
