// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

/// Runs the machine's own timers up to an instant, as the phone's event loop would.
func run(_ system: inout PowerSystem, from start: SimTime, to end: SimTime, onEvent: (BatteryEvent, SimTime) -> Void) {
    var now = start
    while true {
        let battery = system.nextBatteryEvent()
        let wifi = system.radioDeadline(.wifi)
        let cellular = system.radioDeadline(.cellular)
        let next = min(battery, min(wifi, cellular))
        if next > end { break }
        precondition(next >= now)
        now = next
        if next == wifi {
            system.radioTimerFired(.wifi, at: next)
        } else if next == cellular {
            system.radioTimerFired(.cellular, at: next)
        } else {
            onEvent(system.batteryEventReached(at: next), next)
        }
    }
    system.flush(at: end)
}

func run(_ system: inout PowerSystem, from start: SimTime, to end: SimTime) {
    run(&system, from: start, to: end) { _, _ in }
}

extension PowerParameters {
    /// The same phone at 25 °C for ever, as references of the cell alone have it.
    var isothermal: PowerParameters {
        var parameters = self
        parameters.heat = nil
        return parameters
    }
}

/// A small generator, so that a random run is the same everywhere.
struct Draw {
    var state: UInt64

    mutating func callAsFunction(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }
}

/// Does one random thing to a phone with twenty apps.
func disturb(_ system: inout PowerSystem, _ handles: inout [LoadHandle], _ draw: inout Draw, at now: SimTime) {
    let app = AppID(draw(20))
    switch draw(9) {
    case 0, 1:
        let power = Power.milliwatts(Double(draw(1500)) / 7)
        handles.append(system.startLoad(.processor, power, app: app, cause: .foreground, at: now))
    case 2, 3: if !handles.isEmpty { system.stopLoad(handles.remove(at: draw(handles.count)), at: now) }
    case 4: system.setDisplay(on: draw(2) == 0, brightness: Double(draw(100)) / 99, app: app, at: now)
    case 5: system.setNetwork(Network(rawValue: UInt8(draw(3))) ?? .none, at: now)
    case 6:
        if let interface = system.interface {
            _ = system.beginTransfer(
                interface, down: ByteCount(Int64(draw(2_000_000))), up: ByteCount(Int64(draw(100_000))), app: app,
                cause: .backgroundTask, at: now)
        }
    case 7: if system.isPluggedIn { system.unplug(at: now) } else { system.plugIn(.watts(20), at: now) }
    default: system.addEnergy(.storage, .joules(0.3), app: app, cause: .relaunch, at: now)
    }
}
