// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import Testing

/// Queues with many events pending, against the heap, and in the shapes that are hard for buckets.
@Suite struct `Large queues` {
    @Test(arguments: Spacing.allCases)
    func `the wheel gives the heap's order with 20,000 pending`(spacing: Spacing) {
        let heap = held(QuaternaryHeap.self, spacing: spacing)
        #expect(held(TimingWheel.self, spacing: spacing) == heap)
    }

    @Test(arguments: Spacing.allCases)
    func `the order holds when 99 % of the events are cancelled`(spacing: Spacing) {
        let heap = mostlyCancelled(QuaternaryHeap.self, spacing: spacing)
        #expect(mostlyCancelled(TimingWheel.self, spacing: spacing) == heap)
    }

    @Test
    func `events before, between and behind those already sorted keep the order`() {
        let heap = nested(QuaternaryHeap.self)
        #expect(nested(TimingWheel.self) == heap)
    }

    @Test
    func `a chain of events without delay among thousands of ties keeps the order`() {
        let heap = zeroDelays(QuaternaryHeap.self)
        #expect(zeroDelays(TimingWheel.self) == heap)
    }

    private func held<Queue: PendingEventSet & ~Copyable>(_: Queue.Type, spacing: Spacing) -> UInt64 {
        var queue = Queue(slots: 20_000)
        var random = TestRandom(seed: 3)
        var order = OrderFingerprint()
        for slot in 0..<20_000 { queue.schedule(slot, at: .zero + spacing.draw(&random)) }
        for _ in 0..<60_000 {
            let event = queue.popMinimum(notAfter: .last)
            order.add(event)
            queue.schedule(event.slot, at: event.key.time + spacing.draw(&random))
        }
        while queue.count > 0 { order.add(queue.popMinimum(notAfter: .last)) }
        return order.value
    }

    private func mostlyCancelled<Queue: PendingEventSet & ~Copyable>(_: Queue.Type, spacing: Spacing) -> UInt64 {
        var queue = Queue(slots: 5_000)
        var random = TestRandom(seed: 4)
        var order = OrderFingerprint()
        var clock = SimTime.zero
        for round in 0..<100_000 {
            let slot = random.below(5_000)
            queue.schedule(slot, at: clock + spacing.draw(&random))
            if round % 100 != 0 {
                queue.cancel(slot)
            } else if round % 200 == 0 {
                let event = queue.popMinimum(notAfter: .last)
                order.add(event)
                clock = event.key.time
            }
        }
        while queue.count > 0 { order.add(queue.popMinimum(notAfter: .last)) }
        return order.value
    }

    /// Looks far ahead, then fills the time before: each round lies between the clock and what was sorted already.
    private func nested<Queue: PendingEventSet & ~Copyable>(_: Queue.Type) -> UInt64 {
        var queue = Queue(slots: 40_000)
        var random = TestRandom(seed: 5)
        var order = OrderFingerprint()
        var slot = 0
        for round in 0..<35 {
            let span = 1 << (60 - round)
            for step in 0..<1_000 {
                let time = round % 3 == 0 ? span - step : round % 3 == 1 ? step : random.below(span)
                queue.schedule(slot, at: SimTime(nanoseconds: Int64(time) >> 1), class: UInt8(step & 1))
                slot += 1
            }
            #expect(queue.minimum() != .never)
            if round % 5 == 4 { order.add(queue.popMinimum(notAfter: EventKey(time: .zero, class: 15))) }
        }
        while queue.count > 0 { order.add(queue.popMinimum(notAfter: .last)) }
        return order.value
    }

    private func zeroDelays<Queue: PendingEventSet & ~Copyable>(_: Queue.Type) -> UInt64 {
        var queue = Queue(slots: 10_000)
        var order = OrderFingerprint()
        for slot in 0..<10_000 { queue.schedule(slot, at: .seconds(1), class: UInt8(slot % 3)) }
        for round in 0..<30_000 {
            let event = queue.popMinimum(notAfter: .last)
            order.add(event)
            queue.schedule(event.slot, at: event.key.time, class: UInt8(round % 3))
        }
        return order.value
    }
}
