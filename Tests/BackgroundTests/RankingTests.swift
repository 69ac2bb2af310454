// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Background

/// Which waiting request starts when running work ends, and what missed completions and budgets do.
@Suite struct RankingTests {
    let now = SimTime.zero + .hours(10)

    /// One launch at a time; scores by app.
    private func single(_ scores: [Double]) -> RequestTable {
        makeTable(
            apps: scores.count,
            policy: Scripted { request, device in
                let score = scores[Int(request.app.index)]
                return device.runningLaunches >= 1
                    ? .wait(.groupLimit, or: .launchEnded, score: score) : .proceed(.scored, score: score)
            })
    }

    @Test func `a slot that becomes free goes to the highest score, among equals to who came first`() {
        let scores = [0.1, 0.5, 0.9, 0.5, 0.7]
        var table = single(scores)
        var device = DeviceConditions()
        for app in scores.indices {
            _ = table.submitRefresh(app, at: now)
            if table.ask(app, .refresh, device, at: now).action == .start { device.runningLaunches += 1 }
        }
        var order = [0]
        for _ in 1..<scores.count {
            table.finish(AppID(order[order.count - 1]), .refresh, .success, at: now)
            device.runningLaunches = 0
            while let (app, kind) = table.popWaiter(.launchEnded) {
                guard table.ask(Int(app.index), kind, device, at: now).action == .start else { continue }
                order.append(Int(app.index))
                device.runningLaunches = 1
            }
        }
        #expect(order == [0, 2, 4, 1, 3])
        // Every round asked the one that started and the one that was turned away, not everybody.
        #expect(table.counts[RequestReason.policy(.groupLimit).index] == 4 + 3)
    }

    @Test func `the queue by rank pops in order whatever enters and leaves`() {
        var random = PolicyRandom(seed: 41)
        var queue = RankedWaiters(waiters: 40)
        var naive: [(waiter: Int, rank: Double, turn: Int)] = []
        for turn in 0..<5000 {
            let waiter = Int(random.nextUniform() * 40)
            naive.removeAll { $0.waiter == waiter }
            if random.nextUniform() < 0.6 {
                let rank = (random.nextUniform() * 8).rounded()
                queue.enter(waiter, rank: rank, keepsTurn: false, isRound: false)
                naive.append((waiter, rank, turn))
            } else {
                queue.leave(waiter)
            }
            let best = naive.min { ($1.rank, $0.turn) < ($0.rank, $1.turn) }
            #expect(queue.first == best?.waiter)
        }
    }

    @Test func `work that runs into its limit without completing holds the next back, twice as long each time`() {
        var table = makeTable()
        var time = now
        var gaps: [Double] = []
        for _ in 0..<3 {
            _ = table.submitRefresh(0, at: time)
            #expect(table.ask(0, at: time).action == .start)
            time += .seconds(30)
            table.finish(AppID(0), .refresh, .expired, at: time)
            _ = table.submitRefresh(0, at: time)
            let answer = table.ask(0, at: time)
            #expect(answer.reason == .system(.throttled))
            gaps.append((answer.wakeAt - time).seconds / 3600)
            time = answer.wakeAt
        }
        #expect(gaps == [1, 2, 4])
        // Processing is another matter, and so is work that the user cut short.
        _ = table.submitProcessing(0, at: time)
        #expect(table.ask(0, .processing, at: time).action == .start)
        table.finish(AppID(0), .processing, .expired, at: time + .minutes(1))
        _ = table.submitProcessing(0, at: time + .minutes(1))
        // Half an hour lies between the starts of two, the second of which was asked for after the first had started.
        let answer = table.ask(0, .processing, at: time + .minutes(1))
        #expect(answer.reason == .system(.spacing) && answer.wakeAt == time + .minutes(30))
        #expect(table.ask(0, .processing, at: time + .minutes(30) - .seconds(1)).action == .wait)
        #expect(table.ask(0, .processing, at: time + .minutes(30)).action == .start)
        table.finish(AppID(0), .processing, .success, at: time + .minutes(31))
        time += .minutes(30)
        // One that completes wipes the slate clean.
        #expect(table.ask(0, at: time + .minutes(2)).action == .start)
        table.finish(AppID(0), .refresh, .success, at: time + .minutes(2))
        _ = table.submitRefresh(0, at: time + .minutes(3))
        #expect(table.ask(0, at: time + .minutes(3)).action == .start)
        table.finish(AppID(0), .refresh, .expired, at: time + .minutes(3.5))
        _ = table.submitRefresh(0, at: time + .minutes(3.5))
        #expect(table.ask(0, at: time + .minutes(3.5)).wakeAt == time + .minutes(63.5))
    }

    @Test func `a budget that does not cover a piece of work shows as used up, and never goes below zero`() {
        var parameters = BackgroundParameters()
        parameters.energyBudget = 12
        var shown: [Double] = []
        let last = Shown()
        var table = makeTable(
            policy: Scripted { _, device in
                last.energy = device.energyBudgetLeft
                return .proceed(.immediate)
            }, parameters: parameters)
        // Processing may take ten minutes, ten units: they are set aside, and what is not used comes back.
        _ = table.submitProcessing(0, at: .zero)
        _ = table.ask(0, .processing, at: .zero)
        #expect(table.budgetsLeft(at: .zero).energy == 2.0 / 12)
        _ = table.submitProcessing(1, at: .zero)
        _ = table.ask(1, .processing, at: .zero)
        #expect(last.energy == 0)
        #expect(table.budgetsLeft(at: .zero).energy == 0)
        table.finish(AppID(0), .processing, .success, at: .zero + .minutes(4))
        shown.append(table.budgetsLeft(at: .zero + .minutes(4)).energy)
        #expect(abs(shown[0] - (6 + 4 * 12 / 1440) / 12) < 1e-9)
        // The second had two set aside and used more: as much as there is.
        table.finish(AppID(1), .processing, .success, at: .zero + .minutes(10))
        let left = table.budgetsLeft(at: .zero + .minutes(10)).energy
        #expect(left >= 0 && left < 0.01)
    }

    private final class Shown: @unchecked Sendable {
        var energy = -1.0
    }
}
