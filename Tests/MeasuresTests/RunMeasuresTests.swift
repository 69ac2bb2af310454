// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Measures

/// The measures of a behaviour as the phone declares them.
private struct Sample {
    let warm: AppCount
    let cold: AppCount
    let missed: Count
    let bytes: Count
    let warnings: TimeShare
    let low: TimeShare
    let delay: AppDistribution
    let gaps: Distribution
    let energy: AppGauge
    let wakeups: Gauge
    let death: FirstTime
    let catalogue: MetricCatalogue

    init() {
        var builder = MeasureBuilder()
        warm = builder.perDayOfApp("warm_per_day", .lower, "warm opens")
        cold = builder.perDayOfApp("cold_per_day", .lower, "cold opens")
        builder.perDay("relaunches_per_day", .lower, "warm and cold opens", of: [warm, cold])
        builder.share("cold_share", .lower, "cold opens over relaunches", cold, of: [warm, cold])
        missed = builder.perDay("missed_per_day", .lower, "missed visits")
        bytes = builder.perDay("bytes_per_day", unit: "B/d", .neutral, "bytes")
        builder.share("missed_share", .lower, "of bytes, for want of a better whole", missed, of: [bytes])
        warnings = builder.timeMean("warning_share", .lower, "share of time at warning")
        low = builder.hoursPerDay("low_hours_per_day", .lower, "hours below 20 %", initially: 1)
        delay = builder.appDistribution()
        builder.quantile("delay_ms_p95", "ms", .lower, "delay", 0.95, of: delay, scale: 1000)
        builder.mean("delay_s_mean", "s", .lower, "mean delay", of: delay)
        gaps = builder.distribution()
        builder.quantile("gap_median_s", "s", .lower, "gaps", 0.5, of: gaps)
        builder.mean("gap_s_mean", "s", .lower, "gaps", of: gaps)
        let energy = builder.appGauge()
        builder.appMetric("energy_j", "J", .lower, "energy of apps") { $0[energy] }
        self.energy = energy
        wakeups = builder.gauge()
        builder.perDay("wakeups_per_day", .lower, "wakeups", of: wakeups)
        let death = builder.firstTime()
        builder.metric("life_h", "h", .higher, "time to the first death") { reading in
            reading.duration(to: death).map { $0 / .hour } ?? .nan
        }
        self.death = death
        catalogue = MetricCatalogue(builder)
    }
}

extension RunMeasures {
    fileprivate func value(_ name: String, at now: SimTime) -> Double {
        values(at: now)[index(of: name)]
    }

    fileprivate func value(_ name: String, of app: AppID, at now: SimTime) -> Double {
        value(of: index(of: name), app: app, at: now)
    }

    private func index(of name: String) -> Int {
        guard let index = catalogue.index(of: name) else { preconditionFailure("no metric \(name)") }
        return index
    }
}

@Suite struct RunMeasuresTests {
    private let sample = Sample()
    private let warmup = SimTime.zero + .days(1)
    private let end = SimTime.zero + .days(3)

    @Test func `counts of the phone are summed over apps, and per day after the warm-up`() {
        var measures = RunMeasures(sample.catalogue)
        measures.add(sample.warm, of: AppID(3))
        measures.restart(at: warmup)
        for _ in 0..<6 { measures.add(sample.warm, of: AppID(3)) }
        measures.add(sample.cold, of: AppID(4))
        measures.add(sample.cold, of: .system)
        measures.add(sample.bytes, 1500)
        #expect(measures[sample.warm] == 6)
        #expect(measures.value("warm_per_day", at: end) == 3)
        #expect(measures.value("cold_per_day", at: end) == 1)
        #expect(measures.value("relaunches_per_day", at: end) == 4)
        #expect(measures.value("cold_share", at: end) == 0.25)
        #expect(measures.value("bytes_per_day", at: end) == 750)
        #expect(measures.value("missed_per_day", at: end) == 0)
    }

    @Test func `a share without a whole, an empty distribution and what never happened have no value`() {
        let measures = RunMeasures(sample.catalogue)
        for name in ["cold_share", "missed_share", "delay_ms_p95", "delay_s_mean", "gap_median_s", "life_h"] {
            #expect(measures.value(name, at: end).isNaN, "\(name)")
        }
        #expect(measures.value("cold_per_day", at: end) == 0)
    }

    @Test func `a share whose whole is zero has no value even when its part is not`() {
        var measures = RunMeasures(sample.catalogue)
        measures.add(sample.missed)
        #expect(measures.value("missed_share", at: end).isNaN)
    }

    @Test func `values hold across the end of the warm-up, and their integrals begin there`() {
        var measures = RunMeasures(sample.catalogue)
        measures.set(sample.warnings, 1, at: .zero + .hours(12))
        #expect(measures[sample.warnings] == 1)
        measures.restart(at: warmup)
        measures.set(sample.warnings, 0, at: warmup + .hours(12))
        #expect(measures.value("warning_share", at: end) == 0.25)
        #expect(measures.value("low_hours_per_day", at: end) == 24)
        measures.set(sample.low, 0, at: warmup + .hours(6))
        #expect(measures.value("low_hours_per_day", at: end) == 3)
    }

    @Test func `distributions forget the warm-up`() {
        var measures = RunMeasures(sample.catalogue)
        measures.record(sample.gaps, 5000)
        measures.record(sample.delay, of: AppID(0), 5000)
        measures.restart(at: warmup)
        #expect(measures.value("gap_median_s", at: end).isNaN)
        measures.record(sample.gaps, 2)
        measures.record(sample.delay, of: AppID(0), 4)
        #expect(measures.value("gap_s_mean", at: end) == 2)
        #expect(abs(measures.value("gap_median_s", at: end) - 2) < 0.01)
        #expect(abs(measures.value("delay_ms_p95", at: end) - 4000) < 20)
        #expect(measures[sample.gaps].count == 1)
    }

    @Test func `a meter counts from what it showed at the end of the warm-up`() {
        var measures = RunMeasures(sample.catalogue)
        measures.set(sample.wakeups, 100)
        measures.restart(at: warmup)
        #expect(measures.value("wakeups_per_day", at: end) == 0)
        measures.set(sample.wakeups, 120)
        #expect(measures.value("wakeups_per_day", at: end) == 10)
    }

    @Test func `only the first time after the warm-up counts`() {
        var measures = RunMeasures(sample.catalogue)
        measures.mark(sample.death, at: .zero + .hours(2))
        measures.restart(at: warmup)
        #expect(measures.value("life_h", at: end).isNaN)
        measures.mark(sample.death, at: warmup + .hours(7))
        measures.mark(sample.death, at: warmup + .hours(9))
        #expect(measures.value("life_h", at: end) == 7)
    }

    @Test func `watched apps have values of their own, and watching changes nothing for the phone`() {
        var plain = RunMeasures(sample.catalogue)
        var watching = RunMeasures(sample.catalogue, watching: [AppID(4), AppID(7)])
        func drive(_ measures: inout RunMeasures) {
            measures.set(sample.energy, 10)
            measures.set(sample.energy, of: AppID(7), 1)
            measures.add(sample.cold, of: AppID(7))
            measures.restart(at: warmup)
            for app in [4, 4, 7, 9] { measures.add(sample.warm, of: AppID(app)) }
            measures.add(sample.cold, of: AppID(7))
            measures.record(sample.delay, of: AppID(7), 1)
            measures.record(sample.delay, of: AppID(9), 100)
            measures.set(sample.energy, 30)
            measures.set(sample.energy, of: AppID(7), 6)
        }
        drive(&plain)
        drive(&watching)
        for (one, other) in zip(plain.values(at: end), watching.values(at: end)) {
            #expect(one.bitPattern == other.bitPattern)
        }
        #expect(watching.value("warm_per_day", of: AppID(4), at: end) == 1)
        #expect(watching.value("warm_per_day", of: AppID(7), at: end) == 0.5)
        #expect(watching.value("relaunches_per_day", of: AppID(7), at: end) == 1)
        #expect(watching.value("cold_share", of: AppID(7), at: end) == 0.5)
        #expect(watching.value("cold_share", of: AppID(4), at: end) == 0)
        #expect(watching.value("delay_s_mean", of: AppID(7), at: end) == 1)
        #expect(watching.value("delay_s_mean", of: AppID(4), at: end).isNaN)
        #expect(watching.value("energy_j", of: AppID(7), at: end) == 5)
        #expect(watching.value("energy_j", at: end) == 20)
    }

    @Test func `a copy goes its own way`() {
        var measures = RunMeasures(sample.catalogue, watching: [AppID(1)])
        measures.record(sample.gaps, 3)
        var copy = measures
        copy.add(sample.warm, of: AppID(1))
        copy.record(sample.gaps, 5)
        #expect(measures[sample.warm] == 0)
        #expect(measures[sample.gaps].sum == 3)
        #expect(copy[sample.gaps].sum == 8)
    }

    @Test func `what an app cannot be asked traps`() async {
        await #expect(processExitsWith: .failure) {
            let sample = Sample()
            let measures = RunMeasures(sample.catalogue, watching: [AppID(1)])
            _ = measures.value("missed_per_day", of: AppID(1), at: .zero + .days(1))
        }
        await #expect(processExitsWith: .failure) {
            let sample = Sample()
            let measures = RunMeasures(sample.catalogue, watching: [AppID(1)])
            _ = measures.value("warm_per_day", of: AppID(2), at: .zero + .days(1))
        }
    }
}
