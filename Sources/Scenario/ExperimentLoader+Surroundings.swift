// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import PhoneCore

extension ExperimentLoader {
    /// Warns of hourly air temperatures that have no effect, because the phone's surroundings determine the
    /// temperature.
    func checkAmbient(_ user: Cursor, _ device: DeviceModel) {
        guard device.surroundings != nil, let named = user.node["persona"], !named.isNull,
            let whole = trees.whole(user.child(named, key: "persona"), .personas), let ambient = whole["ambient"]
        else { return }
        // Two cases need no warning. Shipped personas are also used for phones without surroundings. A persona that is
        // written in full contains every key.
        let file = ambient.location.source
        guard !trees.library.label(file.name).hasPrefix("models/"), file !== whole["workday_hours"]?.location.source
        else { return }
        let problem = ambient.location.problem(
            "the air temperature comes from the device's surroundings, not from the user's \"ambient\"",
            hint: "set device.surroundings: off, or set the air there, as in surroundings: {table: {air: 10 degC}}",
            severity: .warning)
        if !report.problems.list.contains(where: { $0.message == problem.message }) { report.add(problem) }
    }
}
