# SPDX-License-Identifier: GPL-3.0-or-later
"""What several metrics are made of: opens, gaps, quantiles, states over time, power of radios."""

import bisect
import collections
import math

from tables import DAY, HOUR, once

VISIBLE = ("inactive", "active")
FOREGROUND_CAUSES = ("foreground", "relaunch")


def share(part, whole):
    """No value for a share of nothing."""
    return None if whole == 0 else part / whole


def mean(values):
    return share(sum(values), len(values))


def quantile(fraction, values):
    """The smallest of the values that so large a share of them does not exceed; below 1 ms is zero."""
    if not values:
        return None
    value = sorted(values)[max(1, math.ceil(fraction * len(values) - 1e-12)) - 1]
    return value if value >= 1e-3 else 0.0


def of(rows, app):
    return rows if app is None else [row for row in rows if row.app == app]


class Open:
    """An open by the user: its row, and what came before it."""

    def __init__(self, row, is_reopening, killed, is_relaunch_of_visited, was_lost, alert):
        self.row, self.app, self.time = row, row.app, row.t_s
        self.is_resume = row.launch_kind == "resume"
        # The app died before the user's eyes and is opened again at once, within the same visit.
        self.is_reopening = is_reopening
        # When jetsam killed it since its last open, and when its newest alert was shown since then; None if it was not.
        self.killed, self.alert = killed, alert
        self.is_relaunch_of_visited, self.was_lost = is_relaunch_of_visited, was_lost


def deaths_of_phone(run):
    """The instants at which the battery died."""
    dead = [False] + [row.dead == 1 for row in run.battery]
    return [row.t_s for row, was, now in zip(run.battery, dead, dead[1:]) if now and not was]


def restarts(run, *causes):
    """The instants at which the phone was switched off to be on again later, for any of some causes."""
    off = [False] + [row.restarting == 1 for row in run.battery]
    return [row.t_s for row, was, now in zip(run.battery, off, off[1:])
            if now and not was and (not causes or row.restarted_by in causes)]


@once
def opens(run):
    """All opens of a run, in order."""
    ends = set(deaths_of_phone(run)) | set(restarts(run))
    found = []
    killed, alert, last_end, visited, lost = {}, {}, {}, set(), set()
    # The system ends a suspended process to take its caches, to update its app or to remove it: nothing is lost.
    in_order = {(row.t_s, row.app) for row in run.disk if row.event in ("purgeCaches", "update", "offload")}
    in_order |= {(row.t_s, row.app) for row in run.app_events if row.event == "updated"}
    for row in run.app_events:
        app = row.app
        if row.event in ("alert", "localAlert"):
            alert[app] = row.t_s
        elif row.event == "exit":
            if row.reason:
                killed[app] = row.t_s
            last_end[app] = (row.t_s, row.from_state in VISIBLE)
            is_force_quit = row.exit == "normal" and row.t_s not in ends and (row.t_s, app) not in in_order
            if row.lost_work_s > 0 or is_force_quit:
                lost.add(app)
        elif row.event == "launch" and row.to_state == "inactive":
            # One launched in the background in that instant may have died once more before.
            is_reopening = last_end.get(app) == (row.t_s, True) or row.opened_by == "restart"
            found.append(Open(
                row, is_reopening, None if is_reopening else killed.pop(app, None),
                row.launch_kind != "resume" and app in visited, app in lost,
                None if is_reopening else alert.pop(app, None)))
            visited.add(app)
            lost.discard(app)
    return found


def alive_over_time(run):
    """Changes of the number of apps with a process, as (time, number)."""
    alive, changes = set(), [(0.0, 0)]
    for row in run.app_events:
        if row.event == "exit":
            alive.discard(row.app)
        elif row.event == "launch" or row.event == "prewarm" and row.to_state == "prewarmed":
            alive.add(row.app)
        if changes[-1][1] != len(alive):
            changes.append((row.t_s, len(alive)))
    return changes


def integral(changes, begin, end):
    """Value-seconds of a step function, given as (time, value) from zero on, between two instants."""
    total = 0.0
    for (time, value), (after, _) in zip(changes, changes[1:] + [(end, 0)]):
        total += value * max(0.0, min(after, end) - max(time, begin))
    return total


def successes(run):
    """Times of the refreshes that succeeded, by app."""
    times = collections.defaultdict(list)
    for row in run.requests:
        if row.kind == "refresh" and row.outcome == "success":
            times[row.app].append(row.ended_s)
    return times


def last_before(times, time):
    """The last of sorted times that is not after an instant; None when there is none."""
    index = bisect.bisect_right(times, time)
    return times[index - 1] if index else None


def gaps(run, app=None):
    """(app, from, to) between successive refreshes of an app, of those that begin after the warm-up."""
    return [(name, first, second)
            for name, times in successes(run).items() if app in (None, name)
            for first, second in zip(times, times[1:]) if first > run.warmup]


def nights(run, app=None):
    """The longest gap between refreshes by app and night: gaps shorter than a day whose middle is from 21:00 to 6:00,
    of apps that were on screen later than a day before the gap began."""
    seen = collections.defaultdict(list)
    for row in run.app_events:
        if row.event in ("becomeActive", "resignActive", "enterBackground"):
            seen[row.app].append(row.t_s)
        elif row.event == "launch" and row.to_state == "inactive":
            seen[row.app].append(row.t_s)
    longest = collections.defaultdict(float)
    for name, first, second in gaps(run, app):
        on_screen = last_before(seen[name], second) or 0.0
        middle = (first + second) / 2 + 3 * HOUR
        if second - first < DAY and first - on_screen < DAY and middle % DAY < 9 * HOUR:
            night = (name, middle // DAY)
            longest[night] = max(longest[night], second - first)
    return longest


def wasted_refreshes(run, app=None):
    """Times of refreshes that were wasted: they brought nothing new, or what they brought was unseen when the next
    refresh, or a silent push of an app that is not on screen, fetched."""
    steps = []
    opened = {(each.app, each.time) for each in opens(run)}
    for each in opens(run):
        if not each.is_reopening:
            steps.append((each.time, each.app, "seen"))
    for row in run.requests:
        if row.outcome != "success":
            continue
        if row.kind == "refresh":
            steps.append((row.ended_s, row.app, "new" if row.found_new else "old"))
        # A push that an open cut short has fetched nothing.
        elif row.kind == "silent-push" and row.network != "none" and (row.app, row.ended_s) not in opened:
            steps.append((row.ended_s, row.app, "push"))
    unseen, wasted, visible = {}, [], Visible(run)
    for time, name, step in sorted(steps):
        if step == "seen":
            unseen.pop(name, None)
        elif step == "push":
            if name in unseen and not visible.at(name, time):
                wasted.append((unseen.pop(name), name))
        else:
            if name in unseen:
                wasted.append((unseen.pop(name), name))
            if step == "old":
                wasted.append((time, name))
            else:
                unseen[name] = time
    return [time for time, name in wasted if app in (None, name)]


class Visible:
    """When each app was on screen."""

    def __init__(self, run):
        self.times, self.states = collections.defaultdict(list), collections.defaultdict(list)
        for row in run.app_events:
            if row.from_state != row.to_state:
                self.times[row.app].append(row.t_s)
                self.states[row.app].append(row.to_state in VISIBLE)

    def at(self, app, time):
        index = bisect.bisect_right(self.times[app], time)
        return index > 0 and self.states[app][index - 1]


def event_launches(run, app=None):
    """How many launches and resumes in the background no refresh or processing task caused.

    Each start of a task has a row of its own, also in an app that executes already."""
    starts = {(row.t_s, row.app) for row in run.decisions if row.proceed == 1}
    starts |= {(row.started_s, row.app) for row in run.requests if row.kind in ("refresh", "processing")}
    rows = collections.Counter((row.t_s, row.app) for row in run.late(of(run.app_events, app))
                               if row.event == "launch" and row.to_state == "background")
    return sum(number - (key in starts) for key, number in rows.items())


@once
def radio_spans(run):
    """(row, end, cause of the last traffic) for each time that a radio spends in a state."""
    spans = []
    for radio in ("wifi", "cellular"):
        rows = [row for row in run.radio if row.radio == radio]
        traffic = "idle"
        for row, after in zip(rows, [each.t_s for each in rows[1:]] + [run.end]):
            if row.state in ("promotion", "active"):
                traffic = row.cause
            spans.append((row, after, traffic))
    return spans


def network_energy(run, in_background):
    """Joules of both radios but for their standby, switches to 5G included; in the background without what the app on
    screen and the user's launches used, and without the tails that follow that."""
    return sum(row.power_w * max(0.0, after - max(row.t_s, run.warmup)) + row.energy_j * (row.t_s >= run.warmup)
               for row, after, traffic in radio_spans(run)
               if row.cause != "idle" and not (
                   in_background and (traffic if row.cause == "tail" else row.cause) in FOREGROUND_CAUSES))


def foreground_tails(run):
    """Joules of tails that follow traffic of the app on screen, by hour."""
    joules = collections.Counter()
    for row, after, traffic in radio_spans(run):
        if row.cause != "tail" or traffic not in FOREGROUND_CAUSES:
            continue
        begin = row.t_s
        while begin < after:
            end = min(after, (begin // HOUR + 1) * HOUR)
            joules[int(begin // HOUR)] += row.power_w * (end - begin)
            begin = end
    return joules


def alive_seconds(run):
    """Time with the phone on."""
    return run.seconds - integral([(row.t_s, row.dead) for row in run.battery], run.warmup, run.end)


def level_bounds(run, is_below, percent):
    """Least and most hours that the level can have been below, or above, a whole per cent.

    A level is shown from the instant at which it is passed, downwards or upwards. While this one is shown and the
    battery goes on as it came, it is beyond it on that side; after a turn no row says when it passes back. Charging
    holds at whole per cents."""
    least, most, shown, rises, turned = [], [], None, False, False
    for row in run.battery:
        if row.battery_pct != shown:
            rises, turned, shown = shown is not None and row.battery_pct > shown, False, row.battery_pct
        turned = turned or (row.charge_w <= 0) == rises
        beyond = shown < percent if is_below else shown > percent
        at = shown == percent and not (row.plugged_in and row.charge_w == 0)
        came = rises != is_below
        least.append((row.t_s, 1 if beyond or at and came and not turned else 0))
        most.append((row.t_s, 1 if beyond or at and (came or turned) else 0))
    low, high = (integral(changes, run.warmup, run.end) / HOUR / run.days for changes in (least, most))
    # Within a millionth of the level counts as at it: 45 mJ, which a phone asleep at 30 mW draws in 1.5 s.
    near = 1.5 / HOUR
    return max(low - near, 0), high + near


class Charge:
    """A time on the charger."""

    def __init__(self, row, falls):
        self.begin, self.end, self.end_level = row.t_s, None, None
        self.began_empty = row.battery_pct < 5 or row.battery_pct == 5 and falls
        self.half, self.full = None, None


def charges(run):
    """All times on the charger that ended or reached a level, in order."""
    found, now, level, falls = [], None, None, False
    for row in run.battery:
        if level is not None and row.battery_pct != level:
            falls = row.battery_pct < level
        level = row.battery_pct
        if row.plugged_in and now is None:
            now = Charge(row, falls)
            found.append(now)
        if now is None:
            continue
        if now.half is None and level >= 50:
            now.half = row.t_s
        if now.full is None and level == 100:
            now.full = row.t_s
        if not row.plugged_in:
            now.end, now.end_level = row.t_s, level
            now = None
    return found
