/* SPDX-License-Identifier: GPL-3.0-or-later
 * `jetsam` of Flotsam as a library: cc -O2 -std=c11 -ffp-contract=off -shared -fPIC -o jetsam.so jetsam.c */
#include "flotsam_policy.h"

static double rank(void *state, const flotsam_candidate *candidate, flotsam_time now) {
    (void)state, (void)now;
    return candidate->band;
}

const flotsam_eviction *flotsam_eviction_policy(uint32_t version) {
    static const flotsam_eviction policy = {
        .about = {.version = FLOTSAM_POLICY_VERSION,
                  .name = "c-jetsam",
                  .summary = "Lowest band first; within a band, the process whose band was set first.",
                  .source = "xnu-11417.101.15, memorystatus_kill_top_process"},
        .rank = rank,
    };
    return version == FLOTSAM_POLICY_VERSION ? &policy : NULL;
}
