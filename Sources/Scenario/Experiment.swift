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

/// Pair of policies that an experiment compares.
public struct PolicyPair: Sendable {
    /// Given name, or `eviction+scheduling` with further settings.
    public let name: String
    /// The eviction policy as written.
    public let eviction: PolicyChoice
    /// The scheduling policy as written.
    public let scheduling: PolicyChoice
    /// Settings of prelaunch, freezing and swap.
    public let memory: MemoryPolicies
    /// Makes the eviction policy for one run.
    public let makeEviction: RunSpecification.MakeEviction
    /// Makes the scheduling policy for one run.
    public let makeScheduling: RunSpecification.MakeScheduling
    /// Makes a policy that ranks processes for another decision about memory.
    let makeRanking: @Sendable (PolicyChoice) -> RunSpecification.MakeEviction?
    /// The rules that the scheduling policy declares itself.
    public let schedulingRules: [RuleText]
    /// Sets the policies of the phone's own system; nil where the pair names both policies.
    let useOwn: (@Sendable (inout RunSpecification) -> Void)?
    /// Whether a policy of the pair reads the future.
    public let isOracle: Bool
    /// Whether a policy of the pair replaces the phone's own trigger.
    public let replacesTrigger: Bool
    /// Events that the workload must contain for the pair to make sense.
    public let needs: WorkloadNeeds

    /// Code of the pair that is not part of the program.
    public var foreignCode: [ForeignCode] { choices.compactMap(\.code) }
    /// All policies of the pair: eviction, scheduling, and those that rank for other decisions about memory.
    public var choices: [PolicyChoice] { [eviction, scheduling] + memory.ranked }
    /// Name in which the texts of foreign code are those in the experiment.
    var writtenName: String {
        [eviction.written ?? eviction.text, scheduling.written ?? scheduling.text, memory.text].filter { !$0.isEmpty }
            .joined(separator: "+")
    }
    /// Whether the pair can run; false for a foreign policy that was not started to read its description.
    public var isRunnable: Bool { choices.allSatisfy(\.isKnown) }
}

/// Combination of the swept values, with everything that it changes.
public struct SweepPoint: Sendable {
    /// Swept path with its value as written.
    public struct Axis: Sendable, Equatable {
        /// Path, for instance `device.memory.ram`.
        public let path: String
        /// Value as written, for instance `3 GiB`.
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
    /// User; for a recording, the persona that fills its gaps.
    public let user: ExperimentUser
    /// People drawn from a population, with `user` as the typical one; nil without a population.
    public let people: People?
    /// Constants of the phone that are drawn; empty without `uncertainty`.
    public let doubts: [ModelDoubt]
    /// Phones with drawn constants, one for each sample; empty without `uncertainty`.
    let samples: [DeviceModel]
    /// Choice of the apps of a person.
    let choice: AppChoice
    /// Swept values as set in an experiment with expanded models; null where they are the same.
    let settings: [Node]
    /// Policies with the parameters of this point; nil where the sweep changes none.
    let policies: [PolicyPair]?
    /// Canonical text of everything on which a run at this point depends, except policies, seed and replication.
    public let resolvedText: String
}

/// User of the phone: a persona, a recording, or a recording whose gaps a persona fills.
public struct ExperimentUser: Sendable {
    /// Persona; for a recording without one, a persona that does nothing.
    public let persona: Persona
    /// Charger that the persona names; nil for a plain one of its power.
    public let charger: Charger?
    /// The recording.
    public let recording: TraceRecording?
    /// Whether the persona fills the gaps of the recording.
    public let fillsRecording: Bool
    /// Whether a recording shorter than the run starts again.
    public let repeatsRecording: Bool
    /// Description of the parts that the persona fills.
    public let filledParts: [String]
}

extension ExperimentUser {
    /// Longest run in days; nil without a recording, or with a recording that repeats.
    public var mostDays: Int? { repeatsRecording ? nil : recording?.days }
}

extension Experiment {
    /// Sentences about the parts that the personas of all points add to recordings.
    public var fillings: [String] {
        var sentences: [String] = []
        for part in points.flatMap(\.user.filledParts) {
            let sentence = "the persona fills in: " + part
            if !sentences.contains(sentence) { sentences.append(sentence) }
        }
        return sentences
    }

    /// Libraries and programs whose code the runs carry out, each once.
    public var foreignCode: [ForeignCode] {
        var found: [ForeignCode] = []
        for code in policies.flatMap(\.foreignCode) where !found.contains(code) { found.append(code) }
        return found
    }

    /// Sentences about foreign policies that were not started to read their descriptions.
    public var unchecked: [String] {
        policies.allSatisfy(\.isRunnable) ? [] : foreignCode.map { "not checked: foreign policy \($0.shown)" }
    }

    /// Fingerprints of the code that the user permitted to start; workers receive them when they start.
    public var permissions: [String] {
        Set(policies.flatMap { $0.choices.map(\.fingerprint) }).subtracting([""]).sorted()
    }

    /// Phones of the sweep points.
    public var phones: [Evidence.Phone] {
        points.map { Evidence.Phone(device: $0.device.name, system: $0.device.os.generation) }
    }
}

/// Experiment, typed and checked: its definition, and everything that its runs need.
@dynamicMemberLookup
public struct Experiment: Sendable {
    /// Definition of the experiment.
    public let definition: ExperimentDefinition
    /// Path of the file as the user gave it.
    public let path: String
    /// Number of replications; one for each person where the file states none.
    public let replicationRule: ReplicationRule
    /// Compared policies.
    public let policies: [PolicyPair]
    /// Index of the pair with which the others are compared.
    public let baselineIndex: Int
    /// Sweep points, at least one.
    public let points: [SweepPoint]
    /// Files that the experiment reads besides its own: models and recordings.
    public let inputs: [String]
    /// Assumptions on which the experiment depends.
    public let assumptions: [Assumption]
    /// Warnings about the experiment.
    public let warnings: Diagnostics
    /// Text of the file.
    public let writtenText: String
    /// Tree of the file with its models expanded.
    let whole: Node
    /// Tree of the file with the settings of the command line.
    let written: Node
    /// Every value of the first point by its key, defaults included; empty unless requested.
    let values: [ConfigReport.Value]

    /// Property of the definition.
    public subscript<Value>(dynamicMember path: KeyPath<ExperimentDefinition, Value>) -> Value {
        definition[keyPath: path]
    }

    /// Largest number of replications.
    public var replications: Int { replicationRule.maximum }
    /// Pair with which the others are compared.
    public var baseline: PolicyPair { policies[baselineIndex] }
    /// Number of runs in all.
    public var runCount: Int { points.count * policies.count * replications }

    /// Number of apps on the phone in a replication.
    public func appCount(point: Int, replication: Int) -> Int { points[point].apps(replication: replication).count }

    /// Specification that determines one run.
    public func specification(point: Int, policy: Int, replication: Int) -> RunSpecification {
        let own = ownSpecification(point: point, policy: policy, replication: replication)
        return policy == baselineIndex ? own : withPast(own, point: point)
    }

    /// Adds the baseline's past to a run, if the experiment begins all of its runs with one.
    public func withPast(_ own: RunSpecification, point: Int) -> RunSpecification {
        guard let from = definition.policiesFrom else { return own }
        return ownSpecification(point: point, policy: baselineIndex, replication: own.replication)
            .continued(as: own, from: .zero + from)
    }

    /// One run under its own policies from the start.
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
