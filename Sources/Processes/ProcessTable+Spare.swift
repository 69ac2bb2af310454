// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Prevents or forces one kill, to find its consequences.
extension ProcessTable {
    /// A process that is hidden from the killer, with its position before it was hidden.
    package struct Spared {
        fileprivate let index: Int
        fileprivate let standing: VictimRanking.Standing
        fileprivate let isAboveLimit: Bool
    }

    /// Hides a process from the killer: until `unspare`, the killer does not choose it by its rank or its limit.
    ///
    /// Kills at the process's own fatal limit, sweeps of long idle processes and marches need no rank and can still
    /// kill the process.
    package mutating func spare(_ app: AppID) -> Spared {
        let index = Int(app.index)
        let isAboveLimit = processes[index].isAboveLimit
        killer.setViolation(index, &processes[index], false)
        return Spared(
            index: index, standing: ranking.hide(index, &processes[index]), isAboveLimit: isAboveLimit)
    }

    /// Makes a spared process visible to the killer again; if it may have changed meanwhile, it is ranked again.
    package mutating func unspare(_ spared: Spared, hasRun: Bool) {
        let index = spared.index
        guard processes[index].isAlive else {
            processes[index].isStale = false
            return
        }
        if spared.isAboveLimit { killer.setViolation(index, &processes[index], true) }
        ranking.show(index, &processes[index], spared.standing, hasRun: hasRun)
    }

    /// Kills a process at once.
    package mutating func killNow(_ app: AppID, at now: SimTime) {
        advance(to: now)
        kill(Int(app.index), .jettisoned, at: now)
        rebalance(at: now)
    }
}

extension VictimRanking {
    /// Position of a candidate before it was hidden.
    struct Standing {
        fileprivate let queue: VictimClass
        fileprivate let key: VictimKey?
        fileprivate let keyOfApp: VictimKey?
        /// Position in the list of candidates to rank again; nil if the candidate is not in the list.
        fileprivate let stalePosition: Int?
    }

    /// Removes a candidate from its heap, and from the list of candidates to rank again.
    mutating func hide(_ index: Int, _ record: inout ProcessRecord) -> Standing {
        let queue = record.queue
        let key = key(of: index, in: queue)
        let keyOfApp = keyOfApp(index)
        remove(index, &record)
        let position = record.isStale ? forget(index) : nil
        // A candidate that is already marked is not added to the list again.
        record.isStale = true
        return Standing(queue: queue, key: key, keyOfApp: keyOfApp, stalePosition: position)
    }

    /// Restores a candidate to its previous position, or adds it to the candidates to rank before the next kill.
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
