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

/// A pair of policies that an experiment compares.
public struct PolicyPair: Sendable {
    /// `eviction+scheduling` and what it says besides, or the name given.
    public let name: String
    /// The eviction policy as written.
    public let eviction: PolicyChoice
    /// The scheduling policy as written.
    public let scheduling: PolicyChoice
    /// What it says of prelaunch, freezing and swap.
    public let memory: MemoryPolicies
    /// Makes the eviction policy for one run.
    public let makeEviction: RunSpecification.MakeEviction
    /// Makes the scheduling policy for one run.
    public let makeScheduling: RunSpecification.MakeScheduling
    /// Makes a policy that ranks for another decision about memory.
    let makeRanking: @Sendable (PolicyChoice) -> RunSpecification.MakeEviction?
    /// The rules that the scheduling policy declares itself.
    public let schedulingRules: [RuleText]
    /// Puts in what the phone's own system ships with; nil where the pair names both policies.
    let useOwn: (@Sendable (inout RunSpecification) -> Void)?
    /// Whether one of them reads the future.
    public let isOracle: Bool
    /// Whether one of them replaces the phone's own trigger.
    public let replacesTrigger: Bool
    /// What must happen in the workload for the pair to make sense.
    public let needs: WorkloadNeeds

    /// The code of the pair that is no part of the program.
    public var foreignCode: [ForeignCode] { choices.compactMap(\.code) }
    /// All policies of the pair: eviction, scheduling, and those that rank for other decisions about memory.
    public var choices: [PolicyChoice] { [eviction, scheduling] + memory.ranked }
    /// The name with the texts of foreign code as the experiment has them.
    var writtenName: String {
        [eviction.written ?? eviction.text, scheduling.written ?? scheduling.text, memory.text].filter { !$0.isEmpty }
            .joined(separator: "+")
    }
    /// Whether it can run: a policy that was not asked what it is cannot.
    public var isRunnable: Bool { choices.allSatisfy(\.isKnown) }
}

/// One combination of the swept values, with everything it changes.
public struct SweepPoint: Sendable {
    /// A swept path with its value as written.
    public struct Axis: Sendable, Equatable {
        /// The path, for instance `device.memory.ram`.
        public let path: String
        /// The value as written, for instance `3 GiB`.
        public let value: String

        /// Creates an axis.
        public init(path: String, value: String) {
            self.path = path
            self.value = value
        }

        /// The section of the file that it is set in.
        var section: String { path.prefix { $0 != "." }.description }
    }

    /// The swept values, in the order of the axes; empty when nothing is swept.
    public let axes: [Axis]
    /// The phone.
    public let device: DeviceModel
    /// The apps.
    public let apps: [AppModel]
    /// The user; beside a recording, what fills the gaps.
    public let user: ExperimentUser
    /// The people drawn from a population, of whom `user` is the typical one; nil without a population.
    public let people: People?
    /// The constants of the phone that are drawn; empty without `uncertainty`.
    public let doubts: [ModelDoubt]
    /// The phones with drawn constants, one for each sample; empty without `uncertainty`.
    let samples: [DeviceModel]
    /// What the apps of a person are taken from.
    let choice: AppChoice
    /// The swept values as they are set in an experiment with its models laid out; null where they are the same.
    let settings: [Node]
    /// The policies with the parameters of this point; nil where the sweep changes none.
    let policies: [PolicyPair]?
    /// Everything a run at this point depends on besides policies, seed and replication, as canonical text.
    public let resolvedText: String
}

/// Who uses the phone: a persona, a recording, or a recording that a persona fills in.
public struct ExperimentUser: Sendable {
    /// The persona; with a recording that nobody fills in, one that does nothing.
    public let persona: Persona
    /// The charger it names; nil for a plain one of its power.
    public let charger: Charger?
    /// The recording.
    public let recording: TraceRecording?
    /// Whether the persona fills in what the recording lacks.
    public let fillsRecording: Bool
    /// Whether a recording shorter than the run starts again.
    public let repeatsRecording: Bool
    /// What the persona fills in, in words.
    public let filledParts: [String]
}

extension ExperimentUser {
    /// Days that a run can last at most; nil without a recording, and with one that repeats.
    public var mostDays: Int? { repeatsRecording ? nil : recording?.days }
}

extension Experiment {
    /// What the persona of any point adds to its recording, a sentence each.
    public var fillings: [String] {
        var sentences: [String] = []
        for part in points.flatMap(\.user.filledParts) {
            let sentence = "the persona fills in: " + part
            if !sentences.contains(sentence) { sentences.append(sentence) }
        }
        return sentences
    }

    /// The libraries and programs whose code its runs carry out, each once.
    public var foreignCode: [ForeignCode] {
        var found: [ForeignCode] = []
        for code in policies.flatMap(\.foreignCode) where !found.contains(code) { found.append(code) }
        return found
    }

    /// The policies of that code that were not asked what they are, a sentence for each.
    public var unchecked: [String] {
        policies.allSatisfy(\.isRunnable) ? [] : foreignCode.map { "not checked: foreign policy \($0.shown)" }
    }

    /// What permission to start that code was given to; workers get it with their start.
    public var permissions: [String] {
        Set(policies.flatMap { $0.choices.map(\.fingerprint) }).subtracting([""]).sorted()
    }

    /// The phones of its sweep points.
    public var phones: [Evidence.Phone] {
        points.map { Evidence.Phone(device: $0.device.name, system: $0.device.os.generation) }
    }
}

/// An experiment, typed and checked: its definition, and everything that it needs to be run.
@dynamicMemberLookup
public struct Experiment: Sendable {
    /// What it says of itself.
    public let definition: ExperimentDefinition
    /// The file as the user named it.
    public let path: String
    /// How many replications; where the file states none, one for each person.
    public let replicationRule: ReplicationRule
    /// The policies compared.
    public let policies: [PolicyPair]
    /// Index of the pair that the others are compared with.
    public let baselineIndex: Int
    /// Sweep points, at least one.
    public let points: [SweepPoint]
    /// The files that it reads besides its own: models and recordings.
    public let inputs: [String]
    /// The assumptions it rests on.
    public let assumptions: [Assumption]
    /// What deserves a word but stops nothing.
    public let warnings: Diagnostics
    /// The file as written.
    public let writtenText: String
    /// The file with its models laid out.
    let whole: Node
    /// The file with the settings of the command line.
    let written: Node
    /// Every value of the first point by its key, defaults included; empty unless asked for.
    let values: [ConfigReport.Value]

    /// What its definition says.
    public subscript<Value>(dynamicMember path: KeyPath<ExperimentDefinition, Value>) -> Value {
        definition[keyPath: path]
    }

    /// Largest number of replications.
    public var replications: Int { replicationRule.maximum }
    /// The pair that the others are compared with.
    public var baseline: PolicyPair { policies[baselineIndex] }
    /// Number of runs in all.
    public var runCount: Int { points.count * policies.count * replications }

    /// Number of apps on the phone in a replication.
    public func appCount(point: Int, replication: Int) -> Int { points[point].apps(replication: replication).count }

    /// Everything that determines one run.
    public func specification(point: Int, policy: Int, replication: Int) -> RunSpecification {
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
