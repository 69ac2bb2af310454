// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary
import Workload

extension Persona {
    /// Apps of the catalogue with the settings of this user: permission for notifications, and the number of processing
    /// requests.
    ///
    /// Only the `pushApps` apps with the most pushes keep their pushes, scaled to the 130 a day for which the catalogue
    /// is made. The workload then scales them by `notificationsPerDay / 130`. Processing requests that need the charger
    /// are scaled to the persona's number. Only the most popular apps keep location and widgets. The app that an
    /// experiment is about keeps its declarations.
    func settings(for apps: [AppModel]) -> [AppModel] {
        var apps = apps
        let senders = apps.indices.filter { apps[$0].pushesPerDay > 0 && !apps[$0].isStudied }
            .sorted { (apps[$1].pushesPerDay, apps[$0].name) < (apps[$0].pushesPerDay, apps[$1].name) }
        let allowed = senders.prefix(background.pushApps)
        let sum = allowed.reduce(0) { $0 + apps[$1].pushesPerDay }
        for index in senders.dropFirst(background.pushApps) { apps[index].pushesPerDay = 0 }
        for index in allowed { apps[index].pushesPerDay *= PushStream.referencePerDay / sum }
        let onPower = apps.indices.filter { apps[$0].processingNeedsPower && !apps[$0].isStudied }
        let tasks = onPower.reduce(0) { $0 + apps[$1].processingPerDay }
        if tasks > 0 {
            for index in onPower { apps[index].processingPerDay *= background.processingTasksPerDay / tasks }
        }
        Self.keep(background.locationApps, \.traits.followsLocation, of: &apps)
        Self.keep(background.widgets, \.traits.hasWidget, of: &apps)
        return apps
    }

    /// Removes a trait from all apps except the most popular apps that have it.
    private static func keep(_ count: Int, _ trait: WritableKeyPath<AppModel, Bool>, of apps: inout [AppModel]) {
        let able = apps.indices.filter { apps[$0][keyPath: trait] && !apps[$0].isStudied }
            .sorted { (apps[$1].popularity, apps[$0].name) < (apps[$0].popularity, apps[$1].name) }
        for index in able.dropFirst(count) { apps[index][keyPath: trait] = false }
    }

    /// Persona for a recording without one.
    ///
    /// This persona does nothing, and apps behave as in their models.
    static var idle: Persona {
        var persona = Persona(name: "nobody")
        persona.notificationsPerDay = PushStream.referencePerDay
        persona.background.refreshEnabledShare = 1
        persona.charging.chargerPower = .watts(18)
        return persona
    }
}
