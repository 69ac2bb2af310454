// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// Background work: the system's rules, and what apps ask for.
extension KeyConditions {
    private static let app = ModelKey.app
    private static let pushes = "device.background.pushes"
    private static let calling = [app + ".pushes.calls_per_day=60"]
    private static let extended = [app + ".pushes.notification_service=true", app + ".content.pushes_per_day=300"]
    private static let fetching = [app + ".refresh.uses_fetch=true", app + ".refresh.every=15 min"]
    private static let connected = [app + ".connection.heartbeat=5 min"]
    private static let music = [app + ".use.activity=music", "user.persona.background.audio_per_day=3 h"]
    private static let busy = [
        app + ".transfers={per_day: 9000, bytes: 10 kB}", "user.persona.wifi.home=100 %",
    ]
    private static let continuing = [
        "device.os.continued_processing=true", app + ".continued={share: 100 %, time: 5 min}",
    ]

    private static let figures = [
        ("open_share", "50 %"), ("per_day", "20"), ("memory", "29 MiB"), ("limit", "30 MiB"), ("sigma", "0.5"),
        ("stays", "1 min"),
    ]
    private static let beside: [(kinds: [AppProcess.Kind], settings: [String])] = [
        (
            AppProcess.Kind.allCases.filter { !$0.isOfAndroid },
            [app + ".content.pushes_per_day=50", app + ".widget=true"]
        ),
        (AppProcess.Kind.allCases.filter(\.isOfAndroid), ["device.os=android-15", app + ".use.popularity=30"]),
    ]

    private static let processes: [Condition] = beside.map { kinds, settings in
        Condition(
            kinds.map { app + ".processes.\($0.rawValue).*" }, with: [processes(kinds, figures)] + settings,
            "an app whose processes are needed often")
    }

    static let background: [Condition] =
        processes + [
            Condition(
                ["device.helpers.child_limit"],
                with: [
                    "device.os=android-15", app + ".use.popularity=30", app + ".processes={children: {count: 40}}",
                    "device.helpers={}",
                ], "an Android app with children"),
            Condition(
                ["device.background.foreground_recheck"], with: ["duration=4 d"],
                "work that waits for an app in front"),
            Condition(
                ["device.background.longest_throttle"],
                with: [
                    app + ".habits.completes=0 %", app + ".refresh.every=5 min", "device.background.throttle=1 min",
                ],
                "an app that never says it is done"),
            Condition(
                ["device.background.processing_needs_idle_device"],
                with: [
                    "policies.scheduling=[immediate]",
                    app + ".processing={per_day: 200, needs_power: false, time: 5 min}",
                ],
                "a policy that does not wait for an idle phone by itself"),
            Condition(
                "device.background", ["processing_spacing", "processing_share"],
                with: ["policies.scheduling=[immediate]", app + ".processing={per_day: 200, time: 1 min}"],
                "an app with one processing task after another"),
            Condition(["device.background.force_quit_stops_work"], with: quits, "a user who swipes apps away"),
            Condition(
                [pushes + ".wait_for_windows"],
                with: [app + ".pushes.silent_per_day=300", "policies.scheduling=[jobscheduler]"],
                "a policy that holds the network"),
            Condition(
                [pushes + ".wait_for_camera"],
                with: [
                    app + ".use.activity=camera", app + ".pushes.silent_per_day=900", pushes + ".per_window=1000",
                    "apps.apps.lens.use.popularity=60",
                ],
                "pushes while the camera is on"),
            Condition(
                [pushes + ".misses_until_ban"], with: calling + [app + ".pushes.reports_calls=30 %"], "calls missed"),
            Condition([pushes + ".ring_time"], with: calling + [pushes + ".answered_share=50 %"], "calls not answered"),
            Condition(
                pushes, ["extension_processor", "extension_bytes"], with: extended, "an app with an extension"),
            Condition(
                [pushes + ".budget_recheck"],
                with: [
                    app + ".pushes.silent_per_day=300", "device.background.energy_budget=10",
                    pushes + "={energy_units: 5, per_window: 1000, spacing: 0 s}",
                ], "a budget that pushes use up"),
            Condition(
                ["device.background.transfers.first_delay"], with: busy, "an app that transfers again and again"),
            Condition(
                ["device.background.transfers.longest_delay"],
                with: busy + ["device.background.transfers.first_delay=2 h"], "an app that transfers again and again"),
            Condition(
                ["device.background.connections.outlive_apps"], with: connected, "an app with a connection of its own"),
            Condition(
                "device.background.fetch", ["after_new_data", "after_no_data", "longest"], with: fetching,
                "an app with the older interface"),
            Condition(
                ["device.background.fetch.after_failure"], with: fetching + [app + ".refresh.fails=50 %"],
                "an app with the older interface"),
            Condition(["device.background.continued.limit"], with: continuing, "an app that continues"),
            Condition(
                ["device.background.continued.patience"], with: continuing + [app + ".continued.reports=30 %"],
                "an app that continues and does not report"),
            Condition(
                "device.modes", ["music_rate", "music_streamed_share", "music_piece"], with: music,
                "an app with music"),
            Condition(["device.audio.playback_power"], with: music, "an app with music"),
            Condition(
                ["device.modes.location_outlives_force_quit"],
                with: [
                    app + ".modes.location=true", app + ".use.popularity=30", "duration=12 d",
                    "user.persona.background.location_apps=70", "user.persona.force_quits_per_day=60",
                    "user.persona.places.workday_outing.probability=100 %",
                ], "an app that follows the location and is force-quit"),
        ]

    /// Refreshes that use every part, and what a use of each takes.
    private static let parts = ["vibrator", "speaker", "screen", "location", "gps", "accelerometer"]
    private static let usesParts = [
        app + ".refresh.hardware={" + parts.map { "\($0): true" }.joined(separator: ", ") + "}"
    ]
    private static let costlyParts = [
        "device.part_starts={" + parts.map { "\($0): 5 J" }.joined(separator: ", ") + "}"
    ]

    static let apps: [Condition] = [
        Condition("device.part_starts", parts, with: usesParts, "an app whose refreshes use the part"),
        Condition(app + ".refresh.hardware", parts, with: costlyParts, "a phone that pays for the part"),
        Condition(
            [app + ".refresh.exact"], with: ["policies.scheduling=[native-alignment]"], "a policy of alarms"),
        Condition([app + ".refresh.expedited"], with: ["policies.scheduling=[jobscheduler]"], "a policy of jobs"),
        Condition(
            [app + ".launch.warm"], with: ["device.memory.ram=4 GiB", "user.persona.force_quits_per_day=60"],
            "an app that is opened soon after it ended"),
        Condition(
            [app + ".memory.warning_drop"],
            with: ["device.os.warning_below=90 %", "device.os.normal_above=95 %"], "a phone that warns its apps"),
        Condition(
            [app + ".processing.needs_network"], with: [ModelKey.offline, app + ".processing.needs_power=false"],
            "hours without any network: personas have none, recordings may"),
        Condition([app + ".pushes.reports_calls"], with: calling, "an app that is called"),
        Condition(
            app + ".connection", ["bytes", "wifi_heartbeat"], with: connected, "an app with a connection of its own"),
        Condition(
            [app + ".transfers.discretionary"],
            with: [
                app + ".refresh.enabled=false", app + ".processing.per_day=0",
                app + ".transfers={per_day: 6, bytes: 10 MiB}",
            ], "transfers that are begun on screen: others are left to the system in any case"),
        Condition(
            app + ".transfers", ["bytes", "up_share"], with: [app + ".transfers.per_day=40"], "an app that transfers"),
        Condition(
            [app + ".continued.strategy"], with: continuing + ["device.background.continued.limit=1"],
            "more tasks than may run"),
        Condition(
            [app + ".continued.gpu"], with: continuing, "an app that continues on a phone without such a processor"),
        Condition(
            ["device.background.continued.gpu"], with: continuing + [app + ".continued.gpu=true"],
            "an app that asks for the graphics processor"),
        Condition(
            [app + ".declares.background_gpu"],
            with: continuing + [app + ".continued.gpu=true", "device.background.continued.gpu=true"],
            "the same on a phone that has one"),
        Condition(
            app + ".continued", ["share", "time", "bytes", "reports"], with: continuing, "an app that continues"),
        Condition(
            [app + ".habits.handles_expiration"], with: [app + ".habits.completes=0 %"],
            "an app whose work is never done"),
        Condition(
            [app + ".habits.save_every"], with: [app + ".faults.crashes_per_hour=20"], "an app that crashes in use"),
        Condition(
            app + ".faults", ["bad_access", "illegal_instruction"], with: [app + ".faults.crashes_per_hour=20"],
            "an app that crashes"),
        Condition(
            [app + ".faults.handles_expiration"], with: [app + ".faults.leaks_task=100 %"],
            "an app whose tasks do not end"),
        Condition(
            ["apps.tail.shares.handles_expiration"],
            with: [
                "apps.count=100", "apps.defaults.faults={leaks_task: 100 %}", "user.persona.apps.zipf=0",
                "user.persona.apps.active=100",
            ], "apps of the tail that are used, and whose tasks do not end"),
    ]
}
