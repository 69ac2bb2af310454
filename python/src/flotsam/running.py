# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs experiments by the program, with progress where somebody sees it."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from . import yamltext
from .experiment import Experiment
from .program import ExperimentError, error, program
from .folder import Results


class Progress(NamedTuple):
    """How far a call is: runs in all, done and failed, and the seconds that are left (None while nothing tells).

    As text it is the line that a terminal shows.
    """

    runs: int
    done: int
    failed: int
    seconds_left: float | None

    def __str__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        left = f", {math.ceil(self.seconds_left)} s left" if self.seconds_left is not None else ""
        return f"{self.done}/{self.runs} runs{failed}{left}"


Shower = Callable[[Progress], None]


def run(
    experiment: str | os.PathLike[str] | Experiment, *, set: Mapping[str, Any] | None = None, jobs: int | None = None,
    output: str | os.PathLike[str] | None = None, on_error: str | None = None, timeout: str | None = None,
    progress: bool | Shower = True, allow_foreign: bool | None = None, program_path: str | None = None,
) -> Results:
    """Runs or resumes an experiment and returns its results.

        results = flotsam.run("experiments/quickstart.yaml", set={"replications": 3}, jobs=2)

    An `Experiment` is written beside its folder of results first. `set` overrides values, `output` is the folder
    (`results/NAME`), `jobs` are runs at once (all processors). With `progress` a notebook or a terminal shows how far
    it is; a function gets each `Progress` instead. Policies of libraries and processes start where `allow_foreign` says
    so; by default those that were written into an `Experiment` in code, or are named in `set`, and no others. Raises
    `ExperimentError`, `RunsFailed` or `NotDeterministic` with what the program says; finished runs are kept and the
    same call does the rest.
    """
    folder = Path(output) if output is not None else None
    if allow_foreign is None:
        allow_foreign = isinstance(experiment, Experiment) and experiment.names_own_policies
    if isinstance(experiment, Experiment):
        folder = folder or Path("results") / experiment.name
        file = _write(experiment, folder.with_name(folder.name + ".yaml"))
    else:
        file = Path(experiment)
    words = [program(program_path), "run", str(file)]
    words += ["-o", str(folder)] if folder is not None else []
    words += ["-j", str(jobs)] if jobs is not None else []
    words += ["--on-error", on_error] if on_error is not None else []
    words += ["--timeout", timeout] if timeout is not None else []
    words += ["--allow-foreign"] if allow_foreign else []
    for key, value in (set or {}).items():
        words += ["--set", f"{key}={yamltext.flow(value)}"]
    out = _carry_out(words, _shower(progress))
    if folder is None:
        folder = Path(re.findall(r"^results: (.*)/runs\.csv and the tables beside it$", out, re.MULTILINE)[-1])
    return Results(folder, allow_foreign=allow_foreign, program_path=program_path)


def _write(experiment: Experiment, file: Path) -> Path:
    """Writes an experiment where one of the same name may stand already, and no other."""
    if file.exists() and Experiment.read(file).name != experiment.name:
        raise ExperimentError(f"{file} is another experiment; nothing was written (name another output)")
    return experiment.write(file)


def _carry_out(words: list[str], show: Shower | None) -> str:
    """Runs the program, which tells its progress line by line as JSON; returns what it printed."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            [*words, "--progress", "json"], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True,
            errors="replace")
        said: list[str] = []
        assert process.stderr is not None
        with process.stderr:
            try:
                for line in process.stderr:
                    _hear(line, said, show)
                code = process.wait()
            except KeyboardInterrupt:
                process.send_signal(signal.SIGINT)
                process.wait()
                raise
        text = "".join(said).strip()
        if code == 130:
            raise KeyboardInterrupt(text)
        if code != 0:
            raise error(text, code)
        out.seek(0)
        return out.read().decode(errors="replace")


def _hear(line: str, said: list[str], show: Shower | None) -> None:
    """Passes a state on, and keeps what was said besides."""
    try:
        told = json.loads(line) if line.startswith("{") else None
    except ValueError:
        told = None
    if isinstance(told, dict) and "notice" in told:
        said.append(told["notice"] + "\n")
    elif isinstance(told, dict) and told.keys() == set(Progress._fields):
        if show is not None:
            show(Progress(**told))
    else:
        said.append(line)


def _shower(progress: bool | Shower) -> Shower | None:
    if callable(progress):
        return progress
    if not progress:
        return None
    shell = sys.modules.get("IPython")
    if shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None:
        return _in_notebook()
    if sys.stderr.isatty():
        return lambda line: print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
    return None


def _in_notebook() -> Shower:
    """One line of a cell's output that is written over."""
    from IPython.display import display

    handle = display(  # type: ignore[no-untyped-call]
        {"text/plain": "starts"}, raw=True, display_id=True)
    return lambda state: handle.update({"text/plain": str(state)}, raw=True)
