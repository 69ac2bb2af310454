// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Testing

@testable import Experiments

@Suite struct AxisValuesTests {
    @Test func `numbers of one kind stand in the unit of the first`() {
        let sizes = AxisValues("device.memory.ram", ["512 MiB", "1 GiB", "1.5 GiB"])
        #expect(sizes.fields == ["512", "1024", "1536"] && sizes.numbers == [512, 1024, 1536])
        #expect(sizes.column.unit == "MiB" && sizes.column.kind == .integer)
        let shares = AxisValues("a", ["7 %", "0.1 %"])
        #expect(shares.fields == ["7.0", "0.1"] && shares.unit == "%" && shares.column.kind == .number)
        let plain = AxisValues("apps.count", ["80", "160"])
        #expect(plain.fields == ["80", "160"] && plain.column.unit == "1" && plain.unit == "")
        #expect(AxisValues("heat", ["20 degC", "293.15 K"]).fields == ["20", "20"])
    }

    @Test func `words, and numbers of several kinds, stand as written`() {
        for texts in [["iphone-13", "iphone-15"], ["2 GiB", "3 s"], ["1", "2 GiB"], ["2 GiB", "large"]] {
            let values = AxisValues("a", texts)
            #expect(values.fields == texts && values.numbers == nil)
            #expect(values.column.unit == "" && values.column.kind == .string)
        }
    }

    @Test func `a number knows its unit and its value in another`() throws {
        let minutes = try #require(WrittenNumber("90 min"))
        #expect(minutes.dimension == .time && minutes.unit == "min" && minutes.value == 90 && minutes.base == 5400)
        #expect(minutes.value(in: try #require(WrittenNumber("1 h"))) == 1.5)
        #expect(minutes.value(in: try #require(WrittenNumber("1 GiB"))) == nil)
        #expect(WrittenNumber("3 parsecs") == nil && WrittenNumber("GiB") == nil)
        #expect(try #require(WrittenNumber("1.5e3")).value == 1500)
    }
}
