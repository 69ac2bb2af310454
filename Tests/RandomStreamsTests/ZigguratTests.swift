// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Numerics
import Testing

@testable import RandomStreams

@Suite struct ZigguratTests {
    @Test func `all layers of the exponential ziggurat have the same area and the top one closes`() throws {
        let edges = Ziggurat.exponentialEdges
        let tail = try #require(edges.last)
        #expect(abs((tail + 1) * exp(-tail) / Ziggurat.exponentialArea - 1) < 1e-14)
        for index in 2..<edges.count {
            let area = edges[index] * (exp(-edges[index - 1]) - exp(-edges[index]))
            #expect(abs(area / Ziggurat.exponentialArea - 1) < 1e-10)
        }
        #expect(abs(edges[1] * (1 - exp(-edges[1])) / Ziggurat.exponentialArea - 1) < 1e-10)
    }

    @Test func `all layers of the normal ziggurat have the same area and the top one closes`() throws {
        let edges = Ziggurat.normalEdges
        let tail = try #require(edges.last)
        let beyond = (2 * Double.pi).squareRoot() * NormalDistribution.upperTail(tail)
        let base = tail * Ziggurat.normalDensity(tail) + beyond
        #expect(abs(base / Ziggurat.normalArea - 1) < 1e-13)
        for index in 2..<edges.count {
            let rise = Ziggurat.normalDensity(edges[index - 1]) - Ziggurat.normalDensity(edges[index])
            #expect(abs(edges[index] * rise / Ziggurat.normalArea - 1) < 1e-10)
        }
        #expect(abs(edges[1] * (1 - Ziggurat.normalDensity(edges[1])) / Ziggurat.normalArea - 1) < 1e-10)
    }
}
