// SPDX-License-Identifier: GPL-3.0-or-later
// Background owns the requests of apps for background work. It contains the pending and running requests, the OS rules
// that apply under any policy, the changes that requests wait for, two daily budgets, and the prediction of app use.
// In: submissions, conditions of the device, opens, force quits, ends of work. Out: answers (start, wait until or for).
// It owns no clock and no process: the phone keeps the timers, starts the work and reports how it ended.
// Read first: `SystemRule.swift` (the OS's own rules), this file, `RequestTable+Decide.swift`, `UsePredictor.swift`.

import Quantities
import Vocabulary

/// The requests of all apps of a phone for background work.
///
/// Storage is one flat array with one row after the other; each row has one slot per app. Row 0 contains refreshes; all
/// other rows contain processing requests. A row is added when an app first needs it; nothing else allocates.
public struct RequestTable: Sendable {
    /// Properties of an app that the table needs, without strings.
    struct AppFacts: BitwiseCopyable {
        var refreshEnabled: Bool
        var healthResearch: Bool
        var mayRefresh: Bool
        var mayProcess: Bool
        var refreshBytes: ByteCount
        var refreshDuration: SimDuration
        var refreshHardware: WakeHardware
        var refreshIsExact: Bool
        var refreshIsExpedited: Bool
        var isUnrestricted: Bool
        /// Period of a repeating refresh; zero for an app without one.
        var repeatPeriod: SimDuration
        var processingDuration: SimDuration
    }

    /// State of one app and one kind of work.
    struct Lane: BitwiseCopyable {
        var lastRun = SimTime.zero
        /// Number of pending requests.
        var pending: Int32 = 0
        var isRunning = false
        /// Request of the running work, while `isRunning`.
        var running = RequestRecord()
        /// Amounts reserved for the running work.
        var reserved = BudgetShare()
        /// Number of runs in a row that reached their limit without completing.
        var misses: UInt8 = 0
        /// Instant until which the app gets no work because of its last runs without completion.
        var throttledUntil = SimTime.zero
    }

    /// Limits of the OS profile.
    public let parameters: BackgroundParameters
    /// Whether requests are checked exactly at their earliest begin, because the policy uses alarms.
    public private(set) var ringsAtFloor: Bool
    let facts: [AppFacts]
    /// The system's rules, by the kind of work to which they apply.
    let rules = SystemRules.ByKind()
    /// The changes of the device that lift a rule, for each rule.
    let lifting = SystemRule.allCases.map(\.facts.liftedBy)
    /// The rules that the policy declares itself.
    public private(set) var ownRules: [RuleText]
    var policy: any SchedulingPolicy
    /// Pending requests, row after row; in an empty slot, `submitted` is the distant future.
    var slots: [RequestRecord]
    var rowCount = 2
    /// Lanes by app and kind.
    var lanes: [Lane]
    var lastOpened: [SimTime]
    /// The user's next open of each app, for oracles; the distant future if not set.
    var nextOpens: [SimTime]
    var screen: ScreenHistory
    var forceQuitApps: [Bool]
    var waiting: WaitIndex
    var budgets: Budgets
    /// Whether the phone was started and has not been unlocked since.
    var awaitsFirstUnlock = false
    /// The waiter that `popWaiter` returned last, until it gets its answer; -1 if there is none.
    var woken = -1
    /// Whether the policy refused to start the waiter `woken`, so that later waiters need no check.
    var roundIsOver = false

    /// Number of decisions for each reason, by `RequestReason.index`.
    public internal(set) var counts = [Int](repeating: 0, count: RequestReason.count)
    /// Number of requests for each outcome, by `RequestOutcome.rawValue`.
    public internal(set) var outcomes = [Int](repeating: 0, count: RequestOutcome.allCases.count)
    /// Requests that ended without running since `clearUnrun`, in the order in which they ended.
    public internal(set) var unrun: [UnrunRequest] = []

    /// Creates a table without requests; `ownRules` are those of the policy's descriptor.
    public init(
        apps: [AppModel], parameters: BackgroundParameters, policy: any SchedulingPolicy, ownRules: [RuleText] = []
    ) {
        self.parameters = parameters
        self.policy = policy
        self.ownRules = ownRules
        ringsAtFloor = policy.ringsAtFloor
        facts = apps.map { app in
            AppFacts(
                refreshEnabled: app.refreshEnabled, healthResearch: app.healthResearch,
                mayRefresh: app.declares.mayRefresh, mayProcess: app.declares.mayProcess,
                refreshBytes: app.refreshBytes,
                refreshDuration: app.refreshProcessorTime + app.refreshWait,
                refreshHardware: app.refreshHardware, refreshIsExact: app.refreshIsExact,
                refreshIsExpedited: app.refreshIsExpedited, isUnrestricted: app.traits.battery == .unrestricted,
                repeatPeriod: app.refreshRepeats ? app.refreshPeriod : .zero, processingDuration: app.processingTime)
        }
        slots = Array(repeating: Self.empty, count: apps.count * 2)
        lanes = Array(repeating: Lane(), count: apps.count * 2)
        lastOpened = Array(repeating: .zero, count: apps.count)
        nextOpens = Array(repeating: .distantFuture, count: apps.count)
        screen = ScreenHistory(apps: apps.count)
        forceQuitApps = Array(repeating: false, count: apps.count)
        waiting = WaitIndex(waiters: apps.count * 2)
        budgets = Budgets(parameters)
    }

    /// Replaces the policy.
    ///
    /// The new policy receives every pending request, the oldest first, and no other history.
    public mutating func exchange(policy: any SchedulingPolicy, ownRules: [RuleText] = [], at now: SimTime) {
        self.policy = policy
        self.ownRules = ownRules
        ringsAtFloor = policy.ringsAtFloor
        for slot in pendingSlots(by: \.submitted) {
            let (app, kind) = owner(of: slot)
            let submitted = view(slots[slot], app, kind, 0, at: now)
            self.policy.didSubmit(submitted, at: now)
        }
    }

    /// Apps with a pending request past its earliest begin, the one due longest first.
    public func due(at now: SimTime) -> [(app: AppID, kind: RequestKind)] {
        var lanes: Set<Int> = []
        return pendingSlots(by: \.earliestBegin).filter { slots[$0].earliestBegin <= now }.map(owner).filter {
            lanes.insert(lane($0, $1)).inserted
        }
    }

    private func pendingSlots(by time: KeyPath<RequestRecord, SimTime>) -> [Int] {
        slots.indices.filter { !isEmpty($0) }.sorted { (slots[$0][keyPath: time], $0) < (slots[$1][keyPath: time], $1) }
    }

    /// The app that owns a slot, and the kind of the slot's request.
    private func owner(of slot: Int) -> (app: AppID, kind: RequestKind) {
        let (row, app) = slot.quotientAndRemainder(dividingBy: facts.count)
        return (AppID(app), row == 0 ? .refresh : .processing)
    }

    static let empty: RequestRecord = {
        var record = RequestRecord()
        record.submitted = .distantFuture
        return record
    }()

    @inline(__always)
    func lane(_ app: AppID, _ kind: RequestKind) -> Int { Int(app.index) * 2 + Int(kind.rawValue) }

    /// The slots that can contain an app's requests of a kind.
    @inline(__always)
    func slotsOf(_ app: AppID, _ kind: RequestKind) -> SlotColumn {
        let apps = facts.count
        let index = Int(app.index)
        return kind == .refresh
            ? SlotColumn(slot: index, end: apps, step: apps)
            : SlotColumn(slot: apps &+ index, end: rowCount &* apps, step: apps)
    }

    /// One app's slots in consecutive rows, as a sequence without overflow checks.
    struct SlotColumn: Sequence, IteratorProtocol {
        fileprivate var slot: Int
        fileprivate let end: Int
        fileprivate let step: Int

        @inline(__always)
        mutating func next() -> Int? {
            guard slot < end else { return nil }
            defer { slot &+= step }
            return slot
        }
    }

    @inline(__always)
    func isEmpty(_ slot: Int) -> Bool { slots[slot].submitted == .distantFuture }

    // MARK: Submission

    /// Adds a request; it replaces a request with the same identifier.
    ///
    /// The answer is never `start`: the phone calls `decide` at the earliest begin.
    public mutating func submit(
        _ app: AppID, _ kind: RequestKind, identifier: UInt8 = 0, earliestBegin: SimTime, requiresPower: Bool,
        requiresNetwork: Bool, deadline: SimTime? = nil, options: RequestOptions = RequestOptions(), at now: SimTime
    ) -> RequestAnswer {
        let index = Int(app.index)
        if options.isHealthResearch, kind == .refresh || !facts[index].healthResearch { return refuse(.notPermitted) }
        if let rule = refusal(of: kind, app) { return refuse(.system(rule)) }
        guard kind == .refresh ? facts[index].mayRefresh : facts[index].mayProcess else { return refuse(.notPermitted) }
        guard let slot = slot(app, kind, identifier) else { return refuse(.tooManyPending) }
        if isEmpty(slot) {
            lanes[lane(app, kind)].pending += 1
        } else {
            recordUnrun(slot, app, kind, .replaced, at: now)
            let replaced = view(slots[slot], app, kind, 0, at: now)
            policy.didWithdraw(replaced, at: now)
        }
        let earliestBegin = max(earliestBegin, now)
        var record = RequestRecord()
        record.identifier = identifier
        record.requiresPower = requiresPower
        record.requiresNetwork = requiresNetwork
        record.options = options
        record.submitted = now
        record.earliestBegin = earliestBegin
        let life = kind == .refresh ? parameters.refreshLife : parameters.processingLife
        record.deadline = deadline ?? earliestBegin + life
        slots[slot] = record
        let submitted = view(record, app, kind, 0, at: now)
        policy.didSubmit(submitted, at: now)
        return firstAnswer(app, kind, at: now)
    }

    /// Slot of the request with this identifier, or else a free slot; nil if too many requests are pending.
    private mutating func slot(_ app: AppID, _ kind: RequestKind, _ identifier: UInt8) -> Int? {
        var free: Int?
        for slot in slotsOf(app, kind) {
            if isEmpty(slot) {
                free = free ?? slot
            } else if slots[slot].identifier == identifier {
                return slot
            }
        }
        let limit = kind == .refresh ? min(1, parameters.pendingRefreshLimit) : parameters.pendingProcessingLimit
        guard lanes[lane(app, kind)].pending < limit else { return nil }
        if let free { return free }
        slots.append(contentsOf: repeatElement(Self.empty, count: facts.count))
        rowCount += 1
        return (rowCount - 1) * facts.count + Int(app.index)
    }

    private mutating func refuse(_ reason: RequestReason) -> RequestAnswer {
        counts[reason.index] += 1
        return RequestAnswer(.refused, reason: reason)
    }

    /// Answer to a submission: wait until the first earliest begin among the pending requests of this kind.
    ///
    /// A request of this kind that waited for a change is then checked at that instant instead.
    private mutating func firstAnswer(_ app: AppID, _ kind: RequestKind, at now: SimTime) -> RequestAnswer {
        waiting.leave(lane(app, kind))
        var earliest = SimTime.distantFuture
        for slot in slotsOf(app, kind) where !isEmpty(slot) {
            earliest = min(earliest, slots[slot].earliestBegin)
        }
        return RequestAnswer(.wait, wakeAt: max(earliest, now), reason: .system(.earliestBegin))
    }

    // MARK: Questions

    /// Whether the app has a request of this kind pending.
    public func isPending(_ app: AppID, _ kind: RequestKind) -> Bool { lanes[lane(app, kind)].pending > 0 }

    /// Number of the app's pending requests of this kind.
    public func pendingCount(_ app: AppID, _ kind: RequestKind) -> Int { Int(lanes[lane(app, kind)].pending) }

    /// Whether the app has running work of this kind.
    public func isRunning(_ app: AppID, _ kind: RequestKind) -> Bool { lanes[lane(app, kind)].isRunning }

    /// Whether the user force-quit the app and has not opened it since; it then gets no background launches.
    public func isForceQuit(_ app: AppID) -> Bool { forceQuitApps[Int(app.index)] }

    /// Name of a reason in tables, also for rules that the policy declares itself.
    public func name(of reason: RequestReason) -> String { reason.text(own: ownRules).name }

    /// The changes of the device that the app's request waits for.
    public func waitsFor(_ app: AppID, _ kind: RequestKind) -> ConditionChanges {
        waiting.changes(of: lane(app, kind))
    }

    /// Longest time for which work of a kind may run.
    public func runtimeLimit(of kind: RequestKind) -> SimDuration {
        kind == .refresh ? parameters.refreshLimit : parameters.processingLimit
    }

    /// Shares of the day's budgets that are left, 0 to 1.
    public func budgetsLeft(at now: SimTime) -> (energy: Double, cellular: Double) {
        // Reads a copy: refilling a budget in two steps gives different rounding than in one step.
        var budgets = budgets
        return budgets.left(at: now)
    }
}
