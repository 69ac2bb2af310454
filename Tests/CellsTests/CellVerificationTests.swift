// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import Quantities
import Testing

/// The circuit of `ReferenceCells` against its solution by SciPy (DOP853, tolerance 1e-11, located events).
@Suite struct CellVerificationTests {
    struct Case: Sendable {
        let demand: CellDemand
        let times: [Double]
    }

    static let names = ["soc<=0.8", "soc<=0.5", "soc<=0.2", "soc<=0.1", "soc<=0.05", "V<=3.0"]
    static let cases = [
        Case(
            demand: .current(.amperes(0.6698)),
            times: [3600.000000, 9000.000000, 14400.000000, 16200.000000, 17100.000000, 17951.503999]),
        Case(
            demand: .current(.amperes(1.6745)),
            times: [1440.000000, 3600.000000, 5760.000000, 6480.000000, 6840.000000, 7144.665063]),
        Case(
            demand: .current(.amperes(3.349)),
            times: [720.000000, 1800.000000, 2880.000000, 3240.000000, 3420.000000, 3521.624260]),
        Case(
            demand: .power(.watts(0.5)),
            times: [19696.430153, 47708.171486, 74769.875539, 83591.536027, 87928.104852, 91902.071702]),
        Case(
            demand: .power(.watts(1)),
            times: [9833.954964, 23819.113214, 37328.748469, 41730.437686, 43891.509584, 45844.972806]),
        Case(
            demand: .power(.watts(3)),
            times: [3258.904754, 7892.786174, 12367.478988, 13822.452870, 14533.132467, 15140.008214]),
    ]

    @Test(arguments: cases) func `a discharge passes its levels and ends when another solver says so`(case: Case) throws
    {
        var experiment = try CellExperiment(ReferenceCells.circuit, charge: 1)
        let record = try experiment.run(.steps([.init(start: 0, demand: `case`.demand)]))
        #expect(record.events.map(\.name) == Self.names)
        for (event, time) in zip(record.events, `case`.times) { #expect(abs(event.time - time) < 1e-4) }
        #expect(record.rows.map(\.time) == [0, record.events[5].time])
        #expect(abs(record.rows[1].voltage.volts - 3) < 1e-9)
    }

    @Test(arguments: [
        (0.5, 6698.519305, 0.93034990, 7786.463616), (1, 3057.953293, 0.84943147, 4560.699327),
    ])
    func `a charge turns and ends when another solver says so`(
        rate: Double, turn: Double, charge: Double, end: Double
    ) throws {
        let hourly = ReferenceCells.circuit.capacity.ampereHours
        var experiment = try CellExperiment(ReferenceCells.circuit, charge: 0)
        let record = try experiment.run(
            .charge(.amperes(rate * hourly), limit: .volts(4.2), end: .amperes(hourly / 20)))
        #expect(record.events.map(\.name) == ["CC_end_V>=4.2", "CV_end_I<=C/20"])
        #expect(abs(record.events[0].time - turn) < 1e-4)
        #expect(abs(record.events[1].time - end) < 1e-4)
        #expect(record.rows.map(\.time) == [0, record.events[0].time, record.events[1].time])
        #expect(abs(record.rows[1].charge - charge) < 1e-7)
        #expect(abs(record.rows[2].charge - 0.99478606) < 1e-7)
        #expect(abs(record.rows[2].current.amperes + hourly / 20) < 1e-9)
    }

    @Test(arguments: [
        (1890, 4.037619244, 0.885198505), (3780, 3.93075974, 0.767129176), (5680, 3.829698468, 0.645261549),
        (7570, 3.766686015, 0.521346339), (9460, 3.726840769, 0.395789029), (11360, 3.685835995, 0.268261431),
        (13250, 3.613281183, 0.139614638),
    ])
    func `under three watts voltage and charge are those of a third solver`(
        time: Double, volts: Double, charge: Double
    ) throws {
        // `thevenin` 0.2.1 (IDA, tolerance 1e-9).
        var experiment = try CellExperiment(ReferenceCells.circuit, charge: 1)
        let record = try experiment.run(.steps([.init(start: 0, demand: .power(.watts(3)))]), until: time)
        let last = record.rows[record.rows.count - 1]
        #expect(last.time == time)
        #expect(abs(last.voltage.volts - volts) < 1e-5)
        #expect(abs(last.charge - charge) < 2e-7)
    }
}
