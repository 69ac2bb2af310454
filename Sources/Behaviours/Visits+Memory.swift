// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Processes
import Quantities
import Vocabulary

/// The memory of apps that are used: growth, which ends with the visit, and leaks, which end with the
/// process.
extension Visits {
    /// How often an app that grows is looked at: seldom enough to cost nothing, often enough for a visit of minutes.
    private static let growthStep = SimDuration.minutes(1)
    /// A process is told that its limit is near from this on below it, but never below 80 % of it (xnu
    /// `osfmk/kern/task.c`, PHYS_FOOTPRINT_WARNING_LEVEL and the device's own limit).
    private static let warnedBelow = ByteCount.mebibytes(100)

    /// Looks at an app again that grows while it is on screen.
    func scheduleGrowth(of app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        guard core.apps[index].growthPerHour > 0 || core.apps[index].leakPerHour > .zero else { return }
        core.engine.schedule(Slots.app(app, .growth), after: Self.growthStep, class: EventClass.work)
    }

    /// The app on screen has grown for another minute; it may die of that, and is opened again then.
    ///
    /// Mutating, so that the visits are not copied for the call.
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
        // What an app may let go of it does not take beyond what it watches; a leak nobody watches.
        let room = max(.zero, Self.largestFootprint(core.device) - footprint)
        if core.setFootprint(of: app, to: footprint + leak + min(growth, room)) { scheduleGrowth(of: app, &core) }
    }

    /// Tells a process once that its own limit is near; it lets go of what it drops on a warning.
    ///
    /// - Returns: Whether it still lives.
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

    /// Apps that watch what is left to them (`os_proc_available_memory`) stop short of their limit.
    static func largestFootprint(_ device: DeviceModel) -> ByteCount {
        device.memory.perProcessLimit * device.habits.limitShare
    }

    /// The footprint an app keeps in the background: as much smaller as its model says.
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
