import Quantities
import Vocabulary

/// The legal moves: not running to inactive or background, inactive to active and back, inactive to background,
/// background to suspended, both back; and from anywhere to not running. Anything else traps.
extension ProcessTable {
    /// Starts a process: for the user (inactive, in the foreground band) or for an event (background).
    ///
    /// The launch brings the app's files into the cache and may kill others; a launch in the background may even be
    /// killed at once, which `kills` then shows.
    @discardableResult
    public mutating func launch(
        _ app: AppID, foreground: Bool, footprint: ByteCount, at now: SimTime
    ) -> LaunchKind {
        begin(at: now)
        let index = Int(app.index)
        precondition(!processes[index].isAlive, "launch of app \(index), which is running")
        let kind = launchKind(of: app)
        if isGoverned {
            governance.controls[index] = ProcessControl()
            processes[index].band = -1
        }
        if kind == .warm { totals.warmLaunches += 1 } else { totals.coldLaunches += 1 }
        touchFiles(index)
        liveCount += 1
        processes[index].launched = now
        addExecuting(index)
        enter(index, foreground ? .inactive : .background, at: now)
        if foreground { noteOpen(index, at: now) }
        take(index, footprint.bytes, at: now)
        return kind
    }

    /// Inactive to active.
    public mutating func becomeActive(_ app: AppID, at now: SimTime) {
        begin(at: now)
        move(app, from: .inactive, to: .active)
        processes[Int(app.index)].lastForeground = now
    }

    /// Active to inactive: an interruption, a lock or the way to the background.
    public mutating func resignActive(_ app: AppID, at now: SimTime) {
        begin(at: now)
        move(app, from: .active, to: .inactive)
        processes[Int(app.index)].lastForeground = now
    }

    /// Inactive to background; an app that plays audio takes the audio band.
    public mutating func enterBackground(_ app: AppID, audio: Bool = false, at now: SimTime) {
        begin(at: now)
        move(app, from: .inactive, to: .background)
        processes[Int(app.index)].lastForeground = now
        hold(Int(app.index), audio ? profile.audioBand : profile.workingBand, at: now)
        settle(at: now)
    }

    /// Background to suspended: it executes no more, ages for a while and is then idle.
    public mutating func suspend(_ app: AppID, at now: SimTime) {
        begin(at: now)
        move(app, from: .background, to: .suspended)
        let index = Int(app.index)
        removeExecuting(index)
        compressible.moveToTail(index)
        if isGoverned {
            reclaimDeferred(index)
            governance.controls[index].hasAssertion = false
            resolve(index, at: now)
        } else {
            setBand(index, profile.justLeftBand, at: now)
            aging.moveToTail(index)
        }
        settle(at: now)
    }

    /// Suspended to inactive or background, or background to inactive; part of its compressed memory comes back.
    public mutating func resume(_ app: AppID, foreground: Bool, at now: SimTime) {
        begin(at: now)
        let index = Int(app.index)
        let old = processes[index].state
        precondition(
            old == .suspended || (old == .background && foreground), "resume of app \(index), which is \(old)")
        if old == .suspended {
            compressible.remove(index)
            aging.remove(index)
            addExecuting(index)
            noteThaw(index, at: now)
        }
        totals.resumes += 1
        enter(index, foreground ? .inactive : .background, at: now)
        if foreground { noteOpen(index, at: now) }
        touchFiles(index)
        decompress(
            index, share: foreground ? memory.foregroundDecompressedShare : memory.backgroundDecompressedShare)
        settle(at: now)
    }

    /// Ends a process for a reason that is not jetsam's; its launch files stay cached.
    public mutating func terminate(_ app: AppID, _ category: ExitCategory, at now: SimTime) {
        begin(at: now)
        let index = Int(app.index)
        precondition(processes[index].isAlive, "end of app \(index), which is not running")
        end(index, category)
        settle(at: now)
    }

    /// Moves a process to a band, always to the tail of its queue, for instance for an assertion.
    public mutating func setBand(of app: AppID, to band: Int16, at now: SimTime) {
        begin(at: now)
        precondition(processes[Int(app.index)].isAlive, "band of app \(app.index), which is not running")
        aging.remove(Int(app.index))
        hold(Int(app.index), band, at: now)
        settle(at: now)
    }

    /// Tells when the user opens the app next; shown to oracles only.
    public mutating func setNextOpen(of app: AppID, to time: SimTime) {
        processes[Int(app.index)].nextOpen = time
        markStale(Int(app.index))
    }

    /// Makes apps idle whose ageing is over; call it at `nextAging`, because no other call does it.
    public mutating func age(at now: SimTime) {
        begin(at: now)
        while aging.head >= 0, nextAppAging <= now {
            let index = Int(aging.head)
            aging.remove(index)
            setBand(index, profile.idleBand, at: now)
        }
        if isGoverned { passDeadlines(at: now) }
        settle(at: now)
    }
}

extension ProcessTable {
    /// Opens a change: the totals are brought up to the instant.
    mutating func begin(at now: SimTime) {
        precondition(now >= clock, "a change before the last one")
        if now > clock { totals.add(now - clock, liveApps: liveCount, pressure: pressure) }
        clock = now
    }

    mutating func setBand(_ index: Int, _ band: Int16, at now: SimTime) {
        bandSets += 1
        let old = processes[index].band
        processes[index].band = band
        processes[index].bandSet = now
        processes[index].sequence = bandSets
        if isGoverned { noteBand(index, from: old, at: now) }
        markStale(index)
    }

    private mutating func enter(_ index: Int, _ state: ProcessState, at now: SimTime) {
        processes[index].state = state
        hold(index, state.isForeground ? profile.foregroundBand : profile.workingBand, at: now)
    }

    /// Sets the band of what an app does, as an assertion when assertions are kept.
    private mutating func hold(_ index: Int, _ band: Int16, at now: SimTime) {
        guard isGoverned else { return setBand(index, band, at: now) }
        governance.controls[index].hasAssertion = true
        governance.controls[index].asserted = band
        resolve(index, at: now)
    }

    private mutating func move(_ app: AppID, from old: ProcessState, to new: ProcessState) {
        let index = Int(app.index)
        let state = processes[index].state
        precondition(state == old, "app \(index) is \(state) and cannot become \(new)")
        processes[index].state = new
        markStale(index)
    }

    private mutating func noteOpen(_ index: Int, at now: SimTime) {
        processes[index].lastForeground = now
        processes[index].opens += 1
        policy.didOpen(AppID(index), at: now)
    }

    /// Takes a process away; its memory is free and its files stay cached.
    mutating func end(_ index: Int, _ category: ExitCategory) {
        let inForeground = processes[index].state.isForeground
        totals.exits[2 * Int(category.rawValue) + (inForeground ? 1 : 0)] += 1
        if isGoverned { ungovern(index) }
        setMemory(index, resident: 0, compressed: 0)
        compressible.remove(index)
        aging.remove(index)
        removeExecuting(index)
        removeFromHeap(index)
        liveCount -= 1
        processes[index].state = .notRunning
        processes[index].band = 0
    }

    mutating func addExecuting(_ index: Int) {
        processes[index].executing = Int32(executing.count)
        executing.append(Int32(index))
    }

    mutating func removeExecuting(_ index: Int) {
        let place = Int(processes[index].executing)
        guard place >= 0 else { return }
        processes[index].executing = -1
        let last = executing.removeLast()
        guard Int(last) != index else { return }
        executing[place] = last
        processes[Int(last)].executing = Int32(place)
    }
}
