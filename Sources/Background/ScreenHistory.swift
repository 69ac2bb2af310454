// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Time for which the screen was on, and how often it came on, since the user last opened each app.
///
/// The history contains two running totals and their values at each app's last open, so a change of the screen updates
/// no app.
struct ScreenHistory: Sendable {
    private struct Mark: BitwiseCopyable {
        var total = SimDuration.zero
        var cycles: Int32 = 0
    }

    private var now = Mark()
    private var onSince: SimTime?
    private var atOpen: [Mark]

    init(apps: Int) { atOpen = Array(repeating: Mark(), count: apps) }

    mutating func turned(on: Bool, at now: SimTime) {
        guard on != (onSince != nil) else { return }
        self.now.total = total(at: now)
        onSince = on ? now : nil
        if on { self.now.cycles += 1 }
    }

    mutating func recordOpen(_ app: AppID, at now: SimTime) {
        atOpen[Int(app.index)] = Mark(total: total(at: now), cycles: self.now.cycles)
    }

    func sinceOpened(_ app: AppID, at now: SimTime) -> (screenTime: SimDuration, cycles: Int32) {
        let mark = atOpen[Int(app.index)]
        return (total(at: now) - mark.total, self.now.cycles - mark.cycles)
    }

    private func total(at now: SimTime) -> SimDuration {
        onSince.map { self.now.total + (now - $0) } ?? self.now.total
    }
}
