// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Measures
import Phone
import PhoneCore
import Processes
import Power
import Quantities
import Vocabulary
import Workload

/// A pair of policies that an experiment compares with other pairs.
public struct PolicyPair: Sendable {
    /// Name from the file, or else `eviction+scheduling`, followed by other settings.
    public let name: String
    /// Eviction policy.
    public let eviction: PolicyChoice
    /// Scheduling policy.
    public let scheduling: PolicyChoice
    /// Settings for prelaunch, freezing and swap.
    public let memory: MemoryPolicies
    /// Creates the eviction policy for one run.
    public let makeEviction: RunSpecification.MakeEviction
    /// Creates the scheduling policy for one run.
    public let makeScheduling: RunSpecification.MakeScheduling
    /// Creates a policy that ranks processes for another memory decision.
    let makeRanking: @Sendable (PolicyChoice) -> RunSpecification.MakeEviction?
    /// Rules that the scheduling policy declares.
    public let schedulingRules: [RuleText]
    /// Sets the policies of the phone's own system; nil if the pair names both policies.
    let useOwn: (@Sendable (inout RunSpecification) -> Void)?
    /// Whether a policy of the pair reads the future.
    public let isOracle: Bool
    /// Whether a policy of the pair replaces the phone's own trigger.
    public let replacesTrigger: Bool
    /// Events that the workload must contain if the pair is to have an effect.
    public let needs: WorkloadNeeds

    /// Code of the pair's policies that is not part of the program.
    public var foreignCode: [ForeignCode] { choices.compactMap(\.code) }
    /// All policies of the pair: eviction, scheduling, and those that rank for other memory decisions.
    public var choices: [PolicyChoice] { [eviction, scheduling] + memory.ranked }
    /// Name of the pair, with foreign code named as in the experiment file.
    var writtenName: String {
        [eviction.written ?? eviction.text, scheduling.written ?? scheduling.text, memory.text].filter { !$0.isEmpty }
            .joined(separator: "+")
    }
    /// Whether the pair can run; false if a foreign policy was not started to read its description.
    public var isRunnable: Bool { choices.allSatisfy(\.isKnown) }
}

/// A combination of swept values, with everything that it changes.
public struct SweepPoint: Sendable {
    /// A swept path with its value, as in the file.
    public struct Axis: Sendable, Equatable {
        /// Path, for instance `device.memory.ram`.
        public let path: String
        /// Value as in the file, for instance `3 GiB`.
        public let value: String

        /// Creates an axis.
        public init(path: String, value: String) {
            self.path = path
            self.value = value
        }

        /// Section of the file in which the value is set.
        var section: String { path.prefix { $0 != "." }.description }
    }

    /// Swept values, in the order of the axes; empty when nothing is swept.
    public let axes: [Axis]
    /// The phone.
    public let device: DeviceModel
    /// The apps.
    public let apps: [AppModel]
    /// User of the phone.
    ///
    /// For a recording, the user includes the persona that fills its gaps.
    public let user: ExperimentUser
    /// People drawn from a population, with `user` as the typical person; nil without a population.
    public let people: People?
    /// Constants of the phone that are drawn; empty without `uncertainty`.
    public let doubts: [ModelDoubt]
    /// Phones with drawn constants, one for each sample; empty without `uncertainty`.
    let samples: [DeviceModel]
    /// Selects the apps of a person.
    let choice: AppChoice
    /// Expanded values of the point's settings, for an experiment with expanded models; null if expanding changes
    /// nothing.
    let settings: [Node]
    /// Policies with the parameters of this point; nil if the sweep changes no parameters.
    let policies: [PolicyPair]?
    /// Canonical text of everything that determines a run at this point, except policies, seed and replication.
    public let resolvedText: String
}

/// User of the phone: a persona, a recording, or a recording with a persona that fills its gaps.
public struct ExperimentUser: Sendable {
    /// Persona of the user.
    ///
    /// If a recording has no persona, this persona does nothing.
    public let persona: Persona
    /// Charger that the persona names.
    ///
    /// If nil, the charger is a plain one with the power that the persona states.
    public let charger: Charger?
    /// Recording of the user; nil if there is only a persona.
    public let recording: TraceRecording?
    /// Whether the persona fills the gaps of the recording.
    public let fillsRecording: Bool
    /// Whether a recording that is shorter than the run starts again.
    public let repeatsRecording: Bool
    /// Descriptions of the parts that the persona fills.
    public let filledParts: [String]
}

extension ExperimentUser {
    /// Longest possible run in days; nil if there is no recording or if it repeats.
    public var mostDays: Int? { repeatsRecording ? nil : recording?.days }
}

extension Experiment {
    /// Sentences about the parts of recordings that the personas of all points fill.
    public var fillings: [String] {
        var sentences: [String] = []
        for part in points.flatMap(\.user.filledParts) {
            let sentence = "filled in from the persona: " + part
            if !sentences.contains(sentence) { sentences.append(sentence) }
        }
        return sentences
    }

    /// Libraries and programs whose code the runs execute, without duplicates.
    public var foreignCode: [ForeignCode] {
        var found: [ForeignCode] = []
        for code in policies.flatMap(\.foreignCode) where !found.contains(code) { found.append(code) }
        return found
    }

    /// Sentences about foreign policies that were not checked, because they were not started to read their
    /// descriptions.
    public var unchecked: [String] {
        policies.allSatisfy(\.isRunnable) ? [] : foreignCode.map { "not checked: foreign policy \($0.shown)" }
    }

    /// Fingerprints of the code that the user permitted to start.
    ///
    /// Workers receive them at their start.
    public var permissions: [String] {
        Set(policies.flatMap { $0.choices.map(\.fingerprint) }).subtracting([""]).sorted()
    }

    /// Phones of the sweep points.
    public var phones: [Evidence.Phone] {
        points.map { Evidence.Phone(device: $0.device.name, system: $0.device.os.generation) }
    }
}

/// An experiment that was read and checked: its definition, and everything that its runs need.
@dynamicMemberLookup
public struct Experiment: Sendable {
    /// Definition of the experiment.
    public let definition: ExperimentDefinition
    /// Path of the file, as the user entered it.
    public let path: String
    /// Number of replications.
    ///
    /// If the file contains none, there is one replication for each person.
    public let replicationRule: ReplicationRule
    /// Compared policies.
    public let policies: [PolicyPair]
    /// Index of the pair with which the other pairs are compared.
    public let baselineIndex: Int
    /// Sweep points, at least one.
    public let points: [SweepPoint]
    /// Files that the experiment reads, except its own file: models and recordings.
    public let inputs: [String]
    /// Assumptions on which the experiment depends.
    public let assumptions: [Assumption]
    /// Warnings about the experiment.
    public let warnings: Diagnostics
    /// Text of the experiment file.
    public let writtenText: String
    /// Tree of the file with its models expanded.
    let whole: Node
    /// Tree of the file after the `--set` options of the command line.
    let written: Node
    /// Every value of the first point by its key, including defaults; empty unless requested.
    let values: [ConfigReport.Value]

    /// A property of the definition.
    public subscript<Value>(dynamicMember path: KeyPath<ExperimentDefinition, Value>) -> Value {
        definition[keyPath: path]
    }

    /// Largest number of replications.
    public var replications: Int { replicationRule.maximum }
    /// Pair with which the other pairs are compared.
    public var baseline: PolicyPair { policies[baselineIndex] }
    /// Total number of runs.
    public var runCount: Int { points.count * policies.count * replications }

    /// Number of apps on the phone in a replication.
    public func appCount(point: Int, replication: Int) -> Int { points[point].apps(replication: replication).count }

    /// Specification of one run.
    public func specification(point: Int, policy: Int, replication: Int) -> RunSpecification {
        let own = ownSpecification(point: point, policy: policy, replication: replication)
        return policy == baselineIndex ? own : withPast(own, point: point)
    }

    /// If the experiment has a common past, adds the baseline's past to a run.
    public func withPast(_ own: RunSpecification, point: Int) -> RunSpecification {
        guard let from = definition.policiesFrom else { return own }
        return ownSpecification(point: point, policy: baselineIndex, replication: own.replication)
            .continued(as: own, from: .zero + from)
    }

    /// Specification of a run with its own policies from the start.
    public func ownSpecification(point: Int, policy: Int, replication: Int) -> RunSpecification {
        let at = points[point]
        let pair = at.policies?[policy] ?? policies[policy]
        let apps = at.apps(replication: replication)
        let device = at.device(replication: replication)
        let prelaunch = pair.memory.prelaunch?.word ?? device.prewarm.choice
        var specification = RunSpecification(
            seed: definition.seed, replication: replication, startWeekday: definition.start.weekday,
            duration: definition.duration, warmup: definition.warmup,
            device: device, apps: apps, persona: at.persona(replication: replication),
            recording: at.user.recording,
            fillsRecording: at.user.fillsRecording, repeatsRecording: at.user.repeatsRecording,
            tables: definition.output.recorded, readsFuture: pair.isOracle || prelaunch == .oracle,
            makeEviction: pair.makeEviction, makeScheduling: pair.makeScheduling)
        specification.charger = at.user.charger
        specification.appMetrics = definition.appMetrics.compactMap { request in
            apps.firstIndex { $0.name == request.app }.map { AppMetric(metric: request.metric, app: AppID($0)) }
        }
        specification.schedulingRules = pair.schedulingRules
        specification.ranksAppsOnly = pair.eviction.ranksAppsOnly
        specification.ranksReaper = pair.eviction.ranksReaper
        pair.memory.apply(to: &specification, pair.makeRanking)
        pair.useOwn?(&specification)
        return specification
    }
}
