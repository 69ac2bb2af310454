// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Hash of the results of the C library's mathematical functions on this processor.
///
/// The library chooses between variants of a function by the features of the processor, such as fused multiply-add. The
/// variants occasionally round differently in the last bit. One program may thus give different results on two
/// processors; the hashes then differ. Source: glibc, sysdeps/x86_64/fpu/multiarch (`ifunc-fma.h`, `ifunc-avx-fma4.h`).
public enum ArithmeticProbe {
    /// Number of arguments of each function; enough for variants to differ in some of them.
    private static let count = 2048
    /// Fractional part of the golden ratio; its multiples spread evenly.
    private static let step = 0.618_033_988_749_894_9

    /// Hash of every function's values at fixed arguments.
    public static let value: UInt64 = {
        let functions: [(ClosedRange<Double>, (Double) -> Double)] = [
            (-20...5, { exp($0) }), (-20...20, { exp2($0) }), (1e-6...1e6, { log($0) }), (0...10, { log1p($0) }),
            (1e-3...1e3, { pow($0, 0.37) }), (0...100, { sin($0) }), (0...100, { cos($0) }),
            (0.1...30, { tgamma($0) }), (0...5, { erfc($0) }),
        ]
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for (range, function) in functions {
            for index in 0..<count {
                let share = Double(index) * step
                let argument = range.lowerBound + (range.upperBound - range.lowerBound) * (share - share.rounded(.down))
                hash = (hash ^ function(argument).bitPattern) &* 0x0000_0100_0000_01b3
                hash ^= hash >> 29
            }
        }
        return hash
    }()
}
