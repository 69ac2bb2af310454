// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// The policies under which somebody dies.
let killers = EvictionPolicies.all.filter { !$0.make($0.descriptor.defaultArguments(seed: 1)).killsNobody }

func makePolicy(_ name: String, seed: UInt64) throws -> any EvictionPolicy {
    let entry = try #require(EvictionPolicies.all.first { $0.descriptor.name == name })
    return entry.make(entry.descriptor.defaultArguments(seed: seed))
}

/// A phone for scenarios: apps by number, one clock that only goes forward.
struct TestPhone {
    var table: ProcessTable
    var now = SimTime.zero

    init(
        apps: Int, ram: ByteCount = .gibibytes(4), policy: any EvictionPolicy = Jetsam(), ranksAppsOnly: Bool = false,
        systemFrom: Int = .max, freezing: FreezingChoice = .system, compression: CompressionOrder = .longestSuspended,
        freezer: FreezerRules? = nil, ranksReaper: Bool = false, hotShare: Double? = nil,
        adjust: (inout MemoryParameters) -> Void = { _ in },
        os: (inout OSProfile) -> Void = { _ in }
    ) {
        var memory = MemoryParameters(ram: ram)
        adjust(&memory)
        let models = (0..<apps).map { index in
            var model = AppModel(name: "app-\(index)", category: "test")
            model.isSystem = index >= systemFrom
            model.hotShare = hotShare
            return model
        }
        var profile = OSProfile.ios18(ram: ram)
        if let freezer { profile.freezer = freezer }
        os(&profile)
        table = ProcessTable(
            apps: models, memory: memory, profile: profile, policy: policy, ranksAppsOnly: ranksAppsOnly,
            ranksReaper: ranksReaper, freezing: freezing, compression: compression)
    }

    mutating func wait(_ seconds: Double) {
        let end = now + .seconds(seconds)
        while table.nextAging <= end {
            now = table.nextAging
            table.age(at: now)
        }
        now = end
    }

    @discardableResult
    mutating func open(_ app: Int, mebibytes: Double = 100) -> LaunchKind {
        let app = AppID(app)
        if table.isAlive(app) {
            table.resume(app, foreground: true, at: now)
            table.becomeActive(app, at: now)
            return .resume
        }
        let kind = table.launch(app, foreground: true, footprint: .mebibytes(mebibytes), at: now)
        table.becomeActive(app, at: now)
        return kind
    }

    mutating func leave(_ app: Int, suspend: Bool = true) {
        table.resignActive(AppID(app), at: now)
        table.enterBackground(AppID(app), at: now)
        if suspend { table.suspend(AppID(app), at: now) }
    }

    /// Opens and leaves apps, one after the other, and lets each become idle.
    mutating func makeIdle(_ apps: [Int], mebibytes: Double = 100) {
        for app in apps {
            open(app, mebibytes: mebibytes)
            leave(app)
            wait(3)
        }
    }

    var killed: [Int] { table.kills.map { Int($0.app.index) } }
}
