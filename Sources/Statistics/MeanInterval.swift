// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// Mean of independent replications with its confidence interval (Student's t).
///
///     let energy = MeanInterval([10.2, 9.8, 10.4], level: 0.95)
///     energy.mean ± energy.halfWidth
public struct MeanInterval: Equatable, Sendable {
    /// Arithmetic mean.
    public let mean: Double
    /// Half the width of the interval; zero if all values are equal, infinite for a single value.
    public let halfWidth: Double
    /// Number of values.
    public let n: Int
    /// Share of such intervals that contain the true mean.
    public let level: Double

    /// Summarises one number per replication.
    /// - Parameters:
    ///   - values: at least one, all finite.
    ///   - level: strictly between 0 and 1.
    public init(_ values: [Double], level: Double = 0.95) {
        let moments = Moments(values)
        mean = moments.mean
        halfWidth = studentHalfWidth(moments, level: level)
        n = moments.count
        self.level = level
    }

    /// Lower end of the interval.
    public var low: Double { mean - halfWidth }
    /// Upper end of the interval.
    public var high: Double { mean + halfWidth }
}
