// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Platform

/// Table of functions through which GSL's distributions draw from this generator instead of a generator of GSL.
private enum GeneratorTable {
    /// GSL keeps the address, so the table lives as long as the process.
    nonisolated(unsafe) static let address: UnsafePointer<gsl_rng_type> = {
        GSL.prepare()
        let table = UnsafeMutablePointer<gsl_rng_type>.allocate(capacity: 1)
        table.initialize(
            to: gsl_rng_type(
                name: UnsafePointer(strdup("xoshiro256++")), max: .max, min: 0,
                size: MemoryLayout<Xoshiro256PlusPlus>.size, set: seedState, get: nextWord, get_double: nextUniform))
        return UnsafePointer(table)
    }()

    private static let seedState: @convention(c) (UnsafeMutableRawPointer?, UInt) -> Void = { state, seed in
        var mix = SplitMix64(UInt64(seed))
        state?.assumingMemoryBound(to: Xoshiro256PlusPlus.self).pointee =
            Xoshiro256PlusPlus(mix.next(), mix.next(), mix.next(), mix.next())
    }

    private static let nextWord: @convention(c) (UnsafeMutableRawPointer?) -> UInt = { state in
        guard let state else { return 0 }
        return UInt(state.assumingMemoryBound(to: Xoshiro256PlusPlus.self).pointee.next())
    }

    private static let nextUniform: @convention(c) (UnsafeMutableRawPointer?) -> Double = { state in
        guard let state else { return .nan }
        return state.assumingMemoryBound(to: Xoshiro256PlusPlus.self).pointee.uniform()
    }
}

extension Xoshiro256PlusPlus {
    /// Lends this generator to GSL for the duration of a call.
    ///
    /// Draws by GSL advance this state. The call allocates no memory.
    @inline(__always)
    mutating func withGSL<R>(_ body: (UnsafeMutablePointer<gsl_rng>) -> R) -> R {
        let table = GeneratorTable.address
        return withUnsafeMutablePointer(to: &self) { state in
            var generator = gsl_rng(type: table, state: UnsafeMutableRawPointer(state))
            return body(&generator)
        }
    }
}

extension Xoshiro256PlusPlus {
    /// Uniform number drawn through GSL, for the test that draws with and without GSL are equal.
    mutating func uniformByGSL() -> Double { withGSL { gsl_rng_uniform($0) } }
}
