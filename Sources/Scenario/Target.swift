// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Measures
import Phone
import PhoneCore

/// Target for a result: a quantity, the band that must contain it, and the strength of the band.
public struct Target: Sendable, Equatable {
    /// Strength of a band's source.
    public enum Strength: String, Sendable, CaseIterable {
        case strong, medium, weak
        /// The value is only shown, because there is no value to compare it with.
        case found
        /// The band has no source. The target guards another target, which an empty table would meet with a count of
        /// zero.
        case control

        /// Whether a validation fails if the band is missed.
        public var isBinding: Bool { self == .strong || self == .medium || self == .control }
    }

    /// Relation of the band to the model, which determines whether a met band is evidence.
    public enum Basis: String, Sendable, CaseIterable {
        /// The band is from a measured or recorded phone, and no parameter was fitted to it. Only this kind is
        /// evidence.
        case prediction
        /// The band is another number from the recording to which a parameter was fitted.
        case inSample = "in-sample"
        /// A parameter was fitted to this number.
        case calibrated
        /// The band is from another program or a formula for the same equations.
        case numerics
        /// The model must return one of its parameters unchanged.
        case identity

        /// Whether the kind refers to a parameter, which was fitted or must be returned unchanged.
        public var namesParameter: Bool { self != .prediction && self != .numerics }
    }

    /// Divisor of the value.
    ///
    /// Omitted parts are those of the target.
    public struct Reference: Sendable, Equatable {
        /// Quantity of the divisor.
        public let quantity: TargetQuantity
        /// Pair of policies; nil if it is the target's pair.
        public let policy: String?
        /// Settings that replace settings of the target's sweep point.
        public let point: [SweepPoint.Axis]

        /// Creates a reference.
        public init(quantity: TargetQuantity, policy: String?, point: [SweepPoint.Axis]) {
            self.quantity = quantity
            self.policy = policy
            self.point = point
        }
    }

    /// Identifier, for instance `V04`.
    public let id: String
    /// Quantity in words; empty if the name of the quantity is used.
    public let title: String
    /// Quantity that is checked.
    public let quantity: TargetQuantity
    /// Values that meet the target, including both ends.
    ///
    /// An open end is infinite.
    public let band: ClosedRange<Double>
    /// Unit of the band.
    public let unit: TargetUnit
    /// Strength of the band.
    public let strength: Strength
    /// Relation of the band to the model.
    public let basis: Basis
    /// Parameter that was fitted, or that must be returned unchanged; empty for other kinds.
    public let parameter: String
    /// Reason why the value is equal in all replications; empty if it should differ.
    public let sameInAll: String
    /// Source of the band.
    public let source: String
    /// Pair of policies that the target applies to; nil for the baseline.
    public let policy: String?
    /// Settings of the sweep points that the target applies to; empty for every point.
    public let point: [SweepPoint.Axis]
    /// Divisor of the value; nil if there is none.
    public let reference: Reference?

    /// Creates a target.
    public init(
        _ claim: TargetClaim, quantity: TargetQuantity, unit: TargetUnit? = nil, policy: String? = nil,
        point: [SweepPoint.Axis] = [], reference: Reference? = nil
    ) {
        id = claim.id
        title = claim.title
        band = claim.band
        strength = claim.strength
        basis = claim.basis
        parameter = claim.parameter
        sameInAll = claim.sameInAll
        source = claim.source
        self.quantity = quantity
        self.unit = unit ?? TargetUnit(name: reference == nil ? quantity.unit : "1")
        self.policy = policy
        self.point = point
        self.reference = reference
    }

    /// Tables that runs must write for the target.
    public var tables: TableSet { quantity.tables.union(reference?.quantity.tables ?? []) }
}

/// A target's band with its strength and source, but without the quantity.
public struct TargetClaim: Sendable {
    /// Identifier, for instance `V04`.
    public var id: String
    /// Quantity in words; empty if the name of the quantity is used.
    public var title = ""
    /// Values that meet the target, including both ends.
    ///
    /// An open end is infinite.
    public var band: ClosedRange<Double>
    /// Strength of the band.
    public var strength = Target.Strength.medium
    /// Relation of the band to the model.
    public var basis = Target.Basis.prediction
    /// Parameter that was fitted, or that must be returned unchanged; empty for other kinds.
    public var parameter = ""
    /// Reason why the value is equal in all replications; empty if it should differ.
    public var sameInAll = ""
    /// Source of the band.
    public var source = ""

    /// Creates a prediction of medium strength, without a title or a source.
    public init(id: String, band: ClosedRange<Double>) {
        self.id = id
        self.band = band
    }
}

/// Unit of a band.
public struct TargetUnit: Sendable, Equatable {
    /// Symbol of the unit, or `1` for shares, counts and ratios.
    public let name: String
    /// Factor from the unit of the quantity to this unit.
    public let scale: Double

    /// Creates a unit.
    ///
    /// Without a scale, it is the unit of the quantity.
    public init(name: String, scale: Double = 1) {
        self.name = name
        self.scale = scale
    }
}

/// One number per run: a metric, a number from a table, or a value of a bench.
public enum TargetQuantity: Sendable, Equatable {
    /// A metric, by its name.
    case metric(String)
    /// A number from the rows of a table.
    case table(TableFigure)
    /// A value that a case of a bench measured.
    case bench(case: String, value: String)

    /// Tables that the quantity needs.
    public var tables: TableSet {
        if case .table(let figure) = self { figure.table.set } else { [] }
    }

    /// Symbol of the quantity's unit, or `1` for shares and counts.
    var unit: String {
        switch self {
        case .metric(let name):
            let catalogue = MetricCatalog.catalogue
            return (try? catalogue.request(name)).map { catalogue.metrics[$0.metric].unit } ?? "1"
        case .table(let figure): return figure.unit
        // The names of bench values end with their units.
        case .bench(_, let value):
            let units = ["s": "s", "j": "J", "mv": "mV", "c": "degC"]
            return value.split(separator: "_").last.flatMap { units[String($0)] } ?? (value.contains("<=") ? "s" : "1")
        }
    }
}

/// One number from the rows that a run wrote to a table after its warm-up.
public struct TableFigure: Sendable, Equatable {
    /// Statistic over the values of the rows.
    public enum Statistic: String, Sendable, CaseIterable {
        case sum, mean, median, p05, p25, p75, p95, minimum, maximum, count
        /// Number of different values. Only this statistic also accepts words.
        case distinct
        /// Standard deviation divided by the mean.
        case variation
        /// Sum divided by the number of days after the warm-up.
        case perDay = "per_day"
    }

    /// Condition on the rows.
    public struct Condition: Sendable, Equatable {
        /// Requirement for the value in a column.
        public enum Requirement: Sendable, Equatable {
            /// The value is one of these words.
            case words([String])
            /// The value is a number in this range, including both ends.
            case range(ClosedRange<Double>)
            /// The time of day, in hours, is from the first number up to the second. If the second is smaller, the
            /// range includes midnight.
            case hours(Double, Double)
        }

        /// Name of the column.
        public let column: String
        /// Requirement for the value in the column.
        public let requirement: Requirement

        /// Creates a condition.
        public init(column: String, requirement: Requirement) {
            self.column = column
            self.requirement = requirement
        }
    }

    /// Rows form a group if their values of a column, or of the difference of two columns, are equal to the
    /// microsecond.
    ///
    /// For example, rows of requests contain their start and the time since the phone was locked. The difference is the
    /// time at which the phone was locked, which is equal for all requests of one night.
    public struct Group: Sendable, Equatable {
        /// Name of the column.
        public let column: String
        /// Column that is subtracted.
        public let minus: String?

        /// Creates a group.
        public init(column: String, minus: String?) {
            self.column = column
            self.minus = minus
        }
    }

    /// Table with the rows.
    public let table: TableDescription
    /// Columns whose sum is the value of a row; empty if rows are counted.
    public let columns: [String]
    /// Column that is subtracted.
    public let minus: String?
    /// Whether the values are differences between consecutive rows of an app.
    public let gaps: Bool
    /// Groups of rows, if only the smallest value of each group counts; nil if every row counts.
    public let least: Group?
    /// Conditions that rows must meet, all of them.
    public let conditions: [Condition]
    /// Statistic of the values.
    public let statistic: Statistic
    /// Warm-up of the run in seconds; rows in it do not count.
    public let warmupSeconds: Double
    /// Number of days of the run after the warm-up.
    public let days: Double

    /// Creates a figure.
    public init(
        table: TableDescription, columns: [String], minus: String? = nil, gaps: Bool = false, least: Group? = nil,
        conditions: [Condition] = [], statistic: Statistic, warmupSeconds: Double, days: Double
    ) {
        self.table = table
        self.columns = columns
        self.minus = minus
        self.gaps = gaps
        self.least = least
        self.conditions = conditions
        self.statistic = statistic
        self.warmupSeconds = warmupSeconds
        self.days = days
    }

    /// Symbol of the number's unit, or `1` for counts and shares.
    var unit: String {
        switch statistic {
        case .count, .distinct, .variation: return "1"
        default:
            let unit = table.columns.first { $0.name == columns.first }?.unit ?? ""
            return unit.isEmpty ? "1" : statistic == .perDay ? unit + "/d" : unit
        }
    }
}
