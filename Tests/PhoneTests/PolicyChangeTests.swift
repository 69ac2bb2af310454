// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Keeps every row of any table as text, and what it has to say of processes and requests.
private final class Rows: RowSink {
    var lines: [String] = []
    var events: [EventRow] = []
    var requests: [RequestRow] = []

    func write<Row>(_ row: Row, to table: Table<Row>) {
        lines.append("\(row)")
        if let event = row as? EventRow { events.append(event) }
        if let request = row as? RequestRow { requests.append(request) }
    }
}

/// What a policy that takes over is told and asked.
private final class Listener: EvictionPolicy, SchedulingPolicy, @unchecked Sendable {
    var opens: [(app: AppID, time: SimTime)] = []
    var ranked: [EvictionCandidate] = []
    var submitted: [RequestView] = []
    var decided: [(request: RequestView, time: SimTime)] = []

    func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        ranked.append(candidate)
        return Double(candidate.band)
    }
    func didOpen(_ app: AppID, at now: SimTime) { opens.append((app, now)) }
    func didSubmit(_ request: RequestView, at now: SimTime) { submitted.append(request) }
    func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        decided.append((request, device.now))
        return .wait(.custom, until: device.now + .hours(1))
    }
}

/// Other policies take over in mid-run.
@Suite struct PolicyChangeTests {
    private static let tables: TableSet = [
        .deviceHours, .appDays, .events, .requests, .decisions, .callbacks, .appHours, .radio, .battery,
    ]
    private static let device: DeviceModel = {
        var device = TestWorld.device(ram: .gibibytes(2.5))
        device.prewarm.choice = .never
        return device
    }()
    private static let from = SimTime.zero + .days(1)

    private static func run(
        _ eviction: String = "jetsam", _ scheduling: String = "charger-and-wifi", readsFuture: Bool = false
    ) -> RunSpecification {
        TestWorld.specification(
            device: device, tables: tables, eviction: eviction, scheduling: scheduling, readsFuture: readsFuture)
    }

    /// The rows of a run up to an instant and those that follow, and all of processes and requests.
    private struct Story: Sendable {
        var past: [String]
        var after: [String]
        var events: [EventRow]
        var requests: [RequestRow]
    }

    private static func rows(_ run: RunSpecification, until time: SimTime = from) -> Story {
        let sink = Rows()
        var phone = Phone(run, sink: sink)
        phone.start()
        phone.run(until: time - SimDuration(nanoseconds: 1))
        let past = sink.lines
        phone.run(until: phone.core.end)
        return Story(
            past: past, after: Array(sink.lines.dropFirst(past.count)), events: sink.events, requests: sink.requests)
    }

    private static let plain = rows(run())

    @Test(arguments: [
        ("lru", "immediate", false), ("random", "periodic", false), ("belady", "charger-and-wifi", true),
        ("lmkd", "jobscheduler", false), ("unbounded", "never", false), ("jetsam", "opportunistic", false),
    ])
    func `the past is that of the first policies, byte for byte, and the future is not`(
        eviction: String, scheduling: String, readsFuture: Bool
    ) {
        let other = Self.run(eviction, scheduling, readsFuture: readsFuture)
        let found = Self.rows(Self.run().continued(as: other, from: Self.from))
        #expect(found.past == Self.plain.past && found.past.count > 3000)
        #expect(found.after != Self.plain.after)
        // Under these policies from the start the past is another one.
        if scheduling != "charger-and-wifi" { #expect(Self.rows(other).past != Self.plain.past) }
    }

    @Test func `a policy without memory that takes over from itself changes nothing`() {
        var run = Self.run("lru", "immediate")
        // Else the instant finds requests that are due and have not come up for their first look.
        run.device.background.notice = .zero
        let (plain, found) = (Self.rows(run), Self.rows(run.continued(as: run, from: Self.from)))
        func others(_ story: Story) -> [String] { (story.past + story.after).filter { !$0.hasPrefix("DecisionRow") } }
        let difference = zip(others(plain), others(found)).first { $0 != $1 }
        #expect(difference == nil && others(found).count == others(plain).count, "\(String(describing: difference))")
        #expect(found.events.count > 1000)
    }

    @Test func `the bounds of memory hold when policies take over, whatever they are`() {
        for name in ["lru", "unbounded", "lmkd", "arc", "largest-first"] {
            var run = Self.run(name == "lru" ? "unbounded" : "jetsam").continued(as: Self.run(name), from: Self.from)
            run.tables = []
            run.changes[0].policies.ranksAppsOnly = name == "arc"
            var phone = Phone(run, sink: nil)
            phone.start()
            phone.run(until: Self.from - SimDuration(nanoseconds: 1))
            let alive = phone.core.residentApps
            phone.run(until: Self.from)
            #expect(phone.core.processes.invariant() == nil)
            // Nobody had died without bound.
            if name == "lru" { #expect(alive > phone.core.residentApps + 5) }
        }
    }

    @Test func `a policy that takes over sees who lives, when each was used last, and what waits`() throws {
        let (first, listener) = (Listener(), Listener())
        let noon = SimTime.zero + .hours(36)
        var (run, other) = (Self.run(), Self.run())
        run.makeEviction = { _ in first }
        other.makeEviction = { _ in listener }
        other.makeScheduling = { _ in listener }
        _ = Self.rows(run.continued(as: other, from: noon))
        // Whatever was opened, as of when it was last on screen, the longest ago first.
        let opens = Dictionary(first.opens.map { ($0.app, $0.time) }, uniquingKeysWith: { $1 })
        let told = Dictionary(uniqueKeysWithValues: listener.opens.prefix { $0.time <= noon }.map { ($0.app, $0.time) })
        #expect(told.count > 15 && Set(told.keys) == Set(opens.keys))
        #expect(told.allSatisfy { app, time in opens[app].map { $0 <= time } ?? false && time <= noon })
        let times = listener.opens.map(\.time)
        #expect(times == times.sorted())
        let living = listener.ranked.prefix(10).filter { told[$0.app] != nil && $0.lastForeground <= noon }
        #expect(living.count > 3 && living.allSatisfy { $0.lastForeground == told[$0.app] })
        // Requests are shown that were submitted before; those that are due are decided at once.
        #expect(listener.submitted.count > 5 && listener.submitted.contains { $0.submitted < noon })
        let atOnce = listener.decided.filter { $0.time == noon }
        #expect(atOnce.count > 3 && atOnce.allSatisfy { $0.request.earliestBegin <= noon })
        #expect(listener.decided.first?.time == noon)
    }

    @Test func `what waited for the charger starts as soon as it need not`() throws {
        let noon = SimTime.zero + .hours(36)
        let run = Self.run().continued(as: Self.run("jetsam", "immediate"), from: noon)
        func starts(_ story: Story) -> Int {
            story.requests.count { $0.started != .distantFuture && $0.started >= noon && $0.started < noon + .minute }
        }
        #expect(starts(Self.plain) == 0)
        #expect(starts(Self.rows(run, until: noon)) > 3)
    }

    @Test func `an oracle that takes over knows the opens to come, and nobody knew before`() throws {
        let listener = Listener()
        var other = Self.run(readsFuture: true)
        other.makeEviction = { _ in listener }
        let found = Self.rows(Self.run().continued(as: other, from: Self.from))
        #expect(found.past == Self.plain.past)
        let opens = found.events.filter { $0.time > Self.from && $0.launchKind != nil && $0.delaySeconds.isFinite }
        let first = try #require(listener.ranked.first { $0.nextOpen < Self.from + .hours(12) })
        #expect(first.nextOpen > Self.from)
        #expect(opens.contains { $0.app == first.app && abs(($0.time - first.nextOpen).seconds) < 60 })
    }

    @Test func `processes are prepared from then on where the new choice says so`() {
        var other = Self.run()
        other.device.prewarm.choice = .likely
        other.device.prewarm.leastLikelihood = 0
        let found = Self.rows(Self.run().continued(as: other, from: Self.from))
        let prewarms = found.events.filter { $0.event == .prewarm }
        #expect(found.past == Self.plain.past && !prewarms.isEmpty && prewarms.allSatisfy { $0.time > Self.from })
        // And no more where it says no: the instants are those of a phone that went on preparing.
        let back = Self.rows(other.continued(as: Self.run(), from: Self.from)).events
            .filter { $0.event == .prewarm }
        #expect(!back.isEmpty && back.allSatisfy { $0.time <= Self.from })
    }

    @Test func `a copy made before the change goes on to the same change`() {
        let run = Self.run().continued(as: Self.run("lru", "immediate"), from: Self.from)
        var fork = ForkedRun(run)
        fork.advance(toJustBefore: Self.from)
        let sink = Rows()
        _ = fork.outlook(until: .zero + run.duration, sink: sink)
        #expect(sink.lines == Self.rows(run).after)
        var shared = run
        shared.changes[0].policies.makeEviction = { _ in Listener() }
        #expect(ForkedRun.isPossible(run) && !ForkedRun.isPossible(shared))
    }

    @Test func `of two changes each has its span`() {
        let noon = SimTime.zero + .hours(36)
        let one = Self.run().continued(as: Self.run("lru", "immediate"), from: Self.from)
        let two = one.continued(as: Self.run("largest-first", "never"), from: noon)
        #expect(Self.rows(two, until: noon).past == Self.rows(one, until: noon).past)
        #expect(Self.rows(two, until: noon).after != Self.rows(one, until: noon).after)
        // One that comes before another is the only one left.
        #expect(two.continued(as: Self.run("lru", "immediate"), from: Self.from).changes.count == 1)
    }

    @Test func `what is measured begins at the change, also where both are at one instant`() {
        var run = Self.run().continued(as: Self.run("lru", "immediate"), from: Self.from)
        run.warmup = .days(1)
        let outcome = simulate(run)
        let kills = Self.rows(run).events.filter { $0.event == .exit && $0.reason != nil && $0.time >= Self.from }
        #expect(outcome("kills_per_day") == Double(kills.count { $0.time >= Self.from }))
        run.warmup = .days(1.5)
        let later = kills.count { $0.time > .zero + .days(1.5) }
        #expect(simulate(run)("kills_per_day") == Double(later) / 0.5 && later < kills.count)
    }
}
