// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import Testing

/// Draws again when an event comes, and now and then moves or cancels another: enough to disturb any queue.
private struct Shuffler<Queue: PendingEventSet & ~Copyable>: SimulationModel {
    var random = TestRandom(seed: 7)
    var handled: [Int] = []
    var stopAfter = Int.max
    let spacing: Spacing

    mutating func handle(_ slot: Int, in engine: inout Engine<Queue>) {
        handled.append(slot)
        if handled.count == stopAfter { engine.stop() }
        engine.schedule(slot, after: spacing.draw(&random), class: UInt8(slot & 15))
        let other = random.below(engine.slots)
        if random.below(4) == 0 { engine.cancel(other) }
        if random.below(3) == 0 { engine.schedule(other, after: spacing.draw(&random)) }
    }
}

@Suite struct `Running an engine` {
    @Test(arguments: Spacing.allCases)
    func `every queue gives the same fingerprint`(spacing: Spacing) {
        let wheel = fingerprint(TimingWheel.self, spacing: spacing)
        #expect(wheel == fingerprint(QuaternaryHeap.self, spacing: spacing))
        #expect(wheel.events == 20_000)
    }

    @Test
    func `a run in steps and pieces is the same as one run`() {
        var pieces = started(TimingWheel.self, spacing: .exponential)
        var model = Shuffler<TimingWheel>(spacing: .exponential)
        for _ in 0..<100 { pieces.step(&model) }
        while pieces.now < .seconds(0.1) { pieces.run(&model, until: pieces.now + .seconds(0.000_321)) }
        pieces.run(&model, until: .seconds(0.2))

        var whole = started(TimingWheel.self, spacing: .exponential)
        var other = Shuffler<TimingWheel>(spacing: .exponential)
        whole.run(&other, until: .seconds(0.2))
        #expect(pieces.fingerprint == whole.fingerprint)
        #expect(pieces.eventsProcessed == whole.eventsProcessed)
        #expect(model.handled == other.handled)
        #expect(pieces.now == .seconds(0.2))
    }

    @Test
    func `a restored engine goes on as the saved one, in any queue`() {
        var engine = started(TimingWheel.self, spacing: .manyTies)
        var model = Shuffler<TimingWheel>(spacing: .manyTies)
        engine.run(&model, until: .seconds(1))
        let snapshot = engine.save()

        var onHeap = Engine<QuaternaryHeap>(restoring: snapshot)
        var modelOnHeap = Shuffler<QuaternaryHeap>(spacing: .manyTies)
        modelOnHeap.random = model.random
        var onWheel = Engine<TimingWheel>(restoring: snapshot)
        var modelOnWheel = model
        #expect(onHeap.save() == snapshot)
        #expect(onWheel.save() == snapshot)
        engine.run(&model, until: .seconds(3))
        onHeap.run(&modelOnHeap, until: .seconds(3))
        onWheel.run(&modelOnWheel, until: .seconds(3))
        #expect(engine.fingerprint == onHeap.fingerprint)
        #expect(engine.fingerprint == onWheel.fingerprint)
        #expect(engine.save() == onHeap.save())
        #expect(engine.save() == onWheel.save())
    }

    @Test(arguments: Spacing.allCases)
    func `a copied engine goes on as its original, and neither moves the other`(spacing: Spacing) {
        var engine = started(TimingWheel.self, spacing: spacing)
        var model = Shuffler<TimingWheel>(spacing: spacing)
        engine.run(&model, until: .seconds(0.05))
        let before = engine.save()
        var copy = Engine(copying: engine)
        var other = model
        #expect(copy.save() == before)
        for _ in 0..<5000 { copy.step(&other) }
        #expect(engine.save() == before)
        #expect(copy.eventsProcessed == before.eventsProcessed + 5000)
        for _ in 0..<5000 { engine.step(&model) }
        #expect(engine.save() == copy.save())
        #expect(model.handled == other.handled)
    }

    @Test
    func `the limit of a run is included, and a run without events moves the clock to its limit`() {
        var engine = Engine<TimingWheel>(slots: 2)
        var model = Recorder()
        engine.schedule(0, at: .seconds(2), class: 15)
        #expect(engine.run(&model, until: .seconds(1)) == .limitReached)
        #expect(model.slots.isEmpty)
        #expect(engine.now == .seconds(1))
        #expect(engine.nextTime() == .seconds(2))
        engine.schedule(1, at: .seconds(1))
        #expect(engine.run(&model, until: .seconds(2)) == .exhausted)
        #expect(model.slots == [1, 0])
        #expect(engine.now == .seconds(2))
        #expect(engine.nextTime() == nil)
    }

    @Test
    func `a run to the distant future leaves the clock at the last event`() {
        var engine = Engine<TimingWheel>(slots: 1)
        var model = Recorder()
        engine.schedule(0, at: .seconds(3))
        #expect(engine.run(&model, until: .distantFuture) == .exhausted)
        #expect(engine.now == .seconds(3))
    }

    @Test
    func `stop ends a run after the event being handled`() {
        var engine = started(TimingWheel.self, spacing: .uniform)
        var model = Shuffler<TimingWheel>(spacing: .uniform)
        model.stopAfter = 10
        #expect(engine.run(&model, until: .seconds(1)) == .stopped)
        #expect(model.handled.count == 10)
        #expect(engine.eventsProcessed == 10)
        #expect(engine.pendingCount > 0)
    }

    @Test
    func `a run after a stopped one goes on to its limit`() {
        var engine = Engine<TimingWheel>(slots: 8)
        var model = Stopper(stopsAt: [2, 5])
        for slot in 0..<8 { engine.schedule(slot, at: .seconds(Double(slot + 1))) }
        #expect(engine.run(&model, until: .seconds(7)) == .stopped)
        #expect(model.slots == [0, 1, 2] && engine.now == .seconds(3) && engine.pendingCount == 5)
        #expect(engine.run(&model, until: .seconds(5)) == .limitReached)
        #expect(model.slots == [0, 1, 2, 3, 4] && engine.now == .seconds(5))
        #expect(engine.run(&model, until: .seconds(7)) == .stopped)
        #expect(model.slots == [0, 1, 2, 3, 4, 5] && engine.now == .seconds(6))
        #expect(engine.run(&model, until: .distantFuture) == .exhausted)
        #expect(model.slots == Array(0..<8) && engine.now == .seconds(8))
        #expect(engine.eventsProcessed == 8)
    }

    @Test
    func `scheduling at the horizon or beyond means never`() {
        var engine = Engine<TimingWheel>(slots: 1)
        engine.schedule(0, at: .seconds(1))
        engine.schedule(0, at: .distantFuture)
        let isPending = engine.isPending(0)
        #expect(!isPending)
        #expect(engine.pendingCount == 0)
    }

    private func started<Queue: PendingEventSet & ~Copyable>(_: Queue.Type, spacing: Spacing) -> Engine<Queue> {
        var engine = Engine<Queue>(slots: 64)
        var random = TestRandom(seed: 99)
        for slot in 0..<64 { engine.schedule(slot, after: spacing.draw(&random)) }
        return engine
    }

    private func fingerprint<Queue: PendingEventSet & ~Copyable>(
        _: Queue.Type, spacing: Spacing
    ) -> Fingerprint {
        var engine = started(Queue.self, spacing: spacing)
        var model = Shuffler<Queue>(spacing: spacing)
        model.stopAfter = 20_000
        engine.run(&model, until: .seconds(1_000))
        return Fingerprint(value: engine.fingerprint, events: engine.eventsProcessed)
    }
}

private struct Fingerprint: Equatable {
    var value: UInt64
    var events: UInt64
}

private struct Recorder: SimulationModel {
    var slots: [Int] = []

    mutating func handle(_ slot: Int, in engine: inout Engine<TimingWheel>) { slots.append(slot) }

    @Test
    func `asking for an event in vain takes the time that was asked for`() {
        var engine = Engine<TimingWheel>(slots: 1)
        engine.schedule(0, at: .seconds(9))
        #expect(engine.next(notAfter: .seconds(5)) == nil)
        #expect(engine.now == .seconds(5))
        #expect(engine.next(notAfter: .seconds(9)) == 0)
        #expect(engine.now == .seconds(9))
    }
}

/// Asks to stop when some slots come.
private struct Stopper: SimulationModel {
    let stopsAt: Set<Int>
    var slots: [Int] = []

    mutating func handle(_ slot: Int, in engine: inout Engine<TimingWheel>) {
        slots.append(slot)
        if stopsAt.contains(slot) { engine.stop() }
    }
}
