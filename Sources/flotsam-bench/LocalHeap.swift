// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import RandomStreams

/// A copy of the kernel's heap in this module; it shows the cost of the module boundary.
enum LocalHeap {
    static func hold(_ size: Int, operations: Int) -> Double {
        var entries: [UInt64] = []
        var random = RandomStream(seed: 1, replication: 0, entity: "hold", purpose: "increments")
        for _ in 0..<size { entries.append(key(.zero + random.holdTime())) }
        entries.sort()
        return Measurement.nanoseconds(operations: operations) {
            var sum: UInt64 = 0
            for _ in 0..<operations {
                let first = entries[0]
                sum &+= first
                replaceFirst(&entries, key(EventKey(rawValue: first).time + random.holdTime()))
            }
            keep(sum)
        }
    }

    private static func key(_ time: SimTime) -> UInt64 { EventKey(time: time, class: 0).rawValue }

    private static func replaceFirst(_ entries: inout [UInt64], _ key: UInt64) {
        var position = 0
        while true {
            let child = 4 * position + 1
            guard child < entries.count else { break }
            var least = child
            for other in child..<min(child + 4, entries.count) where entries[other] < entries[least] { least = other }
            guard entries[least] < key else { break }
            entries[position] = entries[least]
            position = least
        }
        entries[position] = key
    }
}
