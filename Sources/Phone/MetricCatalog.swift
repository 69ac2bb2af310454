import Vocabulary

/// Every metric, in the order in which a run's values stand.
///
/// A new one is a line here, a field of `RunCounts` that the phone counts up where the thing happens, and a line in
/// `RunMetrics.swift`; tables, comparisons and `flotsam list` follow from the line here.
///
/// "Per day" is per simulated day after the warm-up. A share whose denominator is zero in a run has no value (NaN, an
/// empty field in tables).
public enum MetricCatalog {
    /// All metrics.
    static let all: [Metric] =
        launches + exits + memory + energy + freshness + traffic + marks + events

    private static let places: [String: Int] = Dictionary(
        uniqueKeysWithValues: all.enumerated().map { ($0.element.name, $0.offset) })

    /// The place of a metric in a run's values; nil when there is none of that name.
    public static func index(of name: String) -> Int? { places[name] }

    private static let launches: [Metric] = [
        Metric("relaunches_per_day", "1/d", .lower, "warm and cold opens by the user"),
        Metric("cold_launches_per_day", "1/d", .lower, "opens with neither a process nor cached file pages"),
        Metric("warm_launches_per_day", "1/d", .lower, "opens with cached file pages but no process"),
        Metric("resumes_per_day", "1/d", .higher, "opens of an app whose process was alive"),
        Metric("relaunch_share", "1", .lower, "relaunches over all opens"),
        Metric("launch_wait_s_per_day", "s/d", .lower, "time the user waits for apps to open or resume"),
        Metric("launch_ms_p95", "ms", .lower, "95th percentile of the time an open takes (bins of 1 %)"),
        Metric("missed_visits_per_day", "1/d", .lower, "visits that fell into a time with a dead battery"),
    ]

    private static let exits: [Metric] =
        [
            Metric("kills_per_day", "1/d", .lower, "processes of apps that jetsam killed"),
            Metric("system_kills_per_day", "1/d", .lower, "daemons and extensions that jetsam killed"),
        ]
        + ExitCategory.allCases.map {
            Metric("exits_bg_\($0.name)_per_day", "1/d", .lower, "ends of processes the user does not see: \($0.name)")
        }
        + ExitCategory.allCases.filter(\.existsInForeground).map {
            Metric("exits_fg_\($0.name)_per_day", "1/d", .lower, "ends of visible processes: \($0.name)")
        }
        + [
            Metric(
                "regretted_kills_per_day", "1/d", .lower, "killed apps that the user opened again within 10 minutes"),
            Metric("lost_work_s_per_day", "s/d", .lower, "time in the app since its last save, lost when it ended"),
            Metric(
                "restored_share", "1", .higher,
                "relaunches of apps with an earlier visit that found everything the user did saved"),
        ]

    private static let memory: [Metric] = [
        Metric(
            "reclaimed_windows_per_day", "1/d", .lower,
            "windows in the background whose memory the system took before it killed anybody"),
        Metric("memory_warnings_per_day", "1/d", .lower, "memory warnings delivered to apps"),
        Metric(
            "pressure_warning_share", "1", .lower,
            "share of time at pressure level warning or critical, which look at how much memory is compressed"),
        Metric("resident_apps_mean", "apps", .higher, "time mean of the number of apps with a process"),
        Metric("ram_growth_mib", "MiB", .lower, "memory beyond the RAM that a policy without eviction needed"),
    ]

    private static let energy: [Metric] = [
        Metric(
            "energy_wh_per_day", "Wh/d", .lower,
            "energy the phone used: at the battery's terminals, or from the charger past the battery"),
        Metric("wall_wh_per_day", "Wh/d", .neutral, "energy drawn from the wall"),
        Metric(
            "background_energy_wh_per_day", "Wh/d", .lower, "energy booked to background tasks, pushes and heartbeats"),
        Metric("radio_tail_energy_wh_per_day", "Wh/d", .lower, "energy of radios in their tails"),
        Metric("relaunch_energy_wh_per_day", "Wh/d", .lower, "energy of warm and cold launches by the user"),
        Metric("battery_pct_at_22h", "%", .higher, "mean over days of the battery level at 22:00"),
        Metric("hours_below_20_pct_per_day", "h/d", .lower, "time with less than 20 % of battery"),
        Metric("dead_hours_per_day", "h/d", .lower, "time with a dead battery"),
        Metric("wakeups_per_day", "1/d", .lower, "times the phone left its suspend state"),
        Metric(
            "battery_life_h", "h", .higher,
            "time from the start of the measurement to the first dead battery; no value if it never dies"),
        Metric("hours_above_80_pct_per_day", "h/d", .lower, "time with more than 80 % of battery, which ages a cell"),
        Metric(
            "unplug_pct_mean", "%", .higher,
            "mean battery level when a charge of hours ends (device.charging.long_charge)"),
        Metric(
            "charge_min_to_50", "min", .lower, "mean time on the charger to 50 %, of charges that began at 5 % or less"),
        Metric(
            "charge_min_to_100", "min", .lower, "mean time on the charger to full, of charges that began at 5 % or less"
        ),
        Metric(
            "charging_efficiency", "1", .higher,
            "energy into cell and running phone over the energy drawn from the wall"),
        Metric("max_temperature_c", "degC", .lower, "highest temperature of skin and battery"),
        Metric("hot_hours_per_day", "h/d", .lower, "time at thermal state serious or critical"),
        Metric("low_power_hours_per_day", "h/d", .neutral, "time in Low Power Mode"),
    ]

    private static let freshness: [Metric] = [
        Metric(
            "freshness_s_mean", "s", .lower,
            "mean age, at a user's open, of the newest content not yet fetched; zero if none is missing"),
        Metric("freshness_s_p95", "s", .lower, "95th percentile of the same age (bins of 1 %)"),
        Metric(
            "since_refresh_s_mean", "s", .lower,
            "mean time, at a user's open, since the app's last successful refresh; apps never refreshed do not count"),
        Metric("refreshes_per_day", "1/d", .neutral, "background refreshes that ran"),
        Metric(
            "wasted_refresh_share", "1", .lower,
            "refreshes that fetched nothing new or were never seen before the next fetch, over all refreshes"),
        Metric("refresh_gap_median_s", "s", .neutral, "median time between refreshes of one app (bins of 1 %)"),
        Metric(
            "overnight_gap_share", "1", .neutral,
            "share of nights, of apps opened the day before, whose longest gap between refreshes is of 6 to 13 h"),
        Metric(
            "prediction_brier", "1", .lower,
            "Brier score of the predicted probability of an open within 30 min, of 16 apps in turn every hour"),
        Metric(
            "prediction_skill", "1", .higher,
            "1 less the Brier score over that of always saying the mean; 1 is perfect, 0 no better than the mean"),
        Metric(
            "prediction_reliability", "1", .lower,
            "mean squared distance between predicted and happened over ten bins of likelihood (Murphy 1973)"),
        Metric("processing_completed_share", "1", .higher, "processing requests completed, over those that ended"),
        Metric("expired_share", "1", .lower, "background launches cut off before they were done, over all launches"),
        Metric(
            "deadline_miss_share", "1", .lower,
            "requests given up at their deadline, over those and the ones that ran"),
        Metric(
            "push_delivered_share", "1", .higher,
            "alerts shown and silent pushes handed to their app, over pushes sent"),
        Metric("push_delay_s_p95", "s", .lower, "95th percentile of the delay of delivered pushes (bins of 1 %)"),
    ]

    private static let traffic: [Metric] = [
        Metric("cellular_bytes_per_day", "B/d", .lower, "bytes over the cellular network"),
        Metric("wifi_bytes_per_day", "B/d", .neutral, "bytes over Wi-Fi"),
    ]

    private static let events: [Metric] = [
        Metric("silent_pushes_per_day", "1/d", .neutral, "silent pushes handed to their app"),
        Metric("silent_push_delivered_share", "1", .higher, "silent pushes handed to their app, over those sent"),
        Metric(
            "silent_push_delay_s_p95", "s", .lower, "95th percentile of the delay of those handed over (bins of 1 %)"),
        Metric(
            "event_launches_per_day", "1/d", .neutral,
            "launches and resumes in the background for events: pushes, calls, movements, accessories, transfers"
        ),
        Metric("answered_alerts_per_day", "1/d", .neutral, "opens of an app within an hour of its newest alert"),
        Metric(
            "missed_calls_per_day", "1/d", .lower,
            "VoIP pushes without a call: no network, or an app that reports none"),
        Metric("held_s_per_day", "s/d", .neutral, "time that calls held apps running"),
        Metric("calls_cut_per_day", "1/d", .lower, "calls that ended with their app's process"),
        Metric("transfers_per_day", "1/d", .neutral, "background transfers completed by the system's daemon"),
        Metric(
            "transfer_delay_s_p95", "s", .lower,
            "95th percentile of the time from handing a transfer over to its end (bins of 1 %)"),
        Metric("widget_reloads_per_day", "1/d", .neutral, "reloads of a widget, mean over the widgets that are kept"),
        Metric("heartbeats_per_day", "1/d", .neutral, "heartbeats of the push connection and of apps' own connections"),
    ]
}
