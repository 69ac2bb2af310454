// SPDX-License-Identifier: GPL-3.0-or-later
// Numerics wraps the GNU Scientific Library (GSL): no other module imports it.
// In: plain doubles, arrays and closures. Out: curves, integrals, roots, distribution functions, moments, a generator.
// GSL's error handler is off. Every return code is checked here, and no NaN leaves this module without an error.
// User mistakes (an invalid table of a curve) throw `NumericsError`; programmer mistakes are preconditions.
// Read first: this file, then `MonotoneCurve.swift`, then `Xoshiro256PlusPlus.swift`.
import CGSL

/// Version of the GNU Scientific Library that this process uses, for the manifest of a run.
public let gslVersion = String(cString: cgsl_version())

/// Entry to GSL: every call of the library goes through here first.
enum GSL {
    /// Switches the aborting error handler off, once, before the first call that can fail.
    private static let handlerIsOff: Bool = {
        gsl_set_error_handler_off()
        return true
    }()

    static func prepare() { guard handlerIsOff else { fatalError("the error handler of GSL was not switched off") } }

    /// Throws unless the return code means success.
    static func check(_ code: Int32, in operation: String) throws(NumericsError) {
        guard Int(code) == GSL_SUCCESS else {
            throw .libraryFailed(operation: operation, reason: String(cString: gsl_strerror(code)))
        }
    }

    /// Returns a finite number; throws an error for any other value.
    static func finite(_ value: Double, in operation: String) throws(NumericsError) -> Double {
        guard value.isFinite else { throw .libraryFailed(operation: operation, reason: "the result is \(value)") }
        return value
    }
}
