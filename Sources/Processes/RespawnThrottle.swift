// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// How long launchd holds back the next start of a job that keeps ending early; no memory beside the value.
///
/// A job starts no sooner than 10 s after its last start (launchd.plist(5), ThrottleInterval). After ten early ends in
/// a row each further one doubles that, up to 1,200 s. The ten are the "exponential throttling grace limit" of daemons
/// that `launchctl print` shows (github bluuuk/launchctl-dumpstate-json, README); how the time grows, and the 1,200 s,
/// are what github rundesk-ai/rundesk-cli (its research on launchd, "Throttling") reads in `/sbin/launchd`.
/// Early is an end within the 10 s, and a life of 60 s forgives all before: `LAUNCHD_MIN_JOB_RUN_TIME` and
/// `LAUNCHD_REWARD_JOB_RUN_TIME` of the launchd whose source is public (github freebsd/openlaunchd,
/// `launchd/src/launchd_core_logic.c`), which gave up after ten. Assumption: the later one, whose source is closed,
/// forgives as it did.
public struct RespawnThrottle: Sendable, BitwiseCopyable, Equatable {
    /// The least time between two starts of a job.
    public static let interval = SimDuration.seconds(10)
    private static let forgiving = SimDuration.seconds(60)
    private static let grace: UInt8 = 10
    private static let longest = SimDuration.seconds(1200)

    private var earlyEnds: UInt8 = 0

    /// Creates the throttle of a job that never ended.
    public init() {}

    /// The job ended so long after its start.
    public mutating func ended(after life: SimDuration) {
        if life < Self.interval {
            // As many as reach the longest interval are enough.
            earlyEnds = min(earlyEnds + 1, Self.grace + 7)
        } else if life >= Self.forgiving {
            earlyEnds = 0
        }
    }

    /// The time from the last start to the next at the earliest.
    public var wait: SimDuration {
        guard earlyEnds > Self.grace else { return Self.interval }
        return min(Self.longest, Self.interval * Double(1 << Int(earlyEnds - Self.grace)))
    }
}
