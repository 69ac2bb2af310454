// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

/// A phone that is switched off and on again.
@Suite struct RestartTests {
    private let hour = SimDuration.hours(1)

    private func phone(level: Double) -> PowerSystem {
        var system = PowerSystem(.iPhone13, apps: 1, initialLevel: level)
        system.setNetwork(.wifi, at: .zero)
        return system
    }

    /// When the phone is on again, having been switched off after ten minutes.
    private func revivals(_ system: inout PowerSystem, after length: SimDuration) -> [SimTime] {
        run(&system, from: .zero, to: .seconds(600))
        system.restart(after: length, at: .seconds(600))
        #expect(system.isDead && system.isRestarting && system.totalPower == .zero)
        var found: [SimTime] = []
        run(&system, from: .seconds(600), to: .seconds(4 * 3600)) { event, now in
            #expect(event != .died)
            if event == .revived { found.append(now) }
        }
        return found
    }

    @Test(arguments: [(SimDuration.hours(1), 4200.0), (.zero, 660), (.seconds(61), 661)])
    func `it is off for as long as was said, a minute at least`(length: SimDuration, back: Double) {
        var system = phone(level: 0.5)
        let awake = phone(level: 0.5).totalPower
        #expect(revivals(&system, after: length) == [.seconds(back)])
        #expect(!system.isDead && !system.isRestarting && system.totalPower == awake)
    }

    @Test func `it draws nothing meanwhile`() {
        var off = phone(level: 0.5)
        var on = phone(level: 0.5)
        _ = revivals(&off, after: hour)
        run(&on, from: .zero, to: .seconds(4 * 3600))
        let power = on.totalPower.watts
        let saved = on.energy(for: .idle).joules - off.energy(for: .idle).joules
        // Joining Wi-Fi anew costs 0.75 J.
        #expect(abs(saved - (power * 3600 - 0.75)) < 1e-3, "\(saved), \(power * 3600)")
    }

    @Test func `a charger does not switch it on, but fills it`() {
        var system = phone(level: 0.5)
        system.plugIn(.watts(20), at: .zero)
        #expect(revivals(&system, after: hour) == [.seconds(4200)])
        #expect(system.level(at: .seconds(4 * 3600)) == 1)
    }
}
