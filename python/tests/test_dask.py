# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs by Dask with what goes wrong on clusters; the tables are those of one undisturbed run, byte for byte."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import flotsam
from clusters import Dask, Processes, children, signal_group, wait_until
from flotsam import daskengine, shares
from flotsam.program import call
from laboratory import Laboratory, small

RUNS = 72


def long(name: str = "long") -> flotsam.Experiment:
    """Runs that take long enough to be disturbed."""
    return small(name, replications=RUNS // 2, duration="6 d")


class DaskTests(Laboratory):
    def setUp(self) -> None:
        super().setUp()
        self.processes = Processes(self, self.folder)
        self.directory = self.lay_out(long(), "a")
        self.segments = self.directory / "segments"

    def submit(self, *words: str, **variables: str) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", "flotsam", "submit", str(self.directory), "--share-seconds", "0.3", *words]
        return self.processes.start(line, "submit", **variables)

    def missing(self) -> int:
        return len(shares.not_done(self.program, str(self.directory)))

    def wait_for_some(self) -> int:
        """Waits until a third is done; returns how many are missing then."""
        return int(wait_until(lambda: self.missing() < RUNS * 2 // 3 and self.missing(), "a third of the runs is done"))

    def programs_that_wrote(self, worker: subprocess.Popen[bytes]) -> list[int]:
        """The programs that a worker has started, once one of them has written a run."""
        found = children(worker.pid, "flotsam")
        written = [each.name for each in self.segments.glob("*.seg") if each.stat().st_size > 4096]
        return found if any(f"-{each}-" in name for each in found for name in written) else []

    def assert_ends(self, process: subprocess.Popen[bytes], code: int) -> str:
        self.assertEqual(process.wait(), code, self.processes.said("submit"))
        return self.processes.said("submit")

    def assert_whole(self) -> None:
        self.assert_same_tables(self.directory, self.undisturbed(long()))

    def test_workers_of_this_machine_by_the_verb_of_the_program(self) -> None:
        words = [self.program, "cluster", "submit", str(self.directory), "--dask-local", "2"]
        process = self.processes.start(words, "submit", FLOTSAM_PYTHON=sys.executable)
        said = self.assert_ends(process, 0)
        self.assertIn(f"{RUNS} runs were missing, {RUNS} done", said)
        self.assertEqual(len(list(self.segments.glob("exec-*.seg"))), 2, "a worker's program does one share after another")
        self.assert_whole()
        again = self.processes.start(words, "again", FLOTSAM_PYTHON=sys.executable)
        self.assertEqual(again.wait(), 0)
        self.assertIn("0 runs were missing", self.processes.said("again"))

    def test_workers_without_the_directory_get_it_and_send_back_what_they_wrote(self) -> None:
        cluster = Dask(self.processes)
        for name in ("left", "right"):
            # The directory is hidden from the worker: what stands at its path is an empty folder.
            cluster.worker(name, ["unshare", "-m", "sh", "-c", f'mount -t tmpfs none "{self.directory}" && exec "$@"', "sh"])
        said = self.assert_ends(self.submit("--on", f"dask://{cluster.address}", "--no-shared-disk"), 0)
        self.assertIn(f"{RUNS} runs were missing, {RUNS} done", said)
        self.assert_whole()

    def test_one_of_two_workers_is_killed(self) -> None:
        cluster = Dask(self.processes)
        killed, _ = cluster.worker("left"), cluster.worker("right")
        process = self.submit("--on", f"dask://{cluster.address}")
        self.assertGreater(self.wait_for_some(), 0)
        signal_group(killed, signal.SIGKILL)
        self.assert_ends(process, 0)
        self.assert_whole()

    def test_the_scheduler_is_killed_and_the_runs_are_submitted_again(self) -> None:
        cluster = Dask(self.processes)
        workers = [cluster.worker("left"), cluster.worker("right")]
        process = self.submit("--on", f"dask://{cluster.address}", DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT="3s")
        self.wait_for_some()
        signal_group(cluster.scheduler, signal.SIGKILL)
        self.assertIn("the scheduler is gone", self.assert_ends(process, 3))
        for worker in workers:
            signal_group(worker, signal.SIGKILL)
        left = self.missing()
        self.assertTrue(0 < left < RUNS, left)
        other = Dask(self.processes)
        other.worker("third")
        said = self.assert_ends(self.submit("--on", f"dask://{other.address}"), 0)
        self.assertIn(f"{left} runs were missing, {left} done", said)
        self.assert_whole()

    def test_a_stalled_worker_comes_back_when_others_have_done_its_runs(self) -> None:
        cluster = Dask(self.processes, DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="2s")
        stalled = cluster.worker("left")
        cluster.worker("right")
        process = self.submit("--on", f"dask://{cluster.address}", "--share-runs", "12")
        # Stopped in the middle of a share, with the program that does it, when the first of its runs is written.
        late = wait_until(lambda: self.programs_that_wrote(stalled), "the worker has done a run")
        signal_group(stalled, signal.SIGSTOP)
        self.assert_ends(process, 0)
        self.assert_whole()
        before = sum(each.stat().st_size for each in self.segments.iterdir())
        signal_group(stalled, signal.SIGCONT)
        wait_until(lambda: sum(each.stat().st_size for each in self.segments.iterdir()) > before, "a run comes twice")
        signal_group(stalled, signal.SIGTERM)
        wait_until(lambda: not any(Path(f"/proc/{each}").exists() for each in late), "the late share ends")
        call(["cluster", "merge", str(self.directory), "--quiet"])
        self.assert_same_tables(self.directory, self.folder / "whole")

    @unittest.skipIf(os.geteuid() != 0, "a disk of a worker's own is mounted by root")
    def test_the_disk_of_one_worker_is_full(self) -> None:
        cluster = Dask(self.processes)
        mount = f'mount -t tmpfs -o size=256k tmpfs "{self.segments}" && exec "$@"'
        cluster.worker("full", ["unshare", "-m", "sh", "-c", mount, "sh"])
        cluster.worker("right")
        said = self.assert_ends(self.submit("--on", f"dask://{cluster.address}"), 0)
        self.assertIn("No space left on device", said)
        self.assertIn("did runs that the directory does not hold: it has another disk", said)
        self.assertIn("gets no more runs", said)
        self.assert_whole()

    def test_another_version_of_the_program_is_refused(self) -> None:
        other = self.another_build()
        cluster = Dask(self.processes)
        cluster.worker("other", FLOTSAM=str(other))
        said = self.assert_ends(self.submit("--on", f"dask://{cluster.address}"), 1)
        self.assertIn("was made with another build of flotsam", said)
        self.assertIn("error: no worker is left that can do runs", said)
        self.assertEqual(self.missing(), RUNS)
        self.assertEqual(list(self.segments.iterdir()), [])
        cluster.worker("right")
        said = self.assert_ends(self.submit("--on", f"dask://{cluster.address}"), 0)
        self.assert_whole()
        own = self.processes.start(
            [sys.executable, "-m", "flotsam", "submit", str(self.directory), "--dask-local", "1"], "own",
            FLOTSAM=str(other))
        self.assertEqual(own.wait(), 1)
        self.assertIn("was made with another build of flotsam", self.processes.said("own"))

    def test_interrupted_it_says_how_far_it_is(self) -> None:
        process = self.submit("--dask-local", "2")
        self.wait_for_some()
        process.send_signal(signal.SIGINT)
        self.assertIn("missing runs done; the same command goes on", self.assert_ends(process, 130))
        self.assert_ends(self.submit("--dask-local", "2"), 0)
        self.assert_whole()

    def test_what_is_wrong_with_the_words_is_said(self) -> None:
        self.assertIn("dask://HOST:PORT or slurm, found 'dsk://x'", self.assert_ends(self.submit("--on", "dsk://x"), 1))
        gone = self.submit("--on", "dask://127.0.0.1:1")
        self.assertIn("there is no scheduler at tcp://127.0.0.1:1", self.assert_ends(gone, 3))
        call(["run", str(small("plain").write("plain.yaml")), "-o", "b", "--quiet"])
        plain = self.processes.start([sys.executable, "-m", "flotsam", "submit", "b", "--dask-local", "1"], "plain")
        self.assertEqual(plain.wait(), 1)
        self.assertIn("flotsam cluster init EXPERIMENT.yaml -o", self.processes.said("plain"))


class ShareTests(unittest.TestCase):
    def test_what_a_worker_sends_is_written_below_segments_and_nowhere_else(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "segments").mkdir()
            outside = Path(folder) / "outside"
            outside.write_text("mine")
            for beginning, content in ((0, b"abc"), (3, b"de")):
                shares.Piece("exec-runs-host-7-18ab-80-1.seg", beginning, content).write(folder)
            written = Path(folder) / "segments" / "exec-runs-host-7-18ab-80-1.seg"
            self.assertEqual(written.read_bytes(), b"abcde")
            for name in ("../outside", "exec-/../../outside.seg", "manifest.json", "exec-\n.seg"):
                with self.assertRaisesRegex(shares.RefusedError, "a file that is none of a share"):
                    shares.Piece(name, 0, b"x").write(folder)
            (Path(folder) / "segments" / "exec-link.seg").symlink_to(outside)
            with self.assertRaises(OSError):
                shares.Piece("exec-link.seg", 0, b"x").write(folder)
            self.assertEqual(outside.read_text(), "mine")

    def test_runs_are_written_and_read_as_the_program_does(self) -> None:
        self.assertEqual(shares.text([3, 9, 7, 8, 12]), "3,7-9,12")
        self.assertEqual(shares.numbers("3,7-9,12"), [3, 7, 8, 9, 12])
        self.assertEqual(shares.numbers(""), [])

    def test_a_program_that_ends_without_an_answer_has_done_nothing(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            stand_in = Path(folder) / "ends"
            stand_in.write_text("#!/bin/sh\nread line\necho what it said >&2\nexit 0\n", encoding="utf-8")
            stand_in.chmod(0o755)
            receipt, pieces = shares.Services().carry_out(str(stand_in), folder, (1, 2))
            self.assertEqual((receipt.code, receipt.said, pieces), (3, "what it said", []))
            self.assertFalse(receipt.is_done)

    def test_runs_that_fail_are_no_fault_of_the_worker(self) -> None:
        failed = "run 7 (lru+immediate, replication 3, m3-27cddbb203adaedb) failed: the run took longer than 1 s"
        full = "error: cannot write a/segments/x.seg: No space left on device"
        for said, left_out in ((failed, set()), (full, {"tcp://w"})):
            reports: list[shares.Receipt] = []
            todo = daskengine.Round(None, "flotsam", "a", (), 1, reports.append)
            for _ in range(3):
                todo._gather(SimpleNamespace(status="finished", result=lambda: (((7,), "tcp://w", "host", 3, 1.0, said), [])))
            self.assertEqual(todo.left_out, left_out)
            self.assertEqual([each.said for each in reports], [said] * 3)

    def test_parts_hold_every_run_once(self) -> None:
        for count in (1, 2, 3, 7, 50):
            runs = [2 * each for each in range(17)]
            parts = shares.parts(runs, count)
            self.assertEqual([run for part in parts for run in part], runs)
            self.assertEqual(len(parts), min(count, 17))
            sizes = {len(part) for part in parts}
            self.assertLessEqual(max(sizes) - min(sizes), 1)


if __name__ == "__main__":
    unittest.main()
