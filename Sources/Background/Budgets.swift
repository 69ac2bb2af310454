// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Amounts that a piece of work takes from the day's budgets.
struct BudgetShare: BitwiseCopyable, Sendable {
    /// Energy units: one per refresh or minute of processing.
    var units = 0.0
    /// Bytes over cellular.
    var bytes = 0.0
}

/// The two daily budgets: work off the charger, and bytes over cellular.
///
/// Each budget refills evenly and contains at most a day's amount; each read refills it first. The largest use of a
/// piece of work is reserved at its start and reconciled at its end, so no level falls below zero. A budget that does
/// not cover a piece of work counts as used up. If a policy starts the work nevertheless, the uncovered part is not
/// charged.
struct Budgets: Sendable {
    private let perDay: BudgetShare
    private var level: BudgetShare
    private var updated = SimTime.zero

    init(_ parameters: BackgroundParameters) {
        perDay = BudgetShare(units: parameters.energyBudget, bytes: Double(parameters.cellularBudget.bytes))
        level = perDay
    }

    /// Shares of the two budgets that are left, 0 to 1; zero for a budget that does not cover the piece of work.
    mutating func left(for work: BudgetShare = BudgetShare(), at now: SimTime) -> (energy: Double, cellular: Double) {
        refill(to: now)
        return (
            level.units >= work.units ? share(level.units, of: perDay.units) : 0,
            level.bytes >= work.bytes ? share(level.bytes, of: perDay.bytes) : 0
        )
    }

    /// Reserves the largest use of a piece of work, and returns the amount reserved.
    mutating func reserve(_ work: BudgetShare, at now: SimTime) -> BudgetShare {
        refill(to: now)
        let taken = BudgetShare(units: min(work.units, level.units), bytes: min(work.bytes, level.bytes))
        level.units -= taken.units
        level.bytes -= taken.bytes
        return taken
    }

    /// Reconciles work that ended: returns unused amounts, and charges additional use as far as the budget allows.
    mutating func reconcile(_ reserved: BudgetShare, used: BudgetShare, at now: SimTime) {
        refill(to: now)
        level.units = min(perDay.units, max(0, level.units + reserved.units - used.units))
        level.bytes = min(perDay.bytes, max(0, level.bytes + reserved.bytes - used.bytes))
    }

    /// Refills both budgets up to an instant.
    mutating func refill(to now: SimTime) {
        let days = (now - updated).seconds / 86400
        updated = now
        level.units = min(perDay.units, level.units + days * perDay.units)
        level.bytes = min(perDay.bytes, level.bytes + days * perDay.bytes)
    }

    private func share(_ amount: Double, of whole: Double) -> Double { whole > 0 ? amount / whole : 0 }
}
