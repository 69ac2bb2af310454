// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Measures
import PhoneCore
import Platform
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension AppTimer {
    /// A helper has finished its work, has waited long enough for more work, or must be started again.
    @inlinable public static var helper: AppTimer { AppTimer(25) }
    /// A helper is needed for a reason other than a visit.
    @inlinable public static var helperNeeded: AppTimer { AppTimer(26) }
}

/// Processes that run on demand: the system's helpers for all apps (`HelperSet`), and the processes of an app besides
/// its main process (`AppProcess`).
///
/// Assumption: while a helper works, it has the band of the app on screen if the user sees its work. Otherwise, it has
/// the band of background work. After their work, helpers are idle and are killed first. A helper that is killed while
/// it works counts as a failure.
///
/// A tunnel and a sticky service restart after 1 s. Each time that the process lives for less than a minute, the delay
/// becomes four times as long, up to an hour. This is Android's rule for services (`ActiveServices.java`, without the
/// limit), and an assumption for iOS.
package struct Helpers {
    /// Measures of helpers.
    package struct Measures: Sendable {
        let uses: Count
        let failures: Count
        let ofApps: AppCount
        let down: AppCount

        package init(_ builder: inout MeasureBuilder) {
            uses = builder.perDay(
                "helper_uses_per_day", .neutral,
                "starts of work by extensions, services and other helper processes")
            failures = builder.perDay(
                "helper_failures_per_day", .lower,
                "deaths of extensions, services and other helper processes during their work, because of their limit "
                    + "or because memory was short")
            ofApps = builder.perDayOfApp(
                "process_failures_per_day", .lower,
                "the failures in helper_failures_per_day that affect an app: its alert was shown without the "
                    + "extension's changes, its widget kept old content, or its keyboard, tunnel, service or child "
                    + "process was gone")
            down = builder.perDayOfApp(
                "process_down_s_per_day", unit: "s/d", .lower,
                "time for which the process of a tunnel or sticky service did not run although the phone was on; "
                    + "counted on the day on which the process runs again or the phone goes off")
        }
    }

    /// Activity of a helper.
    private enum Phase {
        case none, working, waiting
    }

    /// State of a helper that changes during a run.
    private struct State {
        var phase = Phase.none
        /// Whether the present visit starts the helper.
        var isWanted = false
        /// When the helper was last started.
        var started = SimTime.zero
        /// When a helper that should always run ended; nil while it runs.
        var died: SimTime?
        /// Delay until the helper is started again.
        var delay = Helpers.firstDelay
        var visits: RandomStream
        var needs: RandomStream
        var sizes: RandomStream
    }

    /// Memory of a helper at its start, before it grows to its drawn size.
    private static let page = ByteCount(16384)
    private static let firstDelay = SimDuration.seconds(1)
    private static let longestDelay = SimDuration.hours(1)
    /// Shortest lifetime after which a helper restarts with the first delay again.
    private static let steady = SimDuration.minutes(1)

    private let measures: Measures
    private let helpers: [Helper]
    private var states: [State]
    private let first: Int
    private let childLimit: Int
    /// Whether any helper is drawn for visits, and whether any helper belongs to an app.
    private let hasDrawn: Bool
    private let hasOwned: Bool

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        helpers = core.device.helpers(of: core.apps)
        first = core.apps.count + core.daemons.count - helpers.count
        childLimit = core.device.helpers.childLimit
        hasDrawn = helpers.contains { $0.figures.openShare > 0 }
        hasOwned = helpers.contains { $0.owner != .system }
        states = []
        for helper in helpers {
            states.append(
                State(
                    visits: core.stream(helper.name, "visits"), needs: core.stream(helper.name, "needs"),
                    sizes: core.stream(helper.name, "sizes")))
        }
    }

    private func process(_ index: Int) -> AppID { AppID(first + index) }

    // MARK: When they are needed

    /// Starts the helpers that always run, and schedules when each helper is needed for the first time.
    package mutating func start(_ core: inout PhoneCore) {
        for index in helpers.indices { scheduleNeed(index, &core) }
        startStanding(&core)
    }

    /// Starts the helpers that run as long as the phone is on.
    package mutating func startStanding(_ core: inout PhoneCore) {
        for index in helpers.indices where helpers[index].need == .always { use(index, &core) }
    }

    private mutating func scheduleNeed(_ index: Int, _ core: inout PhoneCore) {
        guard helpers[index].figures.perDay > 0 else { return }
        core.engine.schedule(
            Slots.app(process(index), .helperNeeded),
            after: .day * states[index].needs.exponential(mean: 1 / helpers[index].figures.perDay),
            class: EventClass.work)
    }

    /// Starts a helper that is needed for a reason other than a visit.
    package mutating func neededTimer(_ id: AppID, _ core: inout PhoneCore) {
        let index = Int(id.index) - first
        scheduleNeed(index, &core)
        use(index, &core)
    }

    /// Draws which helpers a visit needs; the draws do not depend on the policies.
    package mutating func drawVisit() {
        guard hasDrawn else { return }
        for index in helpers.indices where helpers[index].figures.openShare > 0 {
            states[index].isWanted = states[index].visits.uniform() < helpers[index].figures.openShare
        }
    }

    /// Starts the helpers that an active app on screen needs.
    package mutating func active(_ app: AppID, _ core: inout PhoneCore) {
        for index in helpers.indices {
            guard states[index].isWanted || helpers[index].owner == app && beginsWithVisit(index) else { continue }
            states[index].isWanted = false
            use(index, &core)
        }
    }

    /// Whether a helper starts its work when the user visits the helper's app.
    ///
    /// A helper that always runs starts with the first visit after an install.
    private func beginsWithVisit(_ index: Int) -> Bool {
        switch helpers[index].need {
        case .onScreen, .untilAppEnds: true
        case .always: states[index].died == nil
        case .asked, .onlyAsStated: false
        }
    }

    /// Starts an app's processes of one kind, because the app requests them.
    package mutating func asked(_ app: AppID, _ kind: AppProcess.Kind, _ core: inout PhoneCore) {
        for index in helpers.indices where helpers[index].owner == app && helpers[index].kind == kind {
            use(index, &core)
        }
    }

    // MARK: Work

    /// Starts a helper if it is not running, and gives it work.
    private mutating func use(_ index: Int, _ core: inout PhoneCore) {
        let helper = helpers[index]
        guard !core.power.isDead, helper.owner == .system || core.hasApp(helper.owner) else { return }
        core.catchUp()
        let id = process(index)
        if states[index].phase == .working {
            // Children of an app that returns to the screen get its band again.
            if helper.need == .untilAppEnds { _ = core.assert(band: core.device.os.foregroundBand, of: id) }
            return
        }
        core.measures.add(measures.uses)
        record(.helperUsed, id, &core)
        endDownTime(index, &core)
        states[index].phase = .working
        let isNew = !core.processes.isAlive(id)
        guard !isNew || spawn(index, &core) else { return }
        core.recordUse(of: id)
        let isSeen = helper.isSeen || helper.need == .untilAppEnds
        let band = isSeen ? core.device.os.foregroundBand : core.device.os.workingBand
        guard core.assert(band: band, of: id) else { return }
        let figures = helper.figures
        let work = core.power.processor.workPower * (figures.time * figures.load)
        let cause: Cause = isSeen ? .foreground : .backgroundTask
        core.power.addEnergy(.processor, work, app: helper.owner, cause: cause, at: core.now)
        if helper.need == .asked || helper.need == .onlyAsStated {
            core.engine.schedule(Slots.app(id, .helper), after: figures.time, class: EventClass.work)
        } else {
            core.engine.cancel(Slots.app(id, .helper))
        }
        guard isNew else { return }
        let reading = core.device.power.storage.reading(figures.files)
        core.power.addEnergy(.storage, reading, app: helper.owner, cause: cause, at: core.now)
        let size = figures.memory * exp(figures.sigma * states[index].sizes.normal())
        // If this kills the process, `processEnded` handles the kill.
        guard core.setFootprint(of: id, to: max(Self.page, size)), helper.need == .untilAppEnds else { return }
        trimChildren(&core)
    }

    /// Starts the process of a helper; returns false if the start killed it.
    private mutating func spawn(_ index: Int, _ core: inout PhoneCore) -> Bool {
        var traits = ProcessTraits()
        traits.isFreezable = false
        // A helper without its own limit may use all memory, like core daemons.
        let limit = helpers[index].figures.limit ?? .zero
        traits.activeLimit = MemoryLimit(limit > .zero ? limit : core.device.memory.ram, isFatal: limit > .zero)
        traits.inactiveLimit = traits.activeLimit
        core.liveDaemons += 1
        states[index].started = core.now
        return core.spawn(process(index), traits, footprint: Self.page)
    }

    /// Kills child processes while their number is above the limit for all apps together.
    ///
    /// The children of the apps in the lowest band are killed first, and among these the oldest
    /// (`PhantomProcessList.trimPhantomProcessesIfNecessary`).
    private mutating func trimChildren(_ core: inout PhoneCore) {
        guard childLimit > 0 else { return }
        var living = helpers.indices.filter {
            helpers[$0].need == .untilAppEnds && core.processes.isAlive(process($0))
        }
        while living.count > childLimit {
            let victim = living.min { left, right in
                let bands = (
                    core.processes.band(of: helpers[left].owner), core.processes.band(of: helpers[right].owner)
                )
                return bands.0 == bands.1 ? states[left].started < states[right].started : bands.0 < bands.1
            }
            guard let victim else { return }
            core.jettison(process(victim))
            living.removeAll { $0 == victim || !core.processes.isAlive(process($0)) }
        }
    }

    // MARK: The end of work

    /// Handles the timer of a helper, which then waits for more work, ends, or restarts if it should always run.
    package mutating func timer(_ id: AppID, _ core: inout PhoneCore) {
        core.catchUp()
        let index = Int(id.index) - first
        if helpers[index].need == .always { return use(index, &core) }
        rest(index, &core)
    }

    /// Makes a helper wait for more work for some time, or ends it.
    private mutating func rest(_ index: Int, _ core: inout PhoneCore) {
        let id = process(index)
        guard core.processes.isAlive(id) else { return }
        if states[index].phase == .working, helpers[index].figures.stays > .zero {
            states[index].phase = .waiting
            guard core.dropAssertion(of: id) else { return }
            core.engine.schedule(Slots.app(id, .helper), after: helpers[index].figures.stays, class: EventClass.work)
        } else {
            end(index, &core)
        }
    }

    private mutating func end(_ index: Int, _ core: inout PhoneCore) {
        states[index].phase = .none
        core.engine.cancel(Slots.app(process(index), .helper))
        if core.processes.isAlive(process(index)) { core.terminate(process(index)) }
    }

    /// Handles an app that left the screen: helpers bound to it finish, and its children move to the background.
    package mutating func left(_ app: AppID, _ core: inout PhoneCore) {
        guard hasOwned else { return }
        for index in helpers.indices where helpers[index].owner == app && states[index].phase == .working {
            switch helpers[index].need {
            case .onScreen: rest(index, &core)
            case .untilAppEnds: _ = core.dropAssertion(of: process(index))
            case .always, .asked, .onlyAsStated: break
            }
        }
    }

    /// Ends the children and bound helpers of an app after its main process ended.
    package mutating func appEnded(_ app: AppID, _ core: inout PhoneCore) {
        guard hasOwned, !core.processes.isAlive(app) else { return }
        for index in helpers.indices where helpers[index].owner == app && states[index].phase == .working {
            switch helpers[index].need {
            case .onScreen: rest(index, &core)
            case .untilAppEnds: end(index, &core)
            case .always, .asked, .onlyAsStated: break
            }
        }
    }

    /// Ends all processes of an app that the system removes; they start again after the app is back.
    package mutating func removed(_ app: AppID, _ core: inout PhoneCore) {
        for index in helpers.indices where helpers[index].owner == app {
            endDownTime(index, &core)
            end(index, &core)
        }
    }

    /// Handles a helper that Jetsam killed; ends of other processes are ignored.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        let index = Int(end.app.index) - first
        guard index >= 0, !core.processes.isAlive(end.app) else { return }
        core.engine.cancel(Slots.app(end.app, .helper))
        let wasWorking = states[index].phase == .working
        states[index].phase = .none
        guard wasWorking else { return }
        let helper = helpers[index]
        core.measures.add(measures.failures)
        if helper.owner != .system { core.measures.add(measures.ofApps, of: helper.owner) }
        record(.helperFailed, end.app, &core)
        if helper.need == .always { scheduleRestart(index, &core) }
        if helper.figures.endsApp { core.crash(helper.owner, .abnormal) }
    }

    private mutating func scheduleRestart(_ index: Int, _ core: inout PhoneCore) {
        states[index].died = core.now
        if core.now - states[index].started >= Self.steady { states[index].delay = Self.firstDelay }
        core.engine.schedule(
            Slots.app(process(index), .helper), after: states[index].delay, class: EventClass.work)
        states[index].delay = min(states[index].delay * 4, Self.longestDelay)
    }

    /// Ends the down time of a helper that should always run.
    private mutating func endDownTime(_ index: Int, _ core: inout PhoneCore) {
        guard let died = states[index].died else { return }
        states[index].died = nil
        core.measures.add(measures.down, of: helpers[index].owner, (core.now - max(died, core.measures.start)).seconds)
    }

    /// Cancels the timers of all helpers, and ends their down times, when the phone goes off.
    package mutating func losePower(_ core: inout PhoneCore) {
        for index in states.indices {
            endDownTime(index, &core)
            core.engine.cancel(Slots.app(process(index), .helper))
            states[index].phase = .none
        }
    }

    private func record(_ event: EventName, _ id: AppID, _ core: inout PhoneCore) {
        let state = core.processes.state(of: id)
        core.record(event, id, from: state, to: state)
    }
}
