// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The phone's temperatures and the thermal state that follows from them.
///
/// Heat is gathered and applied to the temperatures about every two seconds, by its first three moments in time. The
/// error is about ten microkelvins. A longer span of constant heat is calculated exactly.
///
/// Heat that could ever reach the first threshold must be passed to `expect` beforehand; every crossing is then
/// calculated exactly. Smaller heat needs no look-ahead, because the temperatures stay below those of the largest
/// harmless heat.
struct Thermostat {
    /// A threshold counts as reached within this distance, in kelvins.
    private static let tolerance = 1e-9
    /// Margin below the first threshold, in kelvins, that the body keeps under harmless heat.
    private static let margin = 0.1

    private var nodes: ThermalNodes
    private let limits: (Double, Double, Double)
    private let hysteresis: Double
    private let dwell: SimDuration
    private(set) var state = ThermalState.nominal
    private var since = SimTime.zero
    /// The heat made from now on, in watts, as last passed in.
    private var heat = 0.0
    /// Heat since the last update of the temperatures.
    private var gathered = GatheredHeat()
    /// Largest sudden energy, in joules, that warms the body by at most the margin.
    private var harmlessBurst: Double
    /// Heat capacity of the body, in J/K.
    private var bodyCapacity: Double
    /// When the state may change under the present heat, or an instant before which it certainly does not change.
    private(set) var deadline = SimTime.distantFuture
    /// Temperatures and time from which the deadline was planned; nil unless the deadline is only a bound.
    ///
    /// The exact crossing takes about twenty exponentials, and most heats change long before the bound is reached.
    private var bounded: (nodes: ThermalNodes, time: SimTime)?
    /// Whether no harmless heat can change the state.
    private(set) var isSafe = true
    /// Whether something has changed since the deadline was planned.
    private var isOutdated = false
    /// The largest harmless heat, in watts.
    private(set) var safeHeat = 0.0
    private var safeBody = 0.0
    private var safeBoard = 0.0
    /// Highest temperature of the body since the last `restart`.
    private(set) var highest: Double
    /// Highest temperature of the body since the last `restartRecent`.
    private(set) var recentHighest: Double

    init(_ parameters: HeatParameters, air: Double) {
        nodes = ThermalNodes(parameters, air: air)
        limits = (parameters.fairAbove.celsius, parameters.seriousAbove.celsius, parameters.criticalAbove.celsius)
        hysteresis = parameters.hysteresis
        dwell = parameters.dwell
        bodyCapacity = parameters.bodyCapacity
        harmlessBurst = Self.margin * parameters.bodyCapacity
        highest = air
        recentHighest = air
        findHarmlessHeat()
        plan(at: .zero)
    }

    /// Temperature of body and battery at their last update, in °C.
    var body: Double { nodes.body }

    /// Temperature of the air, in °C.
    var air: Double { nodes.air }

    /// Temperatures after some seconds of a constant heat, in °C.
    func temperatures(after seconds: Double, of watts: Double) -> (body: Double, board: Double) {
        var nodes = nodes
        nodes.advance(gathered)
        nodes.advance(seconds, watts: watts)
        return (nodes.body, nodes.board)
    }

    /// Adds the heat of a single instant.
    @inline(__always)
    mutating func absorb(_ joules: Double) {
        gathered.absorb(joules)
        if !isSafe || gathered.joules > harmlessBurst {
            isSafe = false
            isOutdated = true
        }
    }

    /// Adds heat that was produced at a constant rate since the last call.
    ///
    /// - Returns: Whether the temperatures were updated.
    @inline(__always)
    mutating func follow(_ joules: Double, _ seconds: Double) -> Bool {
        if seconds > Self.span {
            moveFar(joules, seconds)
            return true
        }
        gathered.add(joules, seconds)
        if gathered.seconds <= Self.span { return false }
        move()
        return true
    }

    /// Longest time, in seconds, for which heat is gathered before the temperatures are updated.
    private static var span: Double { 2 }

    @inline(never)
    private mutating func moveFar(_ joules: Double, _ seconds: Double) {
        move()
        nodes.advance(seconds, watts: joules / seconds)
        noteMove()
    }

    /// Applies the gathered heat to the temperatures.
    @inline(never)
    private mutating func move() {
        if gathered.isEmpty { return }
        nodes.advance(gathered)
        gathered = GatheredHeat()
        noteMove()
    }

    @inline(__always)
    private mutating func noteMove() {
        if nodes.body > highest { highest = nodes.body }
        if nodes.body > recentHighest { recentHighest = nodes.body }
        guard isSafe, nodes.board > safeBoard || nodes.body > safeBody else { return }
        isSafe = false
        isOutdated = true
    }

    /// Sets the heat that the phone makes from now on.
    mutating func expect(_ watts: Double, at now: SimTime) {
        if watts == heat, !isOutdated { return }
        move()
        heat = watts
        if !isSafe || watts > safeHeat { plan(at: now) }
    }

    /// Sets the temperature of the air from now on.
    mutating func setAir(_ celsius: Double, at now: SimTime) {
        move()
        nodes.setAir(celsius)
        findHarmlessHeat()
        plan(at: now)
    }

    /// Sets air, resistance and body capacity from now on.
    mutating func setSurrounding(_ heat: HeatParameters, air: Double, at now: SimTime) {
        move()
        nodes.surround(heat, air: air)
        bodyCapacity = heat.bodyCapacity
        harmlessBurst = Self.margin * bodyCapacity
        findHarmlessHeat()
        plan(at: now)
    }

    /// Heat, in watts, that moves the body towards a temperature.
    ///
    /// If this heat is continually updated, the body's distance to the temperature falls to at most 37 % within
    /// `seconds`. The mass of the board is neglected, because the board's time constant is a fraction of the body's.
    func watts(holding celsius: Double, within seconds: Double) -> Double {
        nodes.watts(steadyAt: celsius) + (celsius - nodes.body) * bodyCapacity / seconds
    }

    /// Forgets the highest temperature seen.
    mutating func restart() {
        move()
        highest = nodes.body
    }

    /// Forgets the recent highest temperature; the temperatures are not advanced, so that results do not change.
    mutating func restartRecent() { recentHighest = nodes.body }

    /// Updates the state at its deadline.
    ///
    /// For a fall, `plan` sets the deadline no earlier than the shortest stay allows.
    mutating func deadlineReached(at now: SimTime) {
        move()
        let body = nodes.body + Self.tolerance
        if state < .critical, body >= limit(above: state) {
            enter(1, at: now)
            while state < .critical, body >= limit(above: state) { enter(1, at: now) }
        } else if state > .nominal, nodes.body - Self.tolerance <= lower(state) {
            enter(-1, at: now)
        }
        plan(at: now)
    }

    private mutating func enter(_ step: Int, at now: SimTime) {
        state = ThermalState(rawValue: UInt8(Int(state.rawValue) + step)) ?? state
        since = now
    }

    /// The temperature at which a state changes to the next warmer state.
    private func limit(above state: ThermalState) -> Double {
        switch state {
        case .nominal: limits.0
        case .fair: limits.1
        case .serious, .critical: limits.2
        }
    }

    /// The temperature at which a state changes to the next cooler state.
    private func lower(_ state: ThermalState) -> Double {
        switch state {
        case .nominal: -.infinity
        case .fair: limits.0 - hysteresis
        case .serious: limits.1 - hysteresis
        case .critical: limits.2 - hysteresis
        }
    }

    private mutating func findHarmlessHeat() {
        safeBody = limits.0 - Self.margin
        safeHeat = nodes.watts(steadyAt: safeBody)
        safeBoard = nodes.steadyBoard(safeHeat)
    }

    /// Finds the next instant at which the state may change, or a bound on that instant if the bound is late enough.
    @inline(never)
    private mutating func plan(at now: SimTime) {
        isSafe = state == .nominal && heat <= safeHeat && nodes.board <= safeBoard && nodes.body <= safeBody
        deadline = .distantFuture
        bounded = nil
        isOutdated = false
        if isSafe { return }
        if state < .critical {
            deadline = instant(nodes.secondsShort(of: limit(above: state), rising: true, watts: heat), after: now)
        }
        if state > .nominal {
            let down = nodes.secondsShort(of: lower(state), rising: false, watts: heat)
            deadline = min(deadline, max(instant(down, after: now), since + dwell))
        }
        if deadline == .distantFuture { return }
        if deadline - now > .second { bounded = (nodes, now) } else { deadline = crossing(nodes, from: now) }
    }

    /// Whether the state may change at an instant; finds the exact deadline if only a bound was known.
    mutating func isDue(at now: SimTime) -> Bool {
        if deadline <= now, let start = bounded {
            deadline = crossing(start.nodes, from: start.time)
            bounded = nil
        }
        return deadline <= now
    }

    /// The next instant at which the state may change under the present heat.
    private func crossing(_ nodes: ThermalNodes, from start: SimTime) -> SimTime {
        var first = SimTime.distantFuture
        if state < .critical, let up = nodes.seconds(to: limit(above: state), rising: true, watts: heat) {
            first = instant(up, after: start)
        }
        if state > .nominal, let down = nodes.seconds(to: lower(state), rising: false, watts: heat) {
            first = min(first, max(instant(down, after: start), since + dwell))
        }
        return first
    }

    /// An instant not before the crossing, and never beyond the range of the clock.
    private func instant(_ seconds: Double, after now: SimTime) -> SimTime {
        seconds > 1e8 ? .distantFuture : now + .seconds(seconds) + SimDuration(nanoseconds: 1)
    }
}
