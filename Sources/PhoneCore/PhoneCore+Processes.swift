// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

/// Changes of processes by behaviours.
///
/// Each call can make memory short; the policy then kills another process or the process of the call. Each call
/// therefore returns whether its process is alive, and does nothing for a dead process. The consequences of a kill
/// follow later (`applyDeaths`).
extension PhoneCore {
    /// Launches an app; the launch can kill the app at once.
    package mutating func launch(
        _ app: AppID, foreground: Bool, window: Int = 0, footprint: ByteCount
    ) -> (kind: LaunchKind, lives: Bool) {
        let kind = processes.launch(app, foreground: foreground, window: window, footprint: footprint, at: now)
        return (kind, processes.isAlive(app))
    }

    /// Brings a process to the screen or to work in the background; returns false if the process is dead.
    package mutating func resume(_ app: AppID, foreground: Bool, window: Int = 0) -> Bool {
        change(app) { $0.resume(app, foreground: foreground, window: window, at: $1) }
    }

    /// Removes a window of an app from the screen; returns false if the process is dead.
    package mutating func enterBackground(_ app: AppID, window: Int, audio: Bool) -> Bool {
        change(app) { $0.enterBackground(app, window: window, audio: audio, at: $1) }
    }

    /// Suspends a process without the life cycle of an app; returns false if the process is dead.
    package mutating func stop(_ process: AppID) -> Bool { change(process) { $0.suspend(process, at: $1) } }

    /// Sets the footprint of a process; returns false if the process is dead.
    package mutating func setFootprint(of process: AppID, to footprint: ByteCount) -> Bool {
        change(process) { $0.setFootprint(of: process, to: footprint, at: $1) }
    }

    /// Compresses a share of a process's pages, as if they had become cold; returns false if the process is dead.
    package mutating func compressColdPages(of process: AppID, share: Double) -> Bool {
        change(process) { $0.compressColdPages(of: process, share: share, at: $1) }
    }

    /// Starts a daemon or a helper; returns false if the process is dead afterwards.
    package mutating func spawn(_ process: AppID, _ traits: ProcessTraits, footprint: ByteCount) -> Bool {
        processes.spawn(process, traits, footprint: footprint, at: now)
        return processes.isAlive(process)
    }

    /// Starts an app's process before the user opens the app; returns false if the process is dead afterwards.
    package mutating func prewarm(_ app: AppID, footprint: ByteCount) -> Bool {
        processes.prewarm(app, footprint: footprint, at: now)
        return processes.isAlive(app)
    }

    /// Time for which the app that the user resumed last waits for its memory.
    package var resumeWait: SimDuration { device.memory.wait(for: processes.resumeFaults) }

    /// Reads an app's launch files before the user opens it.
    package mutating func preload(_ app: AppID) { processes.preload(app, at: now) }

    /// Marks the start or end of a tracked process's work; returns false if the process is dead.
    package mutating func setDirty(_ isDirty: Bool, of process: AppID) -> Bool {
        change(process) { _ = $0.setDirty(isDirty, of: process, at: $1) }
    }

    /// Sets the band of the assertions on a managed process; returns false if the process is dead.
    package mutating func assert(band: Int16, of process: AppID) -> Bool {
        change(process) { _ = $0.assert(band: Int(band), of: process, at: $1) }
    }

    /// Drops the assertions on a managed process; returns false if the process is dead.
    package mutating func dropAssertion(of process: AppID) -> Bool {
        change(process) { _ = $0.dropAssertion(of: process, at: $1) }
    }

    /// Moves a process to a band; returns false if the process is dead.
    mutating func setBand(of app: AppID, to band: Int16) -> Bool {
        change(app) { $0.setBand(of: app, to: band, at: $1) }
    }

    /// Changes a process unless it is dead; returns whether it is alive afterwards.
    private mutating func change(_ process: AppID, _ body: (inout ProcessTable, SimTime) -> Void) -> Bool {
        guard processes.isAlive(process) else { return false }
        body(&processes, now)
        return processes.isAlive(process)
    }
}

/// Changes that concern no single process, or that kill no process.
extension PhoneCore {
    /// Fills the table with the processes of a start state.
    package mutating func begin(with standing: [(app: AppID, process: StartingProcess)]) {
        processes.begin(with: standing, at: now)
        for (app, _) in standing where apps.indices.contains(Int(app.index)) { bound.work(app) }
    }

    /// Moves a window from inactive to active.
    package mutating func becomeActive(_ app: AppID, window: Int) {
        processes.becomeActive(app, window: window, at: now)
    }

    /// Moves a window from active to inactive.
    package mutating func resignActive(_ app: AppID, window: Int) {
        processes.resignActive(app, window: window, at: now)
    }

    /// Records work of a process that users cannot open; policies treat it like an open of an app.
    package mutating func recordUse(of process: AppID) {
        if processes.isAlive(process) { processes.recordUse(of: process, at: now) }
    }

    /// Sets when a process is needed next, for oracles.
    package mutating func setNextOpen(of process: AppID, to time: SimTime) {
        processes.setNextOpen(of: process, to: time)
    }

    /// Ends a daemon or a helper on its own request.
    package mutating func terminate(_ process: AppID) {
        processes.terminate(process, .normal, at: now)
        liveDaemons -= 1
    }

    /// Excludes a process from the freezer.
    package mutating func keepFromFreezer(_ process: AppID) {
        // A dead process needs no protection.
        _ = processes.setFreezable(false, of: process, at: now)
    }

    /// Switches the freezer on or off; switching it off kills frozen processes.
    package mutating func setFreezer(on isOn: Bool) { processes.setFreezer(on: isOn, at: now) }

    /// Kills a process for a cause other than a shortage of available memory.
    package mutating func signal(_ signal: KillSignal) { processes.signal(signal, at: now) }

    /// Kills a daemon on demand, if it runs.
    package mutating func jettison(_ process: AppID) {
        if processes.isAlive(process) { _ = processes.jettison(process, at: now) }
    }

    /// Kills an app as a shortage of memory would, for a flipped decision.
    package mutating func killNow(_ app: AppID) {
        if processes.isAlive(app) { processes.killNow(app, at: now) }
    }

    /// Excludes an app from the candidates for a kill.
    package mutating func spare(_ app: AppID) -> ProcessTable.Spared { processes.spare(app) }

    /// Makes a spared app a candidate for a kill again.
    package mutating func unspare(_ spared: ProcessTable.Spared, hasRun: Bool) {
        processes.unspare(spared, hasRun: hasRun)
    }

    /// Does the timed work of the process table.
    package mutating func ageProcesses() { processes.age(at: now) }

    /// Empties the file cache at a restart of the phone.
    package mutating func emptyFileCache() { processes.emptyFileCache(at: now) }
}
