# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/evidence/deaths.md from finished runs, for `make deaths`: `deaths BY_SYSTEM LIVES ASSUMPTIONS PAGE`."""

import collections
import csv
import math
import os
import sys

from ..writing import CannotWrite, write_whole

# 97.5 % quantiles of Student's t (Abramowitz and Stegun, table 26.10) by degrees of freedom.
T975 = {4: 2.776, 9: 2.262, 19: 2.093}

HEAD = """# Deaths: recorded and simulated

This page compares recorded kills with simulated kills on an ordinary phone. `make deaths` runs the experiments and
writes the page. Figures are means over replications with 95 % confidence intervals. Each run is five days of the
average user after one day of warm-up.

"""

RECORDED = """## Recorded figures

| Fact | Recorded | Source |
|---|---|---|
| kills of daemons above their high-water mark, a day | 3 in one log of one day: 0.6 to 8.8 | a daily log of iOS 13.2.2 |
| kills of daemons at their own limit, a day | 5 in that log: 1.6 to 11.7 | as above |
| kills for other reasons in that log | 0 of 8; idle exits are not logged | as above |
| compressor's pool, share of RAM | 7 to 37 % | JetsamEvent reports (F. Memon, "iOS Crash Dump Analysis", and others) |
| available at kills, share of RAM | 5.0 to 14.9 % | as above |
| ends of processes for any reason, an hour, from their identifiers and ages | 50 and 615 | reports of an iPhone 11 \
(43 h) and an iPhone 6 (37 h), the same |
| suspended processes, and their footprints in MiB: 10th percentile, median, 90th percentile | 80: 4.1, 12.8, 86.6 | \
a report of an iPhone 11 (4 GB), the same |
| of these, apps that a user opens | 19: 22, 61, 172 | that report, by name |
| the other 61: 26 processes for web content and its network, widgets, extensions, system views | 3.7, 10.6, 19.6 \
| the same |
| memory warnings to an app that runs all the time, a day, 4 GB | 12 in about five days: 1.2 to 4.2 | github iAPS#2017 |

Few phones were recorded. The range of a count contains the Poisson means that fit the count at 95 %. No record shows
how many idle daemons a phone ends in a day.

Most of the 80 suspended processes are not apps. The count and sizes of those others come from the report
(`daemons.services`). The number of apps, and how many processes stay alive, do not. `validation/deaths` checks both
(D04 to D08): 76 processes are suspended, 28 of them apps, with 4.9, 15.5 and 81 MiB. The median is 1 % beyond its band.
28 apps are more than the 19 of the report, but within the range that one phone allows.

"""

WARNINGS = """## Why an app receives so few warnings

One app recorded 1.2 to 4.2 warnings a day. In `validation/deaths`, an accessory wakes such an app every five minutes
for about a second. At 4 GiB, over five days of six replications:

| system | the phone announces pressure, 1/d | above normal, min/d | received by the app, 1/d |
|---|---|---|---|
| ios-13 | 7.7 | 29 | 0.1 |
| ios-17 | 8.0 | 31 | 0.03 |
| ios-18.5 | 0.7 | 0.4 | 0 |

- Announcements more than two minutes apart count as separate. Under `ios-13` and `ios-17` the phone announces pressure
  more often than the recorded app received it. The kernel notifies only processes that are not suspended
  (`memorystatus_bg_pressure_eligible`, `kern_memorystatus_notify.c`). The model looks for processes that resume later
  every 25 s, more often than the kernel. The kernel's thread wakes again when the level changes or has lasted 30 min
  (`vm_pressure_response`, `vm_pageout.c`). The record does not say how long the app executed or whether it was on
screen. - The level rises late. Warning begins when pages outside the compressor are less than half of the pages that
  are not wired (`vm_compressor_xnu.h`). The report of an iPhone 11 gives 8 % reserved, 18.8 % wired and a ratio of
  2.66. With these, that share is 0.497 when the compressor is 98 % full. A process is then killed, so warning and kill
  come together, and the kill ends the shortage. A phone with more wired memory, or with memory that compresses worse,
  is warned earlier: `experiments/compression-by-class.yaml` varies the ratio.
- Under `ios-18.5` the reaper ends idle processes before the compressor fills. The compressor's pool is half of that of
  `ios-17`, so there is hardly any pressure to announce. The record does not name the system of the phone.

"""


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text else math.nan


def interval(values):
    """Mean and half-width at 95 %; no width for one value."""
    values = [value for value in values if not math.isnan(value)]
    if not values:
        return "–"
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return figure(mean)
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    half = T975[len(values) - 1] * math.sqrt(variance / len(values))
    return f"{figure(mean)} ± {figure(half)}" if half > 0 else figure(mean)


def figure(value):
    """Three digits, without an exponent."""
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(digits, 4)}f}"


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def groups(rows, axes, policy):
    found = collections.OrderedDict()
    for row in rows:
        if row["policy"].split("+")[0] == policy:
            found.setdefault(tuple(row[axis] for axis in axes), []).append(row)
    return found


OS, RAM = "device.os", "device.memory.ram"

MEASURES = [
    ("kills_per_day", "apps killed, 1/d"), ("system_kills_per_day", "daemons and extensions killed, 1/d"),
    ("resident_apps_mean", "apps alive"), ("memory_warnings_per_day", "memory warnings to apps, 1/d"),
    ("pressure_warning_share", "time above normal pressure, share"),
    ("resumes_per_day", "resumes, 1/d"), ("warm_launches_per_day", "warm launches, 1/d"),
    ("cold_launches_per_day", "cold launches, 1/d"), ("thawed_open_share", "opens of frozen apps, share"),
    ("flash_written_mib_per_day", "written to flash, MiB/d"),
    ("policy_decided_kill_share", "kills that a policy decided, share"),
]


SUSPENDED = [
    ("suspended_apps", "suspended apps"), ("suspended_processes", "suspended apps, extensions and services"),
    ("suspended_tenth_mib", "their footprint, MiB: 10th percentile"), ("suspended_median_mib", "median"),
    ("suspended_ninetieth_mib", "90th percentile"),
]


def hourly(hours, column):
    """The mean of a column over hours, less those in which it is empty."""
    values = [number(hour[column]) for hour in hours if hour[column]]
    return math.fsum(values) / len(values) if values else math.nan


def by_system(folder):
    rows = read(os.path.join(folder, "runs.csv"))
    hours = collections.defaultdict(list)
    for row in read(os.path.join(folder, "device_hours.csv")):
        if int(row["hour"]) >= 24:
            hours[row["run"]].append(row)
    reasons = [name for name in rows[0] if name.startswith("kills_") and name != "kills_per_day"]
    text = "## Kills a day by reason, all processes, under `jetsam`\n\n"
    found = groups(rows, (OS, RAM), "jetsam")
    systems = list(dict.fromkeys(key[0] for key in found))
    for system in systems:
        points = {key[1]: value for key, value in found.items() if key[0] == system}
        text += f"### {system}\n\n"
        lines = []
        for reason in reasons:
            if any(number(row[reason]) for value in points.values() for row in value):
                name = reason.removeprefix("kills_").removesuffix("_per_day").replace("_", "-")
                lines.append([f"`{name}`"] + [interval([number(row[reason]) for row in v]) for v in points.values()])
        text += table(["reason"] + list(points), lines) + "\n"
        lines = []
        for metric, title in MEASURES:
            lines.append([title] + [interval([number(row[metric]) for row in v]) for v in points.values()])
        for column, title in (("compressor_mib", "compressor's pool, share of RAM"),
                              ("available_min_mib", "least available of an hour, share of RAM")):
            cells = []
            for ram, value in points.items():
                size = float(ram.split()[0]) * 1024
                cells.append(interval([
                    math.fsum(number(hour[column]) for hour in hours[row["run"]]) / len(hours[row["run"]]) / size
                    for row in value]))
            lines.append([title] + cells)
        for column, title in SUSPENDED:
            lines.append([title] + [interval([hourly(hours[row["run"]], column) for row in v]) for v in points.values()])
        text += table(["measure"] + list(points), lines) + "\n" + exits(points) + SHOWN
    return text


def exits(points):
    """How processes of apps end, by the categories of MetricKit; nothing where the runs do not count them."""
    first = next(iter(points.values()))[0]
    lines = []
    for column in (name for name in first if name.startswith("exits_")):
        if any(number(row[column]) for value in points.values() for row in value):
            where, _, category = column.removeprefix("exits_").removesuffix("_per_day").partition("_")
            name = category.replace("_", " ") + (", on screen" if where == "fg" else ", in the background")
            lines.append([name] + [interval([number(row[column]) for row in v]) for v in points.values()])
    return table(["ends of apps, 1/d"] + list(points), lines) if lines else ""


def quantiles(values):
    """A tenth below, the median, a tenth above: the value at each share of the sorted ones."""
    values = sorted(values)
    if not values:
        return "–"
    return ", ".join(figure(values[min(len(values) - 1, int(share * len(values)))]) for share in (0.1, 0.5, 0.9))


DAY, NOON, SYSTEM = 86400.0, 43200.0, ("daemon", "agent", "core", "extension", "service")


class Lives:
    """The apps of one run, followed by its events: how large they are and how long they last once they were left."""

    def __init__(self, events):
        self.sizes = collections.defaultdict(list)
        self.ages = []
        self.oldest = []
        self.apps = {}
        self.left = {}
        noon = DAY + NOON
        for row in events:
            time = number(row["t_s"])
            while time >= noon:
                self.look(noon)
                noon += DAY
            self.follow(row, time)

    def look(self, noon):
        """What waits at noon, and since when the app waits that was left first."""
        self.sizes["suspended, at noon"] += [size for state, size in self.apps.values() if state == "suspended"]
        waiting = [self.left[app] for app, (state, _) in self.apps.items() if state == "suspended" and app in self.left]
        if waiting:
            self.oldest.append((noon - min(waiting)) / 3600)

    def follow(self, row, time):
        app, size = row["app"], number(row["footprint_mib"])
        if app.split("-")[0] in SYSTEM:
            if row["event"] == "exit" and row["reason"]:
                self.sizes["daemons and extensions, when killed"].append(size)
            return
        if row["event"] == "enterBackground":
            self.sizes["on screen, when left"].append(size)
            self.left[app] = time
        if row["event"] == "exit":
            if row["reason"]:
                self.sizes["apps, when killed"].append(size)
                if app in self.left:
                    self.ages.append((time - self.left[app]) / 3600)
            self.apps.pop(app, None)
            self.left.pop(app, None)
        else:
            self.apps[app] = (row["to_state"], size)


STATES = ["on screen, when left", "suspended, at noon", "apps, when killed", "daemons and extensions, when killed"]


def lives(folder):
    runs = collections.OrderedDict()
    for row in read(os.path.join(folder, "events.csv")):
        runs.setdefault((row[OS], row["run"]), []).append(row)
    followed = collections.OrderedDict()
    for (system, _), events in runs.items():
        followed.setdefault(system, []).append(Lives(events))
    text = "## Footprints, and how long apps survive after a visit\n\n"
    text += "At 4 GiB under `jetsam`, the first five replications. Three numbers are 10th percentile, median and 90th\n"
    text += "percentile; sizes in MiB, times in hours since an app was last on screen.\n\n"
    lines = []
    for state in STATES:
        lines.append(["footprint: " + state] + [
            quantiles([size for life in value for size in life.sizes[state]]) for value in followed.values()])
    lines.append(["time from the screen to the kill"] + [
        quantiles([age for life in value for age in life.ages]) for value in followed.values()])
    lines.append(["the longest in a run"] + [
        interval([max(life.ages) for life in value if life.ages]) for value in followed.values()])
    lines.append(["the live app with the oldest visit, at noon"] + [
        quantiles([age for life in value for age in life.oldest]) for value in followed.values()])
    return text + table(["measure"] + list(followed), lines) + SHOWN


def ranking(folder):
    rows = read(os.path.join(folder, "runs.csv"))
    axes = [name for name in rows[0] if name.startswith("device.")]
    policies = list(dict.fromkeys(row["policy"].split("+")[0] for row in rows))
    text = "## What changes the ranking of eviction policies\n\n"
    text += "Relaunches a day at 4 GiB under `ios-17`, over all values of the other two assumptions.\n\n"
    lines, winners = [], collections.Counter()
    means = {}
    for policy in policies:
        for key, value in groups(rows, axes, policy).items():
            means[key, policy] = math.fsum(number(row["relaunches_per_day"]) for row in value) / len(value)
    keys = list(dict.fromkeys(key for key, _ in means))
    for key in keys:
        winners[min(policies, key=lambda policy: means[key, policy])] += 1
    for position, axis in enumerate(axes):
        for setting in dict.fromkeys(key[position] for key in keys):
            chosen = [key for key in keys if key[position] == setting]
            best = collections.Counter(min(policies, key=lambda policy: means[key, policy]) for key in chosen)
            cells = [figure(math.fsum(means[key, policy] for key in chosen) / len(chosen)) for policy in policies]
            lines.append([f"`{axis}`", setting] + cells + [", ".join(f"{name} {n}" for name, n in best.most_common())])
    text += table(["assumption", "value"] + policies + ["fewest relaunches, of 9 points"], lines) + "\n"
    text += "Fewest relaunches, over " + str(len(keys)) + " points: "
    return text + ", ".join(f"{name} ({count})" for name, count in winners.most_common()) + ".\n"


SHOWN = ("\n<!-- shown by: flotsam run experiments/deaths.yaml; flotsam run experiments/deaths-assumptions.yaml; "
         "source -->\n\n")
SHOWN_WARNINGS = "<!-- shown by: flotsam run experiments/validation/deaths.yaml; source -->\n"


def write(systems, events, assumptions, page):
    text = HEAD + SHOWN + RECORDED + SHOWN + by_system(systems) + lives(events)
    write_whole(page, text + ranking(assumptions) + SHOWN + WARNINGS + SHOWN_WARNINGS)


def main(words):
    """Writes what the words name; returns the exit code."""
    try:
        write(*words)
    except CannotWrite as problem:
        print(f"error: {problem}", file=sys.stderr)
        return problem.code
    return 0
