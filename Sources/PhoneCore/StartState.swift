// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Vocabulary

extension SystemProcess {
    /// A process in the state in which the report of a real phone shows it.
    ///
    /// Properties that are not in the daemons' traits follow from the band: from the foreground on, a daemon is one
    /// that the phone needs. Apps of the reported phone are not used in the run: they only occupy memory.
    public init(standing process: StartingProcess, named name: String, gap: SimDuration) {
        let traits = process.traits
        let band = process.requestedBand ?? traits.band
        let kind: Kind =
            traits.isManaged ? .residentApp : traits.allowsIdleExit ? .idleExit : band < 100 ? .working : .core
        self.init(name: name, kind: kind, band: band, footprint: process.footprint, gap: gap)
        start = process
    }
}
