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
    /// A helper has done its work, or has waited long enough for more.
    @inlinable public static var helper: AppTimer { AppTimer(25) }
    /// A helper is needed, whatever the user does.
    @inlinable public static var helperNeeded: AppTimer { AppTimer(26) }
}

/// Processes that come when they are needed and go again: extensions that share and edit photos, and the service that
/// holds a model on the device (`HelperSet`).
///
/// At work an extension stands in the band of the app on screen, which it works for, and the service in that of work in
/// the background (assumption); afterwards both are idle, the first to die. One that dies of its limit at work has
/// failed its user.
package struct Helpers {
    /// What helpers measure.
    package struct Measures: Sendable {
        let uses: Count
        let failures: Count

        package init(_ builder: inout MeasureBuilder) {
            uses = builder.perDay(
                "helper_uses_per_day", .neutral, "times that an extension or the service of a model was set to work")
            failures = builder.perDay(
                "helper_failures_per_day", .lower,
                "times that an extension or the service of a model died at work, of its limit or for want of memory")
        }
    }

    /// What a helper is at.
    private enum Phase {
        case none, working, waiting
    }

    /// What all helpers start with until they grow to what they need.
    private static let page = ByteCount(16384)

    private let measures: Measures
    private let figures: [HelperParameters]
    private let isSeen: [Bool]
    private let first: Int
    private var phases: [Phase]
    /// Whether the visit at hand will have it started.
    private var isWanted: [Bool]
    private var visits: [RandomStream] = []
    private var needs: [RandomStream] = []
    private var sizes: [RandomStream] = []

    package init(_ core: borrowing PhoneCore, _ measures: Measures) {
        self.measures = measures
        let all = core.device.helpers.all
        figures = all.map(\.figures)
        isSeen = all.map(\.isSeen)
        first = core.apps.count + core.daemons.count - all.count
        phases = Array(repeating: .none, count: all.count)
        isWanted = Array(repeating: false, count: all.count)
        for helper in all {
            visits.append(core.stream(helper.name, "visits"))
            needs.append(core.stream(helper.name, "needs"))
            sizes.append(core.stream(helper.name, "sizes"))
        }
    }

    private func process(_ index: Int) -> AppID { AppID(first + index) }

    /// Enters when each is needed for the first time.
    package mutating func start(_ core: inout PhoneCore) {
        for index in figures.indices { scheduleNeed(index, &core) }
    }

    private mutating func scheduleNeed(_ index: Int, _ core: inout PhoneCore) {
        guard figures[index].perDay > 0 else { return }
        core.engine.schedule(
            Slots.app(process(index), .helperNeeded),
            after: .day * needs[index].exponential(mean: 1 / figures[index].perDay), class: EventClass.work)
    }

    /// One is needed, whatever the user does.
    package mutating func neededTimer(_ id: AppID, _ core: inout PhoneCore) {
        let index = Int(id.index) - first
        scheduleNeed(index, &core)
        use(index, &core)
    }

    /// Draws what a visit needs, alike whatever the policies did.
    package mutating func drawVisit() {
        for index in figures.indices where figures[index].openShare > 0 {
            isWanted[index] = visits[index].uniform() < figures[index].openShare
        }
    }

    /// An app is on screen, and active.
    package mutating func active(_ core: inout PhoneCore) {
        for index in isWanted.indices where isWanted[index] {
            isWanted[index] = false
            use(index, &core)
        }
    }

    /// Starts it, unless it is there, and sets it to work.
    private mutating func use(_ index: Int, _ core: inout PhoneCore) {
        guard !core.power.isDead, phases[index] != .working else { return }
        core.catchUp()
        let id = process(index)
        core.measures.add(measures.uses)
        record(.helperUsed, id, &core)
        phases[index] = .working
        let isNew = !core.processes.isAlive(id)
        guard !isNew || spawn(index, &core) else { return }
        core.recordUse(of: id)
        let band = isSeen[index] ? core.device.os.foregroundBand : core.device.os.workingBand
        guard core.assert(band: band, of: id) else { return }
        let work = core.power.processor.workPower * (figures[index].time * figures[index].load)
        let cause: Cause = isSeen[index] ? .foreground : .backgroundTask
        core.power.addEnergy(.processor, work, app: .system, cause: cause, at: core.now)
        core.engine.schedule(Slots.app(id, .helper), after: figures[index].time, class: EventClass.work)
        guard isNew else { return }
        let reading = core.device.power.storage.reading(figures[index].files)
        core.power.addEnergy(.storage, reading, app: .system, cause: cause, at: core.now)
        let size = figures[index].memory * exp(figures[index].sigma * sizes[index].normal())
        // The last that happens to it here: `processEnded` sees to one that dies of it.
        _ = core.setFootprint(of: id, to: max(Self.page, size))
    }

    /// Starts its process; false when it died of that.
    private func spawn(_ index: Int, _ core: inout PhoneCore) -> Bool {
        var traits = ProcessTraits()
        traits.isFreezable = false
        // A service of the system without a limit of its own may take all memory, as core daemons may.
        let limit = figures[index].limit
        traits.activeLimit = MemoryLimit(limit > .zero ? limit : core.device.memory.ram, isFatal: limit > .zero)
        traits.inactiveLimit = traits.activeLimit
        core.liveDaemons += 1
        return core.spawn(process(index), traits, footprint: Self.page)
    }

    /// It has done its work and waits for more, or goes.
    package mutating func timer(_ id: AppID, _ core: inout PhoneCore) {
        core.catchUp()
        let index = Int(id.index) - first
        guard core.processes.isAlive(id) else { return }
        if phases[index] == .working, figures[index].stays > .zero {
            phases[index] = .waiting
            guard core.dropAssertion(of: id) else { return }
            core.engine.schedule(Slots.app(id, .helper), after: figures[index].stays, class: EventClass.work)
        } else {
            phases[index] = .none
            core.terminate(id)
        }
    }

    /// Jetsam killed one; whatever else ended is none of it.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        let index = Int(end.app.index) - first
        guard index >= 0, !core.processes.isAlive(end.app) else { return }
        core.engine.cancel(Slots.app(end.app, .helper))
        if phases[index] == .working {
            core.measures.add(measures.failures)
            record(.helperFailed, end.app, &core)
        }
        phases[index] = .none
    }

    /// The phone goes off, and its processes with it.
    package mutating func losePower(_ core: inout PhoneCore) {
        for index in phases.indices {
            core.engine.cancel(Slots.app(process(index), .helper))
            phases[index] = .none
        }
    }

    private func record(_ event: EventName, _ id: AppID, _ core: inout PhoneCore) {
        let state = core.processes.state(of: id)
        core.record(event, id, from: state, to: state)
    }
}
