// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing

@Suite struct UnitTextTests {
    @Test(arguments: [
        ("350 mW", Dimension.power, 0.35), ("350mW", .power, 0.35), ("4 GiB", .bytes, 4_294_967_296),
        ("15 min", .time, 900), ("8 d", .time, 691_200), ("3349 mAh", .charge, 12056.4), ("25 degC", .temperature, 25),
        ("298.15 K", .temperature, 25), ("1 %", .fraction, 0.01), ("80 Mbit/s", .dataRate, 80e6),
        ("1 MB/s", .dataRate, 8e6), ("0.12 ohm", .resistance, 0.12), ("12.4 Wh", .energy, 44640),
        ("3.85 V", .voltage, 3.85), ("2 GHz", .frequency, 2e9), ("-5 degC", .temperature, -5),
        (" 1.5e3 mA ", .current, 1.5),
        ("16.67 ms", .time, 0.01667), ("100 µs", .time, 1e-4),
    ])
    func `a number with its unit is read exactly`(text: String, dimension: Dimension, value: Double) throws {
        #expect(try UnitText.parse(text, as: dimension) == value)
    }

    @Test(arguments: [
        ("350", "expected a power such as \"350 mW\", found \"350\" without a unit"),
        ("15 min", "expected a power such as \"350 mW\", found a time, \"15 min\""),
        ("350 mw", "expected a power such as \"350 mW\", found \"350 mw\" with the unknown unit \"mw\""),
        ("fast", "expected a power such as \"350 mW\", found \"fast\""),
        ("0x10 W", "expected a power such as \"350 mW\", found \"0x10 W\" with the unknown unit \"x10 W\""),
        ("nan W", "expected a power such as \"350 mW\", found \"nan W\""),
        ("1e999 W", "expected a power such as \"350 mW\", found \"1e999 W\""),
    ])
    func `a wrong text says what was expected`(text: String, message: String) {
        let error = #expect(throws: UnitTextError.self) { try UnitText.parse(text, as: .power) }
        #expect(error?.message == message)
    }

    @Test(arguments: [
        (0.35, Dimension.power, "350 mW"), (4_294_967_296, .bytes, "4 GiB"), (900, .time, "15 min"),
        (12056.4, .charge, "3349 mAh"), (25, .temperature, "25 degC"), (-5, .temperature, "-5 degC"),
        (0.01, .fraction, "1 %"), (0, .time, "0 s"), (0, .fraction, "0 %"), (90, .time, "90 s"),
        (5400, .time, "90 min"),
        (0.5, .fraction, "50 %"),
    ])
    func `a value is written in a unit that suits it`(value: Double, dimension: Dimension, text: String) {
        #expect(UnitText.format(value, as: dimension) == text)
    }

    @Test(arguments: Dimension.allCases)
    func `what is written reads back to the same value`(dimension: Dimension) throws {
        for step in 1...200 {
            let value = (Double(step) * 0.7371).rounded() / 7 * (step % 3 == 0 ? 1e6 : 1e-4)
            let text = UnitText.format(value, as: dimension)
            let read = try UnitText.parse(text, as: dimension)
            #expect(abs(read - value) <= (dimension == .fraction ? value.ulp : 0), "\(text)")
        }
    }

    @Test(arguments: Dimension.allCases)
    func `the example of a dimension is one`(dimension: Dimension) throws {
        #expect(try UnitText.parse(dimension.example, as: dimension) > 0)
    }
}
