// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Memory of the phone, and the parts of it that apps cannot use.
///
/// "Report 04" is a published JetsamEvent of an iPhone 11 (4 GB) under iOS 14.2 with 442 processes. Source: the
/// examples of F. Memon, "iOS Crash Dump Analysis".
public struct MemoryParameters: Sendable {
    /// Nominal memory of the device.
    public var ram: ByteCount
    /// Memory that the kernel does not count (report 04: 8 % of nominal memory is in no counter; range 2 to 13 %).
    public var reserved: ByteCount
    /// Wired kernel memory (report 04: 18.8 %; other reports: 15 to 20 %).
    public var wired: ByteCount
    /// Footprint of daemons and system processes as one block (report 04: 2,098 MiB in 359 daemons).
    public var systemFootprint: ByteCount
    /// Share of the system block that is compressed (report 04: 1,285 of 1,973 MiB).
    public var systemCompressedShare = 0.65
    /// Bytes of data per byte in the compressor pool (xnu `tests/perf_compressor.c`: 2.7; reports 2.4 to 3.9).
    public var compressorRatio = 2.7
    /// Limit of compressed data, at full size (`vm_compressor.c`: the size of memory; twice that on 2 GB and less).
    public var compressorLimit: ByteCount
    /// Share of a suspended app that is compressed after a shortage of memory (report 04: 97 %).
    public var suspendedCompressedShare = 0.97
    /// Share of an idle daemon that is compressed after a shortage of memory (report 04: 676 of 877 MiB).
    public var idleCompressedShare = 0.77
    /// Share of available memory below which suspended apps are compressed, the longest suspended first.
    ///
    /// Assumption: slightly above the soft threshold, because reports of kills at 12 to 15 % show compressed apps.
    public var compressBelowShare = 0.20
    /// Share of an app's compressed memory that is decompressed when the user resumes it; assumption.
    public var foregroundDecompressedShare = 0.8
    /// Share of an app's compressed memory that is decompressed when background work resumes it; assumption.
    public var backgroundDecompressedShare = 0.4
    /// Compressed memory, at full size, that is decompressed per second at a resume; zero if this takes no time.
    ///
    /// Assumption: the resume times of catalogues include this time; range 0.2 to 2 GiB.
    public var decompressedPerSecond = ByteCount.zero
    /// Compressed memory that is read from storage per second at a resume; zero if this takes no time.
    ///
    /// Assumption: the resume times of catalogues include this time; range 50 to 500 MiB, as pages are read one by one.
    public var swapReadPerSecond = ByteCount.zero
    /// File pages of the system that stay cached while there is room; assumption: 5 % of memory.
    public var fileCacheMinimum: ByteCount
    /// Pages kept free by dropping files (report 04: 80 MiB of 4 GB; report of an iPhone 6: 24 MiB of 1 GB).
    public var freeTarget: ByteCount
    /// Share of an app's launch files that must be cached for a launch to count as warm; assumption.
    ///
    /// WWDC19 session 423 uses the words "partially in memory".
    public var warmShare = 0.5
    /// Share of the launch files that an app touches when it is resumed; assumption, 25 to 75 %.
    public var resumeFilesShare = 0.5
    /// Memory that the camera and its image processor wire while the foreground app uses them.
    ///
    /// Assumption, 0 to 800 MiB: no measurement is public.
    public var cameraWired = ByteCount.zero
    /// Footprint above which a process is killed at once, even if much memory is free.
    public var perProcessLimit: ByteCount

    /// Creates typical values for a phone with this nominal memory.
    public init(ram: ByteCount) {
        self.ram = ram
        reserved = ram * 0.05
        wired = ram * 0.17
        // Report 04 has 51 % at 4 GB; larger phones use a quarter of the rest for the system, which is an assumption.
        let base = min(ram, .gibibytes(4))
        systemFootprint = base * 0.51 + (ram - base) * 0.25
        compressorLimit = ram <= .gibibytes(2) ? ram * 2 : ram
        fileCacheMinimum = ram * 0.05
        freeTarget = ram * 0.02
        perProcessLimit = MemoryParameters.typicalLimit(ram: ram)
    }

    /// Creates typical values for a phone with this nominal memory and a system of this family.
    ///
    /// Android has no limit for a single process. Its compressor is zram, whose size vendors choose. The size is half
    /// of the memory on a Pixel 8 (`vendor/etc/fstab.zram`), which is the default of AOSP's memory management daemon.
    public init(ram: ByteCount, family: SystemFamily) {
        self.init(ram: ram)
        guard family == .android else { return }
        perProcessLimit = ram
        compressorLimit = ram * 0.5
    }

    /// The limit of a visible app, from crash sizes collected at stackoverflow.com/questions/5887248.
    ///
    /// The sizes are 645 MB (iPhone 6), 1,395 MB (iPhone 7), 1,792 MB (iPhone XR) and 2,068 MB (iPhone 11). No
    /// verifiable source covers phones with more than 4 GB. For these, 54 % of memory is assumed, as on phones with 4
    /// GB.
    static func typicalLimit(ram: ByteCount) -> ByteCount {
        if ram <= .gibibytes(1) { return .mebibytes(645) }
        if ram <= .gibibytes(2) { return .mebibytes(1395) }
        if ram <= .gibibytes(3) { return .mebibytes(1792) }
        if ram <= .gibibytes(4) { return .mebibytes(2068) }
        return ram * 0.54
    }

    /// Memory that the kernel counts (`max_mem`); all thresholds are shares of it.
    public var visible: ByteCount { ram - reserved }

    /// Faults of the values, one sentence each; empty if a phone can run with the values.
    public var problems: [String] {
        var found: [String] = []
        func require(_ condition: Bool, _ text: String) { if !condition { found.append(text) } }
        require(ram > .zero, "memory.ram must be positive")
        require(cameraWired >= .zero && cameraWired < ram, "memory.cameraWired must be less than memory.ram")
        require(reserved >= .zero && wired >= .zero, "memory.reserved and memory.wired must not be negative")
        require(systemFootprint >= .zero, "memory.systemFootprint must not be negative")
        require(
            fileCacheMinimum >= .zero && freeTarget >= .zero,
            "memory.fileCacheMinimum and memory.freeTarget must not be negative")
        require(compressorRatio >= 1, "memory.compressorRatio must be at least 1")
        require(perProcessLimit > .zero, "memory.perProcessLimit must be positive")
        for (name, share) in [
            ("systemCompressedShare", systemCompressedShare), ("suspendedCompressedShare", suspendedCompressedShare),
            ("idleCompressedShare", idleCompressedShare), ("compressBelowShare", compressBelowShare),
            ("foregroundDecompressedShare", foregroundDecompressedShare),
            ("backgroundDecompressedShare", backgroundDecompressedShare), ("warmShare", warmShare),
            ("resumeFilesShare", resumeFilesShare),
        ] {
            require((0...1).contains(share), "memory.\(name) must lie between 0 and 1")
        }
        guard found.isEmpty else { return found }
        let left = visible - wired - systemFootprint * (1 - systemCompressedShare * (1 - 1 / compressorRatio))
        require(
            left >= visible * 0.1, "memory.wired and memory.systemFootprint leave less than 10 % of memory for apps")
        return found
    }
}

extension MemoryParameters {
    /// The keys of these parameters in files other than `ram`, with their allowed values; sizes can be shares of `ram`.
    public static let keys: [FileKey<MemoryParameters>] = [
        .bytes(\.reserved, "reserved", orShareOf: \.ram),
        .bytes(\.wired, "wired", orShareOf: \.ram),
        .bytes(\.systemFootprint, "system_footprint", orShareOf: \.ram),
        .share(\.systemCompressedShare, "system_compressed_share"),
        .number(\.compressorRatio, "compressor_ratio", 1...20, example: "2.7"),
        .bytes(\.compressorLimit, "compressor_limit", orShareOf: \.ram),
        .share(\.suspendedCompressedShare, "suspended_compressed_share"),
        .share(\.idleCompressedShare, "idle_compressed_share"),
        .share(\.compressBelowShare, "compress_below_share"),
        .share(\.foregroundDecompressedShare, "foreground_decompressed_share"),
        .share(\.backgroundDecompressedShare, "background_decompressed_share"),
        .bytes(\.decompressedPerSecond, "decompressed_per_second"),
        .bytes(\.swapReadPerSecond, "swap_read_per_second"),
        .bytes(\.fileCacheMinimum, "file_cache_minimum", orShareOf: \.ram),
        .bytes(\.freeTarget, "free_target", orShareOf: \.ram),
        .share(\.warmShare, "warm_share"),
        .share(\.resumeFilesShare, "resume_files_share"),
        .bytes(\.cameraWired, "camera_wired", orShareOf: \.ram),
        .bytes(\.perProcessLimit, "per_process_limit", orShareOf: \.ram),
    ]
}
