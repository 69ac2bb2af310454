// SPDX-License-Identifier: GPL-3.0-or-later

/// Personas and their chargers, and the values of keys whose shape says too little.
extension KeyConditions {
    static let charger = "user.persona.charging.charger={power: 20 W, sustained_power: 2 W, boost: 2 min}"
    static let games =
        "user.persona.games={share_of_launches: 30 %, visit: {median: 5 min, sigma: 1, cap: 2 h}, "
        + "charge_while_playing: 50 %}"

    static let notifications =
        "user.persona.notifications={in_use_share: 30 %, reply_delay: {median: 20 s, sigma: 1, cap: 10 min}, "
        + "burst_share: 10 %, follow_share: 20 %, follow_delay: {median: 1 min, sigma: 1, cap: 20 min}, "
        + "day_sigma: 0.2, zipf: 1.4, favourites: 0.5, muted_share: 10 %, answer_share: 30 %, "
        + "answer_delay: {median: 4 min, sigma: 1, cap: 40 min}, forgetting: 1 h}"

    private static func outings(_ day: String) -> Condition {
        let map = "user.persona.places.\(day)_outing"
        let outing =
            "{probability: 100 %, start: {mean: 18 h, deviation: 1 h}, length: {median: 1 h, sigma: 2, cap: 5 h}}"
        return Condition(
            [map + ".length.cap"],
            with: ["\(map)=\(outing)", "user.persona.wifi={home: 100 %, other: 0 %}", "duration=6 d"],
            "a user who is out for long")
    }

    static let gaps = "user.persona.cellular={gap: {median: 1 min, sigma: 1, cap: 2 min}}"
    static let trips = "user.persona.places.trip_length={median: 3 d, sigma: 1, cap: 4 d}"
    static let episodes =
        "user.persona.episodes={share_of_launches: 10 %, visit: {median: 25 min, sigma: 0.5, cap: 2 h}}"
    static let restarts = "user.persona.restarts={per_month: 30, night_share: 50 %}"
    static let installs = "user.persona.installs={per_month: 30, updates_per_month: 30, night_share: 50 %}"
    static let signals =
        "user.persona.cellular={signal: {home: good, work: good, transit: good, other: good, abroad: good}}"
    private static let away =
        "{work: [{from: 9 h, to: 17 h}], commute: [{from: 8 h, to: 9 h}], workday_outing: {probability: 100 %, "
        + "start: {mean: 18 h, deviation: 1 h}, length: {median: 3 h, sigma: 0.2, cap: 5 h}}}"

    static let users: [Condition] = [
        Condition(
            ["user.persona.charging.accepts_low_power_mode"], with: drained, "only a battery that runs low offers it"),
        Condition(["user.persona.charging.charger.**"], with: [charger], "a charger described by a map"),
        Condition(["user.persona.games.**"], with: [games], "a user who plays"),
        Condition(["user.persona.episodes.**"], with: [episodes], "a user who watches films"),
        Condition(["user.persona.notifications.**"], with: [notifications], "a user with habits of notification"),
        Condition(
            ["user.persona.charging.convenience_level"],
            with: ["user.persona.charging.car_probability=100 %", "user.persona.charging.work_probability=100 %"],
            "charging at work and in the car"),
        Condition(
            "user.persona.charging.top_up_length", ["median", "sigma", "cap"],
            with: ["user.persona.charging.top_ups_per_hour=5", "user.persona.charging.top_up_length.median=1 h"],
            "a user who tops up for long"),
        Condition(
            ["user.persona.charging.top_up_power"],
            with: ["user.persona.charging.top_ups_per_hour=5", "user.persona.charging.top_up_level_scale=100 %"],
            "a user who tops up"),
        Condition(
            ["user.persona.installed_apps"], with: ["apps.count=null"], "an experiment that leaves the number open"),
        Condition(
            ["user.persona.background.audio_per_day"], with: [ModelKey.app + ".use.activity=music"],
            "an app with music"),
        Condition(
            ["user.persona.background.navigation_per_day", "device.location.power"],
            with: [ModelKey.app + ".use.activity=navigation", "user.persona.background.navigation_per_day=2 h"],
            "an app that shows the way"),
        outings("workday"), outings("free_day"),
        Condition(
            ["user.persona.wifi.off_spell.cap"], with: ["user.persona.wifi.home=30 %"], "long spells without Wi-Fi"),
        Condition(
            "user.persona.charging", ["night_level", "night_level_deviation"],
            with: ["user.persona.charging.night_probability=100 %", "user.persona.charging.night_level=60 %"],
            "a user who charges at night"),
        Condition(
            ["user.persona.cellular.gap.**", "user.persona.cellular.home"],
            with: [gaps, "user.persona.cellular.home=50 %", "user.persona.wifi.home=0 %"],
            "a home with gaps in the network"),
        Condition(
            "user.persona.cellular", ["work", "transit", "other"],
            with: ["user.persona.wifi={work: 0 %, transit: 0 %, other: 0 %}", "user.persona.places=\(away)"],
            "a user who is out without Wi-Fi"),
        Condition(
            ["user.persona.cellular.five_g"],
            with: [
                "device.radios.cellular=nr-nsa-low", fallback, "device.radios.smart_data=false",
                "user.persona.wifi.home=0 %",
            ], "a phone with 5G and something older"),
        Condition(
            ["user.persona.cellular.roams", "user.persona.wifi.abroad"],
            with: ["user.persona.places.trips_per_year=365", "user.persona.wifi.abroad=0 %"], "a user abroad"),
        Condition(
            ["user.persona.cellular.signal.home"], with: [signals, "user.persona.wifi.home=0 %"],
            "a home without Wi-Fi"),
        Condition(
            "user.persona.cellular.signal", ["work", "transit", "other"],
            with: [
                signals, "user.persona.wifi={work: 0 %, transit: 0 %, other: 0 %}", "user.persona.places=\(away)",
            ],
            "a user who is out without Wi-Fi"),
        Condition(
            ["user.persona.cellular.signal.abroad"],
            with: [signals, "user.persona.places.trips_per_year=365", "user.persona.wifi.abroad=0 %"], "a user abroad"),
        Condition(["user.persona.restarts.**"], with: [restarts], "a phone that is switched off now and then"),
        Condition(["user.persona.installs.**"], with: [installs], "apps and new versions that come to the phone"),
        Condition(
            ["user.persona.places.trip_length.**"],
            with: [trips, "user.persona.places.trips_per_year=100", "duration=20 d", "user.persona.wifi.abroad=0 %"],
            "a user who travels"),
        Condition(
            ["user.persona.places.trip_zone_deviation"], with: ["user.persona.places.trips_per_year=365"],
            "a user abroad"),
    ]

    /// Values of keys whose shape says too little, or which must fit what stands beside them.
    static let values: [String: [String]] = [
        "user.persona.places.work": ["[{from: 10 h, to: 12 h}]"],
        "user.persona.places.commute": ["[{from: 9 h, to: 10.5 h}]"],
        "user.persona.workday_hours": [hours], "user.persona.free_day_hours": [hours],
        "user.persona.charging.top_up_length.cap": ["65 min"], "user.persona.notifications.answer_delay.cap": ["5 min"],
        "user.persona.places.workday_outing.length.cap": ["70 min"],
        "user.persona.places.free_day_outing.length.cap": ["70 min"],
        "user.persona.episodes.visit.cap": ["26 min"],
        "user.persona.cellular.gap.cap": ["5 min"], "user.persona.places.trip_length.cap": ["10 d"],
        "device.radios.wifi.tail": ["[{power: 500 mW, duration: 3 s}]"],
        "device.radios.cellular.tail": ["[{power: 500 mW, duration: 3 s}]"],
        "device.radios.fallback.tail": ["[{power: 500 mW, duration: 3 s}]"],
        "device.charger.current_rates": ["[0.2, 0.2, 0.15, 0.15, 0.1, 0.1, 0.05]"],
        "device.charger.current_states": ["[0 %, 10 %, 20 %, 30 %, 40 %, 50 %, 100 %]"],
        "device.battery.cell.resistance_factors": ["[2, 2, 2, 2, 2]"],
        "apps.apps.pigeon.category": ["social-feed"], "apps.tail.categories": ["{utility: 100 %}"],
        "device.heat.serious_above": ["34 degC"], "device.heat.critical_above": ["37 degC"],
        "device.modes.music_rate": rates, "device.modes.call_rate": rates,
    ]

    private static let rates = ["10 kbit/s", "10 Mbit/s"]
    private static let hours = "[" + [String](repeating: "1", count: 24).joined(separator: ", ") + "]"
}
