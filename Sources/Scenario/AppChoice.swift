// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary
import Workload

/// Choice of apps for the owner of a phone, from an experiment's `apps:`.
struct AppChoice: Sendable {
    /// Catalogue of the apps.
    let catalogue: AppCatalogue
    /// Number of apps; nil when it depends on the user.
    let count: Int?

    /// Apps with the settings of a user; for a recording without a persona, the catalogue's apps.
    func apps(of persona: Persona?) -> [AppModel] {
        let apps = catalogue.apps(count: count ?? persona.flatMap(number))
        guard let persona, catalogue.tail != nil else { return apps }
        return persona.settings(for: apps)
    }

    /// Number of apps of the persona, at most those in the catalogue.
    private func number(of persona: Persona) -> Int? {
        guard persona.installedApps > 0 else { return nil }
        if catalogue.tail != nil { return persona.installedApps }
        return min(persona.installedApps, catalogue.named.count + catalogue.own.count)
    }
}
