// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

extension ProcessTable {
    /// Sets the footprint of a live process; returns false if it was killed, at its own limit or for lack of memory.
    ///
    /// Growth adds resident memory; a decrease frees resident memory first, and then compressed memory.
    @discardableResult
    public mutating func setFootprint(of app: AppID, to footprint: ByteCount, at now: SimTime) -> Bool {
        advance(to: now)
        let index = Int(app.index)
        guard processes[index].isAlive else {
            fatalError("cannot set the footprint of app \(index): it is not running")
        }
        guard footprint >= .zero else { fatalError("a footprint must not be negative") }
        grow(index, to: footprint.bytes, at: now)
        return processes[index].isAlive
    }

    /// Compresses a suspended app now, as a shortage of memory would.
    public mutating func compress(_ app: AppID, at now: SimTime) {
        advance(to: now)
        guard processes[Int(app.index)].state == .suspended else {
            fatalError("cannot compress an app that is not suspended")
        }
        compressPages(Int(app.index))
        rebalance(at: now)
    }

    /// Compresses this share of a live process, as if its pages had become cold over a long time.
    public mutating func compressColdPages(of app: AppID, share: Double, at now: SimTime) {
        advance(to: now)
        guard processes[Int(app.index)].isAlive && (0...1).contains(share) else {
            fatalError("compression needs a live process and a share from 0 to 1")
        }
        compressPages(Int(app.index), share: share)
        rebalance(at: now)
    }

    /// Wires additional memory to create a shortage in a scenario; a negative value frees wired memory.
    public mutating func setBallast(_ ballast: ByteCount, at now: SimTime) {
        advance(to: now)
        guard memory.wired + ballast >= .zero else { fatalError("negative ballast must not exceed the wired memory") }
        book.setBallast(ballast.bytes)
        rebalance(at: now)
    }

    /// Largest amount of memory that can be available with the present processes: wired plus available memory.
    public var mostAvailable: ByteCount { ByteCount(book.mostAvailable) }

    /// Largest amount of memory that the first `count` processes together can have now.
    ///
    /// The rest is for the kernel, the fixed part of the system, the other processes and the critical threshold. There
    /// is no limit under a policy that kills no process.
    public func mostForApps(beside count: Int) -> ByteCount {
        if isUnbounded { return ByteCount(Int64.max / 8) }
        let most = book.mostForApps - max(0, min(book.available, thresholdBytes.critical))
        // Adds up the smaller group of processes, because the total of all is known.
        if count < processes.count - count { return ByteCount(most - book.resident - book.pool + held(0..<count)) }
        return ByteCount(most - held(count..<processes.count))
    }

    /// Memory of these processes that is resident or in the compressor pool.
    private func held(_ range: Range<Int>) -> Int64 {
        var sum: Int64 = 0
        for index in range where processes[index].isAlive { sum += processes[index].resident + processes[index].pool }
        return sum
    }

    /// Wires additional memory so that this share of the kernel's memory is available before the system reacts.
    public mutating func setAvailable(share: Double, at now: SimTime) {
        let wanted = (memory.visible * share).bytes
        setBallast(ByteCount(book.ballast + book.available - wanted), at: now)
    }
}

extension ProcessTable {
    /// Fills the compressor pool with foreign data up to this share of its limit.
    public mutating func setCompressor(share: Double, at now: SimTime) {
        advance(to: now)
        book.setCompressor(share: share)
        rebalance(at: now)
    }

    /// Replaces thresholds, as a device tree can; nil leaves a threshold unchanged.
    public mutating func setThresholds(
        critical: ByteCount? = nil, idle: ByteCount? = nil, soft: ByteCount? = nil, reaper: ByteCount? = nil,
        at now: SimTime
    ) {
        advance(to: now)
        if let critical { thresholdBytes.critical = critical.bytes }
        if let idle { thresholdBytes.idle = idle.bytes }
        if let soft { thresholdBytes.soft = soft.bytes }
        if let reaper { thresholdBytes.reaper = reaper.bytes }
        rebalance(at: now)
    }

    /// Raises the thresholds of soft limits, idle processes and the reaper, but not the critical one.
    public mutating func raiseThresholds(by offset: ByteCount, at now: SimTime) {
        advance(to: now)
        thresholdBytes.idle += offset.bytes
        thresholdBytes.soft += offset.bytes
        if profile.reaperShare != nil { thresholdBytes.reaper += offset.bytes }
        rebalance(at: now)
    }

    /// The present thresholds.
    public var thresholds: (critical: ByteCount, idle: ByteCount, soft: ByteCount, reaper: ByteCount) {
        let bytes = thresholdBytes
        return (ByteCount(bytes.critical), ByteCount(bytes.idle), ByteCount(bytes.soft), ByteCount(bytes.reaper))
    }
}
