// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Processes
import Quantities

extension JetsamReport {
    /// Memory sizes of devices on the market, in GiB.
    private static var nominalSizes: [Double] { [0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64] }

    /// Memory of the device: that of its product, or else the smallest usual size that contains all counted pages.
    ///
    /// Reports count 86 to 99 % of the nominal size. Neighbouring sizes differ by more than that.
    public var nominalMemory: ByteCount? {
        if let product, let known = AppleProducts.memory(of: product) { return known }
        return Self.nominalSizes.lazy.map { ByteCount.gibibytes($0) }.first { $0 >= size(pages.counted) }
    }

    /// Process exits per hour, for any reason, since the oldest process started; nil if that was less than an hour ago
    /// or numbers are missing.
    ///
    /// The kernel assigns process identifiers in ascending order (`nextpid` in xnu `bsd/kern/kern_fork.c`), so the
    /// newest identifier shows the number of started processes. After 99,999, the identifiers begin again, so the
    /// result is then too small.
    public var endsPerHour: Double? {
        guard let started = processes.lazy.compactMap(\.pid).max(),
            let oldest = processes.lazy.map(\.runningTime).max(), oldest >= .hour
        else { return nil }
        return Double(max(0, started - atStart.count)) / (oldest / .hour)
    }

    func size(_ pages: Int) -> ByteCount { ByteCount(Int64(pages) * Int64(pageSize)) }

    /// State of the phone when the snapshot began, before the first kill.
    ///
    /// - Parameter ram: Nominal memory; nil to derive it from the product or the counted pages.
    public func start(ram: ByteCount? = nil) throws(Diagnostics) -> ReportedStart {
        guard pages.anonymous != nil, pages.fileBacked != nil else {
            throw Diagnostics(
                "the report does not contain the numbers of anonymous and fileBacked pages",
                hint: "reports of iOS 9 and later contain them")
        }
        guard let ram = ram ?? nominalMemory else {
            throw Diagnostics("the pages of the report add up to more memory than any device has")
        }
        guard ram >= size(pages.counted) else {
            throw Diagnostics("the counted pages do not fit into the memory of \(ram.mebibytes.rounded()) MiB")
        }
        var builder = JetsamStartBuilder(self, ram: ram)
        return try builder.build()
    }
}

/// Divides the counted pages into processes, the system, wired memory, files and free pages.
private struct JetsamStartBuilder {
    let report: JetsamReport
    let ram: ByteCount
    var notes: [String] = []

    init(_ report: JetsamReport, ram: ByteCount) {
        self.report = report
        self.ram = ram
    }

    mutating func build() throws(Diagnostics) -> ReportedStart {
        let rows = report.atStart.filter { !report.processes[$0].isUntouchable }
        notes += report.remarks
        if !report.hasBands {
            notes.append("The report has no bands, so they are estimated from the order and the states of its rows.")
        } else if report.usesOldScale {
            notes.append("Bands 0 to 21 of the report are multiplied by ten.")
        }
        let compressed = compressedPages(rows)
        let memory = try machine(rows, compressed)
        let bands = report.bands
        let names = uniqueNames(rows)
        let processes = rows.enumerated().map { index, row in
            let process = report.processes[row]
            return ReportedStart.Named(
                name: names[index], row: row,
                process: start(process, band: bands[row], compressed: compressed[index]),
                limit: limit(of: process))
        }
        return ReportedStart(processes: processes, memory: memory, notes: notes)
    }

    /// Compressed pages of each process, at most its footprint.
    ///
    /// If the report lacks them, up to 97 % of a suspended process is compressed, as in a report of iOS 14. All other
    /// processes have one common share, so that the total matches the machine's counters.
    private mutating func compressedPages(_ rows: [Int]) -> [Int] {
        let processes = rows.map { report.processes[$0] }
        if report.hasCompressedSplit {
            return processes.map { min($0.internalPages?.compressed ?? 0, $0.footprintPages) }
        }
        notes.append(
            "The report does not contain the compressed memory of each process, so it is calculated from the machine's "
                + "counters.")
        let total = Double(processes.reduce(0) { $0 + $1.footprintPages })
        let still = Double(processes.reduce(0) { $0 + ($1.isSuspended ? $1.footprintPages : 0) })
        let stored = Double(report.pages.uncompressed)
        let data = stored + Double(report.pages.anonymous ?? 0)
        let wanted = data > 0 ? total * stored / data : 0
        let stillShare = still > 0 ? min(0.97, wanted / still) : 0
        let otherShare = total > still ? max(0, (wanted - stillShare * still) / (total - still)) : 0
        return processes.map {
            Int(Double($0.footprintPages) * ($0.isSuspended ? stillShare : min(1, otherShare)))
        }
    }

    /// Memory parameters of the machine, from its page counters and the processes.
    ///
    /// A footprint includes page tables and driver memory, which the machine counts as wired. The part of the
    /// footprints that exceeds the anonymous pages is subtracted from the wired pages. This part becomes free when the
    /// process dies. Pages that no counter includes are wired too, so that thresholds are shares of the nominal memory.
    private mutating func machine(_ rows: [Int], _ compressed: [Int]) throws(Diagnostics) -> MemoryParameters {
        let pages = report.pages
        let footprints = rows.reduce(0) { $0 + report.processes[$1].footprintPages }
        let stored = compressed.reduce(0, +)
        let resident = footprints - stored
        let systemResident = max(0, (pages.anonymous ?? 0) - resident)
        let systemStored = max(0, pages.uncompressed - stored)
        let wired = pages.queued + pages.throttled + pages.wired - (pages.fileBacked ?? 0) - resident - systemResident
        let ratio = Double(stored + systemStored) / Double(max(1, pages.compressor))
        guard pages.compressor > 0 || stored == 0 else {
            throw Diagnostics("processes have compressed memory, but the machine's compressor is empty")
        }
        guard wired >= 0 else {
            throw Diagnostics(
                "the footprints add up to \(footprints) pages, \(-wired) more than the machine's counters allow"
            )
        }
        var memory = MemoryParameters(ram: ram)
        memory.reserved = .zero
        memory.wired = report.size(wired) + (ram - report.size(pages.counted))
        memory.systemFootprint = report.size(systemResident + systemStored)
        memory.systemCompressedShare =
            systemResident + systemStored > 0 ? Double(systemStored) / Double(systemResident + systemStored) : 0
        memory.compressorRatio = max(1, ratio)
        memory.fileCacheMinimum = report.size(pages.fileBacked ?? 0)
        memory.freeTarget = .zero
        memory.compressBelowShare = 0
        let held = report.size(stored + systemStored)
        if held >= memory.compressorLimit * 0.98 {
            // Data that the freezer wrote to storage is included in the pool's data, but does not count towards the
            // limit.
            memory.compressorLimit = max(ram, held) * 2
            notes.append("The compressor contains more than the model's limit, so the limit is doubled.")
        }
        if let problem = memory.problems.first { throw Diagnostics("no phone can start in this state: \(problem)") }
        return memory
    }

    /// Lowest band above the bands of apps (`JETSAM_PRIORITY_CONDUCTOR`).
    ///
    /// This band distinguishes SpringBoard from apps, because reports do not mark SpringBoard as a daemon.
    private static var systemBand: Int16 { 130 }
    /// Default band of a daemon (JetsamProperties of iOS 12: 3 of 21).
    private static var daemonBand: Int16 { 30 }

    /// Age below which an idle daemon counts as relaunched immediately after its last exit and gets a high relaunch
    /// rate.
    ///
    /// A report does not contain the time of the last exit. Assumption: twice launchd's longest wait of 10 s.
    private static var young: SimDuration { .seconds(20) }

    private func start(_ process: JetsamProcess, band: Int16, compressed: Int) -> StartingProcess {
        let traits = traits(process, band: band)
        return StartingProcess(
            traits: traits, isSuspended: process.isSuspended, footprint: report.size(process.footprintPages),
            compressed: report.size(compressed), age: process.runningTime,
            requestedBand: traits.allowsIdleExit && band < Self.daemonBand ? Self.daemonBand : nil)
    }

    private func traits(_ process: JetsamProcess, band: Int16) -> ProcessTraits {
        var traits = ProcessTraits()
        traits.isManaged = !process.isDaemon && band < Self.systemBand
        traits.isTracked = process.isDaemon
        traits.allowsIdleExit = process.isDaemon && process.isIdle
        traits.band = band
        if traits.allowsIdleExit, process.age != nil, process.runningTime < Self.young { traits.relaunch = .high }
        if let coalition = process.coalition, traits.isManaged {
            traits.coalition = Int32(truncatingIfNeeded: coalition & 0x7FFF_FFFF)
        }
        return traits
    }

    /// Limit of a process that died at its limit: one page below its footprint.
    private func limit(of process: JetsamProcess) -> MemoryLimit? {
        guard process.diedAtItsLimit, process.footprintPages > 1 else { return nil }
        return MemoryLimit(report.size(process.footprintPages - 1), isFatal: process.reason == "per-process-limit")
    }

    private func uniqueNames(_ rows: [Int]) -> [String] {
        var counts: [String: Int] = [:]
        for process in report.processes { counts[process.name, default: 0] += 1 }
        var taken: Set<String> = []
        return rows.map { row in
            let process = report.processes[row]
            var name = process.name.isEmpty ? "process" : process.name
            if counts[process.name] != 1 || process.name.isEmpty, let pid = process.pid { name += "-\(pid)" }
            while !taken.insert(name).inserted { name += "-row\(row)" }
            return name
        }
    }
}
