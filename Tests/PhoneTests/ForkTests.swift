// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone

/// Keeps what happens to processes and requests.
private final class Events: RowSink {
    var events: [EventRow] = []
    var requests: [RequestRow] = []
    var lines: [String] = []

    func write<Row>(_ row: Row, to table: Table<Row>) {
        lines.append("\(row)")
        if let event = row as? EventRow { events.append(event) }
        if let request = row as? RequestRow { requests.append(request) }
    }

    var kills: [EventRow] { events.filter { $0.event == .exit && $0.reason != nil } }
}

/// A policy that a copy of the phone would share with its original.
private final class SharedRank: EvictionPolicy {
    func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { 0 }
}

/// A run that stands still at an instant and goes on with one decision flipped.
@Suite struct ForkTests {
    private static let end = SimTime.zero + .days(2)
    private static let specification = TestWorld.specification(
        device: TestWorld.device(ram: .gibibytes(2.5)), tables: [.events, .requests])

    private func run(_ flip: Flip? = nil, from instant: SimTime) -> (Events, Energy?) {
        var run = ForkedRun(Self.specification)
        run.advance(toJustBefore: instant)
        let sink = Events()
        let energy = run.outlook(flipping: flip, until: Self.end, sink: sink)
        return (sink, energy)
    }

    private let whole = Events()

    init() { _ = simulate(Self.specification, sink: whole) }

    /// A kill chosen by rank, in the middle of the run.
    private var kill: EventRow {
        get throws {
            try #require(
                whole.kills.first {
                    $0.time > .zero + .hours(30) && [.pageShortage, .idleExit].contains($0.reason)
                        && (0..<40).contains($0.app.index) && (0..<40).contains($0.runnerUp.index)
                })
        }
    }

    @Test func `without a flip it goes on as the whole run does`() throws {
        let kill = try kill
        let (sink, energy) = run(from: kill.time)
        let rest = whole.events.filter { $0.time >= kill.time }.map { "\($0)" }
        // A row written at the very instant by an earlier event belongs to the part before.
        #expect(sink.events.map { "\($0)" } == rest.suffix(sink.events.count))
        #expect(rest.count - sink.events.count <= 1 && sink.events.count > 100)
        #expect(sink.kills.first?.app == kill.app && energy != nil)
    }

    @Test func `a spared app lives on, and another dies in its stead`() throws {
        let kill = try kill
        let (sink, _) = run(.spare(kill.app, at: kill.time), from: kill.time)
        let then = sink.kills.filter { $0.time == kill.time }
        #expect(then.count >= 1 && then.allSatisfy { $0.app != kill.app })
        #expect(then.first?.app == kill.runnerUp)
        let next = try #require(sink.events.first { $0.app == kill.app && $0.launchKind != nil || $0.event == .exit })
        #expect(next.time >= kill.time)
    }

    @Test func `a flip that is undone at once changes nothing`() throws {
        let kill = try kill
        var phone = Phone(Self.specification, sink: Events())
        phone.start()
        phone.run(until: kill.time - SimDuration(nanoseconds: 1))
        let (plain, undone) = (Events(), Events())
        var one = phone.copy(sink: plain)
        var other = phone.copy(sink: undone)
        let spared = other.core.spare(kill.app)
        other.core.unspare(spared, hasRun: false)
        one.run(until: one.core.end)
        other.run(until: other.core.end)
        #expect(undone.lines == plain.lines && plain.lines.count > 100)
        #expect(one.outcome().fingerprint == other.outcome().fingerprint)
    }

    @Test func `an app killed by hand is dead at once`() throws {
        let kill = try kill
        let other = kill.runnerUp
        #expect(other != .system)
        let (sink, _) = run(.kill(other), from: kill.time)
        let first = try #require(sink.kills.first)
        #expect(first.app == other && first.reason == .jettisoned && first.time < kill.time)
        #expect(run(.kill(other), from: kill.time).1 != nil)
    }

    @Test func `a request that is granted starts on the spot, one that is denied starts later`() throws {
        let start = try #require(
            whole.requests.first { $0.work == .refresh && $0.started > .zero + .hours(30) && $0.started < Self.end })
        let denied = run(.deny(start.app, .refresh, until: start.started + .minutes(15)), from: start.started).0
        let next = denied.requests.first { $0.app == start.app && $0.work == .refresh && $0.started >= start.started }
        if let next { #expect(next.started >= start.started + .minutes(15)) }
        #expect(!denied.requests.contains { $0.app == start.app && $0.started == start.started })
        let early = start.earliestBegin + .seconds(1)
        let granted = run(.grant(start.app, .refresh), from: early).0
        let run = try #require(granted.requests.first { $0.app == start.app && $0.work == .refresh })
        #expect(run.started < early && run.started <= start.started)
    }

    @Test func `a run whose policy is a class cannot be forked`() {
        var shared = Self.specification
        #expect(ForkedRun.isPossible(shared))
        shared.makeEviction = { _ in SharedRank() }
        #expect(!ForkedRun.isPossible(shared))
    }

    @Test func `what is not there cannot be flipped`() throws {
        let kill = try kill
        let after = kill.time + SimDuration(nanoseconds: 1)
        #expect(run(.kill(kill.app), from: after).1 == nil)
        #expect(run(.spare(kill.app, at: after), from: after).1 == nil)
    }
}
