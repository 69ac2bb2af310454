import Background
import EventKernel
import Power
import Processes
import Quantities
import Vocabulary
import Workload

extension PhoneModel {
    typealias PhoneEngine = Engine<TimingWheel>

    mutating func handle(_ slot: Int, in engine: inout Engine<TimingWheel>) {
        let entity = Slots.layout.entity(of: slot)
        let kind = Slots.layout.kind(of: slot)
        conditions.now = engine.now
        if entity == 0 {
            if let timer = DeviceTimer(rawValue: kind) { handle(timer, in: &engine) }
        } else if let timer = AppTimer(rawValue: kind) {
            handle(timer, of: AppID(entity - 1), in: &engine)
        }
        settle(in: &engine)
    }

    private mutating func handle(_ timer: DeviceTimer, in engine: inout PhoneEngine) {
        let now = engine.now
        switch timer {
        case .intent: handleIntent(in: &engine)
        case .battery:
            armed.battery = .distantFuture
            batteryReached(power.batteryEventReached(at: now), in: &engine)
            if conditions.thermalLevel != power.thermalState.rawValue { thermalStateChanged(in: &engine) }
        case .wifi:
            armed.wifi = .distantFuture
            power.radioTimerFired(.wifi, at: now)
        case .cellular:
            armed.cellular = .distantFuture
            power.radioTimerFired(.cellular, at: now)
        case .aging:
            armed.aging = .distantFuture
            processes.age(at: now)
        case .hour: endHour(in: &engine)
        case .warmup: endWarmup(at: now)
        case .topUpEnds: unplug(in: &engine)
        case .chargeResumes: resumeCharge(at: now)
        case .agenda:
            armed.agenda = .distantFuture
            runErrands(in: &engine)
        }
    }

    private mutating func handle(_ timer: AppTimer, of app: AppID, in engine: inout PhoneEngine) {
        switch timer {
        case .lifeCycle: lifeCycleTimer(app, in: &engine)
        case .work: workTimer(app, in: &engine)
        case .refresh: consider(app, .refresh, in: &engine)
        case .processing: consider(app, .processing, in: &engine)
        case .push: pushArrived(app, in: &engine)
        case .wantProcessing: wantProcessing(app, in: &engine)
        case .stream: streamNext(app, in: &engine)
        case .silentPush: silentPushArrived(app, in: &engine)
        case .wake: wakeTimer(app, in: &engine)
        case .home: if app == foreground { leaveForeground(in: &engine) }
        case .system: systemTimer(Int(app.index) - apps.count, in: &engine)
        }
    }

    /// Sets everything going at time zero.
    mutating func start(in engine: inout PhoneEngine) {
        if specification.warmup > .zero {
            engine.schedule(Slots.device(.warmup), at: warmupEnd, class: EventClass.counting)
        } else {
            endWarmup(at: .zero)
        }
        power.setNetwork(.none, at: .zero)
        power.setDisplay(on: false, brightness: 0, app: .system, at: .zero)
        startSystem(in: &engine)
        followBattery(at: .zero)
        startForecast()
        loadIntents(in: &engine)
        engine.schedule(Slots.device(.hour), at: .zero + .hour, class: EventClass.counting)
        for index in apps.indices {
            let app = AppID(index)
            runtime[index].nextContent = content[index].next()
            engine.schedule(Slots.app(app, .push), at: pushes[index].next(), class: EventClass.push)
            engine.schedule(Slots.app(app, .silentPush), at: silentPushes[index].next(), class: EventClass.push)
            scheduleProcessing(app, in: &engine)
            if refreshes(index) { submitRefresh(app, in: &engine) }
            scheduleCall(app)
            scheduleAccessory(app)
            scheduleTransferWish(app)
        }
        scheduleMovement()
        startWidgets()
        startConnections()
        settle(in: &engine)
    }

    /// Carries what an event did to the other parts and to the event queue.
    mutating func settle(in engine: inout PhoneEngine) {
        settleDeaths(in: &engine)
        if conditions.pressure != processes.pressure { pressureChanged(in: &engine) }
        if power.radioIsUp != radioWasUp {
            radioWasUp.toggle()
            if radioWasUp { raised.insert(.radioUp) }
        }
        while raised != [] {
            let change = ConditionChanges(rawValue: 1 << UInt16(raised.rawValue.trailingZeroBitCount))
            raised.remove(change)
            if !waitingPushes.isEmpty || !waitingTransfers.isEmpty { mayGo(change, in: &engine) }
            wake(change, in: &engine)
            settleDeaths(in: &engine)
        }
        if !processes.warnings.isEmpty { deliverWarnings() }
        if !processes.callbacks.isEmpty { writeCallbacks() }
        if !requests.unrun.isEmpty { settleUnrun() }
        let now = engine.now
        counts.residentApps.set(Double(processes.residentApps - liveSystem), at: now)
        arm(&armed.battery, power.nextBatteryEvent(), .battery, EventClass.battery, &engine)
        arm(&armed.wifi, power.radioDeadline(.wifi), .wifi, EventClass.radio, &engine)
        arm(&armed.cellular, power.radioDeadline(.cellular), .cellular, EventClass.radio, &engine)
        arm(&armed.aging, processes.nextAging, .aging, EventClass.lifeCycle, &engine)
        arm(&armed.agenda, agenda.nextTime, .agenda, EventClass.work, &engine)
        if !tables.isDisjoint(with: [.radio, .battery]) { recordPower(at: now) }
    }

    /// Lets the process table catch up with the clock before a process is moved, and deals with who died of that.
    ///
    /// Otherwise a process that ends and starts in one event would be taken for dead.
    mutating func catchUp(in engine: inout PhoneEngine) {
        processes.age(at: engine.now)
        if !processes.kills.isEmpty { settleDeaths(in: &engine) }
    }

    /// Deals with everybody who died; a death may open an app again, and that may kill the next.
    private mutating func settleDeaths(in engine: inout PhoneEngine) {
        guard !isSettlingDeaths else { return }
        isSettlingDeaths = true
        var next = 0
        while next < processes.kills.count {
            let kill = processes.kills[next]
            let candidates = processes.killCandidates.isEmpty ? [] : processes.killCandidates[next]
            next += 1
            processDied(kill, candidates, in: &engine)
        }
        if next > 0 { processes.clearKills() }
        isSettlingDeaths = false
    }
}

/// Schedules a device timer if its deadline moved.
@inline(__always)
private func arm(
    _ armed: inout SimTime, _ deadline: SimTime, _ timer: DeviceTimer, _ eventClass: UInt8,
    _ engine: inout Engine<TimingWheel>
) {
    guard armed != deadline else { return }
    armed = deadline
    engine.schedule(Slots.device(timer), at: max(deadline, engine.now), class: eventClass)
}
