// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Structures
import Vocabulary

/// Requests for bands and limits; `ProcessTable+Bands.swift` combines simultaneous requests.
extension ProcessTable {
    /// Band of processes that request no band (`JETSAM_PRIORITY_DEFAULT`).
    static var defaultBand: Int16 { 180 }

    /// Starts a process with traits.
    ///
    /// A tracked process starts clean; if it may exit when idle, it starts to age at once.
    public mutating func spawn(_ app: AppID, _ traits: ProcessTraits, footprint: ByteCount, at now: SimTime) {
        advance(to: now)
        let index = Int(app.index)
        guard !processes[index].isAlive else { fatalError("cannot start app \(index): it is already running") }
        processes[index].launched = now
        apply(index, .launchInBackground, at: now)
        adopt(index, traits)
        coalitions.insert(index, in: traits.coalition)
        enterBand(index, traits.band, at: now)
        if traits.isTracked { resolve(index, at: now) }
        grow(index, to: footprint.bytes, at: now)
    }

    /// Replaces the program of a process (`execve`): a new process takes over its identifier.
    ///
    /// The new process is in the default band with the device's limit and without dirty tracking, like a process that
    /// is spawned without attributes. It keeps only the relaunch record and the coalition (`forkproc` and `cloneproc`
    /// in xnu `bsd/kern/kern_fork.c`).
    public mutating func execute(_ app: AppID, footprint: ByteCount, at now: SimTime) -> RequestError? {
        advance(to: now)
        let index = Int(app.index)
        guard processes[index].isAlive else { return .notFound }
        var traits = ProcessTraits()
        traits.isManaged = false
        traits.band = Self.defaultBand
        traits.relaunch = processes[index].relaunch
        traits.coalition = controls[index].coalition
        end(index, .normal, isOrderly: false, at: now)
        spawn(app, traits, footprint: footprint, at: now)
        return nil
    }

    /// Requests a band without an assertion (`memorystatus_set_priority`).
    ///
    /// Band -1 means the default band. Band -2 means the head of band 0 or, if the process ages first, the head of its
    /// ageing band. A request for 1 to 20 becomes band 0 without ageing, unless an entitlement allows 1 to 9. This also
    /// applies to pinned and frozen processes.
    public mutating func request(band: Int, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            guard (-2...210).contains(band) else { return .refused(.invalid) }
            if band == -2 {
                table.processes[index].requested = table.profile.idleBand
                table.setPriority(index, table.profile.idleBand, atHead: true, at: now)
                return .made
            }
            let isInternal = (1...9).contains(band) && table.controls[index].mayUseInternalBands
            let isForbidden = (1...20).contains(band) && !isInternal
            let granted = band == -1 ? Self.defaultBand : Int16(isForbidden ? 0 : band)
            table.processes[index].requested = granted
            table.setPriority(index, granted, ages: !isForbidden, at: now)
            return .made
        }
    }

    /// Requests a band with the flags of the kernel's call (`memorystatus_set_priority`).
    ///
    /// Flag 1 means an assertion. Undefined flags are refused before any other check.
    public mutating func setPriority(_ band: Int, flags: UInt32, of app: AppID, at now: SimTime) -> RequestError? {
        guard flags & ~1 == 0 else { return .invalid }
        if flags == 0 { return request(band: band, of: app, at: now) }
        return band == 0 ? dropAssertion(of: app, at: now) : assert(band: band, of: app, at: now)
    }

    /// Sets the band of the assertions on a managed process.
    public mutating func assert(band: Int, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            guard (0...210).contains(band) else { return .refused(.invalid) }
            guard table.processes[index].isManaged else { return .refused(.notPermitted) }
            table.setAssertion(index, Int16(band), at: now)
            return .made
        }
    }

    /// Drops the assertions on a managed process, if there are any.
    public mutating func dropAssertion(of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            guard table.processes[index].isManaged else { return .refused(.notPermitted) }
            table.setAssertion(index, table.profile.idleBand, at: now)
            return .made
        }
    }

    /// Records that a process begins or ends work that must not be lost.
    public mutating func setDirty(_ isDirty: Bool, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            guard table.processes[index].isTracked else { return .refused(.invalid) }
            guard table.processes[index].isDirty != isDirty else { return .none }
            table.processes[index].isDirty = isDirty
            table.resolve(index, at: now)
            return .made
        }
    }

    /// Enables dirty tracking for a process.
    public mutating func track(_ app: AppID, allowsIdleExit: Bool, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            table.processes[index].isTracked = true
            table.processes[index].allowsIdleExit = allowsIdleExit
            table.resolve(index, at: now)
            return .made
        }
    }

    /// Sets both limits; a limit of the device's size is always fatal.
    public mutating func setLimits(
        active: MemoryLimit, inactive: MemoryLimit, of app: AppID, at now: SimTime
    ) -> RequestError? {
        change(app, at: now) { table, index in
            table.controls[index].activeLimit = active
            table.controls[index].inactiveLimit = inactive
            table.processes[index].hasOwnLimits = true
            table.updateLimit(index)
            return .made
        }
    }

    /// Pins a process to the elevated band while it is inactive, or ends the pinning.
    public mutating func setElevated(_ isElevated: Bool, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            table.processes[index].isElevated = isElevated
            if isElevated {
                table.setPriority(index, table.processes[index].band, at: now)
            } else if table.processes[index].band == table.profile.elevatedBand {
                table.resolve(index, at: now)
            }
            return .made
        }
    }

    /// Adds or removes another process's importance assertion, which delays the end of ageing.
    public mutating func setImportance(_ isHeld: Bool, of app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            table.controls[index].hasImportance = isHeld
            return .none
        }
    }

    /// Stops a process but leaves it in its band, unlike a suspension.
    public mutating func pause(_ app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            guard table.processes[index].state == .background else { return .refused(.notFound) }
            table.apply(index, .suspend, at: now)
            table.compressor.compressible.append(index)
            table.reclaimDeferred(index)
            return .made
        }
    }

    /// Lets a stopped process run again in its band; a frozen process is thawed.
    public mutating func unpause(_ app: AppID, at now: SimTime) -> RequestError? {
        change(app, at: now) { table, index in
            guard table.processes[index].state == .suspended else { return .refused(.notFound) }
            table.apply(index, .resumeInBackground, at: now)
            table.compressor.release(index)
            table.recordThaw(index)
            table.decompressPages(index, share: table.memory.backgroundDecompressedShare)
            return .made
        }
    }
}

extension ProcessTable {
    /// Result of a request.
    enum Change {
        /// A change that can require balancing memory.
        case made
        /// No change that requires a reaction.
        case none
        case refused(RequestError)
    }

    /// Changes a living process at an instant and balances memory; returns the error if the change is refused.
    mutating func change(
        _ app: AppID, at now: SimTime, checksLimit: Bool = false, _ body: (inout ProcessTable, Int) -> Change
    ) -> RequestError? {
        advance(to: now)
        let index = Int(app.index)
        guard processes[index].isAlive else { return .notFound }
        switch body(&self, index) {
        case .refused(let error): return error
        case .none: return nil
        case .made:
            if !checksLimit || !killAtLimit(index, at: now) { rebalance(at: now) }
            return nil
        }
    }
}
