// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A save that an app began when it was left, and which lasts.
///
/// It goes on as long as the app executes; what is safe when it executes no more is the share of the time that has
/// passed (assumption: the app writes what it has in order).
public struct LongSave: Sendable, BitwiseCopyable {
    /// When it began.
    public var began: SimTime
    /// How long it takes.
    public var length: SimDuration
    /// Time in the app that it is to make safe, in seconds.
    public var pending: Double

    /// Begins a save.
    public init(began: SimTime, length: SimDuration, pending: Double = 0) {
        self.began = began
        self.length = length
        self.pending = pending
    }

    /// None goes on.
    public static let none = LongSave(began: .distantFuture, length: .zero)

    /// Whether one goes on.
    public var goesOn: Bool { began != .distantFuture }

    /// The share that is done at an instant, from 0 to 1.
    public func doneShare(at now: SimTime) -> Double { min(1, (now - began) / length) }
}
