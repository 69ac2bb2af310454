# SPDX-License-Identifier: GPL-3.0-or-later
"""What must agree between the tables of a run: days of apps with events, energies of hours with their totals, what rows
of requests say of the phone with what the hours and the battery say."""

import bisect
import collections
import math

from energy_metrics import CAUSES
from quantities import foreground_tails, opens, radio_spans
from tables import DAY, HOUR
from visit_metrics import SEEN_ENDS, UNSEEN_ENDS, is_seen_end

COMPONENTS = ("screen", "processor", "wifi", "cellular", "platform", "storage", "graphics", "memory", "audio", "video",
              "camera", "location", "bluetooth")


def day_of(time):
    """What happens at midnight belongs to the day before."""
    return max(0, math.ceil(time / DAY) - 1)


def hour_of(time):
    return max(0, math.ceil(time / HOUR) - 1)


class Tally:
    """Numbers by app and day, or by hour."""

    def __init__(self, key):
        self.key = key
        self.numbers = collections.defaultdict(lambda: collections.defaultdict(float))

    def add(self, column, time, app=None, amount=1):
        self.numbers[column][(app, self.key(time))] += amount


def check(run, report, where):
    check_app_days(run, report, where)
    check_states(run, report, where)
    check_hours(run, report, where)
    check_energies(run, report, where)
    check_starts(run, report, where)


def check_app_days(run, report, where):
    tally = Tally(day_of)
    for each in opens(run):
        tally.add("opens", each.time, each.app)
        tally.add({"resume": "resumes"}.get(each.row.launch_kind, each.row.launch_kind), each.time, each.app)
        tally.add("wait_s", each.time, each.app, each.row.delay_s)
        tally.add("freshness_s", each.time, each.app, each.row.content_age_s or 0)
    began = {}
    for row in run.app_events:
        if row.event == "exit":
            side = "fg" if is_seen_end(row) else "bg"
            tally.add(f"exits_{side}_{row.exit}", row.t_s, row.app)
            tally.add("kills", row.t_s, row.app, row.reason != "")
            tally.add("lost_work_s", row.t_s, row.app, row.lost_work_s)
        elif row.event == "memoryWarning":
            tally.add("memory_warnings", row.t_s, row.app)
        elif row.event == "alert":
            tally.add("pushes_delivered", row.t_s, row.app)
            tally.add("push_delay_s", row.t_s, row.app, row.delay_s)
        elif row.event == "modeBegin":
            began[row.app] = row.t_s
        elif row.event == "modeEnd":
            tally.add("held_s", row.t_s, row.app, row.t_s - began[row.app])
    for row in run.requests:
        add_request(row, tally)
    columns = ["opens", "resumes", "warm", "cold", "wait_s", "freshness_s", "kills", "lost_work_s", "memory_warnings",
               "pushes_delivered", "push_delay_s", "pushes_dropped", "held_s", "refreshes", "processings",
               "expirations", "failures", "transfer_s"]
    columns += [f"exits_fg_{each}" for each in SEEN_ENDS] + [f"exits_bg_{each}" for each in UNSEEN_ENDS]
    for row in run.app_days:
        for column in columns:
            expected = tally.numbers[column].get((row.app, int(row.day)), 0)
            report.close("app_days.csv", where + (row.app, f"day {int(row.day)}", column), getattr(row, column),
                         expected)


def add_request(row, tally):
    started = row.started_s is not None
    if row.kind == "silent-push":
        if started:
            tally.add("pushes_delivered", row.started_s, row.app)
            tally.add("push_delay_s", row.started_s, row.app, row.started_s - row.submitted_s)
        else:
            tally.add("pushes_dropped", row.ended_s, row.app)
    if row.kind == "transfer":
        if row.outcome == "success":
            tally.add("transfer_s", row.ended_s, row.app, row.ended_s - row.submitted_s)
        return
    if started:
        tally.add("expirations", row.ended_s, row.app, row.outcome == "expired")
        tally.add("failures", row.ended_s, row.app, row.outcome == "failed")
    if row.outcome == "success" and row.kind in ("refresh", "processing"):
        tally.add({"refresh": "refreshes", "processing": "processings"}[row.kind], row.ended_s, row.app)


def check_states(run, report, where):
    """Times in states: `in_state_s` of each event, and the times of `app_days` over the run."""
    since, state = collections.defaultdict(float), collections.defaultdict(lambda: "not_running")
    times, on_screen, shown = collections.Counter(), collections.Counter(), {}
    for row in run.app_events:
        if row.from_state == row.to_state:
            continue
        report.equal("events.csv", where + (row.app, row.t_s, "from_state"), row.from_state, state[row.app])
        report.close("events.csv", where + (row.app, row.t_s, "in_state_s"), row.in_state_s, row.t_s - since[row.app])
        times[row.app, row.from_state] += row.t_s - since[row.app]
        since[row.app], state[row.app] = row.t_s, row.to_state
        if row.event == "launch" and row.to_state == "inactive":
            shown[row.app] = row.t_s
        elif row.event in ("enterBackground", "exit") and row.app in shown:
            on_screen[row.app] += row.t_s - shown.pop(row.app)
    for app in run.apps:
        times[app, state[app]] += run.end - since[app]
        rows = [row for row in run.app_days if row.app == app]
        for column, expected in (("background_s", times[app, "background"]), ("suspended_s", times[app, "suspended"]),
                                 ("foreground_s", on_screen[app])):
            found = sum(getattr(row, column) for row in rows)
            report.close("app_days.csv", where + (app, "whole run", column), found, expected)


def check_hours(run, report, where):
    tally = Tally(hour_of)
    for each in opens(run):
        tally.add("opens", each.time)
        tally.add("relaunches", each.time, None, not each.is_resume)
    for row in run.app_events:
        if row.event == "exit" and row.reason:
            tally.add("kills", row.t_s)
        elif row.event == "launch" and row.to_state == "background":
            tally.add("background_launches", row.t_s)
    residents = Residents(run)
    for row in run.device_hours:
        spot = where + (f"hour {int(row.hour)}",)
        for column in ("opens", "relaunches", "kills", "background_launches"):
            expected = tally.numbers[column].get((None, int(row.hour)), 0)
            report.close("device_hours.csv", spot + (column,), getattr(row, column), expected)
        end = min((row.hour + 1) * HOUR, run.end)
        alive, suspended = residents.at(end)
        report.equal("device_hours.csv", spot + ("resident_apps",), row.resident_apps, alive)
        report.equal("device_hours.csv", spot + ("suspended_apps",), row.suspended_apps, suspended)
        if row.plugged_s:
            report.close("device_hours.csv", spot + ("charge_w",), row.charge_w, row.charged_j / row.plugged_s)
        report.close("device_hours.csv", spot + ("plugged_s",), row.plugged_s,
                     plugged_seconds(run, row.hour * HOUR, end))


class Residents:
    """How many apps have a process, and how many are suspended, over time."""

    def __init__(self, run):
        self.times, self.numbers = [0.0], [(0, 0)]
        states = {}
        for row in run.app_events:
            if row.from_state != row.to_state:
                states[row.app] = row.to_state
                values = list(states.values())
                self.times.append(row.t_s)
                self.numbers.append((len(values) - values.count("not_running"), values.count("suspended") + values.count("prewarmed")))

    def at(self, time):
        return self.numbers[bisect.bisect_right(self.times, time) - 1]


def plugged_seconds(run, begin, end):
    total = 0.0
    for row, after in zip(run.battery, [each.t_s for each in run.battery[1:]] + [run.end]):
        if row.plugged_in:
            total += max(0.0, min(after, end) - max(row.t_s, begin))
    return total


def check_energies(run, report, where):
    """Every hour: all joules by cause, by component, by app, and what cell and adapter delivered are the same."""
    by_app = collections.defaultdict(lambda: [0.0, 0.0, 0.0])
    tails = foreground_tails(run)
    by_day = collections.defaultdict(lambda: [0.0, 0.0])
    for row in run.app_hours:
        for index, joules in enumerate((row.foreground_energy_j, row.background_energy_j, row.idle_energy_j)):
            by_app[int(row.hour)][index] += joules
        by_day[row.app, int(row.hour // 24)][0] += row.foreground_energy_j
        by_day[row.app, int(row.hour // 24)][1] += row.background_energy_j
    for row in run.device_hours:
        spot = where + (f"hour {int(row.hour)}",)
        cause = {each: getattr(row, f"for_{each}_j") for each in CAUSES}
        total = sum(cause.values())
        foreground, background, idle = by_app[int(row.hour)]
        # A sum since the start of the run is rounded to some 1e-11 J, so its differences are, too.
        for name, found in (
                ("sum of components", sum(getattr(row, f"{each}_energy_j") for each in COMPONENTS)),
                ("battery_j + adapter_j", row.battery_j + row.adapter_j),
                ("sum of app_hours", foreground + background + idle)):
            report.close("device_hours.csv", spot + (name,), found, total, absolute=1e-6)
        report.close("app_hours.csv", spot + ("foreground",), foreground,
                     cause["foreground"] + cause["relaunch"] + tails[int(row.hour)], absolute=1e-6)
        report.close("app_hours.csv", spot + ("idle",), idle, cause["nobody"], absolute=1e-6)
        report.close("device_hours.csv", spot + ("screen_off_battery_j at most battery_j",),
                     max(0, row.screen_off_battery_j - row.battery_j), 0, absolute=1e-6)
    for row in run.app_days:
        foreground, background = by_day[row.app, int(row.day)]
        spot = where + (row.app, f"day {int(row.day)}")
        report.close("app_days.csv", spot + ("foreground_energy_j",), row.foreground_energy_j, foreground,
                     absolute=1e-6)
        report.close("app_days.csv", spot + ("background_energy_j",), row.background_energy_j, background,
                     absolute=1e-6)
    check_radios(run, report, where)
    check_battery(run, report, where)
    check_traffic(run, report, where)


def by_hour(begin, end):
    """The parts of a span that lie in each hour, with the hour."""
    while begin < end:
        part = min(end, (begin // HOUR + 1) * HOUR)
        yield int(begin // HOUR), part - begin
        begin = part


def check_radios(run, report, where):
    """Joules of both radios, and of their tails, from the power of each state and the time that it lasted.

    The system's services and calls use the radios, too, and have no rows."""
    joules = collections.Counter()
    for row, after, _ in radio_spans(run):
        columns = [f"{row.radio}_energy_j"] + ["for_tails_j"] * (row.cause == "tail")
        for column in columns:
            joules[column, hour_of(row.t_s)] += row.energy_j
            for hour, seconds in by_hour(row.t_s, after):
                joules[column, hour] += row.power_w * seconds
    if not run.radio:
        return
    for row in run.device_hours:
        spot, hour = where + (f"hour {int(row.hour)}",), int(row.hour)
        report.close("device_hours.csv", spot + ("for_tails_j",), row.for_tails_j, joules["for_tails_j", hour],
                     absolute=1e-6)
        for column in ("wifi_energy_j", "cellular_energy_j"):
            report.equal("device_hours.csv", spot + (column, "at least that of radio.csv"),
                         getattr(row, column) >= joules[column, hour] - 1e-6, True)


def check_battery(run, report, where):
    """Time with the screen on from each change of it, and no instant that is warmer than its hour's highest.

    The highest is that of the instants at which the phone looks; between two of them the body may have been a tenth of a
    degree warmer."""
    seconds = collections.Counter()
    for row, after in zip(run.battery, [each.t_s for each in run.battery[1:]] + [run.end]):
        if row.screen_on:
            for hour, part in by_hour(row.t_s, after):
                seconds[hour] += part
    hours = {int(row.hour): row for row in run.device_hours}
    for row in run.battery:
        if hour_of(row.t_s) in hours:
            highest = hours[hour_of(row.t_s)].battery_max_c
            report.equal("device_hours.csv", where + (row.t_s, "at most battery_max_c"),
                         row.battery_c <= highest + 0.2, True)
    for hour, row in hours.items():
        if run.battery:
            report.close("device_hours.csv", where + (f"hour {hour}", "screen_s"), row.screen_s, seconds[hour],
                         absolute=1e-6)


def check_traffic(run, report, where):
    """Apps together move no more than the phone; the rest is the system's. An app moves what its requests move, at least."""
    moved, sent = collections.Counter(), collections.Counter()
    for row in run.requests:
        for column in ("wifi_bytes", "cellular_bytes"):
            moved[row.app, column] += getattr(row, column) or 0
        if row.kind == "silent-push":
            sent[row.app, day_of(row.submitted_s)] += 1
    for row in run.app_days:
        report.equal("app_days.csv", where + (row.app, f"day {int(row.day)}", "silent_pushes_sent at least those of rows"),
                     row.silent_pushes_sent >= sent[row.app, int(row.day)], True)
    for (app, column), size in moved.items():
        total = sum(getattr(row, column) for row in run.app_days if row.app == app)
        report.equal("app_days.csv", where + (app, column, "at least that of its requests"), total >= size, True)
    for column in ("wifi_bytes", "cellular_bytes", "heartbeats"):
        apps, phone = sum(getattr(row, column) for row in run.app_days), sum(
            getattr(row, column) for row in run.device_hours)
        report.equal("app_days.csv", where + (column, "at most the phone's"), apps <= phone, True)


def check_starts(run, report, where):
    """What a row of `requests` says of the phone at the start agrees with hours that were wholly one or the other."""
    hours = {int(row.hour): row for row in run.device_hours}
    for row in run.requests:
        if row.started_s is None:
            report.equal("requests.csv", where + (row.kind, row.ended_s, "low_power"), row.low_power, 0)
            continue
        spot = where + (row.kind, row.app, row.started_s)
        hour = hours[hour_of(row.started_s)]
        for column, found, part in (("low_power", row.low_power == 1, hour.low_power_s),
                                    ("plugged_in", row.plugged_in == 1, hour.plugged_s),
                                    ("idle_s", row.idle_s is not None, hour.locked_s)):
            if part in (0, HOUR):
                report.equal("requests.csv", spot + (column,), found, part == HOUR)
        report.close("requests.csv", spot + ("lateness_s",), row.lateness_s, row.started_s - row.earliest_begin_s)
        report.close("requests.csv", spot + ("used_s",), row.used_s, row.ended_s - row.started_s)
