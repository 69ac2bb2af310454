// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension ProcessTable {
    /// Number of apps in the table.
    public var appCount: Int { processes.count }
    /// Number of apps with a process.
    public var residentApps: Int { population.alive }
    /// Number of apps with a process that executes nothing.
    public var suspendedApps: Int { population.alive - population.executing }
    /// File-backed and free pages, on which kills depend.
    public var available: ByteCount { ByteCount(book.available) }
    /// Available memory as a share of the kernel's memory.
    public var availableShare: Double { available / memory.visible }
    /// The life-cycle state of an app.
    public func state(of app: AppID) -> ProcessState { processes[Int(app.index)].state }
    /// Whether an app has a process.
    public func isAlive(_ app: AppID) -> Bool { processes[Int(app.index)].isAlive }
    /// The band of an app's process; 0 if the app has no process.
    public func band(of app: AppID) -> Int16 { processes[Int(app.index)].band }
    /// Resident private memory plus compressed memory at full size.
    public func footprint(of app: AppID) -> ByteCount {
        ByteCount(processes[Int(app.index)].ledgerFootprint)
    }
    /// Resident private memory.
    public func resident(of app: AppID) -> ByteCount { ByteCount(processes[Int(app.index)].resident) }
    /// Compressed memory at full size.
    public func compressed(of app: AppID) -> ByteCount { ByteCount(processes[Int(app.index)].compressed) }
    /// Cached launch files of the app, with or without a process.
    public func cachedFiles(of app: AppID) -> ByteCount { ByteCount(processes[Int(app.index)].files) }
    /// When the user last saw the app.
    public func lastForeground(of app: AppID) -> SimTime { processes[Int(app.index)].lastForeground }

    /// The share of the app's launch files that a launch would have to read; zero if the app has a process.
    public func missingFiles(of app: AppID) -> Double {
        let (record, wanted) = (processes[Int(app.index)], facts[Int(app.index)].launchFiles)
        if record.isAlive { return 0 }
        return wanted > 0 ? Double(wanted - record.files) / Double(wanted) : 1
    }

    /// Kind of launch that an open of the app would need now.
    public func launchKind(of app: AppID) -> LaunchKind {
        let record = processes[Int(app.index)]
        if record.isAlive { return record.state == .prewarmed ? .warm : .resume }
        let needed = memory.warmShare * Double(facts[Int(app.index)].launchFiles)
        return record.files > 0 && Double(record.files) >= needed ? .warm : .cold
    }

    /// The process as an eviction policy sees it.
    public func view(of app: AppID) -> EvictionCandidate {
        processes[Int(app.index)].view(app, facts[Int(app.index)])
    }

    /// Sizes of all parts of the memory.
    public var accounts: MemoryAccounts { book.accounts(files: files.total, mapped: files.mapped) }

    /// Totals up to an instant, which must not precede the last change.
    public func statistics(at now: SimTime) -> ProcessStatistics {
        var result = totals
        result.add(now - clock, liveApps: population.alive, pressure: pressure)
        return result
    }

    /// The position of a process in the queue of its band, from 0; nil if it is not running.
    ///
    /// This takes time proportional to the number of apps.
    public func positionInBand(of app: AppID) -> Int? {
        let own = processes[Int(app.index)]
        guard own.isAlive else { return nil }
        return processes.reduce(0) { count, record in
            count + (record.isAlive && record.band == own.band && record.sequence < own.sequence ? 1 : 0)
        }
    }

    /// Whether a process has an assertion on its band.
    public func hasAssertion(_ app: AppID) -> Bool { processes[Int(app.index)].hasAssertion }
    /// Whether a process is dirty.
    public func isDirty(_ app: AppID) -> Bool { processes[Int(app.index)].isDirty }
    /// Class of the time between a kill of the process and its relaunch.
    public func relaunchRecord(of app: AppID) -> RelaunchRecord { processes[Int(app.index)].relaunch }
    /// When a process entered its band.
    public func bandEntered(_ app: AppID) -> SimTime { processes[Int(app.index)].entered }
    /// Number of kills in one band and for one reason since the list was last cleared.
    public func kills(in band: Int, for reason: KillReason) -> Int {
        kills.reduce(0) { $0 + ($1.band == Int16(band) && $1.reason == reason ? 1 : 0) }
    }
}
