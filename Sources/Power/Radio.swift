// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// One radio: idle, promotion, active, tail stages, idle.
///
/// All transfers share one tail; a transfer extends this tail and adds no second one. Transfers are served one after
/// the other at the full rate, in order of arrival. The end of each transfer is therefore known when it begins.
struct Radio: ~Copyable {

    struct Transfer {
        var duration = SimDuration.zero
        var power = 0.0
        var app = AppID.system
        var cause = Cause.idle
    }

    /// Largest number of apps that share a tail equally; later apps of the same burst take no part.
    private static let mostUsers = 32

    private(set) var figures: RadioFigures
    private let own: RadioFigures
    /// The fallback technology, and whether to use it; an active radio changes when it is idle again.
    private let fallback: RadioFigures?
    private(set) var fallsBack: Bool
    /// Whether `figures` belong to the fallback.
    private var hasFallenBack: Bool
    let interface: Interface
    let component: Component
    let tails: TailAttribution
    /// Factors of the signal on the power of sending and on both rates, relative to the figures.
    private(set) var sendFactor = 1.0
    private(set) var rateFactor = 1.0
    private var weakness: Double
    private let usualSignal: SignalLevel
    private(set) var phase: RadioPhase
    private(set) var power: Double
    private(set) var deadline: SimTime
    /// The deadline at which the radio will be called, as last read.
    var armed: SimTime
    private(set) var promotions: Int
    private(set) var received: ByteCount
    private(set) var sent: ByteCount
    /// Joules of tails after traffic of the app on screen.
    private(set) var foregroundTail: Double
    /// Joules booked at once so far, for joining networks and for switches to 5G.
    var joining: Double
    var switching: Double
    private var since: SimTime
    private var app: AppID
    private var cause: Cause
    private var scope: Scope
    private var backlogEnd: SimTime
    /// Until when the receiver stays awake after the last byte, regardless of the first stage of the tail.
    private var listensUntil: SimTime
    private var stage: Int
    private let users: UnsafeMutablePointer<AppID>
    private var userCount: Int
    private var queue: UnsafeMutablePointer<Transfer>
    private var queueCapacity: Int
    private var queueHead: Int
    private var queueCount: Int

    init(
        _ parameters: RadioParameters, fallback: RadioParameters? = nil, interface: Interface, tails: TailAttribution
    ) {
        phase = RadioPhase.off
        power = 0.0
        deadline = SimTime.distantFuture
        armed = SimTime.distantFuture
        promotions = 0
        received = ByteCount.zero
        sent = ByteCount.zero
        foregroundTail = 0.0
        joining = 0.0
        switching = 0.0
        since = SimTime.zero
        app = AppID.system
        cause = Cause.idle
        scope = Scope.idle
        backlogEnd = SimTime.zero
        listensUntil = SimTime.zero
        stage = 0
        userCount = 0
        queueCapacity = 16
        queueHead = 0
        queueCount = 0
        figures = RadioFigures(parameters)
        own = figures
        self.fallback = fallback.map(RadioFigures.init)
        fallsBack = false
        hasFallenBack = false
        usualSignal = parameters.signal
        weakness = usualSignal.weakness
        self.interface = interface
        component = interface.component
        self.tails = tails
        users = .allocate(capacity: Self.mostUsers)
        users.initialize(repeating: .system, count: Self.mostUsers)
        queue = .allocate(capacity: queueCapacity)
        queue.initialize(repeating: Transfer(), count: queueCapacity)
    }

    /// Copies a radio with its open transfers.
    init(copying other: borrowing Radio) {
        figures = other.figures
        own = other.own
        fallback = other.fallback
        fallsBack = other.fallsBack
        hasFallenBack = other.hasFallenBack
        interface = other.interface
        component = other.component
        tails = other.tails
        sendFactor = other.sendFactor
        rateFactor = other.rateFactor
        weakness = other.weakness
        usualSignal = other.usualSignal
        phase = other.phase
        power = other.power
        deadline = other.deadline
        armed = other.armed
        promotions = other.promotions
        received = other.received
        sent = other.sent
        foregroundTail = other.foregroundTail
        joining = other.joining
        switching = other.switching
        since = other.since
        app = other.app
        cause = other.cause
        scope = other.scope
        backlogEnd = other.backlogEnd
        listensUntil = other.listensUntil
        stage = other.stage
        users = .allocate(capacity: Self.mostUsers)
        users.initialize(from: other.users, count: Self.mostUsers)
        userCount = other.userCount
        queue = .allocate(capacity: other.queueCapacity)
        queue.initialize(from: other.queue, count: other.queueCapacity)
        queueCapacity = other.queueCapacity
        queueHead = other.queueHead
        queueCount = other.queueCount
    }

    deinit {
        users.deallocate()
        queue.deallocate()
    }

    /// Watts that the radio draws for no app: standby, or the search for a network.
    var idlePower: Double { cause == .idle ? power : 0 }

    /// Sets a signal that overrides the signal of the figures; transfers that have begun keep their rate.
    mutating func setSignal(_ level: SignalLevel, at now: SimTime, into ledger: borrowing Ledger) {
        sendFactor = level.sendFactor / usualSignal.sendFactor
        rateFactor = level.rateFactor / usualSignal.rateFactor
        weakness = level.weakness
        if phase == .idle { enterIdle(at: now, into: ledger) }
    }

    /// Watts that the radio draws while it waits at the present signal.
    var standbyPower: Double { PowerSystem.quantised(.watts(figures.idlePower + weakness * figures.weakSignalPower)) }

    /// Sets whether the radio falls back to the older technology.
    mutating func setFallsBack(_ isOn: Bool, at now: SimTime, into ledger: borrowing Ledger) {
        guard isOn != fallsBack, fallback != nil else { return }
        fallsBack = isOn
        if phase == .off { changeTechnology() }
        if phase == .idle { enterIdle(at: now, into: ledger) }
    }

    /// Books the energy drawn since the last change.
    mutating func book(at now: SimTime, into ledger: borrowing Ledger) {
        let joules = power * (now - since).seconds
        since = now
        if phase == .tail, scope == .foreground { foregroundTail += joules }
        if phase == .tail, tails == .equalSplit, userCount > 1 {
            let part = joules / Double(userCount)
            for user in 0..<userCount { ledger.book(part, component, cause, scope, users[user]) }
        } else if joules != 0 {
            ledger.book(joules, component, cause, scope, app)
        }
    }

    /// The present phase, power and payer of the radio.
    var status: RadioStatus {
        var status = RadioStatus()
        status.phase = phase
        status.power = .watts(power)
        status.app = app
        status.cause = cause
        status.joining = .joules(joining)
        status.switching = .joules(switching)
        return status
    }

    /// Joules that an app has used since the last change and that are not booked yet.
    func unbooked(_ user: AppID, _ side: Scope, at now: SimTime) -> Double {
        guard scope == side else { return 0 }
        let joules = power * (now - since).seconds
        guard phase == .tail, tails == .equalSplit, userCount > 1 else { return app == user ? joules : 0 }
        for index in 0..<userCount where users[index] == user { return joules / Double(userCount) }
        return 0
    }

    /// Queues a transfer and returns the instant of its last byte; the distant future while the radio is off.
    ///
    /// The receiver stays awake for `listening` from now, because more of the same data is expected.
    mutating func begin(
        _ transfer: Transfer, down: ByteCount, up: ByteCount, listening: SimDuration, at now: SimTime,
        into ledger: borrowing Ledger
    ) -> SimTime {
        if phase == .off { return .distantFuture }
        listensUntil = max(listensUntil, now + listening)
        received += down
        sent += up
        switch phase {
        case .off: break
        case .idle:
            userCount = 0
            promotions += 1
            promote(for: transfer, time: figures.promotionTime, at: now, into: ledger)
        case .tail where figures[stage].resumeTime > .zero:
            promote(for: transfer, time: figures[stage].resumeTime, at: now, into: ledger)
        case .tail:
            backlogEnd = now
            activate(transfer, at: now, into: ledger)
        case .promotion, .active: push(transfer)
        }
        backlogEnd += transfer.duration
        remember(transfer.app)
        return backlogEnd
    }

    /// Goes on to the next phase at the deadline.
    mutating func timerFired(at now: SimTime, into ledger: borrowing Ledger) {
        switch phase {
        case .off, .idle: break
        case .promotion, .active:
            if queueCount > 0 { activate(pop(), at: now, into: ledger) } else { enterTail(0, at: now, into: ledger) }
        case .tail:
            if stage + 1 < figures.stageCount {
                enterTail(stage + 1, at: now, into: ledger)
            } else {
                enterIdle(at: now, into: ledger)
            }
        }
    }

    /// Switches the radio off, because the phone is off or a setting demands it, or lets it look for a network of its
    /// kind.
    mutating func switchOff(searching: Bool = false, at now: SimTime, into ledger: borrowing Ledger) {
        book(at: now, into: ledger)
        queueCount = 0
        listensUntil = .zero
        set(.off, power: searching ? figures.searchPower : 0, until: .distantFuture)
        account(.system, .idle, .idle)
    }

    /// Switches the radio on, idle; returns whether it was off before.
    mutating func switchOn(at now: SimTime, into ledger: borrowing Ledger) -> Bool {
        guard phase == .off else { return false }
        enterIdle(at: now, into: ledger)
        return true
    }

    private mutating func promote(
        for transfer: Transfer, time: SimDuration, at now: SimTime, into ledger: borrowing Ledger
    ) {
        if time == .zero {
            backlogEnd = now
            activate(transfer, at: now, into: ledger)
            return
        }
        push(transfer)
        book(at: now, into: ledger)
        backlogEnd = now + time
        set(.promotion, power: figures.promotionPower, until: backlogEnd)
        account(transfer.app, transfer.cause, transfer.cause.scope)
    }

    private mutating func activate(_ transfer: Transfer, at now: SimTime, into ledger: borrowing Ledger) {
        book(at: now, into: ledger)
        set(.active, power: transfer.power, until: now + transfer.duration)
        account(transfer.app, transfer.cause, transfer.cause.scope)
    }

    private mutating func enterTail(_ stage: Int, at now: SimTime, into ledger: borrowing Ledger) {
        if stage >= figures.stageCount { return enterIdle(at: now, into: ledger) }
        book(at: now, into: ledger)
        self.stage = stage
        let tail = figures[stage]
        let end = now + tail.duration
        set(.tail, power: tail.power, until: stage == 0 ? max(end, listensUntil) : end)
        cause = .tail
    }

    @inline(never)
    private mutating func changeTechnology() {
        guard let fallback else { return }
        figures = fallsBack ? fallback : own
        hasFallenBack = fallsBack
    }

    private mutating func enterIdle(at now: SimTime, into ledger: borrowing Ledger) {
        book(at: now, into: ledger)
        if fallsBack != hasFallenBack { changeTechnology() }
        set(.idle, power: standbyPower, until: .distantFuture)
        account(.system, .idle, .idle)
    }

    private mutating func set(_ phase: RadioPhase, power: Double, until deadline: SimTime) {
        self.phase = phase
        self.power = power
        self.deadline = deadline
    }

    private mutating func account(_ app: AppID, _ cause: Cause, _ scope: Scope) {
        self.app = app
        self.cause = cause
        self.scope = scope
    }

    private mutating func remember(_ app: AppID) {
        guard tails == .equalSplit, userCount < Self.mostUsers else { return }
        for user in 0..<userCount where users[user] == app { return }
        users[userCount] = app
        userCount += 1
    }

    private mutating func push(_ transfer: Transfer) {
        if queueCount == queueCapacity { growQueue() }
        queue[(queueHead + queueCount) % queueCapacity] = transfer
        queueCount += 1
    }

    private mutating func pop() -> Transfer {
        let transfer = queue[queueHead]
        queueHead = (queueHead + 1) % queueCapacity
        queueCount -= 1
        return transfer
    }

    private mutating func growQueue() {
        let larger = UnsafeMutablePointer<Transfer>.allocate(capacity: queueCapacity * 2)
        larger.initialize(repeating: Transfer(), count: queueCapacity * 2)
        for index in 0..<queueCount { larger[index] = queue[(queueHead + index) % queueCapacity] }
        queue.deallocate()
        queue = larger
        queueHead = 0
        queueCapacity *= 2
    }
}
