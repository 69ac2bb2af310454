// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import EvictionPolicies
import LifeCycle
import Processes
import Quantities
import SchedulingPolicies
import Vocabulary

/// Reads a scenario script; all problems are reported at once.
public func loadScenarioScript(path: String) throws(Diagnostics) -> ScenarioScript {
    try loadScenarioScript(SourceText.read(path: path).get())
}

/// Reads a scenario script from a text, whose `name` is used as the path of the script's file.
public func loadScenarioScript(_ source: SourceText) throws(Diagnostics) -> ScenarioScript {
    let root = try YAML.parse(source).get()
    let report = ConfigReport()
    let script = ScenarioScriptReader().read(Cursor(root, report: report))
    guard let script, !report.problems.hasErrors else { throw report.problems.ordered }
    return script
}

/// Reads the header and the processes; steps and expectations are read in other files.
final class ScenarioScriptReader {
    /// Names of the processes, in order.
    var names: [String] = []
    /// For each process, whether the life cycle of apps drives it.
    var hasWindows: [Bool] = []
    /// Names of the blocks of memory made by steps so far, in order.
    var blocks: [String] = []
    /// Whether the phone has storage.
    var hasDisk = false

    func read(_ cursor: Cursor) -> ScenarioScript? {
        let map = MapReader(cursor)
        var script = ScenarioScript()
        _ = map.required("schema", .schema)
        script.name = map.required("name", .text) ?? ""
        script.scenarios = map.value("scenarios", .list(of: .text, orSingle: true), default: [])
        map.set(&script.rule, "rule", .text)
        map.set(&script.kernelSource, "kernel", .text)
        let policies = EvictionPolicies.all.map(\.descriptor.name)
        map.set(&script.policy, "policy", .word(of: policies, what: "eviction policy"))
        let schedulers = SchedulingPolicies.all.map(\.descriptor.name)
        map.set(&script.scheduling, "scheduling", .word(of: schedulers, what: "scheduling policy"))
        readDevice(map, into: &script)
        script.processes = readProcesses(map)
        script.steps = readSteps(map)
        map.finish()
        return map.isMap ? script : nil
    }

    /// Reads the device; by default its memory does not compress processes by itself, because compression is scripted.
    private func readDevice(_ map: MapReader, into script: inout ScenarioScript) {
        guard let device = map.map("device") else { return }
        let memory = SystemReader.readMemory(device) { $0.compressBelowShare = 0 }
        let profile = SystemReader.readOS(device, ram: memory?.ram)
        if let memory, var profile {
            SystemReader.readSwapAndFreezer(device, into: &profile)
            script.memory = memory
            script.profile = profile
        }
        script.disk = readDisk(device)
        device.finish()
    }

    private func readProcesses(_ map: MapReader) -> [ScriptProcess] {
        guard let list = map.cursor("processes") else { return [] }
        guard let items = list.node.items else {
            list.expected("a list of processes")
            return []
        }
        // Names are read first, so that every step can be checked even when a process has a problem.
        for (index, item) in items.enumerated() {
            let name = item["name"]?.scalar ?? "process-\(index)"
            if names.contains(name) { list.item(item, index: index).fail("the name \"\(name)\" is taken") }
            names.append(name)
            hasWindows.append(item["windows"] != nil)
        }
        return items.enumerated().map { readProcess(list.item($0.element, index: $0.offset)) }
    }

    private func readProcess(_ cursor: Cursor) -> ScriptProcess {
        let map = MapReader(cursor)
        let name = map.required("name", .text) ?? ""
        var traits = ProcessTraits()
        let kind = map.value(
            "kind", .word(of: ["app", "daemon", "xpc-service", "extension"], what: "kind"), default: "app")
        traits.isManaged = map.value("managed", .flag, default: kind != "daemon")
        traits.isTracked = map.value("tracked", .flag, default: false)
        traits.allowsIdleExit = map.value("idle_exit", .flag, default: false)
        map.set(&traits.band, "band", Self.band.map { Int16($0) })
        if let limits = map.map("limits") {
            map.assign(limits.optional("active", Self.limit), to: &traits.activeLimit)
            map.assign(limits.optional("inactive", Self.limit), to: &traits.inactiveLimit)
            limits.finish()
        }
        map.set(&traits.entitledLimit, "entitled_limit", .bytes())
        map.set(&traits.relaunch, "relaunch", Self.relaunch)
        map.set(&traits.coalition, "coalition", ValueReader<Int>.integer(0...1_000_000, example: "1").map { Int32($0) })
        traits.role =
            kind == "app"
            ? .leader : kind == "xpc-service" ? .xpcService : kind == "extension" ? .appExtension : .undefined
        map.set(&traits.mayUseInternalBands, "internal_bands", .flag)
        map.set(&traits.isFreezable, "freezable", .flag)
        map.set(&traits.useProbability, "use_probability", .share)
        let footprint = map.value("footprint", .bytes(), default: .mebibytes(1))
        let windows = map.optional("windows", .integer(1...LifeCycleMachine.mostWindows, example: "1"))
        let isSpawned = map.value("spawned", .flag, default: windows == nil)
        let start = readStart(map, traits, footprint)
        var process = ScriptProcess(
            name: name, traits: traits, footprint: footprint, isSpawned: isSpawned, start: start)
        process.windows = windows
        map.set(&process.windowMemory, "window_memory", .bytes())
        map.set(&process.handlesExpiration, "handles_expiration", .flag)
        map.set(&process.refreshes, "background_refresh", .flag)
        map.set(&process.doesHealthResearch, "health_research", .flag)
        map.set(&process.completesWork, "completes_work", .flag)
        map.set(&process.saves, "saves", .duration())
        map.set(&process.showsNotifications, "shows_notifications", .flag)
        map.set(&process.hasToken, "push_token", .flag)
        if let alarms = map.map("alarms") {
            alarms.set(&process.alarms, AlarmTraits.keys)
            alarms.finish()
        }
        process.files = readFiles(map)
        process.hasLimits = map.has("limits")
        if windows != nil { checkApp(map, isSpawned) }
        map.finish()
        return process
    }

    /// For an app with windows, refuses keys that have no effect because the life cycle determines their values.
    private func checkApp(_ map: MapReader, _ isSpawned: Bool) {
        if isSpawned { map.cursor.fail("an app with windows starts when a step opens it") }
        let others = [
            "managed", "tracked", "idle_exit", "band", "entitled_limit", "relaunch", "coalition", "internal_bands",
            "freezable", "use_probability", "state",
        ]
        for key in others {
            map.cursor(key)?.fail(
                "\"\(key)\" has no effect for an app with windows",
                hint: "leave it out: the app's life cycle determines it")
        }
    }

    static var band: ValueReader<Int> { .integer(0...210, example: "100") }

    /// The index of a process by its name.
    var process: ValueReader<Int> {
        ValueReader<String>.word(of: names, what: "process").map { [names] name in names.firstIndex(of: name) ?? 0 }
    }

    /// Reads `low`, or a list of times between kill and relaunch.
    static var relaunch: ValueReader<RelaunchRecord> {
        ValueReader(example: "low") { cursor in
            if cursor.node.items != nil {
                return ValueReader<[SimDuration]>.list(of: .duration()).read(cursor).map { times in
                    RelaunchRecord(milliseconds: times.map { Int(($0.seconds * 1000).rounded()) })
                }
            }
            return ValueReader<RelaunchRecord>.record.read(cursor)
        }
    }

    /// Reads `35 MiB fatal`, `35 MiB soft`, or `default`.
    static var limit: ValueReader<MemoryLimit> {
        .scalar("a limit such as \"35 MiB fatal\"", example: "35 MiB fatal") { text, cursor in
            // A limit that is not positive means the device's limit, as in `memstat_set_memlimits_locked`.
            if ["default", "-1", "0"].contains(text) { return .standard }
            for (word, isFatal) in [(" fatal", true), (" soft", false)] where text.hasSuffix(word) {
                let location = cursor.node.location
                let size = Node(.scalar(String(text.dropLast(word.count)), quoted: false), at: location)
                return ValueReader<ByteCount>.bytes().read(Cursor(size, path: cursor.path, report: cursor.report))
                    .map { MemoryLimit($0, isFatal: isFatal) }
            }
            cursor.expected("a limit such as \"35 MiB fatal\" or \"35 MiB soft\"")
            return nil
        }
    }
}

extension ValueReader where T == RelaunchRecord {
    /// The name of a class of relaunch records.
    static var record: ValueReader {
        let all = RelaunchRecord.allCases
        return ValueReader<String>.word(of: all.map { "\($0)" }, what: "relaunch record").map { word in
            all.first { "\($0)" == word } ?? .unknown
        }
    }
}

extension ValueReader where T == KillReason {
    /// The name of a reason as in device reports.
    static var reason: ValueReader {
        let all = KillReason.allCases
        return ValueReader<String>.word(of: all.map(\.name), what: "reason").map { word in
            all.first { $0.name == word } ?? .jettisoned
        }
    }
}

extension MapReader {
    /// Replaces a field by a value that was read elsewhere.
    func assign<T>(_ value: T?, to field: inout T) {
        if let value { field = value }
    }
}
