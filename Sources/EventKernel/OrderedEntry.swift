// SPDX-License-Identifier: GPL-3.0-or-later

/// A pending entry of the heap: 16 bytes, which compare by key and then by insertion.
@frozen @usableFromInline
struct OrderedEntry: Comparable, BitwiseCopyable {
    /// Time and class, as in `EventKey`.
    @usableFromInline var key: UInt64
    /// The insertion number in bits 63 to 24, the slot in bits 23 to 0.
    @usableFromInline var tieBreaker: UInt64

    @inlinable @inline(__always)
    init(key: EventKey, insertion: UInt64, slot: Int) {
        guard insertion < 1 &<< 40 else { fatalError("more than 2^40 events were scheduled; use the timing wheel") }
        self.key = key.rawValue
        tieBreaker = insertion &<< 24 | UInt64(truncatingIfNeeded: slot)
    }

    @usableFromInline static var maximumSlots: Int { @inlinable @inline(__always) get { 1 &<< 24 } }

    @inlinable @inline(__always)
    var slot: Int { Int(truncatingIfNeeded: tieBreaker & 0xff_ffff) }

    /// Both words as one number; a comparison compiles to a compare, a subtract with borrow and a conditional move.
    @inlinable @inline(__always)
    var order: UInt128 { UInt128(_low: tieBreaker, _high: key) }

    @inlinable @inline(__always)
    static func < (left: OrderedEntry, right: OrderedEntry) -> Bool { left.order < right.order }
}
