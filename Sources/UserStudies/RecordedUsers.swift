// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform

/// Figures of recorded users, as means over the users for whom they are known.
///
/// Numbers in brackets are parts of models/recordings.md.
package enum RecordedUsers {
    /// Distribution of the length of a screen session in seconds: two lognormal parts for each user (2.1).
    static func session(_ seconds: Double) -> Double {
        let users: [(share: Double, medians: (Double, Double), sigmas: (Double, Double))] = [
            (0.45, (6.8, 98), (0.90, 1.65)), (0.26, (5.1, 71), (0.69, 1.58)), (0.51, (16.7, 102), (0.91, 1.63)),
        ]
        return mean(users) { user in
            user.share * logNormal(seconds, log(user.medians.0), user.sigmas.0)
                + (1 - user.share) * logNormal(seconds, log(user.medians.1), user.sigmas.1)
        }
    }

    /// Distribution of the time between two sessions in seconds (2.1).
    static func gap(_ seconds: Double) -> Double {
        mean([(4.85, 2.11), (4.44, 2.32), (4.86, 1.92)]) { logNormal(seconds, $0.0, $0.1) }
    }

    /// Distribution of the time of an app on screen in seconds (2.1).
    static func visit(_ seconds: Double) -> Double {
        mean([(2.40, 1.82), (2.96, 1.94), (2.16, 1.59)]) { logNormal(seconds, $0.0, $0.1) }
    }

    /// Shares of sessions with 0, 1, 2, 3 to 5, and 6 or more apps (2.1).
    static let appsPerSession = columns([
        [0.16, 0.41, 0.19, 0.15, 0.10], [0.14, 0.62, 0.12, 0.09, 0.03], [0.29, 0.31, 0.16, 0.15, 0.08],
    ])

    /// Distribution of the length of a charge in minutes (2.5, without the minute study, because its recorder drained
    /// the phones).
    static func chargeMinutes(_ minutes: Double) -> Double {
        mean([(4.14, 1.65), (3.77, 0.97), (5.03, 1.59), (3.74, 1.35)]) { logNormal(minutes, $0.0, $0.1) }
    }

    /// Distribution of the level at which the phone is plugged in (2.5).
    ///
    /// The distribution is linear between published quantiles.
    package static func plugLevel(_ level: Double) -> Double {
        mean([(0.09, 0.22, 0.46), (0.06, 0.16, 0.54), (0.36, 0.54, 0.94), (0.13, 0.47, 0.63)]) { user in
            between(level, [(0, 0), (user.0, 0.1), (user.1, 0.5), (user.2, 0.9), (1, 1)])
        }
    }

    /// Numbers of apps that a phone keeps in memory.
    ///
    /// `hits` is the share of launches whose app is in memory if the least recently used app is evicted (2.2).
    static let kept = [1, 2, 3, 5, 8, 12, 20]
    static let hits = columns([
        [0.255, 0.628, 0.712, 0.799, 0.863, 0.907, 0.950], [0.454, 0.634, 0.698, 0.768, 0.843, 0.915, 0.971],
        [0.165, 0.501, 0.633, 0.766, 0.847, 0.897, 0.944], [0.520, 0.733, 0.818, 0.883, 0.920, 0.946, 0.973],
    ])
    /// Numbers of apps for `gains`, by which the share of hits rises with the best choice of apps to keep (2.2).
    static let keptForBest = [3, 5, 8, 12]
    static let gains = columns([
        [0.786 - 0.712, 0.864 - 0.799, 0.916 - 0.863, 0.947 - 0.907],
        [0.770 - 0.698, 0.851 - 0.768, 0.914 - 0.843, 0.954 - 0.915],
        [0.738 - 0.633, 0.844 - 0.766, 0.906 - 0.847, 0.941 - 0.897],
    ])

    /// Shares of the sessions by hour (2.3).
    static let workdayHours = [
        0.034, 0.020, 0.010, 0.009, 0.006, 0.001, 0.007, 0.021, 0.049, 0.045, 0.049, 0.046, 0.057, 0.067, 0.068, 0.063,
        0.054, 0.066, 0.074, 0.061, 0.047, 0.048, 0.055, 0.042,
    ]
    static let freeDayHours = [
        0.056, 0.036, 0.012, 0.008, 0.004, 0.001, 0.001, 0.006, 0.013, 0.015, 0.032, 0.031, 0.057, 0.057, 0.051, 0.096,
        0.047, 0.061, 0.071, 0.059, 0.062, 0.126, 0.043, 0.057,
    ]
    /// Share of the minutes on the charger, and on both the charger and Wi-Fi, by hour (2.5 and 2.6).
    static let charging = [
        0.71, 0.71, 0.74, 0.79, 0.78, 0.75, 0.61, 0.39, 0.18, 0.10, 0.22, 0.23, 0.23, 0.27, 0.28, 0.29, 0.35, 0.30,
        0.25, 0.25, 0.30, 0.31, 0.47, 0.60,
    ]
    static let chargingOnWiFi = [
        0.64, 0.63, 0.65, 0.70, 0.70, 0.67, 0.54, 0.34, 0.15, 0.10, 0.21, 0.21, 0.20, 0.24, 0.27, 0.28, 0.33, 0.26,
        0.22, 0.20, 0.25, 0.26, 0.43, 0.54,
    ]

    /// Sessions, launches and different apps a day, and hours a day with an app, by persona (6).
    static let personas: [String: [Double]] = [
        "light": [45, 42, 9.6, 1.1], "average": [95, 196, 21.2, 3.5], "heavy": [170, 454, 29.1, 6.6],
        "gamer": [80, 127, 15.4, 4.4], "commuter": [105, 217, 21.8, 3.8], "night-shift": [90, 191, 19.9, 3.4],
    ]

    private static func mean<User>(_ users: [User], _ value: (User) -> Double) -> Double {
        users.reduce(0) { $0 + value($1) } / Double(users.count)
    }

    private static func columns(_ rows: [[Double]]) -> [Double] {
        rows[0].indices.map { column in mean(rows) { $0[column] } }
    }

    private static func logNormal(_ value: Double, _ mu: Double, _ sigma: Double) -> Double {
        value > 0 ? NormalDistribution.cumulative((log(value) - mu) / sigma) : 0
    }

    private static func between(_ value: Double, _ points: [(x: Double, y: Double)]) -> Double {
        for (low, high) in zip(points, points.dropFirst()) where value <= high.x {
            return low.y + (high.y - low.y) * max(value - low.x, 0) / max(high.x - low.x, 1e-9)
        }
        return 1
    }
}
