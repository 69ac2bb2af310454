// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import Platform

/// Finds the best of many alternatives by dropping those that are significantly worse, one replication after another.
///
/// If the values are normal, the remaining alternative is the best, or within the indifference zone of the best, with a
/// probability of at least `level`. Alternatives may share random numbers: only the variances of their differences in
/// the first replications matter.
///
/// Source: S.-H. Kim, B. L. Nelson, A fully sequential procedure for indifference-zone selection in simulation, ACM
/// Transactions on Modeling and Computer Simulation 11 (2001) 251-273, doi:10.1145/502109.502111, with c = 1.
public struct KimNelson: Sendable {
    /// Record of a dropped alternative.
    public struct Elimination: Equatable, Sendable {
        /// Alternative that was dropped.
        public let alternative: Int
        /// Alternative that was sufficiently better.
        public let by: Int
        /// Number of replications after which the alternative was dropped.
        public let replications: Int
    }

    /// Remaining alternatives, ascending; one alternative when the selection is decided.
    public private(set) var left: [Int]
    /// Dropped alternatives, in the order in which they were dropped.
    public private(set) var eliminated: [Elimination] = []
    /// Number of replications added so far.
    public private(set) var replications = 0

    /// Largest difference that does not matter, in the unit of the values; nil before the first replications are
    /// complete.
    public private(set) var indifference: Double?
    private let first: Int
    private let zone: @Sendable ([[Double]]) -> Double
    private let factor: Double
    private let sign: Double
    private var values: [[Double]]
    private var sums: [Double]
    private var variances: [[Double]] = []

    /// Prepares a selection.
    ///
    /// - Parameters:
    ///   - alternatives: number of alternatives.
    ///   - first: replications before any alternative is dropped, at least 2.
    ///   - level: probability of a right selection, between 1 / alternatives and 1.
    ///   - preference: the better direction.
    ///   - indifference: a function that calculates the largest difference without practical importance, above 0, from
    ///     the values of the first replications by alternative.
    public init(
        alternatives: Int, first: Int, level: Double, preference: Preference,
        indifference: @escaping @Sendable ([[Double]]) -> Double
    ) {
        guard first >= 2 && alternatives >= 1 && level > 0 && level < 1 else {
            fatalError("a selection needs an alternative, two replications, and a level between 0 and 1")
        }
        guard preference != .neither else { fatalError("a selection needs a preference for lower or higher values") }
        left = Array(0..<alternatives)
        self.first = first
        zone = indifference
        let freedom = Double(first - 1)
        let risk = 2 * (1 - level) / Double(max(1, alternatives - 1))
        let eta = (pow(risk, -2 / freedom) - 1) / 2
        factor = 2 * eta * freedom
        sign = preference == .higher ? 1 : -1
        values = Array(repeating: [], count: alternatives)
        sums = Array(repeating: 0, count: alternatives)
    }

    /// Whether one alternative remains and at least the first replications are complete.
    public var isDecided: Bool { left.count == 1 && replications >= first }

    /// Adds one more replication.
    ///
    /// - Parameter results: one value for each alternative; values of dropped alternatives are ignored.
    public mutating func add(_ results: [Double]) {
        guard !isDecided else { return }
        replications += 1
        for alternative in left {
            sums[alternative] += sign * results[alternative]
            if replications <= first { values[alternative].append(results[alternative]) }
        }
        if replications == first { prepare() }
        if replications >= first { screen() }
    }

    private mutating func prepare() {
        indifference = zone(values)
        variances = values.map { left in values.map { right in Moments(zip(left, right).map { $0 - $1 }).variance } }
    }

    private mutating func screen() {
        guard let indifference, indifference > 0 else { return }
        let r = Double(replications)
        let before = left
        /// Largest lead of the rival's mean at which the alternative is not dropped.
        func slack(_ alternative: Int, _ rival: Int) -> Double {
            let spread = factor * variances[alternative][rival] / (indifference * indifference)
            return max(0, indifference / (2 * r) * (spread - r))
        }
        for alternative in before {
            let rival = before.first {
                $0 != alternative && sums[alternative] / r < sums[$0] / r - slack(alternative, $0)
            }
            if let rival { drop(alternative, by: rival) }
        }
        // If no difference leaves any slack, the best mean is taken; only equal means reach this point.
        guard left.count > 1, left.allSatisfy({ one in left.allSatisfy { $0 == one || slack(one, $0) == 0 } }),
            let best = left.max(by: { (sums[$0], $1) < (sums[$1], $0) })
        else { return }
        for alternative in left where alternative != best { drop(alternative, by: best) }
    }

    private mutating func drop(_ alternative: Int, by rival: Int) {
        left.removeAll { $0 == alternative }
        eliminated.append(Elimination(alternative: alternative, by: rival, replications: replications))
    }
}
