// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Measures
import Power
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Keeps every row of any table as text.
private final class Lines: RowSink {
    var lines: [String] = []

    func write<Row>(_ row: Row, to table: Table<Row>) { lines.append("\(row)") }
}

@Suite struct `A copy of a phone` {
    private static let tables: TableSet = [
        .deviceHours, .appDays, .events, .requests, .decisions, .callbacks, .appHours, .radio, .battery, .predictions,
    ]

    /// A phone that has run for a day and some.
    private static func phone(_ sink: any RowSink) -> Phone {
        var phone = Phone(TestWorld.specification(tables: tables), sink: sink)
        phone.start()
        phone.run(until: .zero + .hours(36.3))
        return phone
    }

    @Test func `goes on alone, and the original does not notice`() {
        let (sink, other) = (Lines(), Lines())
        let original = Self.phone(sink)
        let engine = original.core.engine.save()
        let (stored, power) = (original.core.power.storedEnergy, original.core.power.totalPower)
        let rows = sink.lines
        let free = original.core.processes.available

        var copy = original.copy(sink: other)
        #expect(copy.core.engine.save() == engine)
        #expect(copy.core.power.storedEnergy == stored && copy.core.power.totalPower == power)
        copy.run(until: copy.core.end)
        #expect(copy.core.engine.eventsProcessed > engine.eventsProcessed + 1000)
        #expect(copy.core.power.storedEnergy != stored)

        #expect(original.core.engine.save() == engine)
        #expect(original.core.power.storedEnergy == stored && original.core.power.totalPower == power)
        #expect(original.core.processes.available == free)
        #expect(sink.lines == rows)
    }

    @Test func `writes the rows that its original still writes, to its own sink`() {
        let (sink, other) = (Lines(), Lines())
        var original = Self.phone(sink)
        let before = sink.lines.count
        var copy = original.copy(sink: other)
        var silent = original.copy(sink: nil)
        copy.run(until: copy.core.end)
        silent.run(until: silent.core.end)
        original.run(until: original.core.end)
        let outcomes = [original.outcome(), copy.outcome(), silent.outcome()]
        #expect(before > 1000 && other.lines.count > 1000)
        #expect(Array(sink.lines.dropFirst(before)) == other.lines)
        #expect(Set(outcomes.map(\.fingerprint)).count == 1)
        #expect(Set(outcomes.map { $0.metrics.map(\.bitPattern) }).count == 1)
    }

    @Test func `of which a policy is a class is refused`() async {
        await #expect(processExitsWith: .failure) {
            var specification = TestWorld.specification()
            specification.makeEviction = { _ in Shared() }
            var phone = Phone(specification, sink: nil)
            phone.start()
            _ = phone.copy(sink: nil)
        }
    }
}

/// A policy that both copies would change.
private final class Shared: EvictionPolicy {
    func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { 0 }
}
