// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The scene of real reports in `experiments/leak.yaml`: a march, one kill at the leaker's own limit, and calm.
@Suite struct LeakSceneTests {
    /// A death with a reason.
    private struct Death {
        let app: String
        let reason: String
        let band: String
        let time: Double
        let footprint: Double
    }

    /// The deaths of the first user under the phone's own order, without and with the leak of the app on screen.
    private static func deaths() throws -> (healthy: [Death], leaking: [Death]) {
        let laboratory = try Laboratory()
        let ending = try laboratory.run(
            "run", Laboratory.package.path + "/experiments/leak.yaml", "-o", "r", "--quiet",
            "--set", "output.tables=[runs,events]", "--where",
            "replication == 0 && policy == jetsam && device.daemons.leak_per_day == \"0 MiB\"")
        try #require(ending.code == 0, "\(ending.errors)")
        let lines = try laboratory.text("r/events.csv").split(separator: "\n")
        let names = lines[0].split(separator: ",").map(String.init)
        func column(_ name: String) throws -> Int { try #require(names.firstIndex(of: name), "\(name)") }
        let leak = try column("apps.apps.leaky.memory.leak_per_hour")
        let columns = try ["app", "reason", "band", "t_s", "footprint_mib", "event"].map(column)
        var found: [String: [Death]] = [:]
        for line in lines.dropFirst() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let cell = columns.map { cells[$0] }
            guard cell[5] == "exit", !cell[1].isEmpty, let time = Double(cell[3]), let size = Double(cell[4]) else {
                continue
            }
            found[cells[leak], default: []].append(
                Death(app: cell[0], reason: cell[1], band: cell[2], time: time, footprint: size))
        }
        return (found["0"] ?? [], found["12288"] ?? [])
    }

    @Test func `a leak on screen ends in a march, one kill at the limit, and calm`() throws {
        let (healthy, leaking) = try Self.deaths()
        func atLimit(_ death: Death) -> Bool { death.app == "leaky" && death.reason == "per-process-limit" }
        let leaker = leaking.filter(atLimit)
        let end = try #require(leaker.first)
        #expect(leaker.count == 1 && end.band == "100" && (2068...2069).contains(end.footprint))

        // Whole bands die in one instant, up to 80, and again when daemons are back: launchd waits 10 s.
        let marching = leaking.filter { $0.reason == "proc-thrashing" && $0.time < end.time + 3600 }
        let marches = Dictionary(grouping: marching, by: \.time)
            .sorted { $0.key < $1.key }.map(\.value)
        #expect(marches.count == 2 && marches.allSatisfy { (40...100).contains($0.count) })
        let bands = Set(marches.joined().compactMap { Int($0.band) })
        #expect(bands.min() == 0 && bands.max() == 80 && bands.contains(10) && bands.contains(30))
        let times = marches.map { $0[0].time }
        #expect(times.allSatisfy { end.time - $0 > 60 && end.time - $0 < 180 })
        #expect((10..<20).contains(times[1] - times[0]))

        // What dies in an hour before, and after.
        let before = leaking.count { $0.time < end.time && $0.time >= end.time - 3600 }
        let after = leaking.count { $0.time > end.time && $0.time <= end.time + 3600 }
        #expect(before > 400 && after < 5)

        // Of the same hours without the leak nothing is told: no march, no kill at the limit, hardly a death.
        let same = healthy.filter { $0.time <= end.time + 3600 }
        #expect(!same.contains { $0.reason == "proc-thrashing" } && !healthy.contains(where: atLimit))
        #expect(!same.isEmpty && same.count { $0.time >= end.time - 3600 } < 10)
    }
}
