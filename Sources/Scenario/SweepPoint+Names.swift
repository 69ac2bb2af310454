// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import PhoneCore
import Vocabulary
import Workload

extension SweepPoint {
    /// The habits of who has the phone in a replication.
    func persona(replication: Int) -> Persona { people?.people[replication].persona ?? user.persona }

    /// The apps of who has the phone in a replication.
    ///
    /// All begin with the same apps of the catalogue in the same order; some have more of them.
    func apps(replication: Int) -> [AppModel] {
        guard let people else { return apps }
        return choice.apps(of: people.people[replication].persona)
    }

    /// The apps that every user has.
    var fewestApps: [AppModel] {
        guard let fewest = people?.people.min(by: { $0.persona.installedApps < $1.persona.installedApps }) else {
            return apps
        }
        return choice.apps(of: fewest.persona)
    }

    /// The names behind the numbers in rows: the apps, then the daemons and extensions.
    public func processNames(replication: Int) -> [String] {
        apps(replication: replication).map(\.name) + device.systemProcesses.map(\.name)
    }
}
