# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder of results: its tables, what the program concludes from them, figures and the page to mail."""

from __future__ import annotations

import html
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from .program import FlotsamError, call, call_json, program
from .tables import Table, TableError, tables
from .writing import CannotWrite, write_whole


@dataclass(frozen=True)
class Comparison:
    """What `flotsam compare` says: a row per policy and metric, sentences, ranks with ties.

    `primary` is the metric that decides, `better` is `lower`, `higher` or `neutral`; `data` holds all of it as it came.
    """

    baseline: str
    primary: str
    better: str
    level: float
    sentences: list[str]
    table: pd.DataFrame
    ranking: pd.DataFrame
    data: Mapping[str, Any]

    def verdict(self, policy: str, metric: str | None = None) -> str:
        """The verdict on a policy against the baseline, without a sweep.

        `better`, `worse`, `equivalent`, `undecided`, or `neither way is better`.
        """
        rows = self.table[(self.table["policy"] == policy) & (self.table["metric"] == (metric or self.primary))]
        if len(rows) != 1:
            known = ", ".join(self.table["policy"].unique())
            raise TableError(f"{len(rows)} comparisons of {policy!r}; there are {known}")
        return str(rows["verdict"].iloc[0])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{html.escape(each)}</p>" for each in self.sentences)
        return said + self.table.to_html(index=False)


@dataclass(frozen=True)
class Reasons:
    """What `flotsam why` says, as text and as data."""

    text: str
    data: Any

    def __repr__(self) -> str:
        return self.text


class Figure:
    """A figure that was drawn: a figure of matplotlib that can be changed, and the files that were written of it.

        figure = results.figure("differences")[0]
        figure.axes[0].set_title("Fewer is better")
        figure.save("mine.pdf")

    In a notebook it shows itself as it is now. What is not here is asked of `figure.figure`.
    """

    def __init__(self, name: str, figure: Any, files: Sequence[Path]) -> None:
        self.name = name
        self.figure = figure
        self.files = list(files)

    @property
    def axes(self) -> list[Any]:
        """Its panels."""
        return list(self.figure.axes)

    @property
    def png(self) -> Path:
        """The file that was written as PNG."""
        return next(each for each in self.files if each.suffix == ".png")

    @property
    def svg(self) -> Path:
        """The file that was written as SVG."""
        return next(each for each in self.files if each.suffix == ".svg")

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes it as it is now, as PNG, SVG or PDF by the ending of the file; returns the file."""
        from .plots import style

        file = Path(path)
        if file.suffix[1:] not in style.FORMS:
            raise FlotsamError(f"{file}: a figure is written as .png, .svg or .pdf")
        write_whole(file, style.drawing(self.figure, file.suffix[1:]))
        return file

    def _repr_png_(self) -> bytes:
        from .plots import style

        return style.drawing(self.figure, "png")

    def __repr__(self) -> str:
        return f"<figure {self.name}: {', '.join(str(each) for each in self.files)}>"


class Results:
    """A folder of results.

        results = flotsam.results("results/quickstart")
        results["runs"].pandas()
        results.comparisons, results.sentences

    Tables are read anew at every call, so that a folder may grow meanwhile. With `allow_foreign`, `why` and `report`
    may start the libraries and processes whose policies the folder names.
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, allow_foreign: bool = False, program_path: str | None = None
    ) -> None:
        self.folder = Path(folder)
        self._allowed = ["--allow-foreign"] if allow_foreign else []
        self._program = program_path
        if not self.folder.is_dir():
            raise TableError(f"{folder}: no such folder")

    @property
    def tables(self) -> dict[str, Table]:
        """The tables that are there, by name."""
        return tables(self.folder)

    def __getitem__(self, name: str) -> Table:
        """A table by name, such as `device_hours`."""
        found = self.tables
        if name not in found:
            raise TableError(
                f"{self.folder} has no table {name!r}; it has {', '.join(found)}. "
                f"Row tables are written when the experiment asks: output: {{tables: [runs, {name}]}}")
        return found[name]

    @property
    def runs(self) -> pd.DataFrame:
        """One row per run, with every metric."""
        return self["runs"].pandas()

    @property
    def summary(self) -> pd.DataFrame:
        """Mean and half-width of every metric for every policy."""
        return self["summary"].pandas()

    @property
    def comparisons(self) -> pd.DataFrame:
        """Paired differences from the baseline with interval, p-value and verdict, of every metric."""
        return self["comparisons"].pandas()

    @property
    def sentences(self) -> list[str]:
        """What follows, in words."""
        return self.compare().sentences

    @property
    def manifest(self) -> dict[str, Any]:
        """The experiment as written and as resolved, versions, assumptions, seed, host, times."""
        path = self.folder / "manifest.json"
        if path.exists() and not path.is_file():
            raise TableError(f"{path} is no plain file; move it away")
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return content

    @property
    def failures(self) -> pd.DataFrame:
        """The runs that failed, with what was said."""
        path = self.folder / "failures.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return pd.DataFrame([json.loads(line) for line in lines])

    @property
    def status(self) -> dict[str, Any]:
        """How many runs are done, failed and missing."""
        content: dict[str, Any] = call_json(["run", "--status", str(self.folder)], program_path=self._program)
        return content

    def compare(
        self, *metrics: str, baseline: str | None = None, level: float | None = None
    ) -> Comparison:
        """Compares again: other metrics, of which the first decides, another baseline or level."""
        words = ["compare", str(self.folder)]
        for metric in metrics:
            words += ["--metric", metric]
        words += ["--baseline", baseline] if baseline is not None else []
        words += ["--level", str(level)] if level is not None else []
        data = call_json(words, program_path=self._program)
        return Comparison(
            baseline=data["baseline"], primary=data["primary"], better=data["better"], level=data["level"],
            sentences=data["sentences"], table=pd.DataFrame(data["comparisons"]), ranking=pd.DataFrame(data["ranking"]),
            data=data)

    def why(
        self, run: int | str | None = None, *, app: str | None = None, at: str | None = None, kind: str | None = None,
        policy: str | None = None, against: str | None = None
    ) -> Reasons:
        """Why background work of a run ran or waited, why a process was killed, or what makes a difference.

        A `run` is a number, a token or `policy/replication`; without one it is about all runs: of an `app` under a
        `policy`, or of a `policy` `against` another.
        """
        words = ["why", str(self.folder) if run is None else f"{self.folder}#{run}"]
        for name, value in (("app", app), ("at", at), ("kind", kind), ("policy", policy), ("against", against)):
            words += [f"--{name}", value] if value is not None else []
        words += self._allowed
        return Reasons(call(words, program_path=self._program), call_json(words, program_path=self._program))

    def figure(
        self, name: str, *, output: str | os.PathLike[str] | None = None, **options: str | int | float | Sequence[str]
    ) -> list[Figure]:
        """Draws a figure by its name in plots/README.md, one a swept point, into `plots` below.

        Options are those of `plots/draw`: `metric` (one, or a list), `policy`, `run`, `day`, `top`, `minutes`, `from_`,
        `width` such as `"3.5in"`, `format` (a list of `png`, `svg`, `pdf`).
        """
        from .plots import draw
        from .plots.results import NoResults, NothingToDraw

        words = [name, str(self.folder)] + (["-o", str(output)] if output is not None else [])
        for key, value in options.items():
            for each in value if isinstance(value, (list, tuple)) else [value]:
                words += ["--" + key.rstrip("_"), str(each)]
        try:
            return [Figure(*each) for each in draw.drawn(words)]
        except (NoResults, NothingToDraw, draw.UnknownFigure, KeyError) as problem:
            raise FlotsamError(str(problem.args[0])) from problem

    def report(self, path: str | os.PathLike[str] | None = None, *, metric: str | None = None) -> Path:
        """Writes one page to mail, by default `report.html` in the folder."""
        target = Path(path) if path is not None else self.folder / "report.html"
        words = [str(self.folder), "-o", str(target), "--flotsam", program(self._program), *self._allowed]
        _draw("report", words + (["--metric", metric] if metric is not None else []))
        return target

    def parquet(self, folder: str | os.PathLike[str] | None = None) -> list[Path]:
        """Writes every table as Parquet, by default to the folder `parquet` below; returns the files."""
        target = Path(folder) if folder is not None else self.folder / "parquet"
        # Somebody else's folder may lead anywhere.
        if folder is None and target.is_symlink():
            raise CannotWrite(f"cannot write {target}: it is a link; name another folder")
        return [table.parquet(target / f"{table.name}.parquet") for table in self.tables.values()]

    def __repr__(self) -> str:
        return f"<results of {self.folder}: {', '.join(self.tables)}>"


def _draw(command: str, words: list[str]) -> str:
    """Runs a command of `flotsam.plots` by this Python; returns what it printed."""
    # Nothing of the working folder is imported.
    line = [sys.executable, "-P", "-m", "flotsam.plots", command, *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env={**os.environ, "MPLBACKEND": "Agg"})
    if done.returncode != 0:
        raise FlotsamError(done.stderr.strip() or f"{command} ended with {done.returncode}", done.returncode)
    return done.stdout
