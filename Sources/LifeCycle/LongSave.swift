// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A save with a duration, begun when the user left the app.
///
/// The save goes on while the app executes. When it no longer executes, the saved share is the share of the time that
/// has passed (assumption: the app writes its data in order).
public struct LongSave: Sendable, BitwiseCopyable {
    /// When the save began.
    public var began: SimTime
    /// Duration of the save.
    public var length: SimDuration
    /// Time in the app that the save covers, in seconds.
    public var pending: Double

    /// Creates a save.
    public init(began: SimTime, length: SimDuration, pending: Double = 0) {
        self.began = began
        self.length = length
        self.pending = pending
    }

    /// No save in progress.
    public static let none = LongSave(began: .distantFuture, length: .zero)

    /// Whether a save is in progress.
    public var goesOn: Bool { began != .distantFuture }

    /// Share that is done at an instant, from 0 to 1.
    public func doneShare(at now: SimTime) -> Double { min(1, (now - began) / length) }
}
