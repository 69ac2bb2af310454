# SPDX-License-Identifier: GPL-3.0-or-later
"""Shares of the runs of a directory that `flotsam cluster init` laid out, for any engine.

An engine calls `Services.carry_out` on whatever machine it likes. What it gets back is a receipt, and what was written,
for machines that do not share the directory. Only the standard library is used here: workers need nothing else.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import socket
import subprocess
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# Lines of standard error that a receipt keeps.
_LAST_LINES = 8
_NOT_STARTED = 127
_SEGMENT = re.compile(r"exec-[\w.-]+\.(seg|jsonl)")
# What a machine needs of a directory to do runs of it.
_LAID_OUT = ("bundle", "manifest.json", "plan.jsonl")
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


class Service:
    """A program that stays and does one share after the other (`flotsam cluster exec DIR --runs -`).

    It ends with its standard input, so with the process that holds it, whatever ends that.
    """

    def __init__(self, program: str, directory: str, options: tuple[str, ...] = ()) -> None:
        self._said = tempfile.TemporaryFile()
        self._directory = Path(directory)
        self._sent: dict[str, int] = {}
        self._process = subprocess.Popen(
            [program, "cluster", "exec", directory, "--runs", "-", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, text=True)

    def carry_out(self, runs: tuple[int, ...], worker: str = "") -> Receipt:
        """Does some runs; an unsuccessful end is told in the receipt, never raised."""
        assert self._process.stdin is not None and self._process.stdout is not None
        began = time.monotonic()
        try:
            self._process.stdin.write(text(runs) + "\n")
            self._process.stdin.flush()
        except OSError:
            pass  # It has ended: why, it has said.
        line = self._process.stdout.readline()
        if line.endswith("\n"):
            answer = json.loads(line)
            code, said = answer["code"], answer["said"]
        else:
            # Without an answer nothing is done, however it ended.
            code = self._process.wait() or 3
            self._said.seek(0)
            said = self._said.read().decode(errors="replace")
        last = "\n".join(said.strip().splitlines()[-_LAST_LINES:])
        return Receipt(runs, worker, socket.gethostname(), code, time.monotonic() - began, last)

    def fresh(self) -> list[Piece]:
        """What its segments hold that was not given out before; lists of failures are given whole."""
        pieces = []
        for path in sorted((self._directory / "segments").glob(f"exec-*-{self._process.pid}-*")):
            beginning = self._sent.get(path.name, 0) if path.suffix == ".seg" else 0
            with path.open("rb") as file:
                file.seek(beginning)
                content = file.read()
            self._sent[path.name] = beginning + len(content)
            if content:
                pieces.append(Piece(path.name, beginning, content))
        return pieces

    def close(self) -> None:
        """Lets it go, when what it is at is done."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()
        self._said.close()


@dataclass(frozen=True)
class Piece:
    """Bytes of a file below `segments`, and where in it they begin."""

    name: str
    beginning: int
    content: bytes

    def write(self, directory: str) -> None:
        """Puts them into the file of the same name in a directory."""
        if not _SEGMENT.fullmatch(self.name):
            raise RefusedError(f"a worker sent a file that is none of a share: {self.name!r}")
        path = Path(directory) / "segments" / self.name
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            if self.beginning == 0:
                os.ftruncate(file, 0)
            written = 0
            while written < len(self.content):
                written += os.pwrite(file, self.content[written:], self.beginning + written)
        finally:
            os.close(file)


class Services:
    """Programs that stay, for each of the threads that hand out shares at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[tuple[str, str, tuple[str, ...]], list[Service]] = {}

    def carry_out(
        self, program: str, directory: str, runs: tuple[int, ...], worker: str = "", options: tuple[str, ...] = (),
        carries: bool = False,
    ) -> tuple[Receipt, list[Piece]]:
        """Does some runs by a program that waits, or by another one; returns what it wrote, too, if that is carried."""
        key = (program, directory, options)
        with self._lock:
            waiting = self._idle.setdefault(key, [])
            service = waiting.pop() if waiting else None
        try:
            service = service or Service(program, directory, options)
        except OSError as problem:
            said = f"{program}: {problem.strerror}"
            return Receipt(runs, worker, socket.gethostname(), _NOT_STARTED, 0, said), []
        receipt = service.carry_out(runs, worker)
        pieces = service.fresh() if carries else []
        if receipt.is_done or receipt.is_failure_of_runs:
            with self._lock:
                waiting.append(service)
        else:
            service.close()
        return receipt, pieces

    def close(self) -> None:
        """Lets all of them go."""
        with self._lock:
            services = [service for waiting in self._idle.values() for service in waiting]
            self._idle.clear()
        for service in services:
            service.close()


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


def pack(directory: str) -> bytes:
    """What another machine needs to do runs of a directory, as a zip archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in _LAID_OUT:
            path = Path(directory) / name
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.is_file():
                    packed.write(file, file.relative_to(directory))
    return archive.getvalue()


def unpack(packed: bytes, folder: Path) -> None:
    """Lays such a directory out on this machine, unless it lies there."""
    if folder.exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as aside:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            archive.extractall(Path(aside) / "whole")
        # Another thread may have been faster.
        with contextlib.suppress(OSError):
            (Path(aside) / "whole").rename(folder)
