// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

@Suite struct StartStateTests {
    private static func standing(
        _ name: String, _ size: Double, band: Int16, isApp: Bool, isSuspended: Bool = false, idles: Bool = false
    ) -> SystemProcess {
        var traits = ProcessTraits()
        traits.isManaged = isApp
        traits.isTracked = !isApp
        traits.allowsIdleExit = idles
        traits.band = band
        let process = StartingProcess(
            traits: traits, isSuspended: isSuspended, footprint: .mebibytes(size), compressed: .mebibytes(size / 2),
            age: .hours(3), requestedBand: idles ? 30 : nil)
        return SystemProcess(standing: process, named: name, gap: .hours(2))
    }

    /// A phone on which foreign apps and daemons take 1.1 GiB.
    private static var device: DeviceModel {
        var device = TestWorld.device()
        device.memory.systemFootprint = .mebibytes(400)
        device.daemons.listed =
            (0..<10).map { standing("foreign-\($0)", 80, band: 0, isApp: true, isSuspended: true) }
            + (0..<20).map { standing("idled-\($0)", 5, band: 0, isApp: false, idles: true) }
            + [
                standing("screen", 120, band: 100, isApp: true), standing("work", 30, band: 40, isApp: true),
                standing("agent", 20, band: 30, isApp: false), standing("core", 60, band: 140, isApp: false),
            ]
        return device
    }

    @Test func `kinds follow from traits and bands`() {
        let kinds = Self.device.daemons.processes(filling: .gibibytes(1)).map(\.kind)
        #expect(kinds[0] == .residentApp && kinds[10] == .idleExit)
        #expect(Array(kinds.suffix(4)) == [.residentApp, .residentApp, .working, .core])
    }

    @Test func `foreign apps die for want of memory and stay away, daemons come back`() throws {
        let collector = RowCollector()
        let specification = TestWorld.specification(device: Self.device, days: 2, tables: [.events])
        let outcome = simulate(specification, sink: collector)
        let first = specification.apps.count
        let ends = collector.events.filter { $0.event == .exit && Int($0.app.index) >= first }
        let apps = ends.filter { (first..<(first + 10)).contains(Int($0.app.index)) }
        #expect(!apps.isEmpty)
        #expect(Set(apps.map(\.app)).count == apps.count, "a foreign app died twice")
        #expect(outcome("system_kills_per_day") * 2 == Double(ends.count { $0.reason != nil }))
        // The head of the queue of band 0 dies first.
        #expect(Int(try #require(apps.first).app.index) == first)
    }

    @Test func `a run from a state is repeatable, and differs from one without`() {
        let one = simulate(TestWorld.specification(device: Self.device, days: 1), sink: nil)
        let two = simulate(TestWorld.specification(device: Self.device, days: 1), sink: nil)
        var bare = Self.device
        bare.daemons.listed = []
        let other = simulate(TestWorld.specification(device: bare, days: 1), sink: nil)
        #expect(one.fingerprint == two.fingerprint)
        #expect(one.fingerprint != other.fingerprint)
        #expect(one.workloadFingerprint == other.workloadFingerprint)
    }

    @Test func `an app of the state that the run's user knows is there itself`() throws {
        var device = Self.device
        let bare = TestWorld.specification(device: device, days: 1, tables: [.events])
        let name = bare.apps[0].name
        device.daemons.listed.append(Self.standing(name, 90, band: 0, isApp: true, isSuspended: true))
        func launches(_ device: DeviceModel) -> [LaunchKind] {
            let collector = RowCollector()
            _ = simulate(TestWorld.specification(device: device, days: 1, tables: [.events]), sink: collector)
            return collector.events.filter { $0.app == AppID(0) }.compactMap(\.launchKind)
        }
        #expect(launches(Self.device).first == .cold)
        #expect(launches(device).first == .resume)
    }
}
