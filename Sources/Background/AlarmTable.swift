// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Conditions of the phone that Android's alarm manager reads when an alarm is due.
public struct AlarmConditions: Sendable, BitwiseCopyable {
    /// The present instant.
    public var now: SimTime
    /// Whether the phone is on a charger, which lifts the limits of buckets.
    public var pluggedIn: Bool
    /// When deep Doze opens its next maintenance window; nil while the phone is not in deep Doze.
    public var idleUntil: SimTime?
    /// Whether the battery saver is on.
    public var saver: Bool
    /// When the display went off; nil while it is on.
    public var darkSince: SimTime?

    /// Creates conditions.
    public init(
        now: SimTime, pluggedIn: Bool, idleUntil: SimTime? = nil, saver: Bool = false, darkSince: SimTime? = nil
    ) {
        (self.now, self.pluggedIn, self.idleUntil, self.saver) = (now, pluggedIn, idleUntil, saver)
        self.darkSince = darkSince
    }

    /// Least time between the last alarm and an alarm that does not wake the phone (`currentNonWakeupFuzzLocked`).
    var restOfOthers: SimDuration {
        guard let darkSince else { return .zero }
        let dark = now - darkSince
        return dark < .minutes(5) ? .minutes(2) : dark < .minutes(30) ? .minutes(15) : .hour
    }
}

/// The alarms of the apps of a phone.
///
/// Each app has one alarm, which goes off in its window when the system allows it.
///
/// The rules come from AOSP `AlarmManagerService.java` and `LazyAlarmStore.java`, Android 12 and later. When the window
/// of an alarm closes, the phone wakes and every alarm with an open window goes off. App standby, Doze and the battery
/// saver delay alarms.
///
/// An alarm that does not wake the phone goes off with another alarm, or after its window when the phone is awake. If
/// the display is on, the alarm then goes off at once; otherwise it waits for some time after the last alarm
/// (`checkAllowNonWakeupDelayLocked`).
public struct AlarmTable: Sendable {
    /// The newest instants at which alarms went off, at most `depth` of them.
    private struct History: Sendable {
        var times: [SimTime] = []
        var next = 0

        mutating func add(_ time: SimTime, depth: Int) {
            if times.count < depth { times.append(time) } else { times[next] = time }
            next = (next + 1) % depth
        }

        /// Earliest instant at which one more alarm may go off if `count` alarms are allowed within a window.
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
        let wakesPhone: Bool
        /// Whether the alarm is exempt from delays by buckets, Doze and the battery saver.
        ///
        /// True for alarm clocks, and for all alarms of an app with unrestricted use of the battery
        /// (`FLAG_ALLOW_WHILE_IDLE_UNRESTRICTED`).
        let isFree: Bool
        /// Earliest and latest instant of the alarm; the distant future if no alarm is set.
        var due = SimTime.distantFuture
        var closes = SimTime.distantFuture
        /// Instant before which the system does not let the alarm go off.
        var heldUntil = AlarmTable.notHeld
        /// Whether the alarm is in `held`.
        var isListed = false
        var all = History()
        var idle = History()
    }

    private static let notHeld = SimTime(nanoseconds: .min / 2)

    private let parameters: AlarmParameters
    private var entries: [Entry] = []
    /// Entry number by app, or -1.
    private var numbers: [Int32] = []
    /// Entries by the latest time at which the phone must wake for them.
    private var byWake = IndexedHeap<RankedKey>(capacity: 0)
    /// Entries by the earliest time at which they may go off with another alarm.
    private var byOpening = IndexedHeap<RankedKey>(capacity: 0)
    /// Entries that do not wake the phone, by the time at which they go off on an awake phone.
    private var byAwake = IndexedHeap<RankedKey>(capacity: 0)
    /// When an alarm last went off.
    private var lastRung = AlarmTable.notHeld
    /// Entries that the system has held back since the last `reconsider`.
    private var held: [Int32] = []
    /// Buffers of `ring`.
    private var open: [Int32] = []
    private var rung: [(app: AppID, due: SimTime)] = []
    /// Length of the history: the largest limit on a number of alarms.
    private let depth: Int

    /// Creates a table with unset alarms of the apps; the table is empty on a phone without alarms.
    ///
    /// - Parameter mayBeExact: Whether apps have the permission for exact alarms; without it all alarms are inexact.
    public init(apps: [AppModel], parameters: AlarmParameters, mayBeExact: Bool) {
        self.parameters = parameters
        let counts = StandbyBucket.allCases.map(\.alarms.count)
        depth = max(counts.max() ?? 0, parameters.whileIdlePerHour, parameters.exactWhileIdlePerHour)
        guard parameters.areKept else { return }
        numbers = Array(repeating: -1, count: apps.count)
        for (index, app) in apps.enumerated() where app.traits.alarms.every > .zero {
            let alarm = app.traits.alarms
            let isUnrestricted = app.traits.battery == .unrestricted
            let kind = mayBeExact || isUnrestricted ? alarm.kind : alarm.kind.withoutPermission
            let every = kind == .repeating ? max(alarm.every, parameters.leastInterval) : alarm.every
            numbers[index] = Int32(entries.count)
            entries.append(
                Entry(
                    app: AppID(index), kind: kind, every: every, window: parameters.window(of: alarm, kind, every),
                    wakesPhone: alarm.wakesPhone || kind == .clock, isFree: isUnrestricted || kind == .clock))
        }
        byAwake = IndexedHeap(capacity: entries.count)
        byWake = IndexedHeap(capacity: entries.count)
        byOpening = IndexedHeap(capacity: entries.count)
    }

    /// The apps that have an alarm, in their order.
    public var apps: [AppID] { entries.map(\.app) }

    private func number(of app: AppID) -> Int? {
        guard Int(app.index) < numbers.count, numbers[Int(app.index)] >= 0 else { return nil }
        return Int(numbers[Int(app.index)])
    }

    /// The interval of an app's alarm.
    public func interval(of app: AppID) -> SimDuration { number(of: app).map { entries[$0].every } ?? .zero }

    /// Whether an app's alarm wakes the phone.
    public func wakesPhone(_ app: AppID) -> Bool { number(of: app).map { entries[$0].wakesPhone } ?? false }

    /// Latest time at which the phone must wake next; the distant future if no alarm wakes the phone.
    public var nextWake: SimTime { byWake.first.map { SimTime(nanoseconds: $0.key.key) } ?? .distantFuture }

    /// Time of the next alarm on an awake phone, among the alarms that do not wake it.
    public var nextOfOthers: SimTime { byAwake.first.map { SimTime(nanoseconds: $0.key.key) } ?? .distantFuture }

    /// Sets an app's alarm.
    public mutating func set(_ app: AppID, due: SimTime) {
        guard let number = number(of: app) else { return }
        entries[number].due = due
        entries[number].closes = due + entries[number].window
        enter(number)
    }

    private mutating func enter(_ number: Int) {
        let (opens, wakes) = (
            max(entries[number].due, entries[number].heldUntil), max(entries[number].closes, entries[number].heldUntil)
        )
        byOpening.set(number, key: RankedKey(opens.nanoseconds, of: number))
        let key = RankedKey(wakes.nanoseconds, of: number)
        if entries[number].wakesPhone { byWake.set(number, key: key) } else { byAwake.set(number, key: key) }
    }

    /// Makes `ring` check all held alarms again.
    ///
    /// - Complexity: O(k log n) if k of n alarms are held back.
    public mutating func reconsider() {
        for number in held.lazy.map(Int.init) {
            (entries[number].isListed, entries[number].heldUntil) = (false, Self.notHeld)
            enter(number)
        }
        held.removeAll(keepingCapacity: true)
    }

    /// Returns the apps whose alarms go off now, with their due times, and sets their next alarms.
    ///
    /// No alarm goes off before the first window closes. Alarms that the system does not allow are delayed. The phone
    /// must be awake.
    ///
    /// - Parameter bucket: Standby bucket of an app, from the time since its last use.
    /// - Complexity: O(k log n) if the windows of k of n alarms are open.
    public mutating func ring(
        _ present: AlarmConditions, bucket: (AppID) -> StandbyBucket
    ) -> [(app: AppID, due: SimTime)] {
        rung.removeAll(keepingCapacity: true)
        let isTimeOfOthers = nextOfOthers <= present.now && present.now - lastRung >= present.restOfOthers
        guard nextWake <= present.now || isTimeOfOthers else { return rung }
        open.removeAll(keepingCapacity: true)
        while let first = byOpening.first, first.key.key <= present.now.nanoseconds {
            byOpening.remove(first.member)
            open.append(Int32(first.member))
        }
        open.sort()
        for number in open.lazy.map(Int.init) {
            // Read before the check: otherwise the call of `bucket` would copy the table.
            let bucket = bucket(entries[number].app)
            let allowed = allowed(number, bucket, present)
            if allowed > present.now {
                if !entries[number].isListed { held.append(Int32(number)) }
                (entries[number].isListed, entries[number].heldUntil) = (true, allowed)
                enter(number)
            } else {
                goOff(number, present)
            }
        }
        return rung
    }

    private mutating func goOff(_ number: Int, _ present: AlarmConditions) {
        rung.append((entries[number].app, entries[number].due))
        lastRung = present.now
        entries[number].all.add(present.now, depth: depth)
        if present.idleUntil != nil || present.saver { entries[number].idle.add(present.now, depth: depth) }
        entries[number].heldUntil = Self.notHeld
        set(entries[number].app, due: next(after: number, present.now))
    }

    /// The next due time.
    ///
    /// A repeating alarm keeps its interval and skips missed times; any other alarm is due one interval from now.
    private func next(after number: Int, _ now: SimTime) -> SimTime {
        let (every, due) = (entries[number].every, entries[number].due)
        guard entries[number].kind == .repeating else { return now + every }
        let missed = ((now - due) / every).rounded(.down)
        return due + every * (missed + 1)
    }

    /// The next instant at which the system lets an alarm go off.
    ///
    /// The result is the distant future if only a change of the phone can allow the alarm.
    private func allowed(_ number: Int, _ bucket: StandbyBucket, _ conditions: AlarmConditions) -> SimTime {
        let now = conditions.now
        if entries[number].isFree { return now }
        var allowed = now
        // Exact while-idle alarms are exempt, too, because they need a permission (`isExemptFromAppStandby`).
        if parameters.isLimitedByBucket, !conditions.pluggedIn, entries[number].kind != .exactWhileIdle {
            let limit = bucket.alarms
            allowed = max(allowed, entries[number].all.allows(limit.count, in: limit.window, depth: depth, at: now))
        }
        guard conditions.idleUntil != nil || conditions.saver else { return allowed }
        var idle = SimTime.distantFuture
        if entries[number].kind.isWhileIdle {
            let count = entries[number].kind.isExact ? parameters.exactWhileIdlePerHour : parameters.whileIdlePerHour
            idle = entries[number].idle.allows(count, in: .hour, depth: depth, at: now)
        }
        if conditions.saver { return max(allowed, idle) }
        return max(allowed, min(idle, conditions.idleUntil ?? idle))
    }
}

extension AlarmParameters {
    /// Interval below which an alarm has no window (`MIN_FUZZABLE_INTERVAL`).
    private static let leastFuzzable = SimDuration.seconds(10)

    /// Length of an alarm's window, which is the alarm's largest delay.
    func window(of alarm: AlarmTraits, _ kind: AlarmKind, _ every: SimDuration) -> SimDuration {
        let fuzzy = every < Self.leastFuzzable ? .zero : every * windowShare
        switch kind {
        case .exact, .exactWhileIdle, .clock: return .zero
        case .repeating: return fuzzy
        case .inexact, .whileIdle: return min(fuzzy, longestWindow)
        case .window: return max(alarm.window, leastWindow)
        }
    }
}
