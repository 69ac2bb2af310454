// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary
import Workload

/// New content on the apps' servers, and the part of it that is on the phone.
package struct ContentStore {
    struct State {
        /// Time up to which content has been fetched.
        var fetchedUntil = SimTime.zero
        /// When the newest content so far appeared on the app's servers.
        var newest = SimTime(nanoseconds: -1)
        /// When the next content appears.
        var next = SimTime.distantFuture
        /// When background work last fetched content for the app; the distant future if never.
        var lastRefresh = SimTime.distantFuture
        /// Whether the last refresh since the warm-up found content that the user has not seen.
        var hasUnseenRefresh = false
    }

    private var streams: [ContentStream]
    private var recorded: ArrivalReplay?
    private var states: [State]

    init(_ specification: RunSpecification, apps: [AppModel]) {
        let course = DayCourse(
            ArrivalProfile(persona: specification.persona, startWeekday: specification.startWeekday))
        recorded = specification.workload.arrivals(.content)
        streams = recorded == nil ? apps.map { specification.content(of: $0, course) } : []
        states = Array(repeating: State(), count: apps.count)
        for index in apps.indices { states[index].next = recorded?.next(index) ?? streams[index].next() }
    }

    /// When background work last fetched content for an app; the distant future if never.
    package func lastRefresh(of app: AppID) -> SimTime { states[Int(app.index)].lastRefresh }

    /// Age of an app's copy of its content, in seconds: the time since the last fetch.
    package func copyAge(of app: AppID, at now: SimTime) -> Double {
        (now - states[Int(app.index)].fetchedUntil).seconds
    }

    /// Adds the content that appears on an app's servers up to an instant.
    private mutating func advance(_ index: Int, to now: SimTime) {
        guard states[index].next <= now else { return }
        if recorded == nil {
            (states[index].newest, states[index].next) = streams[index].pass(now)
            return
        }
        while states[index].next <= now, let next = recorded?.next(index) {
            states[index].newest = states[index].next
            states[index].next = next
        }
    }

    /// Records that the user opens an app; returns the age, in seconds, of the newest content that the app lacks.
    package mutating func opened(_ app: AppID, at now: SimTime) -> Double {
        let index = Int(app.index)
        advance(index, to: now)
        states[index].hasUnseenRefresh = false
        return states[index].newest > states[index].fetchedUntil ? (now - states[index].newest).seconds : 0
    }

    /// Ends the warm-up: content fetched during it counts neither as seen nor as unseen.
    mutating func endWarmup() {
        for index in states.indices { states[index].hasUnseenRefresh = false }
    }

    /// Records that the app has fetched all content on its servers.
    package mutating func fetched(_ app: AppID, at now: SimTime) {
        advance(Int(app.index), to: now)
        states[Int(app.index)].fetchedUntil = now
    }

    /// Records a fetch for a silent push; returns whether the content of the last refresh was never seen.
    mutating func fetchedByPush(_ app: AppID, isInFront: Bool, at now: SimTime) -> Bool {
        let index = Int(app.index)
        let wasWasted = states[index].hasUnseenRefresh && !isInFront
        if wasWasted { states[index].hasUnseenRefresh = false }
        fetched(app, at: now)
        return wasWasted
    }

    /// Records a successful background refresh.
    ///
    /// - Returns: Whether the refresh found new content, whether the content of the last refresh was never seen, and
    ///   the time of the last refresh.
    package mutating func refreshed(
        _ app: AppID, at now: SimTime
    ) -> (foundNew: Bool, wastedLast: Bool, last: SimTime) {
        let index = Int(app.index)
        advance(index, to: now)
        let state = states[index]
        let foundNew = state.newest > state.fetchedUntil
        states[index].hasUnseenRefresh = foundNew
        states[index].fetchedUntil = now
        states[index].lastRefresh = now
        return (foundNew, state.hasUnseenRefresh, state.lastRefresh)
    }
}
