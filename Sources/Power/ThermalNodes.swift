// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Heat made in a short time, as its moments ∫ P dt, ∫ P t dt and ∫ P t² dt since the start of that time.
struct GatheredHeat: BitwiseCopyable {
    private(set) var seconds = 0.0
    private var moments = (0.0, 0.0, 0.0)

    @inline(__always)
    var joules: Double { moments.0 }

    @inline(__always)
    var isEmpty: Bool { seconds == 0 && moments.0 == 0 }

    /// Adds heat that is produced at a constant rate in the next span of time.
    @inline(__always)
    mutating func add(_ joules: Double, _ span: Double) {
        let end = seconds + span
        moments.0 += joules
        moments.1 += joules * (seconds + end) * (1.0 / 2)
        moments.2 += joules * (seconds * seconds + seconds * end + end * end) * (1.0 / 3)
        seconds = end
    }

    /// Adds heat of the present instant.
    @inline(__always)
    mutating func absorb(_ joules: Double) {
        moments.0 += joules
        moments.1 += joules * seconds
        moments.2 += joules * seconds * seconds
    }

    /// ∫ P exp(rate t) dt, from the first terms of the exponential series.
    @inline(__always)
    func weighed(_ rate: Double) -> Double { moments.0 + rate * (moments.1 + rate * (1.0 / 2) * moments.2) }
}

/// Two warm masses in a row, cooled by the air; their linear equations are solved in closed form.
///
/// The temperatures above the air are a sum of two modes, each with its own rate of decay. Under constant heat every
/// mode approaches its final value exponentially, so any prediction costs two exponentials.
struct ThermalNodes: BitwiseCopyable {
    /// Decay of each mode, per second.
    private let slowRate: Double
    private let fastRate: Double
    /// Kelvins of the board per kelvin of the body in each mode.
    private let slowShape: Double
    private let fastShape: Double
    /// Kelvins of each mode per joule.
    private let slowGain: Double
    private let fastGain: Double
    /// Kelvins of each mode when both nodes are one kelvin above the air.
    private let slowEven: Double
    private let fastEven: Double
    private let airResistance: Double
    private let boardRise: Double
    private(set) var air: Double
    private var slow = 0.0
    private var fast = 0.0

    /// Creates nodes as warm as the air, in °C.
    init(_ heat: HeatParameters, air: Double) {
        let a = 1 / (heat.boardCapacity * heat.boardResistance)
        let b = 1 / (heat.bodyCapacity * heat.boardResistance)
        let c = 1 / (heat.bodyCapacity * heat.airResistance)
        let half = (a + b + c) / 2
        let root = (half * half - a * c).squareRoot()
        fastRate = half + root
        slowRate = a * c / fastRate
        slowShape = a / (a - slowRate)
        fastShape = a / (a - fastRate)
        let board = (1 - heat.bodyShare) / heat.boardCapacity
        let body = heat.bodyShare / heat.bodyCapacity
        slowGain = (board - fastShape * body) / (slowShape - fastShape)
        fastGain = body - slowGain
        slowEven = (1 - fastShape) / (slowShape - fastShape)
        fastEven = 1 - slowEven
        airResistance = heat.airResistance
        boardRise = heat.airResistance + (1 - heat.bodyShare) * heat.boardResistance
        self.air = air
    }

    /// Temperature of the body, and so of skin and battery, in °C.
    @inline(__always)
    var body: Double { air + slow + fast }

    /// Temperature of the board, in °C.
    @inline(__always)
    var board: Double { air + slow * slowShape + fast * fastShape }

    /// Final temperature of the body, in °C, under a constant heat in watts.
    func steadyBody(_ watts: Double) -> Double { air + airResistance * watts }
    /// Final temperature of the board, in °C, under a constant heat in watts.
    func steadyBoard(_ watts: Double) -> Double { air + boardRise * watts }
    /// Watts of constant heat that lead to this final temperature of the body.
    func watts(steadyAt body: Double) -> Double { (body - air) / airResistance }

    /// Advances some seconds under a constant heat.
    @inline(__always)
    mutating func advance(_ seconds: Double, watts: Double) {
        let slowEnd = slowGain / slowRate * watts
        let fastEnd = fastGain / fastRate * watts
        slow = slowEnd + (slow - slowEnd) * Self.decay(slowRate * seconds)
        fast = fastEnd + (fast - fastEnd) * Self.decay(fastRate * seconds)
    }

    /// Advances through a short time with gathered heat.
    mutating func advance(_ heat: GatheredHeat) {
        slow = (slow + slowGain * heat.weighed(slowRate)) * Self.decay(slowRate * heat.seconds)
        fast = (fast + fastGain * heat.weighed(fastRate)) * Self.decay(fastRate * heat.seconds)
    }

    /// Sets the temperature of the air, in °C; the phone keeps its temperatures.
    mutating func setAir(_ celsius: Double) {
        slow += (air - celsius) * slowEven
        fast += (air - celsius) * fastEven
        air = celsius
    }

    /// Sets air, resistance and body capacity; board and body keep their temperatures.
    mutating func surround(_ heat: HeatParameters, air: Double) {
        let (warmBody, warmBoard) = (body - air, board - air)
        self = ThermalNodes(heat, air: air)
        slow = (warmBoard - fastShape * warmBody) / (slowShape - fastShape)
        fast = warmBody - slow
    }

    /// The function exp(−x), for small x from a series that is exact to 10⁻¹³ and several times as fast.
    @inline(__always)
    private static func decay(_ x: Double) -> Double {
        if x > 0.02 { return exp(-x) }
        return 1 - x * (1 - x * (1.0 / 2) * (1 - x * (1.0 / 3) * (1 - x * (1.0 / 4) * (1 - x * (1.0 / 5)))))
    }

    /// Lower bound, in seconds, on the time until the body reaches a temperature under constant heat; infinite if
    /// never.
    ///
    /// `rising` is true for a temperature above the body's, false for one below. The bound is cheap to calculate and
    /// never longer than `seconds(to:rising:watts:)`, because no mode moves faster than now or beyond its final value.
    @inline(__always)
    func secondsShort(of celsius: Double, rising: Bool, watts: Double) -> Double {
        let sign = rising ? 1.0 : -1.0
        let gap = sign * (celsius - body)
        if gap <= 0 { return 0 }
        let slowLeft = max(0, sign * (slowGain / slowRate * watts - slow))
        let fastLeft = max(0, sign * (fastGain / fastRate * watts - fast))
        if slowLeft + fastLeft < gap { return .infinity }
        let atPresentSlopes = gap / (slowLeft * slowRate + fastLeft * fastRate)
        let afterFastMode = (gap - fastLeft) / (slowLeft * slowRate)
        return Self.caution * max(atPresentSlopes, afterFastMode)
    }

    /// Factor that shortens a bound, so that rounding does not make it too long.
    private static var caution: Double { 0.999 }

    /// Seconds until the body reaches a temperature from below, or from above, under a constant heat; nil if never.
    ///
    /// The temperature has at most one turning point, so at most two pieces have to be searched.
    func seconds(to celsius: Double, rising: Bool, watts: Double) -> Double? {
        let sign = rising ? 1.0 : -1.0
        let slowEnd = slowGain / slowRate * watts
        let fastEnd = fastGain / fastRate * watts
        let course = Course(
            end: sign * (air + slowEnd + fastEnd - celsius), slow: sign * (slow - slowEnd), slowRate: slowRate,
            fast: sign * (fast - fastEnd), fastRate: fastRate)
        return course.firstZero
    }
}

/// The function c + A exp(−k t) + B exp(−l t), which is searched for its first zero from below.
private struct Course {
    /// The constant c.
    let end: Double
    let slow: Double
    let slowRate: Double
    let fast: Double
    let fastRate: Double

    func value(_ t: Double) -> Double { end + slow * exp(-slowRate * t) + fast * exp(-fastRate * t) }

    /// The value and its change per second, by the same two exponentials.
    func valueAndSlope(_ t: Double) -> (value: Double, slope: Double) {
        let (slowLeft, fastLeft) = (exp(-slowRate * t), exp(-fastRate * t))
        return (end + slow * slowLeft + fast * fastLeft, -slow * slowRate * slowLeft - fast * fastRate * fastLeft)
    }

    var firstZero: Double? {
        if end + slow + fast >= 0 { return 0 }
        let ratio = -fast * fastRate / (slow * slowRate)
        let turn = ratio > 1 ? log(ratio) / (fastRate - slowRate) : 0
        if turn > 0, value(turn) >= 0 { return zero(from: 0, to: turn) }
        guard end > 0 else { return nil }
        var span = 1 / slowRate
        for _ in 0..<60 {
            if value(turn + span) >= 0 { return zero(from: turn, to: turn + span) }
            span *= 2
        }
        return nil
    }

    /// Finds the zero by Newton's steps within the ends of a piece on which the course only rises.
    private func zero(from start: Double, to end: Double) -> Double {
        var low = start
        var high = end
        var t = (low + high) / 2
        for _ in 0..<100 {
            let now = valueAndSlope(t)
            if now.value >= 0 { high = t } else { low = t }
            if high - low < 1e-10 { break }
            let step = t - now.value / now.slope
            let isInside = step > low && step < high
            if isInside, abs(step - t) < 1e-10 { return step }
            t = isInside ? step : (low + high) / 2
        }
        return high
    }
}
