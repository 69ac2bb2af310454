// SPDX-License-Identifier: GPL-3.0-or-later

/// Signal strength of a radio, in the five levels that Android shows.
public enum SignalLevel: String, Sendable, CaseIterable, BitwiseCopyable {
    case excellent, good, moderate, poor
    case veryPoor = "very-poor"

    /// Number of the level, 0 for the best.
    public var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The level with this number; the best for a number outside 0 to 4.
    public init(number: Int) { self = Self.allCases.indices.contains(number) ? Self.allCases[number] : .excellent }

    /// Factor that multiplies the power of the radio while it sends.
    ///
    /// Assumption, based on the power profile of the Pixel 6 (modem.controller.tx 223 to 668 mA over five levels).
    public var sendFactor: Double {
        switch self {
        case .excellent: 1
        case .good: 1.1
        case .moderate: 1.35
        case .poor: 2.5
        case .veryPoor: 3
        }
    }

    /// Share of the radio's `weakSignalPower` that the radio draws while it waits.
    ///
    /// Assumption: the radio measures neighbouring cells more often if its own cell is weak.
    public var weakness: Double {
        switch self {
        case .excellent, .good: 0
        case .moderate: 0.1
        case .poor: 0.4
        case .veryPoor: 1
        }
    }

    /// Factor that multiplies the data rates of both directions; assumption.
    public var rateFactor: Double {
        switch self {
        case .excellent: 1
        case .good: 0.85
        case .moderate: 0.6
        case .poor: 0.3
        case .veryPoor: 0.12
        }
    }
}
