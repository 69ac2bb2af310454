// SPDX-License-Identifier: GPL-3.0-or-later
import Scenario

/// The policies of one run, compared as a pair.
public struct PlannedPolicy: Sendable, Equatable {
    /// The name in tables, `eviction+scheduling` unless the experiment gives one.
    public let name: String
    /// Eviction policy with its parameters, as written.
    public let eviction: String
    /// Scheduling policy with its parameters, as written.
    public let scheduling: String
    /// What it says of prelaunch, freezing and swap; empty where it leaves them to the device.
    public let memory: String
    /// What a reader of a comparison must know, for instance that it reads the future.
    public let remarks: [String]
    /// Hash of the code of the pair that is no part of the program; empty without such.
    public let code: String

    private static func plainName(_ parts: String...) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: "+")
    }

    /// Whether it is called after its parts.
    var isPlain: Bool { name == Self.plainName(eviction, scheduling, memory) }

    /// What it is called without its eviction policy, or without its scheduling policy.
    var withoutEviction: String { Self.plainName(scheduling, memory) }
    var withoutScheduling: String { Self.plainName(eviction, memory) }

    /// Creates a pair; without a name of its own it is called after its parts.
    public init(
        name: String? = nil, eviction: String, scheduling: String, memory: String = "", remarks: [String] = [],
        code: String = ""
    ) {
        self.remarks = Self.current(remarks)
        self.code = code
        self.name = name ?? Self.plainName(eviction, scheduling, memory)
        self.eviction = eviction
        self.scheduling = scheduling
        self.memory = memory
    }
}

/// One combination of the swept values.
public struct PlannedPoint: Sendable, Equatable {
    /// One value per axis, as written.
    public let values: [String]
    /// Hash of everything a run at this point depends on, policy and replication aside.
    public let configuration: UInt64

    /// Creates a point.
    public init(values: [String], configuration: UInt64) {
        self.values = values
        self.configuration = configuration
    }
}

/// How results are judged.
public struct Analysis: Sendable, Equatable {
    /// Confidence level of intervals, 0 to 1.
    public var level: Double
    /// Relative difference from the baseline that counts as none, 0 to 1.
    public var equivalence: Double
    /// The same of metrics that have one of their own, by name.
    public var equivalenceByMetric: [String: Double]
    /// Metric within which p-values are adjusted.
    public var primary: String
    /// Whether p-values are adjusted after Holm.
    public var holm: Bool
    /// Metrics shown beside the primary one; empty shows the common ones.
    public var shown: [String]
    /// Values, by axis, of the sweep point that the others are compared with; empty for the first point.
    public var sweepBaseline: [String: String]
    /// The question about all axes at once that the sweep answers; nil for none.
    public var design: SweepDesign?
    /// Part of a run that no metric counts, in seconds; nil where it is not known.
    public var warmup: Double?
    /// Whether every replication replays the days of one recorded user.
    public var isRecorded = false
    /// Quantiles over replications that are told, each strictly between 0 and 1.
    public var quantiles: [Double] = []
    /// How the best policy is found; nil where all are run to the end.
    public var selection: SelectionRule?

    /// Creates rules of judgement.
    public init(
        level: Double = 0.95, equivalence: Double = 0.01, primary: String, holm: Bool = true, shown: [String] = [],
        sweepBaseline: [String: String] = [:], equivalenceByMetric: [String: Double] = [:],
        design: SweepDesign? = nil
    ) {
        self.design = design
        self.holm = holm
        self.level = level
        self.equivalence = equivalence
        self.primary = primary
        self.shown = shown
        self.sweepBaseline = sweepBaseline
        self.equivalenceByMetric = equivalenceByMetric
    }

    /// Relative difference from the baseline that counts as none in a metric, 0 to 1.
    public func equivalence(of metric: String) -> Double { equivalenceByMetric[metric] ?? equivalence }
}

/// One run of the plan.
public struct PlannedRun: Sendable, Equatable {
    /// Index in the plan, from 0.
    public let number: Int
    /// Replication, from 0.
    public let replication: Int
    /// Index of the sweep point.
    public let point: Int
    /// Index of the policies.
    public let policy: Int
    /// Hash of everything the result depends on; finished runs are found again by it.
    public let identity: UInt64

    /// Names the run for a replay, with the version of the model in front.
    public func token(modelVersion: String) -> String { "m\(modelVersion)-\(hexadecimal(identity))" }
}

/// Sixteen hexadecimal digits.
public func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
