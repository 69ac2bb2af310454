// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Platform
import Processes
import Quantities
import RandomStreams
import Vocabulary

/// Time per kill under permanent memory pressure, and requests per second and hits of the plain cache.
enum MemoryCase {
    private static let kills = 100_000
    private static let launches = 10_000_000
    private static let cachedApps = 10_000

    static func run(into report: Report) {
        for size in [100, 1_000, 10_000] {
            for (subject, isGoverned) in [("plain", false), ("governed", true)] {
                var pressure = Pressure(processes: size, isGoverned: isGoverned)
                pressure.churn(kills: 2 * size)
                let nanoseconds = Measurement.nanoseconds(operations: kills) { pressure.churn(kills: kills) }
                report.add("memory", "\(subject)-kill", size, nanoseconds, "ns/kill")
                report.add("memory", "\(subject)-kills", size, 1e9 / nanoseconds, "kills/s")
            }
        }
        let trace = zipf()
        for rule in PlainCache.Rule.allCases {
            let nanoseconds = Measurement.nanoseconds(operations: launches) {
                var cache = PlainCache(rule: rule, apps: cachedApps, room: cachedApps / 10)
                keep(UInt64(cache.request(trace)))
            }
            report.add("memory", "\(rule.rawValue)-cache", cachedApps, 1e3 / nanoseconds, "M requests/s")
            var cache = PlainCache(rule: rule, apps: cachedApps, room: cachedApps / 10)
            let share = Double(cache.request(trace)) / Double(launches)
            report.add("memory", "\(rule.rawValue)-hits", cachedApps, share, "of all requests")
        }
    }

    /// Launches drawn from Zipf's law with exponent 0.8, by the alias method (Walker, ACM TOMS 3(3), 1977).
    private static func zipf() -> [UInt32] {
        var stream = RandomStream(seed: 1, replication: 0, entity: "bench", purpose: "launches")
        let weights = (1...cachedApps).map { pow(Double($0), -0.8) }
        let mean = weights.reduce(0, +) / Double(cachedApps)
        var shares = weights.map { $0 / mean }
        var aliases = Array(0..<cachedApps)
        var small = shares.indices.filter { shares[$0] < 1 }
        var large = shares.indices.filter { shares[$0] >= 1 }
        while let poor = small.popLast(), let rich = large.last {
            aliases[poor] = rich
            shares[rich] -= 1 - shares[poor]
            if shares[rich] < 1 { small.append(large.removeLast()) }
        }
        return (0..<launches).map { _ in
            let column = stream.integer(below: cachedApps)
            return UInt32(stream.uniform() < shares[column] ? column : aliases[column])
        }
    }
}

/// A phone with its memory always at the threshold: each launch kills another process, which is launched next.
private struct Pressure {
    private static let footprint = ByteCount.mebibytes(20)
    private var table: ProcessTable
    private var now = SimTime.zero
    private var dead: [AppID] = []
    private let isGoverned: Bool

    /// Fills a phone; a governed one has a freezer and daemons beside apps.
    ///
    /// Memory is never compressed and the reaper is off, so that each launch causes one kill and the population is
    /// constant.
    init(processes: Int, isGoverned: Bool) {
        self.isGoverned = isGoverned
        let ram = max(.gibibytes(4), Self.footprint * Double(2 * processes))
        let apps = (0..<processes + processes / 10).map { AppModel(name: "app-\($0)", category: "bench") }
        var memory = MemoryParameters(ram: ram)
        memory.compressBelowShare = 0
        var profile = OSProfile.ios18(ram: ram)
        if isGoverned { profile.freezer = FreezerRules() }
        table = ProcessTable(apps: apps, memory: memory, profile: profile, policy: Jetsam())
        for app in apps.indices.dropFirst(processes) { dead.append(AppID(app)) }
        for app in 0..<processes { start(AppID(app)) }
        table.setAvailable(share: table.profile.idleShare, at: now)
        takeDead()
    }

    mutating func churn(kills: Int) {
        var left = kills
        while left > 0, let app = dead.popLast() {
            start(app)
            left -= takeDead()
        }
        keep(UInt64(table.residentApps))
    }

    /// Launches an app or a daemon, which becomes idle when the next one is launched.
    private mutating func start(_ app: AppID) {
        now += .seconds(3)
        while table.nextAging <= now { table.age(at: table.nextAging) }
        guard isGoverned, app.index % 4 > 0 else {
            table.launch(app, foreground: false, footprint: Self.footprint, at: now)
            if table.isAlive(app) { table.suspend(app, at: now) }
            return
        }
        var traits = ProcessTraits()
        (traits.isManaged, traits.isTracked, traits.allowsIdleExit) = (false, true, true)
        (traits.band, traits.relaunch) = (30, .medium)
        table.spawn(app, traits, footprint: Self.footprint, at: now)
    }

    @discardableResult
    private mutating func takeDead() -> Int {
        for kill in table.kills { dead.append(kill.app) }
        defer { table.clearKills() }
        return table.kills.count
    }
}
