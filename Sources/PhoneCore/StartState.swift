// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

extension SystemProcess {
    /// A process in the state that a report of a real phone shows.
    ///
    /// Properties that are not in the process's traits are derived from its band. A daemon in the foreground band or
    /// above counts as needed by the phone. Apps of the reported phone are not used in the run and only occupy memory.
    public init(standing process: StartingProcess, named name: String, gap: SimDuration) {
        let traits = process.traits
        let band = process.requestedBand ?? traits.band
        let kind: Kind =
            traits.isManaged ? .residentApp : traits.allowsIdleExit ? .idleExit : band < 100 ? .working : .core
        self.init(name: name, kind: kind, band: band, footprint: process.footprint, gap: gap)
        start = process
    }
}
