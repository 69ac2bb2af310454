import Quantities
import Vocabulary

/// What an app, or a debugger attached to it, does to its requests besides submitting them.
extension RequestTable {
    /// The app cancels its pending requests of a kind: that with the identifier, or all (Apple, BGTaskScheduler,
    /// `cancel(taskRequestWithIdentifier:)`, `cancelAllTaskRequests()`).
    ///
    /// Work under way goes on. An identifier that nobody submitted is no error.
    public mutating func cancel(_ app: AppID, _ kind: RequestKind, identifier: UInt8? = nil, at now: SimTime) {
        let lane = lane(app, kind)
        for place in placesOf(app, kind) where !isEmpty(place) {
            if let identifier, places[place].identifier != identifier { continue }
            policy.didWithdraw(view(places[place], app, kind, 0, at: now), at: now)
            noteUnrun(place, app, kind, .cancelled, at: now)
            places[place] = Self.empty
            lanes[lane].pending -= 1
        }
        if lanes[lane].pending == 0 { waiting.leave(lane) }
    }

    /// Starts the app's pending request with the earliest floor, whatever speaks against it, as a debugger does with
    /// `_simulateLaunchForTaskWithIdentifier:` (Apple, "Starting and terminating tasks during development").
    ///
    /// - Returns: Whether there was one; not while other work of the kind is under way.
    public mutating func simulateLaunch(_ app: AppID, _ kind: RequestKind, device: DeviceConditions) -> Bool {
        let lane = lane(app, kind)
        guard !lanes[lane].isRunning, let place = placeAfter(-1, app, kind) else { return false }
        waiting.leave(lane)
        start(place, app, kind, device)
        return true
    }

    /// The request whose work is under way; nil when none is.
    public func running(_ app: AppID, _ kind: RequestKind) -> RequestRecord? {
        let lane = lanes[lane(app, kind)]
        return lane.isRunning ? lane.running : nil
    }
}
