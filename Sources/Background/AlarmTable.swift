// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// What the phone is like when an alarm is due, as far as Android's alarm manager looks at it.
public struct AlarmConditions: Sendable, BitwiseCopyable {
    /// The present instant.
    public var now: SimTime
    /// Whether the phone is on a charger, which lifts the limits of buckets.
    public var pluggedIn: Bool
    /// When deep Doze opens its next window of maintenance; nil while the phone is not in it.
    public var idleUntil: SimTime?
    /// Whether the battery saver is on.
    public var saver: Bool

    /// Creates conditions.
    public init(now: SimTime, pluggedIn: Bool, idleUntil: SimTime? = nil, saver: Bool = false) {
        (self.now, self.pluggedIn, self.idleUntil, self.saver) = (now, pluggedIn, idleUntil, saver)
    }
}

/// The alarms of the apps of a phone: one each, within its window, and no sooner than the system lets it.
///
/// AOSP `AlarmManagerService.java` and `LazyAlarmStore.java` of Android 12 and later: the phone wakes when the window
/// of an alarm closes, and then all go off whose window is open; app standby, Doze and the battery saver put off.
public struct AlarmTable: Sendable {
    /// Instants at which alarms went off, the newest `depth` of them.
    private struct History: Sendable {
        var times: [SimTime] = []
        var next = 0

        mutating func add(_ time: SimTime, depth: Int) {
            if times.count < depth { times.append(time) } else { times[next] = time }
            next = (next + 1) % depth
        }

        /// When one more may go off after `count` within a window.
        func allows(_ count: Int, in window: SimDuration, depth: Int, at now: SimTime) -> SimTime {
            guard times.count >= count else { return now }
            return max(now, times[(next + depth - count) % depth] + window)
        }
    }

    private struct Entry: Sendable {
        let app: AppID
        let kind: AlarmKind
        let every: SimDuration
        let window: SimDuration
        /// From when it may go off, and by when it should; in the distant future when it is not set.
        var due = SimTime.distantFuture
        var closes = SimTime.distantFuture
        /// Before then the system does not let it.
        var heldUntil = SimTime(nanoseconds: .min / 2)
        var all = History()
        var idle = History()

        /// When the phone has to wake for it.
        var wakes: SimTime { max(closes, heldUntil) }
    }

    private let parameters: AlarmParameters
    private var entries: [Entry]
    /// Room for the longest of the limits.
    private let depth: Int

    /// The alarms of apps, none of them set yet; none at all on a phone without alarms.
    ///
    /// - Parameter mayBeExact: Whether apps have the permission for exact alarms; without it they are inexact.
    public init(apps: [AppModel], parameters: AlarmParameters, mayBeExact: Bool) {
        self.parameters = parameters
        depth = max(720, parameters.whileIdlePerHour, parameters.exactWhileIdlePerHour)
        entries = []
        guard parameters.areKept else { return }
        for (index, app) in apps.enumerated() where app.traits.alarms.every > .zero {
            let alarm = app.traits.alarms
            let kind = mayBeExact ? alarm.kind : alarm.kind.withoutPermission
            let every = kind == .repeating ? max(alarm.every, parameters.leastInterval) : alarm.every
            entries.append(
                Entry(app: AppID(index), kind: kind, every: every, window: parameters.window(of: alarm, kind, every)))
        }
    }

    /// The apps that have an alarm, in their order.
    public var apps: [AppID] { entries.map(\.app) }

    /// The interval of an app's alarm.
    public func interval(of app: AppID) -> SimDuration { entries.first { $0.app == app }?.every ?? .zero }

    /// When the phone has to wake next; the distant future when it need not.
    public var nextWake: SimTime { entries.reduce(.distantFuture) { min($0, $1.wakes) } }

    /// Sets an app's alarm.
    public mutating func set(_ app: AppID, due: SimTime) {
        guard let index = entries.firstIndex(where: { $0.app == app }) else { return }
        entries[index].due = due
        entries[index].closes = due + entries[index].window
    }

    /// What holds alarms back is to be asked again.
    public mutating func reconsider() {
        for index in entries.indices { entries[index].heldUntil = SimTime(nanoseconds: .min / 2) }
    }

    /// Removes and returns the apps whose alarms go off now, with when they were due, and sets their next.
    ///
    /// Nothing goes off before the window of one closes. What the system does not let is put off.
    ///
    /// - Parameter buckets: How lately each of `apps` was used.
    public mutating func ring(
        _ present: AlarmConditions, buckets: [StandbyBucket]
    ) -> [(app: AppID, due: SimTime)] {
        guard nextWake <= present.now else { return [] }
        var rung: [(app: AppID, due: SimTime)] = []
        for index in entries.indices {
            let entry = entries[index]
            guard entry.due <= present.now else { continue }
            let allowed = allowed(entry, buckets[index], present)
            guard allowed <= present.now else {
                entries[index].heldUntil = allowed
                continue
            }
            rung.append((entry.app, entry.due))
            entries[index].all.add(present.now, depth: depth)
            if present.idleUntil != nil || present.saver { entries[index].idle.add(present.now, depth: depth) }
            entries[index].heldUntil = SimTime(nanoseconds: .min / 2)
            set(entry.app, due: next(after: entry, present.now))
        }
        return rung
    }

    /// One that repeats keeps its beat and skips what it missed; any other is set again when it goes off.
    private func next(after entry: Entry, _ now: SimTime) -> SimTime {
        guard entry.kind == .repeating else { return now + entry.every }
        let missed = ((now - entry.due) / entry.every).rounded(.down)
        return entry.due + entry.every * (missed + 1)
    }

    /// The first instant from now on at which the system lets an alarm go off; the distant future where only a change
    /// does.
    private func allowed(_ entry: Entry, _ bucket: StandbyBucket, _ conditions: AlarmConditions) -> SimTime {
        let now = conditions.now
        var allowed = now
        if parameters.isLimitedByBucket, !conditions.pluggedIn {
            let limit = bucket.alarms
            allowed = max(allowed, entry.all.allows(limit.count, in: limit.window, depth: depth, at: now))
        }
        guard conditions.idleUntil != nil || conditions.saver else { return allowed }
        var idle = SimTime.distantFuture
        if entry.kind.isWhileIdle {
            let count = entry.kind.isExact ? parameters.exactWhileIdlePerHour : parameters.whileIdlePerHour
            idle = entry.idle.allows(count, in: .hour, depth: depth, at: now)
        }
        if conditions.saver { return max(allowed, idle) }
        return max(allowed, min(idle, conditions.idleUntil ?? idle))
    }
}

extension AlarmParameters {
    /// Intervals shorter than this have no window (`MIN_FUZZABLE_INTERVAL`).
    private static let leastFuzzable = SimDuration.seconds(10)

    /// For how long an alarm may be late.
    func window(of alarm: AlarmTraits, _ kind: AlarmKind, _ every: SimDuration) -> SimDuration {
        let fuzzy = every < Self.leastFuzzable ? .zero : every * windowShare
        switch kind {
        case .exact, .exactWhileIdle: return .zero
        case .repeating: return fuzzy
        case .inexact, .whileIdle: return min(fuzzy, longestWindow)
        case .window: return max(alarm.window, leastWindow)
        }
    }
}
