// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Disk
import LifeCycle
import Power
import Processes
import Quantities
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Kills a candidate in every so many questions, after any change of any process, however much memory there is.
struct Adversary: EvictionPolicy {
    /// Who dies first.
    enum Order: CaseIterable {
        /// Who was launched last: the one that is being launched.
        case newest
        /// Whose band was set last: the one that is being moved.
        case touched
        /// Who is largest: the one that grows.
        case largest
        case random
    }

    let order: Order
    /// Anybody may die in each so-many-th question; all who are left, in every one.
    let every: Int
    private var asked = 0
    private var random: PolicyRandom

    init(_ order: Order, every: Int, seed: UInt64) {
        (self.order, self.every) = (order, every)
        random = PolicyRandom(seed: seed)
    }

    var replacesTrigger: Bool { true }

    mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        switch order {
        case .newest: -candidate.launched.seconds
        case .touched: -candidate.bandSet.seconds
        case .largest: -candidate.footprint.mebibytes
        case .random: random.nextUniform()
        }
    }

    mutating func highestRankToDie(_ memory: MemoryView, at now: SimTime) -> Double? {
        asked += 1
        return asked.isMultiple(of: every) ? .infinity : nil
    }
}

/// Lets work begin, or makes it wait for any change or any time, by chance.
struct Whim: SchedulingPolicy {
    private var random: PolicyRandom

    init(seed: UInt64) { random = PolicyRandom(seed: seed) }

    mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        let draw = random.nextUniform()
        if draw < 0.4 { return .proceed(.immediate) }
        let wait = SimDuration.hours(3 * random.nextUniform())
        return draw < 0.7
            ? .wait(.backOff, until: device.now + wait)
            : .wait(.backOff, until: device.now + wait, or: ConditionChanges(rawValue: UInt16.max))
    }
}

/// A phone on which everything happens that the model knows.
enum BusyWorld {
    static func app(_ rank: Int) -> AppModel {
        TestWorld.app("app-\(rank)", popularity: 1 / Double(rank + 1)) { app in
            let kinds: [ActivityClass] = [.general, .music, .navigation, .camera, .video]
            app.activity = kinds[rank % kinds.count]
            (app.growthPerHour, app.leakPerHour) = (4, .mebibytes(400))
            (app.windows, app.windowMemory, app.warningDrop) = (3, .mebibytes(40), 0.3)
            (app.processingPerDay, app.finishesTask) = (2, rank.isMultiple(of: 2))
            app.saveTime = .seconds(3)
            app.faults.crashesPerHour = 0.5
            (app.faults.workCrashes, app.faults.hangsPerHour, app.faults.holdsLock) = (0.05, 0.3, 0.1)
            (app.faults.leaksTask, app.completionProbability) = (0.2, 0.8)
            var traits = BackgroundTraits()
            (traits.silentPushesPerDay, traits.urgentShare, traits.callsPerDay) = (12, 0.3, 2)
            (traits.reportsCalls, traits.followsLocation, traits.bluetoothEventsPerDay) = (0.8, true, 6)
            (traits.trackingPerDay, traits.trackingPerMove) = (.hours(2), .minutes(5))
            (traits.transfersPerDay, traits.transferBytes) = (6, .mebibytes(3))
            (traits.transferIsDiscretionary, traits.heartbeat) = (rank.isMultiple(of: 3), .minutes(28))
            (traits.alarms.every, traits.broadcasts.perDay) = (.hours(1), 4)
            (traits.hasWidget, traits.hasNotificationService) = (true, true)
            (traits.continuedShare, traits.continuedBytes) = (0.5, .mebibytes(20))
            (traits.workFootprint, traits.localPerDay) = (.mebibytes(60), 2)
            app.traits = traits
        }
    }

    static func device(_ system: String, ram: ByteCount) -> DeviceModel {
        var device = TestWorld.device(ram: ram)
        guard let profile = OSProfile.named(system, ram: ram) else { preconditionFailure("no system \(system)") }
        device.os = profile
        device.background = BackgroundParameters(profile.family)
        device.background.energyBudget = 200
        device.background.assertionLimit = profile.assertionLength
        device.habits.hasWindows = true
        device.memory.cameraWired = .mebibytes(300)
        (device.daemons.isPopulated, device.daemons.isAsRecorded) = (true, true)
        (device.daemons.services, device.daemons.neededByLaunch) = (20, 5)
        (device.daemons.leakPerDay, device.daemons.eagerShare) = (.gibibytes(1), 0.3)
        device.daemons.extensionGap = .hours(1)
        (device.prewarm.choice, device.prewarm.perDay, device.prewarm.leastLikelihood) = (.likely, 100, 0)
        (device.incidents.jettisons, device.incidents.vnodeLimits, device.incidents.diskShortages) = (9, 9, 9)
        (device.incidents.fileThrashing, device.incidents.zoneExhaustions) = (9, 9)
        (device.incidents.compressorThrashing, device.incidents.pageoutStarvation) = (9, 9)
        (device.helpers.share, device.helpers.photo) = (HelperSet.usualShare, HelperSet.usualPhoto)
        device.helpers.model = HelperSet.usualModel
        device.interruptions = InterruptionParameters()
        device.interruptions?.callsPerDay = 10
        device.interruptions?.alertsPerDay = 10
        (device.restarts.crashesPerMonth, device.restarts.upgradesPerMonth) = (60, 10)
        var disk = DiskParameters()
        (disk.free, disk.purgesRunning, disk.offloads) = (ByteCount(800_000_000), true, true)
        device.disk = disk
        return device
    }

    /// One phone, with the policies of a test.
    static func specification(
        _ system: String, ram: ByteCount, days: Double, seed: UInt64, _ adversary: Adversary
    ) -> RunSpecification {
        var persona = TestWorld.persona
        (persona.background.audioPerDay, persona.background.navigationPerDay) = (.hours(3), .hours(1))
        (persona.forceQuitsPerDay, persona.interruptionsPerScreenHour) = (6, 10)
        var specification = TestWorld.specification(
            apps: (0..<24).map(app), persona: persona, device: device(system, ram: ram), days: days, seed: seed,
            tables: [.events, .requests, .decisions])
        specification.makeEviction = { _ in adversary }
        specification.makeScheduling = { Whim(seed: $0) }
        return specification
    }
}
