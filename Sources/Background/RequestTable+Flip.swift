// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Replaces a decision on a request by another one, to find the consequences of the decision.
extension RequestTable {
    /// Starts the app's next pending request despite all rules and the policy; false if none is pending or one is
    /// running.
    package mutating func grant(_ app: AppID, _ kind: RequestKind, device: DeviceConditions) -> Bool {
        guard !isRunning(app, kind), let slot = slotAfter(-1, app, kind) else { return false }
        waiting.leave(lane(app, kind))
        // The policy did not decide, so it must not wait with others for this request.
        policy.didWithdraw(view(slots[slot], app, kind, 0, at: device.now), at: device.now)
        start(slot, app, kind, device)
        return true
    }

    /// Delays the earliest begin of the app's pending requests to an instant; false if none is pending.
    package mutating func postpone(_ app: AppID, _ kind: RequestKind, until time: SimTime) -> Bool {
        guard isPending(app, kind) else { return false }
        for slot in slotsOf(app, kind) where !isEmpty(slot) {
            slots[slot].earliestBegin = max(slots[slot].earliestBegin, time)
        }
        return true
    }
}
