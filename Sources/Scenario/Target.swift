// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Measures
import Phone
import PhoneCore

/// What a result is held against: a quantity, the band it must lie in, and how much the band is worth.
public struct Target: Sendable {
    /// How much the source of a band is worth.
    public enum Strength: String, Sendable, CaseIterable {
        case strong, medium, weak
        /// Not held against anything that could be checked: shown as found.
        case found

        /// Whether missing the band fails a validation.
        public var isBinding: Bool { self == .strong || self == .medium }
    }

    /// What the found value is divided by; every part left out is that of the target itself.
    public struct Reference: Sendable {
        /// The quantity below the line.
        public let quantity: TargetQuantity
        /// The pair of policies; nil for the target's.
        public let policy: String?
        /// Settings that replace those of the target's sweep point.
        public let point: [SweepPoint.Axis]

        /// Creates a reference.
        public init(quantity: TargetQuantity, policy: String?, point: [SweepPoint.Axis]) {
            self.quantity = quantity
            self.policy = policy
            self.point = point
        }
    }

    /// Short name, for instance `V04`.
    public let id: String
    /// What is looked at, in words; empty: as the quantity says.
    public let title: String
    /// What is looked at.
    public let quantity: TargetQuantity
    /// Values that meet it, both ends included; an open end is infinite.
    public let band: ClosedRange<Double>
    /// How much the band is worth.
    public let strength: Strength
    /// Where the band comes from.
    public let source: String
    /// The pair of policies it is about; nil for the baseline.
    public let policy: String?
    /// Settings that its sweep points must have; without any it is about every point.
    public let point: [SweepPoint.Axis]
    /// What the value is divided by; nil when it stands for itself.
    public let reference: Reference?

    /// Creates a target.
    public init(
        id: String, title: String = "", quantity: TargetQuantity, band: ClosedRange<Double>, strength: Strength,
        source: String, policy: String? = nil, point: [SweepPoint.Axis] = [], reference: Reference? = nil
    ) {
        self.id = id
        self.title = title
        self.quantity = quantity
        self.band = band
        self.strength = strength
        self.source = source
        self.policy = policy
        self.point = point
        self.reference = reference
    }

    /// The tables that its runs must write.
    public var tables: TableSet { quantity.tables.union(reference?.quantity.tables ?? []) }
}

/// One number per run: a metric, or what a table of the run says.
public enum TargetQuantity: Sendable {
    /// A metric by its name.
    case metric(String)
    /// A figure of the rows of a table.
    case table(TableFigure)
    /// What a case of a bench measured.
    case bench(case: String, value: String)

    /// The tables that it needs.
    public var tables: TableSet {
        if case .table(let figure) = self { figure.table.set } else { [] }
    }
}

/// One number from the rows of a table that one run wrote after its warm-up.
public struct TableFigure: Sendable {
    /// What is made of the values of the rows.
    public enum Statistic: String, Sendable, CaseIterable {
        case sum, mean, median, p05, p25, p75, p95, minimum, maximum, count
        /// How many different values there are; the only one that takes words.
        case distinct
        /// Standard deviation over mean.
        case variation
        /// Sum over the days that count.
        case perDay = "per_day"
    }

    /// Which rows count.
    public struct Condition: Sendable {
        /// What the column must hold.
        public enum Requirement: Sendable, Equatable {
            /// One of these words.
            case words([String])
            /// A number between these, both included.
            case range(ClosedRange<Double>)
            /// A time of day, in hours; from the first up to the second, over midnight when that is smaller.
            case hours(Double, Double)
        }

        /// The column.
        public let column: String
        /// What it must hold.
        public let requirement: Requirement

        /// Creates a condition.
        public init(column: String, requirement: Requirement) {
            self.column = column
            self.requirement = requirement
        }
    }

    /// The table.
    public let table: TableDescription
    /// The columns whose sum is the value of a row; none for a mere count.
    public let columns: [String]
    /// A column that is taken from it.
    public let minus: String?
    /// Whether differences between consecutive rows of one app stand for the values.
    public let gaps: Bool
    /// Which rows count; all conditions must hold.
    public let conditions: [Condition]
    /// What is made of them.
    public let statistic: Statistic
    /// Seconds of the run that do not count.
    public let warmupSeconds: Double
    /// Days of the run that count.
    public let days: Double

    /// Creates a figure.
    public init(
        table: TableDescription, columns: [String], minus: String? = nil, gaps: Bool = false,
        conditions: [Condition] = [],
        statistic: Statistic, warmupSeconds: Double, days: Double
    ) {
        self.table = table
        self.columns = columns
        self.minus = minus
        self.gaps = gaps
        self.conditions = conditions
        self.statistic = statistic
        self.warmupSeconds = warmupSeconds
        self.days = days
    }
}
