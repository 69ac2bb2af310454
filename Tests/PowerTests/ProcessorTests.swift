import Power
import Quantities
import Testing

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
        #expect(abs(usual.workPower.milliwatts - 345) < 1e-9)
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
        // Without anything to save by sleeping, the lowest clock is best; if waking cost the earth, racing would be.
        #expect(abs(speeds[0] - 4560 / 20_000) < 1e-12)
        #expect(speeds[3] == Self.plan(.raceToIdle).workSpeed)
    }

    @Test func `schedutil keeps a quarter in reserve for the user`() {
        let plan = Self.plan(.schedutil)
        // 0.3 of the reference core wants 7,500 iterations a second: 1.3 GHz, busy for 6,000 of its 14,170.
        let busy = 6000.0 / 14_170
        #expect(abs(plan.interactivePower(load: 0.3).milliwatts - busy * (420 + 60)) < 1e-9)
        // Two cores' worth of 1.2 is 0.6 each: 15,000 wanted, 2.0 GHz, and the cluster is on all the time.
        #expect(abs(plan.interactivePower(load: 1.2).milliwatts - (24_000.0 / 21_800 * 1050 + 60)) < 1e-9)
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
        #expect(abs(capped.launchPower.milliwatts - 0.75 * (420 + 60)) < 1e-9)
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

    @Test func `a phone follows its cap`() {
        var system = PowerSystem(.iPhone13, apps: 1)
        system.setPerformanceCap(0.35)
        #expect(system.processor.cap == 0.35)
        #expect(system.processor.launchFactor > 1)
        system.setPerformanceCap(1)
        #expect(system.processor.launchFactor == 1)
    }
}
