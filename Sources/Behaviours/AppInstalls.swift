// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import Vocabulary

extension DeviceTimer {
    /// The phone tries waiting installs again.
    @inlinable public static var installs: DeviceTimer { DeviceTimer(26) }
}

/// Installs of apps by the user, and new versions of installed apps, from the workload.
///
/// A new version ends its app's process. It is installed only over Wi-Fi and while the app is not on screen. An app
/// that the user installs uses any network. An install that is not possible waits, and the phone tries again every
/// hour. All of these rules are assumptions: stores behave in this way but publish no rule.
///
/// On a phone with a storage model, an installed app uses the space of its bundle once. An app also waits while there
/// is too little space for its bundle. The space of all bundles is reserved in addition to the stated free space,
/// because all apps of a run exist from its start.
package struct AppInstalls {
    /// Measures of installs.
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

    /// An install that waits.
    private struct Waiting: BitwiseCopyable {
        let app: AppID
        /// Whether the install is a new version of an installed app.
        var isVersion: Bool
    }

    private let measures: Measures
    /// Waiting installs in the order of apps, at most one per app.
    private var waiting: [Waiting] = []

    package init(_ measures: Measures) { self.measures = measures }

    /// Requests the install of an app or of a new version.
    package mutating func want(_ app: AppID, isVersion: Bool, _ core: inout PhoneCore) {
        // An app that was removed returns in its newest version.
        if isVersion, !core.hasApp(app) { return }
        // What is installed now is the newest version, so an install of the app that still waits is done, too.
        if install(app, isVersion: isVersion, &core) { return waiting.removeAll { $0.app == app } }
        if waiting.isEmpty { schedule(&core) }
        let index = waiting.firstIndex { $0.app.index >= app.index } ?? waiting.count
        if index < waiting.count, waiting[index].app == app {
            // If the app itself still waits, its newest version is installed.
            if !isVersion { waiting[index].isVersion = false }
        } else {
            waiting.insert(Waiting(app: app, isVersion: isVersion), at: index)
        }
    }

    /// Tries waiting installs again, an hour after an install had to wait.
    package mutating func timer(_ core: inout PhoneCore) {
        waiting = waiting.filter { !install($0.app, isVersion: $0.isVersion, &core) }
        if !waiting.isEmpty { schedule(&core) }
    }

    /// Drops a version that waits for an app that the system removes, because the app returns in its newest version.
    package mutating func removed(_ app: AppID) { waiting.removeAll { $0.app == app && $0.isVersion } }

    private func schedule(_ core: inout PhoneCore) {
        core.engine.schedule(Slots.device(.installs), after: .hour, class: EventClass.work)
    }

    /// Installs an app or a version if that is possible now; returns whether it was installed.
    private func install(_ app: AppID, isVersion: Bool, _ core: inout PhoneCore) -> Bool {
        guard !core.power.isDead, let interface = core.power.interface else { return false }
        core.catchUp()
        if isVersion {
            guard interface == .wifi, core.front.app != app, core.installVersion(of: app) else { return false }
            core.measures.add(measures.updates, of: app)
        } else {
            // An app that was removed from a full phone returns as if its user had opened it, once there is space.
            guard core.isInstalled(app) ? core.bringApp(app) : core.isComing(app) else { return false }
            core.measures.add(measures.installs, of: app)
        }
        let state = core.processes.state(of: app)
        core.record(isVersion ? .updated : .installed, app, from: state, to: state)
        return true
    }
}
