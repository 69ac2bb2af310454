// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics

/// The swept axes of an experiment and their points.
struct Sweep {
    /// A swept path with its values.
    struct Axis {
        let path: String
        let location: Node.Location
        let values: [Node]
    }

    /// The value of one axis at a point.
    struct Setting {
        let path: String
        let location: Node.Location
        let value: Node

        /// Keys of the path.
        var keys: [String] { path.split(separator: ".").map(String.init) }
        /// Whether the path is a parameter of policies, which is not in the file's tree.
        var isOfPolicies: Bool { path.hasPrefix(Sweep.policies + ".") }

        /// Path of the value in a tree with expanded models; such a tree has no key `base`.
        var laidOutPath: [String] {
            guard keys.count > 1, keys.last == "base" else { return keys }
            return keys.count == 2 && keys[0] == "apps" ? ["apps", "catalog"] : keys.dropLast()
        }
    }

    /// Points, each with one setting per axis.
    ///
    /// If nothing is swept, there is one point without settings.
    private(set) var points: [[Setting]] = [[]]

    /// Values of the baseline point; empty if it is the first point.
    private(set) var baseline: [SweepPoint.Axis] = []

    /// Design that the points belong to; nil for a plain sweep.
    private(set) var design: SweepDesign?

    /// Largest number of points.
    ///
    /// A larger number is probably a mistake.
    static let limit = RunLimit.points
    /// Largest number of axes.
    ///
    /// Each point copies the nodes that its settings change.
    static let mostAxes = 500
    /// Sections of an experiment for the phone and the user.
    ///
    /// Each is required.
    static let roots = ["device", "apps", "user"]
    /// Sections that a sweep may change.
    static let variable = roots + ["app"]
    /// Section whose parameters a sweep may change, for instance `policies.scheduling.every`.
    static let policies = "policies"

    /// Reads the key `sweep`; nil if it has errors, which are reported.
    ///
    /// - Parameter seed: Seed of the experiment, which random designs depend on.
    init?(_ cursor: Cursor?, seed: UInt64 = 0) {
        guard let cursor else { return }
        let map = MapReader(cursor)
        let words = ValueReader<String>.word(of: Mode.allCases.map(\.rawValue), what: "sweep mode")
        let mode = Mode(rawValue: map.value("mode", words, default: "product")) ?? .product
        let read = mode.isDesign ? readDesign(mode, map, seed: seed) : Self.written(mode, map)
        let conditions = SweepCondition.read(map)
        let stated = map.cursor("baseline")
        map.finish()
        guard let read, let conditions, let spanned = Self.narrow(read, to: conditions, mode, map) else { return nil }
        guard spanned.count <= Self.limit else {
            cursor.fail("the sweep has \(spanned.count) points, but at most \(Self.limit) are allowed")
            return nil
        }
        points = spanned
        guard let stated else { return }
        guard let baseline = Self.baseline(stated, among: spanned) else { return nil }
        self.baseline = baseline
    }

    /// Reads the points of a mode in which all values are in the file.
    private static func written(_ mode: Mode, _ map: MapReader) -> [[Setting]]? {
        if mode == .list {
            return list(map).flatMap { areDistinct($0, map.cursor) ? $0 : nil }
        }
        guard let axes = axes(map), let points = span(axes, mode: mode, map.cursor) else { return nil }
        let isDistinct = mode == .product ? areDistinct(axes, map.cursor) : areDistinct(points, map.cursor)
        return isDistinct ? points : nil
    }

    private mutating func readDesign(_ mode: Mode, _ map: MapReader, seed: UInt64) -> [[Setting]]? {
        guard let laidOut = Self.design(mode, map, seed: seed) else { return nil }
        if let kind = SweepDesign.Kind(rawValue: mode.rawValue) {
            design = SweepDesign(kind: kind, rows: laidOut.rows, ranges: laidOut.ranges.map(\.ends))
        }
        return laidOut.points
    }

    /// Removes the points that do not meet all conditions.
    private static func narrow(
        _ points: [[Setting]], to conditions: [SweepCondition], _ mode: Mode, _ map: MapReader
    ) -> [[Setting]]? {
        guard !conditions.isEmpty, let condition = map.cursor("where") else { return points }
        if SweepDesign.Kind(rawValue: mode.rawValue) != nil {
            condition.fail("mode \(mode.rawValue) needs all of its points, but \"where\" leaves some out")
            return nil
        }
        var kept: [[Setting]] = []
        for point in points {
            var holds = true
            for each in conditions {
                guard let holdsHere = each.holds(point, condition) else { return nil }
                holds = holds && holdsHere
            }
            if holds { kept.append(point) }
        }
        if kept.isEmpty { condition.fail("no point of the sweep meets the conditions") }
        return kept.isEmpty ? nil : kept
    }

    /// Reads the values of some or all axes that identify the baseline point.
    private static func baseline(_ cursor: Cursor, among points: [[Setting]]) -> [SweepPoint.Axis]? {
        guard let entries = cursor.node.entries, !entries.isEmpty else {
            cursor.expected("a map from swept paths to values, such as {device.memory.ram: 4 GiB}")
            return nil
        }
        let values = entries.map { SweepPoint.Axis(path: $0.key, value: $0.value.label) }
        for (value, entry) in zip(values, entries) {
            let axis = points.flatMap { $0 }.filter { $0.path == value.path }
            if axis.contains(where: { $0.value.label == value.value }) { continue }
            let paths = points[0].map(\.path)
            let known = axis.map(\.value.label)
            cursor.report.add(
                entry.location.problem(
                    axis.isEmpty
                        ? "the sweep has no axis \"\(value.path)\"" : "the axis has no value \"\(value.value)\"",
                    hint: axis.isEmpty
                        ? nameHint(value.path, in: paths) : nameHint(value.value, in: known, prefix: "values: ")))
            return nil
        }
        let isThere = points.contains { point in
            values.allSatisfy { value in point.contains { $0.path == value.path && $0.value.label == value.value } }
        }
        if !isThere { cursor.fail("no point of the sweep has these values") }
        return isThere ? values : nil
    }

    /// Applies the settings of a point to a tree.
    static func apply(_ settings: [Setting], to root: Node) -> Result<Node, Diagnostics> {
        settings.filter { !$0.isOfPolicies }.reduce(.success(root)) { result, setting in
            result.flatMap { tree in
                tree.setting(setting.keys, to: setting.value, at: setting.location)
            }
        }
    }

    private static func axes(_ map: MapReader) -> [Axis]? {
        guard map.isMap else { return nil }
        guard let cursor = map.cursor("axes"), let entries = cursor.node.entries, !entries.isEmpty else {
            let hint = "for instance \"axes: {device.memory.ram: [3 GiB, 4 GiB]}\""
            (map.cursor("axes") ?? map.cursor).fail("expected axes, a map from paths to lists of values", hint: hint)
            return nil
        }
        guard areFew(entries, cursor) else { return nil }
        let axes = entries.compactMap { entry -> Axis? in
            let axis = Cursor(Node(.scalar(entry.key, quoted: false), at: entry.location), report: cursor.report)
            guard isAllowed(entry.key, axis) else { return nil }
            guard let items = entry.value.items, !items.isEmpty else {
                cursor.child(entry.value, key: entry.key).expected("a list of at least one value")
                return nil
            }
            return Axis(path: entry.key, location: entry.location, values: items)
        }
        return axes.count == entries.count ? axes : nil
    }

    private static func list(_ map: MapReader) -> [[Setting]]? {
        let point = ValueReader<[Setting]>(example: "{device.memory.ram: 3 GiB}") { cursor in
            guard let entries = cursor.node.entries, !entries.isEmpty else {
                cursor.expected("a map from paths to values")
                return nil
            }
            guard areFew(entries, cursor) else { return nil }
            let settings = entries.compactMap { entry -> Setting? in
                let axis = Cursor(Node(.scalar(entry.key, quoted: false), at: entry.location), report: cursor.report)
                return isAllowed(entry.key, axis)
                    ? Setting(path: entry.key, location: entry.location, value: entry.value) : nil
            }
            return settings.count == entries.count ? settings : nil
        }
        guard let points = map.required("points", .list(of: point)) else { return nil }
        guard let first = points.first else {
            map.cursor("points")?.fail("the list of points is empty", hint: "to sweep nothing, leave out \"sweep\"")
            return nil
        }
        for settings in points where settings.map(\.path) != first.map(\.path) {
            map.cursor.report.add(
                settings[0].location.problem(
                    "every point of the list must set the same paths in the same order",
                    hint: "the first sets " + first.map(\.path).joined(separator: ", ")))
            return nil
        }
        return points
    }

    /// Reports a map with more paths than a sweep allows.
    ///
    /// Returns whether the number is allowed.
    static func areFew(_ paths: [Node.Entry], _ cursor: Cursor) -> Bool {
        guard paths.count > mostAxes else { return true }
        cursor.fail("the sweep has \(paths.count) axes, but at most \(mostAxes) are allowed")
        return false
    }

    static func isAllowed(_ path: String, _ cursor: Cursor) -> Bool {
        let words = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if words.contains("") {
            cursor.fail("expected a path such as device.memory.ram, found \"\(path)\"")
            return false
        }
        if variable.contains(words[0]) { return true }
        if words[0] == policies, words.count == 3, ["eviction", "scheduling"].contains(words[1]) { return true }
        let near = nearest(to: words[0], in: variable)
        cursor.fail(
            "a sweep can change device, apps, user, app and the parameters of policies, but not \"\(path)\"",
            hint: near.map { "did you mean \"\($0)\"?" }
                ?? (words[0] == policies
                    ? "policies are compared under \"policies:\"; to sweep a parameter, use policies.scheduling.NAME"
                    : nil))
        return false
    }

    private static func span(_ axes: [Axis], mode: Mode, _ cursor: Cursor) -> [[Setting]]? {
        if mode == .zip {
            let count = axes[0].values.count
            if let odd = axes.first(where: { $0.values.count != count }) {
                cursor.report.add(
                    odd.location.problem(
                        "zipped axes need the same number of values, but \(axes[0].path) has \(count) and "
                            + "\(odd.path) has \(odd.values.count)",
                        hint: "write \"mode: product\" to run every combination"))
                return nil
            }
            return (0..<count).map { index in
                axes.map { Setting(path: $0.path, location: $0.location, value: $0.values[index]) }
            }
        }
        var points: [[Setting]] = [[]]
        for axis in axes {
            guard points.count * axis.values.count <= limit else {
                cursor.fail("the sweep has more than \(limit) points")
                return nil
            }
            points = points.flatMap { point in
                axis.values.map { point + [Setting(path: axis.path, location: axis.location, value: $0)] }
            }
        }
        return points
    }
}
