// SPDX-License-Identifier: GPL-3.0-or-later
import PhoneCore
import Power
import Quantities
import Vocabulary

/// Parts of the phone that background work uses now; the first work that uses a part is charged for switching it on.
struct PartsInUse {
    private var users = InlineArray<7, Int32>(repeating: 0)

    /// Begins work of an app that uses these parts.
    mutating func begin(_ hardware: WakeHardware, _ app: AppID, _ core: inout PhoneCore) {
        guard !hardware.subtracting(.network).isEmpty else { return }
        for part in 0..<WakeHardware.count where hardware.contains(part: part) {
            users[part] += 1
            guard users[part] == 1, let start = core.power.parameters.peripherals.starts.start(ofPart: part),
                start.energy > .zero
            else { continue }
            core.power.addEnergy(start.component, start.energy, app: app, cause: .backgroundTask, at: core.now)
        }
    }

    /// Ends work that used these parts.
    mutating func end(_ hardware: WakeHardware) {
        guard !hardware.subtracting(.network).isEmpty else { return }
        for part in 0..<WakeHardware.count where hardware.contains(part: part) { users[part] -= 1 }
    }
}
