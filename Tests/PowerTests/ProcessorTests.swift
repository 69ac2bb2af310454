// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

/// Clocks under the three policies and a cap, and what they cost.
@Suite struct ProcessorTests {
    static func plan(_ policy: FrequencyPolicy, awake: Double = 0.18, cap: Double = 1) -> ProcessorPlan {
        var processor = ProcessorParameters()
        processor.frequencyPolicy = policy
        return ProcessorPlan(processor, awake: .watts(awake), cap: cap)
    }

    /// Energy of background work that takes a second of the reference core.
    static func energy(_ plan: ProcessorPlan, awake: Double) -> Double {
        ((plan.workPower + .watts(awake)) * plan.duration(ofWork: .seconds(1))).joules
    }

    @Test func `racing to idle is the fastest and the dearest way to work`() {
        let race = Self.plan(.raceToIdle)
        let usual = Self.plan(.schedutil)
        // The performance core at 3.2 GHz: 3,500 mW and 60 mW of its cluster, 34,880 of 20,000 iterations a second.
        #expect(abs(race.workPower.milliwatts - 3560) < 1e-9)
        #expect(abs(race.duration(ofWork: .seconds(1)).seconds - 20_000 / 34_880) < 1e-8)
        #expect(abs(usual.workPower.milliwatts - 215) < 1e-9)
        #expect(Self.energy(race, awake: 0.18) > 3 * Self.energy(usual, awake: 0.18))
    }

    @Test(arguments: [0, 0.02, 0.05, 0.18, 0.5, 2, 20, 1000])
    func `no choice of clock costs less energy than best-energy`(awake: Double) {
        let best = Self.energy(Self.plan(.bestEnergy, awake: awake), awake: awake)
        let processor = ProcessorParameters()
        for cluster in [processor.efficiency, processor.performance] {
            for point in cluster.points {
                let watts = cluster.power(busyCores: 1, at: point).watts + awake
                #expect(best <= watts / point.speed * (1 + 1e-8))
            }
        }
    }

    @Test func `the dearer it is to stay awake the faster the best clock`() {
        let speeds = [0, 0.18, 2, 1000].map { Self.plan(.bestEnergy, awake: $0).workSpeed }
        #expect(speeds == speeds.sorted())
        #expect(speeds[0] < speeds[1])
        // Without anything to save by sleeping 1.0 GHz is best, as the lowest clock keeps the cluster on for longer; if
        // waking cost the earth, racing would be.
        #expect(abs(speeds[0] - 7600 / 20_000) < 1e-12)
        #expect(speeds[3] == Self.plan(.raceToIdle).workSpeed)
    }

    @Test func `schedutil keeps a quarter in reserve for the user`() {
        let plan = Self.plan(.schedutil)
        // 0.3 of the reference core wants 7,500 iterations a second: 1.3 GHz, busy for 6,000 of its 14,170.
        let busy = 6000.0 / 14_170
        #expect(abs(plan.interactivePower(load: 0.3).milliwatts - busy * (630 + 60)) < 1e-9)
        // Two cores' worth of 1.2 is 0.6 each: 15,000 wanted, 2.0 GHz, and the cluster is on all the time.
        #expect(abs(plan.interactivePower(load: 1.2).milliwatts - (24_000.0 / 21_800 * 1530 + 60)) < 1e-9)
        #expect(plan.interactivePower(load: 0) == .zero)
    }

    @Test(arguments: [0.05, 0.2, 0.3, 0.45, 0.9, 1.2, 2.0, 3.4])
    func `for the user best-energy costs least and racing most`(load: Double) {
        let powers = [FrequencyPolicy.bestEnergy, .schedutil, .raceToIdle].map {
            Self.plan($0).interactivePower(load: load).watts
        }
        #expect(powers == powers.sorted())
    }

    @Test func `a load beyond the cores keeps them all busy and no more`() {
        let plan = Self.plan(.schedutil)
        #expect(abs(plan.interactivePower(load: 100).milliwatts - (2 * 3500 + 60)) < 1e-9)
    }

    @Test func `a cap stretches work and launches and lowers their power`() {
        let free = Self.plan(.schedutil)
        let capped = Self.plan(.schedutil, cap: 0.6)
        // 60 % of 2.0 GHz leaves 1.0 GHz, of 3.2 GHz 1.3 GHz.
        #expect(abs(capped.workSpeed - 7600 / 20_000) < 1e-12)
        #expect(abs(capped.launchFactor - 34_880.0 / 14_170) < 1e-12)
        #expect(abs(capped.launchPower.milliwatts - 0.75 * (630 + 60)) < 1e-9)
        #expect(capped.workPower < free.workPower)
        #expect(free.launchFactor == 1 && free.workLaunchFactor == 1)
    }

    @Test func `a cap of nothing leaves the lowest speed`() {
        let plan = Self.plan(.raceToIdle, cap: 0)
        #expect(abs(plan.workSpeed - 6540 / 20_000) < 1e-12)
    }

    @Test func `a processing task takes the time of the reference efficiency core scaled by speed`() {
        let plan = Self.plan(.schedutil)
        #expect(abs(plan.duration(ofProcessing: .seconds(15.2)).seconds - 15) < 1e-8)
    }

    @Test func `the first pieces of work have cores of their own and later ones share`() {
        let usual = Self.plan(.schedutil)
        #expect(usual.share(alongside: 3).speed == usual.workSpeed)
        // The tenth beside nine others has four tenths of a core.
        #expect(abs(usual.share(alongside: 9).speed - 0.4 * usual.workSpeed) < 1e-12)
        #expect(abs(usual.share(alongside: 9).power.milliwatts - 0.4 * 215) < 1e-9)
        let race = Self.plan(.raceToIdle)
        #expect(race.share(alongside: 1).speed == race.workSpeed)
        #expect(race.share(alongside: 2).speed == usual.workSpeed)
        // Fifty at once draw less than three times what all six cores do.
        let all = (0..<50).reduce(0) { $0 + race.share(alongside: $1).power.watts }
        #expect(all < 3 * (2 * 3.56 + 4 * 0.215))
    }

    @Test func `a phone that a load brought down starts again on its charger however full it is`() {
        var system = PowerSystem(.iPhone13, apps: 1)
        _ = system.startLoad(.processor, .watts(200), app: AppID(0), cause: .backgroundTask, at: .zero)
        var events: [BatteryEvent] = []
        run(&system, from: .zero, to: .zero + .minutes(2)) { event, _ in events.append(event) }
        #expect(system.isDead && events == [.died])
        system.plugIn(.watts(20), at: .zero + .minutes(2))
        run(&system, from: .zero + .minutes(2), to: .zero + .minutes(5)) { event, _ in events.append(event) }
        #expect(!system.isDead && events.contains(.revived))
    }

    @Test func `the next event is the same however often one asks`() {
        var parameters = PowerParameters.iPhone13
        parameters.heat = nil
        var often = PowerSystem(parameters, apps: 1)
        var seldom = PowerSystem(parameters, apps: 1)
        for second in 0..<600 {
            let now = SimTime.zero + .seconds(Double(second))
            if second % 7 == 0 {
                let power = Power.milliwatts(Double(second % 13) * 5)
                _ = often.startLoad(.processor, power, app: AppID(0), cause: .foreground, at: now)
                _ = seldom.startLoad(.processor, power, app: AppID(0), cause: .foreground, at: now)
                _ = seldom.nextBatteryEvent()
            }
            often.flush(at: now)
            _ = often.nextBatteryEvent()
        }
        let end = SimTime.zero + .seconds(600)
        (_, _) = (often.level(at: end), seldom.level(at: end))
        let difference = (often.nextBatteryEvent() - seldom.nextBatteryEvent()).seconds
        #expect(abs(difference) < 1e-3)
        #expect(abs(often.level(at: end) - seldom.level(at: end)) < 1e-9)
    }

    @Test func `a phone follows its cap`() {
        var system = PowerSystem(.iPhone13, apps: 1)
        system.setPerformanceCap(0.35)
        #expect(system.processor.cap == 0.35)
        #expect(system.processor.launchFactor > 1)
        system.setPerformanceCap(1)
        #expect(system.processor.launchFactor == 1)
    }
}
