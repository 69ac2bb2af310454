// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import LifeCycle
import Measures
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Structures
import Vocabulary

extension DeviceTimer {
    /// The system checks whether to prewarm an app.
    @inlinable public static var prewarm: DeviceTimer { DeviceTimer(18) }
}

/// Processes that the system starts before the user opens their app, from iOS 15 on (`PrewarmParameters`).
///
/// The system checks at instants that are equal under every policy. It does nothing in Low Power Mode, under memory
/// pressure or with little available memory; these conditions are assumptions. A prewarmed process executes nothing, is
/// idle at once and is killed like any other.
package struct Prewarming {
    /// Measures of prewarming.
    package struct Measures: Sendable {
        let built: AppCount

        package init(_ builder: inout MeasureBuilder) {
            built = builder.perDayOfApp(
                "prewarms_per_day", .neutral,
                "times that the system built an app's process, or read its files, before the user opened the app")
        }
    }

    private let measures: Measures
    private let rules: PrewarmParameters
    private var stream: RandomStream
    /// Whether the phone prewarms.
    private let isOn: Bool
    /// The largest part of a launch that prewarming can save, in seconds.
    private let longestSaving: Double
    /// All apps by their next open, for the oracle; empty for other rules.
    ///
    /// An app's next open never moves to an earlier time, so an outdated key is corrected when it is first in the heap.
    private var byNextOpen: GrowingHeap
    /// Eviction policy that ranks apps; the app that it would evict last is prewarmed.
    ///
    /// Nil for the other rules of prewarming.
    private var ranking: (any EvictionPolicy)?

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.init(core, measures, core.device.prewarm, core.specification.rankings.prelaunch)
    }

    private init(
        _ core: borrowing PhoneCore, _ measures: Measures, _ rules: PrewarmParameters,
        _ makeRanking: RunSpecification.MakeEviction?
    ) {
        self.measures = measures
        self.rules = rules
        stream = core.stream("system", "prewarming")
        let isPossible = core.device.os.lifeCycle.prewarms || rules.choice == .files
        if let makeRanking {
            var seed = core.stream("prelaunch policy", "draws")
            ranking = makeRanking(seed.nextBits())
        }
        isOn = isPossible && (rules.choice != .never || ranking != nil) && rules.perDay > 0
        let share = rules.doneShare
        longestSaving = isOn ? core.apps.map { Self.saving($0, missing: 1, share) }.max() ?? 0 : 0
        let asksAll = isOn && rules.choice == .oracle
        byNextOpen = GrowingHeap(capacity: asksAll ? core.apps.count : 0)
        if asksAll { for index in core.apps.indices { byNextOpen.set(index) } }
    }

    /// Schedules the next check, on a phone that prewarms.
    package mutating func schedule(_ core: inout PhoneCore) {
        guard isOn else { return }
        core.engine.schedule(
            Slots.device(.prewarm), after: .day * stream.exponential(mean: 1 / rules.perDay), class: EventClass.work)
    }

    /// Changes the rule of prewarming.
    ///
    /// If the system already made checks before, their instants do not change.
    package mutating func policiesChanged(to change: PolicyChange, _ core: inout PhoneCore) {
        var rules = rules
        let (stream, wasOn) = (stream, isOn)
        rules.choice = change.prelaunch
        self = Prewarming(core, measures, rules, change.policies.rankings.prelaunch)
        self.stream = stream
        for (app, time) in core.processes.lastUses where Int(app.index) < core.apps.count { opened(app, at: time) }
        if isOn && !wasOn { schedule(&core) }
        if wasOn && !isOn { core.engine.cancel(Slots.device(.prewarm)) }
    }

    /// Checks whether to prewarm an app, and schedules the next check.
    package mutating func timer(_ core: inout PhoneCore) {
        schedule(&core)
        guard !core.power.isDead, !core.conditions.lowPowerMode else { return }
        core.catchUp()
        guard core.processes.pressure == .normal, core.processes.availableShare >= rules.leastAvailable else { return }
        if let app = choose(&core) { build(app, &core) }
    }

    /// The app without a process that has the highest worth; of equals, the first.
    ///
    /// Force-quit apps are excluded.
    ///
    /// Apps that the user has opened are checked first. All other apps have the same likelihood, and are checked only
    /// if one of them may be worth more.
    private mutating func choose(_ core: inout PhoneCore) -> AppID? {
        if ranking != nil { return chooseByRank(&core) }
        if rules.choice == .oracle { return chooseByNextOpen(&core) }
        var best: (app: AppID?, worth: Double) = (nil, 0)
        func ask(_ app: AppID) {
            guard !core.processes.isAlive(app), !core.background.isForceQuit(app) else { return }
            let worth = worth(of: app, &core)
            let isFirst = worth == best.worth && app.index < best.app?.index ?? 0
            if worth > best.worth || isFirst { best = (app, worth) }
        }
        for app in core.predictor.opened { ask(app) }
        if best.worth <= mostOfOthers(&core) {
            for index in core.apps.indices { ask(AppID(index)) }
        }
        return best.app
    }

    /// The app that the policy would evict last, among apps without a process that the user has opened.
    private mutating func chooseByRank(_ core: inout PhoneCore) -> AppID? {
        var candidates: [EvictionCandidate] = []
        for app in core.predictor.opened where !core.processes.isAlive(app) && !core.background.isForceQuit(app) {
            var view = core.processes.view(of: app)
            view.footprint = core.apps[Int(app.index)].backgroundFootprint
            candidates.append(view)
        }
        return ranking?.lastToDie(among: candidates, at: core.now).map { candidates[$0].app }
    }

    /// Notifies the ranking policy of an open.
    package mutating func opened(_ app: AppID, at now: SimTime) { ranking?.didOpen(app, at: now) }

    /// The app without a process that the user opens next, for the oracle; apps with a missed open are skipped.
    private mutating func chooseByNextOpen(_ core: inout PhoneCore) -> AppID? {
        defer { byNextOpen.putBack() }
        while let first = byNextOpen.first {
            let app = AppID(Int(first.member))
            let next = core.processes.view(of: app).nextOpen
            if next.nanoseconds != first.key {
                byNextOpen.set(Int(first.member), key: next.nanoseconds)
                continue
            }
            let isMissed = (next - core.now).seconds < -1
            if core.processes.isAlive(app) || core.background.isForceQuit(app) || isMissed {
                byNextOpen.setFirstAside()
            } else {
                return app
            }
        }
        return nil
    }

    /// Largest possible worth of an app that the user has never opened.
    private func mostOfOthers(_ core: inout PhoneCore) -> Double {
        let likelihood = core.predictor.likelihoodOfOthers(at: core.now)
        guard rules.weighsSaving else { return likelihood >= rules.leastLikelihood ? likelihood : -1 }
        return likelihood * longestSaving
    }

    private func worth(of app: AppID, _ core: inout PhoneCore) -> Double {
        let likelihood = core.predictor.openLikelihood(app, at: core.now)
        guard rules.weighsSaving else { return likelihood >= rules.leastLikelihood ? likelihood : 0 }
        let missing = core.processes.missingFiles(of: app)
        return likelihood * Self.saving(core.apps[Int(app.index)], missing: missing, rules.doneShare)
    }

    /// Seconds of a launch that prewarming would save.
    private static func saving(_ model: AppModel, missing: Double, _ doneShare: Double) -> Double {
        let launch = model.launchTime(missing: missing)
        return (launch - model.launchTime(missing: 0) + model.warmLaunchTime * doneShare).seconds
    }

    /// Reads the app's files and starts the app up to `main`, unless the rule reads files only.
    private func build(_ app: AppID, _ core: inout PhoneCore) {
        let model = core.apps[Int(app.index)]
        let missing = core.processes.missingFiles(of: app)
        let now = core.now
        if rules.choice == .files {
            core.preload(app)
        } else {
            // The cost is charged even if the process is killed at once; the row of its kill follows.
            _ = core.prewarm(app, footprint: model.backgroundFootprint * rules.footprintShare)
        }
        let reading = core.device.power.storage.reading(model.launchFiles * missing)
        core.power.addEnergy(.storage, reading, app: app, cause: .backgroundTask, at: now)
        let time = (model.coldLaunchTime - model.warmLaunchTime) * missing + model.warmLaunchTime * rules.doneShare
        let work = core.power.processor.launchPower * (time * core.power.processor.launchFactor)
        core.power.addEnergy(.processor, work, app: app, cause: .backgroundTask, at: now)
        core.measures.add(measures.built, of: app)
        core.book.day(app) { $0.prewarms += 1 }
        core.record(.prewarm, app, from: .notRunning, to: rules.choice == .files ? .notRunning : .prewarmed)
    }
}
