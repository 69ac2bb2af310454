// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The freezer's rules (`bsd/kern/kern_memorystatus_freeze.c`, `kern_memorystatus_freeze.h`, iOS 18).
public struct FreezerRules: Sendable, Equatable {
    /// Largest number of frozen processes.
    public var slots = 20
    /// Share of available memory at or below which the freezer runs.
    public var belowShare = 0.50
    /// Number of suspended processes that stay unfrozen; the freezer runs while there are more.
    public var spared = 4
    /// Least time between two runs; one app is frozen per run.
    public var spacing: SimDuration = .seconds(10)
    /// Whether one run freezes all candidates instead of a single app.
    public var takesAll = false
    /// Number of thawed processes that must be reached for one of them to be frozen again before a new process.
    public var refrozenFrom = 3
    /// Smallest footprint of a process that is frozen.
    public var minimum: ByteCount = .mebibytes(8)
    /// Largest memory written per process; nil for no limit other than the process's limit and the budget.
    public var largest: ByteCount?
    /// Highest band of candidates.
    public var highestBand: Int16 = 20
    /// Memory that may be written per day, before compression.
    public var dailyBudget: ByteCount = .mebibytes(2048)
    /// Factor that multiplies the budget (`kern.memorystatus_freeze_budget_multiplier`, 100 % on devices).
    public var budgetMultiplier = 1.0
    /// Number of processes per day that lose their protection because they were thawed too rarely.
    public var demotionsPerDay = 2
    /// Number of thaws that a process needs to keep its protection.
    public var keepingThaws: Int32 = 5

    /// Creates the rules of iOS 18.
    public init() {}

    /// Bytes that a day adds to the budget.
    var budget: ByteCount { dailyBudget * budgetMultiplier }
}

extension FreezerRules {
    /// The keys of the rules in files, with their allowed values.
    public static let keys: [FileKey<FreezerRules>] = [
        .integer(\.slots, "slots", 0...1000, example: "20"), .share(\.belowShare, "below_share"),
        .integer(\.spared, "spared", 0...1000, example: "4"), .time(\.spacing, "spacing"),
        .bytes(\.minimum, "minimum"), .bytes(\.largest, "largest"), .bytes(\.dailyBudget, "daily_budget"),
        .number(\.budgetMultiplier, "budget_multiplier", 0...100, example: "1"),
        .integer(\.demotionsPerDay, "demotions_per_day", 0...1000, example: "2"),
    ]
}
