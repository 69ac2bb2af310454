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
    /// The lists of all owners begin with the same apps of the catalogue, in the same order. Some owners have further
    /// apps.
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

    /// Names of the processes by their numbers in rows: first the apps, then the daemons and extensions.
    public func processNames(replication: Int) -> [String] {
        let apps = apps(replication: replication)
        return apps.map(\.name) + device.processes(beside: apps).map(\.name)
    }
}
