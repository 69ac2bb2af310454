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
/// of these are assumptions: stores behave so, but publish no rule. The storage has room for all apps of a run from the
/// beginning, so that installing one takes nothing of it.
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

    /// What waits for an app.
    private enum Waiting: UInt8 {
        case nothing, app, version
    }

    private let measures: Measures
    /// By app; empty until something waits.
    private var waiting: [Waiting] = []

    package init(_ measures: Measures) { self.measures = measures }

    /// An app, or a new version of one, is to be installed.
    package mutating func want(_ app: AppID, isVersion: Bool, _ core: inout PhoneCore) {
        if install(app, isVersion: isVersion, &core) { return }
        if waiting.isEmpty { waiting = Array(repeating: .nothing, count: core.apps.count) }
        if waiting.allSatisfy({ $0 == .nothing }) { schedule(&core) }
        // The newest version of an app that is to come is the app itself.
        if waiting[Int(app.index)] != .app { waiting[Int(app.index)] = isVersion ? .version : .app }
    }

    /// An hour has passed since something had to wait.
    package mutating func timer(_ core: inout PhoneCore) {
        for index in waiting.indices where waiting[index] != .nothing {
            if install(AppID(index), isVersion: waiting[index] == .version, &core) { waiting[index] = .nothing }
        }
        if waiting.contains(where: { $0 != .nothing }) { schedule(&core) }
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
            if core.isInstalled(app) { core.fetchBundle(core.apps[Int(app.index)].files.bundle, of: app) }
            core.measures.add(measures.installs, of: app)
        }
        let state = core.processes.state(of: app)
        core.record(isVersion ? .updated : .installed, app, from: state, to: state)
        return true
    }
}
