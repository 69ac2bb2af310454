// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Fits a lognormal distribution to stays.
///
/// Stays up to one second are never drawn (`LogNormal.drawStay`), so the distribution is truncated.
///
/// Each group contains stays with equal `shift`, so the shortest possible stay differs between groups. The likelihood
/// needs only sums.
struct StayFit {
    private struct Group {
        var threshold: Double
        var count = 0.0
        var sum = 0.0
        var squares = 0.0
    }

    private var groups: [Group] = []

    /// Adds a stay.
    ///
    /// The app's category adds `shift` to the logarithm of the stay's length.
    mutating func add(seconds: Double, shift: Double = 0) {
        guard seconds > 1 else { return }
        let index: Int
        if let known = groups.firstIndex(where: { $0.threshold == -shift }) {
            index = known
        } else {
            index = groups.count
            groups.append(Group(threshold: -shift))
        }
        let value = log(seconds) - shift
        groups[index].count += 1
        groups[index].sum += value
        groups[index].squares += value * value
    }

    /// Number of stays.
    var count: Double { groups.reduce(0) { $0 + $1.count } }

    /// Most likely mean and standard deviation of ln(seconds); nil for fewer than ten stays.
    var parameters: (mu: Double, sigma: Double)? {
        let count = self.count
        guard count >= 10 else { return nil }
        let mean = groups.reduce(0) { $0 + $1.sum } / count
        let variance = max(groups.reduce(0) { $0 + $1.squares } / count - mean * mean, 1e-6)
        var (mu, sigma) = (mean, variance.squareRoot())
        for _ in 0..<30 {
            let before = (mu, sigma)
            mu = peak(of: { likelihood($0, sigma) }, in: (mean - 3 * variance.squareRoot() - 1)...(mean + 0.5))
            sigma = exp(peak(of: { likelihood(mu, exp($0)) }, in: (log(sigma) - 0.7)...(log(sigma) + 0.7)))
            if abs(mu - before.0) < 1e-5, abs(sigma - before.1) < 1e-5 { break }
        }
        return (mu, sigma)
    }

    private func likelihood(_ mu: Double, _ sigma: Double) -> Double {
        groups.reduce(0) { total, group in
            let squares = group.squares - 2 * mu * group.sum + group.count * mu * mu
            let above = 0.5 * erfc((group.threshold - mu) / sigma / 2.0.squareRoot())
            return total - squares / (2 * sigma * sigma) - group.count * (log(sigma) + log(max(above, 1e-300)))
        }
    }
}
