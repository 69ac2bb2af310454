// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Numerics
import Testing

@Suite struct MethodTests {
    @Test func `integrals with known values come out`() throws {
        #expect(abs(try integrate({ exp(-$0) }, from: 0, to: 1) - (1 - exp(-1))) < 1e-14)
        #expect(abs(try integrate({ 1 / $0.squareRoot() }, from: 0, to: 4) - 4) < 1e-9)
        #expect(abs(try integrate(sin, from: .pi, to: 0) + 2) < 1e-13)
    }

    @Test func `an integral that does not exist is an error and not an abort`() {
        #expect(throws: NumericsError.self) { try integrate({ 1 / $0 }, from: 0, to: 1) }
        #expect(throws: NumericsError.self) { try integrate({ _ in .nan }, from: 0, to: 1) }
    }

    @Test func `a closure may look at its surroundings while it is integrated`() throws {
        var calls = 0
        let power = 3.0
        let area = try integrate(
            { x in
                calls += 1
                return pow(x, power)
            }, from: 0, to: 2)
        #expect(abs(area - 4) < 1e-13)
        #expect(calls > 0)
    }

    @Test func `roots come out to the last digits`() throws {
        #expect(abs(try findRoot(of: { $0 * $0 - 2 }, in: 0...2) - 2.0.squareRoot()) < 1e-15)
        #expect(abs(try findRoot(of: { cos($0) - $0 }, in: 0...1) - 0.739_085_133_215_160_6) < 1e-15)
        #expect(try findRoot(of: { $0 }, in: 0...1) == 0)
        #expect(try findRoot(of: { $0 - 1 }, in: 0...1) == 1)
    }

    @Test func `a root that is not bracketed is an error with the values at the ends`() {
        let error = NumericsError.rootNotBracketed(low: 0, high: 1, atLow: 1, atHigh: 2)
        #expect(throws: error) { try findRoot(of: { $0 * $0 + 1 }, in: 0...1) }
        #expect(error.description == "no sign change between 0.0 (value 1.0) and 1.0 (value 2.0)")
        #expect(throws: NumericsError.self) { try findRoot(of: { _ in .nan }, in: 0...1) }
    }

    @Test func `the version of the library is known`() { #expect(gslVersion.hasPrefix("2.")) }
}
