// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import RandomStreams

/// The hold model: take the first event and put it back an exponential time later, with a constant number pending.
enum HoldCase {
    static let operations = 2_000_000

    static func run(into report: Report) {
        for size in [1_000, 10_000, 100_000, 1_000_000] {
            let wheel = bare(TimingWheel.self, size)
            let heap = bare(QuaternaryHeap.self, size)
            report.add("hold", "wheel", size, wheel, "ns/hold")
            report.add("hold", "heap", size, heap, "ns/hold")
            report.add("hold", "best-queue", size, min(wheel, heap), "ns/hold")
            report.add("hold", "engine-wheel", size, throughEngine(TimingWheel.self, size), "ns/event")
        }
        report.add("hold", "heap", 4_096, bare(QuaternaryHeap.self, 4_096), "ns/hold")
        report.add("hold", "local-heap", 4_096, LocalHeap.hold(4_096, operations: operations), "ns/hold")
    }

    private static func bare<Queue: PendingEventSet & ~Copyable>(_: Queue.Type, _ size: Int) -> Double {
        var queue = Queue(slots: size)
        var random = RandomStream(seed: 1, replication: 0, entity: "hold", purpose: "increments")
        for slot in 0..<size { queue.schedule(slot, at: .zero + random.holdTime()) }
        hold(&queue, &random, operations: max(operations, 3 * size))
        return Measurement.nanoseconds(operations: operations) { hold(&queue, &random, operations: operations) }
    }

    @inline(__always)
    private static func hold<Queue: PendingEventSet & ~Copyable>(
        _ queue: inout Queue, _ random: inout RandomStream, operations: Int
    ) {
        var sum: UInt64 = 0
        for _ in 0..<operations {
            let event = queue.popMinimum(notAfter: .last)
            sum &+= event.key.rawValue
            queue.schedule(event.slot, at: event.key.time + random.holdTime())
        }
        keep(sum)
    }

    private static func throughEngine<Queue: PendingEventSet & ~Copyable>(_: Queue.Type, _ size: Int) -> Double {
        var engine = Engine<Queue>(slots: size)
        var model = HoldModel<Queue>()
        for slot in 0..<size { engine.schedule(slot, after: model.random.holdTime()) }
        model.left = max(operations, 3 * size)
        engine.run(&model, until: .distantFuture)
        return Measurement.nanoseconds(operations: operations) {
            model.left = operations
            engine.run(&model, until: .distantFuture)
            keep(engine.fingerprint)
        }
    }
}

extension RandomStream {
    /// An exponential length of time with mean one second.
    @inline(__always)
    mutating func holdTime() -> SimDuration { SimDuration(nanoseconds: Int64(exponential(mean: 1e9))) }
}

/// A model that puts each event back, and nothing else.
struct HoldModel<Queue: PendingEventSet & ~Copyable>: SimulationModel {
    var random = RandomStream(seed: 1, replication: 0, entity: "hold", purpose: "increments")
    var left = 0

    @inline(__always)
    mutating func handle(_ slot: Int, in engine: inout Engine<Queue>) {
        engine.schedule(slot, after: random.holdTime())
        left &-= 1
        if left == 0 { engine.stop() }
    }
}
