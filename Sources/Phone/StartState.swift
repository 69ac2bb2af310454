import EventKernel
import Processes
import Quantities
import Vocabulary

extension SystemProcess {
    /// A process as it stood in a phone that was looked at.
    ///
    /// What does not come from the daemons' traits is decided by the band: from the foreground on a daemon is one that
    /// the phone cannot do without. Apps of the phone are no apps of the run's user: they only take up memory.
    public init(standing process: StartingProcess, named name: String, gap: SimDuration) {
        let traits = process.traits
        let band = process.requestedBand ?? traits.band
        let kind: Kind =
            traits.isManaged ? .residentApp : traits.allowsIdleExit ? .idleExit : band < 100 ? .working : .core
        self.init(name: name, kind: kind, band: band, footprint: process.footprint, gap: gap)
        start = process
    }
}

extension PhoneModel {
    /// Puts the processes of a start state where they stood, once, at time zero; whether there are any.
    ///
    /// A run begins with the phone locked, so apps that were on screen or at work are suspended at once.
    mutating func placeStanding(in engine: inout PhoneEngine) -> Bool {
        guard engine.now == .zero else { return false }
        let standing = system.indices.compactMap { place in
            system[place].model.start.map { (app: AppID(apps.count + place), process: $0) }
        }
        guard !standing.isEmpty else { return false }
        processes.begin(with: standing, at: .zero)
        liveSystem += standing.count
        for (app, process) in standing
        where process.traits.isManaged && !process.isSuspended && processes.isAlive(app) {
            processes.suspend(app, at: .zero)
        }
        return true
    }
}
