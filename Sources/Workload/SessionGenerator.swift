// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import RandomStreams
import Vocabulary

/// Pick-ups and the app visits inside them (models/recordings.md, sections 5.1 to 5.4).
struct SessionGenerator: Sendable {
    /// The shortest time between two sessions (assumption: in a shorter gap, the screen never really went off).
    static let shortestGap = SimDuration.second

    /// The unit of operational time; another unit would change instants only by the rounding of a nanosecond.
    private static let gapScale = 0.41

    private let persona: Persona
    private let visits: VisitLengths
    private var clock: ActivityClock
    private var chooser: AppChooser
    private var incidents: Incidents
    private var streams: SessionStreams
    private var nextStart: SimTime
    private var stated: StatedOpens
    private var notifications: NotificationGenerator?
    private var reasons: OpenReasons?
    /// The apps in which the user watches episodes.
    private let screens: ZipfChoice

    init(persona: Persona, apps: [AppModel], startWeekday: Int, lostAlerts: Double = 0, keys: StreamKeys) {
        let active = ActiveApps(apps: apps, active: persona.apps.active, seed: keys.seed, replication: keys.replication)
        visits = VisitLengths(persona: persona, apps: apps, active: active)
        let isGame = visits.isGame
        let isVideo = visits.isVideo
        screens = ZipfChoice(active.ranked, exponent: persona.apps.zipf) { isVideo[Int($0.index)] }
        var persona = persona
        // A user without an app for episodes watches none.
        if screens.count == 0 { persona.episodes.shareOfLaunches = 0 }
        self.persona = persona
        chooser = AppChooser(
            persona: persona, active: active, isGame: { isGame[Int($0.index)] },
            stream: keys.stream("app-choice"), newAppStream: keys.stream("new-apps"))
        incidents = Incidents(persona: persona, keys: keys)
        streams = SessionStreams(keys: keys)
        reasons = OpenReasons(persona: persona, keys: keys)
        notifications = NotificationGenerator(
            persona: persona, apps: apps, active: active, startWeekday: startWeekday, lostAlerts: lostAlerts, keys: keys
        )
        stated = StatedOpens(apps: apps, visitsPerDay: Self.visitsPerDay(persona), stream: keys.stream("stated-opens"))
        clock = ActivityClock(
            persona: persona, perDay: Self.operationalTimePerDay(persona),
            calendar: DayCalendar(persona: persona, startWeekday: startWeekday, keys: keys),
            stream: keys.stream("day-factors"))
        nextStart = .zero
        scheduleNext(after: .zero)
    }

    /// Appends the sessions that start before an instant; the last one may end after it.
    mutating func generate(until end: SimTime, into intents: inout [Intent]) {
        chooser.beginDay()
        notifications?.beginDay(factor: clock.factor(day: (end - SimDuration(nanoseconds: 1)).day))
        while nextStart < end {
            let sessionEnd = appendSession(at: nextStart, to: &intents)
            scheduleNext(after: sessionEnd)
        }
        notifications?.append(until: end, to: &intents)
    }

    private mutating func scheduleNext(after end: SimTime) {
        let gap = streams.gaps.weibull(shape: persona.pickups.gapShape, scale: Self.gapScale)
        nextStart = max(clock.advance(end, by: gap), end + Self.shortestGap)
    }

    private mutating func appendSession(at start: SimTime, to intents: inout [Intent]) -> SimTime {
        let visitIndex = intents.count
        intents.append(Intent(.unlock, at: start))
        var now = start
        var last = chooser.last
        stated.beginSession()
        for number in 0..<drawAppCount() {
            guard let drawn = chooser.next(isFirstOfSession: number == 0) else { break }
            let answered = answer(at: now, inFront: number == 0 ? nil : last, to: &intents)
            let episode = answered == nil ? drawEpisode() : nil
            let unasked = answered ?? episode
            if let unasked { stated.opened(unasked) }
            let app = unasked ?? stated.next(insteadOf: drawn)
            let reason =
                answered == nil
                ? drawReason(of: app, after: last, isFirst: number == 0, at: &now, to: &intents)
                : .notification
            last = app
            let seconds =
                episode == nil
                ? visits.draw(app, &streams.visits) : persona.episodes.visit.drawStay(&streams.episodes)
            intents.append(Intent(.open, at: now, app: app, value: seconds, reason: reason))
            incidents.appendInterruption(during: seconds, of: app, from: now, to: &intents)
            appendPlugIn(during: seconds, of: app, from: now, to: &intents)
            if answered == nil { notifications?.visited(app, at: now) }
            now += .seconds(seconds)
        }
        if now == start { now += .seconds(persona.glance.drawStay(&streams.glances)) }
        incidents.appendForceQuit(of: last, at: now, to: &intents)
        intents[visitIndex].value = (now - start).seconds
        intents.append(Intent(.lock, at: now))
        return now
    }

    /// Draws how an app is opened.
    ///
    /// If another app leads the user to the first app of a session, that other app is opened first, for the length of a
    /// visit.
    private mutating func drawReason(
        of app: AppID, after last: AppID?, isFirst: Bool, at now: inout SimTime, to intents: inout [Intent]
    ) -> OpenReason {
        guard let reason = reasons?.draw() else { return .icon }
        guard reason.comesFromApp else { return reason }
        guard let last, last != app else { return .icon }
        if isFirst, var stream = reasons?.visits {
            let seconds = visits.draw(last, &stream)
            reasons?.visits = stream
            intents.append(Intent(.open, at: now, app: last, value: seconds))
            stated.opened(last)
            now += .seconds(seconds)
        }
        return reason
    }

    /// The app of a notification that the user answers now instead of the drawn open.
    private mutating func answer(at time: SimTime, inFront: AppID?, to intents: inout [Intent]) -> AppID? {
        notifications?.append(until: time, to: &intents)
        guard let app = notifications?.answer(at: time, inFront: inFront) else { return nil }
        chooser.answered(app)
        return app
    }

    /// The app of an episode that the user watches instead of the drawn open; usually nil.
    private mutating func drawEpisode() -> AppID? {
        let share = persona.episodes.shareOfLaunches
        guard share > 0, screens.count > 0, streams.episodes.uniform() < share else { return nil }
        guard let app = screens.draw(except: nil, &streams.episodes) else { return nil }
        chooser.answered(app)
        return app
    }

    /// Draws 0 for a glance, else 1 + a negative binomial number, as a gamma mixture of Poisson numbers.
    private mutating func drawAppCount() -> Int {
        let habits = persona.pickups
        if streams.counts.uniform() < habits.glanceShare { return 0 }
        guard habits.extraAppsMean > 0 else { return 1 }
        let shape = habits.extraAppsShape
        let mean = streams.counts.gamma(shape: shape, scale: habits.extraAppsMean / shape)
        return 1 + Int(streams.counts.poisson(mean: mean))
    }

    /// Appends a top-up during a visit to a game; it happens if the battery level is at most an exponential draw.
    ///
    /// The hazard is that of models/recordings.md, section 2.5.
    private mutating func appendPlugIn(
        during seconds: Double, of app: AppID, from start: SimTime, to intents: inout [Intent]
    ) {
        guard let games = persona.games, visits.isGame[Int(app.index)] else { return }
        let mayPlugIn = streams.play.uniform() < games.chargeWhilePlaying
        let level = streams.play.exponential(mean: persona.charging.topUpLevelScale)
        guard mayPlugIn else { return }
        intents.append(
            Intent(
                .topUp, at: start, value: min(level, 1), until: start + .seconds(seconds), duration: .seconds(seconds),
                watts: persona.charging.chargerPower.watts))
    }

    /// Visits of apps in a mean day.
    static func visitsPerDay(_ persona: Persona) -> Double {
        let habits = persona.pickups
        return habits.perDay * (1 - habits.glanceShare) * (1 + habits.extraAppsMean)
    }

    /// Operational time in a mean day with which sessions and gaps together give `perDay` sessions.
    ///
    /// A session uses up its gap, on average g = scale Γ(1 + 1/k). Sessions also use up the operational time that
    /// passes while the screen is on. Its share of all operational time is f. So perDay g = m (1 - f), where m is the
    /// operational time in a day. The share f is the screen time times the mean rate during sessions. Sessions are more
    /// frequent where the rate is high, so this rate is 24 Σ w².
    private static func operationalTimePerDay(_ persona: Persona) -> Double {
        let habits = persona.pickups
        let gap = gapScale * tgamma(1 + 1 / habits.gapShape)
        let withApps = (1 - habits.glanceShare) * (1 + habits.extraAppsMean) * VisitLengths.meanVisit(persona)
        let session = withApps + habits.glanceShare * persona.glance.meanStay
        let concentration =
            (5 * concentration(persona.workdayHours) + 2 * concentration(persona.freeDayHours)) / 7
        let onScreen = min(habits.perDay * session / 86400 * concentration, 0.9)
        return habits.perDay * gap / (1 - onScreen)
    }

    private static func concentration(_ weights: [Double]) -> Double {
        let total = weights.reduce(0, +)
        guard total > 0 else { return 1 }
        return 24 * weights.reduce(0) { $0 + ($1 / total) * ($1 / total) }
    }
}

/// One stream for each kind of draw in a session, so that more draws of one kind do not change the others.
struct SessionStreams: Sendable {
    var gaps: RandomStream
    var counts: RandomStream
    var visits: RandomStream
    var glances: RandomStream
    var play: RandomStream
    var episodes: RandomStream

    init(keys: StreamKeys) {
        gaps = keys.stream("gaps")
        counts = keys.stream("apps-per-session")
        visits = keys.stream("visits")
        glances = keys.stream("glances")
        play = keys.stream("charging-while-playing")
        episodes = keys.stream("episodes")
    }
}
