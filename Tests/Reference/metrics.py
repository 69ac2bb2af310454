# SPDX-License-Identifier: GPL-3.0-or-later
"""Every metric, worked out from the rows of a run by what `flotsam list metrics` says it means.

A function takes the run and the app that it is asked of, None for the phone. It returns a number, None for no value, or
`Bounds` where tables tell no more. `NOT_IN_TABLES` lists what no table can give, with the reason."""

import collections

from quantities import (
    VISIBLE, alive_over_time, alive_seconds, charges, deaths_of_phone, event_launches, gaps, integral, last_before,
    level_bounds, mean, network_energy, nights, of, opens, quantile, share, successes, wasted_refreshes)
from tables import DAY, HOUR

WATT_HOUR = 3600.0
# Quantiles are known to bins of 1 %, so that their middle is within half of that.
QUANTILE = 0.00502

METRICS = {}
APP_METRICS = set()

NOT_IN_TABLES = {
    "energy_imbalance": "what rounding leaves of sums of joules, some 1e-13 of them: smaller than the rounding of any sum "
                        "over rows. That it is at most 1e-9 is checked, and so is the ledger of every hour (sums.py).",
}


class Bounds:
    """A number that tables know only to lie between two."""

    def __init__(self, low, high):
        self.low, self.high = low, high


class Binned:
    """A quantile of values that are counted in bins of 1 %."""

    def __init__(self, value):
        self.value = value


def phone(function):
    METRICS[function.__name__] = function
    return function


def app(function):
    APP_METRICS.add(function.__name__)
    return phone(function)


def per_day(name, number, of_apps=True):
    """Declares a metric that is a number per day."""
    METRICS[name] = lambda run, of_app: number(run, of_app) / run.days
    if of_apps:
        APP_METRICS.add(name)


def counted_opens(run, of_app):
    return [each for each in opens(run) if run.counts(each.time) and of_app in (None, each.app)]


def wishes(run, of_app):
    """Opens but for those of an app that died on screen, which the user did not ask for."""
    return [each for each in counted_opens(run, of_app) if not each.is_reopening]


# --- Visits

per_day("resumes_per_day", lambda run, a: sum(each.is_resume for each in counted_opens(run, a)))
per_day("warm_launches_per_day", lambda run, a: sum(o.row.launch_kind == "warm" for o in counted_opens(run, a)))
per_day("cold_launches_per_day", lambda run, a: sum(o.row.launch_kind == "cold" for o in counted_opens(run, a)))
per_day("relaunches_per_day", lambda run, a: sum(not each.is_resume for each in counted_opens(run, a)))
per_day("launch_wait_s_per_day", lambda run, a: sum(each.row.delay_s for each in counted_opens(run, a)))
per_day("missed_visits_per_day", lambda run, a: sum(row.event == "missed" for row in run.late(of(run.app_events, a))))
per_day("regretted_kills_per_day", lambda run, a: sum(
    not each.is_resume and each.killed is not None and each.time - each.killed <= 600 for each in wishes(run, a)))


@app
def relaunch_share(run, of_app):
    found = counted_opens(run, of_app)
    return share(sum(not each.is_resume for each in found), len(found))


@app
def launch_ms_p95(run, of_app):
    value = quantile(0.95, [each.row.delay_s for each in counted_opens(run, of_app)])
    return Binned(None if value is None else 1000 * value)


@app
def restored_share(run, of_app):
    found = [each for each in counted_opens(run, of_app) if each.is_relaunch_of_visited]
    return share(sum(not each.was_lost for each in found), len(found))


def content_ages(run, of_app):
    return [each.row.content_age_s for each in wishes(run, of_app) if each.row.content_age_s is not None]


@app
def content_age_s_mean(run, of_app):
    return mean([age if age >= 1e-3 else 0.0 for age in content_ages(run, of_app)])


@app
def content_age_s_p95(run, of_app):
    return Binned(quantile(0.95, content_ages(run, of_app)))


@app
def since_refresh_s_mean(run, of_app):
    asks = {row.app for rows in (run.requests, run.decisions) for row in rows if row.kind == "refresh"}
    times = successes(run)
    return mean([each.time - (last_before(times[each.app], each.time) or 0.0)
                 for each in wishes(run, of_app) if each.app in asks])


# --- Ends of processes, memory

def exits(run, of_app):
    return [row for row in run.late(of(run.app_events, of_app)) if row.event == "exit"]


per_day("kills_per_day", lambda run, a: sum(row.reason != "" for row in exits(run, a)))
per_day("system_kills_per_day", lambda run, a: sum(
    row.event == "exit" and row.reason != "" for row in run.late(run.others)), of_apps=False)
per_day("lost_work_s_per_day", lambda run, a: sum(row.lost_work_s for row in exits(run, a)))
per_day("memory_warnings_per_day", lambda run, a: sum(
    row.event == "memoryWarning" for row in run.late(of(run.app_events, a))))

SEEN_ENDS = ("normal", "abnormal", "watchdog", "memory_limit", "bad_access", "illegal_instruction")
UNSEEN_ENDS = SEEN_ENDS + ("cpu_limit", "memory_pressure", "locked_file", "task_timeout")


def is_seen_end(row):
    """Of some categories there is no count on screen, as in MetricKit: all their ends count as unseen."""
    return row.from_state in VISIBLE and row.exit in SEEN_ENDS


def declare_ends(category):
    per_day(f"exits_bg_{category}_per_day", lambda run, a: sum(
        row.exit == category and not is_seen_end(row) for row in exits(run, a)))
    if category in SEEN_ENDS:
        per_day(f"exits_fg_{category}_per_day", lambda run, a: sum(
            row.exit == category and is_seen_end(row) for row in exits(run, a)))


for each_category in UNSEEN_ENDS:
    declare_ends(each_category)


@phone
def reclaimed_windows_per_day(run, _):
    """Windows also disconnect when their process ends in order; that is no reclaimed one."""
    ends = {(row.t_s, row.app) for row in run.callbacks if row.callback == "willTerminate"}
    return sum(row.callback == "didDisconnect" and (row.t_s, row.app) not in ends
               for row in run.late(run.callbacks)) / run.days


@phone
def pressure_warning_share(run, _):
    return run.hours("pressure_s") / run.seconds


@phone
def resident_apps_mean(run, _):
    return integral(alive_over_time(run), run.warmup, run.end) / run.seconds


@phone
def ram_growth_mib(run, _):
    return max(0.0, -min(row.available_min_mib for row in run.device_hours if row.hour * HOUR >= run.warmup))


# --- Refreshes, traffic

def refreshes(run, of_app=None):
    return [row for row in run.late(of(run.requests, of_app), "ended_s")
            if row.kind == "refresh" and row.outcome == "success"]


per_day("event_launches_per_day", event_launches)
per_day("refreshes_per_day", lambda run, a: len(refreshes(run, a)))
per_day("wifi_bytes_per_day", lambda run, a: run.app_sum("wifi_bytes", a) if a else run.hours("wifi_bytes"))
per_day("cellular_bytes_per_day", lambda run, a: run.app_sum("cellular_bytes", a) if a else run.hours("cellular_bytes"))


@app
def wasted_refresh_share(run, of_app):
    return share(sum(run.counts(time) for time in wasted_refreshes(run, of_app)), len(refreshes(run, of_app)))


# --- Energy

CAUSES = ("foreground", "relaunch", "tasks", "pushes", "transfers", "playback", "connections", "tails", "nobody")


def caused(run, *causes):
    return sum(run.hours(f"for_{cause}_j") for cause in causes)


def watt_hours(name, joules):
    per_day(name, lambda run, _: joules(run) / WATT_HOUR, of_apps=False)


watt_hours("energy_wh_per_day", lambda run: caused(run, *CAUSES))
watt_hours("wall_wh_per_day", lambda run: run.hours("wall_j"))
watt_hours("background_energy_wh_per_day", lambda run: caused(run, "tasks", "pushes", "connections"))
watt_hours("radio_tail_energy_wh_per_day", lambda run: caused(run, "tails"))
watt_hours("relaunch_energy_wh_per_day", lambda run: caused(run, "relaunch"))
watt_hours("screen_off_energy_wh_per_day", lambda run: run.hours("screen_off_battery_j"))
watt_hours("network_energy_wh_per_day", lambda run: network_energy(run, in_background=False))
per_day("wakeups_per_day", lambda run, _: run.hours("wakeups"), of_apps=False)
per_day("hot_hours_per_day", lambda run, _: run.hours("hot_s") / HOUR, of_apps=False)
per_day("low_power_hours_per_day", lambda run, _: run.hours("low_power_s") / HOUR, of_apps=False)
per_day("dead_hours_per_day", lambda run, _: (run.seconds - alive_seconds(run)) / HOUR, of_apps=False)


@phone
def charging_efficiency(run, _):
    return share(run.hours("charged_j") + run.hours("adapter_j"), run.hours("wall_j"))


@phone
def battery_pct_at_22h(run, _):
    return mean([row.battery_pct for row in run.device_hours if row.hour % 24 == 21 and row.hour * HOUR >= run.warmup])


@phone
def max_temperature_c(run, _):
    return max(row.battery_max_c for row in run.device_hours if row.hour * HOUR >= run.warmup)


@phone
def display_energy_share(run, _):
    return share(run.hours("screen_energy_j"), caused(run, *CAUSES))


@phone
def screen_off_energy_share(run, _):
    return share(run.hours("screen_off_battery_j"), run.hours("battery_j"))


@phone
def network_j_per_refresh(run, _):
    return share(network_energy(run, in_background=False), len(refreshes(run)))


@phone
def background_network_share(run, _):
    return share(network_energy(run, in_background=True), network_energy(run, in_background=False))


@phone
def screen_off_apps_share(run, _):
    floor = caused(run, "nobody") / alive_seconds(run) * run.hours("screen_off_battery_s")
    return share(run.hours("screen_off_battery_j") - floor, run.hours("battery_j"))


# --- Battery

@phone
def hours_below_20_pct_per_day(run, _):
    return Bounds(*level_bounds(run, True, 20))


@phone
def hours_above_80_pct_per_day(run, _):
    return Bounds(*level_bounds(run, False, 80))


@phone
def battery_life_h(run, _):
    times = [time for time in deaths_of_phone(run) if run.counts(time)]
    return (times[0] - run.warmup) / HOUR if times else None


@phone
def unplug_pct_mean(run, _):
    """The level shown is within a per cent of the true one."""
    long_charge = run.results.setting("device.charging.long_charge", 5 * HOUR)
    level = mean([each.end_level for each in charges(run)
                  if each.end and run.counts(each.end) and each.end - each.begin >= long_charge])
    return None if level is None else Bounds(level - 1, min(level + 1, 100))


def minutes_of_charge(run, reached):
    return mean([(reached(each) - each.begin) / 60 for each in charges(run)
                 if each.began_empty and reached(each) and run.counts(reached(each))])


@phone
def charge_min_to_50(run, _):
    return minutes_of_charge(run, lambda each: each.half)


@phone
def charge_min_to_100(run, _):
    return minutes_of_charge(run, lambda each: each.full)


# --- Requests

@app
def refresh_gap_median_s(run, of_app):
    return Binned(quantile(0.5, [second - first for _, first, second in gaps(run, of_app)]))


@app
def overnight_gap_share(run, of_app):
    found = nights(run, of_app).values()
    return share(sum(6 * HOUR <= gap <= 13 * HOUR for gap in found), len(found))


def bins(run):
    return [row for row in run.predictions if row.predictions]


@phone
def prediction_brier(run, _):
    return share(sum(row.predictions * row.squared_error for row in bins(run)),
                 sum(row.predictions for row in bins(run)))


@phone
def prediction_skill(run, _):
    base = share(sum(row.predictions * row.opened for row in bins(run)), sum(row.predictions for row in bins(run)))
    if base is None or base in (0, 1):
        return None
    return 1 - prediction_brier(run, None) / (base * (1 - base))


@phone
def prediction_reliability(run, _):
    return share(sum(row.predictions * (row.predicted - row.opened) ** 2 for row in bins(run)),
                 sum(row.predictions for row in bins(run)))


def tasks(run, of_app, *kinds):
    """Refreshes and processing tasks that started and ended."""
    return [row for row in run.late(of(run.requests, of_app), "ended_s")
            if row.kind in kinds and row.started_s is not None]


@app
def processing_completed_share(run, of_app):
    found = tasks(run, of_app, "processing")
    return share(sum(row.outcome == "success" for row in found), len(found))


@app
def expired_share(run, of_app):
    found = tasks(run, of_app, "refresh", "processing")
    return share(sum(row.outcome == "expired" for row in found), len(found))


@phone
def deadline_miss_share(run, _):
    number = collections.Counter(
        row.outcome for row in run.late(run.requests, "ended_s") if row.kind in ("refresh", "processing"))
    return share(number["never"], sum(number[each] for each in ("never", "success", "expired", "failed")))


# --- Pushes, calls, transfers, widgets, connections

def alerts(run, of_app):
    return [row for row in run.late(of(run.app_events, of_app)) if row.event == "alert"]


def silent(run, of_app):
    return [row for row in run.late(of(run.requests, of_app), "started_s") if row.kind == "silent-push"]


def silent_delays(run, of_app):
    return [row.started_s - row.submitted_s for row in silent(run, of_app)]


per_day("silent_pushes_per_day", lambda run, a: run.app_sum("pushes_delivered", a) - len(alerts(run, a)))
per_day("answered_alerts_per_day", lambda run, a: sum(
    each.alert is not None and each.time - each.alert <= HOUR for each in wishes(run, a)))
per_day("missed_calls_per_day", lambda run, a: sum(
    row.kind == "call" and row.outcome != "success" for row in run.late(of(run.requests, a), "ended_s")))
per_day("held_s_per_day", lambda run, a: sum(row.t_s - begin for row, begin in calls(run, a)))
per_day("calls_cut_per_day", lambda run, a: sum(row.from_state == "not_running" for row, _ in calls(run, a)))
per_day("transfers_per_day", lambda run, a: run.app_sum("transfers", a))
per_day("heartbeats_per_day", lambda run, a: run.app_sum("heartbeats", a) if a else run.hours("heartbeats"))


def calls(run, of_app):
    """Calls that ended, as the row of the end and the time of the begin."""
    began, found = {}, []
    for row in of(run.app_events, of_app):
        if row.event == "modeBegin":
            began[row.app] = row.t_s
        elif row.event == "modeEnd" and run.counts(row.t_s):
            found.append((row, began[row.app]))
    return found


@app
def push_delivered_share(run, of_app):
    return share(run.app_sum("pushes_delivered", of_app), run.app_sum("pushes_sent", of_app))


@app
def push_delay_s_p95(run, of_app):
    return Binned(quantile(0.95, [row.delay_s for row in alerts(run, of_app)] + silent_delays(run, of_app)))


@app
def silent_push_delivered_share(run, of_app):
    return share(run.app_sum("pushes_delivered", of_app) - len(alerts(run, of_app)),
                 run.app_sum("silent_pushes_sent", of_app))


@app
def silent_push_delay_s_p95(run, of_app):
    return Binned(quantile(0.95, silent_delays(run, of_app)))


@app
def transfer_delay_s_p95(run, of_app):
    return Binned(quantile(0.95, [
        row.ended_s - row.submitted_s for row in run.late(of(run.requests, of_app), "ended_s")
        if row.kind == "transfer" and row.outcome == "success"]))


@app
def widget_reloads_per_day(run, of_app):
    """A widget that is kept is reloaded at some time of the run, at the latest in its warm-up."""
    kept = {row.app for row in run.app_days if row.widget_reloads and of_app in (None, row.app)}
    return share(run.app_sum("widget_reloads", of_app) / run.days, len(kept))
