# SPDX-License-Identifier: GPL-3.0-or-later
"""Metrics of background work, traffic, pushes, calls, transfers, widgets and connections."""

import collections
import math
import re

from declared import APP_METRICS, METRICS, Binned, Bounds, app, per_day, phone
from quantities import (
    deaths_of_phone, event_launches, gaps, nights, of, quantile, restarts, share, wasted_refreshes)
from tables import HOUR
from visit_metrics import visits


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
    each.alert is not None and each.time - each.alert <= HOUR for each in visits(run, a)))
for each_name, each_event in {
        "local_notifications": "localAlert", "refused_alerts": "refusedAlert", "lost_pushes": "lostPush"}.items():
    per_day(f"{each_name}_per_day", lambda run, a, event=each_event: sum(
        row.event == event for row in run.late(of(run.app_events, a))))
per_day("missed_calls_per_day", lambda run, a: sum(
    row.kind == "call" and row.outcome != "success" for row in run.late(of(run.requests, a), "ended_s")))
per_day("held_s_per_day", lambda run, a: sum(row.t_s - begin for row, begin in calls(run, a)))
per_day("calls_cut_per_day", lambda run, a: sum(row.from_state == "not_running" for row, _ in calls(run, a)))
per_day("interruptions_per_day", lambda run, a: sum(
    row.event == "interrupted" for row in run.late(of(run.app_events, a))))
per_day("displaced_by_calls_per_day", lambda run, a: sum(
    row.event == "displaced" for row in run.late(of(run.app_events, a))))
per_day("transfers_per_day", lambda run, a: run.app_sum("transfers", a))
per_day("heartbeats_per_day", lambda run, a: run.app_sum("heartbeats", a) if a else run.hours("heartbeats"))


for each_name, each_event in {"helper_uses": "helperUsed", "helper_failures": "helperFailed"}.items():
    per_day(f"{each_name}_per_day", lambda run, _, event=each_event: sum(
        row.event == event for row in run.late(run.events)), of_apps=False)


def beside(run, of_app):
    """Events of processes that apps have beside their main ones; each is named by its app and its kind."""
    names = set(run.apps) if of_app is None else {of_app}
    return [row for row in run.others if row.app.rpartition(":")[0] in names]


def down_times(run, of_app):
    """How long each tunnel and sticky service was dead, for those that ran again or with which the phone went off."""
    died, found = {}, []
    moments = [(row.t_s, row) for row in beside(run, of_app)]
    moments += [(time, None) for time in deaths_of_phone(run) + restarts(run)]
    for time, row in sorted(moments, key=lambda moment: moment[0]):
        if row is not None and row.event == "helperFailed" and re.search(r":(tunnel|sticky)(-\d+)?$", row.app):
            died[row.app] = time
        elif row is None or row.event == "helperUsed":
            for ended in list(died) if row is None else [row.app]:
                begin = died.pop(ended, None)
                if begin is not None and run.counts(time):
                    found.append(time - max(begin, run.warmup))
    return found


per_day("process_failures_per_day", lambda run, a: sum(
    row.event == "helperFailed" for row in run.late(beside(run, a))))
per_day("process_down_s_per_day", lambda run, a: sum(down_times(run, a)))
for each_name, each_event in {"urgent_pushes": "urgentPush", "downgraded_pushes": "downgradedPush"}.items():
    per_day(f"{each_name}_per_day", lambda run, a, event=each_event: sum(
        row.event == event for row in run.late(of(run.app_events, a))))
per_day("tracked_s_per_day", lambda run, a: sum(row.t_s - begin for row, begin in calls(run, a, "tracking")))


def calls(run, of_app, mode="mode"):
    """Calls, or another mode, that ended, as the row of the end and the time of the begin."""
    began, found = {}, []
    for row in of(run.app_events, of_app):
        if row.event == f"{mode}Begin":
            began[row.app] = row.t_s
        elif row.event == f"{mode}End" and run.counts(row.t_s):
            found.append((row, began[row.app]))
    return found


def alarms(run, of_app):
    """Alarms that went off; what one ran may have ended later."""
    return [row for row in run.late(of(run.requests, of_app), "started_s") if row.kind == "alarm"]


def under_way(run, of_app):
    """How many apps were run for something when the run ended, which has no row yet."""
    last = {row.app: row.event for row in of(run.app_events, of_app)}
    return sum(event == "launch" for event in last.values())


def begun(name, number, of_apps=True):
    """Declares a number per day of what has begun."""
    def metric(run, of_app):
        more, least = under_way(run, of_app), number(run, of_app)
        return Bounds(least / run.days - 1e-9, (least + more) / run.days + 1e-9) if more else least / run.days

    METRICS[name] = metric
    if of_apps:
        APP_METRICS.add(name)


def delay_begun(run, of_app, delays):
    """The 95th percentile of delays of what has begun."""
    more = under_way(run, of_app)
    if not more:
        return Binned(quantile(0.95, delays))
    least, most = quantile(0.95, delays + [0.0] * more), quantile(0.95, delays + [math.inf] * more)
    return Bounds(least * 0.98 - 1e-9, most * 1.02 + 1e-9, may_be_none=not delays)


begun("alarms_per_day", lambda run, a: len(alarms(run, a)))
begun("alarm_wakeups_per_day", lambda run, _: len({row.started_s for row in alarms(run, None)}), of_apps=False)


@app
def alarm_delay_s_p95(run, of_app):
    return delay_begun(run, of_app, [row.started_s - row.submitted_s for row in alarms(run, of_app)])


def broadcasts(run, of_app):
    """Times that an app heard of broadcasts; what one ran may have ended later."""
    return [row for row in run.late(of(run.requests, of_app), "started_s") if row.kind == "broadcast"]


begun("broadcasts_per_day", lambda run, a: len(broadcasts(run, a)))


@app
def broadcast_delay_s_p95(run, of_app):
    return delay_begun(run, of_app, [row.started_s - row.submitted_s for row in broadcasts(run, of_app)])


def arrived(run, of_app, *kinds):
    """Pushes that were sent after the warm-up and arrived by the end."""
    return ("silent" in kinds) * sum(run.counts(row.submitted_s) for row in silent(run, of_app)) + (
        "alert" in kinds) * sum(run.counts(row.t_s - row.delay_s) for row in alerts(run, of_app))


@app
def push_delivered_share(run, of_app):
    return share(arrived(run, of_app, "alert", "silent"), run.app_sum("pushes_sent", of_app))


@app
def push_delay_s_p95(run, of_app):
    return Binned(quantile(0.95, [row.delay_s for row in alerts(run, of_app)] + silent_delays(run, of_app)))


@app
def silent_push_delivered_share(run, of_app):
    return share(arrived(run, of_app, "silent"), run.app_sum("silent_pushes_sent", of_app))


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
    """A widget that is kept is reloaded at some time of a run, but not always in one of less than three days."""
    apps = {row.app for row in run.app_days if of_app in (None, row.app)}
    kept = {row.app for row in run.app_days if row.widget_reloads and row.app in apps}
    reloads = share(run.app_sum("widget_reloads", of_app) / run.days, len(kept))
    if run.end >= 72 * HOUR:
        return reloads
    return Bounds(0, 0, may_be_none=True) if reloads is None else Bounds(reloads * len(kept) / len(apps), reloads)
