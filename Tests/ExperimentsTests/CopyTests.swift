// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Foundation
import Measures
import Phone
import PhoneCore
import Quantities
import Scenario
import TestSupport
import Testing
import Vocabulary

@testable import Phone

/// Everything that a run left behind, as bits.
private func bits(_ outcome: RunOutcome) -> [UInt64] {
    outcome.metrics.map(\.bitPattern)
        + [
            outcome.events, outcome.userActions, outcome.fingerprint, outcome.workloadFingerprint,
            outcome.ledgerError.bitPattern,
        ]
}

/// Shipped experiments, cut to about a day.
private struct ShippedExperiments {
    /// Longest run that is left as it is, and the length of all others.
    static let day = SimDuration.hours(26)

    /// Paths below `experiments/`, sorted.
    static let files = ["", "/myths", "/validation"].flatMap { folder in
        directoryEntries(root + folder).filter { $0.hasSuffix(".yaml") }.sorted().map { folder + "/" + $0 }
    }

    private static var root: String { SourceTree.root.path() + "experiments" }

    /// Those of them that are experiments.
    static let runnable = files.indices.filter { run($0) != nil }

    /// One run of a file, nil for a bench, which is no experiment; each file with another pair of policies and point.
    static func run(_ index: Int) -> RunSpecification? {
        guard let whole = try? loadExperiment(path: root + files[index]) else { return nil }
        var specification = whole.specification(
            point: index % whole.points.count, policy: index % whole.policies.count, replication: 0)
        if specification.duration > day {
            specification.duration = day
            specification.warmup = .hours(2)
        }
        return specification
    }
}

@Suite struct `Deaths in shipped experiments` {
    @Test func `somebody dies for every reason in the experiment of incidents`() throws {
        let root = SourceTree.root.path() + "experiments/incidents.yaml"
        let whole = try loadExperiment(path: root)
        var found: [KillReason: Double] = [:]
        for (point, policy) in whole.points.indices.flatMap({ point in whole.policies.indices.map { (point, $0) } }) {
            let outcome = simulate(whole.specification(point: point, policy: policy, replication: 0))
            for reason in KillReason.allCases {
                let metric = try #require(MetricCatalog.catalogue.index(of: reason.metricName))
                found[reason, default: 0] += outcome.metrics[metric]
            }
        }
        for reason in KillReason.allCases {
            #expect(found[reason, default: 0] > 0, "nobody died of \(reason.name)")
        }
    }
}

@Suite struct `A copied phone` {
    @Test func `all shipped experiments are looked at, besides three benches and the list of misses`() {
        let left = Set(ShippedExperiments.files.indices).subtracting(ShippedExperiments.runnable).sorted()
        #expect(ShippedExperiments.files.count >= 50)
        #expect(
            left.map { ShippedExperiments.files[$0] } == [
                "/validation/energy-battery.yaml", "/validation/energy-heat.yaml", "/validation/energy-radio.yaml",
                "/validation/known-misses.yaml",
            ])
    }

    @Test(arguments: ShippedExperiments.runnable)
    func `original and copies go on to the bits of the undisturbed run`(index: Int) throws {
        let specification = try #require(ShippedExperiments.run(index))
        let undisturbed = bits(simulate(specification))
        let instants = Self.instants(seed: UInt64(index), within: specification.duration)
        var original = Phone(specification, sink: nil)
        original.start()
        let end = original.core.end

        // One copy goes ahead of its original, the other waits until its own copy and the original are done.
        original.run(until: instants[0])
        var ahead = original.copy(sink: nil)
        ahead.run(until: end)
        #expect(bits(ahead.outcome()) == undisturbed)

        original.run(until: instants[1])
        var behind = original.copy(sink: nil)
        original.run(until: end)
        #expect(bits(original.outcome()) == undisturbed)

        behind.run(until: instants[2])
        var copyOfCopy = behind.copy(sink: nil)
        copyOfCopy.run(until: end)
        #expect(bits(copyOfCopy.outcome()) == undisturbed)
        behind.run(until: end)
        #expect(bits(behind.outcome()) == undisturbed)
    }

    /// Three instants in order, uniform over the run, by Knuth's linear congruential generator MMIX.
    private static func instants(seed: UInt64, within duration: SimDuration) -> [SimTime] {
        var state = seed
        return (0..<3).map { _ in
            for _ in 0..<3 { state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
            return .zero + duration * (Double(state >> 11) * 0x1p-53)
        }.sorted()
    }
}
