# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the CSV tables of a results folder; a table that is not there is None."""

import json
from functools import cached_property
from pathlib import Path

import pandas as pd

from .quantities import number
from .words import DIRECTIONS

# Columns of runs.csv that stand before the metrics and are no swept axes.
RUN_COLUMNS = {
    "run", "policy", "eviction", "scheduling", "replication", "status", "events", "workload_fingerprint", "fingerprint",
    "token", "model_version",
}
# Tables that every run of an experiment leaves.
ALWAYS = {"runs", "summary"}
# What no list of tables brings, and what does.
OTHERWISE = {
    "comparisons": "comparisons.csv has no rows: with one policy there is nothing to compare",
    "sensitivity": "no sensitivity.csv: a sweep of mode morris or saltelli makes it",
    "weights": "no weights.json: flotsam why --sensitivity RESULTS makes it",
}
KEYS = {"metric", "baseline", "policy"}


class NoResults(Exception):
    """The folder holds nothing that can be drawn; the text says what is missing."""


class NothingToDraw(NoResults):
    """A table without what a figure shows."""


def plain_file(path):
    """The path of a plain file, or of none: a reader would wait for a FIFO, and a device has no end."""
    if path.exists() and not path.is_file():
        raise NoResults(f"{path}: it is no plain file; move it away")
    return path


class Results:
    """The tables of one folder, with units and the list of swept axes."""

    def __init__(self, folder):
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise NoResults(f"{folder}: no such folder")
        self._axis_units = {}
        columns = self._read("columns.csv")
        if columns is not None and "meaning" in columns:
            swept = columns[columns["meaning"] == "value of a swept axis"]
            self._axis_units = {name: unit for name, unit in zip(swept["column"], swept["unit"]) if isinstance(unit, str)}
        self.runs = self._read("runs.csv")
        self.summary = self._read("summary.csv")
        self.comparisons = self._read("comparisons.csv")
        self._others = {}
        if all(table is None for table in (self.runs, self.summary, self.comparisons, self.device_hours)):
            raise NoResults(f"{folder}: none of runs.csv, summary.csv, comparisons.csv, device_hours.csv is there")
        self.axes = self._axes()
        self.units, self.directions = self._of_metrics("unit"), self._of_metrics("better")

    def _read(self, name):
        plain = self.folder / name
        # Tables of rows are compressed, or Parquet, where the experiment asks for it.
        forms = (plain, plain.with_name(name + ".gz"), plain.with_suffix(".parquet"))
        path = next((one for one in forms if one.exists()), None)
        if path is None:
            return None
        if path.suffix == ".parquet":
            table = pd.read_parquet(plain_file(path))
            return None if table.empty else table
        # Names such as "none" or "NA" are text here, and an empty field is a missing number.
        table = pd.read_csv(plain_file(path), keep_default_na=False, na_values=[""], low_memory=False)
        for name in table.select_dtypes(exclude=["number", "bool"]):
            # The apostrophe keeps spreadsheets from taking a text for a formula, and is no part of it.
            table[name] = table[name].replace(r"^'('*[=+@\t\r-])", r"\1", regex=True)
        for axis in self._axis_units.keys() & set(table.columns):
            table[axis] = [self._with_unit(axis, value) for value in table[axis]]
        return None if table.empty else table

    def has(self, name):
        """Whether a table is there and has rows; `weights` is no table."""
        if name == "weights":
            return (self.folder / "weights.json").exists()
        if name not in self._others:
            table = self._read(f"{name}.csv")
            self._others[name] = None if table is None else self._counted(table)
        return self._others[name] is not None

    def _counted(self, table):
        """Hours and days without the warm-up, which no metric counts either."""
        for column, length in (("hour", 1), ("day", 24)):
            if column in table.columns:
                return table[table[column] * length >= self.warmup_hours]
        return table

    @cached_property
    def warmup_hours(self):
        """Length of the warm-up, or of the common past where that is longer, from the manifest; none without one."""
        try:
            manifest = json.loads(plain_file(self.folder / "manifest.json").read_text(encoding="utf-8"))
            experiment = json.loads(manifest["experiment"]["resolved"])["experiment"]
            spans = [experiment[key] for key in ("warmup", "policies_from") if key in experiment]
        except (OSError, ValueError, KeyError, TypeError):
            return 0
        return max(map(number, spans), default=0) / 3600

    def table(self, name):
        """A table that a figure cannot do without."""
        if not self.has(name):
            raise NoResults(self.lacks(name))
        return self._others[name]

    @property
    def device_hours(self):
        """The hours of the device, read when first asked for: of many runs they are large."""
        return self._others["device_hours"] if self.has("device_hours") else None

    def lacks(self, name):
        """Why a table is not there, and what would bring it."""
        if name in OTHERWISE:
            return OTHERWISE[name]
        if name in ALWAYS:
            return f"no {name}.csv: flotsam run writes it"
        return f"no {name}.csv: ask for it by `output: {{tables: [runs, {name}]}}`"

    def better(self, metric):
        """Which way a metric is better, in words; nothing where columns.csv does not say."""
        return DIRECTIONS.get(self.directions.get(metric), "")

    def _axes(self):
        """Swept axes stand between the leading columns and the first column that is always there."""
        for name, last in (("summary", "mean"), ("comparisons", "difference"), ("device_hours", "replication")):
            table = getattr(self, name)
            if table is not None:
                before = list(table.columns)[: list(table.columns).index(last)]
                return [name for name in before if name not in KEYS | {"run"}]
        columns = list(self.runs.columns)
        return [name for name in columns[: columns.index("replication")] if name not in RUN_COLUMNS]

    def _of_metrics(self, what):
        """Unit or direction of the metrics by name, from columns.csv."""
        columns = self._read("columns.csv")
        if columns is None or what not in columns.columns:
            return {}
        runs = columns[columns["table"] == "runs"]
        return {name: text for name, text in zip(runs["column"], runs[what]) if isinstance(text, str)}

    def unit(self, metric):
        unit = self.units.get(metric, "")
        return "" if unit in ("", "1") else unit.replace("/d", " per day").replace("1 per day", "per day").strip()

    @property
    def baseline(self):
        """The policy that comparisons.csv compares with; without that table the first policy."""
        if self.comparisons is not None:
            return str(self.comparisons["baseline"].iloc[0])
        table = next(t for t in (self.runs, self.device_hours, self.summary) if t is not None)
        return str(table["policy"].iloc[0])

    def points(self, table):
        """The swept points of a table: (text that names it, rows of it), one pair without a sweep."""
        if not self.axes:
            return [("", table)]
        groups = table.groupby(self.axes, sort=False)
        return [(self.point_name(key), rows) for key, rows in groups]

    def point_name(self, values):
        values = values if isinstance(values, tuple) else (values,)
        return ", ".join(f"{axis.split('.')[-1]} {value}" for axis, value in zip(self.axes, values))

    def _with_unit(self, axis, value):
        """A swept number with the unit of its column; a word as it is."""
        unit = self._axis_units[axis]
        text = f"{value:g}" if isinstance(value, float) else str(value)
        return text if unit in ("", "1") else f"{text} {unit}"


def in_order(values):
    """The different values in order of first appearance."""
    return list(dict.fromkeys(values))


def parts_of_policies(results):
    """Eviction and scheduling of each policy, from runs.csv or else from the name `eviction+scheduling`."""
    if results.runs is not None and {"eviction", "scheduling"} <= set(results.runs.columns):
        rows = results.runs[["policy", "eviction", "scheduling"]].drop_duplicates("policy")
        return {row.policy: (str(row.eviction), str(row.scheduling)) for row in rows.itertuples()}
    table = next(t for t in (results.device_hours, results.summary) if t is not None)
    return {name: tuple((name.split("+", 1) + [""])[:2]) for name in in_order(table["policy"])}
