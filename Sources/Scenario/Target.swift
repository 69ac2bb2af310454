// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Measures
import Phone
import PhoneCore

/// Target of a result: a quantity, the band in which it must lie, and the strength of the band.
public struct Target: Sendable, Equatable {
    /// Strength of the source of a band.
    public enum Strength: String, Sendable, CaseIterable {
        case strong, medium, weak
        /// The value is only shown, because there is nothing to compare it with.
        case found
        /// The band has no source; the target guards another target that an empty table would meet with a count of
        /// zero.
        case control

        /// Whether missing the band fails a validation.
        public var isBinding: Bool { self == .strong || self == .medium || self == .control }
    }

    /// Meaning of a met band for the model.
    public enum Basis: String, Sendable, CaseIterable {
        /// The band comes from a measured or recorded phone, and no parameter was fitted to it; only this kind is
        /// evidence.
        case prediction
        /// The band is another figure of the recording to which a parameter was fitted.
        case inSample = "in-sample"
        /// A parameter was fitted to this figure.
        case calibrated
        /// The band comes from another program, or a formula, for the same equations.
        case numerics
        /// The model must return a parameter unchanged.
        case identity

        /// Whether the kind names a parameter, which was either fitted or must be returned unchanged.
        public var namesParameter: Bool { self != .prediction && self != .numerics }
    }

    /// Divisor of the found value; omitted parts are those of the target.
    public struct Reference: Sendable, Equatable {
        /// Quantity of the divisor.
        public let quantity: TargetQuantity
        /// Pair of policies; nil for the target's pair.
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
    /// Quantity in words; empty for the name of the quantity.
    public let title: String
    /// Quantity that is checked.
    public let quantity: TargetQuantity
    /// Values that meet the target, both ends included; an open end is infinite.
    public let band: ClosedRange<Double>
    /// Unit of the band.
    public let unit: TargetUnit
    /// Strength of the band.
    public let strength: Strength
    /// Meaning of a met target for the model.
    public let basis: Basis
    /// Parameter that was fitted to the figure or its recording, or that must be returned unchanged; empty otherwise.
    public let parameter: String
    /// Reason why the value is equal in all replications; empty where it should differ.
    public let sameInAll: String
    /// Source of the band.
    public let source: String
    /// Pair of policies to which the target applies; nil for the baseline.
    public let policy: String?
    /// Settings that its sweep points must have; empty for every point.
    public let point: [SweepPoint.Axis]
    /// Divisor of the value; nil for none.
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

    /// Tables that its runs must write.
    public var tables: TableSet { quantity.tables.union(reference?.quantity.tables ?? []) }
}

/// Claim of a target and its strength, without the quantity.
public struct TargetClaim: Sendable {
    /// Short name, for instance `V04`.
    public var id: String
    /// Quantity in words; empty for the name of the quantity.
    public var title = ""
    /// Values that meet the target, both ends included; an open end is infinite.
    public var band: ClosedRange<Double>
    /// Strength of the band.
    public var strength = Target.Strength.medium
    /// Meaning of a met target for the model.
    public var basis = Target.Basis.prediction
    /// Parameter that was fitted to the figure or its recording, or that must be returned unchanged; empty otherwise.
    public var parameter = ""
    /// Reason why the value is equal in all replications; empty where it should differ.
    public var sameInAll = ""
    /// Source of the band.
    public var source = ""

    /// Creates a prediction of medium strength, without a title or a source.
    public init(id: String, band: ClosedRange<Double>) {
        self.id = id
        self.band = band
    }
}

/// Unit in which a band is written.
public struct TargetUnit: Sendable, Equatable {
    /// Symbol of the unit, `1` for shares, counts and ratios.
    public let name: String
    /// Factor from the quantity's own unit to this one.
    public let scale: Double

    /// Creates a unit; without a scale, it is the quantity's own unit.
    public init(name: String, scale: Double = 1) {
        self.name = name
        self.scale = scale
    }
}

/// One number per run: a metric, or a figure of a table.
public enum TargetQuantity: Sendable, Equatable {
    /// Metric by its name.
    case metric(String)
    /// Figure of the rows of a table.
    case table(TableFigure)
    /// Value that a case of a bench measured.
    case bench(case: String, value: String)

    /// Tables that the quantity needs.
    public var tables: TableSet {
        if case .table(let figure) = self { figure.table.set } else { [] }
    }

    /// Symbol of its unit, `1` for shares and counts.
    var unit: String {
        switch self {
        case .metric(let name):
            let catalogue = MetricCatalog.catalogue
            return (try? catalogue.request(name)).map { catalogue.metrics[$0.metric].unit } ?? "1"
        case .table(let figure): return figure.unit
        // Values of benches are named after their units.
        case .bench(_, let value):
            let units = ["s": "s", "j": "J", "mv": "mV", "c": "degC"]
            return value.split(separator: "_").last.flatMap { units[String($0)] } ?? (value.contains("<=") ? "s" : "1")
        }
    }
}

/// One number from the rows of a table that one run wrote after its warm-up.
public struct TableFigure: Sendable, Equatable {
    /// Statistic of the values of the rows.
    public enum Statistic: String, Sendable, CaseIterable {
        case sum, mean, median, p05, p25, p75, p95, minimum, maximum, count
        /// Number of different values; the only statistic that accepts words.
        case distinct
        /// Standard deviation divided by the mean.
        case variation
        /// Sum divided by the number of days that count.
        case perDay = "per_day"
    }

    /// Condition on rows.
    public struct Condition: Sendable, Equatable {
        /// Requirement for the value of the column.
        public enum Requirement: Sendable, Equatable {
            /// One of these words.
            case words([String])
            /// Number in this range, both ends included.
            case range(ClosedRange<Double>)
            /// Time of day, in hours, from the first number up to the second; over midnight when the second is
            /// smaller.
            case hours(Double, Double)
        }

        /// Name of the column.
        public let column: String
        /// Requirement for its value.
        public let requirement: Requirement

        /// Creates a condition.
        public init(column: String, requirement: Requirement) {
            self.column = column
            self.requirement = requirement
        }
    }

    /// Rows that form a group: a column, minus another, has the same value to the microsecond.
    ///
    /// An example is a request with its start and the length of the phone's lock at that time. The difference is the
    /// time at which the phone was locked, which all requests of one night share.
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

    /// Table of the figure.
    public let table: TableDescription
    /// Columns whose sum is the value of a row; empty for a count of rows.
    public let columns: [String]
    /// Column that is subtracted.
    public let minus: String?
    /// Whether the values are differences between consecutive rows of one app.
    public let gaps: Bool
    /// Group of rows of which only the smallest value counts; nil when every row counts.
    public let least: Group?
    /// Conditions for rows; all of them must hold.
    public let conditions: [Condition]
    /// Statistic of the values.
    public let statistic: Statistic
    /// Warm-up of the run in seconds, which does not count.
    public let warmupSeconds: Double
    /// Number of days of the run that count.
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

    /// Symbol of the figure's unit, `1` for counts and for shares.
    var unit: String {
        switch statistic {
        case .count, .distinct, .variation: return "1"
        default:
            let unit = table.columns.first { $0.name == columns.first }?.unit ?? ""
            return unit.isEmpty ? "1" : statistic == .perDay ? unit + "/d" : unit
        }
    }
}
