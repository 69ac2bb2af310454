// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Vocabulary

/// The rules of the operating system for kills and protection, which no policy changes.
///
/// The source is Apple's published kernel xnu-11417.101.15 (iOS 18), `bsd/sys/kern_memorystatus.h` and
/// `bsd/kern/kern_memorystatus*.c`, unless a line names another source. The reaper and the freezer are off unless a
/// profile enables them. Rules for daemons, limits and assertions apply only if a process with traits has been spawned.
public struct OSProfile: Sendable {
    /// The generation on which the rules are based; empty if the rules are written out.
    public var generation = ""
    /// Band of a suspended process that has finished ageing (`JETSAM_PRIORITY_IDLE`).
    public var idleBand: Int16 = 0
    /// Band of an app that has just left a higher band (`AGING_BAND2`).
    public var justLeftBand: Int16 = 20
    /// Band of an app that works in the background (`MAIL`/`ELEVATED_INACTIVE`; some releases use 30).
    public var workingBand: Int16 = 40
    /// Band of visible apps.
    public var foregroundBand: Int16 = 100
    /// Band of audio playback.
    public var audioBand: Int16 = 120
    /// Lowest band of processes that are killed only when no lower process is left (what the user sees or hears).
    public var protectedBand: Int16 = 100
    /// Time for which an app stays in the just-left band before it becomes idle (managed apps: 2 s).
    public var agingDelay: SimDuration = .seconds(2)

    /// Share of the kernel's memory below which any process can be killed.
    public var criticalShare: Double
    /// Share of the kernel's memory below which idle processes are killed.
    public var idleShare: Double
    /// Share of the kernel's memory below which processes above their limits are killed.
    public var softShare: Double

    /// Share of pages outside the compressor below which the level rises to warning (`vm_pageout.c`).
    public var warningBelow: Double = 0.50
    /// Share of pages outside the compressor above which the level falls from warning to normal.
    public var normalAbove: Double = 0.60
    /// Share of pages outside the compressor below which the level rises to critical.
    public var criticalBelow: Double = 0.30
    /// Share of pages outside the compressor above which the level falls from critical to warning.
    public var warningAbove: Double = 0.35
    /// Whether a full compressor alone means critical pressure, and causes kills until it is not full.
    ///
    /// Source: `VM_CHECK_FOR_COMPRESSOR_SPACE`, `vm_compressor_low_on_space`. On Android, a full zram alone causes no
    /// kill: `lmkd.cpp` also checks for stalls, and then for free swap.
    public var fullCompressorKills = true
    /// Smallest footprint of processes that are notified of pressure.
    public var warnedFootprint: ByteCount = .mebibytes(6)
    /// Lowest band of processes that are notified of pressure.
    public var warnedBand: Int16 = 20

    /// Whether Android's trim levels notify processes of short memory and of their risk of being killed.
    ///
    /// True until Android 13 (`AppProfiler.java`; `ComponentCallbacks2`: "not notified since API 34").
    public var sendsTrimLevels = false
    /// Memory that a cached app drops at a trim level, as a share of what an app drops at a warning.
    ///
    /// Assumption, 0 to 100 %: the model's background footprint already excludes the dropped memory. The footprint also
    /// excludes this memory on later systems, because `BACKGROUND` is sent with every freeze.
    public var trimDrop = 0.0

    /// Time between two notices, unless memory is very short (`INTER_NOTIFICATION_DELAY`).
    public var noticeSpacing: SimDuration = .milliseconds(250)
    /// Time after a full round of notices without a search for processes (`memorystatus_vm_pressure_monitor`).
    public var noticeRest: SimDuration = .seconds(25)
    /// Time at one level after which all processes are notified again.
    public var noticeRepeat: SimDuration = .minutes(30)
    /// Time for which a drop of the level must last before it is announced (`vm_pressure_level_transition_threshold`).
    public var noticeDropDelay: SimDuration = .seconds(5)

    /// Band of a daemon that has just become clean (`AGING_BAND1`).
    public var daemonAgingBand: Int16 = 10
    /// Band of an ageing daemon that still has an importance assertion (since xnu-11215).
    ///
    /// If there is no such band, the daemon ages for another delay instead.
    public var stuckAgingBand: Int16? = 15
    /// Time for which a daemon with an importance assertion stays in the stuck band.
    public var stuckDelay: SimDuration = .seconds(30)
    /// Band of a process that is pinned while it is inactive (`ELEVATED_INACTIVE`).
    public var elevatedBand: Int16 = 40
    /// Band of frozen processes.
    public var frozenBand: Int16 = 75
    /// Time for which a clean daemon ages, by its relaunch record: low or unknown, medium, high.
    public var daemonAging: [SimDuration] = [.seconds(2), .seconds(5), .seconds(10)]

    /// Share of the kernel's memory below which long idle processes are killed; nil without a reaper (before
    /// xnu-11417).
    public var reaperShare: Double?
    /// Idle time after which the reaper kills a process.
    public var reapedAfter: SimDuration = .minutes(5)
    /// Least time between two sweeps of the reaper (5 min; 30 s from iOS 18.5).
    public var reaperRescan: SimDuration = .minutes(5)
    /// Share of available memory at or below which the killer can begin an aggressive march.
    public var aggressiveShare = 0.07
    /// Least number of idle and ageing processes for an aggressive march.
    public var aggressiveCandidates = 5
    /// Length of the window in which repeated aggressive marches are counted.
    public var aggressiveWindow: SimDuration = .seconds(6)
    /// Highest bands of the first, second, third … march in a window; the last value repeats.
    public var aggressiveBands: [Int16] = [40, 40, 80, 80, 150]
    /// Time for which a level above normal can last before idle processes are killed.
    public var sustainedAfter: SimDuration = .minutes(10)
    /// Time between two kills for sustained pressure.
    public var sustainedSpacing: SimDuration = .milliseconds(500)
    /// The freezer's rules; nil if there is no freezer.
    public var freezer: FreezerRules?
    /// App swap; nil on phones, and on tablets without app swap.
    public var appSwap: AppSwapRules?
    /// Android's write-back of idle compressed pages; nil for no write-back.
    public var writeback: WritebackRules?
    /// Time until the crash report of a process is written; its memory is kept until then.
    ///
    /// Reports are written for processes that crashed or were killed at a fatal limit. The default is zero. No source
    /// states how long ReportCrash takes; 1 to 30 s is an assumption.
    public var corpseTime = SimDuration.zero
    /// Largest number of corpses at one time (`DEFAULT_TOTAL_CORPSES_ALLOWED`, `osfmk/corpses/task_corpse.h`).
    public var corpses = 5
    /// Whether the critical threshold is raised to the idle threshold while any process is idle.
    ///
    /// True before iOS 18; those systems have no separate idle exit.
    public var idleRaisesCritical = false
    /// Total time for which an app may hold task assertions after it left the screen.
    ///
    /// 30 s since iOS 13 (Apple developer forums, thread 85066), 180 s from iOS 7 to 12, 600 s before (lengths logged
    /// as `permittedBackgroundDuration`).
    public var assertionLength: SimDuration = .seconds(30)
    /// Size of one band of the system's own count, on the scale of 0 to 210: 10 before iOS 16, then 1.
    public var bandUnit: Int16 = 1
    /// Whether apps can request continued processing (`BGContinuedProcessingTaskRequest`, iOS 26).
    public var hasContinuedProcessing = false
    /// Clocks, watchdogs and callbacks of the life cycle.
    public var lifeCycle = LifeCycleRules()
    /// Limit of an app's continued work within 24 h while the app is off screen; an open of the app restarts the count.
    ///
    /// The value of one day means no limit. Android 15 allows the services of the types `dataSync` and
    /// `mediaProcessing` 6 h each (developer.android.com, "Foreground service timeouts").
    public var serviceTime = SimDuration.day
    /// Time limit of a service of the type `shortService` from its start; the value of one day means no limit.
    ///
    /// Android 14 allows three minutes (developer.android.com, "Foreground service types").
    public var shortServiceTime = SimDuration.day
    /// Time limit of a user-initiated job from its start; one day means no limit, and zero means that there are none.
    ///
    /// Android 14 allows twelve hours (AOSP `JobSchedulerService.java`, `RUNTIME_UI_LIMIT_MS`).
    public var userJobTime = SimDuration.day
    /// Whether apps that request exact alarms have the permission; ignored on systems without alarms.
    ///
    /// From Android 14, newly installed apps that target 13 or later get the permission only from the user
    /// (developer.android.com, "Behavior changes: all apps", Android 14).
    public var exactAlarms = true
    /// Whether broadcasts to cached apps wait.
    ///
    /// Broadcasts to receivers in the manifest wait for two minutes. Broadcasts to receivers registered at run time
    /// wait until the app leaves the cache. True from Android 14 on (developer.android.com, "Behavior changes: all
    /// apps"; AOSP `BroadcastConstants.java`).
    public var holdsBroadcasts = false
    /// Family of the operating system.
    public var family = SystemFamily.ios
    /// The eviction policy of the system, as named in experiment files.
    public var ownEviction = "jetsam"
    /// The scheduling policy of the system; `opportunistic` is Flotsam's interpretation of dasd's logs.
    public var ownScheduling = "opportunistic"

    /// The profile of iOS 18 for a phone with this nominal memory.
    ///
    /// Thresholds are 5/10/15 % up to 3 GB, 4/9/15 % up to 6 GB and 4/8/12 % above (`memorystatus_init`).
    public static func ios18(ram: ByteCount) -> OSProfile {
        if ram <= .gibibytes(3) { return OSProfile(criticalShare: 0.05, idleShare: 0.10, softShare: 0.15) }
        if ram <= .gibibytes(6) { return OSProfile(criticalShare: 0.04, idleShare: 0.09, softShare: 0.15) }
        return OSProfile(criticalShare: 0.04, idleShare: 0.08, softShare: 0.12)
    }

    /// The profile of iOS 18.4 (xnu-11417), with the freezer and with the reaper's table of 20/18/16 %.
    public static func ios18Point4(ram: ByteCount) -> OSProfile {
        var profile = ios18(ram: ram)
        profile.reaperShare = ram <= .gibibytes(3) ? 0.20 : ram <= .gibibytes(6) ? 0.18 : 0.16
        profile.freezer = FreezerRules()
        return profile
    }

    /// Creates a profile with the bands of iOS 16 to 18 and the given thresholds.
    public init(criticalShare: Double, idleShare: Double, softShare: Double) {
        self.criticalShare = criticalShare
        self.idleShare = idleShare
        self.softShare = softShare
    }
}

extension OSProfile {
    /// The keys of this profile in files, with their allowed values.
    public static let keys: [FileKey<OSProfile>] = [
        .integer(\.idleBand, "idle_band", 0...210, example: "0"),
        .integer(\.justLeftBand, "just_left_band", 0...210, example: "0"),
        .integer(\.workingBand, "working_band", 0...210, example: "0"),
        .integer(\.foregroundBand, "foreground_band", 0...210, example: "0"),
        .integer(\.audioBand, "audio_band", 0...210, example: "0"),
        .integer(\.protectedBand, "protected_band", 0...210, example: "0"),
        .time(\.agingDelay, "aging_delay"),
        .share(\.criticalShare, "critical_share"),
        .share(\.idleShare, "idle_share"),
        .share(\.softShare, "soft_share"),
        .share(\.warningBelow, "warning_below"),
        .share(\.normalAbove, "normal_above"),
        .share(\.criticalBelow, "critical_below"),
        .share(\.warningAbove, "warning_above"),
        .flag(\.fullCompressorKills, "full_compressor_kills"),
        .bytes(\.warnedFootprint, "warned_footprint"),
        .integer(\.warnedBand, "warned_band", 0...210, example: "0"),
        .flag(\.sendsTrimLevels, "trim_levels"),
        .share(\.trimDrop, "trim_drop"),
        .time(\.assertionLength, "assertion_length"),
        .flag(\.hasContinuedProcessing, "continued_processing"),
        .time(\.serviceTime, "service_time"),
        .time(\.shortServiceTime, "short_service_time"),
        .time(\.userJobTime, "user_job_time"),
        .time(\.corpseTime, "corpse_time"),
        .integer(\.corpses, "corpses", 0...1000, example: "5"),
        .flag(\.exactAlarms, "exact_alarms"),
        .flag(\.holdsBroadcasts, "hold_broadcasts"),
    ]

    /// The reaper's share in files, where `none` means no reaper.
    private var statedReaperShare: Double {
        get { reaperShare ?? 0 }
        set { reaperShare = newValue > 0 ? newValue : nil }
    }

    /// The keys of the reaper, with their allowed values.
    public static let reaperKeys: [FileKey<OSProfile>] = [
        .share(\.statedReaperShare, "reaper_share"),
        .time(\.reapedAfter, "reaped_after"), .time(\.reaperRescan, "reaper_rescan"),
    ]
}
