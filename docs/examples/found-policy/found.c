/* SPDX-License-Identifier: GPL-3.0-or-later
 * An eviction policy that `flotsam tune --program` found: the process with the smallest product dies first.
 */
#include "flotsam_policy.h"
#include <math.h>

static double rank(void *state, const flotsam_candidate *process, flotsam_time now) {
    (void)state;
    double age = 1 + flotsam_in_seconds(now - process->last_foreground) / 60;
    double life = 1 + flotsam_in_seconds(now - process->launched) / 60;
    double opens = 1 + process->opens;
    double size = 1 + (double)process->footprint / (1 << 20);
    double launch = 1e-3 + flotsam_in_seconds(process->relaunch_time);
    return pow(age, -1.39) * pow(opens, -0.11) * pow(size, 0.0) * pow(launch, 1.79) * pow(life, 1.13);
}

static const flotsam_eviction policy = {
    .about = {.version = FLOTSAM_POLICY_VERSION, .name = "found", .summary = "A product of powers, found by search.",
              .source = "docs/examples/found-policy"},
    .rank = rank,
    .rank_lifetime = FLOTSAM_EACH_VICTIM,
};

const flotsam_eviction *flotsam_eviction_policy(uint32_t version) {
    return version == FLOTSAM_POLICY_VERSION ? &policy : NULL;
}
