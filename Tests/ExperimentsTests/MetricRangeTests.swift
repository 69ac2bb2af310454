// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Measures
import Phone
import PhoneCore
import Scenario
import TestSupport
import Testing

/// Every metric of short runs of odd phones against the range that it declares.
@Suite struct MetricRangeTests {
    private static let folder = SourceTree.root.path() + "Tests/ExperimentsTests/OutOfRange/"
    private static let shipped = SourceTree.root.path() + "experiments/"

    private func outcome(_ path: String, _ overrides: [String] = []) throws -> [Double] {
        let experiment = try loadExperiment(path: path, overrides: overrides, catalog: .builtIn)
        return simulate(experiment.specification(point: 0, policy: 0, replication: 0)).metrics
    }

    private func value(_ name: String, _ values: [Double]) throws -> Double {
        values[try #require(MetricCatalog.catalogue.index(of: name))]
    }

    /// What a run has outside of the ranges; a share may be of nothing, and then has no value.
    private func strays(_ values: [Double]) -> [String] {
        zip(MetricCatalog.catalogue.metrics, values).compactMap { metric, value in
            metric.allows(value) ? nil : "\(metric.name) is \(value), not in \(metric.range)"
        }
    }

    @Test(arguments: [
        ("share_above_1_push", "push_delivered_share", 1.0),
        ("share_above_1_push", "silent_push_delivered_share", 1),
        ("share_above_1_wasted", "wasted_refresh_share", 16.0 / 24),
        ("negative_share", "screen_off_apps_share", 0.019498839299651974),
    ])
    func `numerator and denominator are of the same items`(file: String, metric: String, expected: Double) throws {
        let values = try outcome(Self.folder + file + ".yaml")
        #expect(strays(values) == [])
        let found = try value(metric, values)
        #expect(abs(found - expected) < 1e-9, "\(found)")
    }

    @Test func `a skill against what never happens is no value`() throws {
        let values = try outcome(Self.folder + "skill_minus_inf.yaml")
        let (skill, brier) = (try value("prediction_skill", values), try value("prediction_brier", values))
        #expect(strays(values) == [] && skill.isNaN && brier > 0)
    }

    @Test(arguments: [
        "quickstart", "batching-against-tails", "incidents", "notifications", "force-quitter", "overnight-charging",
    ])
    func `all metrics of a short run are in their ranges`(name: String) throws {
        for (duration, warmup) in [("26 h", "2 h"), ("30 h", "0 s"), ("2 h", "1 h")] {
            let overrides = ["duration=\(duration)", "warmup=\(warmup)"]
            #expect(strays(try outcome(Self.shipped + name + ".yaml", overrides)) == [])
        }
    }
}
