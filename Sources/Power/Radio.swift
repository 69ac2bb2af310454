// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// One radio: idle, promotion, active, tail stages, idle.
///
/// The tail belongs to all and is extended, never stacked. Transfers are served one after the other at the full rate, in
/// the order in which they came, so that the end of each is known when it begins.
struct Radio: ~Copyable {

    struct Transfer {
        var duration = SimDuration.zero
        var power = 0.0
        var app = AppID.system
        var cause = Cause.idle
    }

    /// Apps remembered for an equal split; later ones of the same burst are not.
    private static let mostUsers = 32

    let figures: RadioFigures
    let interface: Interface
    let component: Component
    let tails: TailAttribution
    private(set) var phase = RadioPhase.off
    private(set) var power = 0.0
    private(set) var deadline = SimTime.distantFuture
    private(set) var promotions = 0
    private(set) var received = ByteCount.zero
    private(set) var sent = ByteCount.zero
    /// Joules of tails behind traffic that the user looked at.
    private(set) var foregroundTail = 0.0
    private var since = SimTime.zero
    private var app = AppID.system
    private var cause = Cause.idle
    private var scope = Scope.idle
    private var backlogEnd = SimTime.zero
    private var stage = 0
    private let users: UnsafeMutablePointer<AppID>
    private var userCount = 0
    private var queue: UnsafeMutablePointer<Transfer>
    private var queueCapacity = 16
    private var queueHead = 0
    private var queueCount = 0

    init(_ parameters: RadioParameters, interface: Interface, tails: TailAttribution) {
        figures = RadioFigures(parameters)
        self.interface = interface
        component = interface.component
        self.tails = tails
        users = .allocate(capacity: Self.mostUsers)
        users.initialize(repeating: .system, count: Self.mostUsers)
        queue = .allocate(capacity: queueCapacity)
        queue.initialize(repeating: Transfer(), count: queueCapacity)
    }

    deinit {
        users.deallocate()
        queue.deallocate()
    }

    /// Whether a transfer now would need no promotion.
    var isUp: Bool { phase == .active || phase == .tail || phase == .promotion }

    /// Books what was drawn since the last change.
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

    /// What it does now, and who pays.
    var status: RadioStatus {
        var status = RadioStatus()
        status.phase = phase
        status.power = .watts(power)
        status.app = app
        status.cause = cause
        return status
    }

    /// What an app has used since the last change and is not booked yet.
    func unbooked(_ user: AppID, _ side: Scope, at now: SimTime) -> Double {
        guard scope == side else { return 0 }
        let joules = power * (now - since).seconds
        guard phase == .tail, tails == .equalSplit, userCount > 1 else { return app == user ? joules : 0 }
        for index in 0..<userCount where users[index] == user { return joules / Double(userCount) }
        return 0
    }

    /// Queues a transfer and returns when its last byte will have passed; never while the radio is off.
    mutating func begin(
        _ transfer: Transfer, down: ByteCount, up: ByteCount, at now: SimTime, into ledger: borrowing Ledger
    ) -> SimTime {
        if phase == .off { return .distantFuture }
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
            push(transfer)
            backlogEnd = now
            activate(at: now, into: ledger)
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
            if queueCount > 0 { activate(at: now, into: ledger) } else { enterTail(0, at: now, into: ledger) }
        case .tail:
            if stage + 1 < figures.stageCount {
                enterTail(stage + 1, at: now, into: ledger)
            } else {
                enterIdle(at: now, into: ledger)
            }
        }
    }

    /// Off: for a phone that is dead or set so, or looking for a network of its kind.
    mutating func switchOff(searching: Bool = false, at now: SimTime, into ledger: borrowing Ledger) {
        book(at: now, into: ledger)
        queueCount = 0
        set(.off, power: searching ? figures.searchPower : 0, until: .distantFuture)
        account(.system, .idle, .idle)
    }

    /// On, idle; whether it was off before.
    mutating func switchOn(at now: SimTime, into ledger: borrowing Ledger) -> Bool {
        guard phase == .off else { return false }
        enterIdle(at: now, into: ledger)
        return true
    }

    private mutating func promote(
        for transfer: Transfer, time: SimDuration, at now: SimTime, into ledger: borrowing Ledger
    ) {
        push(transfer)
        if time == .zero {
            backlogEnd = now
            activate(at: now, into: ledger)
            return
        }
        book(at: now, into: ledger)
        backlogEnd = now + time
        set(.promotion, power: figures.promotionPower, until: backlogEnd)
        account(transfer.app, transfer.cause, transfer.cause.scope)
    }

    private mutating func activate(at now: SimTime, into ledger: borrowing Ledger) {
        book(at: now, into: ledger)
        let transfer = pop()
        set(.active, power: transfer.power, until: now + transfer.duration)
        account(transfer.app, transfer.cause, transfer.cause.scope)
    }

    private mutating func enterTail(_ stage: Int, at now: SimTime, into ledger: borrowing Ledger) {
        if stage >= figures.stageCount { return enterIdle(at: now, into: ledger) }
        book(at: now, into: ledger)
        self.stage = stage
        let tail = figures[stage]
        set(.tail, power: tail.power, until: now + tail.duration)
        cause = .tail
    }

    private mutating func enterIdle(at now: SimTime, into ledger: borrowing Ledger) {
        book(at: now, into: ledger)
        set(.idle, power: figures.idlePower, until: .distantFuture)
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
