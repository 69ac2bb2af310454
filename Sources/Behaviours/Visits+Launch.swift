// SPDX-License-Identifier: GPL-3.0-or-later
import PhoneCore
import Power
import Quantities
import Vocabulary

/// Launches that wait for the network, because the app's code waits for the answer to its first request before it
/// shows anything.
extension Visits {
    /// How long such a launch waits: the request's way over the network in use and its server's time, or the time after
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
}
