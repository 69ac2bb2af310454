// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Measures
import Phone
import PhoneCore

/// What a result is held against: a quantity, the band it must lie in, and how much the band is worth.
public struct Target: Sendable, Equatable {
    /// How much the source of a band is worth.
    public enum Strength: String, Sendable, CaseIterable {
        case strong, medium, weak
        /// Not held against anything that could be checked: shown as found.
        case found
        /// Of no source either: without it another target would be met by nothing, a count of zero by an empty table.
        case control

        /// Whether missing the band fails a validation.
        public var isBinding: Bool { self == .strong || self == .medium || self == .control }
    }

    /// What it says of the model when the band is met.
    public enum Basis: String, Sendable, CaseIterable {
        /// Of a phone that was measured or recorded, and no parameter was fitted to that: this kind alone is evidence.
        case prediction
        /// Another figure of the recording to which a parameter was fitted.
        case inSample = "in-sample"
        /// A parameter was fitted to this very figure.
        case calibrated
        /// What another program, or a formula, makes of the same equations.
        case numerics
        /// A parameter comes out again, as it went in.
        case identity

        /// Whether it names the parameter that was fitted, or that comes out again.
        public var namesParameter: Bool { self != .prediction && self != .numerics }
    }

    /// What the found value is divided by; every part left out is that of the target itself.
    public struct Reference: Sendable, Equatable {
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
    /// The unit of the band.
    public let unit: TargetUnit
    /// How much the band is worth.
    public let strength: Strength
    /// What it says of the model when it is met.
    public let basis: Basis
    /// The parameter that was fitted to it or to its recording, or comes out again; empty for the other kinds.
    public let parameter: String
    /// Why replications do not differ in it; empty where they should.
    public let sameInAll: String
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

    /// The tables that its runs must write.
    public var tables: TableSet { quantity.tables.union(reference?.quantity.tables ?? []) }
}

/// What a target asks and how much that is worth, whatever the quantity.
public struct TargetClaim: Sendable {
    /// Short name, for instance `V04`.
    public var id: String
    /// What is looked at, in words; empty: as the quantity says.
    public var title = ""
    /// Values that meet it, both ends included; an open end is infinite.
    public var band: ClosedRange<Double>
    /// How much the band is worth.
    public var strength = Target.Strength.medium
    /// What it says of the model when it is met.
    public var basis = Target.Basis.prediction
    /// The parameter that was fitted to it or to its recording, or comes out again; empty for the other kinds.
    public var parameter = ""
    /// Why replications do not differ in it; empty where they should.
    public var sameInAll = ""
    /// Where the band comes from.
    public var source = ""

    /// Creates a prediction of medium strength, without a title or a source.
    public init(id: String, band: ClosedRange<Double>) {
        self.id = id
        self.band = band
    }
}

/// The unit in which a band is written.
public struct TargetUnit: Sendable, Equatable {
    /// Its symbol, `1` for shares, counts and ratios.
    public let name: String
    /// What a value in the quantity's own unit is multiplied by.
    public let scale: Double

    /// Creates a unit; without a scale it is the quantity's own.
    public init(name: String, scale: Double = 1) {
        self.name = name
        self.scale = scale
    }
}

/// One number per run: a metric, or what a table of the run says.
public enum TargetQuantity: Sendable, Equatable {
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

    /// The symbol of its unit, `1` for shares and counts.
    var unit: String {
        switch self {
        case .metric(let name):
            let catalogue = MetricCatalog.catalogue
            return (try? catalogue.request(name)).map { catalogue.metrics[$0.metric].unit } ?? "1"
        case .table(let figure): return figure.unit
        // What benches measure is named after its unit.
        case .bench(_, let value):
            let units = ["s": "s", "j": "J", "mv": "mV", "c": "degC"]
            return value.split(separator: "_").last.flatMap { units[String($0)] } ?? (value.contains("<=") ? "s" : "1")
        }
    }
}

/// One number from the rows of a table that one run wrote after its warm-up.
public struct TableFigure: Sendable, Equatable {
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
    public struct Condition: Sendable, Equatable {
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

    /// Rows that belong together because a column, less another, holds the same in them, to the microsecond.
    ///
    /// A request says when it started and how long the phone had been locked then; the difference is when it was
    /// locked, which all requests of one night share.
    public struct Group: Sendable, Equatable {
        /// The column.
        public let column: String
        /// A column that is taken from it.
        public let minus: String?

        /// Creates a group.
        public init(column: String, minus: String?) {
            self.column = column
            self.minus = minus
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
    /// Rows of which only the one of least value counts; nil when every row does.
    public let least: Group?
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

    /// The symbol of the figure's unit, `1` for counts and for shares.
    var unit: String {
        switch statistic {
        case .count, .distinct, .variation: return "1"
        default:
            let unit = table.columns.first { $0.name == columns.first }?.unit ?? ""
            return unit.isEmpty ? "1" : statistic == .perDay ? unit + "/d" : unit
        }
    }
}
