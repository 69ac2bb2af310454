// SPDX-License-Identifier: GPL-3.0-or-later

/// A phone whose storage is nearly full, and launches that wait.
extension KeyConditions {
    /// The sizes of the 70 apps of the run leave 1.3 GB of 38.
    private static let sized = ["device.disk={capacity: 38 GB, free: 30 GB}"]
    private static let full = ["device.disk={free: 790 MB, photos_per_day: 40 MB}"]

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
            ["device.interruptions.**"], with: ["device.interruptions={calls_per_day: 400}"], "a phone that rings"),
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
