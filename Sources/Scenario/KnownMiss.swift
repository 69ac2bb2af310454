// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics

/// A known miss of a target, with its size and reason.
///
/// A validation accepts the miss unless the size changes.
public struct KnownMiss: Sendable {
    /// Name of the experiment.
    public let experiment: String
    /// Identifier of the target.
    public let id: String
    /// Settings of the affected sweep points; empty for every point.
    public let point: [SweepPoint.Axis]
    /// Interval that contains the value found, which misses the target; in the unit of the target's band.
    public let found: ClosedRange<Double>
    /// Reason of the miss.
    public let reason: String
    /// Location of the entry in the form `file:line`.
    public let origin: String

    /// Creates an entry.
    public init(
        experiment: String, id: String, point: [SweepPoint.Axis] = [], found: ClosedRange<Double>, reason: String,
        origin: String
    ) {
        self.experiment = experiment
        self.id = id
        self.point = point
        self.found = found
        self.reason = reason
        self.origin = origin
    }
}

/// The file with known misses next to experiments.
public enum KnownMissFile {
    /// Name of the file in the folder of the experiments.
    public static let name = "known-misses.yaml"

    /// Reads `{schema, kind: known-misses, misses: [{experiment, id, at, found, reason}]}`.
    ///
    /// - Throws: All problems of the file, including duplicate entries.
    public static func load(path: String) throws(Diagnostics) -> [KnownMiss] {
        try load(SourceText.read(path: path).get())
    }

    /// Reads the known misses from a text.
    public static func load(_ source: SourceText) throws(Diagnostics) -> [KnownMiss] {
        let root = try YAML.parse(source).get()
        let report = ConfigReport()
        let map = MapReader(Cursor(root, report: report), expected: "a list of known misses (a map of keys)")
        _ = map.required("schema", .schema)
        _ = map.required("kind", .word(of: ["known-misses"], what: "kind of file"))
        let example = "{experiment: background-daily, id: V28, found: [38, 40], reason: why}"
        let misses = map.required("misses", .list(of: ValueReader<KnownMiss>(example: example, entry)))
        map.finish()
        guard let misses, !report.problems.hasErrors else { throw report.problems.ordered }
        return misses
    }

    private static func entry(_ cursor: Cursor) -> KnownMiss? {
        let map = MapReader(cursor)
        guard map.isMap else { return nil }
        let experiment = map.required("experiment", .text)
        let id = map.required("id", .text)
        let point = (map.cursor("at")?.node.entries ?? []).map {
            SweepPoint.Axis(path: $0.key, value: $0.value.label)
        }
        let found = map.required("found", TargetBand.reader)
        let reason = map.required("reason", ValueReader<String>.text.checked("a reason") { !$0.isEmpty })
        map.finish()
        guard let experiment, let id, let found, let reason else { return nil }
        guard found.lowerBound.isFinite, found.upperBound.isFinite else {
            cursor.fail("\"found\" must have a finite lower and upper end")
            return nil
        }
        let origin = "\(cursor.node.location.source.name):\(cursor.node.location.line)"
        return KnownMiss(
            experiment: experiment, id: id, point: point, found: found, reason: reason, origin: origin)
    }
}
