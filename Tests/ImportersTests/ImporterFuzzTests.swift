// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import ImporterFuzzing
import Testing

/// A short form of `make fuzz`, always with the same inputs.
@Suite struct ImporterFuzzTests {
    @Test(arguments: FuzzTarget.all.map(\.name))
    func `changed files are imported or refused with a message`(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let path = "/dev/shm/flotsam-fuzz-\(getpid())-\(name)"
        defer { unlink(path) }
        let counts = try target.run(inputs: 300, seed: 17, file: path)
        #expect(counts.faults.isEmpty, "\(counts.faults)")
        #expect(counts.accepted + counts.refused == 300)
        // Changes that break everything, or nothing, would test little.
        #expect(counts.accepted >= 5 && counts.refused >= 30, "\(counts.accepted) accepted")
    }
}
