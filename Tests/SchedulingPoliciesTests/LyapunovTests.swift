// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

/// The trade-off of drift plus penalty: power within O(1/V) of the least, backlog O(V).
@Suite struct LyapunovTests {
    /// A link that is good, bad or away, and data that arrives, slot by slot.
    private struct Link {
        static let arrivals = 0.5
        /// Probability, bits per slot, power.
        static let states: [(share: Double, rate: Double, power: Double)] = [(0.3, 4, 1), (0.5, 1, 1), (0.2, 0, 0)]
        /// Serving everything on the good link costs least, and it can.
        static let leastPower = arrivals / 4
        /// Half the largest squares of arrivals and service in one slot.
        static let drift = (1.0 + 16.0) / 2
        /// Service of an always-on phone beyond the arrivals.
        static let room = 0.3 * 4 + 0.5 * 1 - arrivals

        static func run(v: Double, slots: Int) -> (power: Double, backlog: Double) {
            var random = PolicyRandom(seed: 17)
            var (backlog, power, sum) = (0.0, 0.0, 0.0)
            for _ in 0..<slots {
                let draw = random.nextUniform()
                let state = draw < 0.3 ? states[0] : draw < 0.8 ? states[1] : states[2]
                if Lyapunov.transmits(backlog: backlog, rate: state.rate, power: state.power, v: v) {
                    power += state.power
                    backlog = max(0, backlog - state.rate)
                }
                if random.nextUniform() < arrivals { backlog += 1 }
                sum += backlog
            }
            return (power / Double(slots), sum / Double(slots))
        }
    }

    @Test func `the rule of SALSA keeps both published bounds at every V`() {
        for v in [1.0, 2, 4, 8, 16, 32, 64, 128] {
            let found = Link.run(v: v, slots: 60_000)
            #expect(found.power <= Link.leastPower + Link.drift / v, "power at V \(v)")
            #expect(found.backlog <= (Link.drift + v * (1 - Link.leastPower)) / Link.room, "backlog at V \(v)")
        }
    }

    @Test func `power falls to the least there is while the backlog grows in step with V`() {
        let small = Link.run(v: 4, slots: 60_000)
        let large = Link.run(v: 64, slots: 60_000)
        #expect(small.power > large.power)
        #expect(large.power < Link.leastPower * 1.02)
        #expect(large.backlog / small.backlog > 4)
        #expect(large.backlog / small.backlog < 32)
    }

    /// Apps that always have something pending: the time between departures grows with V, and their number falls as
    /// 1/V.
    @Test func `on the phone the waiting at a departure is V times the energy`() throws {
        for v in [10.0, 100, 1000] {
            let jobs = (0..<5).map { BenchJob.at($0, from: 100, to: 1_000_000) }
            var bench = PolicyBench(adjusted(Lyapunov()) { $0.v = v }, device: PolicyBench.pocket)
            let starts = bench.run(jobs).compactMap { $0?.seconds }
            #expect(starts.count == 5)
            // Each waits for V times the 3 J of its run, and then five together for V times 10.9 J.
            #expect(starts.allSatisfy { abs($0 - 100 - v * 3 - v * 10.9 / 5) < 0.001 })
        }
    }

    @Test func `a request that is not ripe stays behind when others leave`() {
        let jobs: [BenchJob] = [.at(0, from: 0, to: 1e6), .at(1, from: 0, to: 1e6), .at(2, from: 500, to: 1e6)]
        var bench = PolicyBench(adjusted(Lyapunov()) { $0.v = 100 }, device: PolicyBench.pocket)
        let starts = bench.run(jobs).compactMap { $0?.seconds.rounded() }
        // Ripe at 300, 300 and 800 s; beyond that they wait 1090 s together, by 830 s.
        #expect(starts == [830, 830, 830])
        // One that is ripe at 1000 s finds the two gone, by 845 s.
        var later = PolicyBench(adjusted(Lyapunov()) { $0.v = 100 }, device: PolicyBench.pocket)
        let apart = later.run([jobs[0], jobs[1], .at(2, from: 700, to: 1e6)]).compactMap { $0?.seconds.rounded() }
        #expect(apart == [845, 845, 700 + 300 + 1090])
    }

    @Test(arguments: [(Network.wifi, 10.0), (.cellular, 1090)])
    func `waiting pays for the radio that is there`(network: Network, wait: Double) {
        var device = PolicyBench.pocket
        device.network = network
        // 100 s/J times 0.1 J for Wi-Fi, 10.9 J for cellular.
        var bench = PolicyBench(adjusted(Lyapunov()) { ($0.v, $0.energies.run) = (100, .zero) }, device: device)
        let start = bench.run([BenchJob.at(0, from: 0, to: 1_000_000)])[0]
        #expect(start.map { abs($0.seconds - wait) < 1e-5 } == true)
    }

    @Test func `cheap occasions are taken at once`() {
        var energies = Lyapunov.Energies()
        energies.run = .zero
        let job = BenchJob.at(0, from: 0, to: 1_000_000)
        let changes: [(ConditionChanges, (inout DeviceConditions) -> Void)] = [
            (.pluggedIn, { $0.pluggedIn = true }), (.radioUp, { $0.radioIsUp = true }),
        ]
        for (change, apply) in changes {
            var bench = PolicyBench(
                adjusted(Lyapunov()) { ($0.v, $0.energies) = (1000, energies) }, device: PolicyBench.pocket)
            #expect(
                bench.run([job], moments: [.init(time: .seconds(50), change: change, apply: apply)]) == [.seconds(50)])
        }
    }

    @Test(arguments: [(RequestKind.refresh, true, 0.0), (.processing, true, 0), (.processing, false, 10)])
    func `a radio that is up makes only the work free that needs it`(kind: RequestKind, network: Bool, wait: Double) {
        var job = BenchJob.at(0, from: 0, to: 1_000_000)
        (job.kind, job.needsNetwork) = (kind, network)
        var device = PolicyBench.pocket
        device.radioIsUp = true
        // Without a run's own energy: 100 s/J times the 0.1 J of waking the processor.
        var bench = PolicyBench(
            adjusted(Lyapunov()) { ($0.v, $0.energies.run, $0.energies.local) = (100, .zero, .joules(0.1)) },
            device: device)
        let start = bench.run([job])[0]
        #expect(start.map { abs($0.seconds - wait) < 1e-5 } == true)
    }
}
