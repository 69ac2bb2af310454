// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary
import Workload

/// Selects the apps on a phone for its owner, according to the key `apps` of an experiment.
struct AppChoice: Sendable {
    /// Catalogue of the apps.
    let catalogue: AppCatalogue
    /// Number of apps; nil when each persona determines it.
    let count: Int?

    /// Apps with the settings of a user.
    ///
    /// For a recording without a persona, these are the unchanged apps of the catalogue.
    func apps(of persona: Persona?) -> [AppModel] {
        let apps = catalogue.apps(count: count ?? persona.flatMap(number))
        guard let persona, catalogue.tail != nil else { return apps }
        return persona.settings(for: apps)
    }

    /// Number of apps of the persona, limited to the number in the catalogue.
    private func number(of persona: Persona) -> Int? {
        guard persona.installedApps > 0 else { return nil }
        if catalogue.tail != nil { return persona.installedApps }
        return min(persona.installedApps, catalogue.named.count + catalogue.own.count)
    }
}
