// SPDX-License-Identifier: GPL-3.0-or-later

/// A policy with some of its parameters changed.
func adjusted<Policy>(_ policy: Policy, _ change: (inout Policy) -> Void) -> Policy {
    var policy = policy
    change(&policy)
    return policy
}
