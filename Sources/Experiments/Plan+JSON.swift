// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Recording
import Scenario

extension Plan {
    /// The plan as the manifest keeps it, so that a directory of results explains itself.
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "question": .string(question), "schema": .integer(schema),
            "seed": .string(String(seed)), "axes": .array(axes.map { .string($0) }),
            "points": .array(points.map(Self.json)), "policies": .array(policies.map(Self.json)),
            "baseline": .integer(baseline), "replications": .integer(replications),
            "tables": .array(PhoneTables.list.tables(in: tables).map { .string($0.name) }),
            "kept": .array(PhoneTables.list.tables(in: kept).map { .string($0.name) }),
            "compressed": .bool(isCompressed),
            "app_metrics": .array(
                metrics.ofApps.map { .string($0.text(in: MetricCatalog.catalogue)) }),
            "analysis": analysis.json,
            "lengths": lengths.map { .array($0.map { .integer($0) }) } ?? .null, "hash": .string(hexadecimal(hash)),
        ]
        if let people { members["people"] = people.json }
        if !doubts.isEmpty { members["doubts"] = .array(doubts.map(\.json)) }
        return .object(members)
    }

    /// Says that a plan of a manifest has more runs than an experiment may have; nil where it has not.
    static func excess(_ json: JSONValue) -> String? {
        RunLimit.excess(
            points: json["points"]?.array?.count ?? 0, policies: json["policies"]?.array?.count ?? 0,
            replications: json["replications"]?.integer ?? 0)
    }

    /// Reads a plan back; nil when it is incomplete or lays out other runs than it did when it was written.
    public init?(json: JSONValue) {
        guard let name = json["name"]?.string, let schema = json["schema"]?.integer,
            let seed = json["seed"]?.string.flatMap({ UInt64($0) }), let axes = Self.texts(json["axes"]),
            let points = json["points"]?.array?.map(Self.point),
            let policies = json["policies"]?.array?.map(Self.policy),
            let baseline = json["baseline"]?.integer, let replications = json["replications"]?.integer,
            let tables = Self.texts(json["tables"]), let analysis = json["analysis"].flatMap(Analysis.init(json:)),
            policies.indices.contains(baseline), replications >= 0, Self.excess(json) == nil
        else { return nil }
        let wholePoints = points.compactMap { $0 }.filter { $0.values.count == axes.count }
        let wholePolicies = policies.compactMap { $0 }
        guard wholePoints.count == points.count, wholePolicies.count == policies.count else { return nil }
        let lengths = json["lengths"]?.array?.compactMap(\.integer)
        guard lengths.map({ $0.count == policies.count * points.count && $0.allSatisfy(PlannedRuns.isNumber) }) ?? true
        else { return nil }
        // A metric that this build lacks is left out, and then the hash tells.
        let ofApps = (Self.texts(json["app_metrics"]) ?? []).compactMap { try? MetricCatalog.catalogue.request($0) }
        func set(_ names: [String]) -> TableSet {
            TableSet(PhoneTables.list.tables.filter { names.contains($0.name) }.map(\.set))
        }
        self.init(
            name: name, question: json["question"]?.string ?? "", schema: schema, seed: seed, axes: axes,
            points: wholePoints, policies: wholePolicies, baseline: baseline, replications: replications,
            tables: set(tables), analysis: analysis,
            metrics: MetricList(MetricCatalog.catalogue, ofApps: ofApps), kept: set(Self.texts(json["kept"]) ?? []),
            isCompressed: json["compressed"] == .bool(true), people: json["people"].flatMap { PlannedPeople(json: $0) },
            lengths: lengths, doubts: (json["doubts"]?.array ?? []).compactMap { PlannedDoubt(json: $0) })
        guard json["hash"]?.string == hexadecimal(hash) else { return nil }
    }

    /// Lines of `plan.jsonl`: one for each of some runs.
    public func lines(of numbers: Range<Int>) -> [UInt8] {
        var out = ByteBuffer()
        for run in runs[numbers] where wants(run) {
            var members: [String: JSONValue] = [
                "run": .integer(run.number), "policy": .string(policies[run.policy].name),
                "replication": .integer(run.replication), "identity": .string(hexadecimal(run.identity)),
            ]
            for (axis, value) in zip(axes, points[run.point].values) { members[axis] = .string(value) }
            out.append(text: JSONValue.object(members).compact)
            out.newline()
        }
        return out.bytes
    }

    private static func json(_ point: PlannedPoint) -> JSONValue {
        .object([
            "values": .array(point.values.map { .string($0) }),
            "configuration": .string(hexadecimal(point.configuration)),
        ])
    }

    private static func json(_ policy: PlannedPolicy) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(policy.name), "eviction": .string(policy.eviction),
            "scheduling": .string(policy.scheduling), "remarks": .array(policy.remarks.map { .string($0) }),
        ]
        if !policy.memory.isEmpty { members["memory"] = .string(policy.memory) }
        if !policy.code.isEmpty { members["code"] = .string(policy.code) }
        return .object(members)
    }

    private static func point(_ json: JSONValue) -> PlannedPoint? {
        guard let values = texts(json["values"]),
            let configuration = json["configuration"]?.string.flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        return PlannedPoint(values: values, configuration: configuration)
    }

    private static func policy(_ json: JSONValue) -> PlannedPolicy? {
        guard let name = json["name"]?.string, let eviction = json["eviction"]?.string,
            let scheduling = json["scheduling"]?.string
        else { return nil }
        return PlannedPolicy(
            name: name, eviction: eviction, scheduling: scheduling, memory: json["memory"]?.string ?? "",
            remarks: texts(json["remarks"]) ?? [],
            code: json["code"]?.string ?? "")
    }

    static func texts(_ json: JSONValue?) -> [String]? {
        guard let array = json?.array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }
}
