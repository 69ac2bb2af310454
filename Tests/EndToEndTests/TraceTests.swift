// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

/// `flotsam report --trace`: a run as a timeline, read back by a decoder of its own.
@Suite(.serialized) struct TraceTests {
    private func fields(_ laboratory: Laboratory, _ file: String) throws -> [ProtobufFields] {
        try ProtobufFields(Array(try laboratory.bytes(file))).messages(1)
    }

    @Test func `two policies lie in one file, with the opens, kills and hours that the tables hold`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1, tables: "[runs, events, battery]")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet", "--set", "warmup=0 h").code == 0)
        let trace = try laboratory.run("report", "--trace", "a#0", "--against", "lru", "-o", "x.pftrace")
        #expect(trace.code == 0 && trace.out.hasPrefix("x.pftrace ("), "\(trace.errors)")
        let packets = try fields(laboratory, "x.pftrace")
        let descriptors = try packets.flatMap { try $0.messages(60) }
        let processes = try descriptors.compactMap { try $0.messages(3).first?.text(6) }
        #expect(processes == ["jetsam+opportunistic", "lru+opportunistic"])
        var parents: [UInt64: UInt64] = [:]
        for descriptor in descriptors { parents[descriptor.number(1) ?? 0] = descriptor.number(5) ?? 0 }
        func root(_ track: UInt64) -> UInt64 {
            var track = track
            while let parent = parents[track], parent > 0 { track = parent }
            return track
        }
        var seen: [UInt64: [String: Int]] = [:]
        var last: UInt64 = 0
        for packet in packets {
            guard let event = try packet.messages(11).first else { continue }
            let time = try #require(packet.number(8))
            #expect(time >= last)
            last = time
            let name = event.text(23).map { String($0.prefix { $0 != ":" }) } ?? "\(event.number(9) ?? 0)"
            seen[root(event.number(11) ?? 0), default: [:]][name, default: 0] += 1
        }
        let rows = try laboratory.text("a/events.csv").split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let head = try laboratory.text("a/events.csv").split(separator: "\n")[0].split(separator: ",").map(String.init)
        func column(_ name: String) throws -> Int { try #require(head.firstIndex(of: name)) }
        let (policy, reason, delay) = (try column("policy"), try column("reason"), try column("delay_s"))
        let event = try column("event")
        for (root, counts) in seen {
            let index = root == 1 ? 0 : 1
            let own = rows.filter { $0[policy] == processes[index] }
            #expect(counts["killed"] == own.count { !$0[reason].isEmpty })
            #expect(counts["opened"] == own.count { $0[event] == "launch" && !$0[delay].isEmpty })
        }
        #expect(seen.count == 2)
    }

    @Test func `only a timeline of our own is replaced unasked`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 1, tables: "[runs]")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let strange = laboratory.folder.appendingPathComponent("mine.pftrace")
        try "not yours\n".write(to: strange, atomically: true, encoding: .utf8)
        let refused = try laboratory.run("report", "--trace", "a#0", "-o", "mine.pftrace")
        #expect(refused.code == 1 && refused.errors.contains("nothing was written"), "\(refused.errors)")
        #expect(try laboratory.text("mine.pftrace") == "not yours\n")
        #expect(try laboratory.run("report", "--trace", "a#0").code == 0)
        let first = try laboratory.bytes("a/run-0.pftrace")
        #expect(try laboratory.run("report", "--trace", "a#0").code == 0)
        #expect(try laboratory.bytes("a/run-0.pftrace") == first)
    }
}
