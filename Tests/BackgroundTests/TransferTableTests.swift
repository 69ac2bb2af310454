// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams
import Testing
import Vocabulary

@testable import Background

@Suite struct TransferTableTests {
    private let app = AppID(0)
    private let size = ByteCount.mebibytes(10)

    private func table() -> TransferTable { TransferTable(apps: 2, parameters: TransferParameters()) }

    @Test func `what is asked for in the background is left to the system`() {
        var table = table()
        table.add(app, down: size, up: .zero, isDiscretionary: false, inBackground: false, at: .zero)
        #expect(!table.session(of: app).isDiscretionary)
        table.remove(app)
        table.add(app, down: size, up: .zero, isDiscretionary: false, inBackground: true, at: .zero)
        #expect(table.session(of: app).isDiscretionary)
    }

    @Test func `the delay doubles with each launch, and goes at an open or after a whole delay without one`() {
        var table = table()
        var now = SimTime.zero
        var delays: [SimDuration] = []
        for _ in 0..<8 {
            now += .seconds(30)
            table.noteLaunch(of: app, at: now)
            delays.append(table.delay(of: app, at: now))
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60].map { SimDuration.minutes($0) })
        let other = table.delay(of: AppID(1), at: now)
        #expect(other == .zero)
        table.add(app, down: size, up: .zero, isDiscretionary: false, inBackground: true, at: now)
        #expect(table.session(of: app).notBefore == now + .hour)
        table.noteForeground(app, at: now)
        #expect(table.session(of: app).notBefore == now)
        table.noteLaunch(of: app, at: now)
        let before = table.delay(of: app, at: now + .seconds(59))
        let after = table.delay(of: app, at: now + .seconds(60))
        #expect(before == .minute && after == .zero)
    }

    @Test func `pieces add up to what was asked for, whatever was asked for when`() {
        var stream = RandomStream(StreamKey(seed: 9, replication: 0, entity: "transfers", purpose: "test"))
        for _ in 0..<200 {
            var table = table()
            var asked = ByteCount.zero
            var moved = ByteCount.zero
            var isDone = true
            for _ in 0..<60 {
                if stream.uniform() < 0.3 {
                    let down = ByteCount(Int64(stream.integer(below: 20_000_000)))
                    let up = ByteCount(Int64(stream.integer(below: 20_000_000) + 1))
                    table.add(app, down: down, up: up, isDiscretionary: false, inBackground: false, at: .zero)
                    asked += down + up
                    isDone = false
                } else if !isDone {
                    let piece = table.piece(of: app)
                    #expect(piece.down + piece.up > .zero && piece.down + piece.up <= TransferParameters().piece)
                    moved += piece.down + piece.up
                    if table.moved(app, piece) {
                        table.remove(app)
                        isDone = true
                    }
                }
                #expect(table.isActive(app) == !isDone)
                let left = table.session(of: app)
                #expect(left.down >= .zero && left.up >= .zero && moved + left.down + left.up == asked)
            }
        }
    }

    @Test func `a widget's budget never falls below zero and gives no more than a day's worth and its refill`() {
        var stream = RandomStream(StreamKey(seed: 9, replication: 0, entity: "widget", purpose: "test"))
        let parameters = WidgetParameters()
        var budget = WidgetBudget(parameters)
        var now = SimTime.zero
        var taken = 0
        while now < .zero + .days(10) {
            now += .seconds(stream.exponential(mean: 300))
            if budget.spendReload(parameters, at: now) { taken += 1 }
            #expect(budget.left >= 0 && budget.left <= parameters.perDay)
        }
        #expect(taken > 700 && taken <= 770)
    }

    @Test func `F41: the older fetch interface slows down for nothing and for failures, and recovers`() {
        let rules = FetchParameters()
        #expect(rules.stretch(1, foundNew: true, failed: false) == 1)
        #expect(rules.stretch(1, foundNew: false, failed: false) == 1.25)
        #expect(rules.stretch(1, foundNew: false, failed: true) == 1.5)
        #expect(rules.stretch(4, foundNew: false, failed: true) == 4)
        #expect(rules.stretch(4, foundNew: true, failed: false) == 2)
    }

    @Test func `days without a reload leave a widget the budget of one`() {
        var parameters = WidgetParameters()
        parameters.perDay = 7
        var budget = WidgetBudget(parameters)
        let reloads = (0..<20).count { _ in budget.spendReload(parameters, at: .zero + .days(3)) }
        #expect(reloads == 7)
    }
}
