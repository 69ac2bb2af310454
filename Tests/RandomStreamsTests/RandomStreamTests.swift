// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Testing

@Suite struct RandomStreamTests {
    static func stream(_ purpose: String) -> RandomStream {
        RandomStream(seed: 1, replication: 0, entity: "test", purpose: purpose)
    }

    @Test func `GSL's distributions draw from the stream and move it on`() {
        var stream = Self.stream("gamma")
        var twin = stream
        let value = stream.gamma(shape: 2.5, scale: 1)
        #expect(stream != twin)
        #expect(twin.gamma(shape: 2.5, scale: 1) == value)
        #expect(stream == twin)
        // The numbers that follow are those of the moved stream, whoever draws them.
        #expect(stream.poisson(mean: 30) == twin.poisson(mean: 30))
        #expect(stream.nextBits() == twin.nextBits())
    }

    @Test func `uniform numbers stay below one and reach both ends`() {
        var stream = Self.stream("uniform")
        var low = 1.0
        var high = 0.0
        for _ in 0..<100_000 {
            let value = stream.uniform()
            low = min(low, value)
            high = max(high, value)
        }
        #expect(low >= 0 && low < 1e-4)
        #expect(high < 1 && high > 1 - 1e-4)
    }

    @Test func `sure and impossible things are sure and impossible`() {
        var stream = Self.stream("certain")
        #expect((0..<1000).allSatisfy { _ in stream.bernoulli(1) })
        #expect((0..<1000).allSatisfy { _ in !stream.bernoulli(0) })
        #expect(stream.poisson(mean: 0) == 0)
        #expect(stream.negativeBinomial(mean: 0, dispersion: 1) == 0)
        #expect(stream.geometric(probability: 1) == 1)
        #expect(stream.integer(below: 1) == 0)
    }

    @Test func `draws have the values they always had`() {
        var stream = Self.stream("golden")
        let values = [
            stream.uniform(), stream.exponential(mean: 2), stream.normal(mean: 1, sd: 3),
            stream.logNormal(mu: 0, sigma: 1), stream.weibull(shape: 2, scale: 5), stream.gamma(shape: 2, scale: 1),
        ]
        let expected = [
            0.8310136479889599, 6.454134219860661, 3.195292390853703, 0.5685954586349613, 3.2551998048550264,
            2.4339567325636753,
        ]
        for (found, wanted) in zip(values, expected) { #expect(abs(found / wanted - 1) < 1e-12, "\(values)") }
    }
}
