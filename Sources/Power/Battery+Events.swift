// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// An event of the battery at an instant that `nextBatteryEvent` returned.
public enum BatteryEvent: Sendable, BitwiseCopyable, Equatable {
    /// No event yet; call `nextBatteryEvent` again.
    case none
    /// The level shown to the user became a whole per cent.
    case level(percent: Int)
    /// Charging is complete.
    case full
    /// Charging holds at the level that is set (the 80 % option).
    case held
    /// The phone has shut down, because it is empty or its voltage fell below the cut-off under load.
    case died
    /// A dead phone has enough charge to start again.
    case revived
}

/// The next threshold, and the load under which its instant was calculated.
///
/// While discharging, a smaller load reaches the threshold later; while charging, a larger load reaches the threshold
/// later. In both cases the time stays valid for the next check. The opposite change of the load makes the time
/// invalid. The time also becomes invalid if more charge passes than the load would move.
struct Expectation: BitwiseCopyable {
    var time = SimTime.zero
    var load = -1.0
    var target = 0.0
    /// Seconds per unit of the state of charge under this load; negative when charging.
    var pace = 0.0
    var revision: UInt32 = 0
}

extension Battery {
    /// Whether no threshold can be reached before the expected time, although load and charge changed.
    @inline(__always)
    mutating func stillExpects() -> Bool {
        (isPlugged ? load >= expectation.load && load < supply && expectation.pace < 0 : load <= expectation.load)
            && revision == expectation.revision && time < expectation.time
            && (charge - expectation.target) * expectation.pace >= (expectation.time - time).seconds
    }

    /// A threshold counts as reached within this distance, in state of charge.
    private static let tolerance = 1e-9
    /// Longest time for which an event is predicted, in seconds.
    private static let horizon = 1e8

    /// Whether the cell cannot carry the present load at or above the cut-off voltage.
    var isBrownOut: Bool { isBrownOut(flow) }

    @inline(__always)
    private func isBrownOut(_ flow: Cell.Flow) -> Bool { load > supply && flow.volts < cutoff }

    /// Estimates when the next whole per cent, the ceiling or the cut-off is reached under the present load.
    ///
    /// The estimate is Q Δz divided by the current in the middle of Δz. For one per cent, it is within 10⁻⁶ of the
    /// exact integral. The caller checks again at that time, and the remaining distance is then estimated again.
    ///
    /// The method is `mutating` so that the call does not copy the battery.
    mutating func nextEvent(_ now: Cell.Flow) -> SimTime {
        let cell = cell
        expectation.time = .zero
        if isBrownOut(now) { return time }
        if now.current == 0 {
            if isPlugged, charge >= ceiling {
                expectation = Expectation(
                    time: .distantFuture, load: 0, target: 2, pace: -.infinity, revision: revision)
            }
            return .distantFuture
        }
        let target = now.current > 0 ? nextLower() : nextHigher()
        if hasPairs { return nextEventWithPairs(target: target, discharges: now.current > 0) }
        let distance = charge - target
        let middle = cell.flow(at: charge - distance / 2)
        if middle.current == 0 { return .distantFuture }
        // A falling charging current is taken at its present value, so the estimate is never too late. The caller then
        // checks again.
        let falls = now.current < middle.current * 1.0001 && now.current < 0
        let pace = capacity / (falls ? now.current : middle.current)
        var seconds = distance * pace
        let cutsOff = now.current > 0 && cell.flow(at: target).volts < cutoff
        if cutsOff { seconds = min(seconds, timeToCutoff(cell)) }
        let next = time + .seconds(min(max(seconds, 0), Self.horizon)) + SimDuration(nanoseconds: 1)
        if !cutsOff, seconds < Self.horizon {
            // A margin of one microsecond, so that rounding does not end the expectation.
            expectation = Expectation(
                time: next, load: load, target: target - 1e-6 / pace, pace: pace, revision: revision)
        }
        return next
    }

    private func nextEventWithPairs(target: Double, discharges: Bool) -> SimTime {
        var seconds = min(earliest(target: target), Self.horizon)
        let held = max(held.0 + held.1, 0)
        let lowest = min(cell.flow(at: target).volts, cell.flow(at: target, holding: held, late).volts)
        if discharges, lowest < cutoff { seconds = min(seconds, timeToCutoffWithPairs(before: seconds)) }
        return time + .seconds(seconds) + SimDuration(nanoseconds: 1)
    }

    /// The next whole per cent below the state of charge, or the empty state if there is none.
    @inline(__always)
    private func nextLower() -> Double {
        let percent = ((charge - Self.tolerance - emptyState) / (1 - emptyState) * 100).rounded(.down)
        return state(ofLevel: max(percent, 0) / 100)
    }

    /// The next whole per cent above the state of charge, or the ceiling if that is nearer.
    @inline(__always)
    private func nextHigher() -> Double {
        let percent = ((charge + Self.tolerance - emptyState) / (1 - emptyState) * 100).rounded(.down) + 1
        return min(state(ofLevel: percent / 100), ceiling)
    }

    /// Seconds until the voltage under load meets the cut-off, found by bisection over the next per cent.
    private func timeToCutoff(_ cell: Cell) -> Double {
        var low = nextLower()
        var high = charge
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if cell.flow(at: middle).volts < cutoff { low = middle } else { high = middle }
        }
        return (charge - low) * capacity / cell.flow(at: (charge + low) / 2).current
    }

    /// The event reached since the last announcement; the state of charge must be advanced to the present first.
    mutating func reached(isDead: Bool) -> BatteryEvent {
        revision &+= 1
        if !isDead, isBrownOut || charge <= emptyState + Self.tolerance && load > supply {
            announced = min(announced, Int((level * 100).rounded(.up)))
            return .died
        }
        if isDead {
            if isPlugged, level >= revivalLevel { return .revived }
            return announce()
        }
        if isPlugged, load < supply, charge >= ceiling - Self.tolerance {
            fillToCeiling()
            announced = Int((level * 100 + 1e-6).rounded(.down))
            return holdLevel < 1 ? .held : .full
        }
        return announce()
    }

    /// Announces the last whole per cent that was passed, downwards or upwards.
    private mutating func announce() -> BatteryEvent {
        guard let percent = unannounced() else { return .none }
        announced = percent
        return .level(percent: announced)
    }

    /// Whether an instantaneous change passed a whole per cent: energy taken at once, or a new temperature.
    mutating func isBehind() -> Bool { unannounced() != nil }

    private mutating func unannounced() -> Int? {
        let exact = (charge - emptyState) / (1 - emptyState) * 100
        let slack = 200 * Self.tolerance
        let falling = max(Int((exact - slack).rounded(.up)), 0)
        if falling < announced { return falling }
        let rising = Int((exact + slack).rounded(.down))
        return rising > announced ? rising : nil
    }
}
