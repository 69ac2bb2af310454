// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing

/// Which cores the kinds of background work run on, on a chip of four cores of 0.2 W and 15,200 iterations a second
/// (15 mW more for their cluster) and two of up to 3.5 W and 34,880 (60 mW more).
@Suite struct TaskPlacementTests {
    private static func plan(cap: Double = 1, _ change: (inout ProcessorParameters) -> Void) -> ProcessorPlan {
        var processor = ProcessorParameters()
        change(&processor)
        return ProcessorPlan(processor, awake: .milliwatts(180), cap: cap)
    }

    private static func near(_ share: (power: Power, speed: Double), _ watts: Double, _ speed: Double) -> Bool {
        abs(share.power.watts - watts) < 1e-9 && abs(share.speed - speed) < 1e-12
    }

    @Test func `work that is not placed runs where the policy says`() {
        let plan = Self.plan { $0.placement.refresh.cores = .efficiency }
        for others in 0..<10 {
            let usual = plan.share(alongside: others)
            #expect(Self.near(plan.share(of: .event, alongside: others), usual.power.watts, usual.speed))
        }
        #expect(plan.pace(of: .event) == 1 && plan.backgroundLaunchFactor == plan.workLaunchFactor)
        #expect(!Self.plan { _ in }.tellsTasksApart && plan.tellsTasksApart)
    }

    @Test func `events on performance cores at 60 per cent go over to efficiency cores when those are taken`() {
        let plan = Self.plan {
            $0.placement.event.cores = .performance
            $0.placement.event.clock = 0.6
        }
        // 1.3 of 3.2 GHz is the highest of its clocks up to 1.92 GHz.
        for others in 0..<2 {
            #expect(Self.near(plan.share(of: .event, alongside: others), 0.63 + 0.06, 14_170 / 20_000))
        }
        for others in 2..<6 { #expect(Self.near(plan.share(of: .event, alongside: others), 0.215, 0.76)) }
        #expect(Self.near(plan.share(of: .event, alongside: 6), 0.215 * 0.8, 0.76 * 0.8))
        let joules = plan.energy(of: .event, ofWork: .seconds(2)).joules
        #expect(abs(joules - 2 * 0.69 / 0.7085) < 1e-9)
    }

    @Test func `a refresh at half the clock of an efficiency core takes twice as long at a third of the power`() {
        let plan = Self.plan {
            $0.placement.refresh.cores = .efficiency
            $0.placement.refresh.clock = 0.5
        }
        #expect(Self.near(plan.share(of: .refresh, alongside: 0), 0.075, 0.38))
        #expect(abs(plan.pace(of: .refresh) - 2) < 1e-12)
    }

    @Test func `a launch on the fastest cores takes less than half as long`() {
        let plan = Self.plan { $0.placement.launch.cores = .performance }
        #expect(abs(plan.backgroundLaunchFactor - 15_200.0 / 34_880) < 1e-12)
        #expect(Self.near(plan.share(of: .launch, alongside: 0), 3.56, 1.744))
    }

    @Test func `heat caps the clock that a task may have, not a share of what it left`() {
        let plan = Self.plan(cap: 0.63) {
            $0.placement.event.cores = .performance
            $0.placement.event.clock = 0.63
        }
        // 2.0 of 3.2 GHz are 62.5 %.
        #expect(Self.near(plan.share(of: .event, alongside: 0), 1.53 + 0.06, 1.09))
    }

    @Test func `several busy cores multiply the power and leave the time`() {
        let plan = Self.plan { $0.taskLoad = 3 }
        #expect(Self.near(plan.share(of: .refresh, alongside: 0), 0.645, 0.76))
        #expect(Self.near(plan.share(of: .processing, alongside: 5), 0.645 * 4 / 6, 0.76 * 4 / 6))
        #expect(Self.near(plan.share(alongside: 0), 0.215, 0.76) && abs(plan.workPower.watts - 0.215) < 1e-12)
    }
}
