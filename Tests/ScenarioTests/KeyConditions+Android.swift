// SPDX-License-Identifier: GPL-3.0-or-later

/// What only Android has: alarms, and messages of high priority.
extension KeyConditions {
    private static let alarms = "device.background.alarms"

    /// An app with an alarm of a kind, on a phone that keeps alarms.
    private static func alarmed(_ kind: String, _ every: String, _ rules: String = "") -> [String] {
        [ModelKey.app + ".alarms={every: \(every), kind: \(kind)}", alarms + "={kept: true\(rules)}"]
    }

    private static let urgent = [
        ModelKey.app + ".pushes={silent_per_day: 300, urgent_share: 50 %, urgent_shown_share: 20 %}",
        "device.background.pushes={urgent: true}",
    ]

    /// An app of a lower bucket than those that are opened day by day.
    private static let forgotten = ModelKey.app + ".use.popularity=0.001"

    /// An app that gets broadcasts, on a phone that holds them back from cached apps.
    private static let heard = [
        ModelKey.app + ".broadcasts={per_day: 100, registered: manifest}", "device.background.broadcasts={sent: true}",
        "device.os.hold_broadcasts=true",
    ]

    static let android: [Condition] = [
        Condition(
            ["device.background.broadcasts.sent"], with: [heard[0]], "an app that gets broadcasts"),
        Condition(["device.os.hold_broadcasts"], with: [heard[0], heard[1]], "an app that gets broadcasts"),
        Condition(
            "device.background.broadcasts", ["delay", "cached_delay", "runtime"], with: heard,
            "an app that gets broadcasts"),
        Condition(
            ModelKey.app + ".broadcasts", ["per_day", "registered"], with: heard, "a phone with broadcasts"),
        Condition(
            ["device.os.trim_drop"],
            with: [
                "device.os.trim_levels=true", ModelKey.app + ".memory.warning_drop=50 %",
                ModelKey.app + ".use.popularity=1",
            ], "an app that is opened often, on a phone that sends trim levels"),
        Condition([alarms + ".kept"], with: [ModelKey.app + ".alarms.every=30 min"], "an app with an alarm"),
        Condition([alarms + ".window_share"], with: alarmed("repeating", "30 min"), "an app with an alarm"),
        Condition([alarms + ".longest_window"], with: alarmed("inexact", "4 h"), "an alarm that is set for later"),
        Condition(
            [alarms + ".least_window"],
            with: [ModelKey.app + ".alarms={every: 30 min, kind: window, window: 1 s}", alarms + "={kept: true}"],
            "an app with a short window"),
        Condition([alarms + ".least_interval"], with: alarmed("repeating", "30 s"), "an alarm that repeats soon"),
        Condition(
            [alarms + ".limited_by_bucket"], with: alarmed("exact", "1 min") + [forgotten],
            "an app with many alarms that is never opened"),
        Condition(
            alarms, ["while_idle_per_hour", "runtime"],
            with: alarmed("while-idle", "1 min", ", limited_by_bucket: false") + ["policies.scheduling=[jobscheduler]"],
            "alarms in Doze"),
        Condition(
            [alarms + ".exact_while_idle_per_hour"],
            with: alarmed("exact-while-idle", "20 s", ", limited_by_bucket: false")
                + ["policies.scheduling=[jobscheduler]"], "alarms in Doze"),
        Condition(
            ModelKey.app + ".alarms", ["every", "kind", "wakes"], with: alarmed("repeating", "30 min"),
            "a phone that keeps alarms"),
        Condition(
            [ModelKey.app + ".alarms.window"], with: alarmed("window", "30 min"), "an app that states a window"),
        Condition(
            [ModelKey.app + ".continued.type"],
            with: [
                "device.os.continued_processing=true", "device.os.service_time=20 s",
                ModelKey.app + ".continued={share: 100 %, time: 5 min}",
            ],
            "a service on Android"),
        Condition(
            ["device.os.short_service_time"],
            with: [
                "device.os.continued_processing=true",
                ModelKey.app + ".continued={share: 100 %, time: 5 min, type: short-service}",
            ],
            "a short service"),
        Condition(
            ["device.os.user_job_time"],
            with: [
                "device.os.continued_processing=true",
                ModelKey.app + ".continued={share: 100 %, time: 5 min, type: user-job}",
            ],
            "a job that the user started"),
        Condition(
            [ModelKey.app + ".battery"], with: alarmed("exact", "1 min") + [forgotten],
            "an app with many alarms that is never opened"),
        Condition(["device.os.exact_alarms"], with: alarmed("exact", "30 min"), "an app with an exact alarm"),
        Condition(
            ["device.background.pushes.urgent"], with: [urgent[0]], "an app that is sent messages of high priority"),
        Condition(
            "device.background.pushes", ["downgrades", "downgrade_below", "downgrade_count"],
            with: urgent, "an app that is sent messages of high priority"),
        Condition(
            ["device.background.pushes.limited_by_bucket"],
            with: [urgent[0], "device.background.pushes={urgent: true, downgrades: false}", forgotten],
            "an app that is sent messages of high priority and never opened"),
        Condition(
            ModelKey.app + ".pushes", ["urgent_share", "urgent_shown_share"], with: urgent,
            "a system with messages of high priority"),
    ]
}
