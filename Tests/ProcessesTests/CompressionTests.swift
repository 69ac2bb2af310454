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

    /// Two suspended apps of 400 MiB of which a quarter is hot, on a phone where memory runs short.
    private func phone(_ compression: CompressionOrder, hot: Double? = 0.25, _ os: (inout OSProfile) -> Void = { _ in })
        -> TestPhone
    {
        var phone = TestPhone(
            apps: 2, compression: compression, hotShare: hot,
            adjust: { memory in
                (memory.suspendedCompressedShare, memory.foregroundDecompressedShare) = (0.97, 0.5)
                (memory.decompressedPerSecond, memory.swapReadPerSecond) = (.mebibytes(1000), .mebibytes(100))
            }, os: os)
        phone.makeIdle([0, 1], mebibytes: 400)
        return phone
    }

    @Test func `cold-first leaves hot memory alone until no cold memory is left`() {
        var phone = phone(.coldFirst)
        phone.table.setAvailable(share: 0.19, at: phone.now)
        // The cold part of the longest suspended was enough.
        #expect(abs(share(phone, 0) - 0.75) < 1e-6 && share(phone, 1) == 0)
        phone.table.setAvailable(share: 0.15, at: phone.now)
        #expect(abs(share(phone, 0) - 0.97) < 1e-6 && share(phone, 1) >= 0.75)
    }

    @Test func `an app that is opened brings back what it touches and waits for that`() {
        var cold = phone(.coldFirst)
        cold.table.setAvailable(share: 0.19, at: cold.now)
        cold.table.resume(AppID(0), foreground: true, at: cold.now)
        // All that it touches is there.
        #expect(cold.table.resumeFaults == ResumeFaults() && abs(share(cold, 0) - 0.75) < 1e-6)
        var whole = phone(.longestSuspended)
        whole.table.compress(AppID(0), at: whole.now)
        whole.table.resume(AppID(0), foreground: true, at: whole.now)
        // A quarter of 400 MiB, of which 3 % are there: 88 MiB at 1,000 MiB a second.
        #expect(abs(share(whole, 0) - 0.75) < 1e-6)
        #expect(abs(whole.table.resumeFaults.pool.mebibytes - 88) < 1e-3)
        #expect(abs(whole.table.memory.wait(for: whole.table.resumeFaults).seconds - 0.088) < 1e-6)
    }

    @Test func `without a stated hot share half of what is compressed comes back, as the device says`() {
        var phone = phone(.longestSuspended, hot: nil)
        phone.table.compress(AppID(0), at: phone.now)
        phone.table.resume(AppID(0), foreground: true, at: phone.now)
        #expect(abs(share(phone, 0) - 0.97 / 2) < 1e-6)
        #expect(abs(phone.table.resumeFaults.pool.mebibytes - 400 * 0.97 / 2) < 1e-3)
    }

    @Test func `write-back takes what was idle for an hour, once a day, as far as there is space`() {
        var rules = WritebackRules()
        (rules.first, rules.every, rules.space) = (.hours(2), .hours(5), .mebibytes(500))
        var phone = phone(.longestSuspended) { $0.writeback = rules }
        for app in 0..<2 { phone.table.compress(AppID(app), at: phone.now) }
        phone.wait(7100)
        #expect(phone.table.swapUsed == .zero)
        phone.wait(200)
        // 388 MiB of the first, and 112 of the second.
        #expect(phone.table.swapUsed == .mebibytes(500) && phone.table.written == .mebibytes(500))
        phone.table.resume(AppID(0), foreground: true, at: phone.now)
        // 88 of 388 MiB come back, all from storage: 88 MiB to unpack, 32.6 to read.
        #expect(phone.table.resumeFaults.pool == .zero)
        #expect(abs(phone.table.resumeFaults.storage.mebibytes - 88) < 1e-3)
        let wait = 0.088 + 88 / 2.7 / 100
        #expect(abs(phone.table.memory.wait(for: phone.table.resumeFaults).seconds - wait) < 1e-6)
        #expect(abs(phone.table.swapUsed.mebibytes - 412) < 1e-3)
        // Five hours later the second one's rest follows: nobody touched it.
        phone.wait(5 * 3600)
        #expect(abs(phone.table.swapUsed.mebibytes - 500) < 1e-3)
    }

    @Test func `write-back leaves alone who was suspended less than an hour ago`() {
        var rules = WritebackRules()
        rules.first = .minutes(59)
        var phone = phone(.longestSuspended) { $0.writeback = rules }
        phone.table.compress(AppID(0), at: phone.now)
        phone.wait(3599)
        #expect(phone.table.swapUsed == .zero)
    }

    @Test func `files that were read ahead make a launch warm, and no process`() {
        var phone = TestPhone(apps: 1)
        phone.table.preload(AppID(0), at: phone.now)
        #expect(!phone.table.isAlive(AppID(0)) && phone.table.missingFiles(of: AppID(0)) == 0)
        #expect(phone.open(0) == .warm)
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
