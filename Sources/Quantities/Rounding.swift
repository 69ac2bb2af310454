// SPDX-License-Identifier: GPL-3.0-or-later

extension Int64 {
    /// Nearest whole number, halves away from zero, as in `rounded()`; traps on overflow.
    ///
    /// The oldest x86-64 processors have no instruction for this rounding, so `rounded()` calls the C library. Times
    /// and sizes are rounded several times for each event.
    @inlinable @inline(__always)
    public init(rounding value: Double) {
        let whole = Int64(value)
        // The subtraction is exact, because a number with a fraction is below 2^53.
        let rest = value - Double(whole)
        self = whole &+ (rest >= 0.5 ? 1 : 0) &- (rest <= -0.5 ? 1 : 0)
    }
}
