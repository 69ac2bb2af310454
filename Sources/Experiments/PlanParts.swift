// SPDX-License-Identifier: GPL-3.0-or-later
import Scenario

/// What a plan lays out: policies and sweep points, and how many replications of each.
public struct PlanLayout: Sendable, Equatable {
    /// Sweep points; one without values when nothing is swept.
    public var points: [PlannedPoint]
    /// Policies in the order of the experiment.
    public var policies: [PlannedPolicy]
    /// Index of the policies the others are compared with.
    public var baseline: Int
    /// Number of replications.
    public var replications: Int
    /// Whether every replication replays the days of one recorded user.
    public var isRecorded = false
    /// The people, replication by replication; nil without a population.
    public var people: PlannedPeople?
    /// The constants that are drawn for each sample of its `uncertainty`; empty without.
    public var doubts: [PlannedDoubt] = []
    /// Replications of each policy at each point, `policy * points.count + point`, where a selection left some out.
    var lengths: [Int]?

    /// Lays out policies and points.
    public init(
        points: [PlannedPoint] = [], policies: [PlannedPolicy] = [], baseline: Int = 0, replications: Int = 0
    ) {
        self.points = points
        self.policies = policies
        self.baseline = baseline
        self.replications = replications
    }

    /// Whether its points have a value for each axis of an experiment.
    func fits(_ definition: ExperimentDefinition) -> Bool {
        isSound && points.allSatisfy { $0.values.count == definition.axes.count }
    }
}

extension PlanLayout: JSONDocument {
    static let fields: [JSONField<PlanLayout>] = [
        .value(\.points, "points"), .value(\.policies, "policies"), .value(\.baseline, "baseline"),
        .value(\.replications, "replications"), .value(\.isRecorded, "recorded", usually: false),
        .value(\.people, "people", usually: nil), .value(\.doubts, "doubts", usually: []),
        .value(\.lengths, "lengths", usually: nil),
    ]

    init() { self.init(points: []) }

    var isSound: Bool {
        policies.indices.contains(baseline) && replications >= 0
            && lengths?.count ?? policies.count * points.count == policies.count * points.count
            && lengths?.allSatisfy(PlannedRuns.isNumber) ?? true
    }
}

/// The policies of one run, compared as a pair.
public struct PlannedPolicy: Sendable, Equatable {
    /// The name in tables, `eviction+scheduling` unless the experiment gives one.
    public private(set) var name: String
    /// Eviction policy with its parameters, as it is shown.
    public private(set) var eviction: String
    /// Scheduling policy with its parameters, as it is shown.
    public private(set) var scheduling: String
    /// Both as the experiment has them, which runs are known by; empty where they are shown as they are written.
    private var written: [String] = []
    /// What it says of prelaunch, freezing and swap; empty where it leaves them to the device.
    public private(set) var memory: String
    /// What a reader of a comparison must know, for instance that it reads the future.
    public private(set) var remarks: [String]
    /// Hash of the code of the pair that is no part of the program; empty without such.
    public private(set) var code: String

    private static func plainName(_ parts: String...) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: "+")
    }

    /// What runs are known by: the same whether or not foreign code was started and gave its own name.
    var identity: [String] {
        guard written.count == 2 else { return [name, eviction, scheduling] }
        return [isPlain ? Self.plainName(written[0], written[1], memory) : name] + written
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
        self.remarks = remarks
        self.code = code
        self.name = name ?? Self.plainName(eviction, scheduling, memory)
        self.eviction = eviction
        self.scheduling = scheduling
        self.memory = memory
    }
}

extension PlannedPolicy: JSONDocument {
    static let fields: [JSONField<PlannedPolicy>] = [
        .value(\.name, "name"), .value(\.eviction, "eviction"), .value(\.scheduling, "scheduling"),
        .value(\.keptRemarks, "remarks", usually: []), .value(\.memory, "memory", usually: ""),
        .value(\.code, "code", usually: ""), .value(\.written, "written", usually: []),
    ]

    init() { self.init(eviction: "", scheduling: "") }

    /// Those of earlier versions say the same in other words.
    private var keptRemarks: [String] {
        get { remarks }
        set { remarks = Self.current(newValue) }
    }

    /// A pair of an experiment.
    init(_ pair: PolicyPair) {
        var remarks: [String] = []
        if pair.isOracle { remarks.append(PlannedPolicy.oracleRemark) }
        if pair.replacesTrigger { remarks.append("replaces the phone's own trigger") }
        let code = pair.choices.map { hexadecimal($0.checksum) }.joined(separator: "+")
        self.init(
            name: pair.name, eviction: pair.eviction.text, scheduling: pair.scheduling.text,
            memory: pair.memory.text, remarks: remarks, code: pair.foreignCode.isEmpty ? "" : code)
        let choices = [pair.eviction, pair.scheduling]
        if choices.contains(where: { $0.written != nil }) { written = choices.map { $0.written ?? $0.text } }
    }
}

/// One combination of the swept values.
public struct PlannedPoint: Sendable, Equatable {
    /// One value per axis, as written.
    public private(set) var values: [String]
    /// Hash of everything a run at this point depends on, policy and replication aside.
    public private(set) var configuration: UInt64

    /// Creates a point.
    public init(values: [String], configuration: UInt64) {
        self.values = values
        self.configuration = configuration
    }
}

extension PlannedPoint: JSONDocument {
    static let fields: [JSONField<PlannedPoint>] = [
        .value(\.values, "values"), .value(\.configuration, "configuration"),
    ]

    init() { self.init(values: [], configuration: 0) }
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
