// SPDX-License-Identifier: GPL-3.0-or-later
import TestSupport
import Testing

@testable import Recording

@Suite struct PerfettoTraceTests {
    @Test func `bytes are those of the specification`() {
        // The examples of "Protocol Buffers: Encoding": 150 in field 1, "testing" in field 2, a message in field 3.
        var inner = ProtobufMessage()
        inner.add(1, UInt64(150))
        #expect(inner.bytes == [0x08, 0x96, 0x01])
        var message = ProtobufMessage()
        message.add(2, "testing")
        #expect(message.bytes == [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67])
        message.add(3, inner)
        #expect(message.bytes.suffix(5) == [0x1a, 0x03, 0x08, 0x96, 0x01])
        // -2 as int64: the two's complement, which takes ten bytes.
        var signed = ProtobufMessage()
        signed.add(1, signed: -2)
        #expect(signed.bytes == [0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01])
        var double = ProtobufMessage()
        double.add(16, 1.0)
        #expect(double.bytes == [0x81, 0x01, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f])
    }

    @Test func `what was added is read back, in the order of the instants`() throws {
        var trace = PerfettoTrace()
        let process = trace.addProcess("lru", number: 2)
        let track = trace.addTrack("mail", in: process, rank: 7)
        let counter = trace.addCounter("power", unit: "W", in: process, rank: -1)
        trace.addValue(-1.25, on: counter, at: 30)
        trace.addSlice("active", on: track, from: 20, to: 40, ["bytes": .whole(-3), "share": .number(0.5)])
        trace.addInstant(
            "killed", on: track, at: 40, ["why": .text("highwater")], flows: .init(passing: 5, ending: 9))
        trace.addSlice("background", on: track, from: 10, to: 20)
        let packets = try ProtobufFields(trace.bytes).messages(1)
        #expect(packets.allSatisfy { $0.number(10) == 1 } && packets[0].number(13) == 1)
        let descriptors = try packets.flatMap { try $0.messages(60) }
        #expect(descriptors.map { $0.number(1) } == [1, 2, 3])
        #expect(descriptors.map { $0.number(5) } == [nil, 1, 1])
        #expect(descriptors.map { $0.number(12).map(Int64.init(bitPattern:)) } == [2, 7, -1])
        #expect(descriptors.map { $0.text(2) } == [nil, "mail", "power"])
        let described = try #require(try descriptors[0].messages(3).first)
        #expect(described.number(1) == 2 && described.text(6) == "lru")
        #expect(try descriptors[2].messages(8).first?.text(6) == "W")
        let events = try packets.compactMap { packet in
            try packet.messages(11).first.map { (time: packet.number(8), event: $0) }
        }
        #expect(events.map(\.time) == [10, 20, 20, 30, 40, 40])
        // Begin, end, begin, counter, end, instant: an end comes before what begins at the same instant.
        #expect(events.map { $0.event.number(9) } == [1, 2, 1, 4, 2, 3])
        #expect(events.map { $0.event.number(11) } == [2, 2, 2, 3, 2, 2])
        #expect(events.map { $0.event.text(23) } == ["background", nil, "active", nil, nil, "killed"])
        #expect(events[3].event.fixed(44) == (-1.25).bitPattern)
        let arguments = try events[2].event.messages(4)
        #expect(arguments.map { $0.text(10) } == ["bytes", "share"])
        #expect(arguments[0].number(4).map(Int64.init(bitPattern:)) == -3)
        #expect(arguments[1].fixed(5) == 0.5.bitPattern)
        #expect(try events[5].event.messages(4).first?.text(6) == "highwater")
        #expect(events[5].event.fixed(47) == 5 && events[5].event.fixed(48) == 9)
        #expect(events[4].event.fixed(47) == nil)
    }
}
