// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Testing
import Vocabulary

/// What a policy is told besides the questions it is asked.
@Suite struct PolicyHookTests {
    /// Waits for ever, and remembers what it was told.
    private final class Diary: @unchecked Sendable {
        var lines: [String] = []
        var views: [RequestView] = []
    }

    private struct Listening: SchedulingPolicy {
        let diary: Diary
        func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
            diary.views.append(request)
            return .wait(.custom, until: request.deadline)
        }
        func didSubmit(_ request: RequestView, at now: SimTime) { log("submit", request, now) }
        func didWithdraw(_ request: RequestView, at now: SimTime) { log("withdraw", request, now) }
        func log(_ what: String, _ request: RequestView, _ now: SimTime) {
            diary.lines.append("\(what) \(request.app.index) \(request.earliestBegin.seconds) at \(now.seconds)")
        }
    }

    @Test func `a policy hears of every request that comes and of every one that goes unasked`() {
        let diary = Diary()
        var table = makeTable(apps: 3, policy: Listening(diary: diary))
        _ = table.submitRefresh(0, earliest: .seconds(10))
        _ = table.submitRefresh(0, earliest: .seconds(20), at: .seconds(5))
        _ = table.submitRefresh(1, earliest: .seconds(30), at: .seconds(5))
        table.forceQuit(AppID(1), at: .seconds(6))
        _ = table.ask(0, at: .seconds(20))
        #expect(table.ask(0, at: .seconds(20) + .day).action == .expired)
        #expect(
            diary.lines == [
                "submit 0 10.0 at 0.0", "withdraw 0 10.0 at 5.0", "submit 0 20.0 at 5.0", "submit 1 30.0 at 5.0",
                "withdraw 1 30.0 at 6.0", "withdraw 0 20.0 at 86420.0",
            ])
    }

    @Test func `a request shows the screen's time and cycles since the app was last opened`() {
        let diary = Diary()
        var table = makeTable(apps: 2, policy: Listening(diary: diary))
        _ = table.submitRefresh(0)
        _ = table.submitRefresh(1)
        table.noteScreen(on: true, at: .seconds(100))
        table.noteOpened(AppID(0), at: .seconds(110))
        table.noteScreen(on: false, at: .seconds(160))
        table.noteScreen(on: false, at: .seconds(170))
        table.noteScreen(on: true, at: .seconds(200))
        table.setNextOpen(of: AppID(1), to: .seconds(900))
        _ = table.ask(0, at: .seconds(230))
        _ = table.ask(1, at: .seconds(230))
        #expect(diary.views.map(\.screenTimeSinceOpened) == [.seconds(80), .seconds(90)])
        #expect(diary.views.map(\.screenCyclesSinceOpened) == [1, 2])
        #expect(diary.views.map(\.nextOpen) == [.distantFuture, .seconds(900)])
    }
}
