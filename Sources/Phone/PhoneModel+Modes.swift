import Background
import EventKernel
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary
import Workload

// Calls hold an app running without a clock; moving about and accessories run apps for a moment (Apple, App Programming
// Guide for iOS, "Background Execution").
extension PhoneModel {
    // MARK: Location

    /// Enters the user's next movement, if any app follows it.
    mutating func scheduleMovement() {
        guard !followers.isEmpty else { return }
        while movements.next == movements.day.count {
            movements.next = 0
            guard movements.schedule.nextDay(into: &movements.day) else { return }
        }
        agenda.add(.movement, .system, at: movements.day[movements.next])
    }

    /// The apps that follow the location.
    static func followers(among apps: [AppModel]) -> [AppID] {
        apps.indices.filter { apps[$0].traits.followsLocation }.map { AppID($0) }
    }

    /// Apps that follow the location hear that the user has moved.
    mutating func userMoved(in engine: inout PhoneEngine) {
        movements.next += 1
        scheduleMovement()
        guard !power.isDead else { return }
        let limit = device.modes.eventRuntime
        for app in followers {
            guard device.modes.locationOutlivesForceQuit || !requests.isForceQuit(app) else { continue }
            wakeApp(app, for: .location, sent: engine.now, limit: limit, in: &engine)
        }
    }

    // MARK: Modes

    /// A mode begins, or goes on until a later instant; an app that does not run is launched for it.
    mutating func begin(_ mode: Mode, _ app: AppID, until: SimTime, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        guard modes[index].mode == .none else {
            modes[index].until = max(modes[index].until, until)
            return
        }
        catchUp(in: &engine)
        bringUpInBackground(app, in: &engine)
        guard processes.isAlive(app) else { return }
        modes[index].mode = mode
        modes[index].began = now
        modes[index].until = until
        modes[index].token &+= 1
        modes[index].holdsAwake = true
        power.holdAwake(app: app, cause: .backgroundTask, at: now)
        let load = power.processor.workPower * device.modes.callLoad
        modes[index].processor = power.startLoad(.processor, load, app: app, cause: .backgroundTask, at: now)
        modes[index].parts = power.startActivity(.call, app: app, cause: .backgroundTask, at: now)
        record(.modeBegin, app, from: processes.state(of: app), to: processes.state(of: app), at: now)
        if processes.state(of: app) == .background {
            processes.setBand(of: app, to: device.os.audioBand, at: now)
        }
        agenda.add(.modeEnd, app, at: until)
        agenda.add(.modePiece, app, at: now, token: modes[index].token)
    }

    /// An app that is suspended or gone runs in the background from now on.
    private mutating func bringUpInBackground(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        let old = processes.state(of: app)
        guard !old.executes else { return }
        var kind = LaunchKind.resume
        if old == .notRunning {
            kind = processes.launch(app, foreground: false, footprint: apps[index].backgroundFootprint, at: now)
            let time = kind == .cold ? apps[index].coldLaunchTime : apps[index].warmLaunchTime
            let energy = power.processor.launchPower * (time + apps[index].sdkLaunchTime)
            power.addEnergy(.processor, energy, app: app, cause: .backgroundTask, at: now)
        } else {
            processes.resume(app, foreground: false, at: now)
        }
        record(.launch, app, from: old, to: .background, kind: kind, at: now)
        counts.eventLaunches += 1
        hourRow.backgroundLaunches += 1
    }

    /// The next piece of what a call moves over the network.
    mutating func moveModePiece(_ app: AppID, token: UInt32, in engine: inout PhoneEngine) {
        let mode = modes[Int(app.index)]
        let figures = device.modes
        guard mode.mode == .call, mode.token == token, engine.now < mode.until else { return }
        agenda.add(.modePiece, app, at: engine.now + figures.callPiece, token: token)
        move(figures.callRate, for: figures.callPiece, bothWays: true, app, .backgroundTask, at: engine.now)
    }

    /// Music that goes on in the background fetches what is not on the phone.
    mutating func fetchMusic(_ app: AppID, in engine: inout PhoneEngine) {
        let figures = device.modes
        guard figures.musicStreamedShare > 0, let until = continuesUntil(app), until > engine.now else { return }
        agenda.add(.musicPiece, app, at: engine.now + figures.musicPiece)
        power.wakeBriefly(app: app, cause: .playback, at: engine.now)
        let length = figures.musicPiece * figures.musicStreamedShare
        move(figures.musicRate, for: length, bothWays: false, app, .playback, at: engine.now)
    }

    private mutating func move(
        _ rate: DataRate, for length: SimDuration, bothWays: Bool, _ app: AppID, _ cause: Cause, at now: SimTime
    ) {
        guard !power.isDead, let interface = power.interface else { return }
        let bytes = ByteCount(Int64(rate.bitsPerSecond / 8 * length.seconds))
        let up = bothWays ? bytes : .zero
        _ = power.beginTransfer(interface, down: bytes, up: up, app: app, cause: cause, at: now)
        countBytes(bytes + up, interface)
    }

    /// The user may have stopped a mode: it may also have been started anew or taken longer.
    mutating func modeMayEnd(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        guard modes[index].mode != .none else { return }
        guard modes[index].until <= engine.now else {
            agenda.add(.modeEnd, app, at: modes[index].until)
            return
        }
        endMode(app, in: &engine)
    }

    /// Ends a mode; its app gets the usual grace and is suspended.
    mutating func endMode(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let now = engine.now
        guard modes[index].mode != .none else { return }
        let run = modes[index]
        modes[index] = ModeRun(token: run.token)
        countHeld(app, run, at: now)
        power.stopLoad(run.processor, at: now)
        power.stopActivity(run.parts, at: now)
        if run.holdsAwake { power.releaseAwake(at: now) }
        record(.modeEnd, app, from: processes.state(of: app), to: processes.state(of: app), at: now)
        if processes.isAlive(app), processes.state(of: app) == .background {
            processes.setBand(of: app, to: device.os.workingBand, at: now)
        }
        suspendIfIdle(app, in: &engine)
    }

    private mutating func countHeld(_ app: AppID, _ run: ModeRun, at now: SimTime) {
        let seconds = (now - run.began).seconds
        counts.heldSeconds += seconds
        if now < run.until { counts.modesCut += 1 }
        if tables.contains(.appDays) { dayRows[Int(app.index)].heldSeconds += seconds }
    }

    // MARK: Accessories

    /// Enters the next event of an app's accessory.
    mutating func scheduleAccessory(_ app: AppID) {
        let rate = apps[Int(app.index)].traits.bluetoothEventsPerDay
        guard rate > 0 else { return }
        let gap = SimDuration.days(accessoryStreams[Int(app.index)].exponential(mean: 1 / rate))
        agenda.add(.accessory, app, at: conditions.now + gap)
    }

    /// An accessory has something for its app, unless the user force-quit it (Apple, Core Bluetooth Programming Guide:
    /// state restoration ends with it).
    mutating func accessoryCalls(_ app: AppID, in engine: inout PhoneEngine) {
        scheduleAccessory(app)
        guard !power.isDead, !requests.isForceQuit(app) else { return }
        wakeApp(app, for: .accessory, sent: engine.now, limit: device.modes.eventRuntime, in: &engine)
    }

    // MARK: Calls

    /// The next VoIP push of an app is sent; without a network it is lost, as the call would be.
    mutating func callArrives(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let plan = CallPlan(
            isReported: callStreams[index].uniform() < apps[index].traits.reportsCalls,
            isAnswered: callStreams[index].uniform() < device.background.pushes.answeredShare,
            talk: .seconds(specification.persona.interruption.draw(&callStreams[index])))
        scheduleCall(app)
        arrivals.add(at: engine.now, (1 << 41) + index)
        guard !power.isDead, power.interface != nil, callMisses[index] < device.background.pushes.missesUntilBan else {
            counts.callsMissed += 1
            return
        }
        receive(app, at: engine.now)
        calls[index] = plan
        let limit = device.background.pushes.callRuntime
        wakeApp(app, for: .call, sent: engine.now, limit: limit, in: &engine)
    }

    /// Enters the next call of an app.
    mutating func scheduleCall(_ app: AppID) {
        let rate = apps[Int(app.index)].traits.callsPerDay
        guard rate > 0 else { return }
        let gap = SimDuration.days(callStreams[Int(app.index)].exponential(mean: 1 / rate))
        agenda.add(.call, app, at: conditions.now + gap)
    }

    /// An app woken by a VoIP push reports its call, or the system ends it and, after a few such, launches it no more.
    mutating func answerPush(_ app: AppID, in engine: inout PhoneEngine) {
        let index = Int(app.index)
        let plan = calls[index]
        endWake(app, plan.isReported ? .success : .failed, in: &engine)
        guard plan.isReported else {
            callMisses[index] += 1
            counts.callsMissed += 1
            // The system's code for it is 0xbaadca11 (Apple, "Understanding the exception types in a crash report").
            if app != foreground { exitProcess(app, .abnormal, in: &engine) }
            return
        }
        callMisses[index] = 0
        let until = engine.now + (plan.isAnswered ? plan.talk : device.background.pushes.ringTime)
        begin(.call, app, until: until, in: &engine)
    }
}
