// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing

@testable import Cells

@Suite struct CellThresholdTests {
    @Test(arguments: [false, true])
    func `of two thresholds in one step the first that is met counts`(isTurned: Bool) throws {
        let circuit = try CellCircuit(ReferenceCells.pouch.lumped, temperature: .celsius(25))
        let amperes = circuit.capacity / 3600
        var motion = ClosedMotion(circuit: circuit, amperes: amperes, time: 0, state: CellState(charge: 0.6002))
        let levels = isTurned ? [0.59995, 0.6] : [0.6, 0.59995]
        let met = try motion.advance(
            to: 1000, watching: levels.map { level in CellThreshold(name: "\(level)") { $0.charge - level } })
        #expect(met == (isTurned ? 1 : 0))
        // At 1 C a charge of 0.0002 takes 0.72 s.
        #expect(abs(motion.time - 0.72) < 1e-6)
    }
}
