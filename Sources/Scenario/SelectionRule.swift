// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Measures
import Phone
import Quantities

/// Rule that selects the best policy without running all policies to the end.
public struct SelectionRule: Sendable, Equatable {
    /// Indifference zone, as a share of the baseline's mean over the first replications.
    public let indifference: Double
    /// Probability that the selected policy is the best one, or differs from the best by at most the indifference zone.
    public let level: Double
    /// Number of replications before the first policy can be dropped.
    public let first: Int

    /// Creates a rule.
    public init(indifference: Double, level: Double, first: Int) {
        self.indifference = indifference
        self.level = level
        self.first = first
    }

    /// Reads the key `select`; nil if it is missing, or if it has errors, which are reported.
    static func read(_ map: MapReader, replications: ReplicationRule?, primary: String, policies: Int) -> SelectionRule?
    {
        guard let cursor = map.cursor("select") else { return nil }
        let reader = MapReader(cursor)
        let indifference = reader.required("indifference", .quantity(.fraction, 0.0001...1))
        let level = reader.value("level", .quantity(.fraction, 0.5...0.9999), default: 0.95)
        let first = reader.value("first", .integer(5...1_000_000, example: "10"), default: 10)
        reader.finish()
        if replications?.halfWidth != nil {
            cursor.fail("\"select\" and \"until\" both set the number of replications", hint: "leave one of them out")
        } else if let replications, replications.maximum < first {
            cursor.fail(
                "the selection starts at replication \(first), but there are only \(replications.maximum)",
                hint: "with replications: 200, the selection continues to 200 if needed")
        } else if policies < 2 {
            cursor.fail("there is nothing to select, because the experiment has one policy")
        } else if isNeutral(primary) {
            cursor.fail(
                "neither direction of \(primary) is better, so no policy is best",
                hint: "choose another primary metric")
        }
        return indifference.map { SelectionRule(indifference: $0, level: level, first: first) }
    }

    /// Whether neither direction of a metric is better.
    private static func isNeutral(_ metric: String) -> Bool {
        let name = String(metric.prefix { $0 != "(" })
        return MetricCatalog.catalogue.metrics.first { $0.name == name }?.better == .neutral
    }
}
