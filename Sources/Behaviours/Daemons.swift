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

/// The daemons and extensions, with the times at which each works and restarts after a kill.
///
/// Apart from memory and relaunches, their cost is part of the phone's standby power.
package struct Daemons {
    /// Step by which a leak grows.
    private static let leakStep = ByteCount.mebibytes(1)

    /// Share of kills of an eager daemon after which it is needed at once.
    ///
    /// Assumption: half of the kills, so that its work is eventually done.
    private static let eagerShare = 0.5
    /// Delay until an eager daemon is requested again; assumption.
    private static let eagerWait = SimDuration.seconds(1)
    /// Memory that an idle process touches without work: one page.
    private static let page = ByteCount(16384)

    /// State of a daemon or an extension.
    private struct Spell: BitwiseCopyable {
        var isWorking = false
        /// Whether the process is about to become idle with a footprint above the limit for idle processes.
        var isOverfull = false
        /// When the process last started, and when it was last killed.
        var started = SimTime.distantFuture
        var killed = SimTime.distantFuture
        var history = RelaunchHistory()
        var throttle = RespawnThrottle()
    }

    private var streams: [RandomStream]
    /// Random streams of sizes; empty unless the daemons come from a recording.
    private var sizeStreams: [RandomStream]
    private var spells: [Spell]
    private let firstProcess: Int
    /// The core process that leaks memory: the largest one.
    private let leaker: Int?
    /// The daemons that launches of each app need, in equal number for each app; empty if launches need none.
    private let needed: [Int32]

    package init(_ core: borrowing PhoneCore) {
        var streams: [RandomStream] = []
        for daemon in core.daemons { streams.append(core.stream(daemon.name, "work")) }
        self.streams = streams
        sizeStreams = core.device.daemons.isAsRecorded ? core.daemons.map { core.stream($0.name, "sizes") } : []
        spells = Array(repeating: Spell(), count: core.daemons.count)
        firstProcess = core.apps.count
        needed = Self.drawNeeded(core)
        leaker = core.device.daemons.leakPerDay > .zero ? core.daemons.lastIndex { $0.kind == .core } : nil
    }

    private func process(_ index: Int) -> AppID { AppID(firstProcess + index) }

    /// Draws the idle daemons that each app needs; all daemons are equally probable (assumption).
    private static func drawNeeded(_ core: borrowing PhoneCore) -> [Int32] {
        let idle = core.daemons.indices.filter { core.daemons[$0].kind == .idleExit }
        let count = min(core.device.daemons.neededByLaunch, idle.count)
        guard count > 0 else { return [] }
        var needed: [Int32] = []
        needed.reserveCapacity(count * core.apps.count)
        for index in core.apps.indices {
            var stream = core.stream(core.apps[index].name, "daemons of launches")
            while needed.count < (index + 1) * count {
                let drawn = Int32(idle[stream.integer(below: idle.count)])
                if !needed[(index * count)...].contains(drawn) { needed.append(drawn) }
            }
        }
        return needed
    }

    /// Starts the missing daemons that an app's launch needs, one after the other, while the launch waits.
    ///
    /// launchd delays daemons that started less than 10 s ago. An app that is only resumed needs none.
    package mutating func launching(_ app: AppID, _ core: inout PhoneCore) {
        guard !needed.isEmpty, !core.processes.isAlive(app) else { return }
        let count = needed.count / core.apps.count
        let start = core.power.processor.duration(ofWork: core.device.daemons.relaunchTime)
        var (held, starting) = (SimDuration.zero, SimDuration.zero)
        for entry in Int(app.index) * count..<(Int(app.index) + 1) * count {
            let index = Int(needed[entry])
            guard !core.processes.isAlive(process(index)) else { continue }
            let throttle = throttled(index, core)
            (held, starting) = (max(held, throttle), starting + start)
            if throttle > .zero {
                core.engine.schedule(Slots.app(process(index), .daemon), after: throttle, class: EventClass.lifeCycle)
            } else {
                timer(process(index), &core)
            }
        }
        core.front.daemonWait = held + starting
    }

    /// Starts the daemons when the phone starts, and schedules their work.
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

    /// Starts the processes of the start state once, at time zero; returns whether there are such processes.
    ///
    /// A run begins with a locked phone, so apps that were on screen or working are suspended at once.
    private static func restoreStanding(_ core: inout PhoneCore) -> Bool {
        guard core.now == .zero else { return false }
        var standing: [(app: AppID, process: StartingProcess)] = []
        var own = 0
        for index in core.daemons.indices {
            guard var start = core.daemons[index].start else { continue }
            // If the process is an app of the run's user, the app itself is started, and waits.
            if start.traits.isManaged, let app = core.apps.firstIndex(where: { $0.name == core.daemons[index].name }) {
                start.traits.band = core.device.os.idleBand
                start.isSuspended = true
                standing.append((AppID(app), start))
                own += 1
            } else {
                standing.append((AppID(core.apps.count + index), start))
            }
        }
        guard !standing.isEmpty else { return false }
        core.begin(with: standing)
        core.liveDaemons += standing.count - own
        for (app, process) in standing
        where process.traits.isManaged && !process.isSuspended {
            // A process that the others' starts kill is started again like any other.
            _ = core.stop(app)
        }
        return true
    }

    /// Ends all daemons when the phone goes off.
    package func losePower(_ core: inout PhoneCore) {
        for index in core.daemons.indices {
            core.engine.cancel(Slots.app(process(index), .daemon))
            guard core.processes.isAlive(process(index)) else { continue }
            core.terminate(process(index))
        }
    }

    /// Handles a timer: a spell of work begins or ends, the leak grows, or launchd starts a process again.
    package mutating func timer(_ id: AppID, _ core: inout PhoneCore) {
        let index = Int(id.index) - firstProcess
        core.catchUp()
        let wasAlive = core.processes.isAlive(id)
        if !wasAlive { relaunch(index, &core) }
        switch core.daemons[index].kind {
        case .idleExit, .appExtension, .service:
            if wasAlive, spells[index].isOverfull {
                touch(index, &core)
            } else if wasAlive, spells[index].isWorking {
                rest(index, &core)
            } else {
                work(index, isNew: !wasAlive, &core)
            }
        case .working, .core:
            if wasAlive, index != leaker {
                resize(index, &core)
                core.recordUse(of: id)
            }
            if wasAlive, index == leaker { leak(index, &core) }
        case .residentApp, .helper: break
        }
        scheduleWork(index, &core)
    }

    /// Handles a kill by jetsam: the process restarts when it is needed, or at once if it is always needed.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        let index = Int(end.app.index) - firstProcess
        // A process that ended at the instant at which it got work may be running again; it then has its next timer.
        guard !core.processes.isAlive(end.app) else { return }
        spells[index].isWorking = false
        spells[index].isOverfull = false
        // A process that ended as the phone went off starts with the others when the phone is on again.
        guard !core.power.isDead else { return }
        if end.wasKilled {
            spells[index].killed = core.now
            // A process from a report had run for the time stated there.
            if spells[index].started != .distantFuture {
                spells[index].throttle.ended(after: core.now - spells[index].started)
            }
        }
        scheduleWork(index, &core)
    }

    private mutating func bringUp(_ index: Int, _ core: inout PhoneCore) {
        let kind = core.daemons[index].kind
        guard kind != .residentApp, kind != .helper else { return }
        core.liveDaemons += 1
        spells[index].started = core.now
        let lives = spawn(index, kind, &core)
        // A process that always works counts as used from its start on.
        if lives, kind != .idleExit { core.recordUse(of: process(index)) }
    }

    /// Starts a process; returns false if the start killed it.
    private func spawn(_ index: Int, _ kind: SystemProcess.Kind, _ core: inout PhoneCore) -> Bool {
        let footprint = freshFootprint(of: index, core)
        if kind == .appExtension || kind == .service {
            let lives = core.launch(process(index), foreground: false, footprint: footprint).lives
            // A service is frozen only together with the app that it works for.
            if kind == .service { core.keepFromFreezer(process(index)) }
            return lives
        }
        var traits = ProcessTraits()
        traits.isManaged = false
        traits.isTracked = true
        traits.allowsIdleExit = kind == .idleExit
        traits.band = core.daemons[index].band
        traits.isFreezable = false
        traits.activeLimit = core.daemons[index].activeLimit
        traits.inactiveLimit = core.daemons[index].inactiveLimit
        if core.device.daemons.isAsRecorded {
            traits.relaunch = spells[index].history.record
            // Without its own limit, the device's fatal limit applies; a report shows backboardd grown up to it.
            if index == leaker { (traits.activeLimit, traits.inactiveLimit) = (.standard, .standard) }
        } else if kind == .core, traits.activeLimit == .standard {
            traits.activeLimit = MemoryLimit(core.device.memory.ram, isFatal: false)
            traits.inactiveLimit = traits.activeLimit
        }
        guard core.device.daemons.isAsRecorded, kind != .idleExit else {
            return core.spawn(process(index), traits, footprint: footprint)
        }
        // A process that always works is dirty before it grows, so the limit for working processes applies.
        return core.spawn(process(index), traits, footprint: Self.page)
            && core.setDirty(true, of: process(index))
            && core.setFootprint(of: process(index), to: footprint)
    }

    /// Footprint of a process when it starts.
    ///
    /// A process from a phone's report may have leaked memory. Its footprint is limited to that of the largest process
    /// of its kind in report 04 (`SystemPopulation`).
    private func freshFootprint(of index: Int, _ core: borrowing PhoneCore) -> ByteCount {
        let footprint = core.daemons[index].footprint
        guard core.daemons[index].start != nil,
            let largest = SystemPopulation.largest(of: core.daemons[index].kind)
        else { return footprint }
        return min(footprint, largest)
    }

    private mutating func relaunch(_ index: Int, _ core: inout PhoneCore) {
        if spells[index].killed != .distantFuture {
            spells[index].history.add(core.now - spells[index].killed)
            spells[index].killed = .distantFuture
        }
        bringUp(index, &core)
        let plan = core.power.processor
        let energy = plan.workPower * plan.duration(ofWork: core.device.daemons.relaunchTime)
        core.power.addSmallEnergy(.processor, energy, app: .system, cause: .relaunch, at: core.now)
    }

    private mutating func work(_ index: Int, isNew: Bool, _ core: inout PhoneCore) {
        let id = process(index)
        guard core.processes.isAlive(id) else { return }
        spells[index].isWorking = true
        core.recordUse(of: id)
        if core.daemons[index].kind == .idleExit {
            if core.setDirty(true, of: id), !isNew { resize(index, &core) }
        } else if !isNew {
            // If this kills the process, nothing else is needed here: `processEnded` ends its spell.
            _ = core.resume(id, foreground: false)
        }
    }

    /// Grows the leak by one step; leaked memory is never touched, so it is compressed first when memory runs short.
    private func leak(_ index: Int, _ core: inout PhoneCore) {
        let id = process(index)
        let footprint = core.processes.footprint(of: id) + Self.leakStep
        let sizes = core.processes.memory
        guard core.setFootprint(of: id, to: footprint), core.processes.availableShare < sizes.compressBelowShare
        else { return }
        let used = core.daemons[index].footprint * (1 - SystemPopulation.compressedShares.core)
        // No other operation on the process follows, because this may end it.
        _ = core.compressColdPages(of: id, share: max(0, 1 - used / footprint))
    }

    /// Sets the footprint of a spell of work, which may end a process above its limit.
    private mutating func resize(_ index: Int, _ core: inout PhoneCore) {
        guard !sizeStreams.isEmpty, core.processes.isAlive(process(index)) else { return }
        let factor = RecordedDaemons.spellFactor(sizeStreams[index].uniform(), gap: core.daemons[index].gap)
        // A restarted process no longer has the memory that it had leaked before the report.
        let isFirst = spells[index].started == .distantFuture
        let footprint = isFirst ? core.daemons[index].footprint : freshFootprint(of: index, core)
        // No other operation on the process follows: each caller checks whether it still exists.
        _ = core.setFootprint(of: process(index), to: footprint * factor)
    }

    /// Makes a daemon that became idle above its fatal limit touch one more page, which kills it.
    private mutating func touch(_ index: Int, _ core: inout PhoneCore) {
        spells[index].isOverfull = false
        let id = process(index)
        // This kills the process in most cases; nothing else is needed if it does not.
        _ = core.setFootprint(of: id, to: core.processes.footprint(of: id) + Self.page)
    }

    /// Handles a process without work: it becomes clean or is suspended.
    ///
    /// A process that always works drops its cold pages.
    private mutating func rest(_ index: Int, _ core: inout PhoneCore) {
        let id = process(index)
        guard core.processes.isAlive(id) else { return }
        spells[index].isWorking = false
        let shares = SystemPopulation.compressedShares
        // No other operation on the process follows, because this may end it.
        switch core.daemons[index].kind {
        case .idleExit:
            let limit = core.daemons[index].inactiveLimit
            spells[index].isOverfull =
                limit.isFatal && limit.size > .zero && core.processes.footprint(of: id) > limit.size
            _ = core.setDirty(false, of: id)
        case .appExtension, .service: _ = core.stop(id)
        case .working: _ = core.compressColdPages(of: id, share: shares.working)
        case .core: _ = core.compressColdPages(of: id, share: shares.core)
        case .residentApp, .helper: break
        }
    }

    /// Time for which launchd delays the next start of a job.
    private func throttled(_ index: Int, _ core: borrowing PhoneCore) -> SimDuration {
        guard spells[index].started != .distantFuture else { return .zero }
        return max(.zero, spells[index].started + spells[index].throttle.wait - core.now)
    }

    private mutating func scheduleWork(_ index: Int, _ core: inout PhoneCore) {
        let id = process(index)
        let wait: SimDuration
        switch core.daemons[index].kind {
        case .idleExit, .appExtension, .service:
            if spells[index].isOverfull {
                // Longest ageing time of a daemon that became clean.
                wait = core.device.os.daemonAging.max() ?? .zero
            } else if core.daemons[index].isEager, !core.processes.isAlive(id),
                streams[index].bernoulli(Self.eagerShare)
            {
                wait = max(throttled(index, core), Self.eagerWait * streams[index].exponential(mean: 1))
            } else {
                let mean = spells[index].isWorking ? core.device.daemons.workTime : core.daemons[index].gap
                wait = mean * streams[index].exponential(mean: 1)
            }
        case .working, .core:
            if !core.processes.isAlive(id) {
                wait = core.device.daemons.isAsRecorded ? throttled(index, core) : RespawnThrottle.interval
            } else if index == leaker {
                wait = .day * (Self.leakStep / core.device.daemons.leakPerDay)
            } else if !sizeStreams.isEmpty {
                wait = core.daemons[index].gap * streams[index].exponential(mean: 1)
            } else {
                return
            }
        case .residentApp, .helper: return
        }
        if core.readsFuture { core.setNextOpen(of: id, to: core.now + wait) }
        core.engine.schedule(Slots.app(id, .daemon), after: wait, class: EventClass.lifeCycle)
    }

    /// Gives policies the time at which each daemon and extension works next, from now on.
    package func readFuture(_ core: inout PhoneCore) {
        for index in core.daemons.indices {
            let id = AppID(core.apps.count + index)
            if let next = core.engine.time(of: Slots.app(id, .daemon)) { core.setNextOpen(of: id, to: next) }
        }
    }
}
