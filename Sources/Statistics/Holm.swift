// SPDX-License-Identifier: GPL-3.0-or-later

/// Corrects p-values for several comparisons by Holm's step-down rule.
///
/// If all true differences are zero, the probability that any corrected value is at most alpha is itself at most alpha.
/// This does not depend on how the comparisons are related. A single comparison stays unchanged.
///
/// Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6
/// (1979) 65-70, https://www.jstor.org/stable/4615733.
/// - Parameter p: the uncorrected values, each between 0 and 1, in any order.
/// - Returns: one corrected value per comparison, in the order given, at most 1.
public func holm(_ p: [Double]) -> [Double] {
    guard (p.allSatisfy { $0 >= 0 && $0 <= 1 }) else { fatalError("p-values must lie between 0 and 1") }
    // Equal values get the same correction, so the order among them does not matter.
    let order = p.indices.sorted { (p[$0], $0) < (p[$1], $1) }
    var corrected = p
    var largest = 0.0
    for (rank, index) in order.enumerated() {
        largest = max(largest, min(1, Double(p.count - rank) * p[index]))
        corrected[index] = largest
    }
    return corrected
}
