# SPDX-License-Identifier: GPL-3.0-or-later
"""Shares of the runs of a directory that `flotsam cluster init` laid out, for any engine.

An engine calls `carry_out` on whatever machine it likes; results travel through the directory, never through the
engine. What it gets back is a receipt. Only the standard library is used here: workers need nothing else.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass

# Lines of standard error that a receipt keeps.
_LAST_LINES = 8
_NOT_STARTED = 127
# How the program says that a run failed.
_FAILED_RUN = re.compile(r"^run \d+ \(.*\) failed: ", re.MULTILINE)


@dataclass(frozen=True)
class Receipt:
    """What became of a share: its runs, where and by which attempt, exit code, seconds, last words."""

    runs: tuple[int, ...]
    worker: str
    host: str
    code: int
    seconds: float
    said: str

    @property
    def is_done(self) -> bool:
        """Whether the program says that all its runs are done."""
        return self.code == 0

    @property
    def is_failure_of_runs(self) -> bool:
        """Whether runs failed, which they would elsewhere, and the worker is not to blame."""
        return self.code == 3 and _FAILED_RUN.search(self.said) is not None

    @property
    def is_refused(self) -> bool:
        """Whether doing it again would not help: another program or machine, or no such directory."""
        return self.code in (1, _NOT_STARTED)


def carry_out(
    program: str, directory: str, runs: tuple[int, ...], worker: str = "", options: tuple[str, ...] = ()
) -> Receipt:
    """Does some runs by `flotsam cluster exec` on this machine; an unsuccessful end is told in the receipt, never raised."""
    words = [program, "cluster", "exec", directory, "--runs", text(runs), "--quiet", *options]
    began = time.monotonic()
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        code, said = done.returncode, done.stderr
    except OSError as problem:
        code, said = _NOT_STARTED, f"{program}: {problem.strerror}"
    last = "\n".join(said.strip().splitlines()[-_LAST_LINES:])
    return Receipt(runs, worker, socket.gethostname(), code, time.monotonic() - began, last)


def text(runs: Iterable[int]) -> str:
    """Numbers of runs as `--runs` takes them: `3,7-9`."""
    ranges: list[list[int]] = []
    for run in sorted(runs):
        if ranges and ranges[-1][1] + 1 == run:
            ranges[-1][1] = run
        else:
            ranges.append([run, run])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in ranges)


def numbers(runs: str) -> list[int]:
    """The numbers of `3,7-9`."""
    found: list[int] = []
    for part in filter(None, runs.split(",")):
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found


def not_done(program: str, directory: str) -> list[int]:
    """The runs of a directory that are not done, ascending; a directory of another kind is an error of the program."""
    done = subprocess.run([program, "run", "--status", directory, "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RefusedError(done.stderr.strip())
    return numbers(json.loads(done.stdout)["not_done"])


class RefusedError(Exception):
    """A machine or a program that must not take part; the text is the program's."""


def parts(runs: list[int], count: int) -> list[tuple[int, ...]]:
    """The runs in so many pieces without gaps, of nearly the same size; fewer where there are fewer runs."""
    count = max(1, min(count, len(runs)))
    return [tuple(runs[len(runs) * k // count:len(runs) * (k + 1) // count]) for k in range(count)]


def shared(directory: str) -> str:
    """The path under which other machines find a directory."""
    return os.path.realpath(directory)
