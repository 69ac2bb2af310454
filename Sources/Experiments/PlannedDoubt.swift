// SPDX-License-Identifier: GPL-3.0-or-later
import Recording
import Scenario

/// A constant of the model that is drawn anew for each sample of an experiment's `uncertainty`.
public struct PlannedDoubt: Sendable, Equatable {
    /// Its path in the experiment.
    public let path: String
    /// One value for each sample; replication r has sample r, and begins anew behind the last.
    public let draws: [Double]

    /// Creates a doubt.
    public init(path: String, draws: [Double]) {
        precondition(!draws.isEmpty, "a doubt has a draw")
        self.path = path
        self.draws = draws
    }

    /// Its value in a replication.
    public func value(replication: Int) -> Double { draws[replication % draws.count] }

    /// What is drawn alike at every sweep point.
    static func all(of experiment: Experiment) -> [PlannedDoubt] {
        let rest = experiment.points.dropFirst().map(\.doubts)
        return (experiment.points.first?.doubts ?? []).filter { doubt in
            rest.allSatisfy { $0.contains(doubt) }
        }.map { PlannedDoubt(path: $0.path, draws: $0.draws) }
    }
}

extension PlannedDoubt {
    /// As the manifest keeps it.
    var json: JSONValue {
        .object(["path": .string(path), "draws": .array(draws.map { .number($0) })])
    }

    /// Reads it back; nil when it is incomplete.
    init?(json: JSONValue) {
        guard let path = json["path"]?.string, let draws = json["draws"]?.array?.compactMap(\.number), !draws.isEmpty
        else { return nil }
        self.init(path: path, draws: draws)
    }
}
