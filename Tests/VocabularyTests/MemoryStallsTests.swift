// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@Suite struct MemoryStallsTests {
    private var stalls = MemoryStalls()

    private mutating func wait(compressed: Int64, refaulted: Int64, at seconds: Double) -> Double {
        let memory = MemoryView(
            total: .gibibytes(4), free: .zero, fileBacked: .zero, compressed: ByteCount(compressed),
            compressorLimit: .gibibytes(4), refaulted: ByteCount(refaulted))
        return stalls.update(memory, at: .seconds(seconds))
    }

    @Test mutating func `what is read again and what is compressed waits, what comes out does not`() {
        #expect(abs(wait(compressed: 0, refaulted: 15_000_000, at: 0.1) - 0.1) < 1e-12)
        #expect(abs(wait(compressed: 40_000_000, refaulted: 15_000_000, at: 0.2) - 0.1) < 1e-12)
        #expect(wait(compressed: 10_000_000, refaulted: 15_000_000, at: 0.3) == 0)
        #expect(abs(wait(compressed: 14_000_000, refaulted: 30_000_000, at: 0.4) - 0.11) < 1e-12)
        #expect(abs(stalls.waited - 0.31) < 1e-12 && abs(stalls.fullyWaited - 0.155) < 1e-12)
    }

    @Test mutating func `waiting is summed up for a second`() {
        #expect(abs(wait(compressed: 0, refaulted: 15_000_000, at: 0.5) - 0.1) < 1e-12)
        #expect(wait(compressed: 0, refaulted: 15_000_000, at: 1) == 0)
        #expect(abs(stalls.waited - 0.1) < 1e-12)
        #expect(abs(wait(compressed: 80_000_000, refaulted: 15_000_000, at: 1.01) - 0.2) < 1e-12)
        #expect(abs(stalls.waited - 0.2) < 1e-12)
    }
}
