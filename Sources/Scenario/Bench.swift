// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import Power
import Quantities

/// Bench that measures parts of a phone separately under given loads, with targets for the results.
public struct Bench: Sendable {
    /// Part under a load.
    public struct Case: Sendable {
        /// Name in targets.
        public let name: String
        /// Part that is measured.
        public let subject: Subject
    }

    /// Kinds of parts.
    public enum Subject: Sendable {
        /// A radio with its traffic.
        case radio(RadioBench)
        /// A cell under a load.
        case cell(CellBench)
        /// A phone's body that dissipates a constant power.
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

    /// Path of the file as the user gave it.
    public let path: String
    /// Name, for tables.
    public let name: String
    /// Question that the bench answers.
    public let question: String
    /// The cases in the order of the file.
    public let cases: [Case]
    /// Targets for the values.
    public let targets: [Target]
}

/// Phone in still air that turns a constant power into heat.
public struct HeatBench: Sendable {
    static let values = ["reach_s", "end_c"]

    /// Thermal constants of the phone; the cell adds no heat of its own.
    public let power: PowerParameters
    /// Power that becomes heat.
    public let load: Power
    /// Temperature of the air, and of the phone at the start.
    public let air: Temperature
    /// Temperature of the skin whose time is measured.
    public let skin: Temperature
    /// Duration of the measurement, in seconds.
    public let duration: Double
}

/// Radio that carries scheduled traffic.
public struct RadioBench: Sendable {
    /// Transfers at regular times.
    public struct Traffic: Sendable {
        /// Time of the first transfer, in seconds.
        public let start: Double
        /// Time between two transfers, in seconds.
        public let every: Double
        /// Number of transfers.
        public let count: Int
        /// Bytes received by each.
        public let down: ByteCount
        /// Bytes sent by each.
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

/// Cell under a load, with an optional reference curve from another solver or a measurement.
public struct CellBench: Sendable {
    /// Point of a reference curve.
    public struct Sample: Sendable {
        /// Time in seconds.
        public let time: Double
        /// State of charge, from 0 to 1.
        public let charge: Double
        /// Voltage at the terminals.
        public let volts: Double
    }

    /// Event with a known time.
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
    /// State of charge at the start, 0 to 1.
    public let charge: Double
    /// Temperature of the cell, constant.
    public let temperature: Temperature
    /// Reference curve; empty for none.
    public let curve: [Sample]
    /// Reference events; empty for none.
    public let events: [KnownEvent]

    /// Names of the measured values, except those of its events.
    public var values: [String] {
        ["end_s", "bucket_end_s", "turn_charge", "end_charge", "t80_s"]
            + (curve.isEmpty ? [] : ["voltage_rms_mv", "voltage_max_mv", "charge_max"])
            + (events.isEmpty ? [] : ["event_error_s"])
    }
}
