import Processes
import Quantities
import Vocabulary
import Workload

extension PhoneModel {
    /// Lets content appear on an app's servers up to an instant.
    mutating func advanceContent(_ index: Int, to now: SimTime) {
        while runtime[index].nextContent <= now {
            runtime[index].newestContent = runtime[index].nextContent
            runtime[index].nextContent = content[index].next()
        }
    }

    /// Counts how fresh an app is at the moment the user opens it.
    mutating func countOpen(_ app: AppID, at now: SimTime) {
        let index = Int(app.index)
        advanceContent(index, to: now)
        countAnswer(app, at: now)
        let newest = runtime[index].newestContent
        let age = newest > runtime[index].fetchedUntil ? (now - newest).seconds : 0
        let wasKilledLately = now - runtime[index].killed <= .minutes(10)
        if wasKilledLately, !processes.isAlive(app) { counts.regrettedKills += 1 }
        runtime[index].killed = SimTime(nanoseconds: .min / 2)
        runtime[index].unseenRefresh = false
        if apps[index].contentPerDay > 0 { counts.freshness.add(age) }
        if refreshes(index), runtime[index].lastRefresh != .distantFuture {
            counts.sinceRefreshSum += (now - runtime[index].lastRefresh).seconds
            counts.sinceRefreshCount += 1
        }
        if tables.contains(.appDays) { dayRows[index].freshnessSecondsSum += age }
    }

    /// Whether an app ever asks for refreshes: it wants them, and its user has not switched them off.
    func refreshes(_ index: Int) -> Bool { apps[index].refreshEnabled && apps[index].refreshPeriod > .zero }

    /// What is on the app's servers now is on the phone.
    mutating func noteFetched(_ app: AppID, at now: SimTime) {
        advanceContent(Int(app.index), to: now)
        runtime[Int(app.index)].fetchedUntil = now
    }

    /// Counts a background refresh that succeeded, and says whether it brought something new.
    mutating func noteRefreshed(_ app: AppID, at now: SimTime) -> Bool {
        let index = Int(app.index)
        advanceContent(index, to: now)
        let foundNew = runtime[index].newestContent > runtime[index].fetchedUntil
        counts.refreshes += 1
        // What the last refresh brought was never seen; this one's fate is known at the next open or fetch.
        if runtime[index].unseenRefresh { counts.wastedRefreshes += 1 }
        if !foundNew { counts.wastedRefreshes += 1 }
        let last = runtime[index].lastRefresh
        if last > warmupEnd, last != .distantFuture {
            counts.refreshGaps.add((now - last).seconds)
            if last - processes.lastForeground(of: app) < .day {
                counts.countNight(from: last, to: now, of: &runtime[index].night)
            }
        }
        if tables.contains(.appDays) { dayRows[index].refreshes += 1 }
        runtime[index].unseenRefresh = foundNew
        runtime[index].fetchedUntil = now
        runtime[index].lastRefresh = now
        return foundNew
    }

    /// New content of a recorded workload.
    mutating func contentAppeared(for app: AppID, at now: SimTime) {
        runtime[Int(app.index)].newestContent = now
    }
}
