// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Power
import Quantities
import RandomStreams
import Vocabulary
import Workload

/// Everything that determines a run: equal specifications give equal outcomes, bit for bit.
@dynamicMemberLookup
public struct RunSpecification: Sendable {
    /// Creates an eviction policy from a seed that no other random stream of the run has.
    public typealias MakeEviction = @Sendable (_ seed: UInt64) -> any EvictionPolicy
    /// Creates a scheduling policy from a seed that no other random stream of the run has.
    public typealias MakeScheduling = @Sendable (_ seed: UInt64) -> any SchedulingPolicy

    /// Seed of the experiment.
    public var seed: UInt64
    /// Number of the replication, from 0.
    public var replication: Int
    /// Weekday of the first day; 0 is Monday.
    public var startWeekday: Int
    /// Length of the run, including the warm-up.
    public var duration: SimDuration
    /// Length of the warm-up, which no metric counts.
    public var warmup: SimDuration
    /// The phone.
    public var device: DeviceModel
    /// The apps on the phone.
    public var apps: [AppModel]
    /// The user; a persona also supplies what a recording lacks.
    public var persona: Persona
    /// The user's charger; nil for a plain charger with the workload's power.
    public var charger: Charger?
    /// A recorded workload to replay; nil if the persona alone generates the workload.
    public var recording: TraceRecording?
    /// Whether the persona fills in what the recording lacks.
    public var fillsRecording: Bool
    /// Whether a recording shorter than the run starts again.
    public var repeatsRecording: Bool
    /// The tables to write.
    public var tables: TableSet
    /// Metrics of single apps; the values follow those of the phone.
    public var appMetrics: [AppMetric] = []
    /// App whose energy by component is in the outcome; nil if there is none.
    public var watchedApp: AppID?
    /// The policies with which the run begins.
    public var policies: RunPolicies
    /// The changes of policies during the run, in order; empty if the policies do not change.
    public var changes: [PolicyChange] = []

    /// Access to the properties of `policies`.
    public subscript<Value>(dynamicMember path: WritableKeyPath<RunPolicies, Value>) -> Value {
        get { policies[keyPath: path] }
        set { policies[keyPath: path] = newValue }
    }

    /// Whether one of the run's policies is an object of a class; copies of the phone would share the object.
    package var hasClasses: Bool { everyone.contains(where: \.hasClasses) }

    /// The rules that the scheduling policies of the run declare.
    public var everyRule: [RuleText] { everyone.flatMap(\.schedulingRules) }

    /// All policies of the run, in order of time.
    private var everyone: [RunPolicies] { [policies] + changes.map(\.policies) }

    /// Creates a specification.
    public init(
        seed: UInt64, replication: Int, startWeekday: Int, duration: SimDuration, warmup: SimDuration,
        device: DeviceModel, apps: [AppModel], persona: Persona, recording: TraceRecording? = nil,
        fillsRecording: Bool = true, repeatsRecording: Bool = false, tables: TableSet = [],
        readsFuture: Bool = false, makeEviction: @escaping MakeEviction,
        makeScheduling: @escaping MakeScheduling
    ) {
        guard warmup < duration else { fatalError("the warm-up must be shorter than the run") }
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
        policies = RunPolicies(makeEviction: makeEviction, makeScheduling: makeScheduling)
        policies.readsFuture = readsFuture
    }

    /// The random stream of an entity for a purpose in this run.
    package func stream(_ entity: String, _ purpose: String) -> RandomStream {
        RandomStream(StreamKey(seed: seed, replication: replication, entity: entity, purpose: purpose))
    }

    /// Keys of the random streams of the run's user.
    package var streamKeys: StreamKeys { StreamKeys(seed: seed, replication: replication) }

    /// The intents of the run, drawn from the persona or replayed.
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
            fatalError("the recording does not fit the run: \(error)")
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

    /// Times at which the user moves.
    package var movements: MovementSchedule {
        MovementSchedule(
            persona: persona, seed: seed, replication: replication, startWeekday: startWeekday, days: days)
    }

    /// Locations of the user.
    package var locations: LocationTimeline {
        LocationTimeline(persona: persona, startWeekday: startWeekday, keys: streamKeys)
    }

    /// The apps with the settings of this user's phone.
    ///
    /// Background App Refresh is on for a share of the apps whose models do not state it. Apps without a stated load or
    /// rate get the device's figures for their activity.
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

    /// The processes of the phone other than the main processes of apps, numbered after the apps.
    public var systemProcesses: [SystemProcess] { device.processes(beside: apps) }

    /// Number of days in the run, including an incomplete last day.
    package var days: Int { Int((duration / .day).rounded(.up)) }
}
