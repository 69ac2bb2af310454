// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

/// Bursts, tails and queues where several apps share a radio, and what a bad signal costs.
///
/// On LTE of 2012 a promotion takes 0.26 s at 1.21 W, 0.3146 J, and a tail 11.576 s at 1.06 W, 12.27056 J; transfers
/// without a byte take no time.
@Suite struct RadioCornerTests {
    private func send(_ apps: [Int], at seconds: Double, on system: inout PowerSystem) {
        for app in apps {
            _ = system.beginTransfer(
                .cellular, down: .zero, up: .zero, app: AppID(app), cause: .transfer, at: .seconds(seconds))
        }
    }

    private func joules(_ system: borrowing PowerSystem) -> [Double] {
        (0..<3).map { system.energy(of: AppID($0)).joules }
    }

    private func expect(_ found: [Double], _ wanted: [Double], location: SourceLocation = #_sourceLocation) {
        for (one, other) in zip(found, wanted) {
            #expect(abs(one - other) < 1e-9, "\(found)", sourceLocation: location)
        }
    }

    @Test func `each burst's tail is split among its own users only`() {
        var system = RadioTests.system(.lte2012, tails: .equalSplit)
        system.setNetwork(.cellular, at: .zero)
        send([0, 1], at: 1, on: &system)
        run(&system, from: .seconds(1), to: .seconds(30))
        expect(joules(system), [0.3146 + 6.13528, 6.13528, 0])
        send([2], at: 30, on: &system)
        run(&system, from: .seconds(30), to: .seconds(60))
        expect(joules(system), [0.3146 + 6.13528, 6.13528, 0.3146 + 12.27056])
        send([1, 2, 1], at: 60, on: &system)
        run(&system, from: .seconds(60), to: .seconds(90))
        expect(joules(system), [0.3146 + 6.13528, 6.13528 + 0.3146 + 6.13528, 0.3146 + 12.27056 + 6.13528])
    }

    @Test func `who comes in the tail of others shares what is left of it`() {
        for tails in [TailAttribution.equalSplit, .lastUser] {
            var system = RadioTests.system(.lte2012, tails: tails)
            system.setNetwork(.cellular, at: .zero)
            send([0], at: 1, on: &system)
            run(&system, from: .seconds(1), to: .seconds(6))
            send([1], at: 6, on: &system)
            run(&system, from: .seconds(6), to: .seconds(30))
            // App 0 alone from 1.26 s to 6 s, and then a whole tail.
            let alone = 0.3146 + 1.06 * 4.74
            let shared = tails == .equalSplit ? 6.13528 : 0
            expect(joules(system), [alone + shared, 12.27056 - shared, 0])
        }
    }

    @Test func `transfers that wait are gone when the radio is switched off`() {
        var system = RadioTests.system(.lte2020)
        system.setNetwork(.cellular, at: .zero)
        for app in 0..<3 {
            _ = system.beginTransfer(
                .cellular, down: ByteCount(1_000_000), up: .zero, app: AppID(app), cause: .transfer, at: .zero)
        }
        system.setNetwork(.none, at: .seconds(0.1))
        system.setNetwork(.cellular, at: .seconds(10))
        let end = system.beginTransfer(
            .cellular, down: ByteCount(2_000_000), up: .zero, app: AppID(2), cause: .push, at: .seconds(10))
        #expect(abs(end.seconds - (10.32 + 16.0 / 35)) < 1e-8)
        run(&system, from: .seconds(10), to: .seconds(40))
        // A tenth of a second of promotion came before; 0.5 W and 11.54 mW per Mbit/s while receiving at 35 Mbit/s.
        #expect(abs(system.energy(of: .cellular, cause: .transfer).joules - 0.09) < 1e-9)
        let active = 0.9 * 0.32 + (0.5 + 0.01154 * 35) * 16 / 35
        #expect(abs(system.energy(of: .cellular, cause: .push).joules - active) < 1e-6)
        expect(joules(system), [0.09, 0, system.energy(of: AppID(2)).joules])
        #expect(abs(system.energy(of: AppID(2)).joules - active - 0.18 * 10.2) < 1e-6)
    }

    /// 1 MB at 80 Mbit/s takes 0.1 s; then comes a tail at 0.25 W, of 220 ms or for as long as more is expected.
    @Test func `what a radio expected before it was off does not keep it awake afterwards`() {
        var wifi = PowerSystem(.iPhone15, apps: 1)
        wifi.setNetwork(.wifi, at: .zero)
        for (begin, listening) in [(10.0, 100.0), (40, 0)] {
            _ = wifi.beginTransfer(
                .wifi, down: ByteCount(1_000_000), up: .zero, listening: .seconds(listening), app: AppID(0),
                cause: .foreground, at: .seconds(begin))
            run(&wifi, from: .seconds(begin), to: .seconds(begin + 10))
            wifi.setNetwork(.none, at: .seconds(begin + 10))
            run(&wifi, from: .seconds(begin + 10), to: .seconds(begin + 20))
            wifi.setNetwork(.wifi, at: .seconds(begin + 20))
            run(&wifi, from: .seconds(begin + 20), to: .seconds(begin + 30))
        }
        // From 10.1 s to 20 s, and for 220 ms from 40.1 s on.
        #expect(abs(wifi.energy(of: .wifi, cause: .tail).joules - 0.25 * (9.9 + 0.22)) < 1e-6)
    }

    /// The mobile radio searches with 300 mW, Wi-Fi with 26 mW.
    @Test func `a phone without a network looks for one after a restart, as before it`() {
        var parameters = PowerParameters.iPhone15
        parameters.radios[.cellular] = .lte2020
        parameters.radios[.cellular].searchPower = .watts(0.3)
        parameters.radios[.wifi].searchPower = .watts(0.026)
        parameters.platform.suspendPower = .zero
        var system = PowerSystem(parameters, apps: 1)
        system.setNetwork(.cellular, at: .zero)
        system.setNetwork(.none, at: .seconds(10))
        #expect(abs(system.totalPower.watts - 0.326) < 1e-9)
        system.restart(after: .minute, at: .seconds(20))
        #expect(system.totalPower == .zero)
        run(&system, from: .seconds(20), to: .seconds(100))
        #expect(!system.isDead && abs(system.totalPower.watts - 0.326) < 1e-9)
    }

    /// 5 MB at 35 Mbit/s and 1 MB at 10 Mbit/s, both slower by the signal's factor; receiving at 0.5 W and 11.54 mW
    /// per Mbit/s, sending at 0.5 W and 76.68 mW per Mbit/s times the signal's other factor; 0.288 J of promotion and
    /// 1.836 J of tail.
    @Test(arguments: [
        (SignalLevel.excellent, 4.170469), (.good, 4.450300), (.moderate, 5.266125), (.poor, 9.357295),
        (.veryPoor, 19.187825),
    ])
    func `a transfer costs what the signal's factors make of it`(signal: SignalLevel, joules: Double) {
        var radio = RadioParameters.lte2020
        radio.signal = signal
        #expect(abs(RadioFigureTests.energy(radio, down: 5e6, up: 1e6) - joules) < 1e-5)
        // The same where the signal is what it is for a while, and the figures are of another one.
        radio.signal = .moderate
        #expect(abs(RadioFigureTests.energy(radio, down: 5e6, up: 1e6, signal: signal) - joules) < 1e-5)
    }
}
