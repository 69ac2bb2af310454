import LifeCycle
import Quantities
import Structures
import Vocabulary

/// Windows beyond the first, prewarmed processes, and what the system calls in apps.
extension ProcessTable {
    /// Builds a process up to `main` before anybody opens the app (iOS 15 and later); nothing in it is called yet.
    ///
    /// It executes nothing afterwards, is idle at once and may die like any other.
    public mutating func prewarm(_ app: AppID, footprint: ByteCount, at now: SimTime) {
        advance(to: now)
        let index = Int(app.index)
        apply(index, .prewarm, at: now)
        adopt(index, ProcessTraits())
        readFiles(index)
        processes[index].launched = now
        compressor.compressible.append(index)
        setBand(index, profile.idleBand, at: now)
        setFootprint(index, footprint.bytes, at: now)
    }

    /// Shows one more window of an app that is on screen already; it connects if it must, and takes its memory.
    public mutating func show(_ app: AppID, window: Int, at now: SimTime) {
        advance(to: now)
        let index = Int(app.index)
        precondition(processes[index].state.isForeground, "one more window of app \(index), which is not on screen")
        let isFurther = isFurther(window, of: index)
        apply(index, .enterForeground(window: window), at: now)
        processes[index].lastForeground = now
        guard isFurther, facts[index].windowMemory > 0 else { return }
        setFootprint(index, processes[index].footprint + facts[index].windowMemory, at: now)
    }

    /// The user closes a window for good: it leaves the screen if it is there, disconnects and loses its session.
    ///
    /// The process goes on, in the background when that was its last window on screen.
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

    /// How many windows of an app are connected.
    public func connectedWindows(of app: AppID) -> Int { processes[Int(app.index)].life.connectedWindows }

    /// Whether a window is about to connect besides others, and takes memory of its own.
    func isFurther(_ window: Int, of index: Int) -> Bool {
        processes[index].life.connectedWindows > 0 && !isConnected(window, of: AppID(index))
    }

    private func isConnected(_ window: Int, of app: AppID) -> Bool {
        switch state(ofWindow: window, of: app) {
        case .unattached, .disconnected: false
        case .foregroundInactive, .foregroundActive, .background: true
        }
    }

    /// Gives back the memory of one window in the background, whose session is kept; false when there is none to give.
    ///
    /// The last window stays: its memory is part of what the process itself needs.
    ///
    /// UIKit disconnects such windows to get memory back ("Managing your app's life cycle", `sceneDidDisconnect(_:)`), so
    /// the system does it before the process dies.
    mutating func disconnectWindow(of index: Int, _ reason: KillReason, at now: SimTime) -> Bool {
        guard facts[index].windowMemory > 0, processes[index].life.connectedWindows > 1 else { return false }
        switch reason {
        case .vnodeLimit, .zoneMapExhaustion, .perProcessLimit, .jettisoned, .diskSpaceShortage: return false
        default: break
        }
        guard let window = processes[index].life.lastBackgroundWindow else { return false }
        disconnect(index, window, isDiscarded: false, at: now)
        return true
    }

    private mutating func disconnect(_ index: Int, _ window: Int, isDiscarded: Bool, at now: SimTime) {
        apply(index, .disconnect(window: window, isDiscarded: isDiscarded), at: now)
        totals.disconnectedWindows += 1
        guard processes[index].life.connectedWindows > 0 else { return }
        resize(index, to: max(0, processes[index].footprint - facts[index].windowMemory))
    }
}

extension ProcessTable {
    /// The app is told that its task assertions are about to end.
    public mutating func noteTaskExpiration(_ app: AppID, at now: SimTime) {
        guard recordsCallbacks else { return }
        note(.taskExpiration, of: Int(app.index), window: nil, at: now)
    }

    mutating func note(_ callback: AppCallback, of index: Int, window: Int?, at now: SimTime) {
        callbacks.append(
            CallbackRecord(
                time: now, app: AppID(index), window: Int32(window ?? -1), callback: callback,
                state: processes[index].state))
    }

    /// Keeps what the system calls for a move that is about to be made.
    func callbacks(of move: LifeCycleMove, _ index: Int, at now: SimTime) -> [CallbackRecord] {
        let life = processes[index].life
        var after = life
        after.apply(move)
        var result: [CallbackRecord] = []
        life.forEachCallback(of: move, hasScenes: profile.lifeCycle.hasScenes) { callback, window in
            result.append(
                CallbackRecord(
                    time: now, app: AppID(index), window: Int32(window ?? -1), callback: callback, state: after.state))
        }
        return result
    }
}
