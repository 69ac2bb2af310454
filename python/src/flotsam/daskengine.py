# SPDX-License-Identifier: GPL-3.0-or-later
"""Shares of a directory by Dask: `flotsam cluster submit DIR --on dask://HOST:PORT` or `--dask-local N` (`flotsam[dask]`).

Dask carries numbers of runs to workers and receipts back. Results lie in the directory, which all machines share: a
worker or a scheduler that dies takes nothing with it, and what was done twice is compared when it is merged. Where they
share none (`carries`), Dask carries the directory there and what workers wrote back.
"""

from __future__ import annotations

import asyncio
import atexit
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import shares
from .program import FlotsamError
from .program import program as own_program
from .shares import Piece, Receipt

# Shares of each thread of a worker that are handed out at once, so that none waits for the next.
_AHEAD = 2
# Shares that a worker may fail one after the other before it gets no more while there are others.
_FAILURES = 2


class EngineLost(Exception):
    """The scheduler is gone; what was done is kept."""


@dataclass
class Round:
    """One pass over the runs that are missing; sizes of shares follow from what the first of them took."""

    client: Any
    program: str
    directory: str
    options: tuple[str, ...]
    share_seconds: float
    report: Callable[[Receipt], None]
    share_runs: int | None = None
    carries: bool = False
    left_out: set[str] = field(default_factory=set)
    failures: dict[str, int] = field(default_factory=dict)
    seconds_per_run: float | None = None
    claimed: dict[str, set[int]] = field(default_factory=dict)
    packed: Any = None

    def carry_out(self, runs: list[int]) -> None:
        """Hands out the runs and waits until each was tried once."""
        from distributed import as_completed

        if self.carries and self.packed is None:
            self.packed = self.client.scatter(shares.pack(self.directory))
        waiting = list(runs)
        flying = as_completed()
        while True:
            while waiting and flying.count() < _AHEAD * self._threads():
                size = self._size(len(waiting))
                share, waiting = tuple(waiting[:size]), waiting[size:]
                flying.add(self._submit(share))
            if flying.is_empty():
                return
            self._gather(next(flying))

    def leave_out_strangers(self, missing: list[int]) -> list[str]:
        """Leaves out the workers that say to have done runs which the directory does not hold; returns them."""
        found = sorted(each for each, runs in self.claimed.items() if not runs.isdisjoint(missing))
        self.left_out.update(found)
        return found

    def _submit(self, share: tuple[int, ...]) -> Any:
        # Tasks are known to Dask by number: none is taken for another that looks alike.
        return self.client.submit(
            work, self.program, self.directory, share, self.options, self.packed, pure=False,
            workers=self._workers() or None)

    def _gather(self, future: Any) -> None:
        if future.status in ("cancelled", "lost"):
            raise EngineLost("the scheduler is gone")
        if future.status == "error":
            # Dask gives a task up when several workers died of it.
            self.report(Receipt((), "", "", 3, 0, str(future.exception())))
            return
        told, pieces = future.result()
        receipt = Receipt(*told)
        for piece in pieces:
            Piece(*piece).write(self.directory)
        if receipt.is_done:
            per_run = receipt.seconds / len(receipt.runs)
            self.seconds_per_run = per_run if self.seconds_per_run is None else (self.seconds_per_run + per_run) / 2
            self.failures[receipt.worker] = 0
            self.claimed.setdefault(receipt.worker, set()).update(receipt.runs)
        elif not receipt.is_failure_of_runs:
            self.failures[receipt.worker] = self.failures.get(receipt.worker, 0) + 1
            if receipt.is_refused or self.failures[receipt.worker] >= _FAILURES:
                self.left_out.add(receipt.worker)
        self.report(receipt)

    def _threads(self) -> int:
        threads = self._nthreads()
        return max(1, sum(threads[each] for each in self._workers() or threads))

    def _nthreads(self) -> dict[str, int]:
        if self.client.status != "running":
            raise EngineLost("the scheduler is gone")
        try:
            # A client whose scheduler is gone would wait for it for ever.
            found: dict[str, int] = self.client.sync(self._ask, callback_timeout=30)
        except (OSError, asyncio.TimeoutError) as problem:
            raise EngineLost("the scheduler is gone") from problem
        return found

    async def _ask(self) -> dict[str, int]:
        found: dict[str, int] = await self.client.scheduler.ncores()
        return found

    def _workers(self) -> list[str]:
        """The workers to use; empty for all of them, those included that come later."""
        present = list(self._nthreads())
        good = [each for each in present if each not in self.left_out]
        if present and not good and all(each in self.left_out for each in present):
            raise shares.RefusedError("no worker is left that can do runs")
        return good if len(good) < len(present) else []

    def _size(self, waiting: int) -> int:
        """Runs of the next share: what takes the time wanted, but no more than leaves every worker one at the end."""
        if self.share_runs is not None:
            return self.share_runs
        if self.seconds_per_run is None:
            return 1
        fair = max(1, waiting // (_AHEAD * self._threads()))
        return max(1, min(fair, round(self.share_seconds / max(self.seconds_per_run, 1e-6))))


# The programs of this worker, which stay as long as it does.
_services = shares.Services()
atexit.register(_services.close)


def work(
    program: str, directory: str, runs: tuple[int, ...], options: tuple[str, ...], packed: bytes | None
) -> tuple[tuple[Any, ...], list[tuple[str, int, bytes]]]:
    """What a worker does: a share, by the program that its own FLOTSAM names, else by that of the same path or its own.

    With a packed directory it works in a folder of its own, and gives back what it wrote.
    """
    from distributed import get_worker

    worker = get_worker()
    program = os.environ.get("FLOTSAM", program)
    if not os.access(program, os.X_OK):
        try:
            program = own_program()
        except FlotsamError:
            pass  # That it cannot be started is told in the receipt.
    if packed is not None:
        folder = Path(worker.local_directory) / f"flotsam-{hashlib.sha256(packed).hexdigest()[:16]}"
        shares.unpack(packed, folder)
        directory = str(folder)
    receipt, pieces = _services.carry_out(
        program, directory, runs, worker=worker.address, options=options, carries=packed is not None)
    told = (receipt.runs, receipt.worker, receipt.host, receipt.code, receipt.seconds, receipt.said)
    return told, [(each.name, each.beginning, each.content) for each in pieces]


@contextmanager
def connect(address: str | None, local: int | None) -> Iterator[Any]:
    """A client of a scheduler that runs somewhere, or of so many workers on this machine."""
    from distributed import Client, LocalCluster

    if local is not None:
        with LocalCluster(n_workers=local, threads_per_worker=1, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                yield client
        return
    assert address is not None
    try:
        client = Client(address, timeout=20)
    except OSError as problem:
        raise EngineLost(f"there is no scheduler at {address} ({problem})") from problem
    try:
        yield client
    finally:
        client.close(timeout=2)
