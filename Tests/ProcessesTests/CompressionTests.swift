// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// How much of which process is compressed, and how much of it comes back when.
@Suite struct CompressionTests {
    private func share(_ phone: TestPhone, _ app: Int) -> Double {
        phone.table.compressed(of: AppID(app)) / phone.table.footprint(of: AppID(app))
    }

    @Test func `a resume in the background brings back less than one on screen`() {
        var phone = TestPhone(apps: 2) { memory in
            (memory.foregroundDecompressedShare, memory.backgroundDecompressedShare) = (0.8, 0.3)
            memory.suspendedCompressedShare = 0.5
        }
        phone.makeIdle([0, 1], mebibytes: 200)
        for app in 0..<2 { phone.table.compress(AppID(app), at: phone.now) }
        phone.table.resume(AppID(0), foreground: false, at: phone.now)
        phone.table.resume(AppID(1), foreground: true, at: phone.now)
        #expect(abs(share(phone, 0) - 0.5 * 0.7) < 1e-6)
        #expect(abs(share(phone, 1) - 0.5 * 0.2) < 1e-6)
        let back = phone.table.statistics(at: phone.now).decompressed
        #expect(abs(back.mebibytes - 100 * 1.1) < 1e-3)
    }

    @Test func `a daemon that idles is compressed by its own share, an app by that of the suspended`() {
        var phone = TestPhone(apps: 2) { memory in
            (memory.suspendedCompressedShare, memory.idleCompressedShare) = (0.9, 0.4)
        }
        var traits = ProcessTraits()
        (traits.isManaged, traits.isTracked, traits.allowsIdleExit, traits.band) = (false, true, true, 0)
        phone.table.spawn(AppID(0), traits, footprint: .mebibytes(300), at: phone.now)
        phone.makeIdle([1], mebibytes: 300)
        phone.wait(600)
        phone.table.setAvailable(share: 0.10, at: phone.now)
        #expect(phone.table.band(of: AppID(0)) == 0)
        #expect(abs(share(phone, 0) - 0.4) < 1e-6)
        #expect(abs(share(phone, 1) - 0.9) < 1e-6)
    }

    @Test func `what lies on storage comes back with its share of the compressed`() {
        var profile = OSProfile.ios18(ram: .gibibytes(4))
        var rules = AppSwapRules()
        rules.space = .mebibytes(300)
        profile.appSwap = rules
        var memory = MemoryParameters(ram: .gibibytes(4))
        (memory.suspendedCompressedShare, memory.backgroundDecompressedShare) = (0.5, 0.25)
        memory.compressBelowShare = 0
        var table = ProcessTable(
            apps: [AppModel(name: "app", category: "test")], memory: memory, profile: profile, policy: Jetsam())
        let app = AppID(0)
        var traits = ProcessTraits()
        (traits.coalition, traits.role) = (1, .leader)
        table.spawn(app, traits, footprint: .mebibytes(800), at: .zero)
        table.suspend(app, at: .zero)
        table.compress(app, at: .zero)
        #expect(table.markSwappable(app, at: .zero) == nil)
        // Of 400 MiB that are compressed 300 find room; a quarter of both comes back.
        table.setAvailable(share: 0.10, at: .seconds(1))
        #expect(table.swapUsed == .mebibytes(300) && table.compressed(of: app) == .mebibytes(400))
        table.resume(app, foreground: false, at: .seconds(2))
        #expect(table.swapUsed == .mebibytes(225) && table.compressed(of: app) == .mebibytes(300))
    }

    @Test func `a launch from prewarming is warm`() {
        var phone = TestPhone(apps: 2)
        phone.table.prewarm(AppID(0), footprint: .mebibytes(50), at: phone.now)
        let kind = phone.table.launch(AppID(0), foreground: true, footprint: .mebibytes(100), at: phone.now)
        #expect(kind == .warm)
        #expect(phone.open(1) == .cold)
        let statistics = phone.table.statistics(at: phone.now)
        #expect(statistics.warmLaunches == 1 && statistics.coldLaunches == 1)
    }
}
