import EventKernel
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

/// What a run keeps of a daemon or an extension.
struct SystemRuntime {
    let model: SystemProcess
    var stream: RandomStream
    var isWorking = false

    init(_ model: SystemProcess, _ stream: RandomStream) {
        self.model = model
        self.stream = stream
    }
}

extension AppModel {
    /// A daemon as the process table and the eviction policies see it: never opened, quickly started.
    init(_ process: SystemProcess, _ population: SystemPopulation) {
        self.init(name: process.name, category: "system")
        foregroundFootprint = process.footprint
        backgroundFootprint = process.footprint
        launchFiles = .zero
        warningDrop = 0
        coldLaunchTime = population.relaunchTime
        warmLaunchTime = population.relaunchTime
    }
}

/// The daemons and extensions: who works when, who comes back after a kill. What they cost besides memory and
/// relaunches is part of the phone's standby power.
extension PhoneModel {
    /// launchd starts a job that ended no sooner than this after its last start (launchd.plist(5), ThrottleInterval).
    private static var throttle: SimDuration { .seconds(10) }
    /// A leak grows in steps of this.
    private static var leakStep: ByteCount { .mebibytes(1) }

    private func processID(_ place: Int) -> AppID { AppID(apps.count + place) }

    /// The core process that leaks: the largest.
    private var leaker: Int? {
        device.daemons.leakPerDay > .zero ? system.lastIndex { $0.model.kind == .core } : nil
    }

    /// How many extensions are suspended.
    var suspendedSystem: Int {
        system.indices.reduce(0) { $0 + (processes.state(of: processID($1)) == .suspended ? 1 : 0) }
    }

    /// The phone starts, and its daemons with it.
    mutating func startSystem(in engine: inout PhoneEngine) {
        let isStanding = placeStanding(in: &engine)
        for place in system.indices {
            if !isStanding {
                bringUp(place, at: engine.now)
                settleSystem(place, at: engine.now)
            }
            scheduleWork(place, in: &engine)
        }
    }

    /// The phone goes off.
    mutating func stopSystem(in engine: inout PhoneEngine) {
        for place in system.indices {
            engine.cancel(Slots.app(processID(place), .system))
            guard processes.isAlive(processID(place)) else { continue }
            processes.terminate(processID(place), .normal, at: engine.now)
            liveSystem -= 1
        }
    }

    /// A spell of work begins or ends, the leak grows, or launchd starts a process again.
    mutating func systemTimer(_ place: Int, in engine: inout PhoneEngine) {
        let process = processID(place)
        let now = engine.now
        catchUp(in: &engine)
        let wasAlive = processes.isAlive(process)
        if !wasAlive { relaunch(place, at: now) }
        switch system[place].model.kind {
        case .idleExit, .appExtension:
            if wasAlive, system[place].isWorking {
                settleSystem(place, at: now)
            } else {
                beginWork(place, isNew: !wasAlive, at: now)
            }
        case .working, .core:
            if wasAlive, place == leaker {
                let footprint = processes.footprint(of: process) + Self.leakStep
                processes.setFootprint(of: process, to: footprint, at: now)
            }
        case .residentApp: break
        }
        scheduleWork(place, in: &engine)
    }

    /// Jetsam killed a daemon or an extension: it comes back when it is needed, or at once if it always is.
    mutating func systemProcessDied(
        _ kill: KillRecord, _ candidates: [KillCandidate], in engine: inout PhoneEngine
    ) {
        let place = Int(kill.app.index) - apps.count
        counts.systemKills += 1
        liveSystem -= 1
        system[place].isWorking = false
        recordKill(kill, candidates, at: engine.now)
        scheduleWork(place, in: &engine)
    }

    private mutating func bringUp(_ place: Int, at now: SimTime) {
        let model = system[place].model
        guard model.kind != .residentApp else { return }
        liveSystem += 1
        if model.kind == .appExtension {
            processes.launch(processID(place), foreground: false, footprint: model.footprint, at: now)
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
            traits.activeLimit = MemoryLimit(device.memory.ram, isFatal: false)
            traits.inactiveLimit = traits.activeLimit
        }
        processes.spawn(processID(place), traits, footprint: model.footprint, at: now)
    }

    private mutating func relaunch(_ place: Int, at now: SimTime) {
        bringUp(place, at: now)
        let energy = power.processor.workPower * power.processor.duration(ofWork: device.daemons.relaunchTime)
        power.addEnergy(.processor, energy, app: .system, cause: .relaunch, at: now)
    }

    private mutating func beginWork(_ place: Int, isNew: Bool, at now: SimTime) {
        let process = processID(place)
        guard processes.isAlive(process) else { return }
        system[place].isWorking = true
        if system[place].model.kind == .idleExit {
            _ = processes.setDirty(true, of: process, at: now)
        } else if !isNew {
            processes.resume(process, foreground: false, at: now)
        }
    }

    /// The process has nothing more to do: it goes clean or is suspended; what always works lets its cold pages go.
    private mutating func settleSystem(_ place: Int, at now: SimTime) {
        let process = processID(place)
        guard processes.isAlive(process) else { return }
        system[place].isWorking = false
        let shares = SystemPopulation.compressedShares
        switch system[place].model.kind {
        case .idleExit: _ = processes.setDirty(false, of: process, at: now)
        case .appExtension: processes.suspend(process, at: now)
        case .working: processes.compressColdPages(of: process, share: shares.working, at: now)
        case .core: processes.compressColdPages(of: process, share: shares.core, at: now)
        case .residentApp: break
        }
    }

    private mutating func scheduleWork(_ place: Int, in engine: inout PhoneEngine) {
        let process = processID(place)
        let model = system[place].model
        let wait: SimDuration
        switch model.kind {
        case .idleExit, .appExtension:
            let mean = system[place].isWorking ? device.daemons.workTime : model.gap
            wait = mean * system[place].stream.exponential(mean: 1)
        case .working, .core:
            if !processes.isAlive(process) {
                wait = Self.throttle
            } else if place == leaker {
                wait = .day * (Self.leakStep / device.daemons.leakPerDay)
            } else {
                return
            }
        case .residentApp: return
        }
        engine.schedule(Slots.app(process, .system), after: wait, class: EventClass.lifeCycle)
    }
}
