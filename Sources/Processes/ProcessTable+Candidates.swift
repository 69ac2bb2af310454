// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

extension ProcessTable {
    /// The available memory below which a kill for this reason occurs; nil for reasons with another trigger.
    public func threshold(of reason: KillReason) -> ByteCount? {
        switch reason {
        case .pageShortage: ranking.policyTriggers ? nil : ByteCount(thresholdBytes.critical)
        case .idleExit: ByteCount(thresholdBytes.idle)
        default: nil
        }
    }

    /// The next candidates for a kill, in order, at most `limit` of them.
    ///
    /// This sorts all living processes and is only for explanations.
    func nextCandidates(_ limit: Int, idleOnly: Bool) -> [KillCandidate] {
        ranking.ordered(idleOnly: idleOnly).prefix(limit).map { entry in
            let record = processes[entry.member]
            return KillCandidate(
                app: AppID(entry.member), rank: entry.key.rank, band: record.band,
                footprint: ByteCount(processes[entry.member].ledgerFootprint), lastForeground: record.lastForeground)
        }
    }
}
