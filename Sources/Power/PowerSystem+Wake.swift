// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension PowerSystem {
    /// Wakes a suspended platform for a moment, as a push does; a platform that is awake costs nothing more.
    public mutating func wakeBriefly(app: AppID, cause: Cause, at now: SimTime) {
        guard !isDead, awakeHolders == 0 else { return }
        wakeups += 1
        let platform = parameters.platform
        let energy = platform.wakeEnergy + platform.awakePower * platform.wakeTime
        addEnergy(.platform, energy, app: app, cause: cause, at: now)
    }
}
