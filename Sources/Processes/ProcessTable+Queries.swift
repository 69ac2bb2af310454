import Quantities
import Vocabulary

extension ProcessTable {
    /// How many apps the table has.
    public var appCount: Int { processes.count }
    /// How many of them have a process.
    public var residentApps: Int { liveCount }
    /// How many of those execute nothing.
    public var suspendedApps: Int { liveCount - executing.count }
    /// Memory that kills look at: file-backed and free pages.
    public var available: ByteCount { ByteCount(availableBytes) }
    /// Available memory as a share of the memory the kernel sees.
    public var availableShare: Double { available / memory.visible }
    /// When anything is due by the clock, `distantFuture` for nothing: call `age(at:)` then.
    ///
    /// Apps become idle and hear of pressure; with traits in the table much more may be due.
    public var nextAging: SimTime { isGoverned ? nextDeadline : min(nextAppAging, max(nextNotice, clock)) }

    var nextAppAging: SimTime {
        aging.head < 0 ? .distantFuture : processes[Int(aging.head)].bandSet + profile.agingDelay
    }

    /// The life-cycle state of an app.
    public func state(of app: AppID) -> ProcessState { processes[Int(app.index)].state }
    /// Whether an app has a process.
    public func isAlive(_ app: AppID) -> Bool { processes[Int(app.index)].isAlive }
    /// The band of an app's process; 0 when it has none.
    public func band(of app: AppID) -> Int16 { processes[Int(app.index)].band }
    /// Resident private memory plus compressed memory at full size.
    public func footprint(of app: AppID) -> ByteCount {
        ByteCount(processes[Int(app.index)].footprint + (isGoverned ? governance.controls[Int(app.index)].mapped : 0))
    }
    /// Resident private memory.
    public func resident(of app: AppID) -> ByteCount { ByteCount(processes[Int(app.index)].resident) }
    /// Compressed memory at full size.
    public func compressed(of app: AppID) -> ByteCount { ByteCount(processes[Int(app.index)].compressed) }
    /// The app's launch files that are cached, whether it runs or not.
    public func cachedFiles(of app: AppID) -> ByteCount { ByteCount(processes[Int(app.index)].files) }
    /// When the user last saw the app.
    public func lastForeground(of app: AppID) -> SimTime { processes[Int(app.index)].lastForeground }

    /// What opening the app would take now.
    public func launchKind(of app: AppID) -> LaunchKind {
        let record = processes[Int(app.index)]
        if record.isAlive { return record.state == .prewarmed ? .warm : .resume }
        let needed = memory.warmShare * Double(facts[Int(app.index)].launchFiles)
        return record.files > 0 && Double(record.files) >= needed ? .warm : .cold
    }

    /// What an eviction policy sees of a process.
    public func view(of app: AppID) -> EvictionCandidate {
        let record = processes[Int(app.index)]
        let facts = facts[Int(app.index)]
        return EvictionCandidate(
            app: app, band: record.band, state: record.state, footprint: ByteCount(record.footprint),
            resident: ByteCount(record.resident), bandSet: record.bandSet, launched: record.launched,
            lastForeground: record.lastForeground, opens: record.opens, relaunchTime: facts.relaunchTime,
            relaunchEnergy: facts.relaunchEnergy, nextOpen: record.nextOpen)
    }

    /// Where every byte is.
    public var accounts: MemoryAccounts {
        let systemFiles = max(0, min(memory.fileCacheMinimum.bytes + mappedFiles, availableBytes - appFiles))
        return MemoryAccounts(
            reserved: memory.reserved, wired: ByteCount(memory.wired.bytes + ballast + zoneGrowth),
            systemResident: ByteCount(systemResident + unownedBytes), appResident: ByteCount(appResident),
            compressorPool: ByteCount(systemPool + compressorBallastPool + appPool),
            fileBacked: ByteCount(appFiles + systemFiles),
            free: ByteCount(availableBytes - appFiles - systemFiles), purgeable: ByteCount(volatileBytes))
    }

    /// Totals up to an instant, which must not lie before the last change.
    public func statistics(at now: SimTime) -> ProcessStatistics {
        var result = totals
        result.add(now - clock, liveApps: liveCount, pressure: pressure)
        return result
    }
}
