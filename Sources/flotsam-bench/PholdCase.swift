// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import RandomStreams

/// PHOLD: as many events as processes; each event draws from its process' own stream and goes on to another process.
enum PholdCase {
    static let operations = 1_000_000

    static func run(into report: Report) {
        for size in [1_000, 10_000, 100_000, 1_000_000] {
            report.add("phold", "engine-wheel", size, measure(TimingWheel.self, size), "ns/event")
        }
    }

    private static func measure<Queue: PendingEventSet & ~Copyable>(_: Queue.Type, _ size: Int) -> Double {
        var engine = Engine<Queue>(slots: size)
        var model = PholdModel<Queue>(processes: size)
        for slot in 0..<size { engine.schedule(slot, after: model.streams[slot].holdTime()) }
        model.left = max(operations, 3 * size)
        engine.run(&model, until: .distantFuture)
        return Measurement.nanoseconds(operations: operations) {
            model.left = operations
            engine.run(&model, until: .distantFuture)
            keep(engine.fingerprint)
        }
    }
}

/// Each slot is a pending event; `destinations` contains the process that receives the event.
struct PholdModel<Queue: PendingEventSet & ~Copyable>: SimulationModel {
    var streams: [RandomStream]
    var destinations: [Int32]
    var left = 0

    init(processes: Int) {
        streams = (0..<processes).map {
            RandomStream(seed: 1, replication: $0, entity: "process", purpose: "increments and destinations")
        }
        destinations = (0..<processes).map { Int32($0) }
    }

    @inline(__always)
    mutating func handle(_ slot: Int, in engine: inout Engine<Queue>) {
        let process = Int(destinations[slot])
        let delay = streams[process].holdTime()
        destinations[slot] = Int32(truncatingIfNeeded: streams[process].slot(below: streams.count))
        engine.schedule(slot, after: delay)
        left &-= 1
        if left == 0 { engine.stop() }
    }
}
