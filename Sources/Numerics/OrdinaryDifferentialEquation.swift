// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL

/// Solution of y' = f(t, y), advanced in time by Runge-Kutta steps of adaptive length.
///
/// The steps are the eighth-order pair of Prince and Dormand (`gsl_odeiv2_step_rk8pd`). A run may watch functions of
/// the state. It then stops when the first of them falls to zero. The instant is located inside the step, to the last
/// digits of the time.
///
///     var fall = try OrdinaryDifferentialEquation(time: 0, state: [20, 0]) { _, y, slope in
///         slope[0] = y[1]
///         slope[1] = -9.81
///     }
///     let ground = try fall.advance(to: 100, watching: [{ $0[0] }])  // 0: the first function; `fall.time` is 2.019 s
public struct OrdinaryDifferentialEquation: ~Copyable {
    /// Computes the slopes for a time and a state; called many times, also beyond the instant at which a run stops.
    public typealias Slope = (Double, UnsafeBufferPointer<Double>, UnsafeMutableBufferPointer<Double>) -> Void

    /// Time up to which the equation is solved.
    public private(set) var time: Double
    /// State at `time`.
    public private(set) var state: [Double]

    private let equation: EquationBox
    private let stepper: UnsafeMutablePointer<gsl_odeiv2_step>
    private let control: UnsafeMutablePointer<gsl_odeiv2_control>
    private let evolution: UnsafeMutablePointer<gsl_odeiv2_evolve>
    private let largestStep: Double
    private var nextStep: Double

    /// Begins a solution.
    ///
    /// - Parameters:
    ///   - time: start time.
    ///   - state: values at the start, at least one.
    ///   - relativeTolerance: allowed error per step, relative to each value.
    ///   - absoluteTolerance: allowed absolute error per step, for values of any size.
    ///   - largestStep: the longest step; watched functions are checked at least this often.
    ///   - slope: the right-hand side.
    /// - Throws: an error when memory is exhausted.
    public init(
        time: Double, state: [Double], relativeTolerance: Double = 1e-10, absoluteTolerance: Double = 1e-12,
        largestStep: Double = .infinity, slope: @escaping Slope
    ) throws(NumericsError) {
        guard !state.isEmpty && largestStep > 0 else {
            fatalError("a differential equation needs a state and a positive step")
        }
        GSL.prepare()
        let none = NumericsError.libraryFailed(operation: "a differential equation", reason: "no memory")
        guard let stepper = gsl_odeiv2_step_alloc(cgsl_step_rk8pd(), state.count) else { throw none }
        guard let control = gsl_odeiv2_control_y_new(absoluteTolerance, relativeTolerance) else {
            gsl_odeiv2_step_free(stepper)
            throw none
        }
        guard let evolution = gsl_odeiv2_evolve_alloc(state.count) else {
            gsl_odeiv2_step_free(stepper)
            gsl_odeiv2_control_free(control)
            throw none
        }
        self.time = time
        self.state = state
        self.stepper = stepper
        self.control = control
        self.evolution = evolution
        self.largestStep = largestStep
        nextStep = min(largestStep, 1e-3)
        equation = EquationBox(dimension: state.count, slope: slope)
    }

    deinit {
        gsl_odeiv2_evolve_free(evolution)
        gsl_odeiv2_control_free(control)
        gsl_odeiv2_step_free(stepper)
    }

    /// Advances the solution to a time, or until one of the watched functions falls from above zero to zero.
    ///
    /// A function that is zero or below at the start counts only after it has risen and fallen again.
    /// - Returns: the index of the function that fell first, or nil if the end was reached.
    /// - Throws: an error when a step fails, for instance because a slope is not finite.
    public mutating func advance(
        to end: Double, watching functions: [([Double]) -> Double] = []
    ) throws(NumericsError) -> Int? {
        guard end >= time else { fatalError("a differential equation can be solved only forward in time") }
        var before = functions.map { $0(state) }
        while time < end {
            let start = (time: time, state: state)
            try step(to: end)
            let after = functions.map { $0(state) }
            if let fallen = try firstFall(from: start.time, start.state, before, after, functions) {
                time = fallen.time
                state = try partial(from: start.time, start.state, by: fallen.time - start.time)
                gsl_odeiv2_evolve_reset(evolution)
                return fallen.index
            }
            before = after
        }
        return nil
    }

    /// One step that meets the tolerance.
    private mutating func step(to end: Double) throws(NumericsError) {
        var system = equation.system
        var step = min(nextStep, largestStep)
        let code = gsl_odeiv2_evolve_apply(evolution, control, stepper, &system, &time, end, &step, &state)
        try GSL.check(code, in: "solving a differential equation")
        for value in state { _ = try GSL.finite(value, in: "solving a differential equation") }
        nextStep = step
    }

    /// State after a part of the last step; one shorter step is no less accurate than the accepted one.
    private func partial(from time: Double, _ state: [Double], by span: Double) throws(NumericsError) -> [Double] {
        if span == 0 { return state }
        var system = equation.system
        var result = state
        var errors = state
        let code = gsl_odeiv2_step_apply(stepper, time, span, &result, &errors, nil, nil, &system)
        try GSL.check(code, in: "solving a differential equation")
        return result
    }

    /// Earliest fall to zero between the start of the last step and the present time.
    private func firstFall(
        from start: Double, _ state: [Double], _ before: [Double], _ after: [Double],
        _ functions: [([Double]) -> Double]
    ) throws(NumericsError) -> (time: Double, index: Int)? {
        var first: (time: Double, index: Int)?
        for index in functions.indices where before[index] > 0 && after[index] <= 0 {
            let span = try findRoot(
                of: { span in
                    guard let there = try? partial(from: start, state, by: span) else { return .nan }
                    return functions[index](there)
                }, in: 0...(time - start))
            if first.map({ start + span < $0.time }) ?? true { first = (start + span, index) }
        }
        return first
    }
}

/// Right-hand side at an address that GSL's context pointer can store.
private final class EquationBox {
    let dimension: Int
    let slope: OrdinaryDifferentialEquation.Slope

    init(dimension: Int, slope: @escaping OrdinaryDifferentialEquation.Slope) {
        self.dimension = dimension
        self.slope = slope
    }

    /// Equation in the form of GSL; valid while the box lives.
    var system: gsl_odeiv2_system {
        gsl_odeiv2_system(
            function: { time, state, slope, context in
                guard let context, let state, let slope else { return Int32(GSL_EFAULT) }
                let box = Unmanaged<EquationBox>.fromOpaque(context).takeUnretainedValue()
                box.slope(
                    time, UnsafeBufferPointer(start: state, count: box.dimension),
                    UnsafeMutableBufferPointer(start: slope, count: box.dimension))
                return Int32(GSL_SUCCESS)
            },
            jacobian: nil, dimension: dimension, params: Unmanaged.passUnretained(self).toOpaque())
    }
}
