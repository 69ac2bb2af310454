// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Phone
import Recording
import Scenario

/// Content of a manifest besides the plan: the origin of the experiment and the basis of its verdicts.
public struct ManifestContent: Sendable {
    /// Path of the experiment file, as the user gave it.
    public var path: String
    /// Text of the experiment file.
    public var written: String
    /// All values in effect, including defaults.
    public var resolved: String
    /// Settings that the command line made.
    public var overrides: [String]
    /// Assumptions on which the results depend.
    public var assumptions: [Assumption]
    /// Remarks, for instance about values that a persona added to a trace.
    public var remarks: [String]
    /// Creates the content.
    public init(
        path: String, written: String, resolved: String, overrides: [String] = [], assumptions: [Assumption] = [],
        remarks: [String] = []
    ) {
        self.path = path
        self.written = written
        self.resolved = resolved
        self.overrides = overrides
        self.assumptions = assumptions
        self.remarks = remarks
    }

    /// Versions of earlier builds that made runs in the directory.
    private func earlierBuilds(_ earlier: JSONValue?) -> [JSONValue] {
        var builds = earlier?["earlier_builds"]?.array ?? []
        let current = HostDescription.versions
        guard let versions = earlier?["versions"], versions["build"] != current["build"],
            (earlier?["status"]?["done"]?.integer ?? 0) > 0
        else { return builds }
        if !builds.contains(versions) { builds.append(versions) }
        return builds
    }

    /// The manifest; it keeps the start time and the builds of an earlier manifest.
    func manifest(plan: Plan, status: JSONValue, earlier: JSONValue?) -> JSONValue {
        let now = JSONValue.string(Clock.timestamp())
        let builds = earlierBuilds(earlier)
        var remarks = remarks
        if !builds.isEmpty { remarks.append("segments/ also contains runs of earlier builds, which do not count") }
        return .object([
            "name": .string(plan.name), "question": .string(plan.question), "schema": .integer(plan.schema),
            "seed": .string(String(plan.seed)), "plan": plan.json, "status": status,
            "experiment": .object([
                "path": .string(path), "written": .string(written), "resolved": .string(resolved),
                "overrides": .array(overrides.map { .string($0) }),
                "hash": .string(hexadecimal(Checksum.of(written.utf8))),
                "resolved_hash": .string(hexadecimal(Checksum.of(resolved.utf8))),
            ]),
            "assumptions": .array(
                assumptions.map {
                    .object(["file": .string($0.file), "key": .string($0.key), "reason": .string($0.reason)])
                }),
            "remarks": .array(remarks.map { .string($0) }),
            "versions": HostDescription.versions, "earlier_builds": .array(builds), "host": HostDescription.host,
            "commits": SourceCommit.json(experiment: path),
            "times": .object(["begun": earlier?["times"]?["begun"] ?? now, "written": now]),
        ])
    }
}

extension ManifestContent {
    /// Content of the manifest for an experiment.
    public init(_ experiment: Experiment, overrides: [String]) {
        self.init(
            path: experiment.path, written: experiment.writtenText, resolved: experiment.resolvedText,
            overrides: overrides, assumptions: experiment.assumptions,
            remarks: experiment.warnings.shown.map(\.message) + experiment.fillings + experiment.cautions)
    }
}
