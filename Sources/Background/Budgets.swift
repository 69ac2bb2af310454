// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What one piece of work takes off the day's allowances.
struct BudgetShare: BitwiseCopyable, Sendable {
    /// One per refresh, one per minute of processing.
    var units = 0.0
    /// Bytes over cellular.
    var bytes = 0.0
}

/// Two allowances spread over the day: work off the charger, and bytes over cellular.
///
/// Each refills evenly and holds at most a day's worth; the level is brought up to date when somebody looks. What work
/// may take is set aside when it starts and reconciled when it ends, so that no level goes below zero: an allowance
/// that does not cover a piece of work shows as used up, and a policy that starts it all the same is let off the rest.
struct Budgets: Sendable {
    private let perDay: BudgetShare
    private var level: BudgetShare
    private var updated = SimTime.zero

    init(_ parameters: BackgroundParameters) {
        perDay = BudgetShare(units: parameters.energyBudget, bytes: Double(parameters.cellularBudget.bytes))
        level = perDay
    }

    /// Shares of the two allowances that are left for a piece of work, 0 to 1; nothing where it is not covered.
    mutating func left(for work: BudgetShare = BudgetShare(), at now: SimTime) -> (energy: Double, cellular: Double) {
        refill(to: now)
        return (
            level.units >= work.units ? share(level.units, of: perDay.units) : 0,
            level.bytes >= work.bytes ? share(level.bytes, of: perDay.bytes) : 0
        )
    }

    /// Sets aside what work may take, and says how much that was.
    mutating func reserve(_ work: BudgetShare, at now: SimTime) -> BudgetShare {
        refill(to: now)
        let taken = BudgetShare(units: min(work.units, level.units), bytes: min(work.bytes, level.bytes))
        level.units -= taken.units
        level.bytes -= taken.bytes
        return taken
    }

    /// Work ended: what it did not use goes back, what it used beyond is taken as far as there is any.
    mutating func reconcile(_ reserved: BudgetShare, used: BudgetShare, at now: SimTime) {
        refill(to: now)
        level.units = min(perDay.units, max(0, level.units + reserved.units - used.units))
        level.bytes = min(perDay.bytes, max(0, level.bytes + reserved.bytes - used.bytes))
    }

    /// Brings both allowances up to date.
    mutating func refill(to now: SimTime) {
        let days = (now - updated).seconds / 86400
        updated = now
        level.units = min(perDay.units, level.units + days * perDay.units)
        level.bytes = min(perDay.bytes, level.bytes + days * perDay.bytes)
    }

    private func share(_ amount: Double, of whole: Double) -> Double { whole > 0 ? amount / whole : 0 }
}
