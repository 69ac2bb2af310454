// SPDX-License-Identifier: GPL-3.0-or-later
import Recording
import Scenario

/// Constant of the model with a newly drawn value for each sample of an experiment's `uncertainty`.
public struct PlannedDoubt: Sendable, Equatable {
    /// Path of the constant in the experiment.
    public private(set) var path: String
    /// One value per sample; replication r uses sample r, modulo the number of samples.
    public private(set) var draws: [Double]

    /// Creates a drawn constant.
    public init(path: String, draws: [Double]) {
        guard !draws.isEmpty else { fatalError("an uncertain constant needs at least one draw") }
        self.path = path
        self.draws = draws
    }

    /// Value of the constant in a replication.
    public func value(replication: Int) -> Double { draws[replication % draws.count] }

    /// Drawn constants of an experiment, as far as they are equal at every sweep point.
    static func all(of experiment: Experiment) -> [PlannedDoubt] {
        let rest = experiment.points.dropFirst().map(\.doubts)
        return (experiment.points.first?.doubts ?? []).filter { doubt in
            rest.allSatisfy { $0.contains(doubt) }
        }.map { PlannedDoubt(path: $0.path, draws: $0.draws) }
    }
}

extension PlannedDoubt: JSONDocument {
    static let fields: [JSONField<PlannedDoubt>] = [.value(\.path, "path"), .value(\.draws, "draws")]

    init() { self.init(path: "", draws: [0]) }

    var isSound: Bool { !draws.isEmpty }
}
