// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import SchedulingPolicies
import Vocabulary

extension PolicyCatalog {
    /// The policies that come with the simulator.
    public static var builtIn: PolicyCatalog {
        PolicyCatalog(eviction: EvictionPolicies.all, scheduling: SchedulingPolicies.all)
    }
}
