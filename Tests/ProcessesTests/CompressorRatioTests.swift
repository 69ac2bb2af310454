// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Quantities
import Testing
import Vocabulary

@testable import Processes

/// Apps whose memory compresses better or worse than the device's ratio says.
@Suite struct CompressorRatioTests {
    /// Three suspended apps of 100 MiB: one as the device, one of pictures, one of texts.
    private func table() -> ProcessTable {
        let models = [nil, 2.4, 3.9].map { ratio in
            var app = AppModel(name: "app", category: "test")
            app.compressorRatio = ratio
            return app
        }
        var memory = MemoryParameters(ram: .gibibytes(4))
        memory.compressorRatio = 2.66
        var table = ProcessTable(
            apps: models, memory: memory, profile: .ios18(ram: .gibibytes(4)), policy: Jetsam())
        for app in 0..<3 {
            table.spawn(AppID(app), ProcessTraits(), footprint: .mebibytes(100), at: .zero)
            table.suspend(AppID(app), at: .zero)
        }
        return table
    }

    @Test func `an app that compresses worse than the phone takes more of the pool, unless it states a ratio`() {
        var pictures = AppModel(name: "pictures", category: "test")
        pictures.compressibility = 0.9
        var stated = pictures
        stated.compressorRatio = 3.8
        var memory = MemoryParameters(ram: .gibibytes(4))
        memory.compressorRatio = 2.5
        var table = ProcessTable(
            apps: [pictures, stated], memory: memory, profile: .ios18(ram: .gibibytes(4)), policy: Jetsam())
        for (app, ratio) in [2.25, 3.8].enumerated() {
            let now = SimTime.seconds(Double(app))
            let pool = table.accounts.compressorPool
            table.spawn(AppID(app), ProcessTraits(), footprint: .mebibytes(100), at: now)
            table.suspend(AppID(app), at: now)
            table.compress(AppID(app), at: now)
            #expect(abs((table.accounts.compressorPool - pool).mebibytes - 97 / ratio) < 1e-5)
        }
    }

    @Test func `an app's own ratio says what its memory takes in the pool, and what its end returns`() throws {
        var table = table()
        for (app, ratio) in [2.66, 2.4, 3.9].enumerated() {
            let (pool, available) = (table.accounts.compressorPool, table.available)
            table.compress(AppID(app), at: .seconds(Double(2 * app + 1)))
            let taken = table.accounts.compressorPool - pool
            #expect(abs(taken.mebibytes - 97 / ratio) < 1e-5)
            // What is compressed is available but for its part of the pool.
            #expect(abs((table.available - available).mebibytes - (97 - 97 / ratio)) < 1e-5)
            let before = table.accounts.compressorPool
            if app > 0 {
                table.terminate(AppID(app), .normal, at: .seconds(Double(2 * app + 2)))
                #expect(abs((before - table.accounts.compressorPool).mebibytes - 97 / ratio) < 1e-5)
            }
        }
        #expect(table.invariant() == nil)
    }
}
