// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// What the keys of the model files that do not act by themselves need, and which are not for runs at all.
enum KeyConditions {
    /// Keys with the settings under which they act.
    struct Condition: Sendable {
        let keys: [String]
        let settings: [String]
        let reason: String

        init(_ keys: [String], with settings: [String], _ reason: String) {
            self.keys = keys
            self.settings = settings
            self.reason = reason
        }

        /// Keys of one map.
        init(_ map: String, _ keys: [String], with settings: [String], _ reason: String) {
            self.init(keys.map { "\(map).\($0)" }, with: settings, reason)
        }
    }

    /// Keys that matter only under a condition, with one under which they are seen to act.
    static let conditions = device + background + apps + users + storage + android

    /// Settings that open maps which the plain run leaves closed, so that their keys are known.
    static let openers: [[String]] = [
        [freezer, "device.heat={dwell: 30 s}"], [games], [notifications], [charger], [classes], [gaps], [trips],
        [episodes], ["user.persona.opened_by={}"], [restarts], [installs], [signals],
        ["device.helpers={share: {}, photo: {}, model: {}}"],
        [
            "charging", "incidents", "modes", "background", "os.life_cycle", "os.app_swap", "os.writeback", "disk",
            "interruptions", "restarts", "part_starts",
        ].map { "device.\($0)={}" },
        [surroundings, fallback, placement],
        ["alarms", "broadcasts", "pushes", "transfers", "connections", "widgets", "continued", "fetch"].map {
            "device.background.\($0)={}"
        },
        [
            "launch", "use", "habits", "pushes", "connection", "modes", "transfers", "continued", "faults", "files",
            "declares", "alarms", "broadcasts",
        ].map { "\(ModelKey.app).\($0)={}" },
        ["\(ModelKey.app).refresh.hardware={}"],
        [processes(AppProcess.Kind.allCases)],
    ]

    private static let classes =
        "device.activities={" + ModelKey.activities.map { "\($0): {}" }.joined(separator: ", ") + "}"

    /// A setting that gives an app these processes, with those of the figures that their kinds have.
    static func processes(_ kinds: [AppProcess.Kind], _ figures: [(key: String, value: String)] = []) -> String {
        let maps = kinds.map { kind in
            let own = figures.filter { figure in kind.keys.contains { $0.name == figure.key } }
            return "\(kind.rawValue): {" + own.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
        }
        return "\(ModelKey.app).processes={" + maps.joined(separator: ", ") + "}"
    }

    /// Keys that no run has to change with.
    static let reasons: [(pattern: String, reason: String)] = headers + others

    private static let headers: [(pattern: String, reason: String)] = {
        var found: [(pattern: String, reason: String)] = []
        for map in ["device", "device.*", "device.*.*", "user.persona", "user.persona.charging.charger"] {
            found.append((map + ".name", "a name"))
            found.append((map + ".summary", "for lists"))
            found.append((map + ".grounding", "for readers"))
            found.append((map + ".schema", "the version of the format"))
            found.append((map + ".assumptions", "for readers"))
        }
        return found
    }()

    private static let others: [(pattern: String, reason: String)] = [
        ("device.radios.*.interface", "says for which radio a file is; another word is an error"),
        ("device.battery.cell.capacity", "the device states its own; for a cell alone: BenchKeyTests"),
        ("device.battery.cell.resistance", "the device states its own; for a cell alone: BenchKeyTests"),
        ("device.battery.cell.charge_limit", "for a cell alone: BenchKeyTests"),
        ("device.battery.cell.interpolation", "for a cell alone: BenchKeyTests"),
        ("device.battery.cell.r0", tables), ("device.battery.cell.r1", tables), ("device.battery.cell.c1", tables),
        ("device.battery.cell.r2", tables), ("device.battery.cell.c2", tables),
        ("device.battery.cell.voltage_states", tables), ("device.battery.cell.voltages", tables),
        ("device.battery.cell.resistance_states", tables), ("device.battery.cell.entropy_states", tables),
        ("device.battery.cell.voltages_per_kelvin", tables), ("device.battery.pair_shares", tables),
        ("device.battery.pair_times", tables), ("device.processor.*.points", tables),
        ("device.os.life_cycle.scenes", "whose delegate is called, not what happens: scenario scripts"),
        ("device.display.refresh_rate", "the values that are tried are clocks of processors: ActivityTests"),
        ("device.start_state", "the path of a file: StartStateTests"),
    ]

    private static let tables = "one table with the lists beside it: CellReaderTests, processors and their figures"

    /// The condition of a key, if it has one.
    static func condition(of path: String) -> Condition? {
        conditions.first { condition in condition.keys.contains { matches(path, $0) } }
    }

    /// Whether a path is meant by a pattern, in which `*` stands for one word and `**` at the end for all below.
    static func matches(_ path: String, _ pattern: String) -> Bool {
        let words = path.split(separator: ".")
        let wanted = pattern.split(separator: ".")
        if wanted.last == "**" { return words.count >= wanted.count && zip(words, wanted.dropLast()).allSatisfy(same) }
        return words.count == wanted.count && zip(words, wanted).allSatisfy(same)
    }

    private static func same(_ word: Substring, _ wanted: Substring) -> Bool { wanted == "*" || word == wanted }
}
