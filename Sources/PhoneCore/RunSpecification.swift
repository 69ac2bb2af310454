// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary
import Workload

/// Policies that rank as eviction policies do, for other decisions about memory.
///
/// The app that would die first is frozen and compressed first. The app without a process that would die last is
/// prepared.
public struct MemoryRankings: Sendable {
    /// Ranks the apps for which a process is built.
    public var prelaunch: RunSpecification.MakeEviction?
    /// Ranks the processes whose memory goes to storage.
    public var freezing: RunSpecification.MakeEviction?
    /// Ranks the processes whose memory is compressed.
    public var swap: RunSpecification.MakeEviction?

    /// Creates the rankings that are given.
    public init(
        prelaunch: RunSpecification.MakeEviction? = nil, freezing: RunSpecification.MakeEviction? = nil,
        swap: RunSpecification.MakeEviction? = nil
    ) {
        (self.prelaunch, self.freezing, self.swap) = (prelaunch, freezing, swap)
    }
}

/// Everything that determines a run, and nothing else: the same specification gives the same outcome, bit for bit.
public struct RunSpecification: Sendable {
    /// Makes a policy from a seed that no other stream of the run has.
    public typealias MakeEviction = @Sendable (_ seed: UInt64) -> any EvictionPolicy
    /// Makes a policy from a seed that no other stream of the run has.
    public typealias MakeScheduling = @Sendable (_ seed: UInt64) -> any SchedulingPolicy

    /// Seed of the experiment.
    public var seed: UInt64
    /// Number of the replication, from 0.
    public var replication: Int
    /// Weekday of the first day; 0 is Monday.
    public var startWeekday: Int
    /// Length of the run, warm-up included.
    public var duration: SimDuration
    /// Length of the warm-up, which no metric counts.
    public var warmup: SimDuration
    /// The phone.
    public var device: DeviceModel
    /// The apps on it.
    public var apps: [AppModel]
    /// The user; with a recording, the source for its gaps.
    public var persona: Persona
    /// The user's charger; nil for a plain one with the power in the workload.
    public var charger: Charger?
    /// A recorded workload to replay; nil if the persona alone makes the day.
    public var recording: TraceRecording?
    /// Whether the persona fills in what the recording lacks.
    public var fillsRecording: Bool
    /// Whether a recording shorter than the run starts again.
    public var repeatsRecording: Bool
    /// The tables to write.
    public var tables: TableSet
    /// Metrics of single apps; the values follow those of the phone.
    public var appMetrics: [AppMetric] = []
    /// The app whose energy the outcome has by component; nil for none.
    public var watchedApp: AppID?
    /// Whether one of the policies is an oracle, which receives the time of each app's next open.
    public var readsFuture: Bool
    /// Makes the eviction policy.
    public var makeEviction: MakeEviction
    /// Whether the eviction policy ranks only apps, and daemons and extensions die in the system's order.
    public var ranksAppsOnly = false
    /// Whether the victims of the reaper die in the order of the eviction policy, and only as many as memory needs.
    public var ranksReaper = false
    /// Choice of the processes that the freezer takes.
    public var freezing = FreezingChoice.system
    /// Choice of the processes whose memory is compressed first.
    public var compression = CompressionOrder.longestSuspended
    /// Policies that rank apps to prepare, to freeze and to compress, in place of the choices above.
    public var rankings = MemoryRankings()
    /// Makes the scheduling policy.
    public var makeScheduling: MakeScheduling
    /// The rules that the scheduling policy declares itself.
    public var schedulingRules: [RuleText] = []

    /// Whether one of the policies is a class, which a copy of the phone would share.
    package var hasClasses: Bool {
        let evictions = [makeEviction, rankings.prelaunch, rankings.freezing, rankings.swap].compactMap { $0 }
        let types: [Any.Type] = evictions.map { type(of: $0(0)) } + [type(of: makeScheduling(0))]
        return types.contains { $0 is AnyClass }
    }

    /// Creates a specification.
    public init(
        seed: UInt64, replication: Int, startWeekday: Int, duration: SimDuration, warmup: SimDuration,
        device: DeviceModel, apps: [AppModel], persona: Persona, recording: TraceRecording? = nil,
        fillsRecording: Bool = true, repeatsRecording: Bool = false, tables: TableSet = [],
        readsFuture: Bool = false, makeEviction: @escaping MakeEviction,
        makeScheduling: @escaping MakeScheduling
    ) {
        guard warmup < duration else { fatalError("the warm-up is shorter than the run") }
        self.seed = seed
        self.replication = replication
        self.startWeekday = startWeekday
        self.duration = duration
        self.warmup = warmup
        self.device = device
        self.apps = apps
        self.persona = persona
        self.recording = recording
        self.fillsRecording = fillsRecording
        self.repeatsRecording = repeatsRecording
        self.tables = tables
        self.readsFuture = readsFuture
        self.makeEviction = makeEviction
        self.makeScheduling = makeScheduling
    }

    /// The stream of an entity for a purpose in this run.
    package func stream(_ entity: String, _ purpose: String) -> RandomStream {
        RandomStream(StreamKey(seed: seed, replication: replication, entity: entity, purpose: purpose))
    }

    /// Keys of the streams of the run's user.
    package var streamKeys: StreamKeys { StreamKeys(seed: seed, replication: replication) }

    /// The intents of the run: drawn from the persona, or replayed.
    package var workload: WorkloadSource {
        guard let recording else {
            return .persona(
                PersonaWorkload(
                    persona: persona, apps: apps, seed: seed, replication: replication, startWeekday: startWeekday,
                    days: days, lostAlerts: device.background.pushes.lostShare))
        }
        do {
            return .trace(
                try TraceWorkload(
                    recording: recording, apps: apps, filledBy: fillsRecording ? persona : nil, seed: seed,
                    replication: replication, startWeekday: startWeekday, days: days, repeats: repeatsRecording))
        } catch {
            fatalError("a recording that does not fit its run: \(error)")
        }
    }

    /// Times at which content appears for an app, unless a recording contains them.
    package func content(of app: AppModel, _ course: DayCourse) -> ContentStream {
        ContentStream(app: app, course: course, seed: seed, replication: replication)
    }

    /// Times at which pushes are sent to an app; none if a recording contains them.
    package func pushes(to app: AppModel, _ profile: ArrivalProfile, isRecorded: Bool) -> PushStream {
        var app = app
        if isRecorded { app.pushesPerDay = 0 }
        return PushStream(app: app, persona: persona, profile: profile, seed: seed, replication: replication)
    }

    /// Times at which silent pushes are sent to an app; recordings contain none.
    package func silentPushes(to app: AppModel, _ profile: ArrivalProfile) -> PushStream {
        PushStream(silentTo: app, profile: profile, seed: seed, replication: replication)
    }

    /// Times at which the user has moved.
    package var movements: MovementSchedule {
        MovementSchedule(
            persona: persona, seed: seed, replication: replication, startWeekday: startWeekday, days: days)
    }

    /// Places of the user.
    package var locations: LocationTimeline {
        LocationTimeline(persona: persona, startWeekday: startWeekday, keys: streamKeys)
    }

    /// The apps as set on this user's phone.
    ///
    /// Background App Refresh is on for a share of the apps that do not state it. Apps without a load or a rate have
    /// the device's figures for their activity.
    public var appsAsSet: [AppModel] {
        apps.map { app in
            var settings = stream(app.name, "settings")
            var app = app
            let isOn = settings.bernoulli(persona.background.refreshEnabledShare)
            if !app.refreshIsStated { app.refreshEnabled = app.refreshEnabled && isOn }
            let activity = device.power.activities[app.activity]
            if app.followsActivityLoad { app.foregroundLoad = activity.load }
            if app.followsActivityRate { app.foregroundRate = activity.rate }
            return app
        }
    }

    /// The processes of the phone that are not the main one of an app, numbered after the apps.
    public var systemProcesses: [SystemProcess] { device.processes(beside: apps) }

    /// Number of days that the run touches.
    package var days: Int { Int((duration / .day).rounded(.up)) }
}
