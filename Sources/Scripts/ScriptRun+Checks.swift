// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

extension ScriptRun {
    /// Checks one expectation.
    mutating func check(_ check: ScriptCheck, of process: Int?, _ step: ScriptStep) {
        outcome.expectations += 1
        let answer: Answer
        if let process {
            answer =
                standing(check, AppID(process)) ?? size(check, AppID(process)) ?? lifeAnswer(check, AppID(process))
                ?? Answer("process", "a property", "no such property")
        } else {
            answer = list(check) ?? figure(check) ?? Answer("machine", "a property", "no such property")
        }
        guard !answer.isMet else { return }
        let subject = process.map { "\(answer.subject) of \(script.processes[$0].name)" } ?? answer.subject
        miss(step, subject, answer.expected, answer.found)
    }

    private func standing(_ check: ScriptCheck, _ app: AppID) -> Answer? {
        switch check {
        case .band(let band): Answer("band", band, Int(table.band(of: app)), alive(app))
        case .bandBelow(let band):
            Answer("band", "below \(band)", "\(table.band(of: app))", table.isAlive(app) && table.band(of: app) < band)
        case .position(let position): Answer("position in its band", "\(position)", text(table.positionInBand(of: app)))
        case .isAlive(let wanted): Answer("life", wanted ? "alive" : "dead", table.isAlive(app) ? "alive" : "dead")
        case .state(let state): Answer("state", state, self.state(app, inTermsOf: state))
        case .hasAssertion(let wanted): Answer("assertion", wanted, table.hasAssertion(app), alive(app))
        case .isDirty(let wanted): Answer("dirtiness", wanted, table.isDirty(app), alive(app))
        case .relaunch(let wanted):
            Answer("relaunch record", wanted, table.relaunchRecord(of: app), alive(app))
        case .isFrozen(let wanted): Answer("frozen state", wanted, table.isFrozen(app), nil)
        case .isSwappable(let wanted): Answer("whether its memory may be swapped", wanted, table.isSwappable(app), nil)
        case .thaws(let count): Answer("thaws", count, table.thaws(of: app), nil)
        case .limit(let limit): Answer("limit", text(effective(limit)), text(table.limit(of: app)))
        case .activeLimit(let limit): Answer("active limit", text(effective(limit)), text(table.limits(of: app).active))
        case .inactiveLimit(let limit):
            Answer("inactive limit", text(effective(limit)), text(table.limits(of: app).inactive))
        default: nil
        }
    }

    private func size(_ check: ScriptCheck, _ app: AppID) -> Answer? {
        switch check {
        case .limitSize(let size): Answer("limit", size, table.limit(of: app).size)
        case .footprint(let size): Answer("footprint", size, table.footprint(of: app))
        case .resident(let size): Answer("resident memory", size, table.resident(of: app))
        case .compressed(let size): Answer("compressed memory", size, table.compressed(of: app))
        case .volatile(let size): Answer("volatile memory", size, table.volatile(of: app))
        case .headroom(let size): Answer("memory headroom", size, table.headroom(of: app))
        case .lifetimeMaximum(let size): Answer("largest footprint", size, table.largestFootprints(of: app).lifetime)
        case .intervalMaximum(let size):
            Answer("largest footprint of the interval", size, table.largestFootprints(of: app).interval)
        case .neural(let size): Answer("neural memory", size, table.neural(of: app))
        case .swapped(let size): Answer("memory on storage", size, table.swapped(of: app))
        default: nil
        }
    }

    private mutating func list(_ check: ScriptCheck) -> Answer? {
        switch check {
        case .kills(let wanted): return kills(wanted)
        case .killCounts(let wanted):
            let found = wanted.map { one in
                var found = one
                found.count = kills[countedFrom...].count { Int($0.band) == one.band && $0.reason == one.reason }
                return found
            }
            return Answer(
                "kill counts", wanted.map(text).joined(separator: ", "), found.map(text).joined(separator: ", "))
        case .queue(let band, let processes):
            return Answer("queue of band \(band)", names(processes), names(inBand: band))
        case .list(let processes):
            let all = Set(script.processes.indices.map { Int(table.band(of: AppID($0))) }).sorted()
            return Answer(
                "list", names(processes), all.map(names(inBand:)).filter { !$0.isEmpty }.joined(separator: " "))
        case .notified(let processes):
            let found = names(notified)
            notified.removeAll()
            return Answer("notified", names(processes), found)
        case .relieved(let processes):
            let found = names(relieved)
            relieved.removeAll()
            return Answer("relieved", names(processes), found)
        case .freezerSnapshot(let wanted): return snapshot(wanted)
        case .disk(let check): return answer(check)
        case .zoneSnapshots(let processes):
            return Answer("zone snapshots", names(processes), names(table.zoneSnapshots.map { Int($0.index) }))
        case .frozen(let processes):
            return Answer(
                "frozen", names(processes), names(script.processes.indices.filter { table.isFrozen(AppID($0)) }))
        default: return nil
        }
    }

    private func figure(_ check: ScriptCheck) -> Answer? {
        switch check {
        case .pressure(let level): Answer("pressure", "\(level)", "\(table.pressure)")
        case .freezerBudget(let size): Answer("budget of the freezer", size, table.freezerBudget)
        case .swapUsed(let size): Answer("memory in swap", size, table.swapUsed)
        case .zoneMap(let low, let high): Answer("used share of the zone map", low, high, table.zoneMapShare)
        case .thawShare(let low, let high): Answer("share of thawed processes", low, high, table.thawShare)
        case .available(let low, let high): Answer("available memory", low, high, table.availableShare)
        case .decompressed(let size):
            Answer(
                "decompressed memory", "at least \(text(size))", text(table.statistics(at: now).decompressed),
                table.statistics(at: now).decompressed >= size)
        case .thresholds(let critical, let idle, let soft):
            Answer(
                "thresholds", [critical, idle, soft].map { $0.map(text) ?? "-" }.joined(separator: ", "),
                [
                    critical.map { _ in text(table.thresholds.critical) },
                    idle.map { _ in text(table.thresholds.idle) },
                    soft.map { _ in text(table.thresholds.soft) },
                ].map { $0 ?? "-" }.joined(separator: ", "))
        default: nil
        }
    }
}

extension ScriptRun {
    /// Compares the freezer's snapshot of killed processes with the expected ones; reading empties the snapshot.
    private mutating func snapshot(_ wanted: [ScriptSnapshot]) -> Answer {
        let found = table.takeFreezerSnapshot()
        let isMet =
            found.count == wanted.count
            && zip(wanted, found).allSatisfy { wanted, found in
                AppID(wanted.process) == found.app && wanted.isFrozen ?? found.isFrozen == found.isFrozen
                    && wanted.thaws ?? found.thaws == found.thaws
                    && wanted.reason ?? found.reason == found.reason
            }
        let shown = found.map {
            "\(script.processes[Int($0.app.index)].name)\($0.isFrozen ? " frozen" : ""), \($0.thaws) thaws, "
                + $0.reason.name
        }
        return Answer(
            "snapshot of the freezer", names(wanted.map(\.process)), "[\(shown.joined(separator: "; "))]", isMet)
    }

    /// Compares the kills since the last expectation about kills with the expected ones.
    private mutating func kills(_ wanted: [ScriptKill]) -> Answer {
        let found = Array(kills[namedKills...])
        namedKills = kills.count
        let isMet = found.count == wanted.count && zip(wanted, found).allSatisfy(matches)
        let shown = found.map { kill in
            let name = script.processes[Int(kill.app.index)].name
            return "\(name) \(kill.reason.name) in band \(kill.band), \(text(kill.freed)) freed"
        }
        let expected = wanted.map { kill in
            "\(kill.process.map { script.processes[$0].name } ?? "anybody") \(kill.reason.name)"
                + (kill.band.map { " in \($0)" } ?? "") + (kill.freed.map { ", \(text($0)) freed" } ?? "")
        }
        return Answer("kills", "[\(expected.joined(separator: "; "))]", "[\(shown.joined(separator: "; "))]", isMet)
    }

    private func matches(_ wanted: ScriptKill, _ found: KillRecord) -> Bool {
        if let process = wanted.process, AppID(process) != found.app { return false }
        if let band = wanted.band, band != Int(found.band) { return false }
        if let freed = wanted.freed, abs((freed - found.freed).mebibytes) > 0.1 { return false }
        return wanted.reason == found.reason
    }

    private func alive(_ app: AppID) -> String? { table.isAlive(app) ? nil : "no process" }

    /// Word for an app's state: `dead` or `running` if that word is expected and true; otherwise the life-cycle state.
    private func state(_ app: AppID, inTermsOf word: String) -> String {
        let state = table.state(of: app)
        if word == "dead", state == .notRunning { return word }
        if word == "running", state.executes { return word }
        return LifeCycleWords.name(of: state)
    }

    private func names(_ processes: [Int]) -> String {
        processes.map { script.processes[$0].name }.joined(separator: " ")
    }

    private func names(inBand band: Int) -> String {
        let members = script.processes.indices.filter {
            table.isAlive(AppID($0)) && Int(table.band(of: AppID($0))) == band
        }
        return names(
            members.sorted {
                (table.positionInBand(of: AppID($0)) ?? 0) < (table.positionInBand(of: AppID($1)) ?? 0)
            })
    }

    private func text(_ value: Int?) -> String { value.map(String.init) ?? "no process" }
    private func text(_ size: ByteCount) -> String { UnitText.format(Double(size.bytes), as: .bytes) }
    private func text(_ limit: MemoryLimit) -> String { "\(text(limit.size)) \(limit.isFatal ? "fatal" : "soft")" }
    private func text(_ count: ScriptKillCount) -> String {
        "\(count.count) \(count.reason.name) in band \(count.band)"
    }

    /// The effective limit, with `default` replaced by its value.
    private func effective(_ limit: MemoryLimit) -> MemoryLimit {
        limit.size <= .zero ? MemoryLimit(script.memory.perProcessLimit, isFatal: true) : limit
    }
}

/// Expectation and the value that was found.
struct Answer {
    let subject: String
    let expected: String
    let found: String
    let isMet: Bool

    init(_ subject: String, _ expected: String, _ found: String, _ isMet: Bool) {
        self.subject = subject
        self.expected = expected
        self.found = found
        self.isMet = isMet
    }

    init(_ subject: String, _ expected: String, _ found: String) {
        self.init(subject, expected, found, expected == found)
    }

    /// Compares two values; if there is an excuse, the expectation fails and the excuse replaces the found value.
    init<T: Equatable>(_ subject: String, _ expected: T, _ found: T, _ excuse: String?) {
        self.init(subject, "\(expected)", excuse ?? "\(found)", excuse == nil && expected == found)
    }

    /// Compares two sizes; a difference of less than one page of 16 KiB does not matter.
    init(_ subject: String, _ expected: ByteCount, _ found: ByteCount) {
        let isMet = abs(expected.bytes - found.bytes) < 16384
        self.init(
            subject, UnitText.format(Double(expected.bytes), as: .bytes),
            UnitText.format(Double(found.bytes), as: .bytes), isMet)
    }

    /// Checks that a share is in a range.
    init(_ subject: String, _ low: Double, _ high: Double, _ found: Double) {
        func text(_ value: Double) -> String { UnitText.format((value * 1e6).rounded() / 1e6, as: .fraction) }
        self.init(subject, "from \(text(low)) to \(text(high))", text(found), low <= found && found <= high)
    }
}
