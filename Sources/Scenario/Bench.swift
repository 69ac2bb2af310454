// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import Power
import Quantities

/// Parts of a phone under loads that are written out, each measured by itself, with targets for what is measured.
public struct Bench: Sendable {
    /// A part and what is done to it.
    public struct Case: Sendable {
        /// Name by which targets call it.
        public let name: String
        /// What is measured.
        public let subject: Subject
    }

    /// What can be measured.
    public enum Subject: Sendable {
        /// A radio with its traffic.
        case radio(RadioBench)
        /// A cell under a load.
        case cell(CellBench)
        /// A phone's body under a constant power.
        case heat(HeatBench)

        /// The names of the values that it yields; those of a cell's events come on top.
        public var values: [String] {
            switch self {
            case .radio: RadioBench.values
            case .cell(let bench): bench.values
            case .heat: HeatBench.values
            }
        }
    }

    /// The file as the user named it.
    public let path: String
    /// Name, for tables.
    public let name: String
    /// The question it answers.
    public let question: String
    /// The cases in the order of the file.
    public let cases: [Case]
    /// What the values are held against.
    public let targets: [Target]
}

/// A phone that lies in still air and turns a constant power into heat.
public struct HeatBench: Sendable {
    static let values = ["reach_s", "end_c"]

    /// Its constants; the cell adds no heat of its own.
    public let power: PowerParameters
    /// What it turns into heat.
    public let load: Power
    /// The air around it, and itself at first.
    public let air: Temperature
    /// The temperature of the skin whose time is asked for.
    public let skin: Temperature
    /// How long it is watched, in seconds.
    public let duration: Double
}

/// A radio that carries scheduled traffic.
public struct RadioBench: Sendable {
    /// Transfers at regular times.
    public struct Traffic: Sendable {
        /// The first one, in seconds.
        public let start: Double
        /// Seconds between them.
        public let every: Double
        /// How many.
        public let count: Int
        /// Bytes received by each.
        public let down: ByteCount
        /// Bytes sent by each.
        public let up: ByteCount
    }

    static let values = ["energy_j", "transfer_j", "tail_j", "idle_j", "tail_share", "promotions"]

    /// The radio.
    public let radio: RadioParameters
    /// The interface that it stands for.
    public let interface: Interface
    /// Everything it carries.
    public let traffic: [Traffic]
    /// How long it is watched, in seconds.
    public let duration: Double
}

/// A cell under a load, perhaps beside a curve that another solver or a measurement made.
public struct CellBench: Sendable {
    /// A point of a reference curve.
    public struct Sample: Sendable {
        /// Seconds.
        public let time: Double
        /// From 0 to 1.
        public let charge: Double
        /// At the terminals.
        public let volts: Double
    }

    /// An event whose time is known.
    public struct KnownEvent: Sendable {
        /// As `flotsam lab battery` spells it.
        public let name: String
        /// Seconds.
        public let time: Double
    }

    /// The cell.
    public let cell: CellParameters
    /// What is done to it.
    public let load: CellLoad
    /// State of charge at the start, 0 to 1.
    public let charge: Double
    /// Of the cell, throughout.
    public let temperature: Temperature
    /// The curve it is held against; empty for none.
    public let curve: [Sample]
    /// Events it is held against; empty for none.
    public let events: [KnownEvent]

    /// The names of the values that it yields besides its events.
    public var values: [String] {
        ["end_s", "bucket_end_s", "turn_charge", "end_charge", "t80_s"]
            + (curve.isEmpty ? [] : ["voltage_rms_mv", "voltage_max_mv", "charge_max"])
            + (events.isEmpty ? [] : ["event_error_s"])
    }
}
