# SPDX-License-Identifier: GPL-3.0-or-later
"""Learns a scheduling policy that saves energy, leaves content as fresh as `immediate` does, and does as much work.

    python3 train.py [--generations 25] [--jobs 2]       # writes weights.json and learned.c

The policy is a linear score over `features.FEATURES`. Its weights are searched by the cross-entropy method (Rubinstein and
Kroese 2004, doi:10.1007/978-1-4757-4321-0): a generation of weights is drawn from independent normal distributions, each
is run through the C interface on the same users as `immediate`, and the best eighth says where to draw next. Every
generation has users of its own, so that what is learned is not about a few of them. Needs the package, numpy, a C
compiler and a processor for ten minutes.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from features import BOUND, FEATURES, library

from flotsam.program import program

HERE = Path(__file__).parent
#: What the score of a wait for news costs: per cent of age above `immediate` count as many per cent of energy.
AGE_WEIGHT = 1.0
#: Processing brings no content: what is left undone of it, per cent of `immediate`'s share beyond this margin, costs so
#: many times per cent of energy.
WORK_WEIGHT = 0.2
WORK_MARGIN = 5.0

EXPERIMENT = """\
schema: 1
name: generation
question: Which of these weights save most?
seed: {seed}
start: 2026-03-02
duration: 3 d
warmup: 1 d
replications: {users}
device: iphone-13
apps: {{catalog: everyday, count: 60}}
user: {{persona: average}}
policies:
  - {{name: immediate, eviction: jetsam, scheduling: immediate}}
{policies}baseline: immediate
metrics: {{primary: energy_wh_per_day}}
output: {{tables: [runs]}}
"""


def build(folder: Path, weights: dict[str, float]) -> None:
    """The library, in a folder with its header."""
    subprocess.run([program(), "new", "--policy", "c", "start.c"], cwd=folder, check=True, capture_output=True)
    (folder / "learned.c").write_text(library(weights))
    line = "cc -O2 -std=c11 -Wall -ffp-contract=off -shared -fPIC -o learned.so learned.c -lm"
    subprocess.run(line.split(), cwd=folder, check=True)


def costs(folder: Path, generation: numpy.ndarray, seed: int, users: int, jobs: int) -> numpy.ndarray:
    """Per cent of energy, age and processing left undone against `immediate`, for each row of weights, and the cost."""
    policies = ""
    for index, weights in enumerate(generation):
        brackets = ",".join(f"{name}={float(weight)!r}" for name, weight in zip(FEATURES, weights))
        policies += f'  - {{name: p{index}, eviction: jetsam, scheduling: "./learned.so[{brackets}]"}}\n'
    (folder / "generation.yaml").write_text(EXPERIMENT.format(seed=seed, users=users, policies=policies))
    subprocess.run(
        [program(), "run", "generation.yaml", "--allow-foreign", "-o", f"r{seed}", "-q", "-j", str(jobs)], cwd=folder,
        check=True)
    sums: dict[str, list[float]] = {}
    columns = "energy_wh_per_day", "content_age_s_mean", "processing_completed_share"
    with open(folder / f"r{seed}" / "runs.csv", newline="") as file:
        for row in csv.DictReader(file):
            sum_of = sums.setdefault(row["policy"], [0.0, 0.0, 0.0])
            for index, column in enumerate(columns):
                sum_of[index] += float(row[column] or 0)
    base = sums["immediate"]
    found = []
    for index in range(len(generation)):
        energy, age, work = (100 * (mine / theirs - 1) for mine, theirs in zip(sums[f"p{index}"], base))
        cost = energy + AGE_WEIGHT * max(0.0, age) + WORK_WEIGHT * max(0.0, -work - WORK_MARGIN)
        found.append((energy, age, -work, cost))
    return numpy.array(found)


def train(generations: int, size: int, users: int, jobs: int) -> dict[str, float]:
    """The mean of the last distribution."""
    random = numpy.random.default_rng(20260302)
    names = list(FEATURES)
    mean = numpy.zeros(len(names))
    mean[names.index("one")] = 0.5
    spread = numpy.full(len(names), 1.0)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        build(folder, dict.fromkeys(names, 0.0))
        for number in range(generations):
            drawn = random.normal(mean, spread, (size, len(names))).clip(-BOUND, BOUND)
            drawn[0] = mean
            found = costs(folder, drawn, 1000 + number, users, jobs)
            best = drawn[numpy.argsort(found[:, 3], kind="stable")[: max(3, size // 8)]]
            mean = 0.3 * mean + 0.7 * best.mean(axis=0)
            # A floor that sinks keeps the search from narrowing to the users of one generation.
            spread = 0.3 * spread + 0.7 * best.std(axis=0) + 0.3 * 0.9**number
            at = found[0]
            print(f"{number:3}  mean: energy {at[0]:+.2f} %  age {at[1]:+.2f} %  undone {at[2]:+.1f} %"
                  f"   best cost {found[:, 3].min():+.2f}")
            sys.stdout.flush()
    return {name: round(float(weight), 6) for name, weight in zip(names, mean)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--generations", type=int, default=25)
    parser.add_argument("--size", type=int, default=40)
    parser.add_argument("--users", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    weights = train(arguments.generations, arguments.size, arguments.users, arguments.jobs)
    (HERE / "weights.json").write_text(json.dumps({"weights": weights}, indent=2) + "\n")
    (HERE / "learned.c").write_text(library(weights))


if __name__ == "__main__":
    main()
