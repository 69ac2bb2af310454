// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import Testing

/// Every queue against the sorted reference, on the same random operations.
@Suite struct `Queue order` {
    @Test(arguments: Spacing.allCases)
    func `the timing wheel gives the order of the sorted reference`(spacing: Spacing) {
        compareWithReference(TimingWheel.self, spacing: spacing)
    }

    @Test(arguments: Spacing.allCases)
    func `the quaternary heap gives the order of the sorted reference`(spacing: Spacing) {
        compareWithReference(QuaternaryHeap.self, spacing: spacing)
    }

    @Test
    func `events of one instant come by class, then in the order of insertion`() {
        checkTies(TimingWheel.self)
        checkTies(QuaternaryHeap.self)
    }

    @Test
    func `growing keeps every pending event`() {
        checkGrowth(TimingWheel.self)
        checkGrowth(QuaternaryHeap.self)
    }

    @Test
    func `the last instant before the horizon can be scheduled`() {
        checkLastInstant(TimingWheel.self)
        checkLastInstant(QuaternaryHeap.self)
    }

    private func compareWithReference<Queue: PendingEventSet & ~Copyable>(_: Queue.Type, spacing: Spacing) {
        for seed in 1...12 {
            var run = Comparison<Queue>(slots: [1, 3, 8, 40, 200][seed % 5], spacing: spacing, seed: UInt64(seed))
            for _ in 0..<1_000 { run.act() }
            run.drain()
        }
    }

    private func checkTies<Queue: PendingEventSet & ~Copyable>(_: Queue.Type) {
        var queue = Queue(slots: 100)
        let instant = SimTime.seconds(5)
        for slot in 0..<100 { queue.schedule((slot * 37) % 100, at: instant, class: UInt8(slot % 16)) }
        queue.schedule(37, at: instant, class: 0)
        let found = drained(&queue)
        let expected = (0..<16).flatMap { eventClass in
            let slots = (0..<100).filter { $0 % 16 == eventClass }.map { ($0 * 37) % 100 }
            return eventClass == 0 ? slots.filter { $0 != 37 } + [37] : slots.filter { $0 != 37 }
        }
        #expect(found == expected)
    }

    private func checkGrowth<Queue: PendingEventSet & ~Copyable>(_: Queue.Type) {
        var queue = Queue(slots: 4)
        for slot in 0..<4 { queue.schedule(slot, at: .seconds(Double(10 - slot))) }
        queue.grow(toSlots: 1_000)
        queue.schedule(999, at: .seconds(8.5))
        #expect(queue.slots == 1_000)
        #expect(drained(&queue) == [3, 2, 999, 1, 0])
    }

    private func checkLastInstant<Queue: PendingEventSet & ~Copyable>(_: Queue.Type) {
        var queue = Queue(slots: 2)
        let last = SimTime(nanoseconds: EventKey.horizon.nanoseconds - 1)
        queue.schedule(0, at: last, class: EventKey.maximumClass)
        queue.schedule(1, at: .zero)
        #expect(drained(&queue) == [1, 0])
    }

    private func drained<Queue: PendingEventSet & ~Copyable>(_ queue: inout Queue) -> [Int] {
        var found: [Int] = []
        while true {
            let event = queue.popMinimum(notAfter: .last)
            guard event.slot >= 0 else { return found }
            found.append(event.slot)
        }
    }
}

/// One queue and the reference under the same operations.
private struct Comparison<Queue: PendingEventSet & ~Copyable>: ~Copyable {
    var queue: Queue
    var reference = SortedReference()
    var random: TestRandom
    var clock = SimTime.zero
    let slots: Int
    let spacing: Spacing

    init(slots: Int, spacing: Spacing, seed: UInt64) {
        queue = Queue(slots: slots)
        random = TestRandom(seed: seed)
        self.slots = slots
        self.spacing = spacing
    }

    mutating func act() {
        let slot = random.below(slots)
        switch random.below(10) {
        case 0...4:
            let time = clock + spacing.draw(&random)
            let key = EventKey(time: time, class: UInt8(random.below(4) * 5))
            queue.schedule(slot, key: key)
            reference.schedule(slot, key: key)
        case 5:
            queue.cancel(slot)
            reference.cancel(slot)
        case 6:
            pop(notAfter: EventKey(time: clock + spacing.draw(&random), class: EventKey.maximumClass), moveClock: true)
        default:
            pop(notAfter: .last, moveClock: false)
        }
        #expect(queue.count == reference.count)
        #expect(queue.key(of: slot) == reference.key(of: slot))
        if random.below(50) == 0 {
            #expect(queue.pendingInOrder() == reference.inOrder)
            #expect(queue.minimum() == reference.inOrder.first?.key ?? .never)
        }
    }

    mutating func pop(notAfter limit: EventKey, moveClock: Bool) {
        let event = queue.popMinimum(notAfter: limit)
        #expect(event == reference.popMinimum(notAfter: limit))
        if event.slot >= 0 { clock = event.key.time } else if moveClock { clock = limit.time }
    }

    mutating func drain() {
        while reference.count > 0 { pop(notAfter: .last, moveClock: false) }
        #expect(queue.popMinimum(notAfter: .last) == .none)
        #expect(queue.count == 0)
    }
}
