// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Vocabulary

extension PowerParameters {
    /// Mean energy of a cold launch: the processor for its length, and the flash reads of its files.
    func relaunchEnergy(of app: AppModel, launchPower: Power) -> Energy {
        launchPower * (app.coldLaunchTime + app.sdkLaunchTime) + storage.reading(app.launchFiles)
    }
}
