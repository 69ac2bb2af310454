// SPDX-License-Identifier: GPL-3.0-or-later
import Scenario

/// Layout of a plan: sweep points, policies and the number of replications.
public struct PlanLayout: Sendable, Equatable {
    /// Sweep points; a single point without values when nothing is swept.
    public var points: [PlannedPoint]
    /// Policies in the order of the experiment.
    public var policies: [PlannedPolicy]
    /// Index of the policy pair with which the others are compared.
    public var baseline: Int
    /// Number of replications.
    public var replications: Int
    /// Whether every replication replays the days of one recorded user.
    public var isRecorded = false
    /// One person per replication; nil without a population.
    public var people: PlannedPeople?
    /// Constants that are drawn for each sample of `uncertainty`; empty without `uncertainty`.
    public var doubts: [PlannedDoubt] = []
    /// Number of replications of each policy at each point, by `policy * points.count + point`.
    ///
    /// Nil unless a selection dropped policies.
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

    /// Whether the layout is valid and each point has one value for each axis of an experiment.
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

/// Pair of policies of a run, which is compared as a whole.
public struct PlannedPolicy: Sendable, Equatable {
    /// Name in tables; `eviction+scheduling` unless the experiment sets a name.
    public private(set) var name: String
    /// Eviction policy with its parameters, as displayed.
    public private(set) var eviction: String
    /// Scheduling policy with its parameters, as displayed.
    public private(set) var scheduling: String
    /// Texts of both policies in the experiment, which identify runs; empty if the policies are displayed as written.
    private var written: [String] = []
    /// Settings of prelaunch, freezing and swap; empty if the device determines them.
    public private(set) var memory: String
    /// Remarks for readers of a comparison, for instance that a policy reads the future.
    public private(set) var remarks: [String]
    /// Hash of the policies' code that is not part of the program; empty if there is none.
    public private(set) var code: String

    private static func plainName(_ parts: String...) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: "+")
    }

    /// Texts that identify runs.
    ///
    /// These texts do not depend on whether foreign code has already reported its own name.
    var identity: [String] {
        guard written.count == 2 else { return [name, eviction, scheduling] }
        return [isPlain ? Self.plainName(written[0], written[1], memory) : name] + written
    }

    /// Whether the name is made from the names of the parts.
    var isPlain: Bool { name == Self.plainName(eviction, scheduling, memory) }

    /// Name without the eviction policy; the next property is the name without the scheduling policy.
    var withoutEviction: String { Self.plainName(scheduling, memory) }
    var withoutScheduling: String { Self.plainName(eviction, memory) }

    /// Creates a pair; if the name is nil, it is made from the names of the parts.
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

    /// Remarks; when they are set, remarks of earlier versions are replaced.
    private var keptRemarks: [String] {
        get { remarks }
        set { remarks = Self.current(newValue) }
    }

    /// Creates the planned form of an experiment's pair.
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
    /// Hash of everything that determines a run at this point, except the policy and the replication.
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
    /// Index of the policy pair.
    public let policy: Int
    /// Hash of everything that determines the result; it identifies finished runs.
    public let identity: UInt64

    /// Token for repeating the run: the version of the model and the identity.
    public func token(modelVersion: String) -> String { "m\(modelVersion)-\(hexadecimal(identity))" }
}

/// A number as sixteen hexadecimal digits.
public func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
