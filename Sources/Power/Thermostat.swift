import Quantities

/// The phone's temperatures and the thermal state that follows from them, moved on only when the heat changes.
///
/// Between two changes the heat is constant, so every crossing of a threshold is known ahead exactly. As long as no heat
/// that could ever reach the first threshold is seen, nothing has to be looked ahead at all: the temperatures cannot leave
/// the box below those that the largest harmless heat ends in.
struct Thermostat: ~Copyable {
    /// How near in kelvins a threshold counts as reached.
    private static let tolerance = 1e-9
    /// What stays below the first threshold for good when heat is called harmless, in kelvins.
    private static let margin = 0.1

    private var nodes: ThermalNodes
    private let limits: (Double, Double, Double)
    private let hysteresis: Double
    private let dwell: SimDuration
    private(set) var state = ThermalState.nominal
    private var since = SimTime.zero
    private var heat = 0.0
    private var time = SimTime.zero
    /// Heat of single instants since the last move.
    private var pending = 0.0
    /// When the state may change if the heat stays as it is.
    private(set) var deadline = SimTime.distantFuture
    private var isSafe = true
    private var safeHeat = 0.0
    private var safeBody = 0.0
    private var safeBoard = 0.0
    /// Highest temperature of the body seen since the last restart.
    private(set) var highest: Double

    init(_ parameters: HeatParameters, air: Double) {
        nodes = ThermalNodes(parameters, air: air)
        limits = (parameters.fairAbove.celsius, parameters.seriousAbove.celsius, parameters.criticalAbove.celsius)
        hysteresis = parameters.hysteresis
        dwell = parameters.dwell
        highest = air
        findHarmlessHeat()
        plan()
    }

    /// Temperature of body and battery at the last move, in °C.
    @inline(__always)
    var body: Double { nodes.body }

    /// Temperature of the air, in °C.
    var air: Double { nodes.air }

    /// Temperatures at an instant, in °C.
    func temperatures(at now: SimTime) -> (body: Double, board: Double) {
        var nodes = nodes
        nodes.advance((now - time).seconds, watts: heat)
        nodes.take(pending)
        return (nodes.body, nodes.board)
    }

    /// Takes the heat of a single instant; it counts from the next move on.
    @inline(__always)
    mutating func take(_ joules: Double) { pending += joules }

    /// From now on the phone makes another heat; returns the body's temperature, in °C, and the new deadline.
    ///
    /// Returned rather than read afterwards, since a look at a part of a larger value copies the whole part (Swift 6.3).
    @inline(__always)
    mutating func setHeat(_ watts: Double, at now: SimTime) -> (body: Double, deadline: SimTime) {
        advance(to: now)
        heat = watts
        if !isSafe || watts > safeHeat { plan() }
        return (nodes.body, deadline)
    }

    /// The air has another temperature from now on.
    mutating func setAir(_ celsius: Double, at now: SimTime) {
        advance(to: now)
        nodes.setAir(celsius)
        findHarmlessHeat()
        plan()
    }

    /// Forgets the highest temperature seen.
    mutating func restart(at now: SimTime) {
        advance(to: now)
        highest = nodes.body
    }

    /// Looks at the state at its deadline.
    mutating func deadlineReached(at now: SimTime) {
        advance(to: now)
        let body = nodes.body + Self.tolerance
        if state < .critical, body >= limit(above: state) {
            enter(1, at: now)
            while state < .critical, body >= limit(above: state) { enter(1, at: now) }
        } else if state > .nominal, now >= since + dwell, nodes.body - Self.tolerance <= lower(state) {
            enter(-1, at: now)
        }
        plan()
    }

    private mutating func enter(_ step: Int, at now: SimTime) {
        state = ThermalState(rawValue: UInt8(Int(state.rawValue) + step)) ?? state
        since = now
    }

    @inline(__always)
    private mutating func advance(to now: SimTime) {
        if now.nanoseconds != time.nanoseconds {
            nodes.advance((now - time).seconds, watts: heat)
            time = now
            if nodes.body > highest { highest = nodes.body }
        }
        if pending != 0 {
            nodes.take(pending)
            pending = 0
            if isSafe, nodes.board > safeBoard || nodes.body > safeBody { isSafe = false }
        }
    }

    /// The temperature at which a state gives way to the next.
    private func limit(above state: ThermalState) -> Double {
        switch state {
        case .nominal: limits.0
        case .fair: limits.1
        case .serious, .critical: limits.2
        }
    }

    /// The temperature at which a state gives way to the one before.
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

    /// Finds the next instant at which the state may change.
    @inline(never)
    private mutating func plan() {
        isSafe = state == .nominal && heat <= safeHeat && nodes.board <= safeBoard && nodes.body <= safeBody
        deadline = .distantFuture
        if isSafe { return }
        if state < .critical, let up = nodes.seconds(to: limit(above: state), rising: true, watts: heat) {
            deadline = instant(after: up)
        }
        if state > .nominal, let down = nodes.seconds(to: lower(state), rising: false, watts: heat) {
            deadline = min(deadline, max(instant(after: down), since + dwell))
        }
    }

    /// Not before the crossing, and never beyond what a clock holds.
    private func instant(after seconds: Double) -> SimTime {
        seconds > 1e8 ? .distantFuture : time + .seconds(seconds) + SimDuration(nanoseconds: 1)
    }
}
