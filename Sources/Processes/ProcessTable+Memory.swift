import Quantities
import Vocabulary

extension ProcessTable {
    /// Sets the footprint of a live process; false when it died of that, at its own limit or for want of memory.
    ///
    /// Growth is resident memory; what is given back is resident memory first, then compressed memory.
    @discardableResult
    public mutating func setFootprint(of app: AppID, to footprint: ByteCount, at now: SimTime) -> Bool {
        begin(at: now)
        let index = Int(app.index)
        precondition(processes[index].isAlive, "footprint of app \(index), which is not running")
        precondition(footprint >= .zero, "a negative footprint")
        take(index, footprint.bytes, at: now)
        return processes[index].isAlive
    }

    /// Compresses a suspended app now, as a shortage of memory would.
    public mutating func compress(_ app: AppID, at now: SimTime) {
        begin(at: now)
        precondition(processes[Int(app.index)].state == .suspended, "compression of an app that is not suspended")
        compress(Int(app.index))
        settle(at: now)
    }

    /// Compresses this share of a live process, as its cold pages are after a long time.
    public mutating func compressColdPages(of app: AppID, share: Double, at now: SimTime) {
        begin(at: now)
        precondition(processes[Int(app.index)].isAlive && (0...1).contains(share), "compression of nothing")
        compress(Int(app.index), share: share)
        settle(at: now)
    }

    /// Wires extra memory, so that a scenario can set the shortage it wants; negative returns wired memory.
    public mutating func setBallast(_ ballast: ByteCount, at now: SimTime) {
        begin(at: now)
        precondition(memory.wired + ballast >= .zero, "ballast below the wired memory")
        availableBytes += self.ballast - ballast.bytes
        self.ballast = ballast.bytes
        isLevelStale = true
        settle(at: now)
    }

    /// The most memory that can be available while the processes stay: all that is wired and free together.
    public var mostAvailable: ByteCount { ByteCount(availableBytes + memory.wired.bytes + ballast) }

    /// Wires as much extra memory as leaves this share of the kernel's memory available before anybody reacts.
    public mutating func setAvailable(share: Double, at now: SimTime) {
        let wanted = (memory.visible * share).bytes
        setBallast(ByteCount(ballast + availableBytes - wanted), at: now)
    }
}

extension ProcessTable {
    /// Fills the compressor pool with foreign data until it holds this share of what it takes.
    public mutating func setCompressor(share: Double, at now: SimTime) {
        begin(at: now)
        let wanted = Int64(share * Double(memory.compressorLimit.bytes)) - systemCompressed - appCompressed
        let pool = poolBytes(max(0, wanted))
        availableBytes -= pool - compressorBallastPool
        compressorBallast = max(0, wanted)
        compressorBallastPool = pool
        isLevelStale = true
        settle(at: now)
    }

    /// Replaces thresholds, as a device tree may: what is nil stays.
    public mutating func setThresholds(
        critical: ByteCount? = nil, idle: ByteCount? = nil, soft: ByteCount? = nil, reaper: ByteCount? = nil,
        at now: SimTime
    ) {
        begin(at: now)
        if let critical { criticalBytes = critical.bytes }
        if let idle { idleBytes = idle.bytes }
        if let soft { softBytes = soft.bytes }
        if let reaper { reaperBytes = reaper.bytes }
        settle(at: now)
    }

    /// Raises the thresholds of soft limits, idle processes and the reaper, never the critical one.
    public mutating func raiseThresholds(by offset: ByteCount, at now: SimTime) {
        begin(at: now)
        idleBytes += offset.bytes
        softBytes += offset.bytes
        if profile.reaperShare != nil { reaperBytes += offset.bytes }
        settle(at: now)
    }

    /// The thresholds in force.
    public var thresholds: (critical: ByteCount, idle: ByteCount, soft: ByteCount, reaper: ByteCount) {
        (ByteCount(criticalBytes), ByteCount(idleBytes), ByteCount(softBytes), ByteCount(reaperBytes))
    }

    /// Memory on storage is never more than what is compressed.
    private mutating func noteSwapped(_ index: Int, _ compressed: Int64) -> Int64 {
        if governance.controls[index].swapped > compressed { setSwapped(index, compressed) }
        return governance.controls[index].swapped
    }
}

extension ProcessTable {
    /// Brings memory back to what the rules demand after any change.
    mutating func settle(at now: SimTime) {
        compressSuspended()
        killWhileShort(at: now)
        reclaimFiles()
        updatePressure(at: now)
        let available = available
        if available < availableMinimum { availableMinimum = available }
        if available < lowestAvailable { lowestAvailable = available }
    }

    /// Brings a process to a footprint; it may die on the way, at its own limit or for want of memory.
    ///
    /// Memory is taken page by page, so others die while it grows, and what is available does not fall below zero. As
    /// long as nobody would die, growth in one step comes to the same.
    mutating func take(_ index: Int, _ footprint: Int64, at now: SimTime) {
        let reachable = min(footprint, isGoverned ? mostReachable(index) : memory.perProcessLimit.bytes + 1)
        while true {
            let missing = reachable - processes[index].footprint
            let untilShort = isUnbounded ? missing : max(Self.leastStep, availableBytes - criticalBytes + 1)
            resize(index, to: processes[index].footprint + min(missing, untilShort))
            if killAtLimit(index, at: now) { return }
            settle(at: now)
            if missing <= untilShort || !processes[index].isAlive { return }
        }
    }

    /// Growth goes on in steps of at least this where memory is short: one mebibyte.
    private static var leastStep: Int64 { 1 << 20 }

    /// The only place where a process's memory changes: parts and totals move together.
    mutating func setMemory(_ index: Int, resident: Int64, compressed: Int64) {
        let old = processes[index]
        appResident += resident - old.resident
        availableBytes -= resident - old.resident
        processes[index].resident = resident
        if compressed != old.compressed || isGoverned {
            let swapped = isGoverned ? noteSwapped(index, compressed) : 0
            let pool = poolBytes(compressed - swapped)
            appCompressed += compressed - old.compressed
            appPool += pool - old.pool
            availableBytes -= pool - old.pool
            processes[index].compressed = compressed
            processes[index].pool = pool
            isLevelStale = true
        }
        if isGoverned { noteFootprint(index) }
        markStale(index)
    }

    /// What compressed data takes in the pool.
    private func poolBytes(_ compressed: Int64) -> Int64 {
        Int64((Double(compressed) / memory.compressorRatio).rounded())
    }

    mutating func resize(_ index: Int, to footprint: Int64) {
        let record = processes[index]
        let change = footprint - record.footprint
        let resident = max(0, record.resident + change)
        setMemory(index, resident: resident, compressed: footprint - resident)
    }

    /// Compresses suspended apps, the longest suspended first, until enough is available.
    ///
    /// Each app is compressed in one step and once per suspension. The kernel does the same page by page, coldest
    /// pages first, whenever free pages run short; it compresses nothing while there is plenty.
    private mutating func compressSuspended() {
        while availableBytes < compressBytes, compressible.head >= 0, !isCompressorFull {
            compress(Int(compressible.head))
        }
    }

    private mutating func compress(_ index: Int) {
        compressible.remove(index)
        let isDaemon = isGoverned && governance.controls[index].isTracked
        compress(index, share: isDaemon ? memory.idleCompressedShare : memory.suspendedCompressedShare)
    }

    private mutating func compress(_ index: Int, share: Double) {
        let record = processes[index]
        let compressed = Int64((Double(record.footprint) * share).rounded())
        guard compressed > record.compressed else { return }
        totals.compressed += ByteCount(compressed - record.compressed)
        setMemory(index, resident: record.footprint - compressed, compressed: compressed)
    }

    mutating func decompress(_ index: Int, share: Double) {
        let record = processes[index]
        let back = Int64((Double(record.compressed) * share).rounded())
        guard back > 0 else { return }
        if isGoverned, governance.controls[index].swapped > 0 {
            let swapped = governance.controls[index].swapped
            setSwapped(index, swapped - Int64(Double(swapped) * share))
        }
        totals.decompressed += ByteCount(back)
        setMemory(index, resident: record.resident + back, compressed: record.compressed - back)
    }

    /// Whether 98 % of what the compressor takes is in use (`vm_compressor.c`: low on space).
    var isCompressorFull: Bool {
        systemCompressed + compressorBallast + appCompressed >= compressorFullBytes
    }

    /// Brings an app's launch files into the cache, or makes them the last to go.
    mutating func touchFiles(_ index: Int) {
        let wanted = facts[index].launchFiles
        guard wanted > 0 else { return }
        if processes[index].hasReadFiles { totals.refaulted += ByteCount(wanted - processes[index].files) }
        processes[index].hasReadFiles = true
        appFiles += wanted - processes[index].files
        processes[index].files = wanted
        fileOrder.moveToTail(index)
    }

    /// How much of the apps' files can stay cached beside the free target and the system's files.
    private var roomForFiles: Int64 {
        max(0, availableBytes - memory.fileCacheMinimum.bytes - memory.freeTarget.bytes)
    }

    /// Memory as it will be once files have made room.
    var memoryView: MemoryView {
        let appFiles = min(appFiles, roomForFiles)
        let systemFiles = max(0, min(memory.fileCacheMinimum.bytes, availableBytes - appFiles))
        return MemoryView(
            total: memory.visible, free: ByteCount(availableBytes - appFiles - systemFiles),
            fileBacked: ByteCount(appFiles + systemFiles), compressed: ByteCount(systemCompressed + appCompressed),
            compressorLimit: memory.compressorLimit, refaulted: totals.refaulted)
    }

    /// Drops file pages, least recently used apps first, until the free target and the system's files have room.
    private mutating func reclaimFiles() {
        let room = roomForFiles
        while appFiles > room, fileOrder.head >= 0 {
            let index = Int(fileOrder.head)
            let dropped = min(processes[index].files, appFiles - room)
            processes[index].files -= dropped
            appFiles -= dropped
            totals.filesReclaimed += ByteCount(dropped)
            if processes[index].files == 0 { fileOrder.remove(index) }
        }
    }
}
