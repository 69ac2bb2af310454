import Quantities
import Structures
import Vocabulary

extension ProcessTable {
    /// Sets the footprint of a live process; false when it died of that, at its own limit or for want of memory.
    ///
    /// Growth is resident memory; what is given back is resident memory first, then compressed memory.
    @discardableResult
    public mutating func setFootprint(of app: AppID, to footprint: ByteCount, at now: SimTime) -> Bool {
        advance(to: now)
        let index = Int(app.index)
        precondition(processes[index].isAlive, "footprint of app \(index), which is not running")
        precondition(footprint >= .zero, "a negative footprint")
        setFootprint(index, footprint.bytes, at: now)
        return processes[index].isAlive
    }

    /// Compresses a suspended app now, as a shortage of memory would.
    public mutating func compress(_ app: AppID, at now: SimTime) {
        advance(to: now)
        precondition(processes[Int(app.index)].state == .suspended, "compression of an app that is not suspended")
        compress(Int(app.index))
        rebalance(at: now)
    }

    /// Compresses this share of a live process, as its cold pages are after a long time.
    public mutating func compressColdPages(of app: AppID, share: Double, at now: SimTime) {
        advance(to: now)
        precondition(processes[Int(app.index)].isAlive && (0...1).contains(share), "compression of nothing")
        compress(Int(app.index), share: share)
        rebalance(at: now)
    }

    /// Wires extra memory, so that a scenario can set the shortage it wants; negative returns wired memory.
    public mutating func setBallast(_ ballast: ByteCount, at now: SimTime) {
        advance(to: now)
        precondition(memory.wired + ballast >= .zero, "ballast below the wired memory")
        book.setBallast(ballast.bytes)
        rebalance(at: now)
    }

    /// The most memory that can be available while the processes stay: all that is wired and free together.
    public var mostAvailable: ByteCount { ByteCount(book.mostAvailable) }

    /// Wires as much extra memory as leaves this share of the kernel's memory available before anybody reacts.
    public mutating func setAvailable(share: Double, at now: SimTime) {
        let wanted = (memory.visible * share).bytes
        setBallast(ByteCount(book.ballast + book.available - wanted), at: now)
    }
}

extension ProcessTable {
    /// Fills the compressor pool with foreign data until it holds this share of what it takes.
    public mutating func setCompressor(share: Double, at now: SimTime) {
        advance(to: now)
        book.setCompressor(share: share)
        rebalance(at: now)
    }

    /// Replaces thresholds, as a device tree may: what is nil stays.
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

    /// Raises the thresholds of soft limits, idle processes and the reaper, never the critical one.
    public mutating func raiseThresholds(by offset: ByteCount, at now: SimTime) {
        advance(to: now)
        thresholdBytes.idle += offset.bytes
        thresholdBytes.soft += offset.bytes
        if profile.reaperShare != nil { thresholdBytes.reaper += offset.bytes }
        rebalance(at: now)
    }

    /// The thresholds in force.
    public var thresholds: (critical: ByteCount, idle: ByteCount, soft: ByteCount, reaper: ByteCount) {
        let bytes = thresholdBytes
        return (ByteCount(bytes.critical), ByteCount(bytes.idle), ByteCount(bytes.soft), ByteCount(bytes.reaper))
    }
}

extension ProcessTable {
    /// Brings memory back to what the rules demand after any change.
    mutating func rebalance(at now: SimTime) {
        compressSuspended()
        killWhileShort(at: now)
        let dropped = files.shrink(to: book.roomForFiles, &processes)
        if dropped > 0 { totals.filesReclaimed += ByteCount(dropped) }
        updatePressure(at: now)
        book.recordMinimum()
    }

    /// Brings a process to a footprint; it may die on the way, at its own limit or for want of memory.
    ///
    /// Memory is touched page by page, so others die while it grows, and what is available does not fall below zero. As
    /// long as nobody would die, growth in one step comes to the same.
    mutating func setFootprint(_ index: Int, _ footprint: Int64, at now: SimTime) {
        let reachable = min(footprint, mostReachable(index))
        while true {
            let missing = reachable - processes[index].footprint
            let untilShort =
                isUnbounded ? missing : max(Self.leastStep, book.available - thresholdBytes.critical + 1)
            resize(index, to: processes[index].footprint + min(missing, untilShort))
            if killAtLimit(index, at: now) { return }
            rebalance(at: now)
            if missing <= untilShort || !processes[index].isAlive { return }
        }
    }

    /// Growth goes on in steps of at least this where memory is short: one mebibyte.
    private static var leastStep: Int64 { 1 << 20 }

    /// Sets resident and compressed memory of a process; memory on storage is never more than what is compressed.
    mutating func setMemory(_ index: Int, resident: Int64, compressed: Int64) {
        setMemory(index, resident: resident, compressed: compressed, swapped: processes[index].swapped)
    }

    /// Sets all memory of a process, with the part of the compressed that lies on storage.
    mutating func setMemory(_ index: Int, resident: Int64, compressed: Int64, swapped: Int64) {
        book.set(
            &processes[index], resident: resident, compressed: compressed, swapped: min(swapped, compressed))
        updateFootprint(index)
        markStale(index)
    }

    mutating func resize(_ index: Int, to footprint: Int64) {
        let resident = max(0, footprint - processes[index].compressed)
        setMemory(index, resident: resident, compressed: footprint - resident)
    }

    /// Keeps what depends on the footprint of a process: its limit, and whether it may be swapped.
    @inline(__always)
    mutating func updateFootprint(_ index: Int) {
        if profile.appSwap != nil { updateSwappable(index) }
        updateLimit(index)
    }

    /// Compresses suspended apps, the longest suspended first, until enough is available.
    ///
    /// Each app is compressed in one step and once per suspension. The kernel does the same page by page, coldest
    /// pages first, whenever free pages run short; it compresses nothing while there is plenty.
    private mutating func compressSuspended() {
        while book.available < thresholdBytes.compress, let index = compressor.compressible.first,
            !book.isCompressorFull
        {
            compress(index)
        }
    }

    private mutating func compress(_ index: Int) {
        compressor.compressible.remove(index)
        let share =
            processes[index].isTracked ? book.sizes.idleCompressedShare : book.sizes.suspendedCompressedShare
        compress(index, share: share)
    }

    private mutating func compress(_ index: Int, share: Double) {
        let (footprint, old) = (processes[index].footprint, processes[index].compressed)
        let compressed = Int64((Double(footprint) * share).rounded())
        guard compressed > old else { return }
        totals.compressed += ByteCount(compressed - old)
        setMemory(index, resident: footprint - compressed, compressed: compressed)
    }

    mutating func decompress(_ index: Int, share: Double) {
        let (resident, compressed) = (processes[index].resident, processes[index].compressed)
        let back = Int64((Double(compressed) * share).rounded())
        guard back > 0 else { return }
        let swapped = processes[index].swapped
        totals.decompressed += ByteCount(back)
        setMemory(
            index, resident: resident + back, compressed: compressed - back,
            swapped: swapped - Int64(Double(swapped) * share))
    }

    /// Brings an app's launch files into the cache, or makes them the last to go.
    mutating func readFiles(_ index: Int) {
        let again = files.read(index, &processes[index], wanted: facts[index].launchFiles)
        if again > 0 { totals.refaulted += ByteCount(again) }
    }

    /// Memory as it will be once files have made room.
    var memoryView: MemoryView { book.view(files: files.total, refaulted: totals.refaulted) }
}
