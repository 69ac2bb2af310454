# SPDX-License-Identifier: GPL-3.0-or-later
"""`flotsam cluster submit`: the runs of a directory on a cluster, tried again where they are missing, then merged."""

from __future__ import annotations

import argparse
import importlib.util
import shlex
import subprocess
import sys
import time

from . import shares
from .program import program
from .shares import Receipt

_PLAIN_INTERVAL = 10.0
# Tasks of an array of which it is said why they ended.
_MOST_REASONS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument(
        "directory", metavar="DIR",
        help="directory that flotsam cluster init laid out, on a disk all machines share (but see --no-shared-disk)")
    engine = parser.add_mutually_exclusive_group(required=True)
    engine.add_argument("--on", metavar="WHERE", help="dask://HOST:PORT, or slurm")
    engine.add_argument("--dask-local", metavar="N", type=_count, help="N workers of Dask on this machine")
    parser.add_argument(
        "--program", metavar="PATH", help="flotsam on the workers (default: this one, by the same path)")
    parser.add_argument(
        "--rounds", metavar="N", type=_count, default=3, help="how often missing runs are tried (default: 3)")
    parser.add_argument(
        "--share-seconds", metavar="S", type=float, default=5, help="Dask: what a share should take (default: 5)")
    parser.add_argument("--share-runs", metavar="N", type=_count, help="Dask: runs of a share, instead")
    parser.add_argument(
        "--no-shared-disk", action="store_true", help="Dask: it carries the directory to workers, and results back")
    parser.add_argument("--tasks", metavar="N", type=_count, help="Slurm: tasks of the array (default: one a run)")
    parser.add_argument(
        "--sbatch", metavar="WORDS", default="", help="Slurm: further words for sbatch, such as '--time=10 --mem=500M'")
    parser.add_argument(
        "--no-wait", action="store_true", help="Slurm: end when the tasks and the merge behind them are in the queue")
    parser.add_argument("--timeout", metavar="TIME", help="ends a run that takes longer, as in flotsam cluster exec")
    parser.add_argument("--allow-foreign", action="store_true", help="starts policies of libraries and processes")
    parser.add_argument("--no-merge", action="store_true", help="leave the merging to flotsam cluster merge")


def main(options: argparse.Namespace) -> int:
    """Does it; returns the exit code."""
    task = _Submission(options)
    try:
        return task.carry_out()
    except KeyboardInterrupt:
        print(f"interrupted: {task.state()}; the same command goes on", file=sys.stderr)
        return 130
    except shares.RefusedError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    except (_Lost, OSError) as problem:
        print(f"error: {problem}: {task.state()}; the same command goes on", file=sys.stderr)
        return 3


class _Lost(Exception):
    """The engine went away or refused."""


class _Submission:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.own = program()
        self.program = options.program or self.own
        self.directory = shares.shared(options.directory)
        self.allowed = ("--allow-foreign",) if options.allow_foreign else ()
        self.words = (*self.allowed, *(("--timeout", options.timeout) if options.timeout else ()))
        self.missing = shares.not_done(self.own, self.directory)
        self.total = len(self.missing)
        self.done = 0
        self.shares = 0
        self.seconds = 0.0
        self.said: set[tuple[str, str]] = set()
        self.last_plain = time.monotonic()

    def state(self) -> str:
        """How far it is."""
        missing = len(shares.not_done(self.own, self.directory))
        return f"{self.total - missing} of {self.total} missing runs done"

    def carry_out(self) -> int:
        # Asks for the bundle, and refuses a program other than the one that laid it out.
        services = shares.Services()
        checked, _ = services.carry_out(self.own, self.directory, (), options=self.words)
        services.close()
        if not checked.is_done:
            raise shares.RefusedError(checked.said.removeprefix("error: "))
        began = time.monotonic()
        if self.options.no_wait and self.options.on == "slurm":
            return self._queue()
        if self.missing:
            (self._by_slurm if self.options.on == "slurm" else self._by_dask)()
        elapsed = time.monotonic() - began
        sys.stderr.write("\r\x1b[K" if sys.stderr.isatty() else "")
        print(f"{self.options.directory}: {self.total} runs were missing, {self.total - len(self.missing)} done in "
              f"{elapsed:.1f} s", file=sys.stderr)
        if self.options.no_merge:
            return 3 if self.missing else 0
        merged = subprocess.run([self.own, "cluster", "merge", self.directory, "--quiet", *self.allowed], check=False)
        if merged.returncode == 0:
            print(f"results: {self.options.directory}/runs.csv and the tables beside it")
        return merged.returncode

    def _by_dask(self) -> None:
        if importlib.util.find_spec("distributed") is None:
            raise shares.RefusedError("Dask is not installed: python3 -m pip install './python[dask]'")
        from . import daskengine

        address = None
        if self.options.on is not None:
            scheme, _, rest = self.options.on.partition("://")
            if scheme not in ("dask", "tcp", "tls") or not rest:
                raise shares.RefusedError(f"--on expects dask://HOST:PORT or slurm, found {self.options.on!r}")
            address = ("tcp" if scheme == "dask" else scheme) + "://" + rest
        try:
            with daskengine.connect(address, self.options.dask_local) as client:
                todo = daskengine.Round(
                    client, self.program, self.directory, self.words, self.options.share_seconds, self._show,
                    share_runs=self.options.share_runs, carries=self.options.no_shared_disk)
                for _ in range(self.options.rounds):
                    todo.carry_out(self.missing)
                    self._look_after()
                    for each in todo.leave_out_strangers(self.missing):
                        self._tell(each, f"{each} did runs that the directory does not hold: it has another disk")
                    for each in sorted(todo.left_out):
                        self._tell(f"{each} out", f"{each} gets no more runs")
                    if not self.missing:
                        return
        except daskengine.EngineLost as problem:
            raise _Lost(str(problem)) from problem

    def _look_after(self) -> None:
        """What the directory holds counts, not what workers say."""
        self.missing = shares.not_done(self.own, self.directory)
        self.done = self.total - len(self.missing)
        if self.missing:
            self._tell("round", f"{len(self.missing)} runs still missing: {shares.text(self.missing)}")

    def _queue(self) -> int:
        """Leaves all to Slurm: tasks for what is missing, and the merge when none of them is left."""
        from . import slurmengine

        words = tuple(shlex.split(self.options.sbatch))
        if not self.missing:
            raise shares.RefusedError(f"no run of {self.options.directory} is missing")
        try:
            job = slurmengine.submit(
                self.program, self.directory, self.missing, self.options.tasks, self.words, words)
            merge = slurmengine.submit_merge(self.program, self.directory, job, self.allowed, words)
        except slurmengine.SlurmError as problem:
            raise _Lost(str(problem)) from problem
        print(f"job {job}: {len(self.missing)} runs; job {merge} merges when it has ended\n"
              f"flotsam run --status {shlex.quote(self.options.directory)} says what is missing", file=sys.stderr)
        return 0

    def _by_slurm(self) -> None:
        from . import slurmengine

        try:
            for number in range(self.options.rounds):
                job = slurmengine.submit(
                    self.program, self.directory, self.missing, self.options.tasks, self.words,
                    tuple(shlex.split(self.options.sbatch)))
                self._tell(job, f"job {job}: {len(self.missing)} runs")
                try:
                    slurmengine.wait(job)
                except KeyboardInterrupt:
                    slurmengine.cancel(job)
                    raise
                self._look_after()
                if not self.missing:
                    return
                self._tell(f"{job}-ends", "\n".join(slurmengine.reasons(job)[:_MOST_REASONS]))
                self._tell(f"{job}-said", slurmengine.last_words(self.directory))
        except slurmengine.SlurmError as problem:
            raise _Lost(str(problem)) from problem

    def _show(self, receipt: Receipt) -> None:
        self.shares += 1
        self.seconds += receipt.seconds
        if receipt.is_done:
            self.done += len(receipt.runs)
        else:
            where = f"{receipt.worker} on {receipt.host}" if receipt.worker else "a worker"
            self._tell(where, f"{where}: runs {shares.text(receipt.runs)} ended with {receipt.code}: {receipt.said}")
        line = f"{self.done}/{self.total} runs"
        if sys.stderr.isatty():
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self.last_plain >= _PLAIN_INTERVAL:
            self.last_plain = time.monotonic()
            print(line, file=sys.stderr, flush=True)

    def _tell(self, about: str, text: str) -> None:
        if text and (about, text) not in self.said:
            self.said.add((about, text))
            print(text, file=sys.stderr, flush=True)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected at least 1")
    return number


