// SPDX-License-Identifier: GPL-3.0-or-later

/// A range of slots lent out one at a time, for events that belong to no fixed timer.
///
/// The model takes a slot, schedules it, and gives it back when the event is handled or cancelled.
public struct OneShotSlots: Sendable {
    /// The first slot of the range.
    public let first: Int
    private var free: [Int32]
    /// How many slots are lent.
    public private(set) var lentCount: Int

    /// Manages the slots `first ..< first + count`.
    public init(first: Int, count: Int) {
        precondition(first >= 0 && count >= 0 && first + count <= Int(Int32.max), "slots are 32-bit numbers")
        self.first = first
        free = (0..<count).reversed().map { Int32(first + $0) }
        lentCount = 0
    }

    /// Lends a slot, or returns nil when all are lent.
    public mutating func lend() -> Int? {
        guard let slot = free.popLast() else { return nil }
        lentCount += 1
        return Int(slot)
    }

    /// Takes a slot back.
    public mutating func giveBack(_ slot: Int) {
        precondition(lentCount > 0, "a slot was given back that was not lent")
        lentCount -= 1
        free.append(Int32(slot))
    }
}
