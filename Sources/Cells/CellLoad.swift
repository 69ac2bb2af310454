// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A demand on a cell; discharging is positive.
public enum CellDemand: Sendable {
    /// A power at the terminals.
    case power(Power)
    /// A current.
    case current(Current)
    /// A constant voltage at the terminals, with any current that this requires.
    case voltage(Voltage)

    /// Whether the demand can only discharge the cell; a constant voltage can also charge it.
    var discharges: Bool {
        switch self {
        case .power(let power): power.watts > 0
        case .current(let current): current.amperes > 0
        case .voltage: false
        }
    }

    /// Whether the demand charges the cell.
    var charges: Bool {
        switch self {
        case .power(let power): power.watts < 0
        case .current(let current): current.amperes < 0
        case .voltage: false
        }
    }
}

/// The load of a cell in an experiment.
public enum CellLoad: Sendable {
    /// A demand that begins at an instant.
    public struct Step: Sendable {
        /// Start of the step, in seconds.
        public var start: Double
        /// The demand until the next step, or after the last step until the cell is empty or full.
        public var demand: CellDemand

        /// Creates a step.
        public init(start: Double, demand: CellDemand) {
            self.start = start
            self.demand = demand
        }
    }

    /// Demands one after the other, by increasing start time.
    case steps([Step])
    /// A charge at constant current up to a voltage, and then at that voltage until the current has fallen.
    ///
    /// Both currents are positive numbers.
    case charge(Current, limit: Voltage, end: Current)
}

/// The result of an experiment with a cell.
public struct CellRecord: Sendable {
    /// State of the cell at an instant; at a change of load, just after the change.
    public struct Row: Sendable {
        /// Time since the start, in seconds.
        public var time: Double
        /// State of charge, from 0 to 1.
        public var charge: Double
        /// Voltage at the terminals.
        public var voltage: Voltage
        /// Current, positive when discharging.
        public var current: Current
    }

    /// An event of an experiment.
    public struct Event: Sendable {
        /// Name, for instance `soc<=0.5`, `V<=3.0`, `CC_end_V>=4.2` or `CV_end_I<=C/20`.
        public var name: String
        /// Time since the start, in seconds.
        public var time: Double
    }

    /// Rows by increasing time.
    public var rows: [Row] = []
    /// Events by increasing time.
    public var events: [Event] = []

    /// The time of an event; nil if it did not happen.
    public func time(of name: String) -> Double? { events.first { $0.name == name }?.time }
}
