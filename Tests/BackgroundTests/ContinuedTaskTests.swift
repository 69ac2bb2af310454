// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Testing
import Vocabulary

/// Continued processing of iOS 26 (Apple, BGTaskRequest.h and BGContinuedProcessingTask).
@Suite struct ContinuedTaskTests {
    let now = SimTime.zero + .hours(10)

    private func submit(
        _ tasks: inout ContinuedTasks, _ app: Int, identifier: UInt8 = 0, _ strategy: ContinuedStrategy = .queue,
        foreground: Bool = true
    ) -> ContinuedAnswer {
        tasks.submit(AppID(app), identifier: identifier, strategy: strategy, isForeground: foreground, at: now)
    }

    @Test func `two run at once, the third waits or fails, as it asks`() {
        var tasks = ContinuedTasks()
        #expect(submit(&tasks, 0) == .started)
        #expect(submit(&tasks, 1) == .started)
        #expect(submit(&tasks, 2, .fail) == .refused(.immediateRunIneligible))
        #expect(submit(&tasks, 2) == .queued)
        #expect(tasks.startNext(at: now) == nil)
        tasks.finish(AppID(0))
        #expect(tasks.startNext(at: now + .second)?.app == AppID(2))
        #expect(tasks.running.map(\.app) == [AppID(1), AppID(2)] && tasks.queued.isEmpty)
    }

    @Test func `only an app on screen may ask`() {
        var tasks = ContinuedTasks()
        #expect(submit(&tasks, 0, foreground: false) == .refused(.notPermitted))
        #expect(RequestError.notPermitted.code == 3 && RequestError.immediateRunIneligible.code == 4)
    }

    @Test func `the same identifier replaces a queued task and waits for a running one`() {
        var tasks = ContinuedTasks()
        #expect(submit(&tasks, 0) == .started)
        #expect(submit(&tasks, 0) == .queued)
        #expect(submit(&tasks, 0) == .queued)
        #expect(tasks.queued.count == 1)
        #expect(tasks.startNext(at: now) == nil)
        tasks.finish(AppID(0))
        #expect(tasks.startNext(at: now) != nil)
    }

    @Test func `the same progress reported again is none`() {
        var tasks = ContinuedTasks()
        _ = submit(&tasks, 0)
        tasks.report(0.5, of: AppID(0), at: now + .seconds(30))
        tasks.report(0.5, of: AppID(0), at: now + .seconds(80))
        #expect(tasks.endStalled(at: now + .seconds(90)) == nil)
        #expect(tasks.endStalled(at: now + .seconds(91))?.progress == 0.5)
    }

    @Test func `a newcomer does not overtake who waits`() {
        var tasks = ContinuedTasks()
        tasks.limit = 1
        _ = submit(&tasks, 0)
        _ = submit(&tasks, 1)
        tasks.finish(AppID(0))
        #expect(submit(&tasks, 2, .fail) == .refused(.immediateRunIneligible))
        #expect(tasks.startNext(at: now)?.app == AppID(1))
    }

    @Test func `under pressure the one with the least progress ends first`() {
        var tasks = ContinuedTasks()
        tasks.limit = 3
        for app in 0..<3 { _ = submit(&tasks, app) }
        tasks.report(0.5, of: AppID(0), at: now)
        tasks.report(0.2, of: AppID(1), at: now)
        tasks.report(0.9, of: AppID(2), at: now)
        tasks.report(0.1, of: AppID(2), at: now)
        #expect((0..<3).compactMap { _ in tasks.shed()?.app } == [AppID(1), AppID(0), AppID(2)])
        #expect(tasks.shed() == nil)
    }

    @Test func `who reports no progress for a minute is ended`() {
        var tasks = ContinuedTasks()
        _ = submit(&tasks, 0)
        _ = submit(&tasks, 1)
        tasks.report(0.1, of: AppID(1), at: now + .seconds(50))
        #expect(tasks.endStalled(at: now + .seconds(60)) == nil)
        #expect(tasks.endStalled(at: now + .seconds(61))?.app == AppID(0))
        #expect(tasks.endStalled(at: now + .seconds(61)) == nil)
    }

    @Test func `V34: taking an app off the switcher cancels all that it has queued, and nothing of others`() {
        var random = PolicyRandom(seed: 34)
        for _ in 0..<500 {
            var tasks = ContinuedTasks()
            tasks.limit = 1 + Int(random.nextUniform() * 3)
            for _ in 0..<12 {
                let app = Int(random.nextUniform() * 4)
                _ = submit(&tasks, app, identifier: UInt8(random.nextUniform() * 4))
            }
            let before = tasks
            let (cancelled, ended) = tasks.remove(AppID(1))
            #expect(cancelled == before.queued.filter { $0.app == AppID(1) })
            #expect(ended == before.running.filter { $0.app == AppID(1) })
            #expect(!tasks.queued.contains { $0.app == AppID(1) } && !tasks.running.contains { $0.app == AppID(1) })
            #expect(tasks.queued == before.queued.filter { $0.app != AppID(1) })
        }
    }

    @Test func `of those with equal progress the one that started last ends first`() {
        var tasks = ContinuedTasks()
        tasks.limit = 4
        for (app, minute) in [(0, 2.0), (1, 0), (2, 3), (3, 1)] {
            let answer = tasks.submit(AppID(app), isForeground: true, at: now + .minutes(minute))
            #expect(answer == .started)
        }
        for app in [0, 1, 2] { tasks.report(0.2, of: AppID(app), at: now + .minutes(4)) }
        tasks.report(0.1, of: AppID(3), at: now + .minutes(4))
        // App 3 has done least; then 2 before 0 before 1, from the last start to the first.
        #expect((0..<4).compactMap { _ in tasks.shed()?.app } == [3, 2, 0, 1].map { AppID($0) })
    }
}
