# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the tables of a folder of results: settings, and the rows of each run."""

import collections
import csv
import gzip
import json
import functools
import keyword
import operator
import os
import re

DAY, HOUR = 86400.0, 3600.0
UNITS = {"s": 1.0, "min": 60.0, "h": HOUR, "d": DAY}
# Columns that hold words; every other field is a number, or None when it is empty.
WORDS = {
    "policy", "eviction", "scheduling", "status", "workload_fingerprint", "fingerprint", "token", "model_version", "date",
    "app", "event", "from_state", "to_state", "launch_kind", "opened_by", "restarted_by", "exit", "reason", "runner_up", "kind", "outcome", "error",
    "network", "callback", "receiver", "state", "radio", "cause", "rule", "final_decision", "responses", "metric",
    "baseline", "verdict", "trait", "group", "table", "column", "unit", "meaning", "better", "axis", "axis_unit",
    "direction", "winner", "flips_along", "measure", "eliminated_by",
}
LEADING = ("run", "policy", "replication")


def seconds(text):
    """A time as experiment files spell it, '36 h', in seconds."""
    number, unit = text.split()
    return float(number) * UNITS[unit]


def opened(path):
    return open(path, newline="") if os.path.exists(path) else gzip.open(path + ".gz", "rt", newline="")


def text(field):
    """A text without the apostrophe that keeps spreadsheets from taking it for a formula."""
    return field[1:] if re.match("'+[=+@\t\r-]", field) else field


def numbers(fields):
    """The fields of a column as numbers, None where they are empty."""
    try:
        return list(map(float, fields))
    except ValueError:
        return [float(field) if field else None for field in fields]


def read(path, words=frozenset()):
    """The header of a table, and its rows as named tuples; a column at a time, as there are millions of fields."""
    with opened(path) as file:
        header, *lines = csv.reader(file)
    names = [name + "_" if keyword.iskeyword(name) else name for name in header]
    Row = collections.namedtuple("Row", names, rename=True)
    columns = [list(map(text, fields)) if name in WORDS or name in words else numbers(fields)
               for name, fields in zip(header, zip(*lines, strict=True))]
    return header, list(map(Row._make, zip(*columns)))


def uncounted(experiment):
    """Seconds at the beginning that no metric counts: the warm-up, or the past that all policies have in common."""
    return max(seconds(experiment[key]) for key in ("warmup", "policies_from") if key in experiment)


class Results:
    """A folder of results: what was planned, and the tables of each run."""

    tables = ("device_hours", "app_days", "events", "requests", "decisions", "callbacks", "app_hours", "radio",
              "battery", "predictions", "disk")

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "manifest.json")) as file:
            manifest = json.load(file)
        self.plan = manifest["plan"]
        self.experiment = json.loads(manifest["experiment"]["resolved"])["experiment"]
        self.warmup = uncounted(self.experiment)
        self.end = seconds(self.experiment["duration"])
        self.axes = set(self.plan["axes"])
        self.header, self.runs = self.table("runs")
        _, columns = self.table("columns")
        units = {row.column: row.unit for row in columns if row.table == "runs"}
        # Words have no unit, and plain numbers the unit 1.
        self.axis_units = {axis: None if units[axis] == "" else units[axis].replace("1", "") for axis in self.axes}
        self.rows = {}
        for name in self.tables:
            header, rows = self.table(name)
            self.rows[name] = collections.defaultdict(list)
            for row in rows:
                self.rows[name][int(row.run)].append(row)

    def table(self, name):
        words = self.axes | {"baseline_" + axis for axis in self.axes}
        return read(os.path.join(self.folder, name + ".csv"), words)

    def columns(self, name):
        """The names of the columns of a table."""
        with opened(os.path.join(self.folder, name + ".csv")) as file:
            return next(csv.reader(file))

    @property
    def metric_columns(self):
        """Names and positions of the columns of `runs.csv` that hold metrics."""
        first = self.header.index("model_version") + 1
        return [(name, position) for position, name in enumerate(self.header) if position >= first]

    def written(self, axis):
        """The fields of an axis by its values as the experiment has them."""
        position = self.plan["axes"].index(axis)
        points, policies = self.plan["points"], len(self.plan["policies"])
        return {points[int(row.run) // policies % len(points)]["values"][position]: row[self.header.index(axis)]
                for row in self.runs}

    def setting(self, path, default):
        """A time of the experiment as resolved, or the default where it states none."""
        node = self.experiment
        for key in path.split("."):
            if not isinstance(node, dict) or key not in node:
                return default
            node = node[key]
        return seconds(node)

    def run(self, number):
        return Run(self, number)


def once(function):
    """A function of a run whose result is kept with it, as many metrics ask for it."""
    @functools.wraps(function)
    def asked(run):
        if function not in run.known:
            run.known[function] = function(run)
        return run.known[function]
    return asked


class Run:
    """The rows of one run and the span that counts: after the warm-up, to the end."""

    def __init__(self, results, number):
        for name in Results.tables:
            setattr(self, name, results.rows[name][number])
        self.results, self.known = results, {}
        self.warmup, self.end = results.warmup, results.end
        self.days = (self.end - self.warmup) / DAY
        self.seconds = self.end - self.warmup
        self.apps = sorted({row.app for row in self.app_days})
        known = set(self.apps)
        self.app_events = [row for row in self.events if row.app in known]
        self.others = [row for row in self.events if row.app not in known]

    def counts(self, time):
        """Whether an instant counts; what happens at the very end of the warm-up belongs to it."""
        return time > self.warmup or self.warmup == 0

    def late(self, rows, column="t_s"):
        after = self.warmup or -1.0
        times = map(operator.attrgetter(column), rows)
        return [row for row, time in zip(rows, times) if time is not None and time > after]

    def hours(self, column):
        """The sum of a column of `device_hours` over the hours that count."""
        return sum(getattr(row, column) for row in self.device_hours if row.hour * HOUR >= self.warmup)

    def app_sum(self, column, app=None):
        """The sum of a column of `app_days` over the days that count."""
        return sum(getattr(row, column) for row in self.app_days
                   if row.day * DAY >= self.warmup and app in (None, row.app))
