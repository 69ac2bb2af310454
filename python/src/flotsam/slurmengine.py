# SPDX-License-Identifier: GPL-3.0-or-later
"""Shares of a directory by Slurm: `flotsam cluster submit DIR --on slurm`, an array of tasks without Python on any node.

Each task does the runs of one file below `DIR/slurm`. A task that is killed or requeued leaves what it had finished.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from pathlib import Path

from . import shares
from .writing import write_whole

# Slurm's own default of MaxArraySize, less the index 0 that it counts.
_SMALLEST_LIMIT = 1000
_POLL_SECONDS = 1.0


class SlurmError(Exception):
    """Slurm refused; the text is what it said."""


def submit(
    program: str, directory: str, runs: list[int], tasks: int | None, options: tuple[str, ...], sbatch: tuple[str, ...]
) -> str:
    """Submits an array of tasks for the runs; returns its job number."""
    folder = Path(directory) / "slurm" / f"{time.time_ns():x}"
    folder.mkdir(parents=True)
    pieces = shares.parts(runs, min(tasks or len(runs), largest_array()))
    for number, piece in enumerate(pieces, 1):
        write_whole(folder / f"runs-{number}", shares.text(piece) + "\n")
    # The number of a task is only known where it runs: it stays outside of the quotes.
    line = shlex.join([program, "cluster", "exec", directory, "--quiet", *options, "--runs"])
    script = f'exec {line} {shlex.quote(str(folder / "runs-"))}"$SLURM_ARRAY_TASK_ID"'
    return _call(
        "sbatch", "--parsable", "--requeue", f"--array=1-{len(pieces)}", "--job-name=flotsam",
        f"--output={folder}/task-%a.log", "--open-mode=append", "--export=ALL", *sbatch, "--wrap", script,
    ).strip().partition(";")[0]


def submit_merge(program: str, directory: str, after: str, options: tuple[str, ...], sbatch: tuple[str, ...]) -> str:
    """Submits the merge, which waits until no task of a job is left; returns its job number."""
    line = shlex.join([program, "cluster", "merge", directory, "--quiet", *options])
    return _call(
        "sbatch", "--parsable", f"--dependency=afterany:{after}", "--job-name=flotsam-merge",
        f"--output={Path(directory) / 'slurm' / 'merge.log'}", "--export=ALL", *sbatch, "--wrap", f"exec {line}",
    ).strip().partition(";")[0]


def wait(job: str) -> None:
    """Waits until no task of a job is pending or running."""
    while is_active(job):
        time.sleep(_POLL_SECONDS)


def is_active(job: str) -> bool:
    """Whether a task of a job is pending or running; a job that Slurm has forgotten is not."""
    done = subprocess.run(
        ["squeue", "--noheader", "--jobs", job, "--format=%T"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        if "Invalid job id" in done.stderr:
            return False
        raise SlurmError(done.stderr.strip())
    return bool(done.stdout.strip())


def cancel(job: str) -> None:
    """Ends all tasks of a job."""
    _call("scancel", job)


def largest_array() -> int:
    """How many tasks an array may have here."""
    found = re.search(r"^MaxArraySize\s*=\s*(\d+)", _call("scontrol", "show", "config"), re.MULTILINE)
    return max(1, int(found[1]) - 1) if found else _SMALLEST_LIMIT


def reasons(job: str) -> list[str]:
    """Why tasks of a job did not complete, as `task 3: OUT_OF_MEMORY, exit code 0:125`.

    Slurm's accounting knows it for good (`sacct`); where there is none, the controller for some minutes.
    """
    words = ["sacct", "--noheader", "--parsable2", "--allocations", f"--jobs={job}", "--format=JobID,State,ExitCode"]
    told = subprocess.run(words, capture_output=True, text=True, check=False) if shutil.which("sacct") else None
    if told is not None and told.returncode == 0 and told.stdout.strip():
        ends = [line.split("|")[:3] for line in told.stdout.splitlines() if line.count("|") >= 2]
    else:
        found = subprocess.run(
            ["scontrol", "--oneliner", "show", "job", job], capture_output=True, text=True, check=False)
        ends = [_fields(line) for line in found.stdout.splitlines()]
    # The state may say by whom: CANCELLED by 1000.
    return [f"task {name.rpartition('_')[2]}: {state}, exit code {code}"
            for name, state, code in sorted(ends, key=lambda each: _ordered(each[0]))
            if state.split()[0] not in ("COMPLETED", "PENDING", "RUNNING")]


def _fields(line: str) -> list[str]:
    """Name, state and exit code of a line of `scontrol --oneliner show job`."""
    found = dict(each.split("=", 1) for each in line.split() if "=" in each)
    name = f"{found.get('ArrayJobId', '')}_{found.get('ArrayTaskId', '')}"
    reason = found.get("Reason", "None")
    state = found.get("JobState", "UNKNOWN") + (f" ({reason})" if reason != "None" else "")
    return [name, state, found.get("ExitCode", "")]


def _ordered(name: str) -> int:
    number = name.rpartition("_")[2]
    return int(number) if number.isdigit() else -1


def last_words(directory: str) -> str:
    """The ends of what the tasks of the last array said, for those that said anything."""
    folders = sorted((Path(directory) / "slurm").iterdir(), key=lambda each: each.stat().st_mtime_ns)
    said = []
    for log in sorted(folders[-1].glob("task-*.log"), key=lambda each: int(re.sub(r"\D", "", each.stem))):
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        said += [f"task {log.stem.removeprefix('task-')}: {line}" for line in lines[-2:]]
    return "\n".join(said[-20:])


def _call(*words: str) -> str:
    if shutil.which(words[0]) is None:
        raise SlurmError(f"{words[0]} is not here: submit from a machine that is a client of Slurm")
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=dict(os.environ))
    if done.returncode != 0:
        raise SlurmError(f"{words[0]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout
