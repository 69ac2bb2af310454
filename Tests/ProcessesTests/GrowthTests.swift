// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// A process grows past the thresholds below which others die.
@Suite struct GrowthTests {
    /// Ten idle apps, one that grows by so much in so many steps from 12 % available on; who died, and why.
    private func deaths(by growth: Double, steps: Int) -> [KillReason] {
        var phone = TestPhone(apps: 11) { $0.compressBelowShare = 0 }
        phone.makeIdle(Array(0..<10), mebibytes: 60)
        phone.open(10, mebibytes: 100)
        phone.table.setAvailable(share: 0.12, at: phone.now)
        phone.table.clearKills()
        for step in 1...steps {
            let size = ByteCount.mebibytes(100 + growth * Double(step) / Double(steps))
            phone.table.setFootprint(of: AppID(10), to: size, at: phone.now)
        }
        return phone.table.kills.map(\.reason)
    }

    @Test func `growth in one step and in many kill the same number for the same reason`() {
        let once = deaths(by: 500, steps: 1)
        #expect(once == deaths(by: 500, steps: 500))
        // 500 MiB from 12 % of 4 GiB less what the kernel does not see pass the idle threshold at 9 % by some 380 MiB.
        #expect(once.count == 7 && once.allSatisfy { $0 == .idleExit })
    }

    @Test func `who is above a soft limit dies of it before growth makes the idle die`() {
        var phone = TestPhone(apps: 3) { $0.compressBelowShare = 0 }
        phone.makeIdle([0], mebibytes: 60)
        var traits = ProcessTraits()
        (traits.isManaged, traits.band) = (false, 180)
        traits.activeLimit = MemoryLimit(.mebibytes(20), isFatal: false)
        phone.table.spawn(AppID(1), traits, footprint: .mebibytes(500), at: phone.now)
        phone.open(2, mebibytes: 100)
        phone.table.setAvailable(share: 0.16, at: phone.now)
        phone.table.clearKills()
        phone.table.setFootprint(of: AppID(2), to: .mebibytes(500), at: phone.now)
        #expect(phone.table.kills.map(\.reason) == [.highwater])
        #expect(phone.table.isAlive(AppID(0)))
    }
}
