// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

/// A mobile radio that falls back to an older technology.
@Suite struct FallbackTests {
    /// 5G that costs 1.2 J a promotion and 250 mW in its tail, over LTE of 2020; nothing else draws.
    private static func system(smartData: Bool = true) -> PowerSystem {
        var parameters = PowerParameters.iPhone15
        var newer = RadioParameters.lte2020
        newer.promotionExtraEnergy = .joules(1.2)
        newer.tail = [TailStage(power: .milliwatts(250), duration: .seconds(10))]
        newer.idlePower = .milliwatts(3)
        parameters.radios[.cellular] = newer
        var older = RadioParameters.lte2020
        older.idlePower = .milliwatts(1)
        parameters.cellularFallback = older
        parameters.smartData = smartData
        parameters.platform.suspendPower = .zero
        parameters.display.ambientPower = .zero
        var system = PowerSystem(parameters, apps: 1)
        system.setNetwork(.cellular, at: .zero)
        return system
    }

    private static func packet(_ system: inout PowerSystem, at now: SimTime) {
        _ = system.beginTransfer(.cellular, down: ByteCount(1), up: .zero, app: AppID(0), cause: .push, at: now)
    }

    private static func tails(_ system: borrowing PowerSystem) -> Double {
        system.energy(of: .cellular, cause: .tail).joules
    }

    @Test func `while nobody looks a packet costs what it does on LTE`() {
        var system = Self.system()
        Self.packet(&system, at: .seconds(10))
        run(&system, from: .seconds(10), to: .seconds(40))
        #expect(abs(Self.tails(system) - 0.18 * 10.2) < 1e-6)
        // 0.9 W for 0.32 s, and no switch.
        #expect(abs(system.energy(of: AppID(0)).joules - (0.9 * 0.32 + 0.18 * 10.2)) < 1e-3)
    }

    @Test(arguments: [true, false])
    func `a display that is on, or a phone that never chooses, uses 5G`(smartData: Bool) {
        var system = Self.system(smartData: smartData)
        if smartData { system.setDisplay(on: true, brightness: 0, app: .system, at: .seconds(5)) }
        Self.packet(&system, at: .seconds(10))
        run(&system, from: .seconds(10), to: .seconds(40))
        #expect(abs(Self.tails(system) - 0.25 * 10) < 1e-6)
        #expect(abs(system.energy(of: AppID(0)).joules - (1.2 + 0.9 * 0.32 + 0.25 * 10)) < 1e-3)
    }

    @Test func `Low Power Mode uses LTE whatever is on the display, until it ends`() {
        var system = Self.system(smartData: false)
        system.setDisplay(on: true, brightness: 0, app: .system, at: .zero)
        system.setSparesRadio(true, at: .seconds(1))
        Self.packet(&system, at: .seconds(10))
        run(&system, from: .seconds(10), to: .seconds(40))
        #expect(abs(Self.tails(system) - 0.18 * 10.2) < 1e-6)
        system.setSparesRadio(false, at: .seconds(50))
        Self.packet(&system, at: .seconds(60))
        run(&system, from: .seconds(60), to: .seconds(90))
        #expect(abs(Self.tails(system) - 0.18 * 10.2 - 0.25 * 10) < 1e-6)
    }

    @Test func `a tail ends as it began, and waiting is paid by the technology of the time`() {
        var system = Self.system()
        system.setDisplay(on: true, brightness: 0, app: .system, at: .zero)
        Self.packet(&system, at: .seconds(10))
        run(&system, from: .seconds(10), to: .seconds(12))
        system.setDisplay(on: false, brightness: 0, app: .system, at: .seconds(12))
        run(&system, from: .seconds(12), to: .seconds(30))
        #expect(abs(Self.tails(system) - 0.25 * 10) < 1e-6)
        let before = system.energy(of: .cellular, cause: .idle).joules
        run(&system, from: .seconds(30), to: .seconds(130))
        #expect(abs(system.energy(of: .cellular, cause: .idle).joules - before - 0.1) < 1e-6)
        system.setDisplay(on: true, brightness: 0, app: .system, at: .seconds(130))
        run(&system, from: .seconds(130), to: .seconds(230))
        #expect(abs(system.energy(of: .cellular, cause: .idle).joules - before - 0.4) < 1e-6)
        let terminals = system.terminalEnergy.joules
        #expect(abs(system.ledgerEnergy.joules - terminals) < 1e-9 * max(1, terminals))
    }

    @Test func `a copy falls back as its original does`() {
        var original = Self.system()
        original.setDisplay(on: true, brightness: 0, app: .system, at: .zero)
        original.setSparesRadio(true, at: .seconds(1))
        var copy = PowerSystem(copying: original)
        Self.packet(&copy, at: .seconds(10))
        run(&copy, from: .seconds(10), to: .seconds(40))
        #expect(abs(Self.tails(copy) - 0.18 * 10.2) < 1e-6)
        copy.setSparesRadio(false, at: .seconds(50))
        Self.packet(&copy, at: .seconds(60))
        run(&copy, from: .seconds(60), to: .seconds(90))
        #expect(abs(Self.tails(copy) - 0.18 * 10.2 - 0.25 * 10) < 1e-6)
        #expect(Self.tails(original) == 0)
    }
}
