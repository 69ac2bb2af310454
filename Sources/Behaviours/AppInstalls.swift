// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import Vocabulary

extension DeviceTimer {
    /// Apps and new versions that could not be installed are looked at again.
    @inlinable public static var installs: DeviceTimer { DeviceTimer(26) }
}

/// Apps that the user installs, and new versions of those that are there, as the workload says.
///
/// A new version ends its app's process; it comes over Wi-Fi only, and while its app is not on screen. An app that the
/// user installs comes over whatever network there is. What cannot be installed waits, and is looked at every hour. All
/// of these are assumptions: stores behave so, but publish no rule. On a phone with a storage in its model an app that
/// is installed takes the room of its bundle, once; one for which there is none waits, too. Before that the storage has
/// room for it beside what is said to be free, because apps of a run are there from its beginning.
package struct AppInstalls {
    /// What installing measures.
    package struct Measures: Sendable {
        let installs: AppCount
        let updates: AppCount

        package init(_ builder: inout MeasureBuilder) {
            installs = builder.perDayOfApp(
                "workload_installs_per_day", .neutral, "apps that the workload installs")
            updates = builder.perDayOfApp(
                "workload_updates_per_day", .neutral, "new versions of apps that the workload installs")
        }
    }

    /// What waits to be installed.
    private struct Waiting: BitwiseCopyable {
        let app: AppID
        /// Whether it is a new version, and not the app itself.
        var isVersion: Bool
    }

    private let measures: Measures
    /// In the order of apps, one for each.
    private var waiting: [Waiting] = []

    package init(_ measures: Measures) { self.measures = measures }

    /// An app, or a new version of one, is to be installed.
    package mutating func want(_ app: AppID, isVersion: Bool, _ core: inout PhoneCore) {
        if install(app, isVersion: isVersion, &core) { return }
        if waiting.isEmpty { schedule(&core) }
        let index = waiting.firstIndex { $0.app.index >= app.index } ?? waiting.count
        if index < waiting.count, waiting[index].app == app {
            // The newest version of an app that is to come is the app itself.
            if !isVersion { waiting[index].isVersion = false }
        } else {
            waiting.insert(Waiting(app: app, isVersion: isVersion), at: index)
        }
    }

    /// An hour has passed since something had to wait.
    package mutating func timer(_ core: inout PhoneCore) {
        waiting = waiting.filter { !install($0.app, isVersion: $0.isVersion, &core) }
        if !waiting.isEmpty { schedule(&core) }
    }

    private func schedule(_ core: inout PhoneCore) {
        core.engine.schedule(Slots.device(.installs), after: .hour, class: EventClass.work)
    }

    /// Installs what there is, if it can be now.
    private func install(_ app: AppID, isVersion: Bool, _ core: inout PhoneCore) -> Bool {
        guard !core.power.isDead, let interface = core.power.interface else { return false }
        core.catchUp()
        if isVersion {
            guard interface == .wifi, core.front.app != app, core.hasApp(app), core.installVersion(of: app) else {
                return false
            }
            core.measures.add(measures.updates, of: app)
        } else {
            // One that was removed from a full phone comes back as if its user had opened it.
            if core.isInstalled(app), !core.bringApp(app) { return false }
            core.measures.add(measures.installs, of: app)
        }
        let state = core.processes.state(of: app)
        core.record(isVersion ? .updated : .installed, app, from: state, to: state)
        return true
    }
}
