// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Changes that an app or an attached debugger makes to requests, besides submissions.
extension RequestTable {
    /// Cancels an app's pending request of a kind with this identifier, or all of its requests of the kind if the
    /// identifier is nil.
    ///
    /// Running work continues. An identifier that was never submitted is no error. Source: Apple, BGTaskScheduler,
    /// `cancel(taskRequestWithIdentifier:)`, `cancelAllTaskRequests()`.
    public mutating func cancel(_ app: AppID, _ kind: RequestKind, identifier: UInt8? = nil, at now: SimTime) {
        let lane = lane(app, kind)
        for slot in slotsOf(app, kind) where !isEmpty(slot) {
            if let identifier, slots[slot].identifier != identifier { continue }
            policy.didWithdraw(view(slots[slot], app, kind, 0, at: now), at: now)
            recordUnrun(slot, app, kind, .cancelled, at: now)
            slots[slot] = Self.empty
            lanes[lane].pending -= 1
        }
        if lanes[lane].pending == 0 { waiting.leave(lane) }
    }

    /// Starts the app's pending request with the earliest begin despite all rules, as a debugger can.
    ///
    /// Source: `_simulateLaunchForTaskWithIdentifier:` (Apple, "Starting and terminating tasks during development").
    ///
    /// - Returns: Whether the request started; false if none is pending or other work of the kind is running.
    public mutating func simulateLaunch(_ app: AppID, _ kind: RequestKind, device: DeviceConditions) -> Bool {
        let lane = lane(app, kind)
        guard !lanes[lane].isRunning, let slot = slotAfter(-1, app, kind) else { return false }
        waiting.leave(lane)
        policy.didWithdraw(view(slots[slot], app, kind, 0, at: device.now), at: device.now)
        start(slot, app, kind, device)
        return true
    }

    /// The request whose work is running; nil if there is none.
    public func running(_ app: AppID, _ kind: RequestKind) -> RequestRecord? {
        let lane = lanes[lane(app, kind)]
        return lane.isRunning ? lane.running : nil
    }
}
