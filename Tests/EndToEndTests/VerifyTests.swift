// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// `verify`, `gate` and `plan --power` on results of the built program.
@Suite(.serialized) struct VerifyTests {
    @Test func `a sample of runs comes out bit for bit, rows included, and a changed record is found`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 5)
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        #expect(
            try laboratory.run("repeat", "a", "--sample", "100 %").out
                == "a: 10 runs repeated; all results match bit for bit\n")
        #expect(try laboratory.run("repeat", "a").out == "a: 1 run repeated; the result matches bit for bit\n")
        #expect(try laboratory.run("repeat", "a", "--sample", "11 %").out.hasPrefix("a: 2 runs repeated"))
        #expect(try laboratory.run("repeat", "a", "--sample", "0 %").code == 1)
        // Records of a run under another's identity: whole, but not what the run gives.
        let swapped = try swapIdentities(laboratory)
        let found = try laboratory.run("repeat", "a", "--sample", "100 %")
        #expect(found.code == 4)
        #expect(found.errors.contains("error: not deterministic: 2 of 10 runs differ"), "\(found.errors)")
        for run in swapped { #expect(found.errors.contains("run \(run) of a differs: the events (")) }
    }

    /// Lets two runs of a policy change places in the segments, checksums mended.
    private func swapIdentities(_ laboratory: Laboratory) throws -> [Int] {
        let rows = try laboratory.text("a/plan.jsonl").split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
        let identities = try [0, 2].map { try #require(UInt64(rows[$0]["identity"] as? String ?? "", radix: 16)) }
        let folder = laboratory.folder.appendingPathComponent("a/segments")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            var bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
            var offset = "flotsam segment 1\n".utf8.count
            func number(_ at: Int, _ count: Int) -> UInt64 {
                (0..<count).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
            }
            while offset + 24 <= bytes.count {
                let end = offset + 16 + Int(number(offset + 4, 4))
                if let index = identities.firstIndex(of: number(offset + 8, 8)) {
                    let other = identities[1 - index]
                    for byte in 0..<8 {
                        bytes[offset + 8 + byte] = UInt8(truncatingIfNeeded: other >> UInt64(8 * byte))
                    }
                    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
                    for byte in bytes[offset..<end] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
                    for byte in 0..<8 { bytes[end + byte] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * byte)) }
                }
                offset = end + 8
            }
            try Data(bytes).write(to: folder.appendingPathComponent(name))
        }
        return [0, 2]
    }

    @Test func `a gate ends with 0 or 2 and says what it could have seen; power says how many it takes`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(eviction: "[jetsam, largest-first]", replications: 6)
        #expect(try laboratory.run("check", "--plan", "small.yaml", "-o", "a", "--power", "2 %").code == 1)
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let met = try laboratory.run(
            "gate", "a", "relaunches_per_day(jetsam+opportunistic) <= 1000", "energy_wh_per_day >= 0.001")
        #expect(met.code == 0, "\(met.errors)")
        #expect(met.out.contains("detectable miss") && met.out.contains("  met"))
        #expect(try laboratory.run("gate", "a", "relaunches_per_day <= 0.001").code == 2)
        #expect(try laboratory.run("gate", "a", "relaunches_per_day").code == 1)
        let power = try laboratory.run("check", "--plan", "small.yaml", "-o", "a", "--power", "2 %")
        #expect(power.code == 0 && power.out.contains("6 detect") && power.out.contains("2 % needs"), "\(power.out)")
        #expect(try laboratory.run("check", "--plan", "small.yaml", "--power", "2").code == 1)
    }
}
