// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import ForeignPolicies
import SchedulingPolicies
import Vocabulary

extension PolicyCatalog {
    /// The policies that come with the simulator.
    ///
    /// Libraries and processes that experiments name are refused until the catalogue gets a source with another gate.
    public static var builtIn: PolicyCatalog {
        var catalog = PolicyCatalog(eviction: EvictionPolicies.all, scheduling: SchedulingPolicies.all)
        catalog.add(OwnPolicies.eviction)
        catalog.add(OwnPolicies.scheduling)
        catalog.foreign = ForeignPolicies()
        return catalog
    }
}
