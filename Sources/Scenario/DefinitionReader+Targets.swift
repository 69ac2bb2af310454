// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities

/// Policies, axes and times that targets of an experiment may refer to.
private struct TargetContext {
    let policies: [String]
    let points: [[Sweep.Setting]]
    let warmup: SimDuration
    let duration: SimDuration
    let metrics: MetricReader

    var axes: [String] { points.first?.map(\.path) ?? [] }
}

extension DefinitionReader {
    /// Reads the key `targets`; nil if a target has errors, which are reported.
    func readTargets(
        _ map: MapReader, policies: [String], points: [[Sweep.Setting]], time: TimeFrame?
    ) -> [Target]? {
        guard map.has("targets") else { return [] }
        let context = TargetContext(
            policies: policies, points: points, warmup: time?.warmup ?? .zero,
            duration: time?.duration ?? .day, metrics: metrics)
        let reader = ValueReader<Target>(example: "{id: V04, metric: relaunches_per_day, band: [1, 9]}") {
            Self.target($0, context)
        }
        return map.optional("targets", .list(of: reader))
    }

    private static func target(_ cursor: Cursor, _ context: TargetContext) -> Target? {
        let map = MapReader(cursor)
        guard map.isMap else { return nil }
        var claim = TargetReader.claim(map)
        claim?.sameInAll = map.value("same_in_all", .text, default: "")
        let quantity = Self.quantity(map, context, isRequired: true)
        let unit = TargetReader.unit(map, of: quantity)
        let policy = map.optional("policy", policyName(context))
        let point = map.has("point") ? map.optional("point", pointReader(context)) : []
        let wantsReference = map.has("relative_to")
        let reference = map.cursor("relative_to").flatMap { Self.reference($0, quantity, context) }
        map.finish()
        guard let claim, let quantity, let point, (reference != nil) == wantsReference else { return nil }
        return Target(claim, quantity: quantity, unit: unit, policy: policy, point: point, reference: reference)
    }

    private static func policyName(_ context: TargetContext) -> ValueReader<String> {
        .word(of: context.policies, what: "pair of policies")
    }

    /// Reads `metric: NAME` or `of: {table: …}`.
    private static func quantity(
        _ map: MapReader, _ context: TargetContext, isRequired: Bool
    ) -> TargetQuantity? {
        let metric = map.optional("metric", context.metrics.name)
        let figure = map.cursor("of").flatMap {
            TableFigureReader.read($0, warmup: context.warmup, duration: context.duration)
        }
        let hasBoth = map.has("metric") && map.has("of")
        if hasBoth || (isRequired && !map.has("metric") && !map.has("of")) {
            map.cursor.fail(
                hasBoth
                    ? "a target must have either \"metric\" or \"of\", not both"
                    : "a target needs \"metric\" or \"of\"",
                hint: "write \"metric: energy_wh_per_day\" or "
                    + "\"of: {table: app_days, column: refreshes, statistic: per_day}\"")
            return nil
        }
        return figure.map { .table($0) } ?? metric.map { .metric($0) }
    }

    /// Reads `baseline`, or a map `{policy, point, metric, of}` with the differences from the target.
    private static func reference(
        _ cursor: Cursor, _ own: TargetQuantity?, _ context: TargetContext
    ) -> Target.Reference? {
        guard let own else { return nil }
        let map = MapReader(cursor, expected: "a map such as {policy: NAME}, {point: {…}} or {metric: NAME}")
        guard map.isMap else { return nil }
        let before = cursor.report.problems.errorCount
        let quantity = Self.quantity(map, context, isRequired: false)
        let policy = map.optional("policy", policyName(context))
        let point = map.has("point") ? map.optional("point", pointReader(context)) : []
        map.finish()
        guard let point, cursor.report.problems.errorCount == before else { return nil }
        if quantity == nil, policy == nil, point.isEmpty {
            cursor.fail(
                "the reference contains no policy, point or metric",
                hint: "for instance {policy: \(context.policies.first ?? "a+b")}")
            return nil
        }
        return Target.Reference(quantity: quantity ?? own, policy: policy, point: point)
    }

    /// Reads values for some of the swept axes.
    private static func pointReader(_ context: TargetContext) -> ValueReader<[SweepPoint.Axis]> {
        let first = context.points.first?.first
        let example = first.map { "{\($0.path): \($0.value.label)}" }
        return ValueReader(example: example) { cursor in
            guard let entries = cursor.node.entries, !entries.isEmpty else {
                cursor.expected("a map from swept paths to values")
                return nil
            }
            let axes = entries.compactMap { axis($0, cursor, context) }
            guard axes.count == entries.count else { return nil }
            let exists = context.points.contains { settings in
                axes.allSatisfy { axis in
                    settings.contains { $0.path == axis.path && $0.value.label == axis.value }
                }
            }
            if !exists { cursor.fail("no point of the sweep has these values together") }
            return exists ? axes : nil
        }
    }

    private static func axis(
        _ entry: Node.Entry, _ cursor: Cursor, _ context: TargetContext
    ) -> SweepPoint.Axis? {
        let key = Cursor(Node(.scalar(entry.key, quoted: false), at: entry.location), report: cursor.report)
        guard let column = context.axes.firstIndex(of: entry.key) else {
            key.fail(
                context.axes.isEmpty ? "nothing is swept" : "the sweep has no axis \"\(entry.key)\"",
                hint: context.axes.isEmpty ? nil : "axes: " + context.axes.joined(separator: ", "))
            return nil
        }
        var labels: [String] = []
        for settings in context.points where !labels.contains(settings[column].value.label) {
            labels.append(settings[column].value.label)
        }
        guard labels.contains(entry.value.label) else {
            cursor.child(entry.value, key: entry.key).fail(
                "no point of the sweep has \(entry.key) = \(entry.value.label)",
                hint: listHint(entry.value.label, of: labels))
            return nil
        }
        return SweepPoint.Axis(path: entry.key, value: entry.value.label)
    }
}
