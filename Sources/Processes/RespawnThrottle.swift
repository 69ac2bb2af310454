// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Time for which launchd delays the next start of a job that keeps ending early.
///
/// The value allocates no memory. A job starts no sooner than 10 s after its last start (launchd.plist(5),
/// ThrottleInterval). After ten early ends, each further early end doubles this delay, up to 1,200 s.
///
/// Source of the number ten: the "exponential throttling grace limit" of daemons in the output of `launchctl print`
/// (github bluuuk/launchctl-dumpstate-json, README). Source of the growth and of the 1,200 s: an analysis of
/// `/sbin/launchd` in github rundesk-ai/rundesk-cli (its research on launchd, "Throttling").
///
/// An end within 10 s is early, and a life of 60 s resets the count of early ends. Source: `LAUNCHD_MIN_JOB_RUN_TIME`
/// and `LAUNCHD_REWARD_JOB_RUN_TIME` of the published launchd (github freebsd/openlaunchd,
/// `launchd/src/launchd_core_logic.c`). That version gave up after ten early ends. Assumption: the later, closed-source
/// launchd resets the count in the same way.
public struct RespawnThrottle: Sendable, BitwiseCopyable, Equatable {
    /// The least time between two starts of a job.
    public static let interval = SimDuration.seconds(10)
    private static let forgiving = SimDuration.seconds(60)
    private static let grace: UInt8 = 10
    private static let longest = SimDuration.seconds(1200)

    private var earlyEnds: UInt8 = 0

    /// Creates the throttle of a job that never ended.
    public init() {}

    /// Records that the job ended this long after its start.
    public mutating func ended(after life: SimDuration) {
        if life < Self.interval {
            // This number of early ends reaches the longest delay, so more need not be counted.
            earlyEnds = min(earlyEnds + 1, Self.grace + 7)
        } else if life >= Self.forgiving {
            earlyEnds = 0
        }
    }

    /// Least time from the last start to the next.
    public var wait: SimDuration {
        guard earlyEnds > Self.grace else { return Self.interval }
        return min(Self.longest, Self.interval * Double(1 << Int(earlyEnds - Self.grace)))
    }
}
