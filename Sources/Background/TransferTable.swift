// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The background transfers of all apps: bytes left, time of the request, earliest begin.
///
/// Transfers are independent of their apps: suspension and eviction do not affect them, but a force quit cancels them.
/// A new transfer joins the running transfers of its app, like the tasks of one session.
public struct TransferTable: Sendable {
    /// The running transfers of one app.
    public struct Session: BitwiseCopyable, Sendable, Equatable {
        /// Bytes still to be received.
        public var down = ByteCount.zero
        /// Bytes still to be sent.
        public var up = ByteCount.zero
        /// When the first transfer was requested; the distant future if there are none.
        public var since = SimTime.distantFuture
        /// Earliest begin of the transfers.
        public var notBefore = SimTime.zero
        /// Whether the system chooses the time; it then waits for power and Wi-Fi.
        public var isDiscretionary = false
        /// Number of transfers requested.
        public var count: Int32 = 0
    }

    private struct Limiter: BitwiseCopyable {
        var delay = SimDuration.zero
        var lastLaunch = SimTime(nanoseconds: .min / 2)
    }

    private let parameters: TransferParameters
    private var sessions: [Session]
    private var limiters: [Limiter]

    /// Creates a table without transfers.
    public init(apps: Int, parameters: TransferParameters) {
        self.parameters = parameters
        sessions = Array(repeating: Session(), count: apps)
        limiters = Array(repeating: Limiter(), count: apps)
    }

    /// The app's transfers; `since` is the distant future if there are none.
    public func session(of app: AppID) -> Session { sessions[Int(app.index)] }

    /// Whether the app has running transfers.
    public func isActive(_ app: AppID) -> Bool { sessions[Int(app.index)].since != .distantFuture }

    /// The present delay of a transfer requested in the background.
    public mutating func delay(of app: AppID, at now: SimTime) -> SimDuration {
        let index = Int(app.index)
        // After a whole delay without a launch, the delay is zero again.
        if now - limiters[index].lastLaunch >= limiters[index].delay { limiters[index].delay = .zero }
        return limiters[index].delay
    }

    /// Adds transfers; the system chooses the time of transfers that are requested in the background.
    ///
    /// - Parameters:
    ///   - count: Number of transfers.
    ///   - down: Total bytes received by all transfers.
    ///   - up: Total bytes sent by all transfers.
    ///   - isDiscretionary: Whether the app leaves the time to the system.
    ///   - inBackground: Whether the app requests the transfers in the background.
    public mutating func add(
        _ app: AppID, count: Int = 1, down: ByteCount, up: ByteCount, isDiscretionary: Bool, inBackground: Bool,
        at now: SimTime
    ) {
        let index = Int(app.index)
        let wait = inBackground ? delay(of: app, at: now) : .zero
        let isNew = sessions[index].since == .distantFuture
        if isNew { sessions[index].since = now }
        sessions[index].down += down
        sessions[index].up += up
        sessions[index].count += Int32(count)
        sessions[index].notBefore = max(sessions[index].notBefore, now + wait)
        // All transfers of the app wait for the conditions of each; the app is notified when all are completed.
        sessions[index].isDiscretionary = sessions[index].isDiscretionary || isDiscretionary || inBackground
    }

    /// The next piece of the app's transfers.
    public func piece(of app: AppID) -> (down: ByteCount, up: ByteCount) {
        let session = sessions[Int(app.index)]
        let down = min(session.down, parameters.piece)
        return (down, min(session.up, parameters.piece - down))
    }

    /// Subtracts a transferred piece from the bytes left; returns true if it was the last piece.
    public mutating func moved(_ app: AppID, _ piece: (down: ByteCount, up: ByteCount)) -> Bool {
        let index = Int(app.index)
        sessions[index].down -= piece.down
        sessions[index].up -= piece.up
        return sessions[index].down <= .zero && sessions[index].up <= .zero
    }

    /// Removes the app's transfers because they are completed, given up, or cancelled by a force quit.
    ///
    /// - Returns: The transfers removed.
    @discardableResult
    public mutating func remove(_ app: AppID) -> Session {
        let session = sessions[Int(app.index)]
        sessions[Int(app.index)] = Session()
        return session
    }

    /// Records that the system launched or resumed the app because its transfers were completed.
    public mutating func noteLaunch(of app: AppID, at now: SimTime) {
        let index = Int(app.index)
        let delay = delay(of: app, at: now)
        limiters[index].delay = min(max(parameters.firstDelay, delay * 2), parameters.longestDelay)
        limiters[index].lastLaunch = now
    }

    /// Records that the user brought the app to the foreground, which ends the delay.
    public mutating func noteForeground(_ app: AppID, at now: SimTime) {
        let index = Int(app.index)
        limiters[index].delay = .zero
        if sessions[index].since != .distantFuture { sessions[index].notBefore = min(sessions[index].notBefore, now) }
    }
}
