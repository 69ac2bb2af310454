// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Remaining reloads of a widget: a daily amount that refills evenly.
public struct WidgetBudget: Sendable, BitwiseCopyable {
    /// Reloads left, from 0 to a day's worth.
    public private(set) var left: Double
    private var updated = SimTime.zero

    /// Creates a full budget.
    public init(_ parameters: WidgetParameters) { left = parameters.perDay }

    /// Takes a reload from the budget; returns false, without taking one, when none is left.
    public mutating func spendReload(_ parameters: WidgetParameters, at now: SimTime) -> Bool {
        left = min(parameters.perDay, left + (now - updated) / .day * parameters.perDay)
        updated = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
