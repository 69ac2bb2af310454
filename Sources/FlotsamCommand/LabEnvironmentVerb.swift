// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import ForeignPolicies
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import Vocabulary

/// `flotsam lab environment`: simulates one run whose decisions come from standard input, for the Python package.
enum LabEnvironmentVerb: Verb {
    static let name = "environment"
    static let summary = "Carries out a run that reads its decisions from standard input"
    static let example = ""

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let kind = arguments.option(
            "--kind", value: "KIND", help: "Kind of the decisions on standard input: eviction or scheduling",
            default: "scheduling")
        let replication = arguments.option(
            "--replication", value: "N", help: "Number of the replication, from 0", default: 0)
        let policy: String? = arguments.option(
            "--policy", value: "NAME",
            help: "Pair of policies that provides the policy of the other kind (default: the baseline)")
        let overrides = arguments.settings()
        let files = arguments.inputs("EXPERIMENT.yaml", help: "Experiment file", 1...1)
        if !["eviction", "scheduling"].contains(kind) {
            arguments.report("--kind expects eviction or scheduling, found \(kind)")
        }
        if replication < 0 { arguments.report("--replication expects 0 or more, found \(replication)") }
        if let code = arguments.settled() { return code }
        let experiment = try loadExperiment(path: files[0], overrides: overrides, catalog: setting.policies)
        guard
            let pair = policy.map({ name in experiment.policies.firstIndex { $0.name == name } })
                ?? experiment.baselineIndex
        else {
            let names = experiment.policies.map(\.name).joined(separator: ", ")
            throw Diagnostics("the experiment has no pair of policies \"\(policy ?? "")\"", hint: "one of: \(names)")
        }
        return try carryOut(experiment, pair, replication, isEviction: kind == "eviction")
    }

    private static func carryOut(
        _ experiment: Experiment, _ pair: Int, _ replication: Int, isEviction: Bool
    ) throws -> Int32 {
        var meter = RunMeter()
        func figures() -> [(name: String, value: Double)] {
            [
                ("energy", meter.energy.joules), ("content_age", meter.contentAge),
                ("content_opens", meter.contentOpens), ("relaunches", meter.relaunches), ("wait", meter.wait),
            ]
        }
        let stream: StreamPolicy
        do throws(ForeignPolicyError) {
            stream = try StreamPolicy(isEviction: isEviction, figures: figures)
        } catch {
            throw Diagnostics(error.message)
        }
        var specification = experiment.ownSpecification(point: 0, policy: pair, replication: replication)
        specification.readsFuture = specification.readsFuture || stream.isOracle
        let (eviction, scheduling) = (UncheckedBox(stream.eviction()), UncheckedBox(stream.scheduling()))
        if isEviction {
            specification.makeEviction = { _ in eviction.value }
        } else {
            specification.makeScheduling = { _ in scheduling.value }
            specification.schedulingRules = []
        }
        let outcome = simulate(experiment.withPast(specification, point: 0)) { meter = $0 }
        let names = MetricCatalog.catalogue.metrics.map(\.name)
        stream.finish(zip(names, outcome.metrics).map { ($0, $1) })
        return ExitCode.ok
    }
}

/// Box with a policy, which a closure of the specification returns for the single run of this process.
private struct UncheckedBox<Value>: Sendable where Value: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
