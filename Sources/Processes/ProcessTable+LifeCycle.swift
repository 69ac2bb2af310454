// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Structures
import Vocabulary

/// The moves of `LifeCycleMachine`, with their effects on bands and memory; an illegal move traps.
extension ProcessTable {
    /// Starts a process: for the user (inactive, in the foreground band) or for an event (background).
    ///
    /// The launch reads the app's files into the cache and can kill other processes. A launch in the background can
    /// itself be killed at once; `kills` then contains it. A prewarmed process continues from its present state.
    @discardableResult
    public mutating func launch(
        _ app: AppID, foreground: Bool, window: Int = 0, footprint: ByteCount, at now: SimTime
    ) -> LaunchKind {
        advance(to: now)
        let index = Int(app.index)
        let kind = launchKind(of: app)
        let isPrewarmed = processes[index].isAlive
        apply(index, foreground ? .launch(window: window) : .launchInBackground, at: now)
        if isPrewarmed {
            compressor.release(index)
            bands.endAging(index)
        } else {
            adopt(index, ProcessTraits())
            if index < swappableApps { controls[index].isSwappable = true }
        }
        if kind == .warm { totals.warmLaunches += 1 } else { totals.coldLaunches += 1 }
        readFiles(index)
        processes[index].launched = now
        setAssertion(index, foreground ? profile.foregroundBand : profile.workingBand, at: now)
        if foreground { recordOpen(index, at: now) }
        grow(index, to: footprint.bytes, at: now)
        return kind
    }

    /// Moves a window on screen from inactive to active.
    public mutating func becomeActive(_ app: AppID, window: Int = 0, at now: SimTime) {
        advance(to: now)
        apply(Int(app.index), .becomeActive(window: window), at: now)
        processes[Int(app.index)].lastForeground = now
    }

    /// Moves an app from active to inactive, because of an interruption, a lock or a move to the background.
    public mutating func resignActive(_ app: AppID, window: Int = 0, at now: SimTime) {
        advance(to: now)
        apply(Int(app.index), .resignActive(window: window), at: now)
        processes[Int(app.index)].lastForeground = now
    }

    /// Moves an app from inactive to background; an app that plays audio takes the audio band.
    ///
    /// While another window of the app is on screen, only `window` moves, and the app keeps its state.
    public mutating func enterBackground(_ app: AppID, window: Int = 0, audio: Bool = false, at now: SimTime) {
        advance(to: now)
        apply(Int(app.index), .enterBackground(window: window), at: now)
        processes[Int(app.index)].lastForeground = now
        guard processes[Int(app.index)].state == .background else { return }
        setAssertion(Int(app.index), audio ? profile.audioBand : profile.workingBand, at: now)
        rebalance(at: now)
    }

    /// Moves an app from background to suspended: it no longer executes, ages for some time and is then idle.
    public mutating func suspend(_ app: AppID, at now: SimTime) {
        advance(to: now)
        let index = Int(app.index)
        apply(index, .suspend, at: now)
        compressor.compressible.append(index)
        reclaimDeferred(index)
        processes[index].hasAssertion = false
        resolve(index, at: now)
        rebalance(at: now)
    }

    /// Moves an app from suspended to inactive or background, or from background to inactive.
    ///
    /// Part of its compressed memory comes back. A window that is not connected is connected; if other windows are
    /// connected, it takes additional memory.
    public mutating func resume(_ app: AppID, foreground: Bool, window: Int = 0, at now: SimTime) {
        advance(to: now)
        let index = Int(app.index)
        let wasSuspended = processes[index].state == .suspended
        let isFurther = foreground && isFurther(window, of: index)
        apply(index, foreground ? .enterForeground(window: window) : .resumeInBackground, at: now)
        if wasSuspended {
            compressor.release(index)
            bands.endAging(index)
            recordThaw(index)
        }
        totals.resumes += 1
        setAssertion(index, foreground ? profile.foregroundBand : profile.workingBand, at: now)
        if foreground { recordOpen(index, at: now) }
        readFiles(index, share: memory.resumeFilesShare)
        let back =
            foreground ? touchHotPages(index) : decompressPages(index, share: memory.backgroundDecompressedShare)
        if freezing == .refaulting, !foreground { controls[index].refaulted += back }
        rebalance(at: now)
        if isFurther, facts[index].windowMemory > 0, processes[index].isAlive {
            grow(index, to: processes[index].footprint + facts[index].windowMemory, at: now)
        }
    }

    /// Ends a process for a reason other than jetsam; its launch files stay cached.
    ///
    /// If the end is normal, a process that can execute is notified before it ends.
    public mutating func terminate(_ app: AppID, _ category: ExitCategory, at now: SimTime) {
        advance(to: now)
        let index = Int(app.index)
        guard processes[index].isAlive else { fatalError("cannot end app \(index): it is not running") }
        if category.leavesReport { keepCorpse(of: index, at: now) }
        end(index, category, isOrderly: category == .normal, at: now)
        rebalance(at: now)
    }

    /// Moves a process to the tail of a band's queue, for instance for an assertion.
    public mutating func setBand(of app: AppID, to band: Int16, at now: SimTime) {
        advance(to: now)
        guard processes[Int(app.index)].isAlive else {
            fatalError("cannot set the band of app \(app.index): it is not running")
        }
        (processes[Int(app.index)].hasAssertion, processes[Int(app.index)].asserted) = (true, band)
        setPriority(Int(app.index), band, ages: false, at: now)
        rebalance(at: now)
    }

    /// Sets the time of the user's next open of the app.
    ///
    /// Only oracles read this time.
    public mutating func setNextOpen(of app: AppID, to time: SimTime) {
        processes[Int(app.index)].nextOpen = time
        markStale(Int(app.index))
    }

    /// Records the beginning of work in a process that users cannot open.
    ///
    /// Policies treat this like an open of an app.
    public mutating func recordUse(of app: AppID, at now: SimTime) {
        advance(to: now)
        recordOpen(Int(app.index), at: now)
        markStale(Int(app.index))
    }

    /// Does all timed work that is due; for instance, apps that have finished ageing become idle.
    ///
    /// Call this function at `nextAging`, because no other function does this work.
    public mutating func age(at now: SimTime) {
        advance(to: now)
        if corpses.next <= now { releaseCorpses(until: now) }
        // Each kind of work is checked here first, because mostly only one kind is due.
        if nextAppAging <= now { endAppAging(at: now) }
        if isDue(bands.first(.daemon), at: now) { endDaemonAging(at: now) }
        if isDue(bands.first(.stuck), at: now) { endStuck(at: now) }
        if pressureWatch.nextKill <= now { killForSustainedPressure(at: now) }
        if profile.freezer != nil, min(freezer.intervalEnd, freezer.nextRun) <= now { runFreezer(at: now) }
        if nextWriteback <= now { writeBack(at: now) }
        if notices.due <= now { runNotices(at: now) }
        rebalance(at: now)
    }

    @inline(__always)
    private func isDue(_ index: Int?, at now: SimTime) -> Bool {
        index.map { controls[$0].deadline <= now } ?? false
    }
}

extension ProcessTable {
    mutating func recordOpen(_ index: Int, at now: SimTime) {
        processes[index].lastForeground = now
        processes[index].opens += 1
        tellOpen(index, at: now)
    }

    /// Notifies the policies that learn from opens of an app.
    @inline(__always)
    mutating func tellOpen(_ index: Int, at now: SimTime) {
        if ranking.ranks(isSystem: facts[index].isSystem) { ranking.policy.didOpen(AppID(index), at: now) }
        if learnsFromOpens { noteOpenForCompression(index, at: now) }
    }
}
