// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension SimTime {
    /// Day, counted from 0, and time of day: `2d14:05:30`; fractions of a second are omitted.
    public var dayAndClock: String {
        guard self != .distantFuture else { return "never" }
        let seconds = Int(seconds)
        let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
        return "\(seconds / 86400)d" + clock.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
