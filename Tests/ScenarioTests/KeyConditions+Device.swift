// SPDX-License-Identifier: GPL-3.0-or-later

/// Memory, system, power, heat and charging of a device.
extension KeyConditions {
    static let freezer = "device.os={profile: ios-18, freezer: {slots: 9}}"
    static let surroundings =
        "device.surroundings={hand: {}, pocket: {}, table: {}, cable: {}, bedside: {}, bed: {}, pad: {}, car: {}, "
        + "sun: {}}"
    static let fallback = "device.radios.fallback=lte-2020"
    private static let single = "device.radios.fallback=null"
    static let placement = "device.processor.placement={launch: {}, event: {}, refresh: {}, processing: {}}"
    private static let placed =
        "device.processor.placement={launch: {cores: performance}, event: {cores: performance}, "
        + "refresh: {cores: performance}, processing: {cores: performance}}"
    static let quits = ["device.memory.ram=4 GiB", "user.persona.force_quits_per_day=60"]
    static let drained = ["device.habits.initial_level=25 %", "device.battery.capacity=1200 mAh"]
    static let dead = ["device.habits.initial_level=5 %", "device.battery.capacity=800 mAh"]
    static let accepting = ["user.persona.charging.accepts_low_power_mode=100 %"]
    private static let old = ["device.battery.health=60 %"]
    private static let optimized = [
        "device.charging={mode: optimized, learning_charges: 1, learning_time: 1 d}", "duration=9 d",
        "user.persona.charging.night_probability=100 %",
    ]
    private static let cold = [
        "device.surroundings=off", "user.persona.ambient=-5 degC", "device.heat.no_charging_below=-20 degC",
        "device.heat.slow_charging_below=15 degC",
    ]
    private static let hot = [
        ModelKey.app + ".use.activity=game", "device.surroundings=off", "user.persona.ambient=28 degC",
        "device.heat.fair_above=30 degC", "device.heat.serious_above=33 degC", "device.heat.critical_above=35 degC",
        "user.persona.charging.top_ups_per_hour=5",
    ]
    private static let hottest = [
        "device.surroundings=off", "user.persona.ambient=36 degC", "device.heat.fair_above=34 degC",
        "device.heat.serious_above=36 degC", "device.heat.critical_above=38 degC",
    ]
    private static func levels(_ critical: String) -> [String] {
        ["device.os.critical_below=\(critical)", "device.os.warning_below=85 %", "device.os.normal_above=95 %"]
    }

    static let device: [Condition] = memory + system + energy + around + charging + activities

    private static let around = [
        Condition(["device.processor.placement.*.clock"], with: [placed], "a kind of work that is placed"),
        Condition(
            ["user.persona.ambient"], with: ["device.surroundings=off"], "a phone whose air is that of the hour"),
        Condition(
            ["device.surroundings.pad.**"],
            with: [surroundings, "user.persona.charging.charger={power: 7.5 W, link: wireless}"], "a wireless charger"),
        Condition(
            ["device.surroundings.car.**"], with: [surroundings, "device.surroundings.car_share=100 %"],
            "a phone that lies in a car"),
        Condition(
            ["device.surroundings.sun.**", "device.surroundings.sun_share"],
            with: [
                surroundings, "device.surroundings.sun_share=100 %",
                "user.persona.places.free_day_outing.probability=100 %",
            ], "a user who is out by day"),
        Condition(["device.surroundings.**"], with: [surroundings], "a device that tells surroundings apart"),
        Condition(
            ["device.radios.fallback.promotion_power"],
            with: ["device.radios.cellular=nr-nsa-low", fallback, "device.radios.fallback.promotion_time=80 ms"],
            "a radio that falls back, with a promotion that takes time"),
        Condition(
            ["device.radios.fallback.search_power"],
            with: ["device.radios.cellular=nr-nsa-low", fallback, ModelKey.offline],
            "hours without any network: personas have none, recordings may"),
        Condition(
            ["device.radios.fallback.**", "device.radios.smart_data"],
            with: ["device.radios.cellular=nr-nsa-low", fallback], "a radio that falls back"),
        Condition(
            ["device.habits.auto_lock_share", "device.habits.auto_lock", "device.habits.low_power_auto_lock"],
            with: drained + accepting + ["device.habits.auto_lock_share=50 %"], "Low Power Mode"),
        Condition(
            ["device.services.low_power_share"],
            with: drained + accepting + ["device.services.housekeeping=90 mW"], "Low Power Mode"),
    ]

    private static let activities = ModelKey.activities.map { activity in
        Condition(
            ["device.activities.\(activity).memory_traffic"], with: [ModelKey.app + ".use.activity=\(activity)"],
            "an app of the class")
    }

    private static let memory = [
        Condition(
            "device.memory", ["warm_share", "resume_files_share", "free_target", "file_cache_minimum"], with: quits,
            "launch files are cached where memory is left, and matter to apps that are opened soon after they ended"),
        Condition(
            ["device.memory.camera_wired"], with: [ModelKey.app + ".use.activity=camera"], "an app that uses the camera"
        ),
        Condition(
            ["device.memory.system_compressed_share"], with: ["device.daemons.populated=false"],
            "daemons are compressed one by one; the share is that of a block"),
    ]

    private static let system = [
        Condition(["device.os.freezer.**"], with: [freezer], "a phone that freezes apps"),
        Condition(["device.storage.write_per_megabyte"], with: [freezer], "only the freezer and app swap write"),
        Condition(["device.incidents.disk_shortages_per_day"], with: [freezer], "what is frozen dies of it"),
        Condition(
            ["device.daemons.eager_share"], with: ["device.daemons.as_recorded=true"],
            "daemons that somebody waits for are part of those as recorded"),
        Condition(
            ["device.os.app_swap.**"],
            with: ["device.os.app_swap={space: 256 MiB, low_share: 90 %, kills_when_low: true}"],
            "a tablet that swaps apps"),
        Condition(
            ["device.os.writeback.**", "device.memory.swap_read_per_second"],
            with: [
                "device.os.writeback={idle: 10 min, first: 1 h, every: 2 h, space: 2 GiB}", "device.memory.ram=3 GiB",
                "device.memory.decompressed_per_second=50 MiB", "device.memory.swap_read_per_second=5 MiB",
            ],
            "compressed memory that went to storage"),
        Condition(
            ["device.os.reaped_after", "device.os.reaper_rescan"], with: ["device.os.reaper_share=20 %"],
            "a phone that reaps idle processes"),
        Condition(
            ["device.os.corpse_time", "device.os.corpses"],
            with: [
                "device.os.corpse_time=1 h", "device.memory.ram=2 GiB", ModelKey.app + ".faults.crashes_per_hour=60",
            ], "apps that crash, on a phone short of memory"),
        Condition(["device.os.warning_above"], with: levels("80 %"), "a phone that leaves the critical level"),
        Condition(
            ["device.os.full_compressor_kills"], with: ["device.memory.compressor_limit=400 MiB"],
            "a compressor that fills up"),
        Condition(
            "device.os", ["warned_footprint", "warned_band"], with: levels("20 %"), "a phone that warns its apps"),
        Condition(["device.os.normal_above"], with: ["device.os.warning_below=85 %"], "a phone that warns its apps"),
        Condition(
            ["device.os.protected_band"], with: ["device.memory.ram=1 GiB", "policies.eviction=[lru]"],
            "a policy that would kill what the user sees before others"),
        Condition(
            ["device.os.continued_processing"], with: [ModelKey.app + ".continued={share: 100 %, time: 5 min}"],
            "an app that continues"),
        Condition(
            ["device.os.life_cycle.background_grace"], with: ["device.background.background_grace=null"],
            "the device's own key wins"),
        Condition(
            ["device.os.service_time"],
            with: ["device.os.continued_processing=true", ModelKey.app + ".continued={share: 100 %, time: 5 min}"],
            "an app that continues"),
        Condition(
            ["device.os.life_cycle.expiration_time", "device.os.life_cycle.kills_at_expiration"],
            with: [ModelKey.app + ".faults={leaks_task: 100 %, handles_expiration: false}"],
            "an app whose tasks do not end"),
        Condition(
            ["device.os.life_cycle.update_limit"], with: [ModelKey.app + ".faults.hangs_per_hour=20"],
            "an app that hangs"),
        Condition(
            [ModelKey.app + ".memory.windows", ModelKey.app + ".memory.window"],
            with: ["device.habits.has_windows=true"], "a device whose apps have windows"),
    ]

    private static let energy = [
        Condition(["device.heat.cold_charging"], with: cold, "a phone in the cold"),
        Condition(["device.heat.critical_charging"], with: hottest, "a phone that charges in great heat"),
        Condition(["device.heat.**"], with: hot, "a phone of average use in a room never reaches the limits of heat"),
        Condition(
            [
                "device.habits.low_power_brightness", "device.habits.low_power_display",
                "device.habits.low_power_performance", "device.habits.low_power_until",
                "device.background.low_power_mode_stops_work",
            ], with: drained + accepting, "only a battery that runs low brings Low Power Mode"),
        Condition(
            ["device.battery.cell.health"], with: ["device.battery.health=null"],
            "a device that states none of its own"),
        Condition(
            ["device.habits.performance_management", "device.habits.other_peak"], with: old,
            "a battery too old for every peak"),
        Condition(
            ["device.battery.revival_level", "device.background.herd_window"], with: dead, "a phone that dies"),
        Condition(
            ["device.radios.wifi.promotion_power"], with: ["device.radios.wifi.promotion_time=80 ms"],
            "a promotion that takes no time draws nothing"),
        Condition(["device.radios.cellular.join_energy"], with: [single], "a mobile radio that does not fall back"),
        Condition(
            ["device.radios.cellular.search_power"], with: [single, ModelKey.offline],
            "hours without any network: personas have none, recordings may"),
        Condition(
            ["device.activities.messaging.dark_picture_level"], with: ["device.habits.dark_mode=true"], "dark mode"),
        Condition(
            ["device.display.refresh_share"], with: ["device.display.refresh_rate=120 Hz"],
            "a display with another rate than the usual"),
        Condition(
            ["device.radios.wifi.weak_signal_power"], with: ["device.radios.wifi.signal=very-poor"], "a weak signal"),
        Condition(
            ["device.activities.messaging.streams"], with: ["device.activities.messaging.video=true"],
            "an activity with pictures that move"),
        Condition(
            ["device.video.stream_power"], with: [ModelKey.app + ".use.activity=streamed-video"],
            "an app with films from the network"),
        Condition(
            ["device.charger.wireless_efficiency", "device.charger.wireless_heat"],
            with: ["user.persona.charging.charger={power: 7.5 W, link: wireless}"], "a wireless charger"),
    ]

    private static let charging = [
        Condition(["device.charging.hold_level"], with: ["device.charging.mode=hold"], "a phone that holds"),
        Condition(
            "device.charging", ["lead", "long_charge", "learning_charges", "learning_time"], with: optimized,
            "a phone that has learned when it is unplugged"),
        Condition(
            ["user.persona.charging.optimized_charging"],
            with: optimized.map { $0.replacing("mode: optimized", with: "mode: as-user") },
            "a phone that has learned when it is unplugged, and asks the user"),
    ]
}
