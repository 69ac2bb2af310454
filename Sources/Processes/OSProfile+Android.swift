// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Vocabulary

/// The generations of Android.
///
/// Source: the Android Open Source Project, `services/core/java/com/android/server/am` (`ActivityManagerConstants`,
/// `CachedAppOptimizer`, `ProcessList`, `OomAdjuster`) and `system/memory/lmkd`. The policy `lmkd` chooses the victims.
/// There is no reaper, no freezer that writes to storage and no limit for a single process.
extension OSProfile {
    static let androidGenerations: [OSGeneration] = [
        OSGeneration(name: "android-13", summary: "lmkd, trim levels, jobs by bucket; cached apps freeze after 10 min")
        {
            ram in
            var profile = android(ram: ram)
            profile.lifeCycle.backgroundGrace = .minutes(10)
            (profile.exactAlarms, profile.holdsBroadcasts) = (true, false)
            profile.sendsTrimLevels = true
            // In lmkd.cpp of Android 13, thrashing is critical at twice the limit, and the high watermark alone causes
            // no kill.
            profile.ownEviction = "lmkd[critical-thrashing=2,low-score=1001]"
            (profile.shortServiceTime, profile.userJobTime) = (.day, .zero)
            return profile
        },
        OSGeneration(
            name: "android-14", summary: "as android-13, but without trim levels; cached apps freeze after 10 s"
        ) {
            ram in android(ram: ram)
        },
        OSGeneration(
            name: "android-15", summary: "as android-14, but foreground services for data run for at most 6 h a day"
        ) { ram in
            var profile = android(ram: ram)
            profile.serviceTime = .hours(6)
            return profile
        },
        OSGeneration(name: "android-16", summary: "as android-15, with longer windows for job quotas") {
            ram in
            var profile = android(ram: ram)
            profile.serviceTime = .hours(6)
            profile.ownScheduling = "jobscheduler[quotas=present,doze=motion]"
            return profile
        },
    ]

    /// The rules that Android 13 to 16 have in common.
    private static func android(ram: ByteCount) -> OSProfile {
        // Policies without their own trigger need a threshold where lmkd has its watermarks. Values of 5 and 4 %, as on
        // iOS, are an assumption. Above the threshold, no process is killed for being idle or above a limit.
        let critical = ram <= .gibibytes(3) ? 0.05 : 0.04
        var profile = OSProfile(criticalShare: critical, idleShare: critical, softShare: critical)
        profile.family = .android
        profile.ownEviction = "lmkd"
        profile.ownScheduling = "jobscheduler[doze=motion]"
        // From Android 14 on, apps are not notified of short memory (ComponentCallbacks2: RUNNING_MODERATE to COMPLETE
        // "not notified since API 34"). Until then, they get trim levels, which do not depend on pages outside the
        // compressor. So only tasks that wait for memory set a level, and from Android 14 on nothing does.
        (profile.warningBelow, profile.normalAbove, profile.criticalBelow, profile.warningAbove) = (0, 0, 0, 0)
        profile.fullCompressorKills = false
        profile.warnedFootprint = .gibibytes(1024)
        // A started service of an app in the background is stopped when the app's uid becomes idle, after 60 s.
        profile.assertionLength = .seconds(60)
        profile.hasContinuedProcessing = true
        (profile.exactAlarms, profile.holdsBroadcasts) = (false, true)
        (profile.shortServiceTime, profile.userJobTime) = (.minutes(3), .hours(12))
        var rules = LifeCycleRules()
        rules.prewarms = false
        rules.backgroundGrace = .seconds(10)
        rules.previousTime = .seconds(60)
        rules.workGrace = .seconds(10)
        rules.graceKeepsAwake = false
        rules.killsAtExpiration = false
        // No watchdog ends a launch. A window that does not answer input for 5 s is reported to the user, who closes it
        // (assumption). A job has no limit of processor time besides its length.
        rules.launchLimit = .days(1)
        rules.updateLimit = .seconds(5)
        rules.processorTime = .days(1)
        profile.lifeCycle = rules
        return profile
    }
}
