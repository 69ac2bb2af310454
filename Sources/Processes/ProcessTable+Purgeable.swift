// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Memory that the kernel may purge, and memory that was freed but not yet returned.
extension ProcessTable {
    /// Adds memory that the process has touched.
    public mutating func allocate(_ size: ByteCount, to app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now, checksLimit: true) { table, index in
            table.resize(index, to: table.processes[index].footprint + size.bytes)
            return .made
        }
    }

    /// Adds purgeable memory that the process has touched; it counts to the footprint until it becomes volatile.
    public mutating func addPurgeable(_ size: ByteCount, to app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now, checksLimit: true) { table, index in
            table.controls[index].nonvolatile += size.bytes
            table.resize(index, to: table.processes[index].footprint + size.bytes)
            return .made
        }
    }

    /// Makes all purgeable memory of a process volatile: it leaves the footprint and can be reclaimed.
    public mutating func makeVolatile(_ app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now, checksLimit: true) { table, index in
            let size = min(table.controls[index].nonvolatile, table.processes[index].resident)
            table.controls[index].nonvolatile -= size
            let record = table.processes[index]
            table.setMemory(index, resident: record.resident - size, compressed: record.compressed)
            table.setVolatile(index, table.controls[index].volatile + size)
            return .made
        }
    }

    /// Makes the volatile memory that was not purged non-volatile again.
    public mutating func makeNonvolatile(_ app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now, checksLimit: true) { table, index in
            let size = table.controls[index].volatile
            table.setVolatile(index, 0)
            table.controls[index].nonvolatile += size
            let record = table.processes[index]
            table.setMemory(index, resident: record.resident + size, compressed: record.compressed)
            return .made
        }
    }

    /// Frees purgeable memory of both kinds.
    public mutating func freePurgeable(_ app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now, checksLimit: true) { table, index in
            table.setVolatile(index, 0)
            let size = table.controls[index].nonvolatile
            table.controls[index].nonvolatile = 0
            table.resize(index, to: max(0, table.processes[index].footprint - size))
            return .made
        }
    }

    /// Moves memory of the footprint into the buffer of deferred frees.
    public mutating func deferFree(_ size: ByteCount, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now, checksLimit: true) { table, index in
            let control = table.controls[index]
            let most = table.processes[index].footprint - control.deferred
            table.controls[index].deferred += min(size.bytes, most)
            return .made
        }
    }

    /// Compresses a number of bytes of a process, in any state.
    public mutating func compress(_ size: ByteCount, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now, checksLimit: true) { table, index in
            let record = table.processes[index]
            let moved = min(size.bytes, record.resident)
            table.totals.compressed += ByteCount(moved)
            table.setMemory(index, resident: record.resident - moved, compressed: record.compressed + moved)
            return .made
        }
    }

    /// Touches compressed memory again.
    public mutating func decompress(_ size: ByteCount, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now, checksLimit: true) { table, index in
            let record = table.processes[index]
            guard record.compressed > 0 else { return .made }
            table.decompressPages(index, share: min(1, Double(size.bytes) / Double(record.compressed)))
            return .made
        }
    }

    /// Begins a new interval for the largest footprint in an interval (`largestFootprints`).
    public mutating func resetInterval(of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now, checksLimit: true) { table, index in
            table.processes[index].intervalMaximum = table.processes[index].ledgerFootprint
            return .made
        }
    }

    /// Volatile memory of a process.
    public func volatile(of app: AppID) -> ByteCount { ByteCount(controls[Int(app.index)].volatile) }

    /// Largest footprints since the launch and since the interval began.
    public func largestFootprints(of app: AppID) -> (lifetime: ByteCount, interval: ByteCount) {
        let record = processes[Int(app.index)]
        return (ByteCount(record.lifetimeMaximum), ByteCount(record.intervalMaximum))
    }
}
