// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Fits the order in which apps are opened: Zipf's exponent, reopening the last app, and going back to the app before.
///
/// The exponent is the most likely one for the choices that neither reopen nor go back. Such choices are drawn from all
/// other apps, independently of the two habits. The estimate for going back counts only returns in excess of those
/// expected by chance.
struct ChoiceFit {
    private struct Pair: Hashable, Comparable {
        var current: Int
        var previous: Int

        static func < (left: Pair, right: Pair) -> Bool {
            (left.current, left.previous) < (right.current, right.previous)
        }
    }

    private(set) var zipf = 0.0
    private(set) var repeatLast = 0.0
    private(set) var goBack = 0.0
    /// Apps by the number of draws, in descending order.
    private(set) var ranked: [Int] = []

    /// Creates a fit; nil if there is no choice between apps.
    init?(_ choices: [UserDay.Choice]) {
        var counts: [Int: Int] = [:]
        var drawn: [Int: Int] = [:]
        var offered: [Pair: Int] = [:]
        var later: [Pair: (back: Int, all: Int)] = [:]
        var (firsts, repeats) = (0, 0)
        for choice in choices {
            counts[choice.app, default: 0] += 1
            guard let current = choice.current else { continue }
            var isDraw = choice.app != current
            var pair = Pair(current: current, previous: -1)
            if choice.isFirst {
                firsts += 1
                if choice.app == current { repeats += 1 }
            } else if let previous = choice.previous, choice.app != current {
                pair.previous = previous
                later[pair, default: (0, 0)].all += 1
                if choice.app == previous {
                    later[pair]?.back += 1
                    isDraw = false
                }
            }
            guard isDraw else { continue }
            drawn[choice.app, default: 0] += 1
            offered[pair, default: 0] += 1
        }
        guard counts.count > 1, !offered.isEmpty else { return nil }
        func order(_ app: Int) -> (Int, Int, Int) { (-(drawn[app] ?? 0), -(counts[app] ?? 0), app) }
        ranked = counts.keys.sorted { order($0) < order($1) }
        let rank = Dictionary(uniqueKeysWithValues: ranked.enumerated().map { ($1, $0) })
        let moved = drawn.map { (rank[$0.key] ?? 0, Double($0.value)) }.sorted { $0.0 < $1.0 }
        let pairs = offered.sorted { $0.key < $1.key }.map { pair, count in
            (rank[pair.current] ?? 0, pair.previous < 0 ? -1 : rank[pair.previous] ?? 0, Double(count))
        }
        zipf = peak(of: { Self.likelihood($0, moved, pairs, ranked.count) }, in: 0...4)
        repeatLast = firsts > 0 ? Double(repeats) / Double(firsts) : 0
        let weights = Self.weights(zipf, ranked.count)
        let total = weights.reduce(0, +)
        let backs = later.sorted { $0.key < $1.key }.map { pair, count in
            let chance = weights[rank[pair.previous] ?? 0] / (total - weights[rank[pair.current] ?? 0])
            return (chance: chance, back: Double(count.back), all: Double(count.all))
        }
        goBack = Self.excess(backs)
    }

    private static func weights(_ exponent: Double, _ count: Int) -> [Double] {
        (1...count).map { exp(-exponent * log(Double($0))) }
    }

    private static func likelihood(
        _ exponent: Double, _ moved: [(rank: Int, count: Double)], _ pairs: [(Int, Int, Double)], _ count: Int
    ) -> Double {
        let weights = weights(exponent, count)
        let total = weights.reduce(0, +)
        var sum = moved.reduce(0) { $0 - exponent * log(Double($1.rank + 1)) * $1.count }
        for (current, previous, times) in pairs {
            let left = total - weights[current] - (previous < 0 ? 0 : weights[previous])
            sum -= times * log(max(left, 1e-12))
        }
        return sum
    }

    /// Probability b of going back out of habit.
    ///
    /// An app with the probability c of being drawn by chance is returned to with the probability b + (1 - b) c.
    ///
    /// The method is expectation maximisation.
    private static func excess(_ pairs: [(chance: Double, back: Double, all: Double)]) -> Double {
        let all = pairs.reduce(0) { $0 + $1.all }
        guard all > 0 else { return 0 }
        var share = 0.3
        for _ in 0..<200 {
            let meant = pairs.reduce(0) { $0 + $1.back * share / (share + (1 - share) * $1.chance) }
            share = meant / all
        }
        return share
    }
}
