// SPDX-License-Identifier: GPL-3.0-or-later
import Disk
import Processes
import Quantities
import Vocabulary

/// The storage of a scenario, by the same rules as on a phone.
extension ScriptRun {
    /// Writes a file of an app; fails unless the app is executing and there is space.
    mutating func write(_ size: ByteCount, to folder: ScriptFolder, _ app: AppID) -> ScriptError? {
        guard table.state(of: app).executes else { return .invalid }
        return keep(size, in: folder, app) ? nil : .noSpace
    }

    /// Stores files of an app; returns whether there was room.
    mutating func keep(_ size: ByteCount, in folder: ScriptFolder, _ app: AppID) -> Bool {
        guard let space = disk else { return true }
        let hasRoom = space.admits(size, of: app)
        if hasRoom {
            let target: DiskSpace.Folder =
                switch folder {
                case .documents: .documents
                case .caches: .caches
                case .tmp: .temporary
                }
            let limit = script.processes[Int(app.index)].files.cachesLimit
            disk?.add(size, to: target, of: app, limit: limit)
        }
        makeRoom()
        return hasRoom
    }

    mutating func act(_ action: ScriptDiskAction) {
        switch action {
        case .photos(let size): _ = disk?.addPhotos(size)
        case .night:
            for index in script.processes.indices where !table.isAlive(AppID(index)) {
                carryOut(.temporary(AppID(index)))
            }
        }
        makeRoom()
    }

    private mutating func makeRoom() {
        guard disk?.needsRoom == true else { return changeFreezer() }
        while let purge = disk?.nextPurge(table, at: now) { carryOut(purge) }
        changeFreezer()
    }

    private mutating func changeFreezer() {
        guard let isOn = disk?.freezerChange() else { return }
        table.setFreezer(on: isOn, at: now)
    }

    /// Removes data.
    ///
    /// An app that does not execute is ended before its caches are removed. An offloaded app is ended in any state.
    private mutating func carryOut(_ purge: DiskPurge) {
        switch purge {
        case .temporary(let app): notePurge(of: app, .tmp, disk?.purgeTemporary(of: app))
        case .caches(let app, let size):
            if table.isAlive(app), !table.state(of: app).executes { _ = end(app, .normal) }
            notePurge(of: app, .caches, disk?.purgeCaches(of: app, size))
        case .offload(let app):
            _ = end(app, .normal)
            let bundle = script.processes[Int(app.index)].files.bundle
            disk?.offload(app, bundle: bundle)
            notePurge(of: app, .app, bundle)
        }
    }

    private mutating func notePurge(of app: AppID, _ part: ScriptPurge.Part, _ size: ByteCount?) {
        guard let size, size > .zero else { return }
        purged.append(ScriptPurge(process: Int(app.index), part: part, size: size))
    }

    // MARK: Expectations

    /// Answers an expectation about the files of an app.
    func answer(_ check: ScriptDiskCheck, _ app: AppID) -> Answer? {
        guard let disk else { return nil }
        return switch check {
        case .caches(let size): Answer("caches", size, disk.caches(of: app))
        case .temporary(let size): Answer("tmp", size, disk.temporary(of: app))
        case .missing(let size): Answer("purged caches", size, disk.missing(of: app))
        case .rebuilds(let wanted): Answer("whether a launch rebuilds purged caches", wanted, disk.rebuilds(app), nil)
        case .isInstalled(let wanted): Answer("installed state", wanted, !disk.isOffloaded(app), nil)
        case .free, .purged: nil
        }
    }

    /// Answers an expectation about the storage.
    mutating func answer(_ check: ScriptDiskCheck) -> Answer? {
        switch check {
        case .free(let size): return disk.map { Answer("free space", size, $0.free) }
        case .purged(let wanted):
            let found = purged
            purged.removeAll()
            let isMet =
                found.count == wanted.count
                && zip(wanted, found).allSatisfy { wanted, found in
                    wanted.process == found.process && wanted.part == found.part
                        && Answer("", wanted.size, found.size).isMet
                }
            return Answer("purges", text(wanted), text(found), isMet)
        default: return nil
        }
    }

    private func text(_ purges: [ScriptPurge]) -> String {
        let all = purges.map { purge in
            "\(script.processes[purge.process].name) \(purge.part.rawValue) "
                + UnitText.format(Double(purge.size.bytes), as: .bytes)
        }
        return "[" + all.joined(separator: "; ") + "]"
    }
}
