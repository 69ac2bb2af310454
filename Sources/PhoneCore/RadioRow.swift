// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Quantities
import Vocabulary

/// A radio at the instant at which it changes its state or pays for something at once.
public struct RadioRow: Sendable {
    /// When.
    public var time = SimTime.zero
    /// Name of the radio.
    public var radio = ""
    /// `off`, `search`, `idle`, `promotion`, `active` or `tail`, from now on.
    public var state = ""
    /// What it draws from now on, in watts.
    public var watts = 0.0
    /// What was paid at this instant, in joules: for joining a network, or for the switch from 4G to 5G.
    public var joules = 0.0
    /// Who pays for it.
    public var app = AppID.system
    /// What its energy is booked to, by name.
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
        .text("state", "off, search, idle, promotion, active or tail, from now on", \.state),
        .number(
            "power_w", "W",
            "what the radio draws from now on, until its next row; with energy_j the radio's whole energy", \.watts),
        .number("energy_j", "J", "what joining a network or the switch to 5G cost at this instant", \.joules),
        .app("app", "who pays for it: the app, or system", \.app),
        .text("cause", "what the energy is booked to", \.cause),
    ]
}

extension TableSet {
    /// One row per change of a radio's state.
    public static let radio = RadioRow.table.set
}
