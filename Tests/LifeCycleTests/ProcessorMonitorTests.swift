// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Testing

@Suite struct ProcessorMonitorTests {
    private let rules = LifeCycleRules()
    private func at(_ seconds: Double) -> SimTime { .zero + .seconds(seconds) }

    @Test(arguments: [(1.0, 48.0), (2, 24), (0.9, 48 / 0.9), (0.8, 60)])
    func `the limit is 48 seconds of processor time within 60`(load: Double, seconds: Double) {
        var monitor = ProcessorMonitor()
        let limit = monitor.use(load, at: at(1000), rules)
        #expect(abs((limit - at(1000)).seconds - seconds) < 1e-6)
        #expect(abs(monitor.used(at: limit, rules) - 48) < 1e-6)
    }

    @Test func `below 80 % nobody dies, however long`() {
        var monitor = ProcessorMonitor()
        #expect(monitor.use(0.79, at: at(0), rules) == .distantFuture)
        #expect(abs(monitor.used(at: at(615), rules) - 0.79 * 15) < 1e-6)
    }

    @Test func `the first window begins with the first use`() {
        var monitor = ProcessorMonitor()
        #expect(monitor.use(1, at: at(30), rules) == at(78))
    }

    @Test func `work in pieces adds up within a window, and a pause begins a new one`() {
        var monitor = ProcessorMonitor()
        _ = monitor.use(1, at: at(0), rules)
        _ = monitor.use(0, at: at(40), rules)
        #expect(monitor.use(1, at: at(45), rules) == at(53))
        _ = monitor.use(0, at: at(50), rules)
        #expect(monitor.use(1, at: at(70), rules) == at(118))
    }

    @Test func `work that begins late in a window has all of the next`() {
        var monitor = ProcessorMonitor()
        _ = monitor.use(1, at: at(0), rules)
        _ = monitor.use(0, at: at(1), rules)
        #expect(monitor.use(1, at: at(50), rules) == at(108))
    }

    @Test(arguments: [(0.5, 0.6), (0.79, 0.1), (0.1, 0.79)])
    func `a new load counts from the begin of the window it falls into`(first: Double, second: Double) {
        var monitor = ProcessorMonitor()
        _ = monitor.use(first, at: at(0), rules)
        #expect(monitor.use(second, at: at(90), rules) == .distantFuture)
        // The second window began at 60 s: 30 s of the first load, then the second.
        #expect(abs(monitor.used(at: at(90), rules) - first * 30) < 1e-9)
        #expect(abs(monitor.used(at: at(110), rules) - (first * 30 + second * 20)) < 1e-9)
        // And the third at 120 s.
        #expect(abs(monitor.used(at: at(130), rules) - second * 10) < 1e-9)
    }

    @Test func `what a window has used already brings the limit nearer, and the next begins without it`() {
        var monitor = ProcessorMonitor()
        _ = monitor.use(0.5, at: at(0), rules)
        // 15 s used of the second window, which ends at 120 s: 24 s more at two processors fit in none of it.
        #expect(monitor.use(2, at: at(90), rules) == at(90 + (48 - 15) / 2.0))
        // At one processor 33 s do not fit into the 30 that are left: all of the third window counts.
        #expect(monitor.use(1, at: at(90), rules) == at(120 + 48))
    }
}
