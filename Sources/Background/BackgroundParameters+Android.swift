// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension BackgroundParameters {
    /// Creates the rules of a phone with a system of this family; a device's section `background` changes them.
    public init(_ family: SystemFamily) {
        self.init()
        if family == .android { followAndroid() }
    }

    /// Sets the rules of Android 13 to 16 under any policy: refreshes are periodic jobs, silent pushes are normal
    /// messages.
    ///
    /// Sources: AOSP `JobSchedulerService.java`, `JobInfo.java`, `BroadcastConstants.java`; Firebase, "Set and manage
    /// Android message priority"; developer.android.com, "Power management resource limits".
    private mutating func followAndroid() {
        // A job may run for ten minutes (`DEFAULT_RUNTIME_MIN_GUARANTEE_MS`), stays until it has run, and is looked at
        // when its constraints are met.
        (refreshLimit, processingLimit) = (.minutes(10), .minutes(10))
        (refreshLife, processingLife) = (.days(365), .days(365))
        (notice, shortGrantShare, uncompletedKillShare) = (.zero, 0, 0)
        // Back-off of a job that did not succeed: 30 s, doubled, 5 h at most (JobInfo).
        (throttle, longestThrottle) = (.seconds(30), .hours(5))
        // Periodic work is requested once, every 15 minutes at the least (JobInfo, WorkManager).
        (keepsPending, leastPeriod) = (true, .minutes(15))
        // Only jobs that ask for it wait for an idle device or a battery that is not low; no job waits after a boot.
        (processingNeedsIdleDevice, criticalLevel) = (false, 0)
        (herdWindow, herdWindowInUse) = (.zero, .zero)
        (energyBudget, cellularBudget) = (1e9, .mebibytes(1e9))
        // Swiping a task away ends its process, not its jobs.
        forceQuitStopsWork = false
        // Work that gets minutes at night on an iPhone is cut into jobs that end well within their ten minutes. That
        // share is an assumption, 0.02 to 1; recorded jobs took 0.1 s in the median, most of which found nothing to do.
        // Quotas space them.
        (processingShare, processingSpacing) = (0.3, .zero)
        // Messages have no allowance; a receiver in the background may take 60 s.
        (pushes.perWindow, pushes.spacing, pushes.runtime) = (10_000, .zero, .seconds(60))
        (pushes.waitForWindows, pushes.waitForCamera) = (true, false)
        (pushes.missesUntilBan, pushes.hasUrgent) = (10_000, true)
        (alarms.areKept, broadcasts.areSent) = (true, true)
    }
}
