// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

@Suite struct RadioTests {
    static func system(
        _ cellular: RadioParameters, tails: TailAttribution = .lastUser, apps: Int = 3
    ) -> PowerSystem {
        var parameters = PowerParameters.iPhone15
        parameters.radios[.cellular] = cellular
        parameters.radios[.cellular].idlePower = .zero
        parameters.platform.suspendPower = .zero
        parameters.tailAttribution = tails
        return PowerSystem(parameters, apps: apps)
    }

    @Test func `one small packet on LTE of 2012 costs its promotion and its tail`() {
        var system = Self.system(.lte2012)
        system.setNetwork(.cellular, at: .zero)
        let sent = SimTime.seconds(10)
        let end = system.beginTransfer(
            .cellular, down: ByteCount(1), up: .zero, app: AppID(0), cause: .push, at: sent)
        #expect(end > sent + .milliseconds(260))
        run(&system, from: sent, to: .seconds(60))
        #expect(abs(system.energy(of: .cellular).joules - (0.3146 + 12.27056)) < 0.0001)
        #expect(abs(system.energy(of: .cellular, cause: .tail).joules - 12.27056) < 1e-9)
        #expect(system.energy(of: AppID(0)) == system.energy(of: .cellular))
    }

    @Test func `a second packet extends the tail and does not add another`() {
        var system = Self.system(.lte2012)
        system.setNetwork(.cellular, at: .zero)
        _ = system.beginTransfer(.cellular, down: ByteCount(1), up: .zero, app: AppID(0), cause: .push, at: .seconds(1))
        run(&system, from: .seconds(1), to: .seconds(6))
        #expect(system.radioIsUp(.cellular) == true)
        _ = system.beginTransfer(.cellular, down: ByteCount(1), up: .zero, app: AppID(1), cause: .push, at: .seconds(6))
        run(&system, from: .seconds(6), to: .seconds(60))
        // From the first byte at 1.26 s to 6 s, and a whole tail from there.
        let expected = 1.06 * (6 - 1.26 + 11.576)
        #expect(abs(system.energy(of: .cellular, cause: .tail).joules - expected) < 0.0001)
        #expect(system.promotions(.cellular) == 1)
        #expect(system.radioIsUp(.cellular) == false)
        #expect(abs(system.energy(of: AppID(1), .background).joules - 1.06 * 11.576) < 0.0001)
    }

    @Test func `while more keeps coming the receiver does not rest, and a longer tail lasts as long as ever`() {
        // 1 MB at 80 Mbit/s takes 0.1 s at 0.8 W; then 0.25 W until 3 s are over, or for 220 ms.
        for (listening, tail) in [(3.0, 2.9), (0.2, 0.22)] {
            var wifi = PowerSystem(.iPhone15, apps: 3)
            wifi.setNetwork(.wifi, at: .zero)
            let before = SimTime.seconds(10)
            _ = wifi.beginTransfer(
                .wifi, down: ByteCount(1_000_000), up: .zero, listening: .seconds(listening), app: AppID(0),
                cause: .foreground, at: before)
            run(&wifi, from: before, to: .seconds(60))
            #expect(abs(wifi.energy(of: .wifi, cause: .tail).joules - 0.25 * tail) < 1e-9)
            #expect(abs(wifi.energy(of: .wifi, cause: .foreground).joules - 0.08) < 1e-9)
        }
        var lte = Self.system(.lte2012)
        lte.setNetwork(.cellular, at: .zero)
        _ = lte.beginTransfer(
            .cellular, down: ByteCount(1), up: .zero, listening: .seconds(3), app: AppID(0), cause: .foreground,
            at: .seconds(10))
        run(&lte, from: .seconds(10), to: .seconds(60))
        #expect(abs(lte.energy(of: .cellular, cause: .tail).joules - 12.27056) < 1e-9)
    }

    @Test func `a piece every six seconds draws what its bytes, its listening and its rest draw`() {
        var wifi = RadioParameters.wifi
        wifi.roundTrip = .zero
        // 1.5 MB take 0.15 s at 0.8 W; 3.6 s are spent awake, the rest at 20 mW.
        let power = wifi.meanPower(
            receiving: .megabitsPerSecond(2), sending: .zero, every: .seconds(6), listening: 0.6)
        #expect(abs(power.watts - (0.15 * 0.8 + 3.45 * 0.25 + 2.4 * 0.02) / 6) < 1e-12)
    }

    @Test func `an equal split divides the tail among the users of the burst`() {
        var system = Self.system(.lte2012, tails: .equalSplit)
        system.setNetwork(.cellular, at: .zero)
        for app in 0..<3 {
            _ = system.beginTransfer(
                .cellular, down: ByteCount(1000), up: .zero, app: AppID(app), cause: .transfer, at: .seconds(1))
        }
        run(&system, from: .seconds(1), to: .seconds(60))
        let tail = system.energy(of: .cellular, cause: .tail).joules
        #expect(abs(system.energy(of: AppID(1)).joules - system.energy(of: AppID(2)).joules) < 1e-9)
        #expect(system.energy(of: AppID(1)).joules > tail / 3)
        #expect(system.energy(of: AppID(1)).joules < tail / 3 + 0.01)
    }

    @Test func `transfers at once are served one after the other`() {
        var system = Self.system(.lte2020)
        system.setNetwork(.cellular, at: .zero)
        let megabyte = ByteCount(1_000_000)
        let first = system.beginTransfer(
            .cellular, down: megabyte, up: .zero, app: AppID(0), cause: .foreground, at: .zero)
        let second = system.beginTransfer(
            .cellular, down: megabyte, up: .zero, app: AppID(1), cause: .foreground, at: .zero)
        #expect(abs(first.seconds - (0.32 + 8.0 / 35)) < 1e-8)
        #expect(abs(second.seconds - (0.32 + 16.0 / 35)) < 1e-8)
    }

    @Test func `ten megabytes cost more on LTE than on Wi-Fi by the published ratio`() {
        // Huang et al. (MobiSys 2012) report 1.62 for downloads; the 2012 radio against today's Wi-Fi gives more.
        var lte = Self.system(.lte2012)
        lte.setNetwork(.cellular, at: .zero)
        _ = lte.beginTransfer(
            .cellular, down: ByteCount(10_000_000), up: .zero, app: AppID(0), cause: .transfer, at: .zero)
        run(&lte, from: .zero, to: .seconds(100))
        #expect(abs(lte.energy(of: .cellular).joules - (0.3146 + 12.27 + 80.0 / 13 * 1.96365)) < 0.01)
    }

    @Test func `an interface that is off never completes a transfer`() {
        var system = Self.system(.lte2020)
        let end = system.beginTransfer(.wifi, down: ByteCount(10), up: .zero, app: AppID(0), cause: .push, at: .zero)
        #expect(end == .distantFuture)
    }

    @Test func `bytes that an interface cannot move are not counted`() {
        var system = Self.system(.lte2020)
        _ = system.beginTransfer(.wifi, down: ByteCount(10), up: ByteCount(5), app: AppID(0), cause: .push, at: .zero)
        #expect(system.bytes(.wifi) == .zero)
        system.setNetwork(.wifi, at: .zero)
        _ = system.beginTransfer(.wifi, down: ByteCount(10), up: ByteCount(5), app: AppID(0), cause: .push, at: .zero)
        #expect(system.bytes(.wifi) == ByteCount(15))
    }

    @Test func `a transfer over Wi-Fi costs its two directions and a short tail`() {
        var system = Self.system(.lte2020)
        system.setNetwork(.wifi, at: .zero)
        let joined = system.energy(of: .wifi).joules
        #expect(joined == 0.75)
        _ = system.beginTransfer(
            .wifi, down: ByteCount(10_000_000), up: ByteCount(1_000_000), app: AppID(0), cause: .transfer, at: .zero)
        run(&system, from: .zero, to: .seconds(5))
        // 1 s at 0.4 W + 80 · 5 mW, 0.2 s at 1.3 W + 40 · 15 mW, 0.22 s at 0.25 W, the rest idle at 20 mW.
        let idle = 0.020 * (5 - 1 - 0.2 - 0.22)
        #expect(abs(system.energy(of: .wifi, cause: .transfer).joules - (0.8 + 0.38)) < 1e-9)
        #expect(abs(system.energy(of: .wifi, cause: .tail).joules - 0.055) < 1e-9)
        #expect(abs(system.energy(of: .wifi, cause: .idle).joules - joined - idle) < 1e-9)
    }

    @Test func `stages of a tail follow each other and a late stage delays the next byte`() {
        var radio = RadioParameters.lte2020
        radio.tail = [
            TailStage(power: .milliwatts(590), duration: .seconds(10)),
            TailStage(power: .milliwatts(60), duration: .seconds(5), resumeTime: .milliseconds(100)),
        ]
        radio.promotionExtraEnergy = .joules(1.2)
        var system = Self.system(radio)
        system.setNetwork(.cellular, at: .zero)
        let end = system.beginTransfer(
            .cellular, down: .zero, up: .zero, app: AppID(0), cause: .push, at: .zero)
        #expect(end == .seconds(0.32))
        run(&system, from: .zero, to: .seconds(12))
        #expect(abs(system.energy(of: .cellular, cause: .tail).joules - (5.9 + 0.06 * 1.68)) < 1e-9)
        let resumed = system.beginTransfer(
            .cellular, down: .zero, up: .zero, app: AppID(0), cause: .push, at: .seconds(12))
        #expect(resumed == .seconds(12) + .milliseconds(100))
        run(&system, from: .seconds(12), to: .seconds(60))
        #expect(system.promotions(.cellular) == 1)
        // Two promotions of the radio's own kind: 0.32 s and 0.1 s at 0.9 W, and one switch that costs 1.2 J.
        #expect(abs(system.energy(of: .cellular, cause: .push).joules - (0.9 * 0.42 + 1.2)) < 1e-9)
    }

    @Test func `leaving Wi-Fi ends its transfers and switches it off`() {
        var system = Self.system(.lte2020)
        system.setNetwork(.wifi, at: .zero)
        _ = system.beginTransfer(
            .wifi, down: ByteCount(10_000_000), up: .zero, app: AppID(0), cause: .transfer, at: .zero)
        system.setNetwork(.cellular, at: .seconds(0.5))
        run(&system, from: .seconds(0.5), to: .seconds(5))
        #expect(abs(system.energy(of: .wifi, cause: .transfer).joules - 0.4) < 1e-9)
        #expect(system.energy(of: .wifi, cause: .tail) == .zero)
        #expect(system.totalPower == .zero)
    }
}

/// Radios against the published figures of LTE in 2012, and what signal, waiting and searching cost.
@Suite struct RadioFigureTests {
    /// Energy above idle of one transfer and its tail.
    static func energy(
        _ radio: RadioParameters, down: Double = 0, up: Double = 0, signal: SignalLevel? = nil
    ) -> Double {
        var parameters = PowerParameters.iPhone13
        parameters.radios[.cellular] = radio
        var system = PowerSystem(parameters, apps: 1)
        system.setNetwork(.cellular, at: .zero)
        if let signal { system.setSignal(signal, of: .cellular, at: .zero) }
        _ = system.beginTransfer(
            .cellular, down: ByteCount(Int64(down)), up: ByteCount(Int64(up)), app: AppID(0), cause: .foreground,
            at: .zero)
        var now = SimTime.zero
        while system.radioDeadline(.cellular) < .distantFuture {
            now = system.radioDeadline(.cellular)
            system.radioTimerFired(.cellular, at: now)
        }
        system.flush(at: now)
        return system.energy(of: .cellular).joules
    }

    @Test func `one small packet costs 0.315 and 12.27 J on LTE of 2012`() {
        #expect(abs(Self.energy(.lte2012, down: 100) / (0.315 + 12.27) - 1) < 0.01)
    }

    @Test func `ten megabytes cost more on LTE than on Wi-Fi of 2012 by what Huang found`() {
        // 1.62 down and 2.53 up.
        let down = Self.energy(.lte2012, down: 10e6) / Self.energy(.wifi2012, down: 10e6)
        let up = Self.energy(.lte2012, up: 10e6) / Self.energy(.wifi2012, up: 10e6)
        #expect((1.3...2.0).contains(down))
        #expect((2.0...3.2).contains(up))
    }

    @Test func `a kilobyte a minute on LTE of 2012 spends nearly all in its tail`() {
        var parameters = PowerParameters.iPhone13
        parameters.radios[.cellular] = .lte2012
        var system = PowerSystem(parameters, apps: 1)
        system.setNetwork(.cellular, at: .zero)
        for minute in 0..<30 {
            let now = SimTime.zero + .minutes(Double(minute))
            _ = system.beginTransfer(
                .cellular, down: .zero, up: ByteCount(1000), app: AppID(0), cause: .backgroundTask, at: now)
            run(&system, from: now, to: now + .seconds(59))
        }
        let tail = system.energy(of: .cellular, cause: .tail).joules
        let paging = system.energy(of: .cellular, cause: .idle).joules
        #expect(tail / (system.energy(of: .cellular).joules - paging) > 0.90)
    }

    @Test func `a worse signal makes sending dearer and everything slower`() {
        let sums = SignalLevel.allCases.map { level in
            var radio = RadioParameters.lte2020
            radio.signal = level
            return Self.energy(radio, down: 5e6, up: 1e6)
        }
        #expect(sums == sums.sorted())
        #expect(sums[4] > 4 * sums[0])
    }

    @Test func `a weak signal makes waiting dearer, and nothing else that waits`() {
        var parameters = PowerParameters.iPhone13
        parameters.radios[.cellular].weakSignalPower = .milliwatts(80)
        var system = PowerSystem(parameters, apps: 1)
        system.setNetwork(.cellular, at: .zero)
        let best = system.totalPower
        for (level, added) in zip(SignalLevel.allCases, [0.0, 0, 8, 32, 80]) {
            system.setSignal(level, of: .cellular, at: .zero)
            #expect(abs((system.totalPower - best).milliwatts - added) < 1e-6, "\(level)")
            let waiting = parameters.radios[.cellular].idlePower.milliwatts + added
            #expect(abs(system.standbyPower(of: .cellular).milliwatts - waiting) < 1e-6)
            parameters.radios[.cellular].signal = level
            #expect(abs(parameters.radios[.cellular].standbyPower.milliwatts - waiting) < 1e-9)
        }
        // An hour at a very poor signal, in the books.
        system.flush(at: .zero + .hour)
        let mean = system.energy(of: .cellular).joules / 3600
        #expect(abs(mean - parameters.radios[.cellular].idlePower.watts - 0.08) < 1e-9)
        // Of Wi-Fi nothing is known.
        system.setSignal(.veryPoor, of: .wifi, at: .zero + .hour)
        #expect(abs(system.standbyPower(of: .wifi).milliwatts - 20) < 1e-6)
    }

    @Test func `waiting for the server costs its time at the power of the tail`() {
        var radio = RadioParameters.lte2012
        let before = Self.energy(radio, down: 100)
        radio.roundTrip = .seconds(2)
        #expect(abs(Self.energy(radio, down: 100) - before - 2 * 1.06) < 1e-6)
    }

    @Test func `Wi-Fi without a network looks for one and a dead phone does not`() {
        var parameters = PowerParameters.iPhone13
        parameters.radios[.wifi].searchPower = .milliwatts(2)
        parameters.battery = BatteryParameters(capacity: .milliampereHours(1))
        var system = PowerSystem(parameters, apps: 1)
        let before = system.totalPower
        system.setNetwork(.cellular, at: .zero)
        #expect(abs((system.totalPower - before - parameters.radios[.cellular].idlePower).milliwatts - 2) < 1e-6)
        _ = system.startLoad(.processor, .watts(1), app: AppID(0), cause: .foreground, at: .zero)
        var died = false
        run(&system, from: .zero, to: .zero + .hours(2)) { event, _ in if event == .died { died = true } }
        #expect(died && system.totalPower == .zero)
    }

    @Test func `the mean power of pieces is what a run books`() {
        let radio = RadioParameters.lte2020
        var parameters = PowerParameters.iPhone13
        parameters.radios[.cellular] = radio
        var system = PowerSystem(parameters, apps: 1)
        system.setNetwork(.cellular, at: .zero)
        for piece in 0..<200 {
            let now = SimTime.zero + .seconds(Double(piece) * 6)
            _ = system.beginTransfer(
                .cellular, down: ByteCount(750_000), up: .zero, app: AppID(0), cause: .foreground, at: now)
            run(&system, from: now, to: now + .seconds(6) - SimDuration(nanoseconds: 1))
        }
        let mean = radio.meanPower(receiving: .megabitsPerSecond(1), sending: .zero, every: .seconds(6)).watts
        let booked = system.energy(of: .cellular).joules / 1200
        // The first promotion is the only difference.
        #expect(abs(booked / mean - 1) < 0.005)
    }
}
