// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Power
import Quantities
import Vocabulary

/// What a launch waits for beside the processor, and what it finds of the visit before.
extension Visits {
    /// How long a launch waits for the network where the app's code waits for its first answer before it shows
    /// anything: the request's way over the network in use and its server's time, or the time after
    /// which a request that nobody answers is given up.
    ///
    /// Without any network a request fails at once (Apple, URLSession: `notConnectedToInternet`).
    func launchRequestTime(_ app: AppID, _ core: inout PhoneCore) -> SimDuration {
        let model = core.apps[Int(app.index)]
        guard model.launchRequest > .zero, core.power.interface != nil else { return .zero }
        guard !stallsLaunch else { return core.device.habits.requestTimeout }
        let done = core.transfer(
            down: model.launchRequest, up: PhoneCore.requestBytes, rateFactor: core.front.rate, app, .relaunch)
        return min(done - core.now + model.launchRequestWait, core.device.habits.requestTimeout)
    }

    /// A launch finds, or does not find, what the user did in the visit before the process ended.
    func countRestored(_ app: AppID, _ core: inout PhoneCore) {
        let left = core.lives[Int(app.index)].state
        guard left != .none else { return }
        core.measures.add(measures.relaunched, of: app)
        if left == .saved { core.measures.add(measures.restored, of: app) }
    }

    /// An open goes on with a process that was built before.
    func countPrewarmed(_ app: AppID, _ core: inout PhoneCore) {
        core.measures.add(measures.prewarmed, of: app)
        core.book.day(app) { $0.prewarmedOpens += 1 }
    }

    /// An open resumes an app that the freezer had written to flash.
    func countThaw(_ app: AppID, _ core: inout PhoneCore) {
        core.measures.add(measures.thawed, of: app)
        core.book.hour.thawedOpens += 1
        core.book.day(app) { $0.thawedOpens += 1 }
    }
}
