# SPDX-License-Identifier: GPL-3.0-or-later
"""What handing out runs costs, in milliseconds a run: python3 python/benchmarks/overhead.py [--runs 400]

One worker on this machine does the same runs as `flotsam run -j 1`, in shares of so many runs. The difference of
elapsed times over the runs is what a run costs more, on a machine without other load; processor times hold on any.
Starting the cluster and merging stand apart. It says nothing of speed-up.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from flotsam import Experiment, daskengine, shares
from flotsam.program import call, program
from sizing import cost

# Shares of so many runs, as `flotsam cluster submit` would choose for runs of different lengths.
SIZES = (1, 10, 50)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=400, help="runs of a day, about ten milliseconds each")
    parser.add_argument("--repeats", type=int, default=3, help="of each figure; the median is shown")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="flotsam-overhead-") as folder:
        experiment = Experiment.template("overhead")
        experiment["duration"], experiment["warmup"] = "1 d", "6 h"
        experiment["replications"] = options.runs // 2
        file = str(experiment.write(Path(folder) / "overhead.yaml"))

        def median(measure) -> float:  # type: ignore[no-untyped-def]
            return statistics.median(measure(each) for each in range(options.repeats))

        plain = median(lambda each: timed(["run", file, "-o", f"{folder}/plain-{each}", "-j", "1", "--quiet"]))
        print(f"flotsam run -j 1: {1000 * plain / options.runs:.2f} ms a run, {options.runs} runs")
        call(["cluster", "init", file, "-o", f"{folder}/share"])
        first = 1000 * cost(["cluster", "exec", f"{folder}/share", "--runs", "0", "--quiet"])[0]
        many = 1000 * cost(["cluster", "exec", f"{folder}/share", "--runs", "1-100", "--quiet"])[0]
        run = (many - first) / 99
        print(f"a share's own processor time: {first - run:.0f} ms, beside {run:.1f} ms for each of its runs")
        began = time.monotonic()
        with daskengine.connect(None, 1) as client:
            print(f"cluster of one worker: {time.monotonic() - began:.2f} s to start")
            for size in SIZES:
                found = median(lambda each: by_dask(client, file, f"{folder}/dask-{size}-{each}", size))
                print(f"Dask, shares of {size}: {1000 * (found - plain) / options.runs:+.2f} ms a run "
                      f"({1000 * (found - plain) / options.runs * size:.1f} ms a share)")


def timed(words: list[str]) -> float:
    began = time.monotonic()
    call(words)
    return time.monotonic() - began


def by_dask(client: object, file: str, directory: str, size: int) -> float:
    call(["cluster", "init", file, "-o", directory])
    runs = shares.not_done(program(), directory)
    todo = daskengine.Round(client, program(), directory, (), 1, lambda receipt: None, share_runs=size)
    began = time.monotonic()
    todo.carry_out(runs)
    elapsed = time.monotonic() - began
    subprocess.run([program(), "cluster", "merge", directory, "--quiet"], check=True)
    return elapsed


if __name__ == "__main__":
    main()
