// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Behaviours
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

@Suite struct SystemPopulationTests {
    private func device(change: (inout DeviceModel) -> Void = { _ in }) -> DeviceModel {
        var device = TestWorld.device()
        device.daemons.isPopulated = true
        change(&device)
        return device
    }

    @Test func `a phone of 4 GB runs the daemons of the report, in as much memory`() {
        var population = SystemPopulation()
        population.isPopulated = true
        let processes = population.processes(filling: .mebibytes(2098))
        func count(_ kind: SystemProcess.Kind) -> Int { processes.count { $0.kind == kind } }
        #expect(count(.idleExit) == 265)
        #expect(count(.working) == 37)
        #expect(count(.core) == 58)
        #expect(count(.appExtension) == 26)
        let daemons = processes.filter { $0.kind != .appExtension }.map(\.footprint.mebibytes).sorted()
        #expect(abs(daemons.reduce(0, +) - 2098) < 1)
        #expect((3.3...3.9).contains(daemons[daemons.count / 2]))
        #expect(Set(processes.map(\.name)).count == processes.count)
        #expect(processes.filter { $0.band == 140 }.count == 33)
    }

    @Test func `services of apps come on top of the daemons, in the sizes of the report`() throws {
        var population = SystemPopulation()
        (population.isPopulated, population.isAsRecorded) = (true, true)
        let without = population.processes(filling: .mebibytes(2098))
        population.services = 35
        let processes = population.processes(filling: .mebibytes(2098))
        #expect(Array(processes.prefix(without.count)) == without)
        let services = processes.dropFirst(without.count)
        #expect(services.map(\.name) == (1...35).map { "service-\($0)" })
        #expect(services.allSatisfy { $0.kind == .service && $0.activeLimit == .standard && !$0.isEager })
        let sizes = services.map(\.footprint.mebibytes)
        #expect(abs(sizes[17] - 10.16) < 0.01 && abs(sizes.reduce(0, +) - 353) < 10, "\(sizes)")
        #expect(population.processes(filling: .mebibytes(1049)).count { $0.kind == .service } == 18)
        // The 61 of the report that are no apps: a tenth below, median, a tenth above.
        let ofApps = processes.filter { $0.kind == .appExtension || $0.kind == .service }
        let all = ofApps.map(\.footprint.mebibytes).sorted()
        #expect(all.count == 61)
        for (index, recorded) in [(6, 3.7), (30, 10.55), (54, 19.6)] {
            #expect(abs(all[index] / recorded - 1) < 0.06, "\(all[index]) for \(recorded)")
        }
    }

    @Test func `a service waits in the idle band, works at times, and is not frozen by itself`() throws {
        let device = device {
            $0.daemons.services = 35
            $0.os = .ios18Point4(ram: .gibibytes(4))
        }
        var phone = Phone(TestWorld.specification(device: device, days: 1), sink: nil)
        phone.start()
        let first = phone.core.apps.count
        let service = AppID(first + (try #require(phone.core.daemons.lastIndex { $0.kind == .service })))
        let other = AppID(first + (try #require(phone.core.daemons.lastIndex { $0.kind == .appExtension })))
        #expect(phone.core.processes.state(of: service) == .suspended)
        phone.behaviours.daemons.timer(service, &phone.core)
        #expect(phone.core.processes.state(of: service) == .background && phone.core.processes.band(of: service) == 40)
        phone.behaviours.daemons.timer(service, &phone.core)
        #expect(phone.core.processes.state(of: service) == .suspended)
        let now = phone.core.now
        #expect(phone.core.processes.forceFreeze(other, at: now) == nil)
        #expect(phone.core.processes.forceFreeze(service, at: now) == .notPermitted)
    }

    @Test func `a smaller phone runs fewer daemons, and a block none`() {
        var population = SystemPopulation()
        #expect(population.processes(filling: .gibibytes(2)).isEmpty)
        population.isPopulated = true
        let small = population.processes(filling: .mebibytes(1049))
        #expect(small.count == 133 + 19 + 29 + 13)
    }

    @Test func `daemons are killed before apps that were used last, and come back when they have work`() {
        let collector = RowCollector()
        let specification = TestWorld.specification(device: device(), days: 2, tables: [.events])
        let outcome = simulate(specification, sink: collector)
        let apps = specification.apps.count
        let ends = collector.events.filter { $0.event == .exit && Int($0.app.index) >= apps }
        #expect(!ends.isEmpty)
        #expect(ends.allSatisfy { $0.reason != nil })
        #expect(2 * outcome("system_kills_per_day") == Double(ends.count))
        // Order is the claim: launches of daemons have no rows, but who died twice was back in between.
        #expect(ends.count > Set(ends.map(\.app)).count, "nobody who was killed came back")
    }

    @Test func `an extension that came back before its end was told goes on to rest`() throws {
        var phone = Phone(TestWorld.specification(device: device(), days: 1), sink: nil)
        phone.start()
        let index = try #require(phone.core.daemons.firstIndex { $0.kind == .appExtension })
        let id = AppID(phone.core.apps.count + index)
        #expect(phone.core.processes.state(of: id) == .suspended)
        phone.behaviours.daemons.timer(id, &phone.core)
        #expect(phone.core.processes.state(of: id) == .background)
        let end = ProcessEnd(app: id, outcome: .failed, reopens: false, wasKilled: true)
        phone.behaviours.daemons.processEnded(end, &phone.core)
        phone.behaviours.daemons.timer(id, &phone.core)
        #expect(phone.core.processes.state(of: id) == .suspended)
    }

    @Test func `apps are counted without daemons`() {
        let collector = RowCollector()
        _ = simulate(TestWorld.specification(device: device(), days: 1, tables: [.deviceHours]), sink: collector)
        #expect(collector.hours.allSatisfy { $0.residentApps <= 40 && $0.suspendedApps <= $0.residentApps })
        #expect(collector.hours.contains { $0.suspendedApps > 0 })
    }

    @Test func `a leak takes the memory of all others`() {
        var kills: [Double] = []
        for leak in [ByteCount.zero, .gibibytes(2)] {
            let device = device { $0.daemons.leakPerDay = leak }
            let outcome = simulate(TestWorld.specification(device: device, days: 2, warmup: .days(1)))
            kills.append(outcome("system_kills_per_day") + outcome("kills_per_day"))
        }
        // Order is the claim: 2 GiB a day make room by the deaths of apps and of the leaker itself.
        #expect(kills[1] > 2 * kills[0])
    }

    @Test func `the daemons' work does not depend on the policy`() {
        func fingerprint(_ eviction: String) -> UInt64 {
            simulate(TestWorld.specification(device: device(), days: 1, eviction: eviction)).workloadFingerprint
        }
        #expect(fingerprint("jetsam") == fingerprint("lru"))
    }
}
