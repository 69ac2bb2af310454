// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// A launch that the rules of the system check.
struct Launch: BitwiseCopyable {
    var app: AppID
    /// Kind of work; exactly one kind.
    var kind: BackgroundKinds
    /// Whether the app is on screen.
    var isForeground: Bool
    var time: SimTime
    /// Index of the request in `slots`; unused if no rule of the stage reads a request.
    var slot = -1

    /// Whether the launch is for a request of `BGTaskScheduler`, which states its requirements.
    var isRequest: Bool { !kind.isDisjoint(with: .requests) }
    /// Index in `lanes` for the app and the kind of work.
    var lane: Int { Int(app.index) * 2 + (kind == .processing ? 1 : 0) }
}

extension RequestTable {
    /// Whether a rule of the system applies now.
    @inline(__always)
    func holds(_ rule: SystemRule, _ launch: Launch, _ device: DeviceConditions) -> Bool {
        let app = Int(launch.app.index)
        switch rule {
        case .switchedOff: return !parameters.refreshSwitch || !facts[app].refreshEnabled
        case .forceQuit: return forceQuitApps[app]
        case .firstUnlock: return awaitsFirstUnlock && device.locked
        case .busy: return lanes[app * 2].isRunning || lanes[app * 2 + 1].isRunning
        case .foreground: return launch.isForeground
        case .lowPowerMode:
            // The parameter concerns launches; transfers at the system's choice wait in any case.
            let matters = parameters.lowPowerModeStopsWork || launch.kind == .discretionaryTransfer
            return matters && device.lowPowerMode
        case .batteryCritical: return device.batteryLevel < parameters.criticalLevel && !device.pluggedIn
        case .heat:
            let pushes = launch.kind == .silentPush
            return device.thermalLevel
                >= (pushes ? BackgroundParameters.pushStoppingThermalLevel : BackgroundParameters.stoppingThermalLevel)
        case .camera: return device.cameraOn && parameters.pushes.waitForCamera
        case .deviceInUse: return parameters.processingNeedsIdleDevice && device.screenOn
        case .earliestBegin: return launch.time < slots[launch.slot].earliestBegin
        case .throttled: return launch.time < lanes[launch.lane].throttledUntil
        case .spacing: return launch.kind == .processing && launch.time < spaced(launch)
        case .requiresPower: return !device.pluggedIn && (!launch.isRequest || slots[launch.slot].requiresPower)
        case .requiresNetwork:
            return device.network == .none && (!launch.isRequest || slots[launch.slot].requiresNetwork)
        case .requiresWiFi: return device.network != .wifi
        case .protectedFiles: return device.locked && slots[launch.slot].options.needsUnlockedFiles
        case .herd: return launch.time < device.herdUntil
        case .energyBudget, .cellularBudget: return holdsBudget(rule, launch, device)
        }
    }

    /// Earliest start of a processing task that was requested after the app's last task started.
    ///
    /// Other requests do not wait.
    private func spaced(_ launch: Launch) -> SimTime {
        let last = lanes[launch.lane].lastRun
        return last > .zero && slots[launch.slot].submitted >= last ? last + parameters.processingSpacing : last
    }

    /// Whether a budget rule applies; separate from the other rules, which are checked far more often.
    @inline(never)
    private func holdsBudget(_ rule: SystemRule, _ launch: Launch, _ device: DeviceConditions) -> Bool {
        let covered = budgetsCover(launch, device)
        return rule == .energyBudget ? !covered.energy : !covered.cellular
    }

    /// Time at which a rule that applies is checked again; `distantFuture` if only a change lifts the rule.
    func end(of rule: SystemRule, _ launch: Launch, _ device: DeviceConditions) -> SimTime {
        switch rule {
        case .earliestBegin: slots[launch.slot].earliestBegin
        case .throttled: lanes[launch.lane].throttledUntil
        case .spacing: spaced(launch)
        case .foreground: launch.time + parameters.foregroundRecheck
        case .herd: device.herdUntil
        case .energyBudget, .cellularBudget: launch.time + parameters.pushes.budgetRecheck
        case .switchedOff, .forceQuit, .firstUnlock, .busy, .lowPowerMode, .batteryCritical, .heat, .camera,
            .deviceInUse, .requiresPower, .requiresNetwork, .requiresWiFi, .protectedFiles:
            .distantFuture
        }
    }

    /// The first of these rules that applies.
    func first(of rules: SystemRules, _ launch: Launch, _ device: DeviceConditions) -> SystemRule? {
        SystemRule.first { rules.contains($0) && holds($0, launch, device) }
    }

    /// All of these rules that apply, in the order of checking.
    func all(of rules: SystemRules, _ launch: Launch, _ device: DeviceConditions) -> [SystemRule] {
        SystemRule.allCases.filter { rules.contains($0) && holds($0, launch, device) }
    }

    /// The rule by which the system refuses an app's request; nil if it accepts the request.
    func refusal(of kind: RequestKind, _ app: AppID) -> SystemRule? {
        first(
            of: rules.submission, Launch(app: app, kind: BackgroundKinds(kind), isForeground: false, time: .zero),
            DeviceConditions())
    }

    // MARK: Pushes and transfers

    /// The rule by which the system drops silent pushes to an app; nil if it keeps them.
    public func rulingOutPushes(to app: AppID) -> SystemRule? {
        first(
            of: rules.pushSubmission, Launch(app: app, kind: .silentPush, isForeground: false, time: .zero),
            DeviceConditions())
    }

    /// Decision on a silent push to an app that is not on screen.
    public enum PushAnswer: Sendable, Equatable, BitwiseCopyable {
        /// The push launches its app now and has been charged to the budgets.
        case launch
        /// The push waits for a change of the device, because of this rule.
        case waitForChange(SystemRule)
        /// The push must be checked again at this instant.
        case wait(until: SimTime)
        /// The push waits until this instant, when the policy opens the network of apps, or until the phone is used or
        /// charged.
        case waitForWindow(at: SimTime)
    }

    /// Decides whether a silent push launches its app now (Apple, WWDC20 session 10063).
    ///
    /// - Parameter opens: The earliest instant at which the app's own allowance permits a push.
    public mutating func admitPush(
        to app: AppID, opens: SimTime, device: DeviceConditions, at now: SimTime
    ) -> PushAnswer {
        let launch = Launch(app: app, kind: .silentPush, isForeground: false, time: now)
        if let rule = first(of: rules.push, launch, device) { return .waitForChange(rule) }
        if parameters.pushes.waitForWindows, let window = nextWindow(device, at: now) {
            return .waitForWindow(at: window)
        }
        let opens = holds(.herd, launch, device) ? max(opens, end(of: .herd, launch, device)) : opens
        guard opens <= now else { return .wait(until: opens) }
        // Refilled at the same instants with and without explanations.
        if policy.keepsBudgets { budgets.refill(to: now) }
        if let rule = first(of: rules.pushAllowance, launch, device) {
            return .wait(until: end(of: rule, launch, device))
        }
        chargePush(to: app, device: device, at: now)
        return .launch
    }

    /// When the policy next opens the network of apps; nil while it is open.
    private func nextWindow(_ device: DeviceConditions, at now: SimTime) -> SimTime? {
        var conditions = device
        conditions.now = now
        return policy.nextWindow(conditions)
    }

    /// When the policy releases the held alarms of all apps; nil while it holds no alarms.
    public func idleUntil(_ device: DeviceConditions, at now: SimTime) -> SimTime? {
        var conditions = device
        conditions.now = now
        return policy.idleUntil(conditions)
    }

    /// Whether the policy must be notified when the phone is moved.
    public var followsMotion: Bool { policy.followsMotion }

    /// Records that the phone is moved; returns true if the policy then blocks the network of no app.
    public mutating func noteMotion(_ device: DeviceConditions, at now: SimTime) -> Bool {
        var conditions = device
        conditions.now = now
        return policy.didMove(conditions)
    }

    /// Records a visit to an app that the user has left.
    public mutating func noteUse(of app: AppID, from start: SimTime, to end: SimTime) {
        policy.didUse(app, from: start, to: end)
    }

    /// The rule that holds back an app's background transfers; nil if bytes may move now.
    public func ruleAgainstTransfer(
        of app: AppID, isDiscretionary: Bool, device: DeviceConditions, at now: SimTime
    ) -> SystemRule? {
        let kind: BackgroundKinds = isDiscretionary ? .discretionaryTransfer : .transfer
        return first(
            of: isDiscretionary ? rules.discretionaryTransfer : rules.transfer,
            Launch(app: app, kind: kind, isForeground: false, time: now), device)
    }
}
