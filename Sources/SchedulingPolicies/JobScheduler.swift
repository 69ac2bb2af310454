// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Android's scheduler of background jobs: standby buckets with quotas, Doze, forced batching, flexible constraints.
///
/// Source: AOSP 14 to 16: JobSchedulerService, QuotaController, AppStandbyController, DeviceIdleController,
/// FlexibilityController.
///
/// Every request is a job of default priority, or an expedited job if its app requests one. While its app's allowance
/// of the last 24 hours lasts, an expedited job starts at once, even in Doze. Afterwards it is an ordinary job, as with
/// WorkManager's `RUN_AS_NON_EXPEDITED_WORK_REQUEST`. Use by the user gives some of the allowance back.
///
/// A charger lifts Doze, and the quotas of all apps except restricted ones. The phone's own rules (earliest begin,
/// deadline, network, foreground) are unchanged.
///
/// If the user allows an app unrestricted use of the battery, the app is in the bucket EXEMPTED. Doze and batches delay
/// none of its jobs. Up to Android 15, no quota applies to them. From Android 16, only the limit of hours a day
/// applies. Source: `DeviceIdleJobsController`, `QuotaController`; developer.android.com, "Power management resource
/// limits".
public struct JobScheduler: SchedulingPolicy {
    /// Parameters in brackets after the name, with their defaults; the policy's entry has ranges and sources.
    struct Parameters: Sendable {
        /// Whether quotas are those of Android 16; nil without quotas.
        var usesPresentQuotas: Bool? = false
        var doze = DozeSchedule.Mode.full
        var batch = 5
        var cellularBatch = 1
        var batchDelay = SimDuration.minutes(31)
        var isFlexible = false
        var concurrency = 16
        /// Whether a job may run for its whole quota (30 min on a charger); if false, the phone's limit of ten minutes
        /// applies.
        var runsByQuota = false
        /// Least likelihood of an open at which the prediction makes an app active; zero without a prediction.
        var predictor = 0.0
    }

    /// Allowance from which the run time of a job is deducted.
    private enum Charge: UInt8, BitwiseCopyable {
        case free, quota, expedited
    }

    /// Largest run time of an app's jobs in 24 hours (`MAX_EXECUTION_TIME_MS`).
    private static let longestDay = SimDuration.hours(4)
    /// Quota that must be free before an app that used up its quota may run again (`IN_QUOTA_BUFFER_MS`).
    private static let buffer = SimDuration.seconds(30)
    /// The longest run of a job while quotas are free (`RUNTIME_FREE_QUOTA_MAX_LIMIT_MS`).
    private static let longestRun = SimDuration.minutes(30)

    private let parameters: Parameters
    private var doze: DozeSchedule
    private var ledger = QuotaLedger()
    private var day = DayLedger()
    private var expedited: ExpeditedLedger
    private var rate = StartRate()
    private var ready = WaitingLine()
    private var released = SimTime(nanoseconds: .min / 2)
    /// When the phone last moved while it detected motion, and when such a move last ended deep doze.
    private var motion = (last: SimTime(nanoseconds: .min / 2), endedDeep: SimTime(nanoseconds: .min / 2))
    /// Allowance of each running job that this policy started, by app and kind of work.
    private var charges: [Charge?] = []
    private var prediction: BucketPredictor

    init(_ parameters: Parameters = Parameters()) {
        self.parameters = parameters
        doze = DozeSchedule(mode: parameters.doze)
        prediction = BucketPredictor(active: parameters.predictor)
        expedited = ExpeditedLedger(isPresent: parameters.usesPresentQuotas ?? false)
    }

    /// Checks Doze, the quota, the flexible constraints and the batch, in this order.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        let usual = StandbyBucket(
            screenTime: request.screenTimeSinceOpened, wall: device.now - request.lastOpened)
        let known = prediction.bucket(of: request, usual: usual, at: device.now)
        let bucket = request.isUnrestricted ? .active : known
        let isExpedited = request.isExpedited && expeditedLeft(request, bucket, device) > .zero
        if !isExpedited {
            let dozing = request.isUnrestricted ? nil : dozing(device)
            if let held = dozing ?? overQuota(request, bucket, device) ?? missing(request, device) {
                ready.leave(request)
                return held
            }
            if let held = batching(request, bucket, device) { return held }
        }
        if Int(device.runningLaunches) >= parameters.concurrency { return .wait(.groupLimit, or: .launchEnded) }
        ready.leave(request)
        var decision = SchedulingDecision.proceed(.immediate)
        if parameters.runsByQuota { decision.runtime = longestRun(request, bucket, device, isExpedited: isExpedited) }
        let isFree = device.pluggedIn || (isExpedited && expedited.isFree(request.app, at: device.now))
        setCharge(request, isFree ? .free : isExpedited ? .expedited : .quota)
        if !device.pluggedIn, !isExpedited { rate.begin(request.app, at: device.now) }
        doze.begin(stillness(device), at: device.now)
        return decision
    }

    /// Time that an app has left for expedited jobs; not limited on a charger, unless the app is restricted.
    private func expeditedLeft(
        _ request: RequestView, _ bucket: StandbyBucket, _ device: DeviceConditions
    ) -> SimDuration {
        guard let isPresent = parameters.usesPresentQuotas, !device.pluggedIn || bucket == .restricted else {
            return Self.longestRun
        }
        if expedited.isFree(request.app, at: device.now) { return Self.longestRun }
        let allowed =
            request.isUnrestricted ? StandbyBucket.exemptedExpeditedTime : bucket.expeditedTime(isPresent: isPresent)
        return allowed - expedited.used(request.app, at: device.now)
    }

    /// Largest run time of a job, without the quota that the app regains during the run.
    ///
    /// Source: `QuotaController.getMaxJobExecutionTimeMsLocked`.
    private func longestRun(
        _ request: RequestView, _ bucket: StandbyBucket, _ device: DeviceConditions, isExpedited: Bool
    ) -> SimDuration {
        guard let isPresent = parameters.usesPresentQuotas, !device.pluggedIn else { return Self.longestRun }
        if isExpedited { return min(Self.longestRun, expeditedLeft(request, bucket, device)) }
        if request.isUnrestricted, !isPresent { return Self.longestRun }
        let quota = isPresent ? bucket.presentQuota : bucket.quota
        var left = Self.longestDay - day.used(request.app, at: device.now)
        // A window that is as long as its allowed run time limits nothing.
        if quota.window > quota.runTime, !request.isUnrestricted {
            left = min(left, quota.runTime - ledger.used(request.app, quota, at: device.now))
        }
        return min(Self.longestRun, left)
    }

    private func dozing(_ device: DeviceConditions) -> SchedulingDecision? {
        let changes: ConditionChanges = followsMotion ? [.pluggedIn, .unlocked, .moved] : [.pluggedIn, .unlocked]
        return nextWindow(device).map { .wait(.doze, until: $0, or: changes) }
    }

    /// The next maintenance window of a dozing phone.
    public func nextWindow(_ device: DeviceConditions) -> SimTime? {
        stillness(device).flatMap { doze.nextWindow($0, at: device.now) }
    }

    /// The next maintenance window in which alarms may go off.
    public func idleUntil(_ device: DeviceConditions) -> SimTime? {
        stillness(device).flatMap { doze.nextDeepWindow($0, at: device.now) }
    }

    // MARK: Motion

    /// Whether moves of the phone matter.
    public var followsMotion: Bool { doze.mode == .motion }

    /// Start of the time without use, and start of deep doze; nil for a phone that is used or charged.
    private func stillness(_ device: DeviceConditions) -> (since: SimTime, deep: SimTime)? {
        guard !device.pluggedIn, !device.screenOn, device.locked else { return nil }
        let since = max(device.lockedSince, device.unpluggedSince)
        guard motion.last > since else { return (since, since + DozeSchedule.deepLead) }
        let saved = DozeSchedule.inactive - DozeSchedule.inactiveAfterMotion
        return (max(since, motion.endedDeep), motion.last + DozeSchedule.deepLead - saved)
    }

    /// Records a move of the phone, which ends deep doze or delays its beginning; returns whether deep doze ended.
    public mutating func didMove(_ device: DeviceConditions) -> Bool {
        guard followsMotion, let still = stillness(device) else { return false }
        let since = max(device.lockedSince, device.unpluggedSince)
        let isLooking =
            motion.last > since
            ? device.now >= motion.last + DozeSchedule.inactiveAfterMotion
            : device.now >= since + DozeSchedule.inactive
        guard isLooking else { return false }
        let isDeep = device.now >= still.deep
        motion.last = device.now
        if isDeep { motion.endedDeep = device.now }
        return isDeep
    }

    // MARK: Quotas and batches

    private func overQuota(
        _ request: RequestView, _ bucket: StandbyBucket, _ device: DeviceConditions
    ) -> SchedulingDecision? {
        guard let isPresent = parameters.usesPresentQuotas, !device.pluggedIn || bucket == .restricted else {
            return nil
        }
        if request.isUnrestricted { return isPresent ? overDay(request, device) : nil }
        let quota = isPresent ? bucket.presentQuota : bucket.quota
        var next = ledger.nextAllowed(request.app, quota, at: device.now)
        if let held = overDay(request, device) { next = max(next, held.reconsider) }
        next = max(next, rate.nextAllowed(request.app, at: device.now))
        return next > device.now ? .wait(.quota, until: next, or: .pluggedIn) : nil
    }

    /// The wait of a job whose app has used up the hours a day for its jobs; nil if hours are left.
    private func overDay(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision? {
        guard day.used(request.app, at: device.now) >= Self.longestDay else { return nil }
        let free = day.instant(ofUsing: Self.longestDay - Self.buffer, request.app, at: device.now)
        return .wait(.quota, until: free, or: .pluggedIn)
    }

    /// Forced batching: jobs wait for others, unless their app is in use or they have waited long enough.
    private mutating func batching(
        _ request: RequestView, _ bucket: StandbyBucket, _ device: DeviceConditions
    ) -> SchedulingDecision? {
        var least = bucket == .active ? 1 : parameters.batch
        if request.requiresNetwork, device.network == .cellular { least = max(least, parameters.cellularBatch) }
        let now = device.now
        guard least > 1, now != released else { return nil }
        ready.enter(request, at: now)
        let due = min((ready.entered(request) ?? now) + parameters.batchDelay, request.lastChance)
        guard ready.count < least, now < due else {
            released = now
            return nil
        }
        return .wait(.batchWindow, until: due, or: .workStarted)
    }

    // MARK: Flexible constraints

    /// Checks the constraints that the system adds to a job of default priority; their number falls with the job's age.
    private func missing(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision? {
        guard parameters.isFlexible else { return nil }
        // Steps at 50, 60, 70 and 80 % of 12 h, as without a deadline; all constraints are dropped before the deadline.
        let age = device.now - request.earliestBegin
        let drops = [6, 7.2, 8.4, 9.6].map(SimDuration.hours)
        let dropped = drops.reduce(0) { $0 + (age >= $1 ? 1 : 0) }
        let isIdle = device.locked && !device.screenOn && device.now - device.lockedSince >= .minutes(31)
        var kept = [device.pluggedIn, device.batteryLevel > 0.15, isIdle]
        if request.requiresNetwork { kept.append(device.network == .wifi) }
        let needed = kept.count - dropped
        let isLate = device.now >= request.deadline - .minutes(15)
        guard !isLate, kept.reduce(0, { $0 + ($1 ? 1 : 0) }) < needed else { return nil }
        var until = min(request.earliestBegin + (drops.first { $0 > age } ?? .zero), request.deadline - .minutes(15))
        if device.locked, !isIdle { until = min(until, device.lockedSince + .minutes(31)) }
        return .wait(.belowThreshold, until: until, or: [.pluggedIn, .wifiJoined, .batteryRecovered, .locked])
    }

    // MARK: Ends

    /// Deducts the run time from the app's allowance if the work began without a charger.
    ///
    /// Work that another policy or a debugger started is ignored.
    public mutating func didFinish(_ request: RequestView, foundNewContent: Bool, at now: SimTime) {
        let lane = lane(request)
        guard lane < charges.count, let charge = charges[lane] else { return }
        charges[lane] = nil
        doze.end(at: now)
        switch charge {
        case .free: return
        case .expedited: expedited.record(request.app, from: request.lastRun, to: now)
        case .quota:
            ledger.record(request.app, from: request.lastRun, to: now)
            day.record(request.app, from: request.lastRun, to: now)
        }
    }

    /// Gives time for expedited jobs back to an app that the user used.
    public mutating func didUse(_ app: AppID, from start: SimTime, to end: SimTime) {
        expedited.recordUse(of: app, from: start, to: end)
    }

    /// Removes a request that is no longer ready.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) { ready.leave(request) }

    private func lane(_ request: RequestView) -> Int { Int(request.app.index) * 2 + Int(request.kind.rawValue) }

    private mutating func setCharge(_ request: RequestView, _ charge: Charge) {
        let lane = lane(request)
        if lane >= charges.count {
            let count = max(lane + 1, charges.count * 2)
            charges.append(contentsOf: repeatElement(Charge?.none, count: count - charges.count))
        }
        charges[lane] = charge
    }
}
