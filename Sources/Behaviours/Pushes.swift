// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary
import Workload

extension AppTimer {
    /// The next push arrives.
    @inlinable public static var push: AppTimer { AppTimer(4) }
    /// The next silent push arrives.
    @inlinable public static var silentPush: AppTimer { AppTimer(9) }
    /// A waiting silent push may be delivered.
    @inlinable public static var heldPush: AppTimer { AppTimer(11) }
}

/// Alert pushes, which are shown at once and launch no app, and silent pushes, which run their app.
///
/// Silent pushes are delivered within an allowance and only while the state of the phone permits it; otherwise, the
/// newest push waits. Source: Apple, "Pushing background updates to your App"; WWDC20 session 10063.
package struct Pushes {
    /// Measures of pushes.
    package struct Measures: Sendable {
        let sent: AppCount
        /// Number of sent pushes that arrived.
        let delivered: AppCount
        let delay: AppDistribution
        let silentSent: AppCount
        let silentDelivered: AppCount
        /// Number of sent silent pushes that were delivered.
        let silentArrived: AppCount
        let silentDelay: AppDistribution
        let answered: AppCount
        let local: AppCount
        let refused: AppCount
        let lost: AppCount
        let urgent: UrgentMeasures

        package init(_ builder: inout MeasureBuilder) {
            (sent, delivered, delay) = (builder.appCount(), builder.appCount(), builder.appDistribution())
            builder.share(
                "push_delivered_share", .higher,
                "share of pushes that were shown or handed to the app before the run ended, among the pushes sent "
                    + "after the warm-up",
                delivered, of: [sent])
            builder.quantile(
                "push_delay_s_p95", "s", .lower, "95th percentile of the delay of delivered pushes (to within 1 %)",
                0.95,
                of: delay)
            silentDelivered = builder.perDayOfApp(
                "silent_pushes_per_day", .neutral, "silent pushes handed to their app")
            (silentSent, silentArrived) = (builder.appCount(), builder.appCount())
            silentDelay = builder.appDistribution()
            builder.share(
                "silent_push_delivered_share", .higher,
                "share of silent pushes that were handed to the app before the run ended, among the silent pushes sent "
                    + "after the warm-up",
                silentArrived, of: [silentSent])
            builder.quantile(
                "silent_push_delay_s_p95", "s", .lower,
                "95th percentile of the delay of the silent pushes that were handed to the app (to within 1 %)", 0.95,
                of: silentDelay,
                spread: .uneven(fewest: 80))
            answered = builder.perDayOfApp(
                "answered_alerts_per_day", .neutral,
                "opens of an app within an hour of its newest alert, whether pushed or scheduled by the app")
            local = builder.perDayOfApp(
                "local_notifications_per_day", .neutral,
                "notifications that the app itself had scheduled; showing one launches no process and fetches nothing"
            )
            refused = builder.perDayOfApp(
                "refused_alerts_per_day", .neutral,
                "alerts and scheduled notifications of apps whose notifications the user has switched off")
            lost = builder.perDayOfApp(
                "lost_pushes_per_day", .lower,
                "alert and silent pushes that never arrived, because the sender's token was not valid")
            urgent = UrgentMeasures(&builder)
        }
    }

    let measures: Measures
    private var alertStreams: [PushStream]
    private var silentStreams: [PushStream]
    /// Alerts and silent pushes of a recording, used instead of the random streams.
    private var recordedAlerts: ArrivalReplay?
    private var recordedSilent: ArrivalReplay?
    /// When the newest alert of each app was shown.
    private var shown: [SimTime]
    /// When each app's newest alert was sent, among the alerts that wait for a network.
    private var heldAlerts: [SimTime]
    /// Apps with an alert that waits for a network, in order.
    private var appsWithHeldAlert: [AppID] = []
    /// Whether the user refused an app's notifications, and which alerts and silent pushes never arrive.
    private let isRefused: [Bool]
    private var lostAlerts: LostAlerts
    private var lostSilent: [RandomStream]
    /// Silent pushes on their way; `waiting` contains the apps whose push waits for a change of the phone.
    var gate: PushGate
    /// Messages of high priority, on a phone that gets any.
    var urgent: Urgent?
    private var waiting: [AppID] = []
    private var isWaiting: [Bool]
    /// Buffer for the apps that are checked again.
    private var woken: [AppID] = []

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        let specification = core.specification
        let profile = ArrivalProfile(persona: specification.persona, startWeekday: specification.startWeekday)
        let workload = specification.workload
        let isRecorded = workload.holdsPushes
        recordedAlerts = workload.arrivals(.alert)
        recordedSilent = workload.arrivals(.silentPush)
        alertStreams = core.apps.map { specification.pushes(to: $0, profile, isRecorded: isRecorded) }
        silentStreams = core.apps.map { specification.silentPushes(to: $0, profile) }
        shown = Array(repeating: SimTime(nanoseconds: .min / 2), count: core.apps.count)
        heldAlerts = Array(repeating: .distantFuture, count: core.apps.count)
        isRefused = specification.persona.refusals(of: core.apps, specification.streamKeys)
        let lostShare = core.device.background.pushes.lostShare
        lostAlerts = LostAlerts(apps: core.apps, share: lostShare, keys: specification.streamKeys)
        lostSilent = lostShare > 0 ? core.streams("silent-tokens") : []
        isWaiting = Array(repeating: false, count: core.apps.count)
        gate = PushGate(apps: core.apps.count, parameters: core.device.background.pushes)
        urgent = Urgent(core)
    }

    /// Schedules the first pushes of an app.
    package mutating func start(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        core.engine.schedule(Slots.app(app, .push), at: nextAlert(index), class: EventClass.push)
        core.engine.schedule(Slots.app(app, .silentPush), at: nextSilent(index), class: EventClass.push)
    }

    private mutating func nextAlert(_ index: Int) -> SimTime {
        recordedAlerts?.next(index) ?? alertStreams[index].next()
    }

    private mutating func nextSilent(_ index: Int) -> SimTime {
        recordedSilent?.next(index) ?? silentStreams[index].next()
    }

    // MARK: Alerts

    /// Sends the next alert push of an app, and schedules the one after it.
    package mutating func alertTimer(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        core.arrivals.add(at: core.now, index)
        core.engine.schedule(Slots.app(app, .push), at: nextAlert(index), class: EventClass.push)
        send(to: app, &core)
    }

    /// Sends an alert push; if there is no network, only the app's newest alert waits.
    package mutating func send(to app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        countSent(app, &core)
        // If the user refuses notifications, none are sent to the phone, because the phone has notified the server.
        if isRefused[index] { return refuse(app, &core) }
        if lostAlerts.next(of: app) { return lose(app, &core) }
        guard !core.power.isDead, core.power.interface != nil else {
            if heldAlerts[index] == .distantFuture { appsWithHeldAlert.append(app) }
            heldAlerts[index] = core.now
            return
        }
        show(app, sent: core.now, &core)
    }

    /// Shows a notification that an app has scheduled, without running the app.
    ///
    /// A phone that is off shows none. Source: Apple, "Scheduling a notification locally from your app".
    package mutating func showLocal(of app: AppID, _ core: inout PhoneCore) {
        guard !core.power.isDead else { return }
        if isRefused[Int(app.index)] { return refuse(app, &core) }
        core.power.wakeBriefly(app: app, cause: .push, at: core.now)
        core.measures.add(measures.local, of: app)
        writeRow(.localAlert, app, &core)
        shown[Int(app.index)] = core.now
    }

    /// Counts a notification of an app for which the user refused notifications.
    private func refuse(_ app: AppID, _ core: inout PhoneCore) {
        core.measures.add(measures.refused, of: app)
        writeRow(.refusedAlert, app, &core)
    }

    /// Counts a push that never arrives.
    private func lose(_ app: AppID, _ core: inout PhoneCore) {
        core.measures.add(measures.lost, of: app)
        writeRow(.lostPush, app, &core)
    }

    /// Whether a silent push never arrives.
    private mutating func isSilentLost(_ app: AppID, _ core: borrowing PhoneCore) -> Bool {
        !lostSilent.isEmpty && lostSilent[Int(app.index)].uniform() < core.device.background.pushes.lostShare
    }

    func writeRow(_ event: EventName, _ app: AppID, _ core: inout PhoneCore) {
        let state = core.processes.state(of: app)
        core.record(event, app, from: state, to: state)
    }

    /// Shows the alerts that waited for a network.
    package mutating func showHeldAlerts(_ core: inout PhoneCore) {
        guard !core.power.isDead, core.power.interface != nil else { return }
        for app in appsWithHeldAlert {
            let sent = heldAlerts[Int(app.index)]
            guard sent != .distantFuture else { continue }
            heldAlerts[Int(app.index)] = .distantFuture
            show(app, sent: sent, &core)
        }
        appsWithHeldAlert.removeAll(keepingCapacity: true)
    }

    /// Shows an alert, which wakes the phone briefly and launches no app.
    private mutating func show(_ app: AppID, sent: SimTime, _ core: inout PhoneCore) {
        core.receivePush(for: app)
        countDelivered(app, sent: sent, &core)
        let state = core.processes.state(of: app)
        core.record(.alert, app, from: state, to: state, delay: core.now - sent)
        shown[Int(app.index)] = core.now
        noteShown(app, core)
        let traits = core.apps[Int(app.index)].traits
        let service = AppProcess.Kind.notificationService
        if traits.has(service) { core.post(.processNeeded(app, service)) }
        guard traits.hasNotificationService else { return }
        // A Notification Service extension runs briefly and fetches the content of the alert.
        let figures = core.device.background.pushes
        let energy = core.power.processor.energy(of: .event, ofWork: figures.extensionTime)
        core.power.addEnergy(.processor, energy, app: app, cause: .push, at: core.now)
        core.transfer(down: figures.extensionBytes, up: PhoneCore.requestBytes, app, .push)
    }

    private func countSent(_ app: AppID, _ core: inout PhoneCore) {
        core.measures.add(measures.sent, of: app)
        core.book.day(app) { $0.pushesSent += 1 }
    }

    private func countDelivered(_ app: AppID, sent: SimTime, _ core: inout PhoneCore) {
        let delay = core.now - sent
        if core.measures.counts(since: sent) { core.measures.add(measures.delivered, of: app) }
        core.measures.record(measures.delay, of: app, delay.seconds)
        core.book.day(app) { row in
            row.pushesDelivered += 1
            row.pushDelaySeconds += delay.seconds
        }
    }

    // MARK: Silent pushes

    /// Sends the next silent push of an app, and schedules the one after it.
    package mutating func silentTimer(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        let now = core.now
        core.arrivals.add(at: now, ~index)
        core.engine.schedule(Slots.app(app, .silentPush), at: nextSilent(index), class: EventClass.push)
        countSent(app, &core)
        core.measures.add(measures.silentSent, of: app)
        core.book.day(app) { $0.silentPushesSent += 1 }
        if isSilentLost(app, core) { return lose(app, &core) }
        // No push is kept for an app that was force-quit or whose switch is off.
        let isDeclared = core.apps[index].declares.remoteNotification || app == core.front.app
        guard core.background.rulingOutPushes(to: app) == nil, isDeclared else {
            return drop(app, sent: now, outcome: .cancelled, &core)
        }
        if !core.power.isDead { core.receivePush(for: app) }
        if let older = gate.held(for: app) { drop(app, sent: older, outcome: .replaced, &core) }
        if urgent != nil, deliverUrgent(app, &core) { return }
        let replaced = gate.hold(app, sent: now)
        // The reason that delays the older push also delays this one.
        if !replaced { consider(app, &core) }
    }

    /// Delivers the silent push of an app, or finds the change or instant for which it waits.
    package mutating func consider(_ app: AppID, _ core: inout PhoneCore) {
        let now = core.now
        guard gate.held(for: app) != nil else { return }
        if app == core.front.app, core.power.interface != nil { return release(app, &core) }
        core.refreshConditions()
        guard !core.power.isDead else { return wait(app) }
        let opens = gate.opens(for: app, from: now)
        switch core.background.admitPush(to: app, opens: opens, device: core.conditions, at: now) {
        case .launch: release(app, &core)
        case .waitForChange: wait(app)
        case .wait(let until):
            core.engine.schedule(Slots.app(app, .heldPush), at: until, class: EventClass.work)
        case .waitForWindow(let window):
            wait(app)
            core.engine.schedule(Slots.app(app, .heldPush), at: window, class: EventClass.work)
        }
    }

    /// Makes an app's push wait for a change of the phone; does nothing if the app has a waiting push already.
    private mutating func wait(_ app: AppID) {
        guard !isWaiting[Int(app.index)] else { return }
        isWaiting[Int(app.index)] = true
        waiting.append(app)
    }

    /// Delivers pushes when the phone is used and the policy no longer blocks the network of any app.
    package mutating func unlocked(_ core: inout PhoneCore) {
        if core.device.background.pushes.waitForWindows { reconsider(&core) }
    }

    /// Delivers waiting pushes after a change of the phone, if its new state permits it.
    package mutating func reconsider(_ core: inout PhoneCore) {
        guard !waiting.isEmpty else { return }
        swap(&waiting, &woken)
        for app in woken { isWaiting[Int(app.index)] = false }
        for app in woken { consider(app, &core) }
        woken.removeAll(keepingCapacity: true)
    }

    mutating func release(_ app: AppID, _ core: inout PhoneCore) {
        let isInFront = app == core.front.app
        guard let sent = gate.release(app, inForeground: isInFront, at: core.now) else { return }
        countDelivered(app, sent: sent, &core)
        core.measures.add(measures.silentDelivered, of: app)
        if core.measures.counts(since: sent) { core.measures.add(measures.silentArrived, of: app) }
        core.measures.record(measures.silentDelay, of: app, (core.now - sent).seconds)
        let index = Int(app.index)
        var plan = EventPlan(
            .silentPush, cause: .push, sent: sent, limit: core.device.background.pushes.runtime)
        plan.processorTime = core.apps[index].refreshProcessorTime
        plan.wait = core.apps[index].refreshWait
        plan.down = core.apps[index].refreshBytes
        plan.up = PhoneCore.requestBytes
        plan.fetches = true
        if core.apps[index].traits.pushSetsOffJob {
            // The handler computes and fetches nothing, because the job does that.
            (plan.processorTime, plan.wait, plan.down, plan.up) = (.zero, .zero, .zero, .zero)
            plan.fetches = false
            core.post(.jobSetOff(app))
        }
        core.run(app, for: plan)
    }

    /// Drops the waiting push of an app after a force quit or a kill.
    package mutating func dropHeld(of app: AppID, _ core: inout PhoneCore) {
        guard let sent = gate.drop(app) else { return }
        drop(app, sent: sent, outcome: .cancelled, &core)
    }

    private func drop(_ app: AppID, sent: SimTime, outcome: RequestOutcome, _ core: inout PhoneCore) {
        core.book.day(app) { $0.pushesDropped += 1 }
        core.recordUnrun(EventPlan(.silentPush, cause: .push, sent: sent, limit: .zero), of: app, outcome)
    }

    // MARK: Signals of others

    /// Counts an open soon after the app's newest alert as a response to it.
    ///
    /// If a silent push to the app waits, it is then checked again.
    package mutating func opened(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        if core.now - shown[index] <= core.device.background.pushes.answerWindow {
            core.measures.add(measures.answered, of: app)
        }
        shown[index] = SimTime(nanoseconds: .min / 2)
        consider(app, &core)
    }

    /// Drops the waiting silent push of an app that the user swiped away; an alert launches no app and is still shown.
    package mutating func forceQuit(_ app: AppID, _ core: inout PhoneCore) { dropHeld(of: app, &core) }

    /// Drops the waiting alert of an app that the system removes.
    package mutating func removed(_ app: AppID) { heldAlerts[Int(app.index)] = .distantFuture }

    /// Drops the waiting push of an app whose process was killed.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        if end.wasKilled { dropHeld(of: end.app, &core) }
    }
}
