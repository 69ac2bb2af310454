// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Structures
import Vocabulary

/// Windows beyond the first, prewarmed processes, and the calls of the system into apps.
extension ProcessTable {
    /// Starts a process and runs it up to `main` before the user opens the app (iOS 15 and later).
    ///
    /// No callback is called yet. The process executes nothing afterwards, is idle at once and can be killed like any
    /// other.
    public mutating func prewarm(_ app: AppID, footprint: ByteCount, at now: SimTime) {
        advance(to: now)
        let index = Int(app.index)
        apply(index, .prewarm, at: now)
        adopt(index, ProcessTraits())
        readFiles(index)
        processes[index].launched = now
        compressor.compressible.append(index)
        enterBand(index, profile.idleBand, at: now)
        grow(index, to: footprint.bytes, at: now)
    }

    /// Reads an app's launch files into the cache before the user opens the app; no process is started.
    public mutating func preload(_ app: AppID, at now: SimTime) {
        advance(to: now)
        readFiles(Int(app.index))
        rebalance(at: now)
    }

    /// Shows another window of an app that is already on screen.
    ///
    /// A window that is not connected is connected and takes additional memory.
    public mutating func show(_ app: AppID, window: Int, at now: SimTime) {
        advance(to: now)
        let index = Int(app.index)
        guard processes[index].state.isForeground else {
            fatalError("cannot open another window of app \(index): it is not on screen")
        }
        let isFurther = isFurther(window, of: index)
        apply(index, .enterForeground(window: window), at: now)
        processes[index].lastForeground = now
        guard isFurther, facts[index].windowMemory > 0 else { return }
        grow(index, to: processes[index].footprint + facts[index].windowMemory, at: now)
    }

    /// Closes a window for good: the window leaves the screen, disconnects and loses its session.
    ///
    /// The process continues, in the background if this was its last window on screen.
    public mutating func close(_ app: AppID, window: Int, at now: SimTime) {
        if state(ofWindow: window, of: app) == .foregroundActive { resignActive(app, window: window, at: now) }
        if state(ofWindow: window, of: app) == .foregroundInactive { enterBackground(app, window: window, at: now) }
        advance(to: now)
        guard isAlive(app) else { return }
        disconnect(Int(app.index), window, isDiscarded: true, at: now)
        rebalance(at: now)
    }

    /// The state of a window.
    public func state(ofWindow window: Int, of app: AppID) -> SceneState {
        processes[Int(app.index)].life.state(ofWindow: window)
    }

    /// Number of connected windows of an app.
    public func connectedWindows(of app: AppID) -> Int { processes[Int(app.index)].life.connectedWindows }
}
