// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Replaces a decision on a request by another decision, to find its consequences.
extension RequestTable {
    /// Starts the app's next pending request against all rules and the policy; false when none is pending or one runs.
    package mutating func grant(_ app: AppID, _ kind: RequestKind, device: DeviceConditions) -> Bool {
        guard !isRunning(app, kind), let slot = slotAfter(-1, app, kind) else { return false }
        waiting.leave(lane(app, kind))
        start(slot, app, kind, device)
        return true
    }

    /// Delays the earliest begin of the app's pending requests to an instant; false when nothing is pending.
    package mutating func postpone(_ app: AppID, _ kind: RequestKind, until time: SimTime) -> Bool {
        guard isPending(app, kind) else { return false }
        for slot in slotsOf(app, kind) where !isEmpty(slot) {
            slots[slot].earliestBegin = max(slots[slot].earliestBegin, time)
        }
        return true
    }
}
