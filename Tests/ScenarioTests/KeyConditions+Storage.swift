// SPDX-License-Identifier: GPL-3.0-or-later

/// A phone whose storage is nearly full, and launches that wait.
extension KeyConditions {
    /// The sizes of the 70 apps of the run leave 1.3 GB of 38.
    private static let sized = ["device.disk={capacity: 38 GB, free: 30 GB}"]
    private static let full = ["device.disk={free: 790 MB, photos_per_day: 40 MB}"]

    private static let declares = ModelKey.app + ".declares."

    static let storage: [Condition] = [
        Condition(
            "device.disk", ["capacity", "system", "free", "photos_per_day"], with: sized,
            "a phone whose storage is in its model"),
        Condition(
            "device.disk",
            [
                "reserve", "reserve_sigma", "purge_below", "purge_until", "fetched_again", "rebuild", "freezer_below",
                "order", "update_room",
            ], with: full, "a phone whose storage is nearly full"),
        Condition(
            ["device.disk.purges_running"],
            with: ["device.disk={free: 790 MB, photos_per_day: 40 MB, purge_until: 8 GB}"],
            "a phone that purges whatever it finds"),
        Condition(
            ["device.disk.offloads"],
            with: ["device.disk={free: 790 MB, photos_per_day: 20 GB, offload_after: 1 h}"],
            "a full phone with apps that nobody uses"),
        Condition(
            ["device.disk.offload_after"],
            with: ["device.disk={free: 790 MB, photos_per_day: 20 GB, offloads: true}"],
            "a full phone that removes apps"),
        Condition(["device.disk.counts_swap"], with: ["device.disk={}"], "a phone whose storage is in its model"),
        Condition(
            [ModelKey.app + ".habits.low_power_work"], with: ["device.habits.initial_level=15 %"],
            "a phone whose battery is low"),
        Condition(
            ["user.persona.gives_up_after_loss", "device.os.life_cycle.restores_after_force_quit"],
            with: ["user.persona.force_quits_per_day=60"], "a user who swipes apps away"),
        Condition(
            "device.interruptions", ["alerts_per_day", "alert_length"],
            with: ["device.interruptions={alerts_per_day: 2000}"], "a phone with alarms"),
        Condition(
            ["device.interruptions.pauses_playback"],
            with: [
                "device.interruptions={calls_per_day: 400}", ModelKey.app + ".use.activity=music",
                "user.persona.background.audio_per_day=3 h",
            ], "a phone that rings while music plays"),
        Condition(
            ["device.interruptions.**"], with: ["device.interruptions={calls_per_day: 400}"], "a phone that rings"),
        Condition(
            [declares + "voip"], with: [ModelKey.app + ".pushes.calls_per_day=60"], "an app that is called"),
        Condition(
            [ModelKey.app + ".modes.bluetooth_restores"],
            with: [
                ModelKey.app + ".modes.bluetooth_per_day=40", "device.memory.ram=2 GiB",
                ModelKey.app + ".faults.crashes_per_hour=20", ModelKey.app + ".use.popularity=90",
            ], "an app with an accessory whose process ends"),
        Condition(
            [declares + "bluetooth"], with: [ModelKey.app + ".modes.bluetooth_per_day=40"], "an app with an accessory"),
        Condition(
            [declares + "location", ModelKey.app + ".modes.tracking_per_move"],
            with: [
                ModelKey.app + ".modes.location=true", "user.persona.background.location_apps=70",
                "user.persona.places.workday_outing.probability=100 %",
            ], "an app that follows the location"),
        Condition(
            [declares + "audio"],
            with: [ModelKey.app + ".use.activity=music", "user.persona.background.audio_per_day=3 h"],
            "an app with music"),
        Condition(
            ["device.helpers.**"],
            with: [
                "device.helpers={share: {open_share: 100 %}, photo: {open_share: 100 %}, model: {per_day: 200, "
                    + "memory: 200 MiB}}"
            ],
            "a phone whose user shares, edits and asks"),
        Condition(
            ["device.modes.tracking_load"], with: [ModelKey.app + ".modes.tracking_per_day=6 h"],
            "an app in a workout"),
        Condition(
            ["device.restarts.**"], with: ["device.restarts={upgrades_per_month: 3000, crashes_per_month: 300}"],
            "a phone that restarts of itself"),
        Condition([ModelKey.app + ".files.**"], with: sized, "a phone whose storage is in its model"),
        Condition(
            [ModelKey.app + ".launch.request_wait", ModelKey.app + ".launch.request_stalls"],
            with: [ModelKey.app + ".launch.request=20 kB"], "an app whose launch waits for the network"),
        Condition(
            ["device.habits.request_timeout"],
            with: [ModelKey.app + ".launch={request: 20 kB, request_stalls: 50 %}"],
            "an app whose launch waits for the network"),
    ]
}
