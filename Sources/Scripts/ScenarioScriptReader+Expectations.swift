// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Processes
import Quantities
import Vocabulary

extension ScenarioScriptReader {
    func readExpectation(_ map: MapReader) -> ScriptStep.Content? {
        guard map.isMap else { return nil }
        var checks: [ScriptCheck] = []
        var subject: Int?
        if map.has("process") {
            subject = map.required("process", process)
            readStanding(map, into: &checks)
            readSizes(map, into: &checks)
            readLife(map, into: &checks)
            if let (low, high) = readRange(map, "saved") { checks.append(.saved(atLeast: low, atMost: high)) }
            readBackgroundChecks(map, into: &checks)
            readFileChecks(map, into: &checks)
        } else {
            readLists(map, into: &checks)
            readFigures(map, into: &checks)
            readDiskChecks(map, into: &checks)
        }
        map.finish()
        if checks.isEmpty {
            map.cursor.fail("the expectation is empty", hint: "for instance \"{process: a, band: 0}\"")
        }
        return .expect(process: subject, checks)
    }

    /// Reads expectations about band, position, life and limits.
    private func readStanding(_ map: MapReader, into checks: inout [ScriptCheck]) {
        func add<T>(_ key: String, _ reader: ValueReader<T>, _ make: (T) -> ScriptCheck) {
            if let value = map.optional(key, reader) { checks.append(make(value)) }
        }
        add("alive", .flag) { .isAlive($0) }
        add("state", .word(of: Self.states, what: "state")) { .state($0) }
        add("band", Self.band) { .band($0) }
        add("band_below", Self.band) { .bandBelow($0) }
        add("position", .integer(0...1_000_000, example: "0")) { .position($0) }
        add("assertion", .flag) { .hasAssertion($0) }
        add("dirty", .flag) { .isDirty($0) }
        add("relaunch", .record) { .relaunch($0) }
        add("frozen", .flag) { .isFrozen($0) }
        add("swappable", .flag) { .isSwappable($0) }
        add("thaws", .integer(0...1_000_000, example: "1")) { .thaws($0) }
        add("active_limit", Self.limit) { .activeLimit($0) }
        add("inactive_limit", Self.limit) { .inactiveLimit($0) }
        guard let limit = map.cursor("limit") else { return }
        let text = limit.node.scalar ?? ""
        if text.hasSuffix("fatal") || text.hasSuffix("soft") || text == "default" {
            add("limit", Self.limit) { .limit($0) }
        } else {
            add("limit", .bytes()) { .limitSize($0) }
        }
    }

    private func readSizes(_ map: MapReader, into checks: inout [ScriptCheck]) {
        let sizes: [(String, (ByteCount) -> ScriptCheck)] = [
            ("footprint", { .footprint($0) }), ("resident", { .resident($0) }), ("compressed", { .compressed($0) }),
            ("volatile", { .volatile($0) }), ("may_take", { .headroom($0) }),
            ("lifetime_maximum", { .lifetimeMaximum($0) }), ("interval_maximum", { .intervalMaximum($0) }),
            ("on_storage", { .swapped($0) }), ("neural", { .neural($0) }),
        ]
        for (key, make) in sizes {
            if let value = map.optional(key, .bytes()) { checks.append(make(value)) }
        }
    }

    /// Reads expectations about kills, queues, the whole list and the frozen processes.
    private func readLists(_ map: MapReader, into checks: inout [ScriptCheck]) {
        if let kills = map.optional("kills", .list(of: kill)) { checks.append(.kills(kills)) }
        if let counts = map.optional("kill_counts", .list(of: Self.killCount)) { checks.append(.killCounts(counts)) }
        if let queue = map.map("queue") {
            let band = queue.required("band", Self.band)
            let processes = queue.required("processes", .list(of: process))
            queue.finish()
            if let band, let processes { checks.append(.queue(band: band, processes: processes)) }
        }
        if let list = map.optional("list", .list(of: process)) { checks.append(.list(list)) }
        if let told = map.optional("notified", .list(of: process)) { checks.append(.notified(told)) }
        if let told = map.optional("relieved", .list(of: process)) { checks.append(.relieved(told)) }
        if let killed = map.optional("freezer_snapshot", .list(of: snapshot)) {
            checks.append(.freezerSnapshot(killed))
        }
        if let killed = map.optional("zone_snapshots", .list(of: process)) { checks.append(.zoneSnapshots(killed)) }
        if let frozen = map.optional("frozen", .list(of: process)) { checks.append(.frozen(frozen)) }
    }

    private func readFigures(_ map: MapReader, into checks: inout [ScriptCheck]) {
        let levels: [(String, PressureLevel)] = [("normal", .normal), ("warning", .warning), ("critical", .critical)]
        if let word = map.optional("pressure", .word(of: levels.map(\.0), what: "pressure level")) {
            checks.append(.pressure(levels.first { $0.0 == word }?.1 ?? .normal))
        }
        if let budget = map.optional("freezer_budget", .bytes()) { checks.append(.freezerBudget(budget)) }
        if let size = map.optional("swap_used", .bytes()) { checks.append(.swapUsed(size)) }
        if let (low, high) = readRange(map, "zone_map") { checks.append(.zoneMap(atLeast: low, atMost: high)) }
        if let (low, high) = readRange(map, "thaw_share") { checks.append(.thawShare(atLeast: low, atMost: high)) }
        if let (low, high) = readRange(map, "available") { checks.append(.available(atLeast: low, atMost: high)) }
        if let size = map.optional("decompressed", .bytes()) { checks.append(.decompressed(atLeast: size)) }
        if let thresholds = map.map("thresholds") {
            checks.append(
                .thresholds(
                    critical: thresholds.optional("critical", .bytes()), idle: thresholds.optional("idle", .bytes()),
                    soft: thresholds.optional("soft", .bytes())))
            thresholds.finish()
        }
    }

    /// Reads `{at_least: 9 %, at_most: 10 %}`, or one share that must be met within a hundredth of a per cent.
    private func readRange(_ map: MapReader, _ key: String) -> (Double, Double)? {
        guard let cursor = map.cursor(key) else { return nil }
        if cursor.node.scalar != nil {
            return ValueReader<Double>.share.read(cursor).map { ($0 - 0.0001, $0 + 0.0001) }
        }
        let range = MapReader(cursor, expected: "a share or a range such as {at_least: 9 %}")
        let low = range.value("at_least", .share, default: 0)
        let high = range.value("at_most", .share, default: 1)
        range.finish()
        return (low, high)
    }

    private var kill: ValueReader<ScriptKill> {
        ValueReader(example: "{process: a, reason: idle-exit}") { [process] cursor in
            let map = MapReader(cursor, expected: "a kill such as {process: a, reason: idle-exit}")
            let who = map.optional("process", process)
            let reason = map.required("reason", .reason)
            let band = map.optional("band", Self.band)
            let freed = map.optional("freed", .bytes())
            map.finish()
            return reason.map { ScriptKill(process: who, reason: $0, band: band, freed: freed) }
        }
    }

    private static var killCount: ValueReader<ScriptKillCount> {
        ValueReader(example: "{band: 0, reason: jettisoned, count: 2}") { cursor in
            let map = MapReader(cursor)
            let band = map.required("band", Self.band)
            let reason = map.required("reason", .reason)
            let count = map.required("count", .integer(0...1_000_000, example: "2"))
            map.finish()
            guard let band, let reason, let count else { return nil }
            return ScriptKillCount(band: band, reason: reason, count: count)
        }
    }
}
