// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

/// The battery against closed forms, an independent integration and a physics solver.
@Suite struct BatteryReferenceTests {
    /// A cell whose voltage and resistance do not depend on the state of charge.
    static var flatCell: PowerParameters {
        var cell = BatteryParameters(capacity: .milliampereHours(3000), resistance: .ohms(0.15))
        cell.voltageStates = [0, 0.5, 1]
        cell.voltages = [.volts(3.8), .volts(3.8), .volts(3.8)]
        cell.resistanceStates = [0, 1]
        cell.resistanceFactors = [1, 1]
        return PowerParameters(battery: cell).isothermal
    }

    @Test(arguments: [0.02, 0.5, 3, 9])
    func `a cell of constant voltage follows the closed quadratic`(watts: Double) {
        var system = BatteryTests.constant(.watts(watts), Self.flatCell)
        let current = (3.8 - (3.8 * 3.8 - 4 * 0.15 * watts).squareRoot()) / (2 * 0.15)
        #expect(abs(system.terminalVoltage.volts - watts / current) < 1e-9)
        let hour = SimTime.seconds(3600)
        system.flush(at: hour)
        #expect(abs(system.level(at: hour) - (1 - current / 3)) < 1e-12)
        #expect(abs(system.cellLoss.joules - current * current * 0.15 * 3600) < 1e-8)
        #expect(abs(system.terminalEnergy.joules - watts * 3600) < 1e-8)
    }

    @Test(arguments: [0.1, 1.0, 4.0])
    func `every per cent is passed when an independent integration says so`(watts: Double) throws {
        let parameters = PowerParameters.iPhone15.isothermal
        let cell = parameters.battery
        let open = ReferenceCurve(x: cell.voltageStates, y: cell.voltages.map(\.volts))
        let factor = ReferenceCurve(x: cell.resistanceStates, y: cell.resistanceFactors, isStraight: true)
        func slowness(_ state: Double) -> Double {
            let ohms = cell.resistance.ohms * factor.value(at: state)
            let volts = open.value(at: state)
            let current = (volts - (volts * volts - 4 * ohms * watts).squareRoot()) / (2 * ohms)
            return cell.capacity.coulombs / current
        }
        var found: [Int: SimTime] = [:]
        var system = BatteryTests.constant(.watts(watts), parameters)
        run(&system, from: .zero, to: .seconds(200 * 3600)) { event, now in
            if case .level(let percent) = event { found[percent] = now }
        }
        let empty = Self.state(ofVoltage: cell.emptyVoltage.volts, on: open)
        var seconds = 0.0
        for percent in stride(from: 99, through: 5, by: -1) {
            // Simpson over pieces much smaller than the table's.
            let start = empty + Double(percent) / 100 * (1 - empty)
            let width = (1 - empty) / 100 / 64
            for piece in 0..<64 {
                let a = start + Double(piece) * width
                let middle = slowness(a + width / 2)
                seconds += width / 6 * (slowness(a) + 4 * middle + slowness(a + width))
            }
            let time = try #require(found[percent])
            #expect(abs(time.seconds - seconds) < 3e-6 * seconds)
        }
    }

    static func state(ofVoltage volts: Double, on curve: ReferenceCurve) -> Double {
        var low = 0.0
        var high = 1.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if curve.value(at: middle) < volts { low = middle } else { high = middle }
        }
        return high
    }

    @Test(
        arguments: zip(
            [0.05, 0.2, 0.5, 1, 2, 4], [274759.294, 68473.055, 27219.311, 13472.807, 6604.380, 3170.266]))
    func `discharge at constant power ends when a physics solver says so`(
        wattsPerAmpereHour: Double, seconds: Double
    ) {
        // Doyle-Fuller-Newman model of a LiCoO2 pouch cell (PyBaMM 26.10, parameter set Ai2020, 25 °C, to 3.0 V).
        let ampereHours = 2.46632
        var cell = BatteryParameters(
            capacity: .ampereHours(ampereHours), resistance: .ohms(0.1408 / ampereHours))
        cell.voltageStates = Self.pouchStates
        cell.voltages = Self.pouchMillivolts.map(Voltage.millivolts)
        // Sum of the three resistances of a fit to pulses, in Ω·Ah, over its value in the middle.
        cell.resistanceStates = [0.0333, 0.1417, 0.25, 0.3583, 0.4667, 0.575, 0.6833, 0.7917, 0.9]
        cell.resistanceFactors = [0.3591, 0.1741, 0.1522, 0.1431, 0.1408, 0.1427, 0.1502, 0.1562, 0.1633].map {
            $0 / 0.1408
        }
        cell.emptyVoltage = .volts(3.0)
        cell.cutoff = .volts(3.0)
        let power = Power.watts(wattsPerAmpereHour * ampereHours)
        var system = BatteryTests.constant(power, PowerParameters(battery: cell).isothermal)
        var died = SimTime.zero
        run(&system, from: .zero, to: .seconds(300_000)) { event, now in if event == .died { died = now } }
        #expect(abs(died.seconds - seconds) < 0.01 * seconds)
    }

    static let pouchStates: [Double] = [
        0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4,
        0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1,
    ]
    static let pouchMillivolts: [Double] = [
        3000, 3133.3, 3219.2, 3285, 3338.8, 3423.9, 3489.3, 3542.1, 3582.5, 3609.5, 3625, 3639.6, 3647.6, 3665.4,
        3695.4, 3716.8, 3733.1, 3748.1, 3762.2, 3776.3, 3792.5, 3812.2, 3836.5, 3867.5, 3908.9, 3951.9, 3994.5,
        4040.9, 4087.9, 4138.4, 4200,
    ]
}

/// Steffen's monotone cubic (or straight lines) written down once more, as the paper has it.
struct ReferenceCurve {
    let x: [Double]
    let y: [Double]
    var isStraight = false

    private func chord(_ i: Int) -> Double { (y[i + 1] - y[i]) / (x[i + 1] - x[i]) }

    private func slope(_ i: Int) -> Double {
        if i == 0 { return chord(0) }
        if i == x.count - 1 { return chord(i - 1) }
        let left = x[i] - x[i - 1]
        let right = x[i + 1] - x[i]
        let parabola = (chord(i - 1) * right + chord(i) * left) / (left + right)
        if chord(i - 1) * chord(i) <= 0 { return 0 }
        return min(parabola, 2 * min(chord(i - 1), chord(i)))
    }

    func value(at argument: Double) -> Double {
        if argument <= x[0] { return y[0] }
        guard let next = x.firstIndex(where: { $0 > argument }) else { return y[y.count - 1] }
        let i = next - 1
        let t = argument - x[i]
        if isStraight { return y[i] + chord(i) * t }
        let h = x[i + 1] - x[i]
        let cubic = (slope(i) + slope(i + 1) - 2 * chord(i)) / (h * h)
        let square = (3 * chord(i) - 2 * slope(i) - slope(i + 1)) / h
        return y[i] + t * (slope(i) + t * (square + t * cubic))
    }
}
