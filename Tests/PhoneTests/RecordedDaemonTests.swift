// SPDX-License-Identifier: GPL-3.0-or-later
import Behaviours
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Daemons with limits, sizes and relaunches as reports and tables have them.
@Suite struct RecordedDaemonTests {
    private static func device(change: (inout DeviceModel) -> Void = { _ in }) -> DeviceModel {
        var device = TestWorld.device()
        device.daemons.isPopulated = true
        device.daemons.isAsRecorded = true
        change(&device)
        return device
    }

    private static var processes: [SystemProcess] {
        var population = SystemPopulation()
        (population.isPopulated, population.isAsRecorded) = (true, true)
        return population.processes(filling: .mebibytes(2098))
    }

    @Test func `as many daemons have limits as in the table, soft at work and fatal when idle`() {
        for (kind, share) in [(SystemProcess.Kind.idleExit, 0.64), (.working, 0.78), (.core, 0.85)] {
            let all = Self.processes.filter { $0.kind == kind }
            let limited = all.filter { $0.activeLimit != .standard }
            #expect(abs(Double(limited.count) / Double(all.count) - share) < 0.06, "\(kind)")
            #expect(limited.allSatisfy { !$0.activeLimit.isFatal && $0.inactiveLimit.isFatal })
            #expect(limited.allSatisfy { $0.footprint <= $0.activeLimit.size })
            #expect(limited.allSatisfy { $0.inactiveLimit.size <= $0.activeLimit.size })
            #expect(limited.allSatisfy { $0.inactiveLimit.size >= $0.footprint })
        }
        #expect(Self.processes.filter { $0.kind == .appExtension }.allSatisfy { $0.activeLimit == .standard })
    }

    @Test func `the middle idle daemon fills a sixth of its limit, as in the report`() {
        let fills = Self.processes.filter { $0.kind == .idleExit && $0.activeLimit != .standard }
            .map { $0.footprint / $0.activeLimit.size }.sorted()
        // The joined rows have a median of 0.177 and a ninth decile of 0.585; limits are whole mebibytes, at least 4.
        #expect((0.14...0.20).contains(fills[fills.count / 2]))
        #expect((0.45...0.66).contains(fills[fills.count * 9 / 10]))
    }

    @Test func `a share of the idle daemons is eager, and none of the others`() {
        let eager = Self.processes.filter(\.isEager)
        #expect((12...14).contains(eager.count) && eager.allSatisfy { $0.kind == .idleExit })
    }

    @Test func `the largest of as many spells as a report spans has the recorded distribution`() {
        // 3.6 spells.
        let gap = SimDuration.hours(43 / 3.6)
        #expect(RecordedDaemons.spellFactor(0, gap: gap) == 1)
        #expect(abs(RecordedDaemons.spellFactor(0.5, gap: gap) - 1.0173) < 1e-4)
        #expect(abs(RecordedDaemons.spellFactor(0.9, gap: gap) - 1.1816) < 1e-3)
        // The largest of all: 13.096 at the end, and 1.972 where nine of ten lifetimes stay below.
        #expect(abs(RecordedDaemons.spellFactor(0.971_158, gap: gap) - 1.972) < 0.002)
        #expect(abs(RecordedDaemons.spellFactor(0.999_999_9, gap: gap) - 13.096) < 0.01)
        // Of four times as many spells the largest is the same: none of them exceeds 1.972 in nine of ten lifetimes.
        #expect(abs(RecordedDaemons.spellFactor(0.992_710_17, gap: gap * 0.25) - 1.972) < 0.002)
    }

    @Test func `daemons die of their limits a few times a day, idle ones at the limit, others above a mark`() {
        let collector = RowCollector()
        let specification = TestWorld.specification(device: Self.device(), days: 6, tables: [.events])
        let outcome = simulate(specification, sink: collector)
        #expect((0.5...9).contains(outcome("kills_highwater_per_day")))
        #expect((1.5...12).contains(outcome("kills_per_process_limit_per_day")))
        let daemons = specification.systemProcesses
        func size(_ row: EventRow) -> (footprint: Double, model: SystemProcess) {
            (row.footprintMiB, daemons[Int(row.app.index) - specification.apps.count])
        }
        for row in collector.events where row.reason == .perProcessLimit {
            #expect(size(row).footprint > size(row).model.inactiveLimit.size.mebibytes)
            #expect(row.band == 0)
        }
        for row in collector.events where row.reason == .highwater {
            #expect(size(row).footprint > size(row).model.inactiveLimit.size.mebibytes)
        }
        let decided = outcome("policy_decided_kill_share")
        let all = collector.events.filter { $0.event == .exit && $0.reason != nil }
        let chosen = all.filter { $0.reason?.isChosenByPolicy == true }
        #expect(abs(decided - Double(chosen.count) / Double(all.count)) < 1e-12 && decided < 1)
    }

    @Test func `launchd starts no job twice within ten seconds`() throws {
        var phone = Phone(TestWorld.specification(device: Self.device(), days: 1), sink: nil)
        phone.start()
        let index = try #require(phone.core.daemons.firstIndex { $0.kind == .core })
        let id = AppID(phone.core.apps.count + index)
        phone.run(until: .seconds(4))
        #expect(phone.core.processes.jettison(id, at: phone.core.now) == nil)
        phone.behaviours.propagate(&phone.core)
        phone.run(until: .seconds(9.9))
        #expect(!phone.core.processes.isAlive(id))
        phone.run(until: .seconds(10))
        #expect(phone.core.processes.isAlive(id))
        // Later than ten seconds after its start it is back at once.
        phone.run(until: .seconds(100))
        #expect(phone.core.processes.jettison(id, at: phone.core.now) == nil)
        phone.behaviours.propagate(&phone.core)
        phone.run(until: .seconds(100.001))
        #expect(phone.core.processes.isAlive(id))
    }

    @Test func `launchd waits longer and longer for a job that dies again and again`() throws {
        var phone = Phone(TestWorld.specification(device: Self.device(), days: 1), sink: nil)
        phone.start()
        let index = try #require(phone.core.daemons.firstIndex { $0.kind == .core })
        let id = AppID(phone.core.apps.count + index)
        // Killed a tenth of a second after each of its starts: 12 starts 10 s apart, then 20, 40 and 80 s.
        var starts: [Double] = [0]
        var now = SimTime.zero
        while starts.count < 15 {
            now += .milliseconds(100)
            phone.run(until: now)
            guard phone.core.processes.isAlive(id) else { continue }
            if now.seconds - (starts.last ?? 0) > 1 { starts.append(now.seconds.rounded(.down)) }
            #expect(phone.core.processes.jettison(id, at: phone.core.now) == nil)
            phone.behaviours.propagate(&phone.core)
        }
        #expect(starts == [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 160, 240, 400])
    }

    @Test func `a leaker dies at the device's limit once and begins afresh`() {
        let collector = RowCollector()
        let device = Self.device { $0.daemons.leakPerDay = .gibibytes(2) }
        let specification = TestWorld.specification(device: device, days: 1.5, tables: [.events])
        _ = simulate(specification, sink: collector)
        let last = specification.systemProcesses.lastIndex { $0.kind == .core } ?? 0
        let leaker = AppID(specification.apps.count + last)
        let ends = collector.events.filter { $0.app == leaker && $0.event == .exit }
        #expect(ends.map(\.reason) == [.perProcessLimit])
        #expect(ends.allSatisfy { (2068...2070).contains($0.footprintMiB) })
        // Nobody touches what has leaked: most of it is compressed by then, as in reports.
        #expect(ends.allSatisfy { $0.residentMiB < 0.5 * $0.footprintMiB })
    }

    @Test func `a daemon of a report that had leaked comes back no larger than others of its kind`() {
        var traits = ProcessTraits()
        (traits.isManaged, traits.isTracked, traits.band) = (false, true, 140)
        traits.activeLimit = MemoryLimit(.mebibytes(300), isFatal: false)
        traits.inactiveLimit = traits.activeLimit
        var device = TestWorld.device()
        device.memory.systemFootprint = .mebibytes(400)
        let standing = StartingProcess(traits: traits, footprint: .mebibytes(1500), age: .hours(40))
        device.daemons.listed = [SystemProcess(standing: standing, named: "leaked", gap: .hours(12))]
        let collector = RowCollector()
        let specification = TestWorld.specification(device: device, days: 2, tables: [.events])
        _ = simulate(specification, sink: collector)
        let leaked = AppID(specification.apps.count)
        // It dies of its mark as soon as memory is short, and never again.
        let ends = collector.events.filter { $0.app == leaked && $0.event == .exit }
        #expect(ends.map(\.reason) == [.highwater])
    }

    @Test func `incidents come at their rates, each under its reason`() {
        let device = Self.device {
            $0.incidents.jettisons = 40
            $0.incidents.vnodeLimits = 40
            $0.incidents.zoneExhaustions = 40
            $0.incidents.compressorThrashing = 40
            $0.incidents.pageoutStarvation = 40
            $0.incidents.fileThrashing = 40
        }
        let outcome = simulate(TestWorld.specification(device: device, days: 4))
        // Poisson with mean 160 over four days: five standard errors of a day's mean are 16; some daemons do not run.
        for name in ["vnode_limit", "zone_map_exhaustion", "vm_compressor_thrashing", "fc_thrashing"] {
            #expect((24...56).contains(outcome("kills_\(name)_per_day")), "\(name)")
        }
        #expect((15...56).contains(outcome("kills_jettisoned_per_day")))
        #expect((24...56).contains(outcome("kills_vm_pageout_starvation_per_day")))
    }

    @Test func `an app that leaks dies of its limit on screen and begins afresh`() {
        let collector = RowCollector()
        let apps = [
            TestWorld.app("leaks") { app in
                app.leakPerHour = .gibibytes(60)
                app.footprintSigma = 0
            }
        ]
        // Memory enough, so that nobody dies for want of it.
        var device = TestWorld.device(ram: .gibibytes(12))
        device.memory.perProcessLimit = .mebibytes(2068)
        let specification = TestWorld.specification(apps: apps, device: device, days: 3, tables: [.events])
        let outcome = simulate(specification, sink: collector)
        let deaths = collector.events.filter { $0.reason == .perProcessLimit && $0.app == AppID(0) }
        #expect(!deaths.isEmpty && outcome("exits_fg_memory_limit_per_day") * 3 == Double(deaths.count))
        #expect(deaths.allSatisfy { (2068...2069).contains($0.footprintMiB) && $0.from.isForeground })
        // 220 MiB and 1 GiB a minute: no death sooner than two minutes after the launch before it.
        let launches = collector.events.filter { $0.event == .launch && $0.launchKind != .resume }.map(\.time)
        for death in deaths {
            let launch = launches.last { $0 < death.time } ?? .zero
            #expect(death.time - launch > .seconds(119))
        }
    }

    @Test func `an app that leaks and drops nothing is warned once a life, within 100 MiB of its limit`() {
        let collector = RowCollector()
        // 85.3 MiB a minute, less than the 100 MiB below the limit in which it is warned.
        let apps = [
            TestWorld.app("leaks") { app in
                app.leakPerHour = .gibibytes(5)
                app.warningDrop = 0
                app.footprintSigma = 0
            }
        ]
        var device = TestWorld.device(ram: .gibibytes(12))
        device.memory.perProcessLimit = .mebibytes(2068)
        let specification = TestWorld.specification(apps: apps, device: device, days: 3, tables: [.events])
        let outcome = simulate(specification, sink: collector)
        let warnings = collector.events.filter { $0.event == .memoryWarning && $0.app == AppID(0) }
        let deaths = collector.events.filter { $0.reason == .perProcessLimit && $0.app == AppID(0) }
        #expect(!deaths.isEmpty && outcome("memory_warnings_per_day") * 3 == Double(warnings.count))
        #expect(warnings.allSatisfy { (1968..<2053.4).contains($0.footprintMiB) })
        // One more when the last life is not over.
        #expect((0...1).contains(warnings.count - deaths.count))
    }

    @Test func `an app grows by its share of an hour, and is trimmed when it is left`() throws {
        let apps = [
            TestWorld.app("grows") { app in
                app.growthPerHour = 6
                app.footprintSigma = 0
            }
        ]
        var phone = Phone(TestWorld.specification(apps: apps, days: 1), sink: nil)
        phone.start()
        let id = AppID(0)
        var largest = 0.0
        for step in 1..<8640 {
            phone.run(until: .seconds(10 * Double(step)))
            guard phone.core.processes.isAlive(id) else { continue }
            largest = max(largest, phone.core.processes.footprint(of: id).mebibytes)
        }
        // A tenth of 220 MiB a minute: after one minute 242 MiB, and 30 minutes on screen at most, a cap of visits.
        #expect(largest > 241.9 && largest < 220 * 4.1)
    }
}
