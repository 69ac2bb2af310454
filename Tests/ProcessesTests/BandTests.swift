// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Testing
import Vocabulary

/// Bands over an app's life, after Apple's `tests/memorystatus_is_assertion.c`, as far as apps are concerned.
@Suite struct BandTests {
    @Test func `bands follow the life cycle: working, visible, just left, idle`() {
        var phone = TestPhone(apps: 1)
        let app = AppID(0)
        #expect(phone.table.band(of: app) == 0)
        phone.table.launch(app, foreground: false, footprint: .mebibytes(50), at: phone.now)
        #expect(phone.table.band(of: app) == 40)
        phone.table.resume(app, foreground: true, at: phone.now)
        #expect(phone.table.band(of: app) == 100)
        phone.table.becomeActive(app, at: phone.now)
        phone.table.resignActive(app, at: phone.now)
        #expect(phone.table.band(of: app) == 100)
        phone.table.enterBackground(app, audio: true, at: phone.now)
        #expect(phone.table.band(of: app) == 120)
        phone.table.setBand(of: app, to: 40, at: phone.now)
        phone.table.suspend(app, at: phone.now)
        #expect(phone.table.band(of: app) == 20)
        #expect(phone.table.nextAging == .seconds(2))
        phone.wait(2)
        #expect(phone.table.band(of: app) == 0)
        #expect(phone.table.nextAging == .distantFuture)
    }

    @Test func `an assertion sets the band it asks for, up or down, and stops ageing`() {
        var phone = TestPhone(apps: 1)
        phone.open(0)
        phone.leave(0)
        phone.table.setBand(of: AppID(0), to: 100, at: phone.now)
        #expect(phone.table.band(of: AppID(0)) == 100)
        phone.table.setBand(of: AppID(0), to: 30, at: phone.now)
        #expect(phone.table.band(of: AppID(0)) == 30)
        phone.wait(30)
        #expect(phone.table.band(of: AppID(0)) == 30)
    }

    @Test func `a resume while ageing starts the two seconds anew`() {
        var phone = TestPhone(apps: 1)
        phone.open(0)
        phone.leave(0)
        phone.wait(1.5)
        phone.table.resume(AppID(0), foreground: false, at: phone.now)
        phone.table.suspend(AppID(0), at: phone.now)
        phone.wait(1.9)
        #expect(phone.table.band(of: AppID(0)) == 20)
        phone.wait(0.1)
        #expect(phone.table.band(of: AppID(0)) == 0)
    }

    @Test func `apps become idle in the order in which they left`() {
        var phone = TestPhone(apps: 4) { $0.compressBelowShare = 0 }
        for app in [2, 0, 3, 1] {
            phone.open(app)
            phone.leave(app)
            phone.wait(0.5)
        }
        phone.wait(3)
        phone.table.setAvailable(share: 0.0, at: phone.now)
        #expect(phone.killed == [2, 0, 3, 1])
    }

    @Test func `what plays audio outlives what works and what is suspended`() {
        var phone = TestPhone(apps: 3) { $0.compressBelowShare = 0 }
        phone.open(0)
        phone.table.resignActive(AppID(0), at: phone.now)
        phone.table.enterBackground(AppID(0), audio: true, at: phone.now)
        phone.table.launch(AppID(1), foreground: false, footprint: .mebibytes(80), at: phone.now)
        phone.makeIdle([2])
        for _ in 0..<3 { phone.table.setAvailable(share: 0.001, at: phone.now) }
        #expect(phone.killed == [2, 1, 0])
        #expect(phone.table.kills.last?.band == 120)
        #expect(phone.table.kills.last?.state == .background)
        #expect(phone.table.kills.last?.category == .memoryPressure)
    }
}
