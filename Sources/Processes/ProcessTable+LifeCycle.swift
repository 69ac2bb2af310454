import LifeCycle
import Quantities
import Vocabulary

/// The moves of `LifeCycleMachine` with what they mean for bands and memory; an illegal one traps.
extension ProcessTable {
    /// Starts a process: for the user (inactive, in the foreground band) or for an event (background).
    ///
    /// The launch brings the app's files into the cache and may kill others; a launch in the background may even be
    /// killed at once, which `kills` then shows. A prewarmed process goes on from where it stands.
    @discardableResult
    public mutating func launch(
        _ app: AppID, foreground: Bool, window: Int = 0, footprint: ByteCount, at now: SimTime
    ) -> LaunchKind {
        begin(at: now)
        let index = Int(app.index)
        let kind = launchKind(of: app)
        let isPrewarmed = processes[index].isAlive
        go(index, foreground ? .launch(window: window) : .launchInBackground, at: now)
        if isPrewarmed {
            compressible.remove(index)
            aging.remove(index)
        } else if isGoverned {
            governance.controls[index] = ProcessControl()
            processes[index].band = -1
        }
        if kind == .warm { totals.warmLaunches += 1 } else { totals.coldLaunches += 1 }
        touchFiles(index)
        if !isPrewarmed { liveCount += 1 }
        processes[index].launched = now
        addExecuting(index)
        hold(index, foreground ? profile.foregroundBand : profile.workingBand, at: now)
        if foreground { noteOpen(index, at: now) }
        take(index, footprint.bytes, at: now)
        return kind
    }

    /// A window on screen goes from inactive to active.
    public mutating func becomeActive(_ app: AppID, window: Int = 0, at now: SimTime) {
        begin(at: now)
        go(Int(app.index), .becomeActive(window: window), at: now)
        processes[Int(app.index)].lastForeground = now
    }

    /// Active to inactive: an interruption, a lock or the way to the background.
    public mutating func resignActive(_ app: AppID, window: Int = 0, at now: SimTime) {
        begin(at: now)
        go(Int(app.index), .resignActive(window: window), at: now)
        processes[Int(app.index)].lastForeground = now
    }

    /// Inactive to background; an app that plays audio takes the audio band.
    ///
    /// As long as another window is on screen, only the window moves.
    public mutating func enterBackground(_ app: AppID, window: Int = 0, audio: Bool = false, at now: SimTime) {
        begin(at: now)
        go(Int(app.index), .enterBackground(window: window), at: now)
        processes[Int(app.index)].lastForeground = now
        guard processes[Int(app.index)].state == .background else { return }
        hold(Int(app.index), audio ? profile.audioBand : profile.workingBand, at: now)
        settle(at: now)
    }

    /// Background to suspended: it executes no more, ages for a while and is then idle.
    public mutating func suspend(_ app: AppID, at now: SimTime) {
        begin(at: now)
        let index = Int(app.index)
        go(index, .suspend, at: now)
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
    ///
    /// A window that was not connected connects; beside others it takes memory of its own.
    public mutating func resume(_ app: AppID, foreground: Bool, window: Int = 0, at now: SimTime) {
        begin(at: now)
        let index = Int(app.index)
        let wasSuspended = processes[index].state == .suspended
        let isFurther = foreground && isFurther(window, of: index)
        go(index, foreground ? .enterForeground(window: window) : .resumeInBackground, at: now)
        if wasSuspended {
            compressible.remove(index)
            aging.remove(index)
            addExecuting(index)
            noteThaw(index, at: now)
        }
        totals.resumes += 1
        hold(index, foreground ? profile.foregroundBand : profile.workingBand, at: now)
        if foreground { noteOpen(index, at: now) }
        touchFiles(index)
        decompress(
            index, share: foreground ? memory.foregroundDecompressedShare : memory.backgroundDecompressedShare)
        settle(at: now)
        if isFurther, facts[index].windowMemory > 0, processes[index].isAlive {
            take(index, processes[index].footprint + facts[index].windowMemory, at: now)
        }
    }

    /// Ends a process for a reason that is not jetsam's; its launch files stay cached.
    ///
    /// A normal end is an orderly one: a process that can execute is told of it.
    public mutating func terminate(_ app: AppID, _ category: ExitCategory, at now: SimTime) {
        begin(at: now)
        let index = Int(app.index)
        precondition(processes[index].isAlive, "end of app \(index), which is not running")
        end(index, category, isOrderly: category == .normal, at: now)
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
        if nextNotice <= now { passNotices(at: now) }
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

    /// Sets the band of what an app does, as an assertion when assertions are kept.
    mutating func hold(_ index: Int, _ band: Int16, at now: SimTime) {
        guard isGoverned else { return setBand(index, band, at: now) }
        governance.controls[index].hasAssertion = true
        governance.controls[index].asserted = band
        resolve(index, at: now)
    }

    /// The only place where the state of a process or window changes; an illegal move traps.
    mutating func go(_ index: Int, _ move: LifeCycleMove, at now: SimTime) {
        if recordsCallbacks { callbacks += callbacks(of: move, index, at: now) }
        processes[index].life.apply(move)
        markStale(index)
    }

    mutating func noteOpen(_ index: Int, at now: SimTime) {
        processes[index].lastForeground = now
        processes[index].opens += 1
        policy.didOpen(AppID(index), at: now)
    }

    /// Takes a process away; its memory is free and its files stay cached.
    mutating func end(_ index: Int, _ category: ExitCategory, isOrderly: Bool, at now: SimTime) {
        let inForeground = processes[index].state.isForeground
        totals.exits[2 * Int(category.rawValue) + (inForeground ? 1 : 0)] += 1
        if isGoverned { ungovern(index) }
        setMemory(index, resident: 0, compressed: 0)
        compressible.remove(index)
        aging.remove(index)
        removeExecuting(index)
        removeFromHeap(index)
        liveCount -= 1
        go(index, .end(isOrderly: isOrderly), at: now)
        processes[index].band = 0
        processes[index].told = .normal
        processes[index].toldRound = 0
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
