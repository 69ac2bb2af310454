// SPDX-License-Identifier: GPL-3.0-or-later
import PhoneCore
import Quantities
import Testing
import Vocabulary

@testable import Experiments

/// What a flip changes, from two branches of a few rows each.
@Suite struct FlipEffectsTests {
    private func event(_ event: EventName, _ app: Int, _ seconds: Double) -> EventRow {
        var row = EventRow()
        (row.event, row.app, row.time) = (event, AppID(app), .zero + .seconds(seconds))
        return row
    }

    private func kill(_ app: Int, _ seconds: Double) -> EventRow {
        var row = event(.exit, app, seconds)
        (row.reason, row.band, row.footprintMiB) = (.highwater, 40, 120)
        return row
    }

    private func open(_ app: Int, _ seconds: Double, _ kind: LaunchKind, _ delay: Double) -> EventRow {
        var row = event(.launch, app, seconds)
        (row.launchKind, row.delaySeconds) = (kind, delay)
        return row
    }

    private func run(_ app: Int, _ seconds: Double) -> RequestRow {
        var row = RequestRow()
        (row.app, row.work, row.started) = (AppID(app), .refresh, .zero + .seconds(seconds))
        return row
    }

    /// The first app is spared, which the second pays for; a third fares the same.
    private var effects: FlipEffects {
        let original = FlipStudy.Branch(
            events: [
                kill(0, 100), kill(2, 150), open(0, 200, .cold, 1), open(1, 300, .resume, 0.2), open(2, 350, .cold, 1),
            ], requests: [run(1, 400), run(2, 450)], joules: 10)
        let flipped = FlipStudy.Branch(
            events: [
                kill(2, 150), kill(1, 160), open(0, 200, .resume, 0.2), open(1, 300, .warm, 0.6),
                open(2, 350, .cold, 1),
            ], requests: [run(2, 450), run(0, 500)], joules: 12.5)
        return FlipEffects(original, flipped, names: ["spared", "payer", "same"])
    }

    @Test func `costs are what the flipped branch has more, the app whose wait changes most first`() throws {
        let costs = effects.costs
        #expect(costs.map(\.app) == ["spared", "payer"])
        #expect(costs.map(\.kills) == [-1, 1] && costs.map(\.relaunches) == [-1, 1] && costs.map(\.runs) == [1, -1])
        #expect(abs(costs[0].waitSeconds + 0.8) < 1e-12 && abs(costs[1].waitSeconds - 0.4) < 1e-12)
        let sum = effects.sum
        #expect(sum.kills == 0 && sum.relaunches == 0 && sum.runs == 0 && abs(sum.waitSeconds + 0.4) < 1e-12)
        #expect(effects.joules == 2.5)
    }

    @Test func `steps come in order of time and say what is otherwise`() {
        #expect(
            effects.steps.map(\.text) == [
                "spared is not killed (highwater)", "payer is killed (highwater, band 40, 120 MiB)",
                "spared resumes instead of a cold launch: 0.8 s sooner",
                "payer launches warm instead of resuming: 0.4 s later", "refresh of payer does not run",
                "refresh of spared runs",
            ])
    }
}
