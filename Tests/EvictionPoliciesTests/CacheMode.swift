// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Vocabulary

/// The process table as a plain cache: apps of one size, room for a fixed number, one open after the other.
///
/// Each app is left and idle before the next is opened, and memory holds `room` of them, the opened one included.
struct CacheMode {
    private static let step = 10.0
    private static let size = ByteCount.mebibytes(10)
    private var table: ProcessTable
    private var request = 0
    private var clock = SimTime(nanoseconds: -10_000_000_000)
    private(set) var hits = 0

    init(apps: Int, room: Int, policy: any EvictionPolicy) {
        var memory = MemoryParameters(ram: .gibibytes(4))
        memory.compressBelowShare = 0
        let models = (0..<apps).map { AppModel(name: "app-\($0)", category: "test") }
        table = ProcessTable(apps: models, memory: memory, profile: .ios18(ram: memory.ram), policy: policy)
        let threshold = memory.visible * table.profile.idleShare
        table.setBallast(table.available - threshold - Self.size * (Double(room) + 0.5), at: .zero)
    }

    /// Opens an app, and says whether it was there; `nextRequest` is the number of its next open, for oracles.
    ///
    /// Without an instant, one open follows the other in ten seconds; at one, in five seconds at least.
    @discardableResult
    mutating func open(_ app: Int, at instant: SimTime? = nil, nextRequest: Int? = nil) -> Bool {
        let now = instant.map { max($0, clock + .seconds(Self.step / 2)) } ?? .seconds(Double(request) * Self.step)
        clock = now
        request += 1
        let app = AppID(app)
        let isHit = table.isAlive(app)
        table.setNextOpen(of: app, to: nextRequest.map { .seconds(Double($0) * Self.step) } ?? .distantFuture)
        if isHit {
            hits += 1
            table.resume(app, foreground: true, at: now)
        } else {
            table.launch(app, foreground: true, footprint: Self.size, at: now)
        }
        table.becomeActive(app, at: now)
        table.resignActive(app, at: now)
        table.enterBackground(app, at: now)
        table.suspend(app, at: now)
        table.age(at: table.nextAging)
        table.clearKills()
        return isHit
    }

    var residentApps: Int { table.residentApps }

    /// How many of the requests find their app; `times` are those of the opens, for policies that look at the clock.
    static func hits(
        _ requests: [Int], at times: [SimTime]? = nil, apps: Int, room: Int, policy: any EvictionPolicy
    ) -> Int {
        var next = [Int?](repeating: nil, count: apps)
        let nextUses = requests.indices.reversed().map { index in
            defer { next[requests[index]] = index }
            return next[requests[index]]
        }
        var cache = CacheMode(apps: apps, room: room, policy: policy)
        for (index, app) in requests.enumerated() {
            cache.open(app, at: times?[index], nextRequest: nextUses[requests.count - 1 - index])
        }
        return cache.hits
    }
}
