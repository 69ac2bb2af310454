/* SPDX-License-Identifier: GPL-3.0-or-later
 * `periodic` of Flotsam as a library: cc -O2 -std=c11 -ffp-contract=off -shared -fPIC -o periodic.so periodic.c */
#include "flotsam_policy.h"

#include <stdlib.h>

typedef struct {
    flotsam_duration every;
} periodic;

static void *make(const flotsam_arguments *arguments) {
    periodic *self = malloc(sizeof *self);
    if (!self) abort();
    self->every = FLOTSAM_SECONDS(arguments->values[0]);
    return self;
}

static void *copy(const void *state) {
    periodic *second = malloc(sizeof *second);
    if (!second) abort();
    *second = *(const periodic *)state;
    return second;
}

static flotsam_decision decide(void *state, const flotsam_request *request, const flotsam_device *device) {
    const periodic *self = state;
    flotsam_time next = request->last_run + self->every;
    if (device->now >= next) return flotsam_proceed(FLOTSAM_RULE_IMMEDIATE);
    return flotsam_wait(FLOTSAM_RULE_RATE_LIMIT, next, 0);
}

const flotsam_scheduling *flotsam_scheduling_policy(uint32_t version) {
    static const flotsam_parameter parameters[] = {
        {.name = "every", .dimension = FLOTSAM_DURATION, .usual = 900, .lowest = 1, .highest = 604800,
         .meaning = "Shortest time between two starts for one app (JobInfo: at least 15 min)"},
    };
    static const flotsam_scheduling policy = {
        .about = {.version = FLOTSAM_POLICY_VERSION,
                  .name = "c-periodic",
                  .summary = "Starts each app's work at most once per period.",
                  .source = "Android JobInfo: periodic jobs, shortest period 15 min",
                  .parameters = parameters,
                  .parameter_count = 1},
        .create = make,
        .destroy = free,
        .copy = copy,
        .decide = decide,
    };
    return version == FLOTSAM_POLICY_VERSION ? &policy : NULL;
}
