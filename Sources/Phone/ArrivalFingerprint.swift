import Quantities

/// A sum of hashes over the content and pushes that arrived, so that it does not depend on when they were looked at.
struct ArrivalFingerprint {
    /// What arrived.
    enum Kind: UInt64 {
        case content = 1
        case push = 2
    }

    private(set) var value: UInt64 = 0

    mutating func add(_ kind: Kind, at time: SimTime, _ app: Int) {
        let salt = kind.rawValue &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(truncatingIfNeeded: app)
        value &+= Self.mix(UInt64(bitPattern: time.nanoseconds) ^ Self.mix(salt))
    }

    /// The finaliser of MurmurHash3 (Austin Appleby, public domain).
    private static func mix(_ input: UInt64) -> UInt64 {
        var z = input
        z = (z ^ (z &>> 33)) &* 0xFF51_AFD7_ED55_8CCD
        z = (z ^ (z &>> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return z ^ (z &>> 33)
    }
}
