// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Android's class of an app by the time since its last use; it limits jobs, alarms and messages.
///
/// Source: AOSP AppStandbyController (fallback without a predictor: the last bucket with both thresholds exceeded).
public enum StandbyBucket: Int, Sendable, CaseIterable, BitwiseCopyable {
    case active, workingSet, frequent, rare, restricted

    /// The bucket of an app, from the screen time and the wall-clock time since its last use.
    public init(screenTime: SimDuration, wall: SimDuration) {
        self = .active
        for bucket in Self.allCases where screenTime >= bucket.thresholds.screen && wall >= bucket.thresholds.wall {
            self = bucket
        }
    }

    private var thresholds: (screen: SimDuration, wall: SimDuration) {
        switch self {
        case .active: (.zero, .zero)
        case .workingSet: (.zero, .hours(12))
        case .frequent: (.hour, .hours(24))
        case .rare: (.hours(2), .hours(48))
        case .restricted: (.hours(6), .days(8))
        }
    }
}
