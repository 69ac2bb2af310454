// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import Power
import Quantities

/// A bench that measures single parts of a phone under given loads, with targets for the results.
public struct Bench: Sendable {
    /// A part with its load.
    public struct Case: Sendable {
        /// Name of the case, which targets refer to.
        public let name: String
        /// Part that is measured.
        public let subject: Subject
    }

    /// Kind of part.
    public enum Subject: Sendable {
        /// A radio with traffic.
        case radio(RadioBench)
        /// A cell with a load.
        case cell(CellBench)
        /// The body of a phone that dissipates a constant power.
        case heat(HeatBench)

        /// Names of the measured values, except those of a cell's events.
        public var values: [String] {
            switch self {
            case .radio: RadioBench.values
            case .cell(let bench): bench.values
            case .heat: HeatBench.values
            }
        }
    }

    /// Path of the file, as the user entered it.
    public let path: String
    /// Name of the bench, for tables.
    public let name: String
    /// Question that the bench answers.
    public let question: String
    /// Cases in the order of the file.
    public let cases: [Case]
    /// Targets for the measured values.
    public let targets: [Target]
}

/// A phone in still air that converts a constant power to heat.
public struct HeatBench: Sendable {
    static let values = ["reach_s", "end_c"]

    /// Thermal constants of the phone.
    ///
    /// The cell produces no heat.
    public let power: PowerParameters
    /// Power that is converted to heat.
    public let load: Power
    /// Temperature of the air, and of the phone at the start.
    public let air: Temperature
    /// Temperature of the skin; the bench measures the time until the skin reaches it.
    public let skin: Temperature
    /// Duration of the measurement, in seconds.
    public let duration: Double
}

/// A radio with scheduled traffic.
public struct RadioBench: Sendable {
    /// Transfers at regular times.
    public struct Traffic: Sendable {
        /// Time of the first transfer, in seconds.
        public let start: Double
        /// Time between two transfers, in seconds.
        public let every: Double
        /// Number of transfers.
        public let count: Int
        /// Bytes received by each transfer.
        public let down: ByteCount
        /// Bytes sent by each transfer.
        public let up: ByteCount
    }

    static let values = ["energy_j", "transfer_j", "tail_j", "idle_j", "tail_share", "promotions"]

    /// Radio under test.
    public let radio: RadioParameters
    /// Interface of the radio.
    public let interface: Interface
    /// All traffic.
    public let traffic: [Traffic]
    /// Duration of the measurement, in seconds.
    public let duration: Double
}

/// A cell under a load, optionally with a reference curve from another solver or a measurement.
public struct CellBench: Sendable {
    /// A point of a reference curve.
    public struct Sample: Sendable {
        /// Time in seconds.
        public let time: Double
        /// State of charge, from 0 to 1.
        public let charge: Double
        /// Voltage at the terminals, in volts.
        public let volts: Double
    }

    /// An event whose time is known.
    public struct KnownEvent: Sendable {
        /// Name of the event, as in `flotsam lab battery`.
        public let name: String
        /// Time in seconds.
        public let time: Double
    }

    /// Cell under test.
    public let cell: CellParameters
    /// Load of the cell.
    public let load: CellLoad
    /// State of charge at the start, from 0 to 1.
    public let charge: Double
    /// Constant temperature of the cell.
    public let temperature: Temperature
    /// Reference curve; empty if there is none.
    public let curve: [Sample]
    /// Reference events; empty if there are none.
    public let events: [KnownEvent]

    /// Names of the measured values, except those of the cell's events.
    public var values: [String] {
        ["end_s", "bucket_end_s", "turn_charge", "end_charge", "t80_s"]
            + (curve.isEmpty ? [] : ["voltage_rms_mv", "voltage_max_mv", "charge_max"])
            + (events.isEmpty ? [] : ["event_error_s"])
    }
}
