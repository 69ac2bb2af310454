// SPDX-License-Identifier: GPL-3.0-or-later

/// How far two measures order the same things alike: Kendall's tau-b, 1 for the same order, -1 for the reverse.
///
/// Source: M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33(3), 1945,
/// doi:10.1093/biomet/33.3.239: concordant minus discordant pairs over the root of the product of the pairs not tied in
/// either measure. Looks at every pair, O(n^2); nil when one measure ties everything, or with fewer than two things.
public func kendallTauB(_ left: [Double], _ right: [Double]) -> Double? {
    guard left.count == right.count else { fatalError("two measures of the same things") }
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
