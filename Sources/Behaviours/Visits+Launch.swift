// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary
import Workload

/// Time that a launch waits for anything but the processor, and the state restored from the previous visit.
extension Visits {
    /// Time for which a launch waits for a server's first answer, if the app shows nothing before that answer.
    ///
    /// The time is the sum of the request's time on the network in use and the server's time. Without an answer, the
    /// launch waits until the app gives up the request. Without a network, a request fails at once (Apple, URLSession:
    /// `notConnectedToInternet`).
    func launchRequestTime(_ app: AppID, _ core: inout PhoneCore) -> SimDuration {
        let model = core.apps[Int(app.index)]
        guard model.launchRequest > .zero, core.power.interface != nil else { return .zero }
        guard !stallsLaunch else { return core.device.habits.requestTimeout }
        let done = core.transfer(
            down: model.launchRequest, up: PhoneCore.requestBytes, rateFactor: core.front.rate, app, .relaunch)
        return min(done - core.now + model.launchRequestWait, core.device.habits.requestTimeout)
    }

    /// Counts whether the user sees a fresh copy, and whether the copy requires its own fetch.
    ///
    /// An app must be fetched in an interval that ends at its open and begins `fresh_for` earlier. A session within the
    /// interval makes the fetch free. The remaining intervals belong to first opens of sessions, so no two of them
    /// overlap. The least number of fetches is therefore the number of these intervals. An interval is not counted if
    /// the phone has no network at the open.
    func countCopy(_ app: AppID, _ core: inout PhoneCore) {
        let limit = core.specification.persona.freshFor
        core.measures.add(measures.contentOpens, of: app)
        let age = core.content.copyAge(of: app, at: core.now)
        if age > limit.seconds { core.measures.add(measures.staleOpens, of: app) }
        guard core.now == core.unlockedSince, core.power.interface != nil else { return }
        if core.now - core.conditions.lockedSince > limit { core.measures.add(measures.leastFetches) }
    }

    /// Runs the work of the foreground app in `willResignActive`, before any other app is shown.
    ///
    /// The watchdog for updates of windows ends an app that takes too long.
    ///
    /// - Returns: Whether the app must be ended.
    mutating func resign(_ app: AppID, _ core: inout PhoneCore) -> Bool {
        let work = core.apps[Int(app.index)].resignTime
        guard work > .zero else {
            core.record(.resignActive, app, from: .active, to: .inactive)
            return false
        }
        let limit = core.device.os.lifeCycle.updateLimit
        let wait = min(work * core.power.processor.launchFactor, limit)
        core.record(.resignActive, app, from: .active, to: .inactive, delay: wait)
        core.measures.add(measures.leaveWait, of: app, wait.seconds)
        core.power.addEnergy(
            .processor, core.power.processor.workPower * wait, app: app, cause: .foreground, at: core.now)
        resignsUntil = core.now + wait
        return wait == limit
    }

    /// Remaining work of the app that was just left.
    func resigning(_ now: SimTime) -> SimDuration { max(.zero, resignsUntil - now) }

    /// Makes all requests of an app at once when the app returns to the screen.
    func fetchOnReturn(_ app: AppID, _ core: inout PhoneCore) {
        let model = core.apps[Int(app.index)]
        guard core.power.interface != nil else { return }
        for _ in 0..<model.returnRequests {
            core.transfer(
                down: model.refreshBytes, up: PhoneCore.requestBytes, rateFactor: core.front.rate, app, .foreground)
        }
        core.measures.add(measures.returnBursts, of: app)
        core.record(.returnBurst, app, from: .active, to: .active)
    }

    /// Counts whether a launch restores the user's work from the last visit before the end of the app's process.
    mutating func countRestored(_ app: AppID, _ core: inout PhoneCore) {
        let left = core.lives[Int(app.index)].state
        guard left != .none else { return }
        core.measures.add(measures.relaunched, of: app)
        if left == .saved { return core.measures.add(measures.restored, of: app) }
        let share = core.specification.persona.givesUpAfterLoss
        guard share > 0, !core.lives[Int(app.index)].isGivenUp else { return }
        guard patienceStreams[Int(app.index)].uniform() < share else { return }
        core.lives[Int(app.index)].isGivenUp = true
        core.measures.add(measures.givenUp, of: app)
        core.record(.givenUp, app, from: .notRunning, to: .notRunning)
    }

    /// Counts an open of a missing app: the user leaves the foreground app and does nothing.
    func miss(_ app: AppID, _ core: inout PhoneCore) {
        if core.front.app != .system { core.post(.leaving(core.front.app)) }
        core.measures.add(measures.missed, of: app)
        let state = core.processes.state(of: app)
        core.record(.missed, app, from: state, to: state)
    }

    /// Counts an open that continues a prewarmed process.
    func countPrewarmed(_ app: AppID, _ core: inout PhoneCore) {
        core.measures.add(measures.prewarmed, of: app)
        core.book.day(app) { $0.prewarmedOpens += 1 }
    }

    /// Counts an open that resumes an app from flash, where the freezer had written it.
    func countThaw(_ app: AppID, _ core: inout PhoneCore) {
        core.measures.add(measures.thawed, of: app)
        core.book.hour.thawedOpens += 1
        core.book.day(app) { $0.thawedOpens += 1 }
    }

    /// Opens by the user since the warm-up.
    package func opens(_ core: borrowing PhoneCore) -> Double {
        core.measures[measures.resumes] + core.measures[measures.warm] + core.measures[measures.cold]
    }
}
