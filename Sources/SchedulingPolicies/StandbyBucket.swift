// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Background work that Android allows an app, depending on how recently the app was used.
///
/// Source: AOSP QuotaController. One set of quotas is for Android 12 to 15, the other for builds with Android 16's
/// quotas.
extension StandbyBucket {
    /// Work that an app in this bucket may do within a rolling window.
    struct Quota: Equatable {
        var runTime: SimDuration
        var window: SimDuration
        var jobs: Int
        var sessions: Int
    }

    /// The quota of Android 12 to 15.
    var quota: Quota {
        switch self {
        case .active: Quota(runTime: .minutes(10), window: .minutes(10), jobs: 75, sessions: 75)
        case .workingSet: Quota(runTime: .minutes(10), window: .hours(2), jobs: 120, sessions: 10)
        case .frequent: Quota(runTime: .minutes(10), window: .hours(8), jobs: 200, sessions: 8)
        case .rare: Quota(runTime: .minutes(10), window: .hours(24), jobs: 48, sessions: 3)
        case .restricted: Quota(runTime: .minutes(10), window: .hours(24), jobs: 10, sessions: 1)
        }
    }

    /// Time that an app in this bucket has for expedited jobs in 24 hours (`EJ_LIMIT_…_MS`), for Android 16 or for 12
    /// to 15.
    func expeditedTime(isPresent: Bool) -> SimDuration {
        switch self {
        case .active: .minutes(30)
        case .workingSet: .minutes(isPresent ? 15 : 30)
        case .frequent, .rare: .minutes(10)
        case .restricted: .minutes(5)
        }
    }

    /// Time that an app in the bucket EXEMPTED has for expedited jobs in 24 hours.
    static let exemptedExpeditedTime = SimDuration.minutes(60)

    /// The quota of Android 16.
    var presentQuota: Quota {
        var quota = quota
        switch self {
        case .active:
            quota.runTime = .minutes(20)
            quota.window = .minutes(30)
        case .workingSet: quota.window = .hours(4)
        case .frequent: quota.window = .hours(12)
        case .rare, .restricted: break
        }
        return quota
    }
}
