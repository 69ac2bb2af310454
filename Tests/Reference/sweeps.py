# SPDX-License-Identifier: GPL-3.0-or-later
"""Every column of `sweep_comparisons.csv`, `sweep_slopes.csv` and `sweep_crossings.csv`, worked out from `runs.csv`."""

import math

import judgement


def numbers(fields, unit):
    """The values of an axis as numbers, with their unit; None where they are no numbers, or all the same."""
    if unit is None or len(set(fields)) < 2:
        return None
    return [float(field) for field in fields], unit


def interval(values, level, metric):
    """The ends of the interval of the mean of some figures of a metric that have no two lists."""
    if judgement.is_uneven(metric, len(values)):
        return -math.inf, math.inf
    low, high = judgement.interval(values, level)
    if not judgement.is_momentary(metric):
        return low, high
    mean, variance = judgement.mean_change(values, [values], 0), judgement.moments(values)[1]
    # Two unrelated replications of the variance s^2 differ by one of twice that.
    reach = math.sqrt(variance / 2) * judgement.largest_share(len(values), level) * 2 / math.sqrt(math.pi)
    return min(low, mean - reach), max(high, mean + reach)


def against_zero(values, level, metric):
    """Mean, ends of the interval, p and number of some values against zero."""
    low, high = interval(values, level, metric)
    mean = judgement.mean_change(values, [values], 0)
    return mean, low, high, judgement.p_value(values, is_none=mean == 0), len(values)


class Sweep:
    def __init__(self, judged):
        self.judged, self.level = judged, judged.analysis["level"]
        self.axes = judged.points
        self.points = list(dict.fromkeys(point for _, _, point in judged.values))
        self.policies = list(dict.fromkeys(policy for _, policy, _ in judged.values))

    def baseline_point(self, point):
        named = self.judged.analysis.get("sweep_baseline", {})
        if not named:
            return self.points[0]
        results = self.judged.results
        return tuple(results.written(axis)[named[axis]] if axis in named else value
                     for axis, value in zip(self.axes, point))

    def groups(self, axis, values):
        """Points that share all other values, ascending along the axis, each with its number."""
        groups = {}
        for point, value in zip(self.points, values):
            groups.setdefault(point[:axis] + point[axis + 1:], []).append((value, point))
        return [sorted(group, key=lambda each: each[0]) for group in groups.values()]

    def everywhere(self, metric, policies, points):
        """The replications that have a value for all of these."""
        sets = [set(self.judged.finite(metric, policy, point)) for policy in policies for point in points]
        return sorted(set.intersection(*sets))

    def slope(self, metric, policy, groups):
        offsets = []
        for group in groups:
            mean = math.fsum(value for value, _ in group) / len(group)
            offsets += [(value - mean, point) for value, point in group]
        spread = math.fsum(offset * offset for offset, _ in offsets)
        found = []
        for replication in self.everywhere(metric, [policy], self.points):
            values = [(offset, self.judged.values[metric, policy, point][replication]) for offset, point in offsets]
            change = math.fsum(offset * value for offset, value in values)
            none = math.fsum(abs(offset) * judgement.rounding(value) for offset, value in values)
            found.append(change / spread if abs(change) > none else 0.0)
        return found

    def crossings(self, metric, policy, baseline, group):
        """Each with its interval: where zero is within the interval of the mean difference, by bisection."""
        both = self.everywhere(metric, [policy, baseline], [point for _, point in group])
        if not both:
            return []
        lines = [[judgement.change(self.judged.values[metric, baseline, point][each],
                                   self.judged.values[metric, policy, point][each])
                  for each in both] for _, point in group]
        axis = [value for value, _ in group]

        def excludes(x):
            index = max(0, min(len(axis) - 2, next((i for i, a in enumerate(axis) if a >= x), len(axis) - 1) - 1))
            share = (x - axis[index]) / (axis[index + 1] - axis[index])
            low, high = interval(
                [left + share * (right - left) for left, right in zip(lines[index], lines[index + 1])], self.level,
                metric)
            return low > 0 or high < 0

        def end(inside, stops):
            for stop in stops:
                if not excludes(stop):
                    inside = stop
                    continue
                outside = stop
                for _ in range(100):
                    middle = (inside + outside) / 2
                    inside, outside = (inside, middle) if excludes(middle) else (middle, outside)
                return (inside + outside) / 2
            return None

        found = []
        means = [judgement.mean_change(line, [line], 0) for line in lines]
        for index in range(len(axis) - 1):
            left, right = means[index], means[index + 1]
            # Where both are even at a point, the points behind it tell whether they change places there.
            beyond = next((mean for mean in means[index + 1:] if mean), 0)
            if left and (left < 0) != (beyond < 0):
                at = axis[index] + (axis[index + 1] - axis[index]) * left / (left - right)
                direction = "rises" if left < 0 else "falls"
                found.append((at, end(at, axis[index::-1]), end(at, axis[index + 1:]), direction))
        return found


def check(judged, report):
    sweep = Sweep(judged)
    header, rows = judged.results.table("sweep_comparisons")
    metrics = list(dict.fromkeys(name for name, _, _ in judged.values))
    expected = [(metric, policy, point) for metric in metrics for policy in sweep.policies for point in sweep.points
                if sweep.baseline_point(point) != point and sweep.baseline_point(point) in sweep.points]
    report.equal("sweep_comparisons.csv", "rows", len(rows), len(expected))
    found = []
    for row, (metric, policy, point) in zip(rows, expected):
        spot = (metric, policy) + point
        report.equal("sweep_comparisons.csv", spot, (row.metric, row.policy) + judged.point(header, row), spot)
        other = tuple(row[header.index("baseline_" + axis)] for axis in sweep.axes)
        report.equal("sweep_comparisons.csv", spot + ("baseline",), other, sweep.baseline_point(point))
        found.append((row, judged.comparison(metric, policy, policy, point, other)))
    judged.check_differences(report, "sweep_comparisons.csv", header, found)
    check_lines(sweep, judged, metrics, report)


def check_lines(sweep, judged, metrics, report):
    axes = []
    for index, name in enumerate(sweep.axes):
        known = numbers([point[index] for point in sweep.points], judged.results.axis_units[name])
        groups = sweep.groups(index, known[0]) if known else []
        # In a list of points none may differ from another in this axis alone: then it has no slope.
        if any(len(group) > 1 for group in groups):
            axes.append((name, known[1], index, groups))
    _, rows = judged.results.table("sweep_slopes")
    expected = [(metric, policy, axis) for metric in metrics for policy in sweep.policies for axis in axes]
    report.equal("sweep_slopes.csv", "rows", len(rows), len(expected))
    for row, (metric, policy, (name, unit, _, groups)) in zip(rows, expected):
        spot = (metric, policy, name)
        report.equal("sweep_slopes.csv", spot, (row.metric, row.policy, row.axis, row.axis_unit or ""), spot + (unit,))
        slopes = sweep.slope(metric, policy, groups)
        values = against_zero(slopes, sweep.level, metric) if slopes else (None, None, None, None, 0)
        for column, value in zip(("slope", "low", "high", "p"), values):
            report.close("sweep_slopes.csv", spot + (column,), getattr(row, column), value)
        report.equal("sweep_slopes.csv", spot + ("n",), row.n, values[4])
    header, rows = judged.results.table("sweep_crossings")
    primary = judged.analysis["primary"]
    baseline = judged.results.plan["policies"][judged.results.plan["baseline"]]["name"]
    expected = [(policy, name, unit, index, group[0][1], each) for policy in sweep.policies if policy != baseline
                for name, unit, index, groups in axes for group in groups if len(group) > 1
                for each in sweep.crossings(primary, policy, baseline, group)]
    report.equal("sweep_crossings.csv", "rows", len(rows), len(expected))
    for row, (policy, name, unit, index, point, (at, low, high, direction)) in zip(rows, expected):
        spot = (policy, name) + point
        report.equal("sweep_crossings.csv", spot,
                     (row.metric, row.baseline, row.policy, row.axis, row.axis_unit or "", row.direction),
                     (primary, baseline, policy, name, unit, direction))
        for column, value in (("crossing", at), ("low", low), ("high", high)):
            report.close("sweep_crossings.csv", spot + (column,), getattr(row, column), value)
