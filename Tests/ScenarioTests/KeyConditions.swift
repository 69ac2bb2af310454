// SPDX-License-Identifier: GPL-3.0-or-later

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
    }

    /// Settings that open maps which the plain run leaves closed, so that their keys are known.
    static let openers: [[String]] = [
        [freezer, "device.heat={dwell: 30 s}"], [games], [charger],
    ]

    private static let freezer = "device.os={profile: ios-18, freezer: {slots: 9}}"
    private static let charger = "user.persona.charging.charger={power: 20 W}"
    private static let games =
        "user.persona.games={share_of_launches: 30 %, visit: {median: 5 min, sigma: 1, cap: 2 h}, "
        + "charge_while_playing: 50 %}"
    private static let hot = [
        "user.persona.ambient=36 degC", "device.heat.fair_above=34 degC", "device.heat.serious_above=36 degC",
        "device.heat.critical_above=38 degC",
    ]
    private static let drained = ["device.habits.initial_level=25 %", "device.battery.capacity=1200 mAh"]
    private static let accepting = ["user.persona.charging.accepts_low_power_mode=100 %"]

    /// Keys that no run has to change with.
    static let reasons: [(pattern: String, reason: String)] = headers + others + closed

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
        ("device.battery.cell.capacity", "the device states its own; for a cell alone"),
        ("device.battery.cell.resistance", "the device states its own; for a cell alone"),
        ("device.battery.cell.charge_limit", "for a cell alone: flotsam battery"),
        ("device.battery.cell.interpolation", "for a cell alone: flotsam battery"),
        ("device.battery.cell.r0", tables), ("device.battery.cell.r1", tables), ("device.battery.cell.c1", tables),
        ("device.battery.cell.r2", tables), ("device.battery.cell.c2", tables),
        ("device.battery.cell.voltage_states", tables), ("device.battery.cell.voltages", tables),
        ("device.battery.cell.resistance_states", tables), ("device.battery.cell.entropy_states", tables),
        ("device.battery.cell.voltages_per_kelvin", tables), ("device.battery.pair_shares", tables),
        ("device.battery.pair_times", tables), ("device.processor.*.points", tables),
        ("device.start_state", "the path of a file: StartStateTests"),
    ]

    private static let tables = "one table with the lists beside it: CellReaderTests, processors and their figures"

    private static let closed: [(pattern: String, reason: String)] = {
        let device = ["activities", "charging", "modes", "os.life_cycle"].map { "device." + $0 }
        let background = ["pushes", "transfers", "connections", "widgets", "fetch", "continued"]
        let app = ["launch", "use", "habits", "pushes", "connection", "modes", "transfers", "continued", "faults"]
        let all = device + background.map { "device.background." + $0 } + app.map { ModelKey.app + "." + $0 }
        return all.map { (pattern: $0, reason: "a map that this device or app leaves closed") }
    }()

    /// Keys that no run tried so far changes with: a debt that may only shrink.
    ///
    /// The first four are dead in every run that was tried; of the others it is known when they should matter.
    static let unshown: Set<String> = [
        // Gaps and the operational time of a day scale alike, so that it cancels; `pickups.per_day` says how many.
        "user.persona.pickups.gap_scale",
        // Nothing writes: no caller of `StorageParameters.writing`.
        "device.storage.write_per_megabyte",
        // Files of an app are dropped until there is room, so that at most one app is ever in part cached.
        "device.memory.warm_share", "device.memory.free_target",
        "device.memory.system_compressed_share", "device.memory.file_cache_minimum", "device.os.audio_band",
        "device.os.protected_band", "device.os.warning_above", "device.os.continued_processing", "device.os.app_swap",
        "device.background.processing_needs_idle_device", "device.background.longest_throttle",
        "device.background.herd_window", "device.habits.performance_management", "device.habits.other_peak",
        "device.habits.low_power_until", "device.heat.hysteresis", "device.heat.dwell",
        "device.heat.critical_performance", "device.heat.serious_charging", "device.heat.cold_charging",
        "device.battery.revival_level", "device.audio.playback_power", "device.video.stream_power",
        "device.location.power", "user.persona.charging.charger.boost", "user.persona.charging.optimized_charging",
        "user.persona.charging.top_up_length.cap", "user.persona.places.workday_outing.length.cap",
        "user.persona.places.free_day_outing.length.cap", "user.persona.background.audio_per_day",
        "user.persona.background.navigation_per_day", "apps.tail.shares.handles_expiration",
        "apps.apps.pigeon.memory.warning_drop",
        "apps.apps.pigeon.processing.health_research", "apps.apps.pigeon.processing.needs_network",
        "device.radios.cellular.search_power",
    ]

    /// Keys that matter only under a condition, with one under which they are seen to act.
    static let conditions: [Condition] = [
        Condition(
            ["device.heat.**"], with: hot, "a phone of average use in a room never reaches the limits of heat"),
        Condition(
            [
                "device.habits.low_power_brightness", "device.habits.low_power_display",
                "device.habits.low_power_performance", "device.background.low_power_mode_stops_work",
            ], with: drained + accepting, "only a battery that runs low brings Low Power Mode"),
        Condition(
            ["user.persona.charging.accepts_low_power_mode"], with: drained, "only a battery that runs low offers it"),
        Condition(
            ["device.radios.wifi.promotion_power"], with: ["device.radios.wifi.promotion_time=80 ms"],
            "a promotion that takes no time draws nothing"),
        Condition(
            ["device.charger.wireless_efficiency", "device.charger.wireless_heat"],
            with: ["user.persona.charging.charger={power: 7.5 W, link: wireless}"], "a wireless charger"),
        Condition(["user.persona.charging.charger.**"], with: [charger], "a charger described by a map"),
        Condition(["user.persona.games.**"], with: [games], "a user who plays"),
        Condition(
            ["user.persona.charging.convenience_level"],
            with: ["user.persona.charging.car_probability=100 %", "user.persona.charging.work_probability=100 %"],
            "charging at work and in the car"),
        Condition(
            ["user.persona.charging.top_up_length.median", "user.persona.charging.top_up_length.sigma"],
            with: ["user.persona.charging.top_ups_per_hour=5"], "a user who tops up"),
        Condition(
            ["user.persona.installed_apps"], with: ["apps.count=null"], "an experiment that leaves the number open"),
        Condition(
            [ModelKey.app + ".memory.windows", ModelKey.app + ".memory.window"],
            with: ["device.habits.has_windows=true"], "a device whose apps have windows"),
        Condition(["device.os.freezer.**"], with: [freezer], "a phone that freezes apps"),
        Condition(
            ["device.os.reaped_after", "device.os.reaper_rescan"], with: ["device.os.reaper_share=20 %"],
            "a phone that reaps idle processes"),
    ]

    /// Values of keys whose shape says too little, or which must fit what stands beside them.
    static let values: [String: [String]] = [
        "user.persona.places.work": ["[{from: 10 h, to: 12 h}]"],
        "user.persona.places.commute": ["[{from: 9 h, to: 10.5 h}]"],
        "user.persona.workday_hours": [hours], "user.persona.free_day_hours": [hours],
        "device.radios.wifi.tail": ["[{power: 500 mW, duration: 3 s}]"],
        "device.radios.cellular.tail": ["[{power: 500 mW, duration: 3 s}]"],
        "device.charger.current_rates": ["[0.5, 0.5, 0.5, 0.4, 0.4, 0.25, 0.15]"],
        "device.charger.current_states": ["[0 %, 10 %, 20 %, 30 %, 40 %, 50 %, 100 %]"],
        "device.battery.cell.resistance_factors": ["[2, 2, 2, 2, 2]"],
        "apps.apps.pigeon.category": ["social-feed"], "apps.tail.categories": ["{utility: 100 %}"],
        "device.heat.serious_above": ["37 degC"], "device.heat.critical_above": ["37 degC"],
    ]

    private static let hours = "[" + [String](repeating: "1", count: 24).joined(separator: ", ") + "]"

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
