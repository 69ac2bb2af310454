// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText

/// A relation between numbers that is true in real reports.
public struct JetsamCheck: Sendable, Equatable {
    /// Description of the relation.
    public let name: String
    /// Whether the relation is true; nil when the report lacks one of the numbers.
    public let holds: Bool?
    /// Values of the two sides of the relation.
    public let found: String
}

extension JetsamReport {
    /// Relations that are true in real reports, with the numbers of this report.
    ///
    /// The first relation and the last two are exact. The range of the ratio is from eight published reports of iOS 9
    /// to 14. In nine reports of iOS 9 to 15, the counted pages are 86.6 to 99 % of the memory. The check accepts a
    /// wider range, whose lower end is above 75 %, the ratio of neighbouring memory sizes.
    public func checks(nominalBytes: Int) -> [JetsamCheck] {
        [queueCheck, ratioCheck, countedCheck(nominalBytes), largestCheck, killCheck]
    }

    /// Checks that every page on a queue is anonymous or backed by a file.
    private var queueCheck: JetsamCheck {
        let name = "active + inactive + speculative = anonymous + fileBacked"
        guard let anonymous = pages.anonymous, let files = pages.fileBacked else {
            return JetsamCheck(name: name, holds: nil, found: "not in the report")
        }
        let right = anonymous + files
        return JetsamCheck(name: name, holds: pages.queued == right, found: "\(pages.queued) and \(right)")
    }

    private var ratioCheck: JetsamCheck {
        let name = "uncompressed / compressorSize from 2.4 to 3.9"
        guard pages.compressor > 0 else { return JetsamCheck(name: name, holds: nil, found: "nothing is compressed") }
        let ratio = Double(pages.uncompressed) / Double(pages.compressor)
        return JetsamCheck(name: name, holds: (2.4...3.9).contains(ratio), found: text(ratio, 2))
    }

    private func countedCheck(_ nominalBytes: Int) -> JetsamCheck {
        let share = Double(pages.counted) * Double(pageSize) / Double(max(1, nominalBytes))
        return JetsamCheck(
            name: "counted pages are 80 % to 99 % of the memory", holds: (0.80...0.99).contains(share),
            found: text(100 * share, 1) + " %")
    }

    private var largestCheck: JetsamCheck {
        let name = "largestProcess has the largest footprint"
        let alive = atStart.map { processes[$0] }
        guard let largestProcess, let most = alive.map(\.footprintPages).max() else {
            return JetsamCheck(name: name, holds: nil, found: "not in the report")
        }
        let names = alive.filter { $0.footprintPages == most }.map(\.name)
        return JetsamCheck(
            name: name, holds: names.contains(largestProcess), found: "\(largestProcess) and \(names.first ?? "")")
    }

    private var killCheck: JetsamCheck {
        let kills = kills + laterKills
        let timed = kills.filter { processes[$0].killDelta != nil }
        return JetsamCheck(
            name: "every kill has a time", holds: kills.isEmpty ? nil : timed.count == kills.count,
            found: kills.isEmpty ? "the report has no kill" : "\(timed.count) of \(kills.count)")
    }

    /// A number with one or two decimals.
    private func text(_ value: Double, _ digits: Int) -> String {
        let scale = digits == 1 ? 10.0 : 100.0
        let whole = Int((value * scale).rounded())
        let rest = String(whole % Int(scale))
        return "\(whole / Int(scale))." + String(repeating: "0", count: digits - rest.count) + rest
    }
}
