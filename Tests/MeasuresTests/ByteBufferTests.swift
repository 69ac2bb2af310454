// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Testing

@Suite struct ByteBufferTests {
    private func written(_ body: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer()
        body(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (0.0, "0.0"), (-0.0, "-0.0"), (1.5, "1.5"), (100, "100.0"), (0.1, "0.1"), (1e300, "1e+300"), (-7, "-7.0"),
        (9_007_199_254_740_992, "9007199254740992.0"),
        (-9_223_372_036_854_775_808, "-9.223372036854776e+18"),
        (.nan, ""), (.infinity, ""), (-.infinity, ""), (0.35000000000000003, "0.35000000000000003"),
    ])
    func `a real number is written in its shortest form with a point`(value: Double, expected: String) {
        #expect(written { $0.append(value) } == expected)
    }

    @Test(arguments: [(0.0, "0"), (-0.0, "-0.0"), (1.5, "1.5"), (100, "100"), (-7, "-7")])
    func `a number is written without a point where it has none`(value: Double, expected: String) {
        #expect(written { $0.append(plain: value) } == expected)
    }

    @Test func `what is written reads back to the same bits`() throws {
        var state: UInt64 = 1
        for _ in 0..<2000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(bitPattern: state)
            guard value.isFinite else { continue }
            let read = try #require(Double(written { $0.append(value) }))
            #expect(read.bitPattern == value.bitPattern)
        }
    }

    @Test(
        arguments: [
            (0, "0.0"), (1, "0.000000001"), (1_500_000_000, "1.5"), (86_400_000_000_000, "86400.0"),
            (-1_000_000_001, "-1.000000001"), (10_100_000_000, "10.1"),
        ] as [(Int64, String)])
    func `an instant is written exactly`(nanoseconds: Int64, expected: String) {
        #expect(written { $0.append(SimTime(nanoseconds: nanoseconds)) } == expected)
    }

    @Test func `an instant that never comes is empty`() {
        #expect(written { $0.append(SimTime.distantFuture) }.isEmpty)
    }

    @Test func `whole numbers reach both ends of their range`() {
        #expect(written { $0.append(Int64.min) } == "-9223372036854775808")
        #expect(written { $0.append(UInt64.max) } == "18446744073709551615")
        #expect(written { $0.append(hexadecimal: 0xfe) } == "00000000000000fe")
    }

    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+SUM(A1)", "'+SUM(A1)"), ("-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"),
        ("@x", "'@x"), ("\tx", "'\tx"), ("\r=1", "\"'\r=1\""), ("=a,b", "\"'=a,b\""), ("-", "'-"),
        ("-app", "'-app"), ("'=1", "''=1"), ("''-x", "'''-x"),
    ])
    func `a field that a spreadsheet would compute gets an apostrophe`(_ text: String, _ field: String) {
        #expect(written { $0.append(field: text) } == field)
    }

    @Test(arguments: [
        "-5", "+0.5", "-1.5e-7", "-90 dBm", "-5 %", "+2 GiB", "-3 km/h", "a=1", "'", "'quoted'", "x-y", "",
    ])
    func `a number keeps its sign, with or without a unit, and other text stays`(_ text: String) {
        #expect(written { $0.append(field: text) } == text)
    }

    @Test func `a field with a comma, a quote or a line end stands in quotes`() {
        #expect(written { $0.append(field: "plain") } == "plain")
        #expect(written { $0.append(field: "lru[a=1,b=2]") } == "\"lru[a=1,b=2]\"")
        #expect(written { $0.append(field: "say \"x\"\n") } == "\"say \"\"x\"\"\n\"")
    }
}
