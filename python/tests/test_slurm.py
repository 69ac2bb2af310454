# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs by a Slurm of one node: a task killed, a task requeued; the tables are those of one undisturbed run."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import unittest
import unittest.mock
from pathlib import Path

import flotsam
from clusters import Processes, Slurm, wait_until
from flotsam import shares, slurmengine
from laboratory import Laboratory, small

RUNS = 48


def long() -> flotsam.Experiment:
    return small("long", replications=RUNS // 2, duration="10 d")


@unittest.skipIf(Slurm.missing(), Slurm.missing())
class SlurmTests(Laboratory):
    def setUp(self) -> None:
        super().setUp()
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        self.processes = Processes(self, self.folder)
        self.slurm = Slurm(self.processes, self.folder)
        self.directory = self.lay_out(long(), "a")

    def submit(self, *words: str, **variables: str) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", "flotsam", "submit", str(self.directory), "--on", "slurm", *words]
        return self.processes.start(line, "submit", **variables)

    def assert_ends(self, process: subprocess.Popen[bytes], code: int) -> str:
        said = self.processes.said
        self.assertEqual(process.wait(), code, f"{said('submit')}\n{said('slurmctld')}")
        return said("submit")

    def tasks(self, state: str = "R") -> list[str]:
        return self.slurm.ask("squeue", "-h", "-r", "-t", state, "-o", "%i").split()

    def test_a_task_is_killed_another_requeued(self) -> None:
        process = self.submit("--tasks", "4")
        first, second = wait_until(lambda: len(self.tasks()) == 2 and sorted(self.tasks()), "two tasks run")
        wait_until(lambda: len(shares.not_done(self.program, str(self.directory))) < RUNS, "a run is done")
        victim, killed = wait_until(self.programs, "the program runs")[0]
        os.kill(victim, signal.SIGKILL)
        requeued = next(each for each in (first, second) if each != killed)
        self.assertEqual(self.slurm.ask("scontrol", "requeue", requeued), "")
        said = self.assert_ends(process, 0)
        self.assertEqual(said.count(" runs\n"), 2, said)
        self.assertIn(f"{RUNS} runs\n", said)
        self.assertIn("runs still missing: ", said)
        # This Slurm keeps no accounts: its controller tells.
        self.assertRegex(said, rf"task {killed.partition('_')[2]}: FAILED \(\w+\), exit code 0:9\n")
        self.assertIn(f"{RUNS} runs were missing, {RUNS} done", said)
        states = self.slurm.ask("squeue", "-h", "-r", "-t", "all", "-o", "%i %T").splitlines()
        self.assertIn(f"{killed} FAILED", states)
        self.assertIn(f"{requeued} COMPLETED", states)
        self.assertIn("Restarts=1", self.slurm.ask("scontrol", "show", "job", requeued))
        self.assert_same_tables(self.directory, self.undisturbed(long()))

    def programs(self) -> list[tuple[int, str]]:
        """The processes that do a share of this directory, each with its task as `squeue` names it."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                parts = (process / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            of = dict(each.split(b"=", 1) for each in parts if b"=" in each)
            if words[1:4] == [b"cluster", b"exec", bytes(self.directory)] and b"SLURM_ARRAY_TASK_ID" in of:
                job, task = (of[each].decode() for each in (b"SLURM_ARRAY_JOB_ID", b"SLURM_ARRAY_TASK_ID"))
                found.append((int(process.name), f"{job}_{task}"))
        return found

    def test_another_program_on_the_node_is_refused(self) -> None:
        other = self.another_build()
        said = self.assert_ends(self.submit("--tasks", "2", "--rounds", "1", "--program", str(other)), 3)
        self.assertIn("task 1: error: ", said)
        self.assertIn("was made with another build of flotsam", said)
        self.assertEqual(len(shares.not_done(self.program, str(self.directory))), RUNS)
        said = self.assert_ends(self.submit("--tasks", "2", "--sbatch", "--nice=10 --comment=again"), 0)
        self.assert_same_tables(self.directory, self.undisturbed(long()))

    def test_tasks_and_the_merge_behind_them_need_nobody_who_waits(self) -> None:
        said = self.assert_ends(self.submit("--tasks", "2", "--no-wait"), 0)
        job, merge = re.fullmatch(rf"job (\d+): {RUNS} runs; job (\d+) merges when it has ended\n.*\n", said).groups()
        self.assertIn(f"afterany:{job}_", self.slurm.ask("squeue", "-h", "-j", merge, "-o", "%E"))
        wait_until(lambda: not self.slurm.ask("squeue", "-h", "-j", merge, "-o", "%T"), "the merge is done")
        self.assert_same_tables(self.directory, self.undisturbed(long()))
        again = self.submit("--no-wait")
        self.assertEqual(again.wait(), 1)
        self.assertIn(f"error: no run of {self.directory} is missing", self.processes.said("submit"))

    def test_what_slurm_refuses_is_said(self) -> None:
        said = self.assert_ends(self.submit("--sbatch=--partition=nowhere"), 3)
        self.assertIn("invalid partition specified: nowhere", said)


class ReasonTests(Laboratory):
    def test_accounts_tell_why_tasks_ended(self) -> None:
        told = "\\n".join([
            "17_10|OUT_OF_MEMORY|0:125", "17_2|TIMEOUT|0:15", "17_3|COMPLETED|0:0", "17_4|CANCELLED by 1000|0:0",
            "17_5|NODE_FAIL|1:0", ""])
        accounts = self.folder / "sacct"
        accounts.write_text(f"#!/bin/sh\necho \"$@\" > asked\nprintf '{told}'\n", encoding="utf-8")
        accounts.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"):
            found = slurmengine.reasons("17")
        self.assertEqual(found, [
            "task 2: TIMEOUT, exit code 0:15", "task 4: CANCELLED by 1000, exit code 0:0",
            "task 5: NODE_FAIL, exit code 1:0", "task 10: OUT_OF_MEMORY, exit code 0:125"])
        self.assertIn("--jobs=17 --format=JobID,State,ExitCode", (self.folder / "asked").read_text())


if __name__ == "__main__":
    unittest.main()
