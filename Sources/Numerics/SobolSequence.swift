// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL

/// Sobol's quasi-random sequence, which fills the unit cube more evenly than random points do.
///
/// Source: P. Bratley, B. L. Fox, Algorithm 659: implementing Sobol's quasirandom sequence generator, ACM Transactions
/// on Mathematical Software 14 (1988) 88-100, doi:10.1145/42288.214372, in the version of GSL, without scrambling.
public enum SobolSequence {
    /// Largest number of coordinates of a point.
    public static let mostDimensions = 40

    /// First points after the origin, each coordinate in (0, 1).
    ///
    /// Among 2^m - 1 points, each coordinate takes every multiple of 2^-m once.
    /// - Precondition: one to `mostDimensions` dimensions.
    public static func points(_ count: Int, dimensions: Int) -> [[Double]] {
        guard (1...mostDimensions).contains(dimensions) else {
            fatalError("a Sobol point must have 1 to \(mostDimensions) coordinates")
        }
        GSL.prepare()
        guard let sequence = gsl_qrng_alloc(cgsl_qrng_sobol(), UInt32(dimensions)) else {
            fatalError("no memory for a Sobol sequence")
        }
        defer { gsl_qrng_free(sequence) }
        return (0..<count).map { _ in
            var point = [Double](repeating: 0, count: dimensions)
            gsl_qrng_get(sequence, &point)
            return point
        }
    }
}
