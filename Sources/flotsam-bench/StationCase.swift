// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import RandomStreams

/// M/M/1 at 90 % utilisation: ten million customers through the public interface, and by a bare loop of two clocks.
enum StationCase {
    static let customers = 10_000_000
    static let meanBetweenArrivals = 1e9
    static let meanService = 0.9e9

    static func run(into report: Report) {
        var means = (engine: 0.0, loop: 0.0)
        let wheel = Measurement.nanoseconds(operations: customers) {
            means.engine = throughEngine(TimingWheel.self, customers)
        }
        let heap = Measurement.nanoseconds(operations: customers) {
            means.engine = throughEngine(QuaternaryHeap.self, customers)
        }
        let loop = Measurement.nanoseconds(operations: customers) { means.loop = twoClocks(customers) }
        report.add("mm1", "engine-wheel", 1, wheel, "ns/customer")
        report.add("mm1", "engine-heap", 1, heap, "ns/customer")
        report.add("mm1", "two-clock-loop", 1, loop, "ns/customer")
        report.remark(
            "mean number of customers in the system: engine \(short(means.engine)), "
                + "bare loop \(short(means.loop)), theory 9.0"
        )
    }

    /// - Returns: the mean number of customers in the system.
    static func throughEngine<Queue: PendingEventSet & ~Copyable>(_: Queue.Type, _ customers: Int) -> Double {
        var engine = Engine<Queue>(slots: 2)
        var model = StationModel<Queue>()
        model.left = customers
        engine.schedule(StationModel<Queue>.arrival, at: .zero)
        engine.run(&model, until: .distantFuture)
        return model.area / Double(engine.now.nanoseconds)
    }

    private static func twoClocks(_ customers: Int) -> Double {
        var arrivals = RandomStream(seed: 1, replication: 0, entity: "station", purpose: "arrivals")
        var services = RandomStream(seed: 1, replication: 0, entity: "station", purpose: "services")
        var now: Int64 = 0
        var arrival: Int64 = 0
        var departure = Int64.max
        var area = 0.0
        var inside = 0
        var left = customers
        while left > 0 {
            let next = min(arrival, departure)
            area += Double(next - now) * Double(inside)
            now = next
            if arrival <= departure {
                inside += 1
                arrival = now + Int64(arrivals.exponential(mean: meanBetweenArrivals))
                if inside == 1 { departure = now + Int64(services.exponential(mean: meanService)) }
            } else {
                inside -= 1
                left -= 1
                departure = inside > 0 ? now + Int64(services.exponential(mean: meanService)) : .max
            }
        }
        return area / Double(now)
    }
}

/// One server and its queue, as a user of the kernel would write it; inlined into the run loop as hot models should be.
struct StationModel<Queue: PendingEventSet & ~Copyable>: SimulationModel {
    static var arrival: Int { 0 }
    static var departure: Int { 1 }

    var arrivals = RandomStream(seed: 1, replication: 0, entity: "station", purpose: "arrivals")
    var services = RandomStream(seed: 1, replication: 0, entity: "station", purpose: "services")
    var inside = 0
    var area = 0.0
    var lastChange = SimTime.zero
    var left = 0

    @inline(__always)
    mutating func handle(_ slot: Int, in engine: inout Engine<Queue>) {
        area += Double((engine.now - lastChange).nanoseconds) * Double(inside)
        lastChange = engine.now
        if slot == Self.arrival {
            inside += 1
            let gap = arrivals.exponential(mean: StationCase.meanBetweenArrivals)
            engine.schedule(Self.arrival, after: SimDuration(nanoseconds: Int64(gap)))
            if inside == 1 { startService(&engine) }
        } else {
            inside -= 1
            left -= 1
            if left == 0 { engine.stop() }
            if inside > 0 { startService(&engine) }
        }
    }

    @inline(__always)
    private mutating func startService(_ engine: inout Engine<Queue>) {
        let length = services.exponential(mean: StationCase.meanService)
        engine.schedule(Self.departure, after: SimDuration(nanoseconds: Int64(length)), class: 1)
    }
}
