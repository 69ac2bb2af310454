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

enum { FEATURES = 15 };

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
        {.name = "one", .usual = 1.865111, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "charging", .usual = -0.220652, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "wifi", .usual = 0.737351, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "radio-up", .usual = -2.387422, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "screen-on", .usual = 0.182079, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "locked-for", .usual = -1.742306, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "processing", .usual = -5.749201, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "waiting", .usual = 0.083562, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "since-opened", .usual = -0.64817, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "since-run", .usual = 0.229405, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "likelihood", .usual = 1.360437, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "root-likelihood", .usual = -1.209053, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "likelihood-since-run", .usual = 0.899421, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "seen-since-run", .usual = -0.705533, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
        {.name = "running", .usual = 0.62219, .lowest = -100.0, .highest = 100.0, .meaning = "learned weight"},
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
