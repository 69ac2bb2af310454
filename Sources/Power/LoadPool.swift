// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Identifies a load that was started; stopping the load twice, or after the phone died, does nothing.
public struct LoadHandle: Sendable, BitwiseCopyable, Equatable {
    var slot: Int32
    var generation: UInt32

    /// A handle of no load.
    public static var none: LoadHandle { LoadHandle(slot: -1, generation: 0) }
}

/// Loads running now, in a flat pool whose free slots form a list.
struct LoadPool: ~Copyable {
    private struct Load {
        var power = 0.0
        var since = SimTime.zero
        var app = AppID.system
        var component = Component.platform
        var cause = Cause.idle
        var live = false
        var generation: UInt32 = 0
        var nextFree: Int32 = -1
    }

    private var slots: UnsafeMutablePointer<Load>
    private var capacity: Int
    private var firstFree: Int32
    private var used: Int

    init(capacity: Int) {
        self.capacity = capacity
        firstFree = -1
        used = 0
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Load(), count: capacity)
    }

    /// Copies a pool; its handles are valid for the same loads in the copy.
    init(copying other: borrowing LoadPool) {
        capacity = other.capacity
        firstFree = other.firstFree
        used = other.used
        slots = .allocate(capacity: capacity)
        slots.initialize(from: other.slots, count: capacity)
    }

    deinit { slots.deallocate() }

    mutating func insert(
        power: Double, component: Component, app: AppID, cause: Cause, at now: SimTime
    ) -> LoadHandle {
        let slot = takeSlot()
        let load = slots + Int(slot)
        load.pointee.power = power
        load.pointee.since = now
        load.pointee.app = app
        load.pointee.component = component
        load.pointee.cause = cause
        load.pointee.live = true
        return LoadHandle(slot: slot, generation: load.pointee.generation)
    }

    @inline(__always)
    func isLive(_ handle: LoadHandle) -> Bool {
        handle.slot >= 0 && slots[Int(handle.slot)].generation == handle.generation && slots[Int(handle.slot)].live
    }

    /// The power of a load, zero for a handle whose load is gone.
    @inline(__always)
    func power(of handle: LoadHandle) -> Double { isLive(handle) ? slots[Int(handle.slot)].power : 0 }

    /// Whether a live load is booked to no app in particular.
    @inline(__always)
    func isIdle(_ handle: LoadHandle) -> Bool { slots[Int(handle.slot)].cause == .idle }

    /// Books a live load up to an instant and gives it a new power.
    @inline(__always)
    func change(_ handle: LoadHandle, to power: Double, at now: SimTime, into ledger: borrowing Ledger) {
        book(Int(handle.slot), at: now, into: ledger)
        slots[Int(handle.slot)].power = power
    }

    /// Books a live load up to an instant; its energy after that instant goes to another app.
    @inline(__always)
    func hand(_ handle: LoadHandle, to app: AppID, cause: Cause, at now: SimTime, into ledger: borrowing Ledger) {
        book(Int(handle.slot), at: now, into: ledger)
        slots[Int(handle.slot)].app = app
        slots[Int(handle.slot)].cause = cause
    }

    /// Books a live load up to an instant and frees its slot.
    @inline(__always)
    mutating func remove(_ handle: LoadHandle, at now: SimTime, into ledger: borrowing Ledger) {
        book(Int(handle.slot), at: now, into: ledger)
        free(Int(handle.slot))
    }

    func bookAll(at now: SimTime, into ledger: borrowing Ledger) {
        for slot in 0..<used where slots[slot].live { book(slot, at: now, into: ledger) }
    }

    /// Joules that an app's loads have drawn since they were last booked.
    func unbooked(_ app: AppID, _ scope: Scope, at now: SimTime) -> Double {
        var joules = 0.0
        for slot in 0..<used where slots[slot].live && slots[slot].app == app && slots[slot].cause.scope == scope {
            joules += slots[slot].power * (now - slots[slot].since).seconds
        }
        return joules
    }

    /// Books and frees every load; earlier handles become stale.
    mutating func removeAll(at now: SimTime, into ledger: borrowing Ledger) {
        for slot in 0..<used where slots[slot].live {
            book(slot, at: now, into: ledger)
            free(slot)
        }
    }

    @inline(__always)
    private func book(_ slot: Int, at now: SimTime, into ledger: borrowing Ledger) {
        let load = slots + slot
        let joules = load.pointee.power * (now - load.pointee.since).seconds
        load.pointee.since = now
        ledger.book(joules, load.pointee.component, load.pointee.cause, load.pointee.cause.scope, load.pointee.app)
    }

    @inline(__always)
    private mutating func free(_ slot: Int) {
        slots[slot].live = false
        slots[slot].generation &+= 1
        slots[slot].nextFree = firstFree
        firstFree = Int32(truncatingIfNeeded: slot)
    }

    @inline(__always)
    private mutating func takeSlot() -> Int32 {
        if firstFree >= 0 {
            let slot = firstFree
            firstFree = slots[Int(slot)].nextFree
            return slot
        }
        if used == capacity { grow() }
        used += 1
        return Int32(truncatingIfNeeded: used - 1)
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Load>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: slots, count: capacity)
        (larger + capacity).initialize(repeating: Load(), count: capacity)
        slots.deallocate()
        slots = larger
        capacity *= 2
    }
}
