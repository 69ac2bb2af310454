// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// One kill taken back or made by hand, to see what would have followed.
extension ProcessTable {
    /// A process that is out of the killer's sight, and how it stood there.
    package struct Spared {
        fileprivate let index: Int
        fileprivate let standing: VictimRanking.Standing
        fileprivate let isAboveLimit: Bool
    }

    /// Takes a process out of the killer's sight: neither its rank nor its limit kills it until `unspare`.
    ///
    /// Kills at the limit of the process itself, sweeps of long idle processes and marches do not ask for a rank and
    /// still reach it.
    package mutating func spare(_ app: AppID) -> Spared {
        let index = Int(app.index)
        let isAboveLimit = processes[index].isAboveLimit
        killer.setViolation(index, &processes[index], false)
        return Spared(
            index: index, standing: ranking.hide(index, &processes[index]), isAboveLimit: isAboveLimit)
    }

    /// Puts a spared process back into the killer's sight; it is ranked anew when anything may have changed meanwhile.
    package mutating func unspare(_ spared: Spared, hasRun: Bool) {
        let index = spared.index
        guard processes[index].isAlive else {
            processes[index].isStale = false
            return
        }
        if spared.isAboveLimit { killer.setViolation(index, &processes[index], true) }
        ranking.show(index, &processes[index], spared.standing, hasRun: hasRun)
    }

    /// Kills a process on the spot.
    package mutating func killNow(_ app: AppID, at now: SimTime) {
        advance(to: now)
        kill(Int(app.index), .jettisoned, at: now)
        rebalance(at: now)
    }
}

extension VictimRanking {
    /// Where a candidate stood.
    struct Standing {
        fileprivate let queue: VictimClass
        fileprivate let key: VictimKey?
        fileprivate let keyOfApp: VictimKey?
        /// Position among those whose rank must be asked; nil when it need not.
        fileprivate let stalePosition: Int?
    }

    /// Takes a candidate out of its heap, and out of those whose rank will be asked.
    mutating func hide(_ index: Int, _ record: inout ProcessRecord) -> Standing {
        let queue = record.queue
        let key = key(of: index, in: queue)
        let keyOfApp = keyOfApp(index)
        remove(index, &record)
        let position = record.isStale ? forget(index) : nil
        // A candidate that is marked already is not put on the list again.
        record.isStale = true
        return Standing(queue: queue, key: key, keyOfApp: keyOfApp, stalePosition: position)
    }

    /// Puts a candidate back where it stood, or among those whose rank is asked before the next victim is chosen.
    mutating func show(_ index: Int, _ record: inout ProcessRecord, _ standing: Standing, hasRun: Bool) {
        record.isStale = false
        if let key = standing.key, !hasRun {
            restore(index, &record, key, ofApp: standing.keyOfApp, standing.queue)
        }
        if hasRun || standing.stalePosition != nil {
            markStale(index, &record, at: hasRun ? nil : standing.stalePosition)
        }
    }

    private func key(of index: Int, in queue: VictimClass) -> VictimKey? {
        switch queue {
        case .none: nil
        case .idle: idle.key(of: index)
        case .working: working.key(of: index)
        case .protected: protected.key(of: index)
        }
    }
}
