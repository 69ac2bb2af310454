// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Processes
import Quantities
import Vocabulary

/// Memory of apps in use: growth, which ends with the visit, and leaks, which end with the process.
extension Visits {
    /// Time between two checks of a growing app: long enough for a low cost, short enough for a visit of minutes.
    private static let growthStep = SimDuration.minutes(1)
    /// A process gets a warning at this distance below its limit, but not below 80 % of the limit.
    ///
    /// Source: xnu `osfmk/kern/task.c`, `PHYS_FOOTPRINT_WARNING_LEVEL` and the device's own limit.
    private static let warnedBelow = ByteCount.mebibytes(100)

    /// Schedules the next check of an app that grows while it is on screen.
    func scheduleGrowth(of app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        guard core.apps[index].growthPerHour > 0 || core.apps[index].leakPerHour > .zero else { return }
        core.engine.schedule(Slots.app(app, .growth), after: Self.growthStep, class: EventClass.work)
    }

    /// Grows the app on screen by another minute.
    ///
    /// If the app is killed at its limit, the user opens it again. The function is mutating so that the call does not
    /// copy the visits.
    package mutating func growthTimer(_ app: AppID, _ core: inout PhoneCore) {
        guard app == core.front.app, !core.power.isDead else { return }
        core.catchUp()
        guard core.processes.isAlive(app) else { return }
        let index = Int(app.index)
        let part = Self.growthStep / .hour
        let leak = core.apps[index].leakPerHour * part
        let growth = core.apps[index].foregroundFootprint * (core.apps[index].growthPerHour * part)
        guard warnOfLimit(app, &core) else { return }
        core.lives[index].leaked += leak
        let footprint = core.processes.footprint(of: app)
        // An app that watches its limit does not grow beyond it by memory that it can release; a leak is not watched.
        let room = max(.zero, Self.largestFootprint(core.device) - footprint)
        if core.setFootprint(of: app, to: footprint + leak + min(growth, room)) { scheduleGrowth(of: app, &core) }
    }

    /// Warns a process once that it is near its own limit; the process then releases memory as on any warning.
    ///
    /// - Returns: Whether the process is still alive.
    private func warnOfLimit(_ app: AppID, _ core: inout PhoneCore) -> Bool {
        let index = Int(app.index)
        let limit = core.processes.limit(of: app).size
        let footprint = core.processes.footprint(of: app)
        guard footprint >= max(limit - Self.warnedBelow, limit * 0.8) else {
            core.lives[index].isNearLimit = false
            return true
        }
        guard !core.lives[index].isNearLimit else { return true }
        core.lives[index].isNearLimit = true
        core.recordWarning(to: app, at: core.now)
        let dropped = max(.zero, footprint - core.lives[index].leaked) * core.apps[index].warningDrop
        return core.setFootprint(of: app, to: footprint - dropped)
    }

    /// Largest footprint of apps that watch their remaining memory (`os_proc_available_memory`).
    static func largestFootprint(_ device: DeviceModel) -> ByteCount {
        device.memory.perProcessLimit * device.habits.limitShare
    }

    /// Footprint that an app keeps in the background, after the reduction in its model.
    static func trimmed(_ app: AppID, _ core: borrowing PhoneCore) -> ByteCount {
        let model = core.apps[Int(app.index)]
        let further = furtherWindows(app, core) + core.lives[Int(app.index)].leaked
        let own = max(.zero, core.processes.footprint(of: app) - further)
        return own * (model.backgroundFootprint / model.foregroundFootprint) + further
    }

    /// Memory of the connected windows of an app beyond the first.
    static func furtherWindows(_ app: AppID, _ core: borrowing PhoneCore) -> ByteCount {
        let memory = core.apps[Int(app.index)].windowMemory
        guard memory > .zero else { return .zero }
        return memory * Double(max(0, core.processes.connectedWindows(of: app) - 1))
    }
}
