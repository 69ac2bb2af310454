// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import ConfigText
import Quantities
import Vocabulary

/// Steps and expectations about requests, pushes, transfers and the state of the device.
extension ScenarioScriptReader {
    private static let kinds: [(word: String, kind: RequestKind)] = [
        ("refresh", .refresh), ("processing", .processing),
    ]
    private static let words = [
        "submit", "cancel", "simulate-launch", "simulate-expiration", "complete", "fail", "push", "report-call",
        "begin-transfer", "end-transfer", "set-alarm",
    ]

    /// Reads an action of background work; for any other word, returns nil and reads nothing.
    func readBackgroundAction(
        _ word: String, _ argument: String?, _ map: MapReader, _ cursor: Cursor
    ) -> ScriptBackgroundAction?? {
        let value = Cursor(
            Node(.scalar(argument ?? "", quoted: false), at: cursor.node.location), path: cursor.path,
            report: cursor.report)
        guard Self.words.contains(word) else { return readWrite(word, value, map) }
        func read<T>(_ reader: ValueReader<T>) -> T? { reader.read(value) }
        let action: ScriptBackgroundAction?
        switch word {
        case "submit": action = read(Self.kind).map { .submit($0, readRequest(map)) }
        case "cancel":
            let identifier = map.optional("identifier", Self.identifier)
            action = read(Self.kind).map { .cancel($0, identifier: identifier) }
        case "simulate-launch": action = read(Self.kind).map { .simulateLaunch($0) }
        case "simulate-expiration": action = read(Self.kind).map { .simulateExpiration($0) }
        case "complete": action = read(Self.work)
        case "fail": action = read(Self.kind).map { .complete($0, isSuccess: false) }
        case "push": action = read(.choice("push")).map { .push($0) }
        case "report-call": action = .reportCall
        case "set-alarm": action = read(.duration()).map { .setAlarm($0) }
        case "begin-transfer":
            let isDiscretionary = map.value("discretionary", .flag, default: false)
            action = read(.bytes()).map { .beginTransfer($0, isDiscretionary: isDiscretionary) }
        default: action = .endTransfer
        }
        return .some(action)
    }

    private func readRequest(_ map: MapReader) -> ScriptRequest {
        var request = ScriptRequest()
        map.set(&request.identifier, "identifier", Self.identifier)
        map.set(&request.floor, "earliest_begin", .duration())
        map.set(&request.requiresPower, "requires_power", .flag)
        map.set(&request.requiresNetwork, "requires_network", .flag)
        map.set(&request.isHealthResearch, "health_research", .flag)
        map.set(&request.needsUnlockedFiles, "needs_unlocked_files", .flag)
        return request
    }

    private static var identifier: ValueReader<Int> { .integer(0...255, example: "1") }

    private static var kind: ValueReader<RequestKind> {
        ValueReader<String>.word(of: kinds.map(\.word), what: "kind of request").map { word in
            kinds.first { $0.word == word }?.kind ?? .refresh
        }
    }

    /// The name of one of the system's own rules.
    private static var rule: ValueReader<String> {
        .word(of: SystemRule.allCases.map(\.facts.text.name) + ["none"], what: "rule of the system")
    }

    /// Work that an app can complete.
    private static var work: ValueReader<ScriptBackgroundAction> {
        ValueReader<String>.word(of: kinds.map(\.word) + ["push", "transfer", "alarm"], what: "kind of work").map {
            word in
            if let found = kinds.first(where: { $0.word == word }) { return .complete(found.kind, isSuccess: true) }
            return word == "push" ? .completePush : word == "alarm" ? .completeAlarm : .completeTransfer
        }
    }

    /// Reads `{device: {network: wifi, power: true}}`: the changes of one instant, in the order of this list.
    func readDeviceChanges(_ map: MapReader) -> [ScriptDeviceChange] {
        var changes: [ScriptDeviceChange] = []
        func add<T>(_ key: String, _ reader: ValueReader<T>, _ make: (T) -> ScriptDeviceChange) {
            if let value = map.optional(key, reader) { changes.append(make(value)) }
        }
        let networks = Network.allCases
        let levels = ["nominal", "fair", "serious", "critical"]
        add("battery", .share) { .battery($0) }
        add("power", .flag) { .power($0) }
        add("low_power_mode", .flag) { .lowPowerMode($0) }
        add("thermal", .word(of: levels, what: "thermal state")) { .thermal(levels.firstIndex(of: $0) ?? 0) }
        add("network", .word(of: networks.map(\.name), what: "network")) { word in
            .network(networks.first { $0.name == word } ?? .none)
        }
        add("camera", .flag) { .camera($0) }
        add("locked", .flag) { .locked($0) }
        add("screen", .flag) { .screen($0) }
        add("restart", .word(of: ["in-order", "crash"], what: "restart")) { .restart(isCrash: $0 == "crash") }
        map.finish()
        if changes.isEmpty, map.isMap {
            map.cursor.fail("the change of the device is empty", hint: "for instance \"{network: wifi}\"")
        }
        return changes
    }

    /// Reads `refresh: {pending: 1, decision: waits, reason: earliest-begin}`, `push: held`, `transfers: {count: 1}`.
    func readBackgroundChecks(_ map: MapReader, into checks: inout [ScriptCheck]) {
        for (word, kind) in Self.kinds {
            guard let part = map.map(word) else { continue }
            readRequestChecks(part, kind, into: &checks)
            part.finish()
        }
        if let state = map.optional("push", ValueReader<ScriptPushState>.choice("state of a push")) {
            checks.append(.background(.push(state)))
        }
        if let reason = map.optional("push_reason", Self.rule) { checks.append(.background(.pushReason(reason))) }
        if let count = map.optional("pushes_left", .integer(0...1000, example: "2")) {
            checks.append(.background(.pushesLeft(count)))
        }
        if let count = map.optional("alarms", .integer(0...1_000_000, example: "1")) {
            checks.append(.background(.alarms(count)))
        }
        guard let part = map.map("transfers") else { return }
        if let count = part.optional("count", .integer(0...1_000_000, example: "1")) {
            checks.append(.background(.transfers(count)))
        }
        if let flag = part.optional("discretionary", .flag) { checks.append(.background(.isDiscretionary(flag))) }
        if let span = part.optional("begins_in", .duration()) { checks.append(.background(.beginsIn(span))) }
        if let flag = part.optional("may_move", .flag) { checks.append(.background(.mayMove(flag))) }
        part.finish()
    }

    private func readRequestChecks(_ map: MapReader, _ kind: RequestKind, into checks: inout [ScriptCheck]) {
        if let count = map.optional("pending", .integer(0...255, example: "1")) {
            checks.append(.background(.pending(kind, count)))
        }
        if let flag = map.optional("running", .flag) { checks.append(.background(.isRunning(kind, flag))) }
        if let decision = map.optional("decision", ValueReader<ScriptDecision>.choice("decision")) {
            checks.append(.background(.decision(kind, decision)))
        }
        let reasons = RequestReason.all.map { $0.text().name }
        if let reason = map.optional("reason", .word(of: reasons, what: "reason")) {
            checks.append(.background(.reason(kind, reason)))
        }
        if let rules = map.optional("against", .list(of: Self.rule)) {
            checks.append(.background(.against(kind, rules)))
        }
        let outcomes = RequestOutcome.allCases
        if let word = map.optional("ended", .word(of: outcomes.map(\.name), what: "end of a request")) {
            let outcome = outcomes.first { $0.name == word }
            checks.append(.background(.ended(kind, outcome ?? .success)))
        }
    }
}
