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

enum { FEATURES = 17 };

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
        1.0,
        d->plugged_in,
        d->network == FLOTSAM_NETWORK_WIFI,
        d->radio_is_up,
        d->screen_on,
        d->locked ? hours(d->now - d->locked_since) : 0.0,
        r->kind == FLOTSAM_PROCESSING,
        r->kind == FLOTSAM_PROCESSING && d->plugged_in,
        r->kind == FLOTSAM_PROCESSING ? hours(d->now - r->earliest_begin) : 0.0,
        hours(d->now - r->earliest_begin),
        hours(d->now - r->last_opened),
        hours(d->now - r->last_run),
        r->open_likelihood,
        sqrt(r->open_likelihood),
        sqrt(r->open_likelihood) * hours(d->now - r->last_run),
        r->last_opened > r->last_run,
        fmin(1.0, d->running_launches / 8.0),
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
        {.name = "one", .usual = -0.045956, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "charging", .usual = 1.14205, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "wifi", .usual = 3.832146, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "radio-up", .usual = 1.946612, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "screen-on", .usual = 3.033914, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "locked-for", .usual = 1.538558, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "processing", .usual = -5.071433, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "processing-charging", .usual = 2.51746, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "processing-waiting", .usual = -0.55522, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "waiting", .usual = -4.178842, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "since-opened", .usual = -0.418857, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "since-run", .usual = -0.424836, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "likelihood", .usual = 0.728807, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "root-likelihood", .usual = 0.690239, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "likelihood-since-run", .usual = -1.759382, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "seen-since-run", .usual = -0.566676, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "running", .usual = -0.989844, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
    };
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
