// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The time integral of a piecewise constant value.
@frozen
public struct TimeIntegral: BitwiseCopyable, Sendable {
    /// The value that holds now.
    public private(set) var value: Double
    private var since: SimTime
    private var total = 0.0

    /// Starts with a value at a time.
    public init(_ value: Double, at time: SimTime = .zero) {
        self.value = value
        since = time
    }

    /// Sets the value from now on.
    public mutating func set(_ value: Double, at now: SimTime) {
        total += self.value * (now - since).seconds
        self.value = value
        since = now
    }

    /// Clears the integral and keeps the present value.
    public mutating func restart(at now: SimTime) {
        total = 0
        since = now
    }

    /// The integral up to now: the value times seconds.
    public func integral(until now: SimTime) -> Double { total + value * (now - since).seconds }
}
