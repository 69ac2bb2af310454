# SPDX-License-Identifier: GPL-3.0-or-later
"""What many runs leave and what merging them takes, by their number: python3 python/benchmarks/sizing.py [--runs N...]

One device-day a run, two policies, without row tables. Processor time and memory are those of the processes themselves,
so that the load of the machine matters little; from their growth, and from no more, larger experiments are told.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from flotsam import Experiment
from flotsam.program import program


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, nargs="+", default=[1000, 4000, 16000], help="numbers of runs, ascending")
    options = parser.parse_args()
    print("runs,run_ms,bytes_per_run,merge_s,merge_us_per_run,merge_mib")
    with tempfile.TemporaryDirectory(prefix="flotsam-sizing-") as folder:
        experiment = Experiment.template("sizing")
        experiment["duration"], experiment["warmup"], experiment["output.tables"] = "1 d", "1 h", ["runs"]
        file = str(experiment.write(Path(folder) / "sizing.yaml"))
        # One directory that grows: only what is new is run.
        directory, earlier = f"{folder}/runs", 0
        for runs in options.runs:
            cost(["cluster", "init", file, "-o", directory, "--set", f"replications={runs // 2}"])
            seconds, _ = cost(["cluster", "exec", directory, "--quiet"])
            merge, memory = cost(["cluster", "merge", directory, "--quiet"])
            size = sum(each.stat().st_size for each in Path(directory, "segments").iterdir())
            print(f"{runs},{1000 * seconds / (runs - earlier):.2f},{size / runs:.0f},{merge:.2f},"
                  f"{1e6 * merge / runs:.0f},{memory:.0f}", flush=True)
            earlier = runs


def cost(words: list[str]) -> tuple[float, float]:
    """Seconds of processor time of the program with its workers, and most MiB of its own."""
    child = os.posix_spawn(program(), [program(), *words], os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, used = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"flotsam {' '.join(words)} ended with {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


if __name__ == "__main__":
    main()
