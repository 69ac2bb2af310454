// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import RandomStreams
import Statistics
import Testing

@Suite struct KimNelsonTests {
    private func chance(_ row: Int, _ each: Int) -> Double {
        let wide = sin(12.9898 * Double(row) + 78.233 * Double(each)) * 43758.5453
        return wide - wide.rounded(.down)
    }

    private func values(_ row: Int) -> [Double] {
        (0..<6).map { 0.04 * Double($0) + 3 * chance(row, 99) + chance(row, $0) }
    }

    private func select(first: Int, level: Double, _ preference: Preference, zone: Double) -> KimNelson {
        var selection = KimNelson(
            alternatives: 6, first: first, level: level, preference: preference, indifference: { _ in zone })
        for row in 1...4000 where !selection.isDecided { selection.add(values(row)) }
        return selection
    }

    /// Expected: the published formulas in NumPy, printed by `Tests/Reference/numbers/selection.py`.
    @Test func `alternatives are dropped when the published formulas drop them`() {
        let higher = select(first: 10, level: 0.95, .higher, zone: 0.1)
        #expect(higher.left == [5] && higher.replications == 102)
        #expect(
            higher.eliminated.map { [$0.alternative, $0.replications] } == [
                [0, 33], [2, 38], [1, 59], [3, 102], [4, 102],
            ])
        let lower = select(first: 12, level: 0.9, .lower, zone: 0.05)
        #expect(lower.left == [0] && lower.replications == 103)
        #expect(
            lower.eliminated.map { [$0.alternative, $0.replications] } == [
                [4, 59], [5, 61], [3, 79], [2, 84], [1, 103],
            ])
        #expect(lower.eliminated.allSatisfy { $0.by != $0.alternative })
    }

    @Test func `of alternatives that are all the same the first is taken as soon as it may be`() {
        var selection = KimNelson(alternatives: 3, first: 5, level: 0.95, preference: .lower) { $0[0][0] / 100 }
        for row in 1...4 { selection.add([Double](repeating: Double(row), count: 3)) }
        #expect(!selection.isDecided && selection.left == [0, 1, 2])
        selection.add([5, 5, 5])
        #expect(selection.isDecided && selection.left == [0] && selection.indifference == 0.01)
        #expect(selection.eliminated.map(\.alternative) == [1, 2] && selection.eliminated.allSatisfy { $0.by == 0 })
    }

    @Test func `a single alternative is the best after the first replications`() {
        var selection = KimNelson(alternatives: 1, first: 2, level: 0.95, preference: .lower) { _ in 1 }
        selection.add([1])
        #expect(!selection.isDecided)
        selection.add([2])
        #expect(selection.isDecided && selection.left == [0])
    }
}

/// Seeds are fixed; limits are 3.9 standard deviations away.
@Suite struct SelectionStatisticalTests {
    private struct Study {
        var right = 0
        var replications = 0
    }

    /// Selections among five policies on the same users, the best better than every other by `gap` indifference zones.
    private func study(_ count: Int, gap: Double, purpose: String) -> Study {
        var stream = RandomStream(seed: 21, replication: 0, entity: "selection", purpose: purpose)
        var study = Study()
        for _ in 0..<count {
            var selection = KimNelson(alternatives: 5, first: 10, level: 0.95, preference: .lower) { _ in 1 }
            while !selection.isDecided {
                let shared = stream.normal(mean: 100, sd: 10)
                selection.add((0..<5).map { shared + ($0 == 3 ? -gap : 0) + stream.normal(mean: 0, sd: 2) })
            }
            if selection.left == [3] { study.right += 1 }
            study.replications += selection.replications
        }
        return study
    }

    /// The configuration that is hardest: all others are worse by just the indifference zone.
    @Test func `the best is selected as often as promised where that is hardest`() {
        let count = 2000
        let study = study(count, gap: 1, purpose: "hardest")
        let share = Double(study.right) / Double(count)
        let margin = 3.9 * (0.95 * 0.05 / Double(count)).squareRoot()
        #expect(share > 0.95 - margin, "\(share)")
        // By Bonferroni's inequality it is more cautious than it says: not always right all the same.
        #expect(share < 1, "\(share)")
    }

    @Test func `clear differences are found with fewer replications and none at all is no error to find`() {
        let clear = study(300, gap: 4, purpose: "clear")
        let hard = study(300, gap: 1, purpose: "hard")
        #expect(clear.right == 300)
        #expect(
            Double(hard.replications) / Double(clear.replications) > 2, "\(hard.replications), \(clear.replications)")
        // Without a difference each is right, and the one planted is taken in a fifth of the studies.
        let none = study(600, gap: 0, purpose: "none")
        #expect(abs(Double(none.right) / 600 - 0.2) < 3.9 * (0.2 * 0.8 / 600).squareRoot())
    }
}
