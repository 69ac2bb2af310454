// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import ForeignPolicies
import SchedulingPolicies
import Vocabulary

extension PolicyCatalog {
    /// Policies that are part of the simulator.
    ///
    /// Libraries and processes in experiments are rejected until the catalogue receives a source that permits them.
    public static var builtIn: PolicyCatalog {
        var catalog = PolicyCatalog(eviction: EvictionPolicies.all, scheduling: SchedulingPolicies.all)
        catalog.add(OwnPolicies.eviction)
        catalog.add(OwnPolicies.scheduling)
        catalog.foreign = ForeignPolicies()
        return catalog
    }
}
