import Background
import EventKernel
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary
import Workload

extension PhoneModel {
    // MARK: Battery and charger

    mutating func batteryReached(_ event: BatteryEvent, in engine: inout PhoneEngine) {
        switch event {
        case .died: die(in: &engine)
        case .revived: revive(in: &engine)
        default: levelChanged(event, in: &engine)
        }
    }

    /// Every step of 1 %: Low Power Mode, an open offer to charge, thresholds.
    private mutating func levelChanged(_ event: BatteryEvent, in engine: inout PhoneEngine) {
        let level = power.level(at: engine.now)
        let before = lastLevel
        lastLevel = level
        conditions.batteryLevel = level
        counts.below20.set(level < 0.20 ? 1 : 0, at: engine.now)
        noteCharge(event, at: engine.now)
        followBattery(at: engine.now)
        // Offered at 20 % and, if declined, again at 10 %.
        let offer = device.habits.lowPowerBelow
        let crossed = before > offer && level <= offer || before > offer / 2 && level <= offer / 2
        if crossed, !conditions.pluggedIn, !conditions.lowPowerMode {
            setLowPowerMode(deviceStream.bernoulli(specification.persona.charging.acceptsLowPowerMode), in: &engine)
        }
        let enough = device.habits.lowPowerUntil - 1e-9
        if conditions.lowPowerMode, conditions.pluggedIn, before < enough, level >= enough {
            setLowPowerMode(false, in: &engine)
        }
        if before < device.background.criticalLevel, level >= device.background.criticalLevel {
            raised.insert(.batteryRecovered)
        }
        takeOffer(in: &engine)
    }

    /// The user switches it, here or where it is offered, or enough charge ends it.
    mutating func setLowPowerMode(_ on: Bool, in engine: inout PhoneEngine) {
        guard on != conditions.lowPowerMode else { return }
        conditions.lowPowerMode = on
        counts.lowPower.set(on ? 1 : 0, at: engine.now)
        hourHeat.lowPower.set(on ? 1 : 0, at: engine.now)
        followLimits(at: engine.now)
        if !on { raised.insert(.lowPowerModeEnded) }
    }

    /// The phone is on its charger until somebody unplugs it; a top-up under way becomes part of this charge.
    mutating func plugIn(watts: Double, in engine: inout PhoneEngine) {
        engine.cancel(Slots.device(.topUpEnds))
        guard !conditions.pluggedIn else { return }
        beginCharge(watts: watts, in: &engine)
        conditions.pluggedIn = true
        hourHeat.plugged.set(1, at: engine.now)
        raised.insert(.pluggedIn)
    }

    mutating func unplug(in engine: inout PhoneEngine) {
        offer = nil
        engine.cancel(Slots.device(.topUpEnds))
        guard conditions.pluggedIn else { return }
        endCharge(in: &engine)
        power.unplug(at: engine.now)
        conditions.pluggedIn = false
        hourHeat.plugged.set(0, at: engine.now)
        conditions.unpluggedSince = engine.now
    }

    /// "From now until then, plug in if the battery shows at most this": whether it happens depends on the level.
    mutating func offerCharge(_ intent: Intent, in engine: inout PhoneEngine) {
        offer = intent
        takeOffer(in: &engine)
    }

    private mutating func takeOffer(in engine: inout PhoneEngine) {
        guard let open = offer else { return }
        if engine.now > open.until {
            offer = nil
            return
        }
        guard !conditions.pluggedIn, power.level(at: engine.now) <= open.value else { return }
        plugIn(watts: open.watts, in: &engine)
        let length = open.duration > .zero ? open.duration : open.until - engine.now
        engine.schedule(Slots.device(.topUpEnds), after: length, class: EventClass.intent)
        offer = nil
    }

    /// The battery is empty: everything stops, processes are gone, the user's visits are missed until it revives.
    private mutating func die(in engine: inout PhoneEngine) {
        let now = engine.now
        counts.dead.set(1, at: now)
        stopSystem(in: &engine)
        if counts.firstDeath == nil { counts.firstDeath = now }
        let visible = foreground
        if visible != .system {
            endVisit(visible, at: now)
            engine.cancel(Slots.app(visible, .stream))
            engine.cancel(Slots.app(visible, .home))
        }
        foreground = .system
        frontLoads = .none
        conditions.cameraOn = false
        continuing.removeAll(keepingCapacity: true)
        if conditions.screenOn { countScreen(until: now) }
        conditions.screenOn = false
        requests.noteScreen(on: false, at: now)
        conditions.locked = true
        hourHeat.locked.set(1, at: now)
        conditions.lockedSince = now
        loseTransferPieces(in: &engine)
        for index in apps.indices {
            cancelContinued(of: AppID(index), outcome: .failed, in: &engine)
            runtime[index].load = .none
            runtime[index].holdsAwake = false
            let app = AppID(index)
            if runtime[index].phase != .none { endWork(app, .failed, in: &engine) }
            if processes.isAlive(app) { exitProcess(app, .normal, in: &engine) }
        }
    }

    private mutating func revive(in engine: inout PhoneEngine) {
        counts.dead.set(0, at: engine.now)
        startSystem(in: &engine)
        power.setDisplay(on: false, brightness: 0, app: .system, at: engine.now)
        conditions.herdUntil = engine.now + device.background.herdWindow
        for index in apps.indices {
            let app = AppID(index)
            follow(requests.answerAfterBoot(app, .refresh, at: engine.now), app, .refresh, in: &engine)
            follow(requests.answerAfterBoot(app, .processing, at: engine.now), app, .processing, in: &engine)
        }
        deliverHeldPushes(at: engine.now)
        reconsiderPushes(in: &engine)
        reconsiderTransfers(in: &engine)
    }

    // MARK: Network

    mutating func networkChanged(to intent: Intent, in engine: inout PhoneEngine) {
        let network = Network(rawValue: UInt8(intent.value)) ?? .none
        let before = power.network
        power.setNetwork(network, at: engine.now)
        conditions.network = network
        moveTransfers(in: &engine)
        loseTransferPieces(in: &engine)
        if network == .wifi, before != .wifi { raised.insert(.wifiJoined) }
        if network == .none, before != .none { offlineSince = engine.now }
        if network != .none, before == .none {
            holdHerd(since: offlineSince, at: engine.now)
            raised.insert(.networkAppeared)
            deliverHeldPushes(at: engine.now)
        }
    }

    /// After a long absence of the user or of the network, everybody's work is due at once: launches are held back.
    mutating func holdHerd(since: SimTime, at now: SimTime) {
        guard now - since >= device.background.longAbsence else { return }
        let window = conditions.screenOn ? device.background.herdWindowInUse : device.background.herdWindow
        conditions.herdUntil = max(conditions.herdUntil, now + window)
    }

    /// Brings the parts of the conditions up to date that change without an event of their own.
    mutating func refreshConditions(at now: SimTime) {
        conditions.now = now
        conditions.batteryLevel = power.level(at: now)
        conditions.radioIsUp = power.radioIsUp
        conditions.pressure = processes.pressure
        conditions.processorBusy = processorBusy
    }

    /// Share of the processor that is busy: the app on screen and background work, one core each.
    private var processorBusy: Double {
        let visible = foreground == .system ? 0 : apps[Int(foreground.index)].foregroundLoad
        return min(1, (visible + Double(running.count)) / device.background.processorCores)
    }

    mutating func pressureChanged(in engine: inout PhoneEngine) {
        let before = conditions.pressure
        conditions.pressure = processes.pressure
        counts.pressureWarning.set(processes.pressure > .normal ? 1 : 0, at: engine.now)
        if processes.pressure < before { raised.insert(.pressureFell) }
        if processes.pressure == .critical { shedContinued(in: &engine) }
    }
}
