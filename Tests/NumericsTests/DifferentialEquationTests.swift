// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Numerics
import Testing

@Suite struct DifferentialEquationTests {
    @Test func `an oscillation comes back to where it began`() throws {
        var swing = try OrdinaryDifferentialEquation(time: 0, state: [1, 0]) { _, y, slope in
            slope[0] = y[1]
            slope[1] = -y[0]
        }
        #expect(try swing.advance(to: 20 * .pi) == nil)
        #expect(swing.time == 20 * .pi)
        #expect(abs(swing.state[0] - 1) < 1e-8)
        #expect(abs(swing.state[1]) < 1e-8)
    }

    @Test func `a slope may depend on the time`() throws {
        var line = try OrdinaryDifferentialEquation(time: 1, state: [1]) { t, _, slope in slope[0] = 2 * t }
        _ = try line.advance(to: 3)
        #expect(abs(line.state[0] - 9) < 1e-9)
    }

    @Test func `a fall to zero is located to the last digits, and the earliest one wins`() throws {
        var fall = try OrdinaryDifferentialEquation(time: 0, state: [20, 0]) { _, y, slope in
            slope[0] = y[1]
            slope[1] = -9.81
        }
        let halfway: ([Double]) -> Double = { $0[0] - 10 }
        let ground: ([Double]) -> Double = { $0[0] }
        #expect(try fall.advance(to: 100, watching: [ground, halfway]) == 1)
        #expect(abs(fall.time - (20 / 9.81).squareRoot()) < 1e-12)
        #expect(try fall.advance(to: 100, watching: [ground]) == 0)
        #expect(abs(fall.time - (40 / 9.81).squareRoot()) < 1e-12)
        #expect(abs(fall.state[0]) < 1e-11)
    }

    @Test func `a function that is below zero already is not waited for until it has risen`() throws {
        var swing = try OrdinaryDifferentialEquation(time: 0, state: [0, 1], largestStep: 0.1) { _, y, slope in
            slope[0] = y[1]
            slope[1] = -y[0]
        }
        #expect(try swing.advance(to: 100, watching: [{ $0[0] - 0.5 }]) == 0)
        #expect(abs(swing.time - .pi * 5 / 6) < 1e-9)
    }

    @Test func `where a solution is halted does not change where it leads`() throws {
        func solution() throws -> OrdinaryDifferentialEquation {
            try OrdinaryDifferentialEquation(time: 0, state: [1]) { _, y, slope in slope[0] = -y[0] * y[0] }
        }
        var whole = try solution()
        _ = try whole.advance(to: 50)
        var halted = try solution()
        for time in stride(from: 0.7, to: 50, by: 0.7) { _ = try halted.advance(to: time) }
        _ = try halted.advance(to: 50)
        #expect(abs(whole.state[0] - 1 / 51.0) < 1e-11)
        #expect(abs(halted.state[0] - whole.state[0]) < 1e-11)
    }

    @Test func `a slope that is no number is an error`() throws {
        var broken = try OrdinaryDifferentialEquation(time: 0, state: [1]) { _, _, slope in slope[0] = .nan }
        let message = #expect(throws: NumericsError.self) { try broken.advance(to: 1) }
        #expect(message?.description.contains("differential equation") == true)
    }
}
