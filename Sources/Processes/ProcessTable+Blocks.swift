// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Kind of memory of a block; it determines to which footprint the block counts (ledgers of `osfmk/kern/task.c`).
public enum MemoryBlockKind: Sendable, Equatable {
    /// Pages of a mapped file: in no footprint, and available even when dirty.
    case file
    /// Anonymous memory whose contents may be dropped while it is volatile.
    case purgeable
    /// Memory tagged for a purpose. The process that created it owns it, even if another process maps it.
    case tagged(MemoryTag, countsToFootprint: Bool)
    /// A surface for graphics, which can become volatile if it was created as purgeable.
    ///
    /// Each further mapping that a process touches counts again.
    case surface(isPurgeable: Bool)
}

/// The purposes for which the kernel has separate accounts.
public enum MemoryTag: String, Sendable, CaseIterable {
    case plain = "default"
    case network, media, graphics, neural
}

/// A region of memory that a process created.
///
/// The region exists as long as an entry holds it, even without a mapping.
struct MemoryBlock: Sendable {
    var kind: MemoryBlockKind
    var owner: AppID
    var size: Int64
    /// Bytes touched and not purged.
    var touched: Int64 = 0
    /// Bytes touched through a second mapping.
    var touchedAgain: Int64 = 0
    var isVolatile = false
    var isMapped = false
    var isHeld = true

    var isTagged: Bool { if case .tagged = kind { true } else { false } }
    var isSurface: Bool { if case .surface = kind { true } else { false } }
    var mayBeVolatile: Bool {
        switch kind {
        case .file, .surface(isPurgeable: false): false
        case .purgeable, .tagged, .surface: true
        }
    }
    var isNeural: Bool { if case .tagged(.neural, _) = kind { true } else { false } }
    var countsToFootprint: Bool {
        switch kind {
        case .file, .tagged(_, countsToFootprint: false): false
        case .purgeable, .tagged, .surface: true
        }
    }
}

/// An operation on a block.
public enum MemoryBlockAction: Sendable, Equatable {
    case map, unmap, release, makeVolatile, makeNonvolatile
    case touch(ByteCount)
    /// Touches a second mapping, or removes it.
    case touchAgain(ByteCount), unmapAgain
}

extension ProcessTable {
    /// Creates a block that an entry holds and that is not mapped yet; its number is the count of earlier blocks.
    public mutating func makeBlock(
        _ kind: MemoryBlockKind, size: ByteCount, by app: AppID, at now: SimTime
    ) -> RequestError? {
        advance(to: now)
        guard processes[Int(app.index)].isAlive else { return .notFound }
        blocks.append(MemoryBlock(kind: kind, owner: app, size: size.bytes))
        return nil
    }

    /// Performs an operation on a block; a refused operation changes nothing.
    public mutating func act(_ action: MemoryBlockAction, onBlock number: Int, at now: SimTime) -> RequestError? {
        advance(to: now)
        guard number < blocks.count, processes[Int(blocks[number].owner.index)].isAlive else {
            return .notFound
        }
        let block = blocks[number]
        switch action {
        case .map: blocks[number].isMapped = true
        case .unmap:
            blocks[number].isMapped = false
            freeUnusedBlock(number)
        case .release:
            blocks[number].isHeld = false
            freeUnusedBlock(number)
        case .makeVolatile, .makeNonvolatile:
            guard block.mayBeVolatile else { return .invalid }
            setBlock(number, volatile: action == .makeVolatile)
        case .touch(let size):
            guard block.isMapped, !block.isVolatile else { return .invalid }
            touchBlock(number, min(size.bytes, block.size - block.touched))
        case .touchAgain(let size):
            guard block.isSurface else { return .invalid }
            let more = min(size.bytes, block.size - block.touchedAgain)
            blocks[number].touchedAgain += more
            addMapped(more, to: Int(block.owner.index))
        case .unmapAgain:
            blocks[number].touchedAgain = 0
            addMapped(-block.touchedAgain, to: Int(block.owner.index))
        }
        let owner = Int(block.owner.index)
        if !killAtLimit(owner, at: now) { rebalance(at: now) }
        return nil
    }

    /// Memory tagged as that of a neural engine, whether or not it counts to the footprint.
    public func neural(of app: AppID) -> ByteCount { ByteCount(controls[Int(app.index)].neural) }
}

extension ProcessTable {
    private mutating func touchBlock(_ number: Int, _ size: Int64) {
        let block = blocks[number]
        let owner = Int(block.owner.index)
        blocks[number].touched += size
        if block.isNeural { controls[owner].neural += size }
        if block.kind == .file {
            files.mapped += size
        } else if block.countsToFootprint {
            let record = processes[owner]
            setMemory(owner, resident: record.resident + size, compressed: record.compressed)
        } else {
            book.changeUnowned(by: size)
        }
    }

    /// Makes memory volatile, which removes it from the footprint, or non-volatile; purged memory does not come back.
    private mutating func setBlock(_ number: Int, volatile: Bool) {
        let block = blocks[number]
        let owner = Int(block.owner.index)
        guard block.isVolatile != volatile else { return }
        blocks[number].isVolatile = volatile
        guard block.countsToFootprint else { return }
        let record = processes[owner]
        if volatile {
            let moved = min(block.touched, record.resident)
            loseTouched(number, block.touched - moved)
            setMemory(owner, resident: record.resident - moved, compressed: record.compressed)
            setVolatile(owner, controls[owner].volatile + moved)
        } else {
            let back = min(block.touched, controls[owner].volatile)
            loseTouched(number, block.touched - back)
            setVolatile(owner, controls[owner].volatile - back)
            setMemory(owner, resident: record.resident + back, compressed: record.compressed)
        }
    }

    private mutating func freeUnusedBlock(_ number: Int) {
        let block = blocks[number]
        guard !block.isMapped, !block.isHeld else { return }
        if block.isVolatile, block.countsToFootprint {
            let owner = Int(block.owner.index)
            setVolatile(
                owner, controls[owner].volatile - min(block.touched, controls[owner].volatile))
        } else if block.countsToFootprint {
            let owner = Int(block.owner.index)
            resize(owner, to: max(0, processes[owner].footprint - block.touched))
        }
        emptyBlock(number)
    }
}
