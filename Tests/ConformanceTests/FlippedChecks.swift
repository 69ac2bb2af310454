// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import Vocabulary

@testable import Scripts

/// The opposite of an expectation: it must fail wherever the expectation holds.
///
/// Where an expectation says several things, each is turned around alone.
extension ScriptCheck {
    func flipped(processes count: Int) -> [ScriptCheck] {
        ofState ?? ofSize ?? ofLists(count) ?? ofMachine ?? ofBackground ?? ofDisk(count) ?? []
    }

    private var ofState: [ScriptCheck]? {
        switch self {
        case .band(let band): [.band(band == 0 ? 1 : band - 1)]
        case .bandBelow: [.bandBelow(0)]
        case .position(let position): [.position(position + 1)]
        case .isAlive(let flag): [.isAlive(!flag)]
        case .state(let word): ScenarioScriptReader.states.filter { !Self.mayMean($0, word) }.map { .state($0) }
        case .hasAssertion(let flag): [.hasAssertion(!flag)]
        case .isDirty(let flag): [.isDirty(!flag)]
        case .relaunch(let record): RelaunchRecord.allCases.filter { $0 != record }.map { .relaunch($0) }
        case .isFrozen(let flag): [.isFrozen(!flag)]
        case .isSwappable(let flag): [.isSwappable(!flag)]
        case .thaws(let count): [.thaws(count + 1)]
        case .saved: [.saved(atLeast: 2, atMost: 3)]
        case .exit(let category): ExitCategory.allCases.filter { $0 != category }.map { .exit($0) }
        default: nil
        }
    }

    /// `running` is said of several states of the life cycle, `dead` of one.
    private static func mayMean(_ word: String, _ other: String) -> Bool {
        let executing: Set<String> = ["running", "inactive", "active", "background"]
        let gone: Set<String> = ["dead", "not-running"]
        if executing.isSuperset(of: [word, other]), [word, other].contains("running") { return true }
        return word == other || gone.isSuperset(of: [word, other])
    }

    private var ofSize: [ScriptCheck]? {
        // Two pages of 16 KiB: one more than a size may be off.
        let more = ByteCount(2 * 16384)
        func other(_ limit: MemoryLimit) -> [MemoryLimit] {
            [MemoryLimit(max(.zero, limit.size) + more, isFatal: limit.isFatal)]
                + (limit.size > .zero ? [MemoryLimit(limit.size, isFatal: !limit.isFatal)] : [])
        }
        return switch self {
        case .limit(let limit): other(limit).map { .limit($0) }
        case .activeLimit(let limit): other(limit).map { .activeLimit($0) }
        case .inactiveLimit(let limit): other(limit).map { .inactiveLimit($0) }
        case .limitSize(let size): [.limitSize(size + more)]
        case .footprint(let size): [.footprint(size + more)]
        case .resident(let size): [.resident(size + more)]
        case .compressed(let size): [.compressed(size + more)]
        case .volatile(let size): [.volatile(size + more)]
        case .headroom(let size): [.headroom(size + more)]
        case .lifetimeMaximum(let size): [.lifetimeMaximum(size + more)]
        case .intervalMaximum(let size): [.intervalMaximum(size + more)]
        case .neural(let size): [.neural(size + more)]
        case .swapped(let size): [.swapped(size + more)]
        default: nil
        }
    }

    private func ofLists(_ count: Int) -> [ScriptCheck]? {
        func shorter<T>(_ list: [T], _ spare: T) -> [T] { list.isEmpty ? [spare] : Array(list.dropLast()) }
        func others(_ kills: [ScriptKill]) -> [[ScriptKill]] {
            var all = [shorter(kills, ScriptKill(process: nil, reason: .jettisoned))]
            all += [kills + [ScriptKill(process: nil, reason: .jettisoned)]]
            for (index, kill) in kills.enumerated() {
                func changed(_ change: (inout ScriptKill) -> Void) {
                    var copy = kills
                    change(&copy[index])
                    all.append(copy)
                }
                if let process = kill.process, count > 1 { changed { $0.process = (process + 1) % count } }
                if let band = kill.band { changed { $0.band = band + 1 } }
                if let freed = kill.freed { changed { $0.freed = freed + .mebibytes(1) } }
                changed { $0.reason = kill.reason == .jettisoned ? .idleExit : .jettisoned }
            }
            return all
        }
        switch self {
        case .callbacks(let calls):
            return [.callbacks(shorter(calls, .willTerminate)), .callbacks(calls + [.willConnect])]
        case .calledInOrder(let calls):
            return [.calledInOrder(calls + Array(repeating: .didReceiveMemoryWarning, count: 99))]
        case .scenes(let states):
            return [.scenes(Array(states.dropLast())), .scenes(states + [.unattached])]
                + states.indices.map { index in
                    var copy = states
                    copy[index] = states[index] == .background ? .foregroundActive : .background
                    return .scenes(copy)
                }
        case .kills(let kills): return others(kills).map { .kills($0) }
        case .killCounts(let counts):
            return counts.indices.map { index in
                var copy = counts
                copy[index].count += 1
                return .killCounts(copy)
            }
        case .queue(let band, let processes): return [.queue(band: band, processes: shorter(processes, 0))]
        case .list(let processes): return [.list(shorter(processes, 0))]
        case .notified(let processes): return [.notified(shorter(processes, 0))]
        case .relieved(let processes): return [.relieved(shorter(processes, 0))]
        case .zoneSnapshots(let processes): return [.zoneSnapshots(shorter(processes, 0))]
        case .frozen(let processes): return [.frozen(shorter(processes, 0))]
        case .freezerSnapshot(let killed): return Self.others(killed).map { .freezerSnapshot($0) }
        default: return nil
        }
    }

    private static func others(_ killed: [ScriptSnapshot]) -> [[ScriptSnapshot]] {
        var all = [killed.isEmpty ? [ScriptSnapshot(process: 0)] : Array(killed.dropLast())]
        for (index, one) in killed.enumerated() {
            var copy = killed
            if let isFrozen = one.isFrozen {
                copy[index].isFrozen = !isFrozen
                all.append(copy)
                copy = killed
            }
            if let thaws = one.thaws {
                copy[index].thaws = thaws + 1
                all.append(copy)
            }
        }
        return all
    }

    private var ofMachine: [ScriptCheck]? {
        // Two pages of 16 KiB: one more than a size may be off.
        let more = ByteCount(2 * 16384)
        switch self {
        case .pressure(let level):
            return [PressureLevel.normal, .warning, .critical].filter { $0 != level }.map { .pressure($0) }
        case .freezerBudget(let size): return [.freezerBudget(size + more)]
        case .swapUsed(let size): return [.swapUsed(size + more)]
        case .zoneMap: return [.zoneMap(atLeast: 2, atMost: 3)]
        case .thawShare: return [.thawShare(atLeast: 2, atMost: 3)]
        case .available: return [.available(atLeast: 2, atMost: 3)]
        case .decompressed: return [.decompressed(atLeast: .gibibytes(99))]
        case .thresholds(let critical, let idle, let soft):
            var all: [ScriptCheck] = []
            if let critical { all.append(.thresholds(critical: critical + more, idle: idle, soft: soft)) }
            if let idle { all.append(.thresholds(critical: critical, idle: idle + more, soft: soft)) }
            if let soft { all.append(.thresholds(critical: critical, idle: idle, soft: soft + more)) }
            return all
        default: return nil
        }
    }

    private var ofBackground: [ScriptCheck]? {
        guard case .background(let check) = self else { return nil }
        let all: [ScriptBackgroundCheck] =
            switch check {
            case .pending(let kind, let count): [.pending(kind, count + 1)]
            case .isRunning(let kind, let flag): [.isRunning(kind, !flag)]
            case .decision(let kind, let decision):
                ScriptDecision.allCases.filter { $0 != decision }.map { .decision(kind, $0) }
            case .reason(let kind, let name): [.reason(kind, name + "-not")]
            case .against(let kind, let names): [.against(kind, names.isEmpty ? ["busy"] : Array(names.dropLast()))]
            case .pushReason(let name): [.pushReason(name + "-not")]
            case .ended(let kind, let outcome):
                RequestOutcome.allCases.filter { $0 != outcome }.map { .ended(kind, $0) }
            case .push(let state): ScriptPushState.allCases.filter { $0 != state }.map { .push($0) }
            case .pushesLeft(let count): [.pushesLeft(count + 1)]
            case .alarms(let count): [.alarms(count + 1)]
            case .transfers(let count): [.transfers(count + 1)]
            case .isDiscretionary(let flag): [.isDiscretionary(!flag)]
            case .beginsIn(let span): [.beginsIn(span + .second)]
            case .mayMove(let flag): [.mayMove(!flag)]
            }
        return all.map { .background($0) }
    }

    private func ofDisk(_ count: Int) -> [ScriptCheck]? {
        guard case .disk(let check) = self else { return nil }
        let more = ByteCount(2 * 16384)
        let all: [ScriptDiskCheck] =
            switch check {
            case .free(let size): [.free(size + more)]
            case .caches(let size): [.caches(size + more)]
            case .temporary(let size): [.temporary(size + more)]
            case .missing(let size): [.missing(size + more)]
            case .rebuilds(let flag): [.rebuilds(!flag)]
            case .isInstalled(let flag): [.isInstalled(!flag)]
            case .purged(let purges): Self.others(purges, count).map { .purged($0) }
            }
        return all.map { .disk($0) }
    }

    private static func others(_ purges: [ScriptPurge], _ count: Int) -> [[ScriptPurge]] {
        let one = ScriptPurge(process: 0, part: .app, size: ByteCount(1))
        var all = [purges.isEmpty ? [one] : Array(purges.dropLast()), purges + [one]]
        for (index, purge) in purges.enumerated() {
            func changed(_ change: (inout ScriptPurge) -> Void) {
                var copy = purges
                change(&copy[index])
                all.append(copy)
            }
            if count > 1 { changed { $0.process = (purge.process + 1) % count } }
            changed { $0.part = purge.part == .app ? .tmp : .app }
            changed { $0.size = purge.size + ByteCount(2 * 16384) }
        }
        return all
    }
}
