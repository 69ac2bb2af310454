import Quantities
import Vocabulary

/// What one app, or the system, spent in one hour.
public struct AppHourRow: Sendable {
    /// Hours since the run's first midnight.
    public var hour = 0
    /// The app; `system` for what nobody in particular spends.
    public var app = AppID.system
    /// Energy booked to it while it was on screen, in joules.
    public var foregroundJoules = 0.0
    /// Energy booked to it otherwise, in joules.
    public var backgroundJoules = 0.0
    /// Energy of floor, paging and standby, in joules; the system's only.
    public var idleJoules = 0.0

    /// Creates an empty hour.
    public init() {}
}

/// A radio at the instant at which it changes its state.
public struct RadioRow: Sendable {
    /// When.
    public var time = SimTime.zero
    /// `wifi` or `cellular`.
    public var radio = ""
    /// `off`, `search`, `idle`, `promotion`, `active` or `tail`, from now on.
    public var state = ""
    /// What it draws from now on, in watts.
    public var watts = 0.0
    /// Who pays for it.
    public var app = AppID.system
    /// What its energy is booked to, by name.
    public var cause = ""

    /// Creates an empty row.
    public init() {}
}

/// The battery at a step of one per cent, when charging begins or ends, and about every ten minutes.
public struct BatteryRow: Sendable {
    /// When.
    public var time = SimTime.zero
    /// Level shown to the user, in percent.
    public var percent = 0
    /// Whether it is on a charger.
    public var pluggedIn = false
    /// Power into the cell, in watts; negative when it gives.
    public var chargeWatts = 0.0
    /// Power of all components, in watts.
    public var loadWatts = 0.0
    /// Voltage at the terminals, in volts.
    public var volts = 0.0
    /// Temperature of battery and skin, in °C.
    public var celsius = 0.0

    /// Creates an empty row.
    public init() {}
}

/// How well a run's predictions of use were met, of those within one range of likelihood.
public struct PredictionRow: Sendable {
    /// The range: from, included, to, excluded.
    public var from = 0.0
    /// Its upper end.
    public var to = 1.0
    /// Predictions within it.
    public var predictions = 0
    /// Their mean; NaN without any.
    public var predicted = Double.nan
    /// Share of them that an open followed; NaN without any.
    public var opened = Double.nan

    /// Creates an empty row.
    public init() {}
}
