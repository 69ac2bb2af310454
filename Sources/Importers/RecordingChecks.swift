// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Workload

extension WorkloadFile {
    /// Longest recording that is accepted, in days.
    private static let longest = 3660.0
    /// Largest plausible time per day with an app on screen, in hours.
    ///
    /// A larger value means that time with the screen off was counted.
    private static let longestDay = 22.0

    /// Shortest recording that is accepted, in days: one minute.
    private static let shortest = 1.0 / 1440

    /// Rejects impossible recordings and adds notes about implausible ones.
    ///
    /// Every import ends with this check.
    ///
    /// - Parameter mayBeIdle: Whether the format always records the screen. If so, a recording without screen time is
    ///   accepted, because it shows an unused phone.
    func checked(mayBeIdle: Bool = false) throws(Diagnostics) -> WorkloadFile {
        let days = (covered.upperBound - covered.lowerBound) / .day
        guard days <= Self.longest else {
            throw Diagnostics(
                "the rows span \(Int(days)) days, from \(start) on",
                hint: "some rows have a wrong date: leave them out, or set the last day")
        }
        guard days >= Self.shortest else {
            throw Diagnostics(
                "the recording covers \((days * 86400).rounded()) s",
                hint: "a run needs whole days: is the file cut off?")
        }
        guard mayBeIdle || events.contains(where: { Self.isUse($0.kind) }) else {
            throw Diagnostics(
                "the files contain no session, no app and no charge",
                hint: "is this the right format? flotsam data import --help lists all formats")
        }
        guard openHoursPerDay <= Self.longestDay else {
            throw Diagnostics(
                "apps are on screen for \(Int(openHoursPerDay.rounded())) hours a day",
                hint: "either the durations are in another unit, or the rows come from several phones")
        }
        var file = self
        file.notes += oddities.map { "implausible: " + $0 }
        return file
    }

    /// Whether a row is caused by the user.
    private static func isUse(_ kind: WorkloadEventKind) -> Bool {
        switch kind {
        case .unlock, .open, .switch, .plug, .unplug: true
        default: false
        }
    }
}
