// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Processes
import Quantities
import Vocabulary

extension ScenarioScriptReader {
    func readSteps(_ map: MapReader) -> [ScriptStep] {
        guard let list = map.cursor("steps") else {
            if map.isMap { map.cursor.fail("the key \"steps\" is missing") }
            return []
        }
        guard let items = list.node.items else {
            list.expected("a list of steps")
            return []
        }
        let steps = items.enumerated().compactMap { readStep(list.item($0.element, index: $0.offset)) }
        checkOrder(steps, list.report)
        return steps
    }

    /// Checks that time increases, and that at one instant all actions come before the expectations.
    private func checkOrder(_ steps: [ScriptStep], _ report: ConfigReport) {
        for (before, after) in zip(steps, steps.dropFirst()) {
            if after.time < before.time {
                report.add(
                    after.location.problem(
                        "this step is earlier than the one above it", hint: "sort the steps by time"))
            }
            guard after.time == before.time, case .expect = before.content else { continue }
            if case .expect = after.content { continue }
            report.add(
                after.location.problem(
                    "this action follows an expectation at the same time",
                    hint: "at each time, put all actions before the expectations"))
        }
    }

    private func readStep(_ cursor: Cursor) -> ScriptStep? {
        let map = MapReader(cursor)
        let time = map.required("at", .duration(0...3e8))
        let content: ScriptStep.Content?
        if let expectation = map.cursor("expect") {
            content = readExpectation(MapReader(expectation))
        } else if map.has("block") {
            content = readBlockAct(map)
        } else if map.has("process") || map.has("do") {
            content = readAct(map)
        } else if let device = map.map("device") {
            content = .device(readDeviceChanges(device))
        } else {
            content = readMachine(map).map { .machine($0) }
        }
        map.finish()
        guard let time, let content else { return nil }
        return ScriptStep(time: .zero + time, location: cursor.node.location, content: content)
    }

    private func readAct(_ map: MapReader) -> ScriptStep.Content? {
        let process = map.required("process", process)
        let error = map.optional("error", Self.error)
        guard let cursor = map.cursor("do") else {
            if map.isMap { map.cursor.fail("the key \"do\" is missing", hint: "for instance \"do: dirty\"") }
            return nil
        }
        guard let text = cursor.node.scalar else {
            cursor.expected("an action such as \"assert 100\"")
            return nil
        }
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        if let process, hasWindows[process],
            let life = readLifeAction(parts[0], parts.count > 1 ? parts[1] : nil, map, cursor)
        {
            return life.map { .act(process: process, $0, error: error) }
        }
        if let process, hasWindows[process],
            let found = readBackgroundAction(parts[0], parts.count > 1 ? parts[1] : nil, map, cursor)
        {
            return found.map { .ask(process: process, $0, error: error) }
        }
        let action =
            switch parts[0] {
            case "set-limit": readLimits(map)
            case "set-priority": readPriority(map)
            default: readAction(parts[0], parts.count > 1 ? parts[1] : nil, cursor)
            }
        guard let process, let action else { return nil }
        return .act(process: process, action, error: error)
    }

    static var error: ValueReader<ScriptError> { .choice("error") }

    private func readLimits(_ map: MapReader) -> ScriptAction? {
        let active = map.required("active", Self.limit)
        let inactive = map.required("inactive", Self.limit)
        guard let active, let inactive else { return nil }
        return .setLimit(active: active, inactive: inactive)
    }

    /// Reads a band and the flags of the kernel's call.
    private func readPriority(_ map: MapReader) -> ScriptAction? {
        let band = map.required("band", .integer(-1000...1000, example: "100"))
        let flags = map.required("flags", .integer(0...0xffff_ffff, example: "1"))
        guard let band, let flags else { return nil }
        return .setPriority(band, flags: UInt32(flags))
    }

    private static let plain: [(word: String, action: ScriptAction)] = [
        ("spawn", .spawn), ("exit", .exit), ("kill", .kill), ("dirty", .dirty), ("clean", .clean),
        ("foreground", .foreground), ("background", .background), ("suspend", .suspend), ("resume", .resume),
        ("dock", .dock), ("undock", .undock), ("drop-assertion", .dropAssertion),
        ("hold-importance", .holdImportance), ("drop-importance", .dropImportance), ("track", .track),
        ("track-without-idle-exit", .trackWithoutIdleExit), ("reset-interval", .resetInterval),
        ("volatile", .makeVolatile), ("non-volatile", .makeNonvolatile), ("free-purgeable", .freePurgeable),
        ("freeze", .freeze), ("thaw", .thaw), ("demote", .demote), ("freezable", .freezable),
        ("unfreezable", .unfreezable), ("mark-swappable", .markSwappable),
    ]
    private static let sized: [(word: String, make: @Sendable (ByteCount) -> ScriptAction)] = [
        ("footprint", { .footprint($0) }), ("allocate", { .allocate($0) }), ("compress", { .compress($0) }),
        ("touch", { .touch($0) }),
        ("purgeable", { .purgeable($0) }), ("defer-free", { .deferFree($0) }), ("exec", { .exec($0) }),
    ]
    private static let counted: [(word: String, make: @Sendable (Int) -> ScriptAction)] = [
        ("map-regions", { .mapRegions($0) }), ("unmap-regions", { .mapRegions(-$0) }),
        ("open-files", { .openFiles($0) }), ("close-files", { .openFiles(-$0) }),
    ]
    private static let banded: [(word: String, make: @Sendable (Int) -> ScriptAction)] = [
        ("assert", { .assert($0) }), ("set-band", { .setBand($0) }),
    ]

    private func readAction(_ word: String, _ argument: String?, _ cursor: Cursor) -> ScriptAction? {
        func value() -> Cursor {
            Cursor(
                Node(.scalar(argument ?? "", quoted: false), at: cursor.node.location), path: cursor.path,
                report: cursor.report)
        }
        if let sized = Self.sized.first(where: { $0.word == word }) {
            return ValueReader<ByteCount>.bytes().read(value()).map(sized.make)
        }
        if let banded = Self.banded.first(where: { $0.word == word }) {
            return ValueReader<Int>.integer(-1000...1000, example: "100").read(value()).map(banded.make)
        }
        if let counted = Self.counted.first(where: { $0.word == word }) {
            return ValueReader<Int>.integer(1...1_000_000_000, example: "100").read(value()).map(counted.make)
        }
        if word == "use-probability" { return ValueReader<Double>.share.read(value()).map { .useProbability($0) } }
        guard let plain = Self.plain.first(where: { $0.word == word }) else {
            let known =
                Self.plain.map(\.word) + Self.sized.map(\.word) + Self.banded.map(\.word) + Self.counted.map(\.word)
                + ["set-limit", "set-priority", "use-probability"]
            _ = ValueReader<String>.word(of: known, what: "action").read(
                Cursor(
                    Node(.scalar(word, quoted: false), at: cursor.node.location), path: cursor.path,
                    report: cursor.report)
            )
            return nil
        }
        if let argument { cursor.fail("\"\(word)\" takes no value, found \"\(argument)\"") }
        return plain.action
    }
}

extension ScenarioScriptReader {
    private static let machineKeys = [
        "memory", "thresholds", "signal", "sort_band", "freezer", "zones", "vnodes", "kill_counts", "disk",
    ]

    private func readMachine(_ map: MapReader) -> ScriptMachineAction? {
        guard let key = map.exactlyOne(of: Self.machineKeys) else { return nil }
        switch key {
        case "memory": return map.map(key).flatMap(readMemory)
        case "thresholds": return map.map(key).flatMap(readThresholds)
        case "signal": return readSignal(map)
        case "kill_counts":
            return map.required(key, .word(of: ["clear"], what: "action on the counts")).map { _ in .clearKillCounts }
        case "zones": return map.map(key).flatMap(readZones)
        case "disk": return map.map(key).flatMap(readDiskAction)
        case "vnodes": return map.required(key, .integer(0...1_000_000_000, example: "1000")).map { .vnodeLimit($0) }
        case "sort_band": return map.required(key, Self.band).map { .sortBand($0) }
        default: return map.map(key).flatMap(readFreezerAction)
        }
    }

    private func readMemory(_ map: MapReader) -> ScriptMachineAction? {
        defer { map.finish() }
        guard let key = map.exactlyOne(of: ["available", "compressor"]) else { return nil }
        if key == "compressor" { return map.required(key, .share).map { .compressorShare($0) } }
        if map.cursor(key)?.node.scalar?.hasSuffix("%") == true {
            return map.required(key, .share).map { .availableShare($0) }
        }
        return map.required(key, .bytes()).map { .available($0) }
    }

    private func readThresholds(_ map: MapReader) -> ScriptMachineAction? {
        defer { map.finish() }
        if map.has("raise") {
            return map.required("raise", .quantity(.bytes)).map { .raiseThresholds(ByteCount(Int64($0))) }
        }
        return .thresholds(
            critical: map.optional("critical", .bytes()), idle: map.optional("idle", .bytes()),
            soft: map.optional("soft", .bytes()), reaper: map.optional("reaper", .bytes()))
    }

    private func readSignal(_ map: MapReader) -> ScriptMachineAction? {
        let signals: [(String, KillSignal)] = [
            ("zone-map", .zoneMap), ("compressor-thrashing", .compressorThrashing),
            ("file-cache-thrashing", .fileCacheThrashing), ("pageout-starvation", .pageoutStarvation),
            ("vnode-limit", .vnodeLimit(caller: nil)), ("disk-space", .diskSpaceShortage),
        ]
        let caller = map.optional("caller", process)
        guard let word = map.required("signal", .word(of: signals.map(\.0), what: "signal")) else { return nil }
        if word == "vnode-limit" { return .signal(.vnodeLimit(caller: caller.map { AppID($0) })) }
        return signals.first { $0.0 == word }.map { .signal($0.1) }
    }

    private func readFreezerAction(_ map: MapReader) -> ScriptMachineAction? {
        defer { map.finish() }
        guard let key = map.exactlyOne(of: ["run", "reset", "budget", "expired", "list", "on"]) else { return nil }
        switch key {
        case "run":
            let error = map.optional("error", Self.error)
            return map.required(key, .flag).map { _ in .freezeTop(error: error) }
        case "reset": return map.required(key, .flag).map { _ in .resetFreezer }
        case "on": return map.required(key, .flag).map { .freezerSwitch($0) }
        case "list":
            let error = map.optional("error", Self.error)
            return map.required(key, .list(of: listEntry)).map { .freezeList($0, error: error) }
        case "budget": return map.required(key, .bytes()).map { .freezerBudget($0) }
        default: return map.required(key, .duration()).map { .expireFreezer($0) }
        }
    }
}
