// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import PhoneCore
import Vocabulary
import Workload

extension SweepPoint {
    /// Habits of the phone's owner in a replication.
    func persona(replication: Int) -> Persona { people?.people[replication].persona ?? user.persona }

    /// Apps of the phone's owner in a replication.
    ///
    /// All owners begin with the same apps of the catalogue in the same order; some have additional ones.
    func apps(replication: Int) -> [AppModel] {
        guard let people else { return apps }
        return choice.apps(of: people.people[replication].persona)
    }

    /// Apps that every owner has.
    var fewestApps: [AppModel] {
        guard let fewest = people?.people.min(by: { $0.persona.installedApps < $1.persona.installedApps }) else {
            return apps
        }
        return choice.apps(of: fewest.persona)
    }

    /// Names for the process numbers in rows: the apps, then the daemons and extensions.
    public func processNames(replication: Int) -> [String] {
        let apps = apps(replication: replication)
        return apps.map(\.name) + device.processes(beside: apps).map(\.name)
    }
}
