// SPDX-License-Identifier: GPL-3.0-or-later

/// Spread of a metric over replications, which determines how representative a few replications are.
///
/// Coverage of the intervals: docs/statistics.md.
public enum Spread: Equatable, Sendable {
    /// Sum over many events: a few replications are typical of the others.
    case even
    /// Value that depends on single moments of a run, such as the level at an hour, a highest value or the time beyond
    /// a threshold.
    ///
    /// If a charge moves to the other side of the hour, a pair differs by as much as two unrelated users do.
    case momentary
    /// Value that comes mostly from a few replications; there is no interval with fewer than `fewest` pairs.
    case uneven(fewest: Int)
}
