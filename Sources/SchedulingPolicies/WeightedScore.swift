// SPDX-License-Identifier: GPL-3.0-or-later

/// The weighted mean by which dasd combines the answers of its policies: the sum of weight times score, over the sum of
/// weights.
///
/// The mean reproduces two published results exactly (ably-flutter README: 0.961348; github cocoa-mhlw/cocoa#644:
/// 0.839581).
struct WeightedScore {
    private var sum = 0.0
    private var weights = 0.0

    /// Adds one policy's score, 0 to 1.
    mutating func add(_ score: Double, weight: Double) {
        sum += weight * score
        weights += weight
    }

    /// Raises the sum of weights to the total in a log; the policies that the log does not name all scored 1.
    mutating func fill(to total: Double) {
        guard total > weights else { return }
        add(1, weight: total - weights)
    }

    /// The weighted mean; 1 when nothing was scored.
    var mean: Double { weights > 0 ? sum / weights : 1 }
}
