// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Structures
import Vocabulary

/// Memory that a process returns: all memory at its end, or the memory of one window before.
extension ProcessTable {
    /// Ends a process.
    ///
    /// The memory of the process is freed. Its files stay cached, but are dropped before those of live processes.
    mutating func end(_ index: Int, _ category: ExitCategory, isOrderly: Bool, at now: SimTime) {
        totals.addExit(category, inForeground: processes[index].state.isForeground)
        bands.remove(index, &processes[index])
        killer.setViolation(index, &processes[index], false)
        killer.reaper.reapable.remove(index)
        if !blocks.isEmpty { releaseBlocks(of: index) }
        if controls.hasOwnValue(index) { releaseControl(index) }
        releaseFrozen(index)
        setMemory(index, resident: 0, compressed: 0)
        files.release(index)
        processes[index].entered = now
        compressor.release(index)
        ranking.remove(index, &processes[index])
        apply(index, .end(isOrderly: isOrderly), at: now)
        processes[index].band = 0
        processes[index].told = .normal
        processes[index].toldRound = 0
        trims?.forget(index)
    }

    /// Empties the file cache at a restart of the phone; the next read of a file then counts as no refault.
    public mutating func emptyFileCache(at now: SimTime) {
        advance(to: now)
        _ = files.shrink(to: 0, &processes, at: now)
        for index in processes.indices { processes[index].hasReadFiles = false }
        rebalance(at: now)
    }

    /// Frees the special memory of a process that ends.
    private mutating func releaseControl(_ index: Int) {
        coalitions.remove(index, from: controls[index].coalition)
        releaseKernelObjects(of: index)
        setVolatile(index, 0)
    }

    /// Removes contents from a block after they were purged or compressed.
    mutating func loseTouched(_ number: Int, _ size: Int64) {
        blocks[number].touched -= size
        if blocks[number].isNeural {
            controls[Int(blocks[number].owner.index)].neural -= size
        }
    }

    /// Empties a block, and frees its memory if the owner's footprint does not contain it.
    mutating func emptyBlock(_ number: Int) {
        let block = blocks[number]
        if block.kind == .file {
            files.mapped -= block.touched
        } else if !block.countsToFootprint {
            book.changeUnowned(by: -block.touched)
        }
        addMapped(-block.touchedAgain, to: Int(block.owner.index))
        loseTouched(number, block.touched)
        blocks[number].touchedAgain = 0
        (blocks[number].isMapped, blocks[number].isHeld) = (false, false)
    }

    mutating func addMapped(_ size: Int64, to index: Int) {
        guard size != 0 else { return }
        processes[index].mapped += size
        processes[index].updateMaxima()
        updateFootprint(index)
    }

    /// Ends the blocks of a process that ends; memory that the process owns is freed with the process.
    mutating func releaseBlocks(of index: Int) {
        for number in blocks.indices where blocks[number].owner == AppID(index) {
            emptyBlock(number)
        }
    }

    mutating func setRefreezable(_ index: Int, _ value: Bool) {
        guard controls[index].isRefreezable != value else { return }
        controls[index].isRefreezable = value
        freezer.changeRefreezable(by: value ? 1 : -1)
    }

    /// Records that a frozen process runs again; the process keeps its slot and its protection.
    mutating func recordThaw(_ index: Int) {
        guard processes[index].isFrozen else { return }
        processes[index].isDemoted = false
        controls[index].thaws += 1
        totals.thawed += 1
        setRefreezable(index, true)
        if !controls[index].wasThawed { freezer.changeThawed(by: 1) }
        controls[index].wasThawed = true
    }

    /// Frees the freezer slot of a process that ends.
    mutating func releaseFrozen(_ index: Int) {
        compressor.swappable.remove(index)
        guard processes[index].isFrozen else { return }
        processes[index].isFrozen = false
        freezer.changeFrozen(by: -1)
        setRefreezable(index, false)
        if controls[index].wasThawed { freezer.changeThawed(by: -1) }
    }

    /// Whether connecting this window takes more memory, because other windows are already connected.
    func isFurther(_ window: Int, of index: Int) -> Bool {
        processes[index].life.connectedWindows > 0 && !isConnected(window, of: index)
    }

    func isConnected(_ window: Int, of index: Int) -> Bool {
        switch processes[index].life.state(ofWindow: window) {
        case .unattached, .disconnected: false
        case .foregroundInactive, .foregroundActive, .background: true
        }
    }

    /// Frees the memory of one window in the background; false if there is no such window.
    ///
    /// The window's session is kept. The last window stays, because its memory is part of what the process itself
    /// needs. UIKit disconnects such windows to reclaim memory ("Managing your app's life cycle",
    /// `sceneDidDisconnect(_:)`), so the system disconnects windows before it kills the process.
    mutating func disconnectWindow(of index: Int, at now: SimTime) -> Bool {
        guard facts[index].windowMemory > 0, processes[index].life.connectedWindows > 1 else { return false }
        guard let window = processes[index].life.lastBackgroundWindow else { return false }
        disconnect(index, window, isDiscarded: false, at: now)
        return true
    }

    mutating func disconnect(_ index: Int, _ window: Int, isDiscarded: Bool, at now: SimTime) {
        apply(index, .disconnect(window: window, isDiscarded: isDiscarded), at: now)
        totals.disconnectedWindows += 1
        guard processes[index].life.connectedWindows > 0 else { return }
        resize(index, to: max(0, processes[index].footprint - facts[index].windowMemory))
    }

    /// Changes the zones; their growth is wired memory.
    mutating func changeZones(_ body: (inout ZoneMap) -> Void) {
        book.growZones(by: kernel.changeZones(body))
    }

    mutating func setMapEntries(_ index: Int, _ count: Int64) {
        let old = controls[index].mapEntries
        guard count != old else { return }
        controls[index].mapEntries = count
        book.growZones(by: kernel.setEntries(of: index, count, was: old))
    }

    /// Frees the kernel objects of a process that ends.
    mutating func releaseKernelObjects(of index: Int) {
        setMapEntries(index, 0)
        let vnodes = Int(controls[index].vnodes)
        guard vnodes > 0 else { return }
        kernel.changeVnodes(by: -vnodes)
        controls[index].vnodes = 0
    }
}
