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

extension AppTimer {
    /// A broadcast is sent to an app.
    @inlinable public static var broadcast: AppTimer { AppTimer(27) }
    /// A broadcast that was sent is due.
    @inlinable public static var broadcastDue: AppTimer { AppTimer(28) }
}

/// Android's broadcasts, which run the apps that registered for them (`BroadcastConstants.java`).
///
/// An app that works or is on screen gets a broadcast after a short delay. A cached app that registered in its manifest
/// runs two minutes later. A cached app that registered at run time gets the broadcast when it leaves the cache. An app
/// without a process is started if it registered in its manifest; otherwise, it gets nothing.
///
/// Waiting broadcasts are handled together in one run. A broadcast costs as much as an event of an accessory but moves
/// no bytes (*assumption*).
package struct Broadcasts {
    /// Measures of broadcasts.
    package struct Measures: Sendable {
        let heard: AppCount
        let delay: AppDistribution

        package init(_ builder: inout MeasureBuilder) {
            heard = builder.perDayOfApp(
                "broadcasts_per_day", .neutral,
                "broadcasts that apps received, on Android; broadcasts that waited together count once")
            delay = builder.appDistribution()
            builder.quantile(
                "broadcast_delay_s_p95", "s", .lower,
                "95th percentile of the time from a broadcast to its receipt (to within 1 %); if several broadcasts "
                    + "waited together, the time runs from the first",
                0.95,
                of: delay)
        }
    }

    private let measures: Measures
    private let rules: BroadcastParameters
    /// Whether the system delays broadcasts to cached apps.
    private let holds: Bool
    /// Streams by app; empty on a phone where no app gets broadcasts.
    private var streams: [RandomStream] = []
    /// For each app, the time of its first waiting broadcast and the number of its waiting broadcasts.
    private var waiting: [(since: SimTime, count: Int)] = []

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        rules = core.device.background.broadcasts
        holds = core.device.os.holdsBroadcasts
        var isUsed = false
        for index in core.apps.indices where core.apps[index].traits.broadcasts.perDay > 0 { isUsed = true }
        guard isUsed, rules.areSent else { return }
        streams = core.streams("broadcast")
        waiting = Array(repeating: (.distantFuture, 0), count: core.apps.count)
    }

    /// Schedules the next broadcast to an app.
    package mutating func start(_ app: AppID, _ core: inout PhoneCore) {
        guard !streams.isEmpty else { return }
        let rate = core.apps[Int(app.index)].traits.broadcasts.perDay
        guard rate > 0 else { return }
        let gap = SimDuration.days(streams[Int(app.index)].exponential(mean: 1 / rate))
        core.engine.schedule(Slots.app(app, .broadcast), after: gap, class: EventClass.work)
    }

    /// Sends a broadcast to an app, and schedules the next one.
    package mutating func timer(_ app: AppID, _ core: inout PhoneCore) {
        start(app, &core)
        let index = Int(app.index)
        guard !core.power.isDead, core.hasApp(app) else { return }
        let isInManifest = core.apps[index].traits.broadcasts.receiver == .manifest
        let isAlive = core.processes.isAlive(app)
        guard isAlive || isInManifest else { return }
        if waiting[index].count == 0 { waiting[index].since = core.now }
        waiting[index].count += 1
        guard waiting[index].count == 1 else { return }
        let isHeld = isAlive && holds && core.isCached(app)
        if isHeld, !isInManifest { return }
        let delay = rules.delay + (isHeld ? rules.cachedDelay : .zero)
        core.engine.schedule(Slots.app(app, .broadcastDue), after: delay, class: EventClass.work)
    }

    /// Delivers waiting broadcasts to an app that left the cache.
    package mutating func leftCache(_ app: AppID, _ core: inout PhoneCore) {
        guard !streams.isEmpty, waiting[Int(app.index)].count > 0 else { return }
        core.engine.cancel(Slots.app(app, .broadcastDue))
        deliver(app, &core)
    }

    /// Delivers the waiting broadcasts of an app.
    package mutating func deliver(_ app: AppID, _ core: inout PhoneCore) {
        let index = Int(app.index)
        let (since, count) = waiting[index]
        waiting[index] = (.distantFuture, 0)
        let isInManifest = core.apps[index].traits.broadcasts.receiver == .manifest
        guard count > 0, !core.power.isDead, core.hasApp(app), isInManifest || core.processes.isAlive(app) else {
            return
        }
        core.measures.add(measures.heard, of: app)
        core.measures.record(measures.delay, of: app, (core.now - since).seconds)
        var plan = EventPlan(.broadcast, for: core)
        (plan.sent, plan.limit, plan.up) = (since, rules.runtime, .zero)
        // Broadcasts to an app that registered at run time are merged into one when it leaves the cache.
        if isInManifest { plan.processorTime = plan.processorTime * Double(count) }
        core.run(app, for: plan)
    }

    /// Drops the waiting broadcasts of a process that ended, if its app registered only at run time.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        let index = Int(end.app.index)
        guard !streams.isEmpty, core.apps[index].traits.broadcasts.receiver == .context else { return }
        waiting[index] = (.distantFuture, 0)
        core.engine.cancel(Slots.app(end.app, .broadcastDue))
    }
}
