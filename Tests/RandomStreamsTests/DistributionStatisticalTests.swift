// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Numerics
import RandomStreams
import Testing

/// Fixed seeds; each limit would be crossed with probability 1e-4 or less by a correct sampler.
@Suite struct DistributionStatisticalTests {
    static let size = 200_000

    static func sample(_ purpose: String, _ draw: (inout RandomStream) -> Double) -> [Double] {
        var stream = RandomStream(seed: 11, replication: 0, entity: "test", purpose: purpose)
        return (0..<size).map { _ in draw(&stream) }
    }

    /// The distance of the sample mean from the true mean, in standard errors from the true variance.
    static func meanDeviation(_ values: [Double], mean: Double, variance: Double) -> Double {
        abs(Moments(values).mean - mean) / (variance / Double(values.count)).squareRoot()
    }

    @Test func `exponential draws follow the exponential law, tail included`() {
        let values = Self.sample("exponential") { $0.exponential(mean: 3) }
        #expect(kolmogorovStatistic(values) { 1 - exp(-$0 / 3) } < kolmogorovLimit)
        #expect(Self.meanDeviation(values, mean: 3, variance: 9) < 3.9)
        // The squares have mean 18 and variance 24·81 - 18².
        #expect(Self.meanDeviation(values.map { $0 * $0 }, mean: 18, variance: 1620) < 3.9)
        let beyond = values.filter { $0 > 3 * 7.7 }.count
        let expected = Double(Self.size) * exp(-7.7)
        #expect(abs(Double(beyond) - expected) < 3.9 * expected.squareRoot())
        #expect(values.allSatisfy { $0 >= 0 })
    }

    @Test func `normal draws follow the normal law, tails and sign included`() {
        let values = Self.sample("normal") { $0.normal() }
        #expect(kolmogorovStatistic(values, cumulative: NormalDistribution.cumulative) < kolmogorovLimit)
        #expect(Self.meanDeviation(values, mean: 0, variance: 1) < 3.9)
        #expect(Self.meanDeviation(values.map { $0 * $0 }, mean: 1, variance: 2) < 3.9)
        #expect(Self.meanDeviation(values.map { $0 * $0 * $0 }, mean: 0, variance: 15) < 3.9)
        let beyond = values.filter { abs($0) > 3.66 }.count
        let expected = 2 * Double(Self.size) * NormalDistribution.upperTail(3.66)
        #expect(abs(Double(beyond) - expected) < 3.9 * expected.squareRoot())
    }

    @Test func `successive normal draws are not related`() {
        let values = Self.sample("serial") { $0.normal() }
        let serial = correlation(Array(values.dropLast()), Array(values.dropFirst()))
        #expect(abs(serial) < 3.9 / Double(Self.size).squareRoot())
        let sizes = values.map { abs($0) }
        let serialOfSizes = correlation(Array(sizes.dropLast()), Array(sizes.dropFirst()))
        #expect(abs(serialOfSizes) < 3.9 / Double(Self.size).squareRoot())
    }

    @Test(arguments: [(0.6, 2.0), (1.0, 5.0), (3.5, 0.1)])
    func `Weibull draws follow Weibull's law`(shape: Double, scale: Double) {
        let values = Self.sample("weibull") { $0.weibull(shape: shape, scale: scale) }
        #expect(kolmogorovStatistic(values) { 1 - exp(-pow($0 / scale, shape)) } < kolmogorovLimit)
    }

    @Test func `lognormal and Pareto draws follow their laws`() {
        let lognormal = Self.sample("lognormal") { $0.logNormal(mu: 1.2, sigma: 0.7) }
        let lognormalCDF = { (x: Double) in NormalDistribution.cumulative((log(x) - 1.2) / 0.7) }
        #expect(kolmogorovStatistic(lognormal, cumulative: lognormalCDF) < kolmogorovLimit)
        let pareto = Self.sample("pareto") { $0.pareto(shape: 1.5, minimum: 2) }
        #expect(kolmogorovStatistic(pareto) { 1 - pow(2 / $0, 1.5) } < kolmogorovLimit)
    }

    @Test func `gamma and beta draws from GSL follow their closed forms`() {
        // A gamma of shape 3 is the waiting time for the third event; a beta(2, 1) has the square as its law.
        let gamma = Self.sample("gamma") { $0.gamma(shape: 3, scale: 2) }
        let erlang = { (x: Double) in 1 - exp(-x / 2) * (1 + x / 2 + x * x / 8) }
        #expect(kolmogorovStatistic(gamma, cumulative: erlang) < kolmogorovLimit)
        let beta = Self.sample("beta") { $0.beta(2, 1) }
        #expect(kolmogorovStatistic(beta) { $0 * $0 } < kolmogorovLimit)
    }

    @Test func `counts have the right mean and variance`() {
        let poisson = Self.sample("poisson") { Double($0.poisson(mean: 4.5)) }
        #expect(Self.meanDeviation(poisson, mean: 4.5, variance: 4.5) < 3.9)
        let squares = poisson.map { ($0 - 4.5) * ($0 - 4.5) }
        #expect(Self.meanDeviation(squares, mean: 4.5, variance: 4.5 + 2 * 4.5 * 4.5) < 3.9)
        let negative = Self.sample("negative binomial") { Double($0.negativeBinomial(mean: 6, dispersion: 2)) }
        #expect(Self.meanDeviation(negative, mean: 6, variance: 6 + 36 / 2) < 3.9)
        let binomial = Self.sample("binomial") { Double($0.binomial(trials: 30, probability: 0.3)) }
        #expect(Self.meanDeviation(binomial, mean: 9, variance: 6.3) < 3.9)
        let geometric = Self.sample("geometric") { Double($0.geometric(probability: 0.25)) }
        #expect(Self.meanDeviation(geometric, mean: 4, variance: 12) < 3.9)
    }

    @Test(arguments: [2, 7, 100, 3000])
    func `whole numbers below a bound are equally likely`(bound: Int) {
        var stream = RandomStream(seed: 3, replication: 0, entity: "test", purpose: "integers")
        var counts = [Int](repeating: 0, count: bound)
        for _ in 0..<Self.size { counts[stream.integer(below: bound)] += 1 }
        #expect(pValueOfEqualCells(counts) > 1e-4)
    }

    @Test func `weighted choices follow their weights and never take a weight of zero`() {
        var stream = RandomStream(seed: 3, replication: 0, entity: "test", purpose: "weights")
        let weights = [2.0, 0, 5, 1, 0]
        var counts = [0, 0, 0, 0, 0]
        for _ in 0..<Self.size { counts[stream.index(weights: weights)] += 1 }
        for (count, weight) in zip(counts, weights) {
            let share = weight / 8
            let sd = (Double(Self.size) * share * (1 - share)).squareRoot()
            #expect(abs(Double(count) - Double(Self.size) * share) <= 3.9 * sd)
        }
    }

    @Test func `shuffling makes every order equally likely`() {
        var stream = RandomStream(seed: 3, replication: 0, entity: "test", purpose: "orders")
        var counts = [Int](repeating: 0, count: 27)
        for _ in 0..<60_000 {
            var list = [0, 1, 2]
            stream.shuffle(&list)
            counts[list[0] * 9 + list[1] * 3 + list[2]] += 1
        }
        let orders = counts.filter { $0 > 0 }
        #expect(orders.count == 6)
        #expect(pValueOfEqualCells(orders) > 1e-4)
    }
}
