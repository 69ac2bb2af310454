// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import RandomStreams

/// One event per entity; each step takes the first event, schedules it again at a drawn time, and moves K random
/// others.
enum RescheduleCase {
    static let steps = 1_000_000

    static func run(into report: Report) {
        for size in [1_000, 10_000, 100_000] {
            for moves in [0, 1, 3] {
                let name = "reschedule\(moves)"
                report.add(name, "engine-wheel", size, measure(TimingWheel.self, size, moves: moves), "ns/operation")
            }
        }
        report.add(
            "reschedule3", "engine-heap", 10_000, measure(QuaternaryHeap.self, 10_000, moves: 3), "ns/operation")
    }

    private static func measure<Queue: PendingEventSet & ~Copyable>(
        _: Queue.Type, _ size: Int, moves: Int
    ) -> Double {
        var engine = Engine<Queue>(slots: size)
        var model = RescheduleModel<Queue>(moves: moves)
        for slot in 0..<size { engine.schedule(slot, after: model.random.holdTime()) }
        model.left = max(steps, 2 * size)
        engine.run(&model, until: .distantFuture)
        return Measurement.nanoseconds(operations: steps * (1 + moves)) {
            model.left = steps
            engine.run(&model, until: .distantFuture)
            keep(engine.fingerprint)
        }
    }
}

/// Schedules each event again when it occurs, and moves others.
struct RescheduleModel<Queue: PendingEventSet & ~Copyable>: SimulationModel {
    let moves: Int
    var random = RandomStream(seed: 1, replication: 0, entity: "reschedule", purpose: "increments")
    var left = 0

    init(moves: Int) { self.moves = moves }

    @inline(__always)
    mutating func handle(_ slot: Int, in engine: inout Engine<Queue>) {
        engine.schedule(slot, after: random.holdTime())
        for _ in 0..<moves { engine.schedule(random.slot(below: engine.slots), after: random.holdTime()) }
        left &-= 1
        if left == 0 { engine.stop() }
    }
}

extension RandomStream {
    /// A random slot number; all numbers are equally likely, up to 2^-40.
    @inline(__always)
    mutating func slot(below slots: Int) -> Int {
        Int(truncatingIfNeeded: nextBits().multipliedFullWidth(by: UInt64(slots)).high)
    }
}
