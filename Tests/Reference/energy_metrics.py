# SPDX-License-Identifier: GPL-3.0-or-later
"""Metrics of energy, battery and heat."""

from declared import Bounds, app, per_day, phone
from quantities import alive_seconds, charges, deaths_of_phone, level_bounds, mean, network_energy, of, restarts, share
from tables import HOUR
from work_metrics import refreshes


WATT_HOUR = 3600.0


# --- Energy
CAUSES = ("foreground", "relaunch", "tasks", "pushes", "transfers", "playback", "connections", "tails", "nobody")


def caused(run, *causes):
    return sum(run.hours(f"for_{cause}_j") for cause in causes)


def watt_hours(name, joules):
    per_day(name, lambda run, _: joules(run) / WATT_HOUR, of_apps=False)


def booked(run, of_app):
    """What is booked to one app, or to all."""
    return run.app_sum("foreground_energy_j", of_app) + run.app_sum("background_energy_j", of_app)


per_day("energy_wh_per_day",
        lambda run, of_app: (booked(run, of_app) if of_app else caused(run, *CAUSES)) / WATT_HOUR)
per_day("app_background_energy_wh_per_day",
        lambda run, of_app: run.app_sum("background_energy_j", of_app) / WATT_HOUR)


@app
def app_energy_share(run, of_app):
    return share(booked(run, of_app), caused(run, *CAUSES))


watt_hours("wall_wh_per_day", lambda run: run.hours("wall_j"))
watt_hours("background_energy_wh_per_day", lambda run: caused(run, "tasks", "pushes", "connections"))
watt_hours("playback_energy_wh_per_day", lambda run: caused(run, "playback"))
watt_hours("radio_tail_energy_wh_per_day", lambda run: caused(run, "tails"))
watt_hours("relaunch_energy_wh_per_day", lambda run: caused(run, "relaunch"))
watt_hours("screen_off_energy_wh_per_day", lambda run: run.hours("screen_off_battery_j"))
watt_hours("network_energy_wh_per_day", lambda run: network_energy(run, in_background=False))
per_day("wakeups_per_day", lambda run, _: run.hours("wakeups"), of_apps=False)
per_day("hot_hours_per_day", lambda run, _: run.hours("hot_s") / HOUR, of_apps=False)
per_day("low_power_hours_per_day", lambda run, _: run.hours("low_power_s") / HOUR, of_apps=False)
per_day("restarts_per_day", lambda run, _: sum(run.counts(time) for time in restarts(run)), of_apps=False)
per_day("system_upgrades_per_day", lambda run, _: sum(run.counts(time) for time in restarts(run, "upgrade")),
        of_apps=False)
per_day("system_crashes_per_day", lambda run, _: sum(run.counts(time) for time in restarts(run, "crash")),
        of_apps=False)
per_day("dead_hours_per_day", lambda run, _: (run.seconds - alive_seconds(run)) / HOUR, of_apps=False)


@phone
def charging_efficiency(run, _):
    return share(run.hours("charged_j") + run.hours("adapter_j"), run.hours("wall_j"))


@phone
def battery_pct_at_22h(run, _):
    return mean([row.battery_pct for row in run.device_hours if row.hour % 24 == 21 and row.hour * HOUR >= run.warmup])


@phone
def max_temperature_c(run, _):
    rows = [row.battery_max_c for row in run.device_hours if row.hour * HOUR >= run.warmup]
    # The row of the last hour is written before the heat of the run's last seconds is carried to the temperature. A drawn
    # phone that warmed to the end lacked 0.034 K (seed bf1ddfdcfcb2, phone 40), which is open. Other rows lack nothing.
    return Bounds(max(rows), max(*rows, rows[-1] + 0.05))


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
    """Hours tell what nobody in particular drew, and not how much of it the battery gave with the screen off: at least
    what the rest of the hour's energy cannot hold, at most all of it."""
    if run.hours("battery_j") == 0:
        return None
    least = most = 0.0
    for row in run.device_hours:
        if row.hour * HOUR < run.warmup:
            continue
        dark, whole = row.screen_off_battery_j, sum(getattr(row, f"for_{cause}_j") for cause in CAUSES)
        least += max(0.0, dark - row.for_nobody_j)
        most += dark - max(0.0, row.for_nobody_j - max(0.0, whole - dark))
    return Bounds(least / run.hours("battery_j") - 1e-9, most / run.hours("battery_j") + 1e-9)


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
