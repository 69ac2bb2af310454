#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recomputes the metrics of finished experiments from their row tables, and judges them again.

    reference.py METRICS FOLDER...

METRICS holds what `flotsam list metrics` prints. Prints every number that differs, as what was found in the table and
what follows from the rows, and ends with 1 if there is any. Knows nothing of the program but what its tables say."""

import gc
import math
import sys

import judgement
import sums
from metrics import APP_METRICS, METRICS, NOT_IN_TABLES, QUANTILE, Binned, Bounds
from tables import Results

KILLS = {name for name in APP_METRICS if name.startswith("kills_") and name != "kills_per_day"}

# Sums of some ten thousand doubles in another order; what is smaller than `ABSOLUTE` is zero.
RELATIVE, ABSOLUTE = 1e-9, 1e-9
MOST_LINES = 200


class Report:
    """Collects what differs."""

    def __init__(self):
        self.lines, self.checked = [], 0

    def differ(self, table, where, found, expected):
        where = where if isinstance(where, str) else ", ".join(str(each) for each in where)
        self.lines.append(f"{table}: {where}: found {found}, from the rows {expected}")

    def equal(self, table, where, found, expected):
        self.checked += 1
        if found != expected:
            self.differ(table, where, found, expected)

    def close(self, table, where, found, expected, relative=RELATIVE, absolute=ABSOLUTE):
        """What is not finite is an empty field."""
        self.checked += 1
        if expected is not None and not math.isfinite(expected):
            expected = None
        if found is None or expected is None:
            if found is not expected:
                self.differ(table, where, found, expected)
        elif not abs(found - expected) <= absolute + relative * abs(expected):
            self.differ(table, where, found, expected)

    def between(self, table, where, found, bounds):
        self.checked += 1
        is_inside = bounds.may_be_none if found is None else bounds.low - 1e-9 <= found <= bounds.high + 1e-9
        if not is_inside:
            self.differ(table, where, found, f"{bounds.low} to {bounds.high}")


def read_catalogue(path):
    """Directions by name and the metrics that may be asked of an app, from what `flotsam list metrics` prints."""
    directions, of_apps = {}, set()
    with open(path) as file:
        for line in file:
            name, _, direction, rest = line.split(None, 3)
            if name == "name":
                continue
            directions[name] = direction
            if rest.startswith("phone, app"):
                of_apps.add(name)
    return directions, of_apps


def check_catalogue(directions, of_apps, report):
    """Every metric is known here, and none is known that does not exist."""
    known = set(METRICS) | set(NOT_IN_TABLES)
    for name in sorted(set(directions) - known):
        report.differ("metrics", name, "in the catalogue", "unknown to Tests/Reference/metrics.py")
    for name in sorted(known - set(directions)):
        report.differ("metrics", name, "not in the catalogue", "known")
    for name in sorted(of_apps ^ APP_METRICS):
        report.differ("metrics", name, f"of apps: {name in of_apps}", f"of apps: {name in APP_METRICS}")


def check_metric(report, where, found, expected):
    if isinstance(expected, Bounds):
        report.between("runs.csv", where, found, expected)
    elif isinstance(expected, Binned):
        report.close("runs.csv", where, found, expected.value, relative=QUANTILE)
    else:
        report.close("runs.csv", where, found, expected)


def check_runs(results, report, used):
    for row in results.runs:
        run = results.run(int(row.run))
        where = (results.experiment["name"], f"run {int(row.run)} ({row.policy})")
        for column, position in results.metric_columns:
            name, _, app = column.rstrip(")").partition("(app=")
            found = row[position]
            if name in NOT_IN_TABLES:
                report.equal("runs.csv", where + (column, "at most 1e-9"), 0 <= found <= 1e-9, True)
            elif name in METRICS:
                expected = METRICS[name](run, app or None)
                check_metric(report, where + (column,), found, expected)
            if found:
                used.add((name, bool(app)))
        sums.check(run, report, where)


def check_columns(results, directions, report):
    """`columns.csv` describes the columns of every table that was written, and says which way a metric is better."""
    _, rows = results.table("columns")
    described = {}
    for row in rows:
        described.setdefault(row.table, []).append(row.column)
        report.equal("columns.csv", (row.table, row.column, "has a meaning"), bool(row.meaning), True)
        better = directions.get(row.column.partition("(app=")[0], "") if row.table == "runs" else ""
        report.equal("columns.csv", (row.table, row.column, "better"), row.better, better)
    of_sweeps = ("sweep_comparisons", "sweep_slopes", "sweep_crossings") if len(results.plan["points"]) > 1 else ()
    of_people = ("people", "who") if "people" in results.plan else ()
    for name in results.tables + ("runs", "summary", "comparisons") + of_sweeps + of_people:
        report.equal("columns.csv", name, described.get(name), results.columns(name))


def main(catalogue, folders):
    # Rows refer to nothing; looking through millions of them for cycles took a third of the time.
    gc.disable()
    report, used = Report(), set()
    directions, of_apps = read_catalogue(catalogue)
    check_catalogue(directions, of_apps, report)
    for folder in folders:
        results = Results(folder)
        check_runs(results, report, used)
        check_columns(results, directions, report)
        judgement.check(results, directions, report)
    # A metric that is zero or empty everywhere is checked by nothing.
    for name in sorted(set(METRICS) - {name for name, _ in used}):
        report.differ("metrics", name, "zero or empty in every run", "an experiment in which it is not")
    asked = {name for name, of_app in used if of_app}
    # One line of each program counts kills of an app by their reason, and each reason is checked of the phone: of an app
    # one reason that is not zero is enough.
    if asked & KILLS:
        asked |= KILLS
    for name in sorted(APP_METRICS - asked):
        report.differ("metrics", name + "(app=…)", "zero, empty or not asked for", "an experiment in which it is not")
    for line in report.lines[:MOST_LINES]:
        print(line)
    print(f"{report.checked} numbers checked, {len(report.lines)} differ")
    return 1 if report.lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
