import LifeCycle
import Quantities
import Vocabulary

/// Requests for bands, and the resolution of what holds at the same time (`memorystatus_set_priority`,
/// `memstat_update_priority_locked`): requested band, assertion, dirtiness, pinning and freezing.
extension ProcessTable {
    /// Starts a process with traits; from the first one on the table is governed by the rules for traits.
    ///
    /// A tracked process starts clean, so one that may go when idle starts to age at once.
    public mutating func spawn(_ app: AppID, _ traits: ProcessTraits, footprint: ByteCount, at now: SimTime) {
        govern()
        begin(at: now)
        let index = Int(app.index)
        precondition(!processes[index].isAlive, "spawn of app \(index), which is running")
        governance.controls[index] = ProcessControl(traits)
        liveCount += 1
        processes[index].launched = now
        processes[index].life.apply(.launchInBackground)
        addExecuting(index)
        processes[index].band = -1
        governance.coalitions.insert(index, in: traits.coalition)
        setBand(index, traits.band, at: now)
        if traits.isTracked { resolve(index, at: now) }
        take(index, footprint.bytes, at: now)
    }

    /// Asks for a band without an assertion; -1 is the default band, -2 the head of band 0.
    ///
    /// A request for 1 to 20 becomes band 0 without ageing, as long as no entitlement allows 1 to 9.
    public mutating func request(band: Int, of app: AppID, at now: SimTime) -> RequestError? {
        guard let index = governed(app, at: now) else { return .notFound }
        guard (-2...210).contains(band) else { return .invalid }
        var band = band == -1 ? 180 : band
        let isInternal = (1...9).contains(band) && governance.controls[index].traits.mayUseInternalBands
        var ages = true
        if (1...20).contains(band), !isInternal {
            band = 0
            ages = false
        }
        if band == -2 {
            putAtHead(index, at: now)
        } else {
            governance.controls[index].requested = Int16(band)
            let control = governance.controls[index]
            if control.isTracked || band == 0 {
                resolve(index, ages: ages, at: now)
            } else {
                place(index, Int16(band), at: now)
            }
        }
        settle(at: now)
        return nil
    }

    /// Asks for a band with the flags of the kernel's call (`memorystatus_set_priority`): 1 is an assertion; undefined
    /// ones are turned down before anything else is looked at.
    public mutating func setPriority(_ band: Int, flags: UInt32, of app: AppID, at now: SimTime) -> RequestError? {
        guard flags & ~1 == 0 else { return .invalid }
        if flags == 0 { return request(band: band, of: app, at: now) }
        return band == 0 ? dropAssertion(of: app, at: now) : assert(band: band, of: app, at: now)
    }

    /// Sets the band of the assertions on a managed process.
    public mutating func assert(band: Int, of app: AppID, at now: SimTime) -> RequestError? {
        guard let index = governed(app, at: now) else { return .notFound }
        guard (0...210).contains(band) else { return .invalid }
        guard governance.controls[index].traits.isManaged else { return .notPermitted }
        governance.controls[index].hasAssertion = true
        governance.controls[index].asserted = Int16(band)
        resolve(index, at: now)
        settle(at: now)
        return nil
    }

    /// Drops the assertions on a managed process, whether there were any or not.
    public mutating func dropAssertion(of app: AppID, at now: SimTime) -> RequestError? {
        guard let index = governed(app, at: now) else { return .notFound }
        guard governance.controls[index].traits.isManaged else { return .notPermitted }
        governance.controls[index].hasAssertion = false
        governance.controls[index].asserted = 0
        resolve(index, at: now)
        settle(at: now)
        return nil
    }

    /// A process begins or ends work that must not be lost.
    public mutating func setDirty(_ isDirty: Bool, of app: AppID, at now: SimTime) -> RequestError? {
        guard let index = governed(app, at: now) else { return .notFound }
        guard governance.controls[index].isTracked else { return .invalid }
        guard governance.controls[index].isDirty != isDirty else { return nil }
        governance.controls[index].isDirty = isDirty
        resolve(index, at: now)
        settle(at: now)
        return nil
    }

    /// A process opts into dirty tracking.
    public mutating func track(_ app: AppID, allowsIdleExit: Bool, at now: SimTime) -> RequestError? {
        guard let index = governed(app, at: now) else { return .notFound }
        governance.controls[index].traits.isTracked = true
        governance.controls[index].traits.allowsIdleExit = allowsIdleExit
        resolve(index, at: now)
        settle(at: now)
        return nil
    }

    /// Sets both limits; a limit of the device's size is always fatal.
    public mutating func setLimits(
        active: MemoryLimit, inactive: MemoryLimit, of app: AppID, at now: SimTime
    ) -> RequestError? {
        guard let index = governed(app, at: now) else { return .notFound }
        governance.controls[index].traits.activeLimit = active
        governance.controls[index].traits.inactiveLimit = inactive
        recheckLimit(index)
        settle(at: now)
        return nil
    }

    /// Pins a process to the elevated band while it does nothing, or ends that.
    public mutating func setElevated(_ isElevated: Bool, of app: AppID, at now: SimTime) -> RequestError? {
        guard let index = governed(app, at: now) else { return .notFound }
        governance.controls[index].isElevated = isElevated
        if isElevated {
            place(index, processes[index].band, at: now)
        } else if processes[index].band == profile.elevatedBand {
            resolve(index, at: now)
        }
        settle(at: now)
        return nil
    }

    /// Another process takes or gives back an importance assertion, which holds up the end of ageing.
    public mutating func setImportance(_ isHeld: Bool, of app: AppID, at now: SimTime) -> RequestError? {
        guard let index = governed(app, at: now) else { return .notFound }
        governance.controls[index].hasImportance = isHeld
        return nil
    }

    /// Stops a process without moving it to another band, as a suspension alone does.
    public mutating func pause(_ app: AppID, at now: SimTime) -> RequestError? {
        guard let index = governed(app, at: now), processes[index].state == .background else { return .notFound }
        go(index, .suspend, at: now)
        removeExecuting(index)
        compressible.moveToTail(index)
        reclaimDeferred(index)
        markStale(index)
        settle(at: now)
        return nil
    }

    /// Lets a stopped process run again without moving it; a frozen one thaws.
    public mutating func unpause(_ app: AppID, at now: SimTime) -> RequestError? {
        guard let index = governed(app, at: now), processes[index].state == .suspended else { return .notFound }
        go(index, .resumeInBackground, at: now)
        compressible.remove(index)
        addExecuting(index)
        noteThaw(index, at: now)
        decompress(index, share: memory.backgroundDecompressedShare)
        settle(at: now)
        return nil
    }
}

extension ProcessTable {
    /// Makes room for traits; processes that live are apps.
    mutating func govern() {
        guard !isGoverned else { return }
        isGoverned = true
        governance = Governance(capacity: processes.count, ram: memory.ram)
        if let rules = profile.freezer { startInterval(rules, at: clock) }
        for index in processes.indices where processes[index].isAlive {
            let isHeld = processes[index].state.executes
            governance.controls[index].hasAssertion = isHeld
            governance.controls[index].asserted = isHeld ? processes[index].band : 0
            governance.controls[index].entered = processes[index].bandSet
            noteBand(index, from: -1, at: processes[index].bandSet)
            recheckLimit(index)
        }
    }

    /// The index of a live process of a governed table.
    private mutating func governed(_ app: AppID, at now: SimTime) -> Int? {
        govern()
        begin(at: now)
        let index = Int(app.index)
        return processes[index].isAlive ? index : nil
    }

    /// Puts a process where its requests, assertions and dirtiness want it.
    mutating func resolve(_ index: Int, ages: Bool = true, at now: SimTime) {
        let control = governance.controls[index]
        if control.isTracked {
            if !control.mayIdle {
                let asserted = control.hasAssertion ? control.asserted : 0
                place(index, max(control.requested, asserted), at: now)
            } else if control.hasAssertion {
                place(index, control.asserted, at: now)
            } else {
                retire(index, ages: ages, at: now)
            }
        } else if control.hasAssertion {
            place(index, control.asserted, at: now)
        } else if control.traits.isManaged || control.requested <= profile.idleBand {
            retire(index, ages: ages, at: now)
        } else {
            place(index, control.requested, at: now)
        }
    }

    /// Puts a process into a band, or into a higher one when it is pinned or frozen; always at the tail.
    mutating func place(_ index: Int, _ wanted: Int16, at now: SimTime) {
        let control = governance.controls[index]
        var band = wanted
        if control.isElevated, band <= profile.elevatedBand { band = profile.elevatedBand }
        if control.isFrozen, !control.isDemoted, band <= profile.frozenBand { band = profile.frozenBand }
        aging.remove(index)
        governance.agingDaemons.remove(index)
        governance.stuck.remove(index)
        setBand(index, band, at: now)
    }

    /// Sends a process towards band 0, through its ageing band unless it is idle already.
    mutating func retire(_ index: Int, ages: Bool, at now: SimTime) {
        let control = governance.controls[index]
        let isPinned = control.isElevated || (control.isFrozen && !control.isDemoted)
        guard ages, !isPinned, processes[index].band > profile.idleBand else {
            return place(index, profile.idleBand, at: now)
        }
        if control.isTracked {
            place(index, profile.daemonAgingBand, at: now)
            governance.controls[index].deadline = now + agingDelay(index)
            governance.agingDaemons.moveToTail(index)
        } else if control.traits.isManaged {
            place(index, profile.justLeftBand, at: now)
            aging.moveToTail(index)
        } else {
            place(index, profile.idleBand, at: now)
        }
    }

    /// Makes a process the next of band 0 to die.
    mutating func putAtHead(_ index: Int, at now: SimTime) {
        place(index, profile.idleBand, at: now)
        headSets -= 1
        processes[index].sequence = headSets
        governance.queues.remove(index, from: processes[index].band)
        governance.queues.prepend(index, to: processes[index].band)
        recheckLimit(index)
        markStale(index)
    }

    func agingDelay(_ index: Int) -> SimDuration {
        switch governance.controls[index].traits.relaunch {
        case .unknown, .low: profile.daemonAging[0]
        case .medium: profile.daemonAging[1]
        case .high: profile.daemonAging[2]
        }
    }
}
