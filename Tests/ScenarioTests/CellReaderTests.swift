// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import ConfigText
import Diagnostics
import Phone
import PhoneCore
import Power
import Quantities
import Testing

@testable import Scenario

@Suite struct CellReaderTests {
    /// The last event of a load on a cell of the library, and when it came.
    static func last(_ cell: CellParameters, _ load: CellLoad, charge: Double = 1) throws -> CellRecord.Event {
        var experiment = try CellExperiment(cell, charge: charge)
        return try #require(try experiment.run(load).events.last)
    }

    @Test func `the verification cell does what two solvers say`() throws {
        // SciPy 1.17, DOP853; `thevenin` 0.2.1 agrees.
        let cell = try loadCell("ecm-verification", library: library)
        let three = try Self.last(cell, .steps([.init(start: 0, demand: .power(.watts(3)))]))
        #expect(three.name == "V<=3.0")
        #expect(abs(three.time - 15140.008214) < 1e-4)
        let charge = CellLoad.charge(.amperes(1.6745), limit: .volts(4.2), end: .amperes(0.16745))
        let full = try Self.last(cell, charge, charge: 0)
        #expect(full.name == "CV_end_I<=C/20")
        #expect(abs(full.time - 7786.463616) < 1e-4)
    }

    @Test func `the reference cell lasts as long as the physics it was fitted to`() throws {
        // PyBaMM 26.10, Doyle-Fuller-Newman model, parameter set Ai2020, 1 W/Ah.
        let cell = try loadCell("lco-reference", library: library)
        let power = Power.watts(cell.capacity.ampereHours)
        let end = try Self.last(cell, .steps([.init(start: 0, demand: .power(power))]))
        #expect(abs(end.time / 13472.807 - 1) < 0.01)
    }

    @Test func `the pack of phones can be studied alone`() throws {
        let cell = try loadCell("phone-pack-4v35", library: library)
        #expect(cell.pairs.isEmpty)
        #expect(abs(cell.resistances[2].ohms - 0.16) < 1e-12)
        #expect(cell.chargeLimit == .volts(4.33))
        #expect(try Self.last(cell, .steps([.init(start: 0, demand: .power(.watts(1)))])).name == "V<=3.0")
    }

    @Test func `a phone takes the shape of a cell's whole resistance`() throws {
        var battery = BatteryParameters(capacity: .milliampereHours(3000))
        let text = """
            {resistance_states: [0 %, 100 %], r0: [60 mohm, 30 mohm], r1: [30 mohm, 10 mohm], c1: [1 F, 2 F],
             resistance_growth: 2}
            """
        let found = try problems(text) { cursor in
            let map = MapReader(cursor)
            #expect(CellReader.read(map, into: &battery) == nil)
            map.finish()
        }
        #expect(found.isEmpty)
        #expect(battery.resistanceStates == [0, 1])
        #expect(abs(battery.resistanceFactors[0] - 0.09 / 0.04) < 1e-12)
        #expect(abs(battery.resistance.ohms - 2 * 0.4 / 3) < 1e-12)
    }

    @Test(arguments: [
        ("{capacity: 1 Ah, r1: [1 mohm, 2 mohm]}", "\"r1\" needs \"r0\""),
        (
            "{capacity: 1 Ah, resistance_states: [0 %, 100 %], r0: [1 mohm, 1 mohm], r1: [1 mohm], c1: [1 F, 1 F]}",
            "r0 and r1 must have the same number of items, found 2 and 1"
        ),
        (
            "{capacity: 1 Ah, resistance_states: [0 %, 100 %], r0: [1 mohm, 1 mohm], resistance: 1 ohm}",
            "either \"r0\" or \"resistance\", not both"
        ),
        (
            "{capacity: 1 Ah, resistance_states: [0 %, 100 %], r0: [1 mohm, 1 mohm], r2: [1 mohm, 1 mohm]}",
            "the key \"c2\" is missing"
        ),
        ("{interpolation: cubic}", "unknown interpolation of the voltages between the points \"cubic\""),
    ])
    func `a cell that does not hang together is explained`(text: String, message: String) throws {
        let found = try problems(text) { cursor in
            var battery = BatteryParameters(capacity: .milliampereHours(3000))
            let map = MapReader(cursor)
            _ = CellReader.read(map, into: &battery)
            map.finish()
        }
        #expect(found.list.count == 1)
        #expect(found.list.first?.message.hasPrefix(message) == true, "\(found)")
    }

    @Test func `a phone's battery may have pairs`() throws {
        let on = try load(
            sample, overrides: ["device.battery.pair_shares=[10 %, 30 %]", "device.battery.pair_times=[8 s, 60 s]"])
        let pairs = on.points[0].device.power.battery.pairs
        #expect(pairs.map(\.share) == [0.1, 0.3])
        #expect(pairs.map(\.time) == [.seconds(8), .seconds(60)])
        #expect(try load(sample).points[0].device.power.battery.pairs.isEmpty)
        for (shares, times, message) in [
            ("[60 %, 40 %]", "[8 s, 60 s]", "pair_shares must add up to less than 100 %"),
            ("[60 %]", "[8 s, 60 s]", "pair_shares and pair_times must have one or two items each, found 1 and 2"),
        ] {
            let problems = #expect(throws: Diagnostics.self) {
                try load(
                    sample, overrides: ["device.battery.pair_shares=\(shares)", "device.battery.pair_times=\(times)"])
            }
            #expect(problems?.list.first?.message.hasPrefix(message) == true, "\(String(describing: problems))")
        }
    }

    @Test func `an unknown cell is answered with the nearest name`() {
        let problems = #expect(throws: Diagnostics.self) { try loadCell("lco-referenz", library: library) }
        #expect(problems?.list.first?.message == "unknown cell \"lco-referenz\"")
        #expect(problems?.list.first?.hint == "did you mean \"lco-reference\"?")
    }

    @Test func `loads are steps of power or current, or one charge`() throws {
        func load(_ text: String) throws -> CellLoad { try loadCellLoad(SourceText(name: "l.csv", text: text)) }
        guard case .steps(let steps) = try load("# a day\nt_s,power_w\r\n0,1.5\r\n60, -2\n\n") else {
            Issue.record("no steps")
            return
        }
        #expect(steps.map(\.start) == [0, 60])
        guard case .power(let power) = steps[1].demand else {
            Issue.record("no power")
            return
        }
        #expect(power == .watts(-2))
        guard
            case .charge(let current, let limit, let end) = try load(
                "cc_current_a,cv_voltage_v,end_current_a\n3.349,4.2,0.16745\n")
        else {
            Issue.record("no charge")
            return
        }
        #expect(current == .amperes(3.349))
        #expect(limit == .volts(4.2))
        #expect(end == .amperes(0.16745))
    }

    @Test(arguments: [
        ("", "l.csv has no rows"), ("t_s,current_a\n", "l.csv has no rows"),
        ("t,power\n0,1\n", "unknown columns of a load"),
        ("t_s,power_w\n0,1\n0,2\n", "times must increase, found 0.0 after 0.0"),
        ("t_s,power_w\n-1,1\n", "times must not be negative, found -1.0"),
        ("t_s,power_w\n0,one\n", "expected a number, found \"one\""),
        ("t_s,power_w\n0,nan\n", "expected a number, found \"nan\""),
        ("t_s,power_w\n0\n", "expected 2 values, found 1"),
        ("cc_current_a,cv_voltage_v,end_current_a\n", "after this line, a row with the three values must follow"),
        (
            "cc_current_a,cv_voltage_v,end_current_a\n1,4.2,-0.1\n",
            "the numbers of a charge must be positive, found -0.1"
        ),
        (
            "cc_current_a,cv_voltage_v,end_current_a\n1,4.2,0.1\n1,4.2,0.1\n",
            "a charge must have only one row of values"
        ),
    ])
    func `a load that cannot be read is explained`(text: String, message: String) {
        let problems = #expect(throws: Diagnostics.self) {
            try loadCellLoad(SourceText(name: "l.csv", text: text))
        }
        #expect(problems?.list.map(\.message) == [message])
    }
}
