// SPDX-License-Identifier: GPL-3.0-or-later

/// Current of a source with a voltage and a resistance under a constant power.
public enum ConstantPower {
    /// Current in amperes for a power in watts, from the form of the quadratic formula that avoids cancellation.
    ///
    /// For a power above the largest possible power, the result is the current at the largest possible power.
    @inlinable
    @inline(__always)
    public static func current(power: Double, open: Double, ohms: Double) -> Double {
        let discriminant = open * open - 4 * ohms * power
        if discriminant <= 0 { return open / (2 * ohms) }
        return 2 * power / (open + discriminant.squareRoot())
    }
}
