// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary
import Workload

/// What an experiment's `apps:` gives to whoever has the phone.
struct AppChoice: Sendable {
    /// Where the apps come from.
    let catalogue: AppCatalogue
    /// Number of apps; nil when the experiment leaves it to the user.
    let count: Int?

    /// The apps as a user keeps them; nil for a recording that nobody fills in.
    func apps(of persona: Persona?) -> [AppModel] {
        let apps = catalogue.apps(count: count ?? persona.flatMap(number))
        guard let persona, catalogue.tail != nil else { return apps }
        return persona.settings(for: apps)
    }

    /// The persona's own number of apps, as far as the catalogue has them.
    private func number(of persona: Persona) -> Int? {
        guard persona.installedApps > 0 else { return nil }
        if catalogue.tail != nil { return persona.installedApps }
        return min(persona.installedApps, catalogue.named.count + catalogue.own.count)
    }
}
