// SPDX-License-Identifier: GPL-3.0-or-later

/// Agreement of two measures on the order of the same items: Kendall's tau-b, 1 for equal orders, -1 for reversed ones.
///
/// Tau-b is the number of concordant minus discordant pairs, divided by the square root of a product. The factors are
/// the numbers of pairs that are not tied in the first and in the second measure. Tau-b is nil if a measure ties all
/// items, or with fewer than two items. All pairs are compared, O(n^2).
///
/// Source: M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33(3), 1945,
/// doi:10.1093/biomet/33.3.239.
public func kendallTauB(_ left: [Double], _ right: [Double]) -> Double? {
    guard left.count == right.count else { fatalError("Kendall's tau needs two lists of equal length") }
    var (balance, untiedLeft, untiedRight) = (0, 0, 0)
    for first in left.indices {
        for second in left.indices where second > first {
            let one = sign(left[second] - left[first])
            let other = sign(right[second] - right[first])
            balance += one * other
            untiedLeft += abs(one)
            untiedRight += abs(other)
        }
    }
    guard untiedLeft > 0, untiedRight > 0 else { return nil }
    return Double(balance) / (Double(untiedLeft) * Double(untiedRight)).squareRoot()
}

private func sign(_ value: Double) -> Int { value > 0 ? 1 : value < 0 ? -1 : 0 }
