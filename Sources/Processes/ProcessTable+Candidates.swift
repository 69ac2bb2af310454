import Quantities
import Vocabulary

extension ProcessTable {
    /// The available memory below which a kill for this reason happens; nil for reasons with another trigger.
    public func threshold(of reason: KillReason) -> ByteCount? {
        switch reason {
        case .pageShortage: policyTriggers ? nil : ByteCount(criticalBytes)
        case .idleExit: ByteCount(idleBytes)
        default: nil
        }
    }

    /// Those who would be next to die, in order: at most so many.
    ///
    /// Sorts every living process; for explanations only.
    func nextCandidates(_ limit: Int, idleOnly: Bool) -> [KillCandidate] {
        var entries = idleHeap.entries.sorted(by: <)
        if !idleOnly {
            entries = (idleHeap.entries + workingHeap.entries).sorted(by: <) + protectedHeap.entries.sorted(by: <)
        }
        return entries.prefix(limit).map { entry in
            let index = Int(entry.process)
            return KillCandidate(
                app: AppID(index), rank: entry.rank, band: processes[index].band,
                footprint: footprint(of: AppID(index)),
                lastForeground: processes[index].lastForeground)
        }
    }
}
