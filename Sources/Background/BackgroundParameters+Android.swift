// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension BackgroundParameters {
    /// Creates the rules of a phone with this system; the section `background` of a device file changes them.
    public init(_ family: SystemFamily) {
        self.init()
        if family == .android { followAndroid() }
    }

    /// Sets the rules of Android 13 to 16, which apply under any policy.
    ///
    /// Refreshes are periodic jobs, and silent pushes are normal messages.
    ///
    /// Sources: AOSP `JobSchedulerService.java`, `JobInfo.java`, `BroadcastConstants.java`; Firebase, "Set and manage
    /// Android message priority"; developer.android.com, "Power management resource limits".
    private mutating func followAndroid() {
        // A job may run for ten minutes (`DEFAULT_RUNTIME_MIN_GUARANTEE_MS`) and stays pending until it has run. It is
        // checked when its constraints are met.
        (refreshLimit, processingLimit) = (.minutes(10), .minutes(10))
        (refreshLife, processingLife) = (.days(365), .days(365))
        (notice, shortGrantShare, uncompletedKillShare) = (.zero, 0, 0)
        // Back-off of a job that did not succeed: 30 s, doubled each time, at most 5 h (JobInfo).
        (throttle, longestThrottle) = (.seconds(30), .hours(5))
        // Periodic work is requested once, with a period of at least 15 minutes (JobInfo, WorkManager).
        (keepsPending, leastPeriod) = (true, .minutes(15))
        // A job waits for an idle device or a battery that is not low only if the job asks for it; no job waits after a
        // boot.
        (processingNeedsIdleDevice, criticalLevel) = (false, 0)
        (herdWindow, herdWindowInUse) = (.zero, .zero)
        (energyBudget, cellularBudget) = (1e9, .mebibytes(1e9))
        // Swiping a task away ends its process but not its jobs.
        forceQuitStopsWork = false
        // Work that takes minutes at night on an iPhone is split into jobs that end well within their ten minutes. The
        // share is an assumption, 0.02 to 1. Recorded jobs took 0.1 s in the median, and most of them found nothing to
        // do. Quotas set the time between jobs.
        (processingShare, processingSpacing) = (0.3, .zero)
        // Messages have no allowance; a receiver in the background may run for 60 s.
        (pushes.perWindow, pushes.spacing, pushes.runtime) = (10_000, .zero, .seconds(60))
        (pushes.waitForWindows, pushes.waitForCamera) = (true, false)
        (pushes.missesUntilBan, pushes.hasUrgent) = (10_000, true)
        (alarms.areKept, broadcasts.areSent) = (true, true)
    }
}
