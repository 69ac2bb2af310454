// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Accounts of all memory: sums over processes, the system's share, and the rest for files.
///
/// This lowest layer of the table contains sizes and no rules. Only it changes a process's memory, so parts and sums
/// stay consistent.
struct MemoryBook: Sendable {
    let sizes: MemoryParameters
    private let systemResident: Int64
    private let systemCompressed: Int64
    private let systemPool: Int64
    private let compressorFullBytes: Int64
    /// Memory left after reserved memory, wired memory and the fixed part of the system.
    let mostForApps: Int64
    /// File pages and free pages: memory outside the system, the apps and the compressor.
    private(set) var available: Int64
    /// Minimum of `available` so far.
    private(set) var lowest: Int64
    /// Minimum of `available` since `resetMinimum`.
    private(set) var minimum: Int64
    /// Memory that a scenario wires, in addition to the device's wired memory.
    private(set) var ballast: Int64 = 0
    /// Growth of the kernel's zones, which is wired memory.
    private(set) var zoneGrowth: Int64 = 0
    /// Pages that processes touched but that count to no footprint.
    private(set) var unowned: Int64 = 0
    /// Volatile memory, which can be taken from processes at once.
    private(set) var volatile: Int64 = 0
    private(set) var resident: Int64 = 0
    private(set) var compressed: Int64 = 0
    private(set) var pool: Int64 = 0
    /// Memory on storage, before compression; part of the compressed memory.
    private(set) var swapped: Int64 = 0
    /// Memory of corpses: resident, compressed at full size, and in the compressor pool.
    private(set) var corpses: (resident: Int64, compressed: Int64, pool: Int64) = (0, 0, 0)
    /// Compressed data that a scenario puts into the pool: its full size, and its size in the pool.
    private var compressorBallast: Int64 = 0
    private var compressorBallastPool: Int64 = 0
    /// Whether an input of the pressure level has changed since the last call of `changedLevelShare`.
    private var hasLevelChanged = true

    init(_ sizes: MemoryParameters) {
        self.sizes = sizes
        systemCompressed = (sizes.systemFootprint * sizes.systemCompressedShare).bytes
        systemResident = sizes.systemFootprint.bytes - systemCompressed
        systemPool = Int64(rounding: Double(systemCompressed) / sizes.compressorRatio)
        compressorFullBytes = Int64((0.98 * Double(sizes.compressorLimit.bytes)).rounded(.up))
        mostForApps = sizes.visible.bytes - sizes.wired.bytes - systemResident - systemPool
        available = mostForApps
        lowest = available
        minimum = available
    }

    /// Whether 98 % of the compressor's limit is in use (`vm_compressor.c`: low on space).
    var isCompressorFull: Bool { compressedBytes + compressorBallast >= compressorFullBytes }
    /// Compressed memory of system, processes and corpses, at full size.
    var compressedBytes: Int64 { systemCompressed + compressed + corpses.compressed }
    /// Largest amount of memory that can be available: available memory, wired memory and the memory wired by a
    /// scenario.
    var mostAvailable: Int64 { available + sizes.wired.bytes + ballast }

    /// Sets one process's resident memory, its compressed memory, and the part of the compressed memory on storage.
    mutating func set(_ record: inout ProcessRecord, resident: Int64, compressed: Int64, swapped: Int64) {
        let growth = resident - record.resident
        self.resident += growth
        available -= growth
        record.resident = resident
        defer { record.updateMaxima() }
        guard compressed != record.compressed || swapped != record.swapped else { return }
        let pool = poolBytes(compressed - swapped, record.poolFactor)
        self.compressed += compressed - record.compressed
        self.pool += pool - record.pool
        available -= pool - record.pool
        self.swapped += swapped - record.swapped
        record.swapped = swapped
        record.compressed = compressed
        record.pool = pool
        hasLevelChanged = true
    }

    /// Size of compressed data in the pool; inlined, because a call would copy the book.
    @inline(__always)
    private func poolBytes(_ compressed: Int64, _ factor: Double) -> Int64 {
        Int64(rounding: Double(compressed) / sizes.compressorRatio * factor)
    }

    mutating func changeVolatile(by change: Int64) {
        volatile += change
        available -= change
    }

    mutating func changeUnowned(by change: Int64) {
        unowned += change
        available -= change
    }

    /// Adds the memory of a corpse; negative numbers remove it.
    mutating func changeCorpses(resident: Int64, compressed: Int64, pool: Int64) {
        corpses.resident += resident
        corpses.compressed += compressed
        corpses.pool += pool
        available -= resident + pool
        hasLevelChanged = true
    }

    mutating func growZones(by change: Int64) {
        zoneGrowth += change
        available -= change
        hasLevelChanged = true
    }

    mutating func setBallast(_ size: Int64) {
        available += ballast - size
        ballast = size
        hasLevelChanged = true
    }

    /// Fills the compressor with foreign data up to this share of its limit.
    mutating func setCompressor(share: Double) {
        let wanted = max(0, Int64(share * Double(sizes.compressorLimit.bytes)) - compressedBytes)
        let pool = poolBytes(wanted, 1)
        available -= pool - compressorBallastPool
        compressorBallast = wanted
        compressorBallastPool = pool
        hasLevelChanged = true
    }

    /// Updates the minimum of available memory.
    mutating func recordMinimum() {
        if available < minimum { minimum = available }
        if available < lowest { lowest = available }
    }

    mutating func resetLowest() { lowest = available }
    mutating func resetMinimum() { minimum = available }
}

extension MemoryBook {
    /// Pages outside the compressor as a share of all unwired pages; nil if nothing has changed since the last call.
    mutating func changedLevelShare() -> Double? {
        guard hasLevelChanged else { return nil }
        hasLevelChanged = false
        let pageable = sizes.visible.bytes - sizes.wired.bytes - ballast - zoneGrowth
        let uncompressed = Double(pageable - systemPool - compressorBallastPool - pool - corpses.pool)
        return pageable > 0 ? uncompressed / Double(pageable) : 0
    }

    /// Size of app files that can stay cached, after the free target and the system's files.
    var roomForFiles: Int64 { max(0, available - sizes.fileCacheMinimum.bytes - sizes.freeTarget.bytes) }

    /// State of the memory after cached files of this size have been dropped.
    func view(files: Int64, refaulted: ByteCount) -> MemoryView {
        let appFiles = min(files, roomForFiles)
        let systemFiles = max(0, min(sizes.fileCacheMinimum.bytes, available - appFiles))
        return MemoryView(
            total: sizes.visible, free: ByteCount(available - appFiles - systemFiles),
            fileBacked: ByteCount(appFiles + systemFiles), compressed: ByteCount(compressedBytes),
            compressorLimit: sizes.compressorLimit, refaulted: refaulted)
    }

    /// All parts of the memory, for these sizes of apps' cached files and of files mapped by processes.
    func accounts(files: Int64, mapped: Int64) -> MemoryAccounts {
        let systemFiles = max(0, min(sizes.fileCacheMinimum.bytes + mapped, available - files))
        return MemoryAccounts(
            reserved: sizes.reserved, wired: ByteCount(sizes.wired.bytes + ballast + zoneGrowth),
            systemResident: ByteCount(systemResident + unowned + corpses.resident), appResident: ByteCount(resident),
            compressorPool: ByteCount(systemPool + compressorBallastPool + pool + corpses.pool),
            fileBacked: ByteCount(files + systemFiles), free: ByteCount(available - files - systemFiles),
            purgeable: ByteCount(volatile))
    }
}
