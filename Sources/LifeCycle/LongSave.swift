// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A save that takes time; it begins when the user leaves the app.
///
/// The save continues while the app executes. If the app stops executing earlier, the saved share equals the share of
/// the duration that has passed. Assumption: the app writes its data in order.
public struct LongSave: Sendable, BitwiseCopyable {
    /// When the save began.
    public var began: SimTime
    /// Duration of the save.
    public var length: SimDuration
    /// Time in the app that this save covers, in seconds.
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

    /// Share of the save that is completed at an instant, from 0 to 1.
    public func doneShare(at now: SimTime) -> Double { min(1, (now - began) / length) }
}
