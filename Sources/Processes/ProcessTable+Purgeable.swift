import Quantities
import Vocabulary

/// Memory that a process offers to lose, and memory that it has freed but not given back yet.
extension ProcessTable {
    /// Touches new memory.
    public mutating func allocate(_ size: ByteCount, to app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in table.resize(index, to: table.processes[index].footprint + size.bytes) }
    }

    /// Adds purgeable memory that the process has touched; it counts to the footprint until it is volatile.
    public mutating func addPurgeable(_ size: ByteCount, to app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            table.governance.controls[index].nonvolatile += size.bytes
            table.resize(index, to: table.processes[index].footprint + size.bytes)
        }
    }

    /// Makes all purgeable memory of a process volatile: it leaves the footprint and may be taken away.
    public mutating func makeVolatile(_ app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            let size = min(table.governance.controls[index].nonvolatile, table.processes[index].resident)
            table.governance.controls[index].nonvolatile -= size
            let record = table.processes[index]
            table.setMemory(index, resident: record.resident - size, compressed: record.compressed)
            table.setVolatile(index, table.governance.controls[index].volatile + size)
        }
    }

    /// Takes the volatile memory back into use, as far as it was not purged.
    public mutating func makeNonvolatile(_ app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            let size = table.governance.controls[index].volatile
            table.setVolatile(index, 0)
            table.governance.controls[index].nonvolatile += size
            let record = table.processes[index]
            table.setMemory(index, resident: record.resident + size, compressed: record.compressed)
        }
    }

    /// Frees purgeable memory of either kind.
    public mutating func freePurgeable(_ app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            table.setVolatile(index, 0)
            let size = table.governance.controls[index].nonvolatile
            table.governance.controls[index].nonvolatile = 0
            table.resize(index, to: max(0, table.processes[index].footprint - size))
        }
    }

    /// Puts memory of the footprint into the buffer of deferred frees.
    public mutating func deferFree(_ size: ByteCount, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            let control = table.governance.controls[index]
            let most = table.processes[index].footprint - control.deferred
            table.governance.controls[index].deferred += min(size.bytes, most)
        }
    }

    /// Compresses part of a process, whatever its state.
    public mutating func compress(_ size: ByteCount, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            let record = table.processes[index]
            let moved = min(size.bytes, record.resident)
            table.totals.compressed += ByteCount(moved)
            table.setMemory(index, resident: record.resident - moved, compressed: record.compressed + moved)
        }
    }

    /// Touches compressed memory again.
    public mutating func decompress(_ size: ByteCount, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            let record = table.processes[index]
            guard record.compressed > 0 else { return }
            table.decompress(index, share: min(1, Double(size.bytes) / Double(record.compressed)))
        }
    }

    /// Begins a new interval for the interval's largest footprint.
    public mutating func resetInterval(of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            table.governance.controls[index].intervalMaximum = table.ledgerFootprint(index)
        }
    }

    /// Volatile memory of a process.
    public func volatile(of app: AppID) -> ByteCount {
        isGoverned ? ByteCount(governance.controls[Int(app.index)].volatile) : .zero
    }

    /// The largest footprint since the launch and since the interval began.
    public func largestFootprints(of app: AppID) -> (lifetime: ByteCount, interval: ByteCount) {
        guard isGoverned else { return (footprint(of: app), footprint(of: app)) }
        let control = governance.controls[Int(app.index)]
        return (ByteCount(control.lifetimeMaximum), ByteCount(control.intervalMaximum))
    }
}

extension ProcessTable {
    private mutating func change(
        _ app: AppID, at now: SimTime, _ body: (inout ProcessTable, Int) -> Void
    ) -> RequestError? {
        govern()
        begin(at: now)
        let index = Int(app.index)
        guard processes[index].isAlive else { return .notFound }
        body(&self, index)
        if !killAtLimit(index, at: now) { settle(at: now) }
        return nil
    }

    mutating func setVolatile(_ index: Int, _ size: Int64) {
        let change = size - governance.controls[index].volatile
        governance.controls[index].volatile = size
        volatileBytes += change
        availableBytes -= change
    }

    mutating func reclaimDeferred(_ index: Int) {
        let size = governance.controls[index].deferred
        guard size > 0 else { return }
        governance.controls[index].deferred = 0
        resize(index, to: max(0, processes[index].footprint - size))
    }

    /// Takes the victim's volatile memory; true when that saves it (`memorystatus_kill_proc`).
    ///
    /// A kill at a high-water mark is off when the footprint is within the limit, any other for want of memory when
    /// available memory is back at the soft threshold.
    mutating func purgeSaves(_ index: Int, _ reason: KillReason) -> Bool {
        switch reason {
        case .vnodeLimit, .zoneMapExhaustion, .perProcessLimit, .jettisoned, .diskSpaceShortage: return false
        default: break
        }
        guard governance.controls[index].volatile > 0 else { return false }
        totals.purged += ByteCount(governance.controls[index].volatile)
        setVolatile(index, 0)
        if reason == .highwater { return ledgerFootprint(index) <= limit(of: AppID(index)).size.bytes }
        return availableBytes >= softBytes
    }

    /// Keeps the largest footprints after a change of memory.
    mutating func noteFootprint(_ index: Int) {
        noteSwappable(index)
        let footprint = ledgerFootprint(index)
        if footprint > governance.controls[index].lifetimeMaximum {
            governance.controls[index].lifetimeMaximum = footprint
        }
        if footprint > governance.controls[index].intervalMaximum {
            governance.controls[index].intervalMaximum = footprint
        }
        recheckLimit(index)
    }
}
