// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

@Suite struct LifeCycleTests {
    @Test func `a launch goes through inactive to active and a resume finds the process`() {
        var phone = TestPhone(apps: 1)
        #expect(phone.open(0) == .cold)
        #expect(phone.table.state(of: AppID(0)) == .active)
        phone.leave(0)
        #expect(phone.table.state(of: AppID(0)) == .suspended)
        #expect(phone.open(0) == .resume)
        #expect(phone.table.band(of: AppID(0)) == 100)
        #expect(phone.table.residentApps == 1)
    }

    @Test func `a relaunch is warm while the files are cached and cold after`() {
        var phone = TestPhone(apps: 1)
        phone.open(0)
        phone.table.terminate(AppID(0), .normal, at: phone.now)
        #expect(phone.table.launchKind(of: AppID(0)) == .warm)
        phone.table.setAvailable(share: 0.05, at: phone.now)
        #expect(phone.table.cachedFiles(of: AppID(0)) == .zero)
        phone.table.setAvailable(share: 0.5, at: phone.now)
        #expect(phone.table.launchKind(of: AppID(0)) == .cold)
    }

    @Test func `file pages go in the order of last use`() {
        var phone = TestPhone(apps: 3) { $0.compressBelowShare = 0 }
        for app in [0, 1, 2, 0] {
            phone.open(app)
            phone.leave(app)
        }
        let others = phone.table.memory.fileCacheMinimum + phone.table.memory.freeTarget
        // Room for 90 MiB of app files: all of app 0, half of app 2, nothing of app 1.
        let share = (others + .mebibytes(90)) / phone.table.memory.visible
        phone.table.setAvailable(share: share, at: phone.now)
        #expect(phone.table.cachedFiles(of: AppID(1)) == .zero)
        #expect(abs(phone.table.cachedFiles(of: AppID(0)).mebibytes - 60) < 0.01)
        #expect(phone.table.cachedFiles(of: AppID(2)).mebibytes > 29)
    }

    /// Leaves so much room for files of apps.
    private func leave(_ mebibytes: Double, in phone: inout TestPhone) {
        let room = phone.table.memory.fileCacheMinimum + phone.table.memory.freeTarget + .mebibytes(mebibytes)
        let none = ByteCount.zero
        phone.table.setThresholds(critical: none, idle: none, soft: none, reaper: none, at: phone.now)
        phone.table.setAvailable(share: room / phone.table.memory.visible, at: phone.now)
    }

    @Test func `files of the dead go before those of the living, in the order of their deaths`() {
        var phone = TestPhone(apps: 3) { $0.compressBelowShare = 0 }
        for app in [0, 1, 2] {
            phone.open(app)
            phone.leave(app)
        }
        // App 2 was used last and ends first; app 0 is the longest unused of all, and lives.
        for app in [2, 1] { phone.table.terminate(AppID(app), .normal, at: phone.now) }
        phone.wait(10)
        leave(135, in: &phone)
        #expect(abs(phone.table.missingFiles(of: AppID(2)) - 0.75) < 1e-4)
        #expect(phone.table.launchKind(of: AppID(2)) == .cold && phone.table.launchKind(of: AppID(1)) == .warm)
        leave(80, in: &phone)
        #expect(phone.table.missingFiles(of: AppID(2)) == 1)
        #expect(abs(phone.table.missingFiles(of: AppID(1)) - 2.0 / 3) < 1e-4)
        #expect(phone.table.cachedFiles(of: AppID(0)) == .mebibytes(60))
    }

    @Test(arguments: [(9.0, 20.0), (10, 60)])
    func `files wait ten seconds with those of the living`(seconds: Double, left: Double) {
        var phone = TestPhone(apps: 2) { $0.compressBelowShare = 0 }
        phone.makeIdle([0, 1])
        phone.table.terminate(AppID(1), .normal, at: phone.now)
        phone.wait(seconds)
        leave(80, in: &phone)
        #expect(abs(phone.table.cachedFiles(of: AppID(0)).mebibytes - left) < 0.01)
    }

    @Test func `a resume reads a share of what was dropped, a launch all of it`() {
        var phone = TestPhone(apps: 1) {
            $0.compressBelowShare = 0
            $0.resumeFilesShare = 0.25
        }
        phone.makeIdle([0])
        leave(0, in: &phone)
        #expect(phone.table.cachedFiles(of: AppID(0)) == .zero)
        phone.table.setAvailable(share: 0.5, at: phone.now)
        phone.open(0)
        #expect(phone.table.cachedFiles(of: AppID(0)) == .mebibytes(15))
        phone.table.terminate(AppID(0), .normal, at: phone.now)
        #expect(phone.table.missingFiles(of: AppID(0)) == 0.75 && phone.table.launchKind(of: AppID(0)) == .cold)
        phone.open(0)
        #expect(phone.table.cachedFiles(of: AppID(0)) == .mebibytes(60))
    }

    @Test func `suspended apps are compressed only when memory is short and come back on resume`() {
        var phone = TestPhone(apps: 2)
        phone.makeIdle([0, 1])
        #expect(phone.table.compressed(of: AppID(0)) == .zero)
        phone.table.setAvailable(share: 0.19, at: phone.now)
        #expect(phone.table.compressed(of: AppID(0)) == .mebibytes(97))
        #expect(phone.table.compressed(of: AppID(1)) == .zero)
        phone.open(0)
        #expect(abs(phone.table.compressed(of: AppID(0)).mebibytes - 97 * 0.2) < 0.01)
        #expect(phone.table.footprint(of: AppID(0)) == .mebibytes(100))
    }

    @Test func `the level follows the compressor with hysteresis and warns who executes`() {
        var phone = TestPhone(apps: 2) {
            $0.systemFootprint = .gibibytes(2)
            $0.systemCompressedShare = 1
            $0.compressBelowShare = 0
        }
        phone.makeIdle([1])
        phone.open(0, mebibytes: 100)
        let pool = phone.table.accounts.compressorPool
        let pageable = phone.table.memory.visible - phone.table.memory.wired
        // The share of pages outside the compressor, set by wiring the rest.
        func set(_ share: Double) {
            phone.table.setBallast(pageable - pool * (1 / (1 - share)), at: phone.now)
        }
        let steps: [(share: Double, level: PressureLevel)] = [
            (0.51, .normal), (0.49, .warning), (0.59, .warning), (0.61, .normal), (0.45, .warning), (0.29, .critical),
            (0.34, .critical), (0.36, .warning), (0.29, .critical), (0.70, .normal),
        ]
        for (share, level) in steps {
            set(share)
            #expect(phone.table.pressure == level, "at \(share)")
            // A drop is announced once it has lasted for 5 s.
            phone.wait(6)
        }
        #expect(phone.table.warnings.map(\.level) == [.warning, .warning, .critical, .critical])
        #expect(phone.table.warnings.allSatisfy { $0.app == AppID(0) })
        #expect(abs(phone.table.footprint(of: AppID(0)).mebibytes - 100 * 0.8 * 0.8 * 0.8 * 0.8) < 0.001)
    }

    @Test func `time at a level and process time are counted between the changes`() {
        var phone = TestPhone(apps: 1) {
            $0.systemFootprint = .gibibytes(2)
            $0.systemCompressedShare = 1
        }
        phone.open(0)
        phone.wait(10)
        let pool = phone.table.accounts.compressorPool
        phone.table.setBallast(phone.table.memory.visible - phone.table.memory.wired - pool * 1.9, at: phone.now)
        phone.wait(5)
        let totals = phone.table.statistics(at: phone.now)
        #expect(totals.warningTime == .seconds(5))
        #expect(totals.criticalTime == .zero)
        #expect(totals.residentAppSeconds == 15)
        #expect(totals.warnings == 1)
    }

    @Test func `processes are counted alive and suspended, and minima over the run and over a span`() {
        var phone = TestPhone(apps: 3)
        let empty = phone.table.available
        #expect(phone.table.availableMinimum == empty)
        phone.open(0)
        phone.leave(0)
        phone.open(1)
        #expect(phone.table.residentApps == 2)
        #expect(phone.table.suspendedApps == 1)
        let low = phone.table.available
        #expect(low == empty - .mebibytes(200))
        phone.table.terminate(AppID(0), .normal, at: phone.now)
        #expect(phone.table.suspendedApps == 0)
        #expect(phone.table.availableMinimum == low)
        phone.table.resetAvailableMinimum()
        #expect(phone.table.availableMinimum == empty - .mebibytes(100))
        #expect(phone.table.lowestAvailable == low)
    }

    @Test func `illegal moves trap`() async {
        await #expect(processExitsWith: .failure) {
            var phone = TestPhone(apps: 1)
            phone.open(0)
            phone.table.suspend(AppID(0), at: phone.now)
        }
        await #expect(processExitsWith: .failure) {
            var phone = TestPhone(apps: 1)
            phone.open(0)
            phone.table.launch(AppID(0), foreground: true, footprint: .mebibytes(1), at: phone.now)
        }
        await #expect(processExitsWith: .failure) {
            var phone = TestPhone(apps: 1)
            phone.table.resume(AppID(0), foreground: true, at: phone.now)
        }
    }
}
