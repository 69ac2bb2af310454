// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Quantities
import Vocabulary

/// A radio at a change of its state or at a one-time cost.
public struct RadioRow: Sendable {
    /// Time of the row.
    public var time = SimTime.zero
    /// Name of the radio.
    public var radio = ""
    /// State from now on: `off`, `search`, `idle`, `promotion`, `active` or `tail`.
    public var state = ""
    /// Power from now on, in watts.
    public var watts = 0.0
    /// One-time energy of this instant, in joules: for joining a network, or for the switch from 4G to 5G.
    public var joules = 0.0
    /// App to which the energy is charged.
    public var app = AppID.system
    /// Name of the cause to which the energy is charged.
    public var cause = ""

    /// Creates an empty row.
    public init() {}
}

extension RadioRow: TableRow {
    /// One row per change of a radio's state.
    public static let table = PhoneTables.table("radio", "one row per change of a radio's state", time: "t_s", columns)

    private static let columns: [TableColumn<RadioRow>] = [
        .time("t_s", "time since the run's first midnight", \.time),
        .text("radio", Interface.allCases.map(\.name).joined(separator: " or "), \.radio),
        .text("state", "new state: off, search, idle, promotion, active or tail", \.state),
        .number(
            "power_w", "W",
            "power of the radio for data until its next row, without calls and the system's services", \.watts),
        .number("energy_j", "J", "energy of joining a network or of the switch to 5G at this instant", \.joules),
        .app("app", "app that pays for the energy, or system", \.app),
        .text("cause", "account to which the energy is booked", \.cause),
    ]
}

extension TableSet {
    /// One row per change of a radio's state.
    public static let radio = RadioRow.table.set
}
