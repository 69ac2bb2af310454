// SPDX-License-Identifier: GPL-3.0-or-later

extension Int64 {
    /// The whole number nearest to another, halves away from zero, as `rounded()` finds it; traps where it has no room.
    ///
    /// No instruction of the oldest x86-64 processors rounds in this way, so that `rounded()` calls the C library.
    /// Times and sizes are rounded several times for each event.
    @inlinable @inline(__always)
    public init(rounding value: Double) {
        let whole = Int64(value)
        // Exact: a number with a fraction is below 2^53.
        let rest = value - Double(whole)
        self = whole &+ (rest >= 0.5 ? 1 : 0) &- (rest <= -0.5 ? 1 : 0)
    }
}
