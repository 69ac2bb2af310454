// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import Platform
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

/// Conditions of the device, and the effects of their changes on waiting work.
extension PhoneCore {
    /// Updates the conditions that change without an event.
    package mutating func refreshConditions() {
        conditions.now = now
        conditions.batteryLevel = power.level(at: now)
        conditions.radioIsUp = power.radioIsUp
        conditions.pressure = processes.currentPressure
        conditions.processorBusy = processorBusy
    }

    /// Android's standby bucket of an app; the method borrows the core, because a closure would copy the table.
    package borrowing func standbyBucket(of app: AppID) -> StandbyBucket { background.standbyBucket(of: app, at: now) }

    /// Share of the cores that the app on screen and the background tasks keep busy; each task counts as one core.
    private var processorBusy: Double {
        let visible = front.app == .system ? 0 : apps[Int(front.app.index)].foregroundLoad * effort(of: front.app)
        return min(1, (visible + Double(assertions.tasks.count)) / device.background.processorCores)
    }

    /// Holds back launches after a long absence of the user or the network, because much work is due at once.
    package mutating func holdHerd(since: SimTime) {
        guard now - since >= device.background.longAbsence else { return }
        let window = conditions.screenOn ? device.background.herdWindowInUse : device.background.herdWindow
        conditions.herdUntil = max(conditions.herdUntil, now + window)
    }

    /// Changes the network in use.
    package mutating func setNetwork(_ network: Network) {
        let before = power.network
        power.setNetwork(network, at: now)
        conditions.network = network
        post(.networkChanged(fromNone: before == .none))
        if network == .wifi, before != .wifi { raise(.wifiJoined) }
        if network == .none, before != .none { offlineSince = now }
        if network != .none, before == .none {
            holdHerd(since: offlineSince)
            raise(.networkAppeared)
        }
    }

    /// Charges the cost of receiving a push, which does not depend on the effects of the push.
    package mutating func receivePush(for app: AppID) {
        guard let interface = power.interface else { return }
        lastPushTraffic = now
        power.wakeBriefly(app: app, cause: .push, at: now)
        _ = power.beginTransfer(
            interface, down: device.habits.pushBytes, up: .zero, app: app, cause: .push, at: now)
        count(device.habits.pushBytes, interface, of: app)
    }

    /// Moves bytes for an app over the network in use, if any; returns the time of the last byte.
    ///
    /// The receiver stays awake for at least the time `listening` from now on.
    @discardableResult
    package mutating func transfer(
        down: ByteCount, up: ByteCount, rateFactor: Double = 1, listening: SimDuration = .zero, _ app: AppID,
        _ cause: Cause
    ) -> SimTime {
        guard let interface = power.interface else { return .distantFuture }
        count(down + up, interface, of: app)
        return power.beginTransfer(
            interface, down: down, up: up, rateFactor: rateFactor, listening: listening, app: app, cause: cause,
            at: now)
    }

    mutating func count(_ bytes: ByteCount, _ interface: Interface, of app: AppID) {
        measures.add(handles.traffic[Int(interface.rawValue)], of: app, Double(bytes.bytes))
        book.count(bytes, interface, of: app)
    }

    /// Factor on the usual rate of a network, calculated from a normal number: log-normal with median 1, limited to 0.2
    /// to 2.
    ///
    /// At the minimum, a stream of 4 Mbit/s still works.
    package func rateFactor(_ normal: Double) -> Double {
        min(max(exp(device.habits.rateSigma * normal), 0.2), 2)
    }

    /// Background energy of the app so far, for the rows of requests; zero if that table is not written.
    package func backgroundEnergy(of app: AppID) -> Double {
        guard book.recordsRequests else { return 0 }
        return power.energy(of: app, .background, at: now).joules
    }

    /// Finds changes that the event caused without a signal: memory pressure and radios.
    ///
    /// - Returns: Whether any signal or change is waiting to be routed.
    @discardableResult
    package mutating func noticeChanges() -> Bool {
        let pressure = processes.currentPressure
        if conditions.pressure != pressure { pressureMoved(to: pressure) }
        if power.radiosMayHaveMoved { noticeRadios() }
        return hasNews
    }

    @inline(never)
    private mutating func pressureMoved(to pressure: PressureLevel) {
        let before = conditions.pressure
        conditions.pressure = pressure
        measures.set(handles.pressure, pressure > .normal ? 1 : 0, at: now)
        book.hourShares.pressure.set(pressure > .normal ? 1 : 0, at: now)
        if pressure < before { raise(.pressureFell) }
        if pressure == .critical { post(.shed) }
    }

    @inline(never)
    private mutating func noticeRadios() {
        guard power.radioIsUp != radioWasUp else { return }
        radioWasUp.toggle()
        if radioWasUp { raise(.radioUp) }
    }

    /// Removes and returns the next change of the device that has not been routed yet; nil if there is none.
    package mutating func nextChange() -> ConditionChanges? {
        guard changes != [] else { return nil }
        let change = ConditionChanges(rawValue: 1 << UInt16(changes.rawValue.trailingZeroBitCount))
        changes.remove(change)
        return change
    }

    /// Counts resident apps, and schedules the next events of battery, radios and the process table.
    package mutating func finishEvent() {
        let resident = processes.residentApps - liveDaemons
        if resident != residentApps {
            residentApps = resident
            measures.set(handles.residentApps, Double(resident), at: now)
        }
        arm(&armed.battery, power.nextBatteryEvent(), .battery, EventClass.battery, &engine)
        if power.radiosMayHaveMoved { armRadios() }
        arm(&armed.aging, processes.nextAging, .aging, EventClass.lifeCycle, &engine)
        if book.recordsPower { recordPower() }
    }

    @inline(__always)
    private mutating func armRadios() {
        for index in 0..<power.radioCount {
            let radio = Interface(index)
            guard let deadline = power.movedDeadline(of: radio) else { continue }
            engine.schedule(Slots.device(.radio(radio)), at: max(deadline, now), class: EventClass.radio)
        }
        power.radiosMayHaveMoved = false
    }

    /// Records that a timer of the battery or of the process table fired, so that it is no longer armed.
    package mutating func disarm(_ timer: DeviceTimer) {
        switch timer {
        case .battery: armed.battery = .distantFuture
        case .aging: armed.aging = .distantFuture
        default: break
        }
    }

    /// Handles the timer of a radio's state machine; these are the only timers that belong to no behaviour.
    package mutating func radioTimer(_ timer: DeviceTimer) {
        guard let radio = timer.radio else { fatalError("no radio has the timer \(timer.number)") }
        power.radioTimerFired(radio, at: now)
    }
}

/// Schedules a device timer if its deadline has changed.
@inline(__always)
private func arm(
    _ armed: inout SimTime, _ deadline: SimTime, _ timer: DeviceTimer, _ eventClass: UInt8,
    _ engine: inout Engine<TimingWheel>
) {
    guard armed != deadline else { return }
    armed = deadline
    engine.schedule(Slots.device(timer), at: max(deadline, engine.now), class: eventClass)
}
