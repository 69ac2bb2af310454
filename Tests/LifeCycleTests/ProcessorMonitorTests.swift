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
}
