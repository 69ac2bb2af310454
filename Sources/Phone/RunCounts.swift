import Quantities
import Vocabulary

/// The time integral of a piecewise constant value.
struct TimeIntegral {
    private(set) var value: Double
    private var since: SimTime
    private var total = 0.0

    init(_ value: Double, at time: SimTime = .zero) {
        self.value = value
        since = time
    }

    /// The value holds from now on.
    mutating func set(_ value: Double, at now: SimTime) {
        total += self.value * (now - since).seconds
        self.value = value
        since = now
    }

    /// Forgets what was counted so far.
    mutating func restart(at now: SimTime) {
        total = 0
        since = now
    }

    /// The integral up to now, in value-seconds.
    func integral(until now: SimTime) -> Double { total + value * (now - since).seconds }
}

/// Everything a run counts for its metrics; set back to nothing when the warm-up ends.
struct RunCounts {
    var resumes = 0
    var warm = 0
    var cold = 0
    var missed = 0
    var launchSeconds = LogHistogram()
    var kills = 0
    var systemKills = 0
    var regrettedKills = 0
    var exitsBackground = [Int](repeating: 0, count: ExitCategory.allCases.count)
    var exitsForeground = [Int](repeating: 0, count: ExitCategory.allCases.count)
    var lostWork = 0.0
    var restoredLaunches = 0
    var unrestoredLaunches = 0
    var warnings = 0
    var freshness = LogHistogram()
    var sinceRefreshSum = 0.0
    var sinceRefreshCount = 0
    var refreshes = 0
    var wastedRefreshes = 0
    var refreshGaps = LogHistogram()
    /// Gaps between refreshes of an app in daily use that contain four in the morning and are shorter than a day, and
    /// those of them of 6 to 13 hours.
    var nights = (all: 0, long: 0)
    var calibration = Calibration()
    var processingCompleted = 0
    var processingEnded = 0
    var launchesEnded = 0
    var launchesExpired = 0
    var pushesSent = 0
    var pushesDelivered = 0
    var pushDelay = LogHistogram()
    var silentSent = 0
    var silentDelivered = 0
    var silentDelay = LogHistogram()
    var answeredAlerts = 0
    var callsMissed = 0
    var modesCut = 0
    var heldSeconds = 0.0
    var transfersDone = 0
    var transferDelay = LogHistogram()
    var widgetReloads = 0
    var heartbeats = 0
    var eventLaunches = 0
    var eventLaunchesExpired = 0
    var cellularBytes: Int64 = 0
    var wifiBytes: Int64 = 0
    var batteryAt22 = (sum: 0.0, days: 0)
    var pressureWarning = TimeIntegral(0)
    var residentApps = TimeIntegral(0)
    var below20 = TimeIntegral(0)
    var dead = TimeIntegral(0)
    var hot = TimeIntegral(0)
    var above80 = TimeIntegral(0)
    var firstDeath: SimTime?
    var chargeToHalf = RunningMean()
    var chargeToFull = RunningMean()
    var unplugLevel = RunningMean()
    var lowPower = TimeIntegral(0)

    /// Opens by the user.
    var opens: Int { resumes + warm + cold }

    /// Counts a gap between refreshes of an app if it is the longest of a night so far: one whose middle lies between
    /// 21:00 and 6:00.
    mutating func countNight(from: SimTime, to: SimTime, of app: inout AppNight) {
        let gap = to - from
        let middle = from + gap * 0.5 + .hours(3)
        guard gap < .day, middle.hourOfDay < 9 else { return }
        if app.day != middle.day {
            app = AppNight(day: middle.day)
            nights.all += 1
        } else if app.isLong {
            nights.long -= 1
        }
        app.longest = max(app.longest, gap)
        if app.isLong { nights.long += 1 }
    }

    /// Counts an open by the user and how long it took.
    mutating func countOpen(_ kind: LaunchKind, seconds: Double) {
        switch kind {
        case .resume: resumes += 1
        case .warm: warm += 1
        case .cold: cold += 1
        }
        launchSeconds.add(seconds)
    }

    /// The counts of a run whose warm-up has just ended: nothing yet, but the running integrals go on.
    func afterWarmup(at now: SimTime) -> RunCounts {
        var fresh = RunCounts()
        fresh.pressureWarning = pressureWarning
        fresh.residentApps = residentApps
        fresh.below20 = below20
        fresh.dead = dead
        fresh.hot = hot
        fresh.above80 = above80
        fresh.lowPower = lowPower
        fresh.pressureWarning.restart(at: now)
        fresh.residentApps.restart(at: now)
        fresh.below20.restart(at: now)
        fresh.dead.restart(at: now)
        fresh.hot.restart(at: now)
        fresh.above80.restart(at: now)
        fresh.lowPower.restart(at: now)
        return fresh
    }
}

/// The longest gap between refreshes of an app in a night.
struct AppNight {
    /// The day on which the night ends.
    var day = -1
    var longest = SimDuration.zero

    /// Six to thirteen hours, as github owntracks/ios#839 and others report.
    var isLong: Bool { longest >= .hours(6) && longest <= .hours(13) }
}
