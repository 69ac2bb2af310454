# SPDX-License-Identifier: GPL-3.0-or-later
"""Proposes eviction policies in C to `flotsam tune --program`: each is a product of powers of what a process tells.

    flotsam tune train.yaml --program 'python3 search.py' --allow-foreign --trials 80 --confirm 240 -o found

An evolution strategy with one parent: an offspring changes two of the exponents, or sets one to zero, and becomes the
parent when it is better. What is proposed is a whole program of twenty lines, built by `cc`; `found.c` is the winner.
Its input and output are the lines of JSON that docs/python.md describes.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

FEATURES = ("age", "opens", "size", "launch", "life")
SOURCE = """\
/* SPDX-License-Identifier: GPL-3.0-or-later
 * An eviction policy that `flotsam tune --program` found: the process with the smallest product dies first.
 */
#include "flotsam_policy.h"
#include <math.h>

static double rank(void *state, const flotsam_candidate *process, flotsam_time now) {{
    (void)state;
    double age = 1 + flotsam_in_seconds(now - process->last_foreground) / 60;
    double life = 1 + flotsam_in_seconds(now - process->launched) / 60;
    double opens = 1 + process->opens;
    double size = 1 + (double)process->footprint / (1 << 20);
    double launch = 1e-3 + flotsam_in_seconds(process->relaunch_time);
    return pow(age, {age}) * pow(opens, {opens}) * pow(size, {size}) * pow(launch, {launch}) * pow(life, {life});
}}

static const flotsam_eviction policy = {{
    .about = {{.version = FLOTSAM_POLICY_VERSION, .name = "found", .summary = "A product of powers, found by search.",
              .source = "docs/examples/found-policy"}},
    .rank = rank,
    .rank_lifetime = FLOTSAM_EACH_VICTIM,
}};

const flotsam_eviction *flotsam_eviction_policy(uint32_t version) {{
    return version == FLOTSAM_POLICY_VERSION ? &policy : NULL;
}}
"""


def build(name: str, exponents: dict[str, float]) -> str:
    """Writes and builds a policy; its path as an experiment beside it names it."""
    Path(name + ".c").write_text(SOURCE.format(**exponents))
    words = ["cc", "-O2", "-std=c11", "-ffp-contract=off", "-shared", "-fPIC", "-o", name + ".so", name + ".c", "-lm"]
    subprocess.run(words, check=True)
    return f"./{name}.so"


def offspring(parent: dict[str, float], rng: random.Random) -> dict[str, float]:
    """Two exponents changed by a draw, or one of them left out."""
    child = dict(parent)
    for name in rng.sample(FEATURES, 2):
        child[name] = 0.0 if rng.random() < 0.15 else round(child[name] + rng.gauss(0, 0.5), 2)
    return child


def main() -> None:
    told = json.loads(sys.stdin.readline())
    rng = random.Random(told["seed"])
    sign = 1 if told["better"] == "lower" else -1
    json.loads(sys.stdin.readline())  # What the baseline came to.
    parent = {"age": -1.0, "opens": 0.0, "size": 0.0, "launch": 0.0, "life": 0.0}
    best = float("inf")
    for number in range(1, 10_000):
        child = parent if number == 1 else offspring(parent, rng)
        print(json.dumps({"policy": build(f"candidate-{number}", child)}), flush=True)
        line = sys.stdin.readline()
        if not line:
            return
        heard = json.loads(line)
        if heard["violation"] == 0 and sign * heard["mean"] < best:
            parent, best = child, sign * heard["mean"]


if __name__ == "__main__":
    main()
