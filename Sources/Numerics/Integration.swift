// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL

/// A closure at an address that GSL's context pointer can store.
struct FunctionBox {
    let function: (Double) -> Double
}

/// Lends a closure to GSL for the duration of one call.
func withGSLFunction<R>(
    _ function: (Double) -> Double, _ body: (UnsafeMutablePointer<gsl_function>) -> R
) -> R {
    withoutActuallyEscaping(function) { escapable in
        var box = FunctionBox(function: escapable)
        return withUnsafeMutablePointer(to: &box) { context in
            var callback = gsl_function_struct(
                function: { x, context in
                    guard let context else { return .nan }
                    return context.assumingMemoryBound(to: FunctionBox.self).pointee.function(x)
                },
                params: UnsafeMutableRawPointer(context))
            return body(&callback)
        }
    }
}

/// Integrates a function over a finite interval, adaptively to a given tolerance.
///
/// Integrable singularities at the ends are allowed (algorithm QAGS of QUADPACK, as in GSL).
/// - Parameters:
///   - function: finite inside the interval.
///   - low: lower bound.
///   - high: upper bound; a bound below `low` reverses the sign.
///   - relativeTolerance: the allowed error, relative to the result; at least 5e-14.
///   - absoluteTolerance: the allowed absolute error; the larger of the two tolerances applies.
/// - Throws: an error when the tolerance is not reached or the result is not a number.
public func integrate(
    _ function: (Double) -> Double, from low: Double, to high: Double, relativeTolerance: Double = 1e-10,
    absoluteTolerance: Double = 0
) throws(NumericsError) -> Double {
    GSL.prepare()
    let intervals = 1000
    guard let workspace = gsl_integration_workspace_alloc(intervals) else {
        throw .libraryFailed(operation: "integration", reason: "no memory")
    }
    defer { gsl_integration_workspace_free(workspace) }
    var result = 0.0
    var error = 0.0
    let code = withGSLFunction(function) { callback in
        gsl_integration_qags(
            callback, low, high, absoluteTolerance, relativeTolerance, intervals, workspace, &result, &error)
    }
    try GSL.check(code, in: "integration")
    return try GSL.finite(result, in: "integration")
}
