// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import RandomStreams
import Vocabulary

/// Notifications of a user who has `Persona.Notifications`: some are independent of use, others come to apps in use.
///
/// Notifications that are independent of use follow the user's day; notifications of apps in use follow planned visits.
/// Each notification may be followed by others. The user answers some with an open, if the user opens the app at all.
///
/// An app with a rate declared in the experiment notifies at that rate, in addition to the apps that share the user's
/// notifications. Apps also show notifications that they schedule themselves, at any hour of the user's day. Such
/// notifications are not followed by others.
///
/// An open that answers a notification replaces a planned open (`answer`). Notifications therefore change which apps
/// are opened, but never how many.
struct NotificationGenerator: Sendable {
    private struct Notification: Sendable, BitwiseCopyable {
        var time: SimTime
        var app: AppID
        /// Whether the app has scheduled the notification itself.
        var isLocal = false
    }

    private let habits: Persona.Notifications
    /// An app with its own rate of notifications, and the random stream for its days.
    private struct Declared: Sendable {
        let app: AppID
        /// Notifications of a mean day, without those that follow another one.
        let perDay: Double
        let isLocal: Bool
        var stream: RandomStream
    }

    /// Apps that share the user's notifications, with the running sum of their weights.
    private let senders: [AppID]
    private let cumulative: [Double]
    private let isSender: [Bool]
    private var declared: [Declared]
    /// Apps that the user opens and lets notify; others are never answered.
    private let mayBeAnswered: [Bool]
    /// Notifications of a mean day that are independent of use, without those that follow another one.
    private let perDay: Double
    /// Mean number of notifications that a visit to a sender causes, without those that follow another one.
    private let perVisit: Double
    private var profile: ArrivalProfile
    private var arrivals: RandomStream
    private var replies: RandomStream
    private var clusters: RandomStream
    private var answering: RandomStream
    private var lost: LostAlerts
    /// Future notifications, the latest first.
    private var pending: [Notification] = []
    /// Notifications that the user will answer, each with the earliest instant of the answer.
    private var unanswered: [Notification] = []
    private var day = 0

    /// Creates the notifications; nil for a persona without notification habits if no app schedules notifications
    /// either.
    ///
    /// - Parameter lostAlerts: Share of alerts that never arrive; lost alerts are never answered.
    init?(
        persona: Persona, apps: [AppModel], active: ActiveApps, startWeekday: Int, lostAlerts: Double, keys: StreamKeys
    ) {
        let schedules = apps.contains { $0.traits.localPerDay > 0 }
        guard persona.notifications != nil || schedules else { return nil }
        let habits = persona.notifications ?? Persona.Notifications()
        self.habits = habits
        profile = ArrivalProfile(persona: persona, startWeekday: startWeekday)
        arrivals = keys.stream("notifications")
        replies = keys.stream("replies")
        clusters = keys.stream("notification-clusters")
        answering = keys.stream("answers")
        lost = LostAlerts(apps: apps, share: lostAlerts, keys: keys)
        let ranked = Self.senders(habits, apps, active, keys)
        senders = ranked
        var sum = 0.0
        cumulative = ranked.indices.map { rank in
            sum += pow(Double(rank + 1), -habits.zipf)
            return sum
        }
        var marks = [Bool](repeating: false, count: apps.count)
        for app in ranked { marks[Int(app.index)] = true }
        isSender = marks
        var answerable = [Bool](repeating: false, count: apps.count)
        for app in active.ranked where !persona.background.refuses(apps[Int(app.index)], keys) {
            answerable[Int(app.index)] = true
        }
        mayBeAnswered = answerable
        let alone = 1 - habits.burstShare - habits.followShare
        // Without notification habits, pushes are drawn by app elsewhere.
        let base = persona.notifications == nil ? 0 : persona.notificationsPerDay * alone
        declared = apps.indices.filter { base > 0 && apps[$0].isStudied && apps[$0].pushesPerDay > 0 }.map { index in
            Declared(
                app: AppID(index), perDay: apps[index].pushesPerDay * base / PushStream.referencePerDay,
                isLocal: false, stream: keys.stream("notifications", entity: apps[index].name))
        }
        declared += apps.indices.filter { apps[$0].traits.localPerDay > 0 }.map { index in
            Declared(
                app: AppID(index), perDay: apps[index].traits.localPerDay, isLocal: true,
                stream: keys.stream("local-notifications", entity: apps[index].name))
        }
        let visits = Self.visitsOfSenders(persona, active, marks)
        let inUse = visits > 0 ? habits.inUseShare : 0
        perDay = ranked.isEmpty ? 0 : base * (1 - inUse)
        perVisit = visits > 0 ? base * inUse / visits : 0
    }

    /// The apps that may notify and are not muted, ordered by their push rates and their use.
    private static func senders(
        _ habits: Persona.Notifications, _ apps: [AppModel], _ active: ActiveApps, _ keys: StreamKeys
    ) -> [AppID] {
        var rank = [Int](repeating: active.ranked.count, count: apps.count)
        for (index, app) in active.ranked.enumerated() { rank[Int(app.index)] = index }
        let able = apps.indices.filter { index in
            guard apps[index].pushesPerDay > 0, !apps[index].isStudied else { return false }
            var muting = keys.stream("muting", entity: apps[index].name)
            return muting.uniform() >= habits.mutedShare
        }
        func score(_ index: Int) -> Double {
            apps[index].pushesPerDay * pow(Double(rank[index] + 1), -habits.favourites)
        }
        return able.sorted { (score($1), apps[$0].name) < (score($0), apps[$1].name) }.map { AppID($0) }
    }

    private static func visitsOfSenders(_ persona: Persona, _ active: ActiveApps, _ isSender: [Bool]) -> Double {
        var (all, own) = (0.0, 0.0)
        for (rank, app) in active.ranked.enumerated() {
            let weight = pow(Double(rank + 1), -persona.apps.zipf)
            all += weight
            if isSender[Int(app.index)] { own += weight }
        }
        return all > 0 ? SessionGenerator.visitsPerDay(persona) * own / all : 0
    }

    /// Draws the notifications of the next day that are independent of use; `factor` is the user's activity on that
    /// day.
    mutating func beginDay(factor: Double) {
        let own = exp(habits.daySigma * arrivals.normal() - habits.daySigma * habits.daySigma / 2)
        let count = perDay > 0 ? arrivals.poisson(mean: perDay * factor * own) : 0
        for _ in 0..<count { insert(Notification(time: time(at: arrivals.uniform()), app: draw())) }
        for index in declared.indices {
            // Notifications scheduled by an app do not depend on the user's activity.
            let isLocal = declared[index].isLocal
            let mean = declared[index].perDay * (isLocal ? 1 : factor * own)
            for _ in 0..<declared[index].stream.poisson(mean: mean) {
                let time = time(at: declared[index].stream.uniform())
                insert(Notification(time: time, app: declared[index].app, isLocal: isLocal))
            }
        }
        day += 1
    }

    /// The instant of the day by which a share of its activity has passed.
    private mutating func time(at share: Double) -> SimTime {
        let first = profile.start(day: day)
        var left = share
        var hour = 0
        while hour < 23, left >= profile.share(first + hour) {
            left -= profile.share(first + hour)
            hour += 1
        }
        let within = min(left / profile.share(first + hour), 1)
        return SimTime.zero + .days(Double(day)) + .hours(Double(hour) + within)
    }

    /// Notes an app that came to the front, which may notify soon after.
    mutating func visited(_ app: AppID, at time: SimTime) {
        guard isSender[Int(app.index)], perVisit > 0 else { return }
        for _ in 0..<replies.poisson(mean: perVisit) {
            insert(Notification(time: time + .seconds(habits.replyDelay.draw(&replies)), app: app))
        }
    }

    /// Appends the notifications up to an instant, and decides which of them the user will answer.
    mutating func append(until end: SimTime, to intents: inout [Intent]) {
        while let next = pending.last, next.time < end {
            pending.removeLast()
            intents.append(Intent(.push, at: next.time, app: next.app, value: next.isLocal ? 1 : 0))
            let more = next.isLocal ? 1 : clusters.uniform()
            let delay =
                more < habits.burstShare
                ? 5 * clusters.uniform()
                : more < habits.burstShare + habits.followShare ? habits.followDelay.draw(&clusters) : nil
            if let delay { insert(Notification(time: next.time + .seconds(max(delay, 0.001)), app: next.app)) }
            let isLost = !next.isLocal && lost.next(of: next.app)
            let isAnswered = answering.uniform() < habits.answerShare && !isLost
            let wait = habits.answerDelay.draw(&answering)
            if isAnswered, mayBeAnswered[Int(next.app.index)] {
                unanswered.append(Notification(time: next.time + .seconds(wait), app: next.app))
            }
        }
    }

    /// The app of the notification that the user answers now; nil if there is none, or if the app is in the foreground.
    mutating func answer(at time: SimTime, inFront: AppID?) -> AppID? {
        unanswered.removeAll { time - $0.time > habits.forgetting }
        guard let index = unanswered.firstIndex(where: { $0.time <= time }) else { return nil }
        let app = unanswered[index].app
        unanswered.removeAll { $0.app == app }
        return app == inFront ? nil : app
    }

    private mutating func draw() -> AppID {
        let value = arrivals.uniform() * (cumulative.last ?? 0)
        return senders[cumulative.firstIndex { value < $0 } ?? senders.count - 1]
    }

    private mutating func insert(_ notification: Notification) {
        var (low, high) = (0, pending.count)
        while low < high {
            let middle = (low + high) / 2
            if pending[middle].time > notification.time { low = middle + 1 } else { high = middle }
        }
        pending.insert(notification, at: low)
    }
}
