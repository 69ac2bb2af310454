// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Numerics

@Suite struct CurveTests {
    static let x = [0, 0.05, 0.1, 0.3, 0.55, 0.8, 0.95, 1]
    static let y = [3.0, 3.42, 3.6, 3.7, 3.7, 3.95, 4.15, 4.2]

    @Test func `a monotone curve agrees with GSL's Steffen spline in value, slope and integral`() throws {
        let curve = try MonotoneCurve(x: Self.x, y: Self.y)
        let reference = try SteffenSpline(x: Self.x, y: Self.y)
        for step in 0..<1000 {
            let at = Double(step) / 1000
            #expect(abs(curve(at) - (try reference.value(at: at))) < 1e-14)
            #expect(abs(curve.derivative(at: at) - (try reference.derivative(at: at))) < 1e-11)
            let area = try reference.integral(from: 0, to: at)
            #expect(abs(curve.integral(from: 0, to: at) - area) < 1e-14)
        }
    }

    @Test func `a curve passes through its points and never overshoots between them`() throws {
        let curve = try MonotoneCurve(x: Self.x, y: Self.y)
        for (at, value) in zip(Self.x, Self.y) { #expect(abs(curve(at) - value) < 1e-15) }
        var previous = curve(0)
        for step in 1...10_000 {
            let value = curve(Double(step) / 10_000)
            #expect(value >= previous - 1e-15)
            previous = value
        }
    }

    @Test func `beyond its ends a curve keeps its last value and has no slope`() throws {
        let curve = try MonotoneCurve(x: Self.x, y: Self.y)
        #expect(curve(-5) == 3.0)
        #expect(curve(7) == 4.2)
        #expect(curve.derivative(at: -0.1) == 0)
        #expect(curve.derivative(at: 1.1) == 0)
        let inside = curve.integral(from: 0, to: 1)
        #expect(abs(curve.integral(from: -1, to: 2) - (3.0 + inside + 4.2)) < 1e-14)
        #expect(abs(curve.integral(from: 2, to: -1) + (3.0 + inside + 4.2)) < 1e-14)
    }

    @Test func `the inverse of a rising or falling curve finds the argument`() throws {
        let rising = try MonotoneCurve(x: [0, 0.1, 0.5, 1], y: [3, 3.5, 3.7, 4.2])
        let falling = try LinearCurve(x: [0, 1, 4], y: [9, 5, -1])
        for step in 0...500 {
            let at = Double(step) / 500
            #expect(abs(rising.argument(ofValue: rising(at)) - at) < 1e-12)
            #expect(abs(falling.argument(ofValue: falling(4 * at)) - 4 * at) < 1e-12)
        }
        #expect(rising.argument(ofValue: 2) == 0)
        #expect(rising.argument(ofValue: 5) == 1)
    }

    @Test func `two points make a straight line`() throws {
        let curve = try MonotoneCurve(x: [1, 3], y: [10, 20])
        #expect(curve(2) == 15)
        #expect(curve.derivative(at: 2.5) == 5)
    }

    @Test func `straight lines have corners and exact areas`() throws {
        let curve = try LinearCurve(x: [0, 1, 3], y: [0, 2, 0])
        #expect(curve(0.5) == 1)
        #expect(curve(2) == 1)
        #expect(curve.derivative(at: 1) == -1)
        #expect(curve.integral(from: 0, to: 3) == 3)
        #expect(curve.integral(from: 0.5, to: 2) == 0.75 + 1.5)
    }

    @Test func `a table that is no curve is refused by row`() {
        #expect(throws: NumericsError.unequalColumns(x: 2, y: 3)) { try MonotoneCurve(x: [0, 1], y: [0, 1, 2]) }
        #expect(throws: NumericsError.tooFewPoints(found: 1, needed: 2)) { try LinearCurve(x: [0], y: [0]) }
        #expect(throws: NumericsError.notFinite(row: 1)) { try MonotoneCurve(x: [0, 1, 2], y: [0, .nan, 2]) }
        let error = NumericsError.notIncreasing(row: 2, previous: 1, value: 1)
        #expect(throws: error) { try MonotoneCurve(x: [0, 1, 1], y: [0, 1, 2]) }
        #expect(error.description == "x must increase from row to row, but row 2 has 1.0 after 1.0")
    }
}
