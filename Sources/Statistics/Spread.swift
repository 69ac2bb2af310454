// SPDX-License-Identifier: GPL-3.0-or-later

/// How the values of a metric are spread over replications, which decides what a few of them tell of the others.
///
/// How often the intervals hold: docs/statistics.md.
public enum Spread: Equatable, Sendable {
    /// Sums over many events: what a few replications show is what others are like.
    case even
    /// Hangs on single moments of a run, as the level at an hour, a highest value and the time beyond a threshold do:
    /// when a charge falls on the other side of the hour, a pair differs by as much as two strangers do.
    case momentary
    /// Mostly made by a few replications that have very much of it: fewer pairs than so many have no interval.
    case uneven(fewest: Int)
}
