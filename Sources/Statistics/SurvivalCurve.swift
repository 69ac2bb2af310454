// SPDX-License-Identifier: GPL-3.0-or-later

/// Share of items that last longer than a given time, estimated although the observation of some items stopped before
/// their end.
///
/// The curve is a product over all ends. Each factor is one minus the share that ends among the items still observed.
///
/// Source: E. L. Kaplan, P. Meier, Nonparametric estimation from incomplete observations, Journal of the American
/// Statistical Association 53 (1958) 457-481, doi:10.1080/01621459.1958.10501452.
public struct SurvivalCurve: Sendable {
    /// Sorted lengths at which an item ended, each with the share that lasts longer.
    private let steps: [(length: Double, share: Double)]

    /// Estimates the curve.
    ///
    /// - Parameter lengths: how long each item was observed, and whether it ended then; false if the observation
    ///   stopped before the end of the item.
    public init(_ lengths: [(length: Double, isEnd: Bool)]) {
        let sorted = lengths.sorted { $0.length < $1.length }
        var steps: [(Double, Double)] = []
        var share = 1.0
        var index = 0
        while index < sorted.count {
            let length = sorted[index].length
            let same = sorted[index...].prefix { $0.length == length }
            let ends = same.count { $0.isEnd }
            if ends > 0 {
                share *= 1 - Double(ends) / Double(sorted.count - index)
                steps.append((length, share))
            }
            index += same.count
        }
        self.steps = steps
    }

    /// Share that lasts longer than a length; 1 before the first end.
    public func share(after length: Double) -> Double { steps.last { $0.length <= length }?.share ?? 1 }
}
