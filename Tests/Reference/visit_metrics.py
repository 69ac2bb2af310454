# SPDX-License-Identifier: GPL-3.0-or-later
"""Metrics of visits, ends of processes and memory, by what `flotsam list metrics` says they mean."""

import math

from declared import Binned, Bounds, app, per_day, phone
from quantities import (
    VISIBLE, alive_over_time, deaths_of_phone, integral, last_before, mean, of, opens, quantile, share, successes)
from tables import HOUR


def counted_opens(run, of_app):
    return [each for each in opens(run) if run.counts(each.time) and of_app in (None, each.app)]


def visits(run, of_app):
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
    each.row.from_state == "not_running" and each.killed is not None and each.time - each.killed <= 600 for each in visits(run, a)))


@phone
def least_relaunches_per_day(run, _):
    """No row says how small an app could be: what is known is that no run goes below its bound."""
    return Bounds(0, sum(not each.is_resume for each in counted_opens(run, None)) / run.days + 1e-9)


@phone
def least_launch_wait_s_per_day(run, _):
    return Bounds(0, sum(each.row.delay_s for each in counted_opens(run, None)) / run.days + 1e-6)


@app
def relaunch_share(run, of_app):
    found = counted_opens(run, of_app)
    return share(sum(not each.is_resume for each in found), len(found))


@app
def launch_ms_p95(run, of_app):
    value = quantile(0.95, [each.row.delay_s for each in counted_opens(run, of_app)])
    return Binned(None if value is None else 1000 * value)


@app
def slow_open_share(run, of_app):
    found = counted_opens(run, of_app)
    return share(sum(each.row.delay_s > 1 for each in found), len(found))


@app
def restored_share(run, of_app):
    found = [each for each in counted_opens(run, of_app) if each.is_relaunch_of_visited]
    return share(sum(not each.was_lost for each in found), len(found))


def content_ages(run, of_app):
    return [each.row.content_age_s for each in visits(run, of_app) if each.row.content_age_s is not None]


@app
def content_age_s_mean(run, of_app):
    return mean(content_ages(run, of_app))


@app
def content_age_s_p95(run, of_app):
    return Binned(quantile(0.95, content_ages(run, of_app)))


@app
def since_refresh_s_mean(run, of_app):
    asks = {row.app for rows in (run.requests, run.decisions) for row in rows if row.kind == "refresh"}
    times = successes(run)
    return mean([each.time - (last_before(times[each.app], each.time) or 0.0)
                 for each in visits(run, of_app) if each.app in asks])


per_day("leave_wait_s_per_day", lambda run, a: sum(
    row.delay_s or 0.0 for row in run.late(of(run.app_events, a)) if row.event == "resignActive"))
for each_name, each_event in {
        "return_bursts": "returnBurst", "cut_saves": "saveCut", "playback_paused": "playbackPaused",
        "low_power_saves": "lowPowerSave", "given_up": "givenUp"}.items():
    per_day(f"{each_name}_per_day", lambda run, a, event=each_event: sum(
        row.event == event for row in run.late(of(run.app_events, a))))
REASONS_TO_OPEN = ("icon", "notification", "link", "widget", "share_sheet", "app", "restart")


def declare_opens(reason):
    per_day(f"opens_by_{reason}_per_day", lambda run, a: sum(
        each.row.opened_by == reason for each in counted_opens(run, a)))


for each_opening in REASONS_TO_OPEN:
    declare_opens(each_opening)


# --- Ends of processes, memory
def exits(run, of_app):
    return [row for row in run.late(of(run.app_events, of_app)) if row.event == "exit"]


per_day("kills_per_day", lambda run, a: sum(row.reason != "" for row in exits(run, a)))
per_day("system_kills_per_day", lambda run, a: sum(
    row.event == "exit" and row.reason != "" for row in run.late(run.others)), of_apps=False)
REASONS = {  # by reason, whether the eviction policy chooses who dies
    "highwater": False, "vm-pageshortage": True, "per-process-limit": False, "idle-exit": True, "long-idle-exit": False,
    "vm-compressor-space-shortage": True, "jettisoned": False, "vnode-limit": False, "proc-thrashing": False,
    "fc-thrashing": True, "disk-space-shortage": False, "zone-map-exhaustion": True, "vm-compressor-thrashing": True,
    "sustained-memory-pressure": True, "vm-pageout-starvation": True, "low-swap": True,
}


def declare_reason(reason):
    per_day(f"kills_{reason.replace('-', '_')}_per_day", lambda run, a: sum(
        row.event == "exit" and row.reason == reason for row in run.late(of(run.events, a))))


for each_reason in REASONS:
    declare_reason(each_reason)


@app
def policy_decided_kill_share(run, of_app):
    kills = [row.reason for row in run.late(of(run.events, of_app)) if row.event == "exit" and row.reason]
    return share(sum(REASONS[reason] for reason in kills), len(kills))


per_day("frozen_per_day", lambda run, a: run.hours("frozen"), of_apps=False)
per_day("thawed_per_day", lambda run, a: run.hours("thawed"), of_apps=False)
per_day("flash_written_mib_per_day", lambda run, a: run.hours("flash_written_mib"), of_apps=False)


@app
def thawed_open_share(run, of_app):
    return share(run.app_sum("thawed_opens", of_app), run.app_sum("opens", of_app))


@app
def prewarmed_open_share(run, of_app):
    found = [row for row in run.late(of(run.app_events, of_app))
             if row.event == "launch" and row.from_state == "prewarmed" and row.delay_s is not None]
    return share(len(found), run.app_sum("opens", of_app))


per_day("prewarms_per_day", lambda run, a: sum(
    row.event == "prewarm" for row in run.late(of(run.app_events, a))))


per_day("lost_work_s_per_day", lambda run, a: sum(row.lost_work_s for row in exits(run, a)))
LOSSES = {
    "eviction": ("memory_pressure",), "crash": ("abnormal", "bad_access", "illegal_instruction"),
    "limit": ("memory_limit", "cpu_limit", "watchdog", "task_timeout", "locked_file"),
}


def declare_loss(name, categories):
    per_day(f"lost_work_{name}_s_per_day", lambda run, a: sum(
        row.lost_work_s for row in exits(run, a) if row.exit in categories))


for each_name, each_categories in LOSSES.items():
    declare_loss(each_name, each_categories)


def normal_losses(run, of_app, dead):
    ends = set(deaths_of_phone(run))
    return sum(row.lost_work_s for row in exits(run, of_app) if row.exit == "normal" and (row.t_s in ends) == dead)


per_day("lost_work_order_s_per_day", lambda run, a: normal_losses(run, a, False))
per_day("lost_work_battery_s_per_day", lambda run, a: normal_losses(run, a, True))
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
per_day("workload_installs_per_day", lambda run, a: sum(
    row.event == "installed" for row in run.late(of(run.app_events, a))))
per_day("workload_updates_per_day", lambda run, a: sum(
    row.event == "updated" for row in run.late(of(run.app_events, a))))


@app
def stale_open_share(run, of_app):
    """No row says when an open's copy was fetched by what the user did."""
    return Bounds(0, 1) if content_ages(run, of_app) else None


@phone
def fetch_occasions_per_day(run, _):
    """Each is a refresh or a push that brought content; how many share one is not in the rows."""
    return Bounds(0, math.inf)


@phone
def least_fetch_occasions_per_day(run, _):
    return Bounds(0, len(counted_opens(run, None)) / run.days + 1e-9)
