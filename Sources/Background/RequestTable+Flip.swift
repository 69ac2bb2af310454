// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// One decision on a request taken otherwise, to see what would have followed.
extension RequestTable {
    /// Starts the app's next pending request whatever rules and policy say; false when none is pending or one runs.
    package mutating func grant(_ app: AppID, _ kind: RequestKind, device: DeviceConditions) -> Bool {
        guard !isRunning(app, kind), let slot = slotAfter(-1, app, kind) else { return false }
        waiting.leave(lane(app, kind))
        start(slot, app, kind, device)
        return true
    }

    /// Puts the earliest begin of what the app has pending off to an instant; false when nothing is pending.
    package mutating func postpone(_ app: AppID, _ kind: RequestKind, until time: SimTime) -> Bool {
        guard isPending(app, kind) else { return false }
        for slot in slotsOf(app, kind) where !isEmpty(slot) {
            slots[slot].earliestBegin = max(slots[slot].earliestBegin, time)
        }
        return true
    }
}
