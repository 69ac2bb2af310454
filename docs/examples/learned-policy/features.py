# SPDX-License-Identifier: GPL-3.0-or-later
"""The learned policy in both languages: its features, one line each, in Python and in C, and its weights.

`python3 features.py` is the policy as a process; `train.py` writes the C library. Both give the same runs.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

from flotsam_policy import HOUR, MINUTE, Decision, Device, Parameter, Request, Rule, SchedulingPolicy, proceed, serve, wait

WEEK = math.log1p(168.0)


def hours(length: int) -> float:
    """A length of time up to a week on a scale from 0 to 1, finer for short ones."""
    return min(1.0, math.log1p(max(0, length) / HOUR) / WEEK)


#: Name, the figure in Python (from a request r and a device d), and the same in C.
FEATURES = {
    "one": (lambda r, d: 1.0, "1.0"),
    "charging": (lambda r, d: float(d.plugged_in), "d->plugged_in"),
    "wifi": (lambda r, d: float(d.network == "wifi"), "d->network == FLOTSAM_NETWORK_WIFI"),
    "radio-up": (lambda r, d: float(d.radio_is_up), "d->radio_is_up"),
    "screen-on": (lambda r, d: float(d.screen_on), "d->screen_on"),
    "locked-for": (lambda r, d: hours(d.now - d.locked_since) if d.locked else 0.0,
                   "d->locked ? hours(d->now - d->locked_since) : 0.0"),
    "processing": (lambda r, d: float(r.kind == "processing"), "r->kind == FLOTSAM_PROCESSING"),
    "processing-charging": (lambda r, d: float(r.kind == "processing" and d.plugged_in),
                            "r->kind == FLOTSAM_PROCESSING && d->plugged_in"),
    "processing-waiting": (lambda r, d: hours(d.now - r.earliest_begin) if r.kind == "processing" else 0.0,
                           "r->kind == FLOTSAM_PROCESSING ? hours(d->now - r->earliest_begin) : 0.0"),
    "waiting": (lambda r, d: hours(d.now - r.earliest_begin), "hours(d->now - r->earliest_begin)"),
    "since-opened": (lambda r, d: hours(d.now - r.last_opened), "hours(d->now - r->last_opened)"),
    "since-run": (lambda r, d: hours(d.now - r.last_run), "hours(d->now - r->last_run)"),
    "likelihood": (lambda r, d: r.open_likelihood, "r->open_likelihood"),
    "root-likelihood": (lambda r, d: math.sqrt(r.open_likelihood), "sqrt(r->open_likelihood)"),
    "likelihood-since-run": (lambda r, d: math.sqrt(r.open_likelihood) * hours(d.now - r.last_run),
                             "sqrt(r->open_likelihood) * hours(d->now - r->last_run)"),
    "seen-since-run": (lambda r, d: float(r.last_opened > r.last_run), "r->last_opened > r->last_run"),
    "running": (lambda r, d: min(1.0, d.running_launches / 8), "fmin(1.0, d->running_launches / 8.0)"),
}

BOUND = 100.0
#: What `train.py` found; before that, all zero.
FOUND = Path(__file__).parent / "weights.json"
WEIGHTS = json.loads(FOUND.read_text())["weights"] if FOUND.exists() else dict.fromkeys(FEATURES, 0.0)
RULES = [
    Rule("worth-it", "the learned score was above zero"), Rule("not-worth-it", "the learned score was below zero"),
]


class Learned(SchedulingPolicy):
    """Starts work where a learned linear score is above zero, and asks again a quarter of an hour later."""

    name = "learned"
    source = "docs/examples/learned-policy/train.py"
    rules = RULES
    parameters = [
        Parameter(name, "number", weight, (-BOUND, BOUND), "learned weight")
        for name, weight in WEIGHTS.items()
    ]

    def start(self) -> None:
        self.weights = [getattr(self, name.replace("-", "_")) for name in FEATURES]

    def decide(self, request: Request, device: Device) -> Decision:
        score = 0.0
        for weight, (feature, _) in zip(self.weights, FEATURES.values()):
            score += weight * feature(request, device)
        if score > 0:
            return proceed("worth-it", score=score)
        return wait("not-worth-it", until=device.now + 15 * MINUTE, score=score)


def library(weights: dict[str, float]) -> str:
    """The policy in C."""
    rows = "".join(
        f'        {{.name = "{name}", .usual = {weights[name]!r}, .lowest = -{BOUND}, .highest = {BOUND}, '
        '.meaning = "learned weight"},\n'
        for name in FEATURES)
    figures = ",\n".join(f"        {c}" for _, c in FEATURES.values())
    return TEMPLATE.replace("ROWS", rows).replace("FIGURES", figures).replace("COUNT", str(len(FEATURES)))


TEMPLATE = """\
/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Written by train.py: starts work where a learned linear score is above zero, and asks again a quarter of an hour later.
 *
 * Build:  cc -O2 -std=c11 -Wall -ffp-contract=off -shared -fPIC -o learned.so learned.c -lm
 */
#include "flotsam_policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = COUNT };

static double hours(flotsam_duration length) {
    return fmin(1.0, log1p((double)(length < 0 ? 0 : length) / 3.6e12) / log1p(168.0));
}

static void *make(const flotsam_arguments *arguments) {
    double *weights = malloc(FEATURES * sizeof *weights);
    if (!weights) abort();
    return memcpy(weights, arguments->values, FEATURES * sizeof *weights);
}

static void *copy(const void *state) {
    double *weights = malloc(FEATURES * sizeof *weights);
    if (!weights) abort();
    return memcpy(weights, state, FEATURES * sizeof *weights);
}

static flotsam_decision decide(void *state, const flotsam_request *r, const flotsam_device *d) {
    const double *weights = state;
    const double features[FEATURES] = {
FIGURES,
    };
    double score = 0;
    for (int index = 0; index < FEATURES; index++) score += weights[index] * features[index];
    flotsam_decision decision = score > 0
        ? flotsam_proceed(FLOTSAM_OWN_RULE)
        : flotsam_wait(FLOTSAM_OWN_RULE + 1, d->now + FLOTSAM_SECONDS(900), 0);
    decision.score = score;
    return decision;
}

const flotsam_scheduling *flotsam_scheduling_policy(uint32_t version) {
    static const flotsam_parameter parameters[] = {
ROWS    };
    static const flotsam_rule_text rules[] = {
        {"worth-it", "the learned score was above zero"},
        {"not-worth-it", "the learned score was below zero"},
    };
    static const flotsam_scheduling policy = {
        .about = {.version = FLOTSAM_POLICY_VERSION,
                  .name = "learned",
                  .summary = "Starts work where a learned linear score is above zero.",
                  .source = "docs/examples/learned-policy/train.py",
                  .parameters = parameters,
                  .parameter_count = FEATURES,
                  .rules = rules,
                  .rule_count = 2},
        .create = make,
        .destroy = free,
        .copy = copy,
        .decide = decide,
    };
    return version == FLOTSAM_POLICY_VERSION ? &policy : NULL;
}
"""

if __name__ == "__main__":
    serve(Learned)
