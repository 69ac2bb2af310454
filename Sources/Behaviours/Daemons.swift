// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension AppTimer {
    /// A daemon or an extension begins or ends a spell of work.
    @inlinable public static var daemon: AppTimer { AppTimer(8) }
}

/// The daemons and extensions: when each works, and when it comes back after a kill.
///
/// What they cost besides memory and relaunches is part of the phone's standby power.
package struct Daemons {
    /// launchd starts a job that ended no sooner than this after its last start (launchd.plist(5), ThrottleInterval).
    private static let throttle = SimDuration.seconds(10)
    /// A leak grows in steps of this.
    private static let leakStep = ByteCount.mebibytes(1)

    private var streams: [RandomStream]
    private var isWorking: [Bool]
    private let firstProcess: Int
    /// The core process that leaks: the largest.
    private let leaker: Int?

    package init(_ core: borrowing PhoneCore) {
        var streams: [RandomStream] = []
        for daemon in core.daemons { streams.append(core.stream(daemon.name, "work")) }
        self.streams = streams
        isWorking = Array(repeating: false, count: core.daemons.count)
        firstProcess = core.apps.count
        leaker = core.device.daemons.leakPerDay > .zero ? core.daemons.lastIndex { $0.kind == .core } : nil
    }

    private func process(_ index: Int) -> AppID { AppID(firstProcess + index) }

    /// The phone starts, and its daemons with it.
    package mutating func start(_ core: inout PhoneCore) {
        let isStanding = Self.restoreStanding(&core)
        for index in core.daemons.indices {
            if !isStanding {
                bringUp(index, &core)
                rest(index, &core)
            }
            scheduleWork(index, &core)
        }
    }

    /// Starts the processes of a start state once, at time zero; returns whether there are any.
    ///
    /// A run begins with the phone locked, so apps that were on screen or at work are suspended at once.
    private static func restoreStanding(_ core: inout PhoneCore) -> Bool {
        guard core.now == .zero else { return false }
        var standing: [(app: AppID, process: StartingProcess)] = []
        for index in core.daemons.indices {
            if let start = core.daemons[index].start { standing.append((AppID(core.apps.count + index), start)) }
        }
        guard !standing.isEmpty else { return false }
        core.processes.begin(with: standing, at: .zero)
        core.liveDaemons += standing.count
        for (app, process) in standing
        where process.traits.isManaged && !process.isSuspended && core.processes.isAlive(app) {
            core.processes.suspend(app, at: .zero)
        }
        return true
    }

    /// The phone goes off.
    package func losePower(_ core: inout PhoneCore) {
        for index in core.daemons.indices {
            core.engine.cancel(Slots.app(process(index), .daemon))
            guard core.processes.isAlive(process(index)) else { continue }
            core.processes.terminate(process(index), .normal, at: core.now)
            core.liveDaemons -= 1
        }
    }

    /// A spell of work begins or ends, the leak grows, or launchd starts a process again.
    package mutating func timer(_ id: AppID, _ core: inout PhoneCore) {
        let index = Int(id.index) - firstProcess
        core.catchUp()
        let wasAlive = core.processes.isAlive(id)
        if !wasAlive { relaunch(index, &core) }
        switch core.daemons[index].kind {
        case .idleExit, .appExtension:
            if wasAlive, isWorking[index] { rest(index, &core) } else { work(index, isNew: !wasAlive, &core) }
        case .working, .core:
            if wasAlive, index == leaker {
                let footprint = core.processes.footprint(of: id) + Self.leakStep
                core.processes.setFootprint(of: id, to: footprint, at: core.now)
            }
        case .residentApp: break
        }
        scheduleWork(index, &core)
    }

    /// Jetsam killed a daemon or an extension: it comes back when it is needed, or at once if it always is.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        let index = Int(end.app.index) - firstProcess
        // One that died in the instant in which it had work is running again by now, and has its next timer.
        guard !core.processes.isAlive(end.app) else { return }
        isWorking[index] = false
        scheduleWork(index, &core)
    }

    private func bringUp(_ index: Int, _ core: inout PhoneCore) {
        let model = core.daemons[index]
        guard model.kind != .residentApp else { return }
        core.liveDaemons += 1
        if model.kind == .appExtension {
            core.processes.launch(process(index), foreground: false, footprint: model.footprint, at: core.now)
            return
        }
        var traits = ProcessTraits()
        traits.isManaged = false
        traits.isTracked = true
        traits.allowsIdleExit = model.kind == .idleExit
        traits.band = model.band
        traits.isFreezable = false
        if model.kind == .core {
            // Limits of core processes are high or absent (JetsamProperties: backboardd has none).
            traits.activeLimit = MemoryLimit(core.device.memory.ram, isFatal: false)
            traits.inactiveLimit = traits.activeLimit
        }
        core.processes.spawn(process(index), traits, footprint: model.footprint, at: core.now)
    }

    private func relaunch(_ index: Int, _ core: inout PhoneCore) {
        bringUp(index, &core)
        let plan = core.power.processor
        let energy = plan.workPower * plan.duration(ofWork: core.device.daemons.relaunchTime)
        core.power.addEnergy(.processor, energy, app: .system, cause: .relaunch, at: core.now)
    }

    private mutating func work(_ index: Int, isNew: Bool, _ core: inout PhoneCore) {
        let id = process(index)
        guard core.processes.isAlive(id) else { return }
        isWorking[index] = true
        if core.daemons[index].kind == .idleExit {
            _ = core.processes.setDirty(true, of: id, at: core.now)
        } else if !isNew {
            core.processes.resume(id, foreground: false, at: core.now)
        }
    }

    /// The process has nothing more to do: it goes clean or is suspended; what always works lets its cold pages go.
    private mutating func rest(_ index: Int, _ core: inout PhoneCore) {
        let id = process(index)
        guard core.processes.isAlive(id) else { return }
        isWorking[index] = false
        let shares = SystemPopulation.compressedShares
        switch core.daemons[index].kind {
        case .idleExit: _ = core.processes.setDirty(false, of: id, at: core.now)
        case .appExtension: core.processes.suspend(id, at: core.now)
        case .working: core.processes.compressColdPages(of: id, share: shares.working, at: core.now)
        case .core: core.processes.compressColdPages(of: id, share: shares.core, at: core.now)
        case .residentApp: break
        }
    }

    private mutating func scheduleWork(_ index: Int, _ core: inout PhoneCore) {
        let id = process(index)
        let model = core.daemons[index]
        let wait: SimDuration
        switch model.kind {
        case .idleExit, .appExtension:
            let mean = isWorking[index] ? core.device.daemons.workTime : model.gap
            wait = mean * streams[index].exponential(mean: 1)
        case .working, .core:
            if !core.processes.isAlive(id) {
                wait = Self.throttle
            } else if index == leaker {
                wait = .day * (Self.leakStep / core.device.daemons.leakPerDay)
            } else {
                return
            }
        case .residentApp: return
        }
        core.engine.schedule(Slots.app(id, .daemon), after: wait, class: EventClass.lifeCycle)
    }
}
