// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Quantities
import Testing
import Vocabulary

@testable import Processes

/// The trim levels of Android 13, by the numbers of `LowMemDetector.cpp` and `AppProfiler.java`.
@Suite struct TrimLevelTests {
    private func memory(compressed: Double, refaulted: Double = 0) -> MemoryView {
        MemoryView(
            total: .gibibytes(4), free: .mebibytes(10), fileBacked: .mebibytes(300),
            compressed: .mebibytes(compressed), compressorLimit: .gibibytes(2), refaulted: .mebibytes(refaulted))
    }

    /// What running processes are told at a kill, after so many milliseconds of waiting for memory.
    @Test(arguments: [
        (14.0, nil as TrimLevel?), (16, .runningModerate), (59, .runningModerate), (61, .runningLow),
        (99, .runningLow), (101, .runningCritical),
    ])
    func `pressure has three levels of waiting in a second`(milliseconds: Double, level: TrimLevel?) {
        var trims = TrimLevels(capacity: 1, cachedDrop: 0.8)
        trims.recordKill()
        // Half of the waiting is everybody's; 400 MB are compressed in a second.
        let mebibytes = milliseconds * 400_000 / 1_048_576
        #expect(trims.update(memory(compressed: mebibytes), at: .seconds(10)) == level)
    }

    @Test func `it becomes worse by a death only, is over after a second, and is told at deaths`() {
        var trims = TrimLevels(capacity: 1, cachedDrop: 0.8)
        #expect(trims.update(memory(compressed: 100), at: .seconds(10)) == nil)
        trims.recordKill()
        #expect(trims.update(memory(compressed: 100), at: .seconds(10.9)) == .runningCritical)
        #expect(trims.update(memory(compressed: 100), at: .seconds(10.95)) == nil)
        trims.recordKill()
        #expect(trims.update(memory(compressed: 100), at: .seconds(11.1)) == nil)
    }

    @Test func `a process hears of a level once, and of a higher one again, until all is well`() {
        var trims = TrimLevels(capacity: 1, cachedDrop: 0.8)
        func dropped(_ level: TrimLevel, seen: Double, at seconds: Double) -> Double? {
            trims.announce(level, to: 0, lastSeen: .seconds(seen), at: .seconds(seconds))
        }
        #expect(dropped(.runningLow, seen: 5, at: 10) == 0)
        #expect(dropped(.runningCritical, seen: 5, at: 10) == 0.5 && dropped(.runningLow, seen: 5, at: 10) == nil)
        // Cached, it drops all it can once, until it is seen again.
        #expect(dropped(.background, seen: 5, at: 11) == 0.8 && dropped(.moderate, seen: 5, at: 12) == 0)
        #expect(dropped(.complete, seen: 13, at: 14) == 0.8)
        #expect(dropped(.complete, seen: 20, at: 21) == nil)
        trims.forget(0)
        #expect(dropped(.complete, seen: 20, at: 21) == 0.8)
        trims.recordKill()
        _ = trims.update(memory(compressed: 100), at: .seconds(30))
        #expect(dropped(.complete, seen: 29, at: 30) == nil)
        _ = trims.update(memory(compressed: 100), at: .seconds(32))
        #expect(dropped(.runningModerate, seen: 31, at: 32) == 0)
    }

    @Test func `cached processes are told by thirds, four at the least, those left longest ago the highest`() {
        func levels(_ count: Int) -> [TrimLevel] { (0..<count).map { TrimLevels.level(ofCached: $0, of: count) } }
        let (complete, moderate, background) = (TrimLevel.complete, TrimLevel.moderate, TrimLevel.background)
        #expect(levels(3) == [complete, complete, complete])
        #expect(
            levels(10) == Array(repeating: complete, count: 4) + Array(repeating: moderate, count: 4)
                + [background, background])
        #expect(
            levels(30) == Array(repeating: complete, count: 10) + Array(repeating: moderate, count: 10)
                + Array(repeating: background, count: 10))
    }

    /// Six apps of 100 MiB that were left one after the other, the seventh in front, when memory runs out.
    @Test(arguments: ["android-13", "android-14"])
    func `a kill while memory is compressed tells those that are left`(name: String) throws {
        let ram = ByteCount.gibibytes(4)
        let models = (0..<7).map { index in
            var app = AppModel(name: "app-\(index)", category: "test")
            (app.foregroundFootprint, app.backgroundFootprint) = (.mebibytes(100), .mebibytes(100))
            app.warningDrop = 0.2
            return app
        }
        var memory = MemoryParameters(ram: ram, family: .android)
        memory.suspendedCompressedShare = 0.2
        var profile = try #require(OSProfile.named(name, ram: ram))
        profile.trimDrop = 0.25
        var table = ProcessTable(apps: models, memory: memory, profile: profile, policy: Jetsam())
        for app in 0..<7 {
            let now = SimTime.seconds(Double(app))
            table.launch(AppID(app), foreground: true, footprint: .mebibytes(100), at: now)
            table.becomeActive(AppID(app), at: now)
            if app < 6 { table.resignActive(AppID(app), at: now) }
            if app < 6 { table.enterBackground(AppID(app), at: now) }
            if app < 6 { table.suspend(AppID(app), at: now) }
        }
        table.clearWarnings()
        table.setAvailable(share: 0.01, at: .seconds(20))
        let deaths = Set(table.kills.map(\.app))
        let levels = Dictionary(uniqueKeysWithValues: table.warnings.map { ($0.app, $0.trim) })
        #expect(!deaths.isEmpty && table.invariant() == nil)
        guard name == "android-13" else { return #expect(table.warnings.isEmpty) }
        #expect(levels[AppID(6)] == .runningCritical)
        #expect(levels.keys.count == 7 - deaths.count && levels.filter { $0.value == .complete }.count == 4)
        let front = try #require(table.warnings.first { $0.app == AppID(6) })
        #expect(front.dropped == .mebibytes(10))
        let cached = try #require(table.warnings.first { $0.app == AppID(5) })
        #expect(cached.dropped == .mebibytes(5))
    }
}
