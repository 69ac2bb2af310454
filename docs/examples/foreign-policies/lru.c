/* SPDX-License-Identifier: GPL-3.0-or-later
 * `lru` of Flotsam as a library: cc -O2 -std=c11 -ffp-contract=off -shared -fPIC -o lru.so lru.c */
#include "flotsam_policy.h"

static double rank(void *state, const flotsam_candidate *candidate, flotsam_time now) {
    (void)state, (void)now;
    return flotsam_in_seconds(candidate->last_foreground);
}

const flotsam_eviction *flotsam_eviction_policy(uint32_t version) {
    static const flotsam_eviction policy = {
        .about = {.version = FLOTSAM_POLICY_VERSION,
                  .name = "c-lru",
                  .summary = "The app that the user has not seen for the longest time.",
                  .source = "Mattson et al. 1970, doi:10.1147/sj.92.0078"},
        .rank = rank,
    };
    return version == FLOTSAM_POLICY_VERSION ? &policy : NULL;
}
