// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Number of reloads that a widget has left; it refills evenly, by a fixed number per day.
public struct WidgetBudget: Sendable, BitwiseCopyable {
    /// Number of reloads left, from 0 to the number per day.
    public private(set) var left: Double
    private var updated = SimTime.zero

    /// Creates a full budget.
    public init(_ parameters: WidgetParameters) { left = parameters.perDay }

    /// Takes a reload from the budget; returns false and takes none if less than one is left.
    public mutating func spendReload(_ parameters: WidgetParameters, at now: SimTime) -> Bool {
        left = min(parameters.perDay, left + (now - updated) / .day * parameters.perDay)
        updated = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
