# SPDX-License-Identifier: GPL-3.0-or-later
"""Clusters of one machine: a scheduler and workers of Dask as processes, and a node of Slurm."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 120.0


def wait_until(condition: Callable[[], Any], what: str) -> Any:
    """Waits until something holds and returns it; the machine may be busy, so for long."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {PATIENCE:g} s in vain: {what}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Processes:
    """Processes of a test, each in a session of its own, all of which end with it."""

    def __init__(self, test: unittest.TestCase, folder: Path) -> None:
        self.folder = folder
        self.all: list[subprocess.Popen[bytes]] = []
        test.addCleanup(self.end)

    def start(self, words: list[str], name: str, **variables: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env={**os.environ, **variables})
        self.all.append(process)
        return process

    def said(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")

    def end(self) -> None:
        for process in self.all:
            signal_group(process, signal.SIGCONT)
            signal_group(process, signal.SIGKILL)
            process.wait()


def signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signals a process and what it started."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def children(process: int, name: str) -> list[int]:
    """The processes below one whose program has this name."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*"):
        try:
            below = [int(each) for each in (task / "children").read_text().split()]
        except OSError:
            continue
        for child in below:
            try:
                if Path(f"/proc/{child}/exe").readlink().name.startswith(name):
                    found.append(child)
            except OSError:
                continue
            found += children(child, name)
    return found


class Dask:
    """A scheduler at a port of its own, and workers."""

    def __init__(self, processes: Processes, **variables: str) -> None:
        self.processes = processes
        self.address = f"127.0.0.1:{free_port()}"
        words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", self.address, "--no-dashboard"]
        self.scheduler = processes.start(words, "scheduler", **variables)
        wait_until(self._listens, "the scheduler listens")

    def _listens(self) -> bool:
        host, _, port = self.address.partition(":")
        with socket.socket() as probe:
            return probe.connect_ex((host, int(port))) == 0

    def worker(self, name: str, prefix: list[str] | None = None, **variables: str) -> subprocess.Popen[bytes]:
        words = [
            *(prefix or []), sys.executable, "-m", "distributed.cli.dask_worker", f"tcp://{self.address}", "--nthreads",
            "1", "--no-nanny", "--no-dashboard", "--name", name, "--local-directory", str(self.processes.folder),
        ]
        process = self.processes.start(words, name, **variables)
        wait_until(lambda: "Registered to:" in self.processes.said(name), f"worker {name} is registered")
        return process


class Slurm:
    """munged, slurmctld and slurmd of a cluster with one node of two processors; needs root."""

    PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")

    @classmethod
    def missing(cls) -> str:
        """Why it cannot run here; empty when it can."""
        if os.geteuid() != 0:
            return "slurmd starts jobs as their users: root is needed"
        lacking = [each for each in cls.PROGRAMS if shutil.which(each) is None]
        return f"not installed: {', '.join(lacking)} (apt-get install slurm-wlm munge)" if lacking else ""

    def __init__(self, processes: Processes, folder: Path) -> None:
        self.folder = folder
        node = socket.gethostname().partition(".")[0]
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        munge = folder / "munge.socket"
        processes.start(
            ["munged", "--foreground", "--force", f"--socket={munge}", f"--key-file={key}",
             f"--log-file={folder}/munged.txt", f"--pid-file={folder}/munged.pid", f"--seed-file={folder}/munged.seed"],
            "munged")
        wait_until(munge.exists, "munged has made its socket")
        self.configuration = folder / "slurm.conf"
        self.configuration.write_text(f"""\
ClusterName=flotsam
SlurmctldHost={node}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser=root
AuthInfo=socket={munge},cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=sched_interval=1,bf_interval=1
ReturnToService=2
KillWait=1
NodeName={node} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""", encoding="utf-8")
        (folder / "state").mkdir()
        (folder / "spool").mkdir()
        os.environ["SLURM_CONF"] = str(self.configuration)
        processes.start(["slurmctld", "-D"], "slurmctld")
        processes.start(["slurmd", "-D", "-N", node], "slurmd")
        wait_until(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%t"), "the node is idle")

    def ask(self, *words: str) -> str:
        return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
