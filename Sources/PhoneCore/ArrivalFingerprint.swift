// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A sum of hashes over all sent pushes, which does not depend on their order.
///
/// Content needs no hash of its own: apps read it only when they fetch, and the hash of the workload includes it.
package struct ArrivalFingerprint {
    package private(set) var value: UInt64 = 0

    package mutating func add(at time: SimTime, _ app: Int) {
        value &+= Self.mix(UInt64(bitPattern: time.nanoseconds) ^ Self.mix(UInt64(truncatingIfNeeded: app) &+ 1))
    }

    /// The finaliser of MurmurHash3 (Austin Appleby, public domain).
    private static func mix(_ input: UInt64) -> UInt64 {
        var z = input
        z = (z ^ (z &>> 33)) &* 0xFF51_AFD7_ED55_8CCD
        z = (z ^ (z &>> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return z ^ (z &>> 33)
    }
}
