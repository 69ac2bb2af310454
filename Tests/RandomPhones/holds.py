# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds of the results of any phone: metrics within their ranges, tables as described, memory that adds up."""

import csv
import datetime
import gzip
import json
import math
import re

import judgement
import reference
import tables

# The column of a table by which its rows are in order, and those that name a row.
TIMES = {"device_hours": "hour", "app_days": "day", "app_hours": "hour", "events": "t_s", "callbacks": "t_s",
         "radio": "t_s", "requests": "ended_s", "decisions": "t_s", "battery": "t_s", "disk": "t_s"}
NAMES = {"device_hours": ("hour",), "app_days": ("day", "app"), "app_hours": ("hour", "app"), "predictions": ("from",)}
MEMORY_PARTS = ("compressor_mib", "wired_mib", "screen_mib", "background_mib", "suspended_mib", "system_mib",
                "cached_mib")
# Where the program states no range of a metric: by its unit; counts, times and energies are never negative.
RANGES = {"1": (0, 1), "%": (0, 100), "h/d": (0, 24), "degC": (-60, 150)}
# What is promised beyond that; a range is met within 1e-9.
RANGE_OF = {"energy_imbalance": (0, 0)}

# Of any phone, rows do not tell these; `ReferenceTests` hold them on phones of which they do.
NOT_TOLD = {
    "since_refresh_s_mean": "an app whose first request is still pending has no row",
    "alarm_wakeups_per_day": "a row does not say whether an alarm wakes the phone",
    "push": "a push whose work goes on when the run ends has no row yet",
    "event_launches": "an app that dies at its launch is launched twice in one instant, for two reasons",
    "reclaimed_windows": "a window of an app without scenes ends without a call",
    "idle_s": "a phone that dies at the instant of an unlock was locked for the whole hour, and not at the start",
    "plugged_in": "of a start on the hour, at which the charger comes or goes",
    "restored_share": "a swipe may come in the instant at which the system takes the caches of the app",
    "hours_below_": "while the phone restarts on a charger no row says how its level rises",
    "hours_above_": "while the phone restarts on a charger no row says how its level rises",
    "charge_min_to_": "while the phone restarts on a charger no row says how its level rises",
    "policy_decided_kill_share": "with `ranks: apps` the system chooses which daemon dies",
}


class Wrong(Exception):
    """What does not hold: a kind by which cases are counted, and the particulars."""

    def __init__(self, kind, text=""):
        super().__init__(f"{kind}: {text}" if text else kind)
        self.kind = kind


def opened(results, name):
    path = results / f"{name}.csv"
    return open(path, newline="") if path.exists() else gzip.open(f"{path}.gz", "rt", newline="")


def read_rows(results, name):
    with opened(results, name) as file:
        return list(csv.DictReader(file))


def check_field(text, kind, column, spot):
    if kind == "string" or text == "":
        return
    try:
        if kind == "datetime":
            good = datetime.datetime.fromisoformat(text).isoformat() == text
        else:
            good = math.isfinite(float(text)) and (kind != "integer" or str(int(text)) == text)
    except ValueError:
        good = False
    if not good:
        raise Wrong(f"a field of {column}", f"{spot}: {text} is no {kind}")


def ranges(metrics):
    """The range of each metric: what the program states, or else that of its unit."""
    found = {}
    for item in metrics:
        low, high = item.get("range") or RANGES.get(item["unit"], (0, None))  # null stands for no end
        least, most = RANGE_OF.get(item["name"], (-math.inf, math.inf))
        low, high = -math.inf if low is None else low, math.inf if high is None else high
        found[item["name"]] = (max(low, least), min(high, most))
    return found


def check(experiment, results, catalogue):
    check_metrics(results, ranges(catalogue.metrics))
    check_memory(check_tables(experiment, results, catalogue.tables)["device_hours"])
    if tables.uncounted(experiment) % tables.DAY == 0:  # the reader sums whole days
        check_rows(results, {item["name"]: item["better"] for item in catalogue.metrics})


def check_rows(results, directions):
    """Every metric follows from the rows, and the rows of one table agree with those of another."""
    report, read = reference.Report(), tables.Results(str(results))
    reference.check_runs(read, report, set())
    reference.check_columns(read, directions, report)
    if "people" not in read.plan:  # of a person or two the reader knows no groups
        judgement.check(read, directions, report)
    lines = [line for line in report.lines if not any(name in line for name in NOT_TOLD)]
    if lines:
        spot = lines[0].partition(": found")[0]
        words = re.sub(r"\([^()]*(\[[^]]*\])?[^()]*\)|run #?|[0-9][0-9.e+-]*", "", spot)
        raise Wrong(f"rows disagree, {words}", f"{len(lines)} such lines; " + " | ".join(lines[:3]))


def check_metrics(results, ranges):
    for row in read_rows(results, "runs"):
        for name, (low, high) in ranges.items():
            text = row.get(name, "")
            if text and not low - 1e-9 <= float(text) <= high + 1e-9:  # also not a number
                raise Wrong(f"range of {name}", f"{text} of {row['policy']}, not within {low} to {high}")
        for metric in ("relaunches_per_day", "launch_wait_s_per_day"):
            least, found = float(row["least_" + metric] or 0), float(row[metric] or 0)
            if least > found * (1 + 1e-9):
                raise Wrong(f"less than the bound of {metric}", f"{found} of {row['policy']}, at least {least}")

def check_tables(experiment, results, names):
    """Every field is of its column's type, rows are in order, none is there twice."""
    package = json.loads((results / "datapackage.json").read_text())
    described = {each["name"].replace("-", "_"): {field["name"]: field["type"] for field in each["schema"]["fields"]}
                 for each in package["resources"]}
    end = tables.seconds(experiment["duration"])
    found = {}
    for name in ("runs", "summary", "comparisons", *names):
        found[name] = rows = read_rows(results, name)
        types, time = described[name], TIMES.get(name)
        before, seen = (), set()
        for line, row in enumerate(rows, 2):
            spot = f"{name}.csv, line {line}"
            if None in row or None in row.values() or list(row) != list(types):
                raise Wrong(f"columns of {name}", spot)
            for column, kind in types.items():
                check_field(row[column], kind, f"{name}.{column}", spot)
            if time:
                now = (int(row["run"]), float(row[time]))
                if now < before:
                    raise Wrong(f"order of {name}", f"{spot}: {now} after {before}")
                before = now
                if time.endswith("_s") and not 0 <= now[1] <= end:
                    raise Wrong(f"times of {name}", f"{spot}: {now[1]}")
            key = tuple(row[column] for column in ("run", *NAMES[name])) if name in NAMES else None
            if key and key in seen:
                raise Wrong(f"a row twice in {name}", f"{spot}: {key}")
            seen.add(key)
    return found

def check_memory(hours):
    """The parts of the memory are the RAM, and without evictions as much more as the phone grew."""
    sums = {True: [], False: []}
    for row in hours:
        parts = {column: float(row[column]) for column in MEMORY_PARTS}
        least = min(parts, key=parts.get)
        if parts[least] < -1e-6:
            raise Wrong(f"memory below zero, {least}", f"{parts[least]} MiB in hour {row['hour']} of {row['policy']}")
        sums["unbounded" in row["policy"]].append(sum(parts.values()))
    bounded, grown = sums[False], sums[True]
    if max(bounded) - min(bounded) > 1e-6 or grown and min(grown) < min(bounded) - 1e-6:
        raise Wrong("memory does not add up", f"{min(bounded)} to {max(bounded)} MiB, grown {min(grown, default=0)}")
