import Measures
import Quantities
import Vocabulary

/// The time integral of a piecewise constant value.
package struct TimeIntegral {
    package private(set) var value: Double
    private var since: SimTime
    private var total = 0.0

    package init(_ value: Double, at time: SimTime = .zero) {
        self.value = value
        since = time
    }

    /// The value holds from now on.
    package mutating func set(_ value: Double, at now: SimTime) {
        total += self.value * (now - since).seconds
        self.value = value
        since = now
    }

    /// Forgets what was counted so far.
    package mutating func restart(at now: SimTime) {
        total = 0
        since = now
    }

    /// The integral up to now, in value-seconds.
    package func integral(until now: SimTime) -> Double { total + value * (now - since).seconds }
}

/// Everything a run counts for its metrics; set back to nothing when the warm-up ends.
package struct RunCounts {
    package var resumes = 0
    package var warm = 0
    package var cold = 0
    package var missed = 0
    package var launchSeconds = LogHistogram()
    package var kills = 0
    package var systemKills = 0
    package var regrettedKills = 0
    package var exitsBackground = [Int](repeating: 0, count: ExitCategory.allCases.count)
    package var exitsForeground = [Int](repeating: 0, count: ExitCategory.allCases.count)
    package var lostWork = 0.0
    package var restoredLaunches = 0
    package var unrestoredLaunches = 0
    package var warnings = 0
    package var freshness = LogHistogram()
    package var sinceRefreshSum = 0.0
    package var sinceRefreshCount = 0
    package var refreshes = 0
    package var wastedRefreshes = 0
    package var refreshGaps = LogHistogram()
    /// Gaps between refreshes of an app in daily use that contain four in the morning and are shorter than a day, and
    /// those of them of 6 to 13 hours.
    package var nights = (all: 0, long: 0)
    package var calibration = Calibration()
    package var processingCompleted = 0
    package var processingEnded = 0
    package var launchesEnded = 0
    package var launchesExpired = 0
    package var pushesSent = 0
    package var pushesDelivered = 0
    package var pushDelay = LogHistogram()
    package var silentSent = 0
    package var silentDelivered = 0
    package var silentDelay = LogHistogram()
    package var answeredAlerts = 0
    package var callsMissed = 0
    package var modesCut = 0
    package var heldSeconds = 0.0
    package var transfersDone = 0
    package var transferDelay = LogHistogram()
    package var widgetReloads = 0
    package var heartbeats = 0
    package var eventLaunches = 0
    package var eventLaunchesExpired = 0
    package var cellularBytes: Int64 = 0
    package var wifiBytes: Int64 = 0
    package var batteryAt22 = (sum: 0.0, days: 0)
    package var pressureWarning = TimeIntegral(0)
    package var residentApps = TimeIntegral(0)
    package var below20 = TimeIntegral(0)
    package var dead = TimeIntegral(0)
    package var hot = TimeIntegral(0)
    package var above80 = TimeIntegral(0)
    package var firstDeath: SimTime?
    package var chargeToHalf = RunningMean()
    package var chargeToFull = RunningMean()
    package var unplugLevel = RunningMean()
    package var lowPower = TimeIntegral(0)

    /// Opens by the user.
    package var opens: Int { resumes + warm + cold }

    /// Counts a gap between refreshes of an app if it is the longest of a night so far: one whose middle lies between
    /// 21:00 and 6:00.
    package mutating func countNight(from: SimTime, to: SimTime, of app: inout AppNight) {
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
    package mutating func countOpen(_ kind: LaunchKind, seconds: Double) {
        switch kind {
        case .resume: resumes += 1
        case .warm: warm += 1
        case .cold: cold += 1
        }
        launchSeconds.add(seconds)
    }

    /// The counts of a run whose warm-up has just ended: nothing yet, but the running integrals go on.
    package func afterWarmup(at now: SimTime) -> RunCounts {
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
package struct AppNight {
    /// The day on which the night ends.
    package var day = -1
    package var longest = SimDuration.zero

    package init(day: Int = -1) { self.day = day }

    /// Six to thirteen hours, as github owntracks/ios#839 and others report.
    package var isLong: Bool { longest >= .hours(6) && longest <= .hours(13) }
}

/// A mean that has no value without anything counted.
package struct RunningMean {
    private var sum = 0.0
    private var count = 0

    package mutating func add(_ value: Double) {
        sum += value
        count += 1
    }

    package var mean: Double { count == 0 ? .nan : sum / Double(count) }
}
