// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// Corrects several paired comparisons together, by the single-step maxT method over changed signs of the pairs.
///
/// If two policies are equivalent, both signs of the difference within a pair are equally likely. All signs of a
/// replication are changed together, so the comparisons keep their dependence. For each combination of signs, the
/// largest Student's t over all comparisons shows the effect of sampling noise alone. A comparison's p-value is the
/// share of combinations with a largest t at least as large as its own t.
///
/// If one policy is an exact copy of another, the largest t is unchanged, so every p-value stays as it is. Holm's rule,
/// in contrast, corrects for each comparison, even for that of a copy.
///
/// Up to ten replications, all combinations are tried. Beyond that, a generator of fixed seed draws at least 8,192
/// combinations, including the unchanged signs. If all combinations are tried, the smallest p-value from k pairs that
/// differ is 2^(1-k).
///
/// Source: P. H. Westfall, S. S. Young, Resampling-Based Multiple Testing, Wiley 1993, section 2.3 (single-step maxT);
/// J. P. Romano, M. Wolf, Exact and approximate stepdown methods for multiple hypothesis testing, Journal of the
/// American Statistical Association 100 (2005) 94-108, doi:10.1198/016214504000000539, for intervals of the same test.
public struct SignFlips: Sendable {
    /// Corrected p-value of each comparison; 1 if no pair differs.
    public let p: [Double]
    /// Number of standard errors that every interval must at least extend to each side.
    ///
    /// An interval of this reach excludes zero exactly if the p-value is at most 1 - level. The probability that any
    /// interval of a policy without a difference excludes zero is thus at most 1 - level, whichever other policies
    /// differ. Simultaneous coverage of all intervals is guaranteed only if no policy differs: see docs/statistics.md.
    public let reach: Double

    /// Corrects comparisons for each other.
    /// - Parameters:
    ///   - differences: for each comparison one number per replication, from the same replications in all comparisons.
    ///     A number is not finite if the replication has no value, and zero if there is no difference.
    ///   - level: strictly between 0 and 1; a p-value of at most 1 - level excludes zero from an interval.
    public init(_ differences: [[Double]], level: Double) {
        let pairs = differences.first?.count ?? 0
        guard (differences.allSatisfy { $0.count == pairs }) else {
            fatalError("comparisons that are corrected together need the same replications")
        }
        let family = Family(differences, pairs)
        // With this number of combinations, four of them are as rare as the level requires.
        let least = Int((4 / (1 - level)).rounded(.up))
        let isWhole = pairs <= Self.mostTried
        let ways = isWhole ? 1 << max(0, pairs - 1) : max(Self.drawn, least)
        var mix = SplitMix64(Self.seed)
        var largest: [Double] = []
        largest.reserveCapacity(ways)
        var signs = [Double](repeating: 1, count: pairs)
        var sums = [Double](repeating: 0, count: differences.count)
        for way in 0..<ways {
            var bits = UInt64(way)
            // A combination and its opposite have the same t, so the first sign is never changed.
            for pair in 1..<max(1, pairs) where way > 0 {
                if !isWhole, pair % 64 == 1 { bits = mix.next() }
                signs[pair] = bits & 1 == 0 ? 1 : -1
                bits >>= 1
            }
            largest.append(family.largest(signs, &sums))
        }
        largest.sort(by: >)
        let own = family.squares([Double](repeating: 1, count: pairs), &sums)
        p = own.map { own in
            // Sums in another order may differ in the last digit.
            let count = own > 0 ? largest.count { $0 >= own * (1 - 1e-9) } : ways
            return Double(count) / Double(ways)
        }
        let beyond = min(ways - 1, Int((1 - level) * Double(ways) + 1e-9))
        reach = (largest[beyond] * (1 + 1e-9)).squareRoot()
    }

    private static let mostTried = 10
    /// Smallest number of drawn combinations; the standard error of a p-value of 5 % is then a quarter of a percentage
    /// point.
    private static let drawn = 8_192
    /// Seed of the draws, an arbitrary number that the second program in Tests/Reference uses too.
    private static let seed: UInt64 = 0x5165_6e66_666c_6970
}

/// Differences by replication, with the comparisons next to each other in memory.
private struct Family {
    /// The differences, indexed by replication and then by comparison; a missing value is zero.
    let rows: [[Double]]
    /// Number of values of each comparison, and this number times the sum of their squares.
    let counts: [Double]
    let totals: [Double]

    init(_ differences: [[Double]], _ pairs: Int) {
        rows = (0..<pairs).map { pair in differences.map { $0[pair].isFinite ? $0[pair] : 0 } }
        counts = differences.map { Double($0.count(where: \.isFinite)) }
        totals = zip(differences, counts).map { own, count in
            count * own.reduce(0) { $1.isFinite ? $0 + $1 * $1 : $0 }
        }
    }

    /// Largest square of Student's t over all comparisons, with the given signs.
    func largest(_ signs: [Double], _ sums: inout [Double]) -> Double {
        add(signs, &sums)
        var largest = 0.0
        for index in sums.indices { largest = max(largest, square(index, sums)) }
        return largest
    }

    func squares(_ signs: [Double], _ sums: inout [Double]) -> [Double] {
        add(signs, &sums)
        return sums.indices.map { square($0, sums) }
    }

    private func add(_ signs: [Double], _ sums: inout [Double]) {
        for index in sums.indices { sums[index] = 0 }
        for (sign, row) in zip(signs, rows) {
            for index in sums.indices { sums[index] += sign * row[index] }
        }
    }

    /// Square of Student's t: (n - 1) S^2 / (n Q - S^2), with the sum S and the sum of squares Q of n differences.
    private func square(_ index: Int, _ sums: [Double]) -> Double {
        let (total, sum) = (totals[index], sums[index] * sums[index])
        guard total > 0 else { return 0 }
        return (counts[index] - 1) * sum / max(total - sum, 1e-12 * total)
    }
}
