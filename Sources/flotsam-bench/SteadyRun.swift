// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities

/// `flotsam-bench steady CASE EVENTS`: one plain run to be counted by callgrind; see `Benchmarks/check-instructions`.
///
/// The difference of two runs of different length is the cost of the events; the set-up cancels.
enum SteadyRun {
    static func main(_ words: [String]) -> Int32 {
        guard words.count == 2, let events = Int(words[1]), events > 0 else { return 2 }
        switch words[0] {
        case "hold-wheel": hold(TimingWheel.self, events)
        case "hold-heap": hold(QuaternaryHeap.self, events)
        case "reschedule": reschedule(events)
        case "mm1": station(events)
        case "phone": PhoneCase.steady(apps: 1_000, days: events)
        case "phone-plain": PhoneCase.steady(apps: 1_000, days: events, PhoneCase.plain)
        case "phone-100": PhoneCase.steady(apps: 100, days: events)
        case "phone-10000": PhoneCase.steady(apps: 10_000, days: events)
        default: return 2
        }
        return 0
    }

    private static func hold<Queue: PendingEventSet & ~Copyable>(_: Queue.Type, _ events: Int) {
        var engine = Engine<Queue>(slots: 10_000)
        var model = HoldModel<Queue>()
        for slot in 0..<10_000 { engine.schedule(slot, after: model.random.holdTime()) }
        model.left = 50_000 + events
        engine.run(&model, until: .distantFuture)
        keep(engine.fingerprint)
        print("events \(engine.eventsProcessed)")
    }

    private static func reschedule(_ steps: Int) {
        var engine = Engine<TimingWheel>(slots: 10_000)
        var model = RescheduleModel<TimingWheel>(moves: 3)
        for slot in 0..<10_000 { engine.schedule(slot, after: model.random.holdTime()) }
        model.left = 50_000 + steps
        engine.run(&model, until: .distantFuture)
        keep(engine.fingerprint)
        print("events \(engine.eventsProcessed)")
    }

    private static func station(_ customers: Int) {
        keep(StationCase.throughEngine(TimingWheel.self, customers).bitPattern)
        print("events \(2 * customers)")
    }
}
