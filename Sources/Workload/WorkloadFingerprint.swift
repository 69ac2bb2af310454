// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Quantities
import Vocabulary

/// A sum of hashes that does not depend on the order in which they are added.
struct WorkloadFingerprint: Sendable, BitwiseCopyable {
    private(set) var value: UInt64 = 0

    /// Adds an intent; the app is hashed by its name, because its index may differ between runs.
    mutating func add(_ intent: Intent, appHash: UInt64) {
        var hash = Self.mix(UInt64(intent.kind.rawValue) &+ 1)
        hash = Self.mix(hash ^ UInt64(bitPattern: intent.time.nanoseconds))
        hash = Self.mix(hash ^ UInt64(bitPattern: intent.until.nanoseconds))
        hash = Self.mix(hash ^ UInt64(bitPattern: intent.duration.nanoseconds))
        hash = Self.mix(hash ^ intent.value.bitPattern)
        hash = Self.mix(hash ^ intent.watts.bitPattern)
        // By itself, the way in which an app was opened has no effect, and some recordings do not state it.
        if intent.reason.comesFromApp || intent.reason == .widget {
            hash = Self.mix(hash ^ UInt64(intent.reason.rawValue))
        }
        value &+= Self.mix(hash ^ appHash)
    }

    /// Adds the rates that determine an app's content and push arrivals, which are drawn on demand.
    mutating func add(appHash: UInt64, contentPerDay: Double, pushesPerDay: Double) {
        let hash = Self.mix(appHash ^ contentPerDay.bitPattern)
        value &+= Self.mix(hash ^ pushesPerDay.bitPattern)
    }

    /// Adds new content of an app.
    mutating func add(contentAt time: SimTime, appHash: UInt64) {
        value &+= Self.mix(Self.mix(UInt64(bitPattern: time.nanoseconds)) ^ appHash)
    }

    /// The finaliser of SplitMix64 (Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195).
    static func mix(_ input: UInt64) -> UInt64 {
        var z = input &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z &>> 31)
    }

    /// The hash of a name's bytes.
    static func hash(_ name: String) -> UInt64 { Checksum.of(name.utf8) }
}
