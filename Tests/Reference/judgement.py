# SPDX-License-Identifier: GPL-3.0-or-later
"""Every column of `summary.csv` and `comparisons.csv`, worked out from `runs.csv`.

Student's t is computed here: its distribution function from the regularised incomplete beta function by Lentz's
continued fraction (Press et al., Numerical Recipes, 3rd edition, 6.4), its quantiles by bisection."""

import functools
import math

import designs
import sweeps
import who
from tables import Results


def incomplete_beta(a, b, x):
    """The regularised incomplete beta function."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    result = d
    for m in range(1, 10_000):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 + step * d
            c = 1 + step / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            result *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return front * result


def two_sided(t, freedom):
    """The probability that Student's t is further from zero than t, on either side."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


@functools.lru_cache(maxsize=None)
def t_quantile(level, freedom):
    """The t within which Student's t lies with the probability `level`."""
    low, high = 0.0, 1.0
    while two_sided(high, freedom) > 1 - level:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided(middle, freedom) > 1 - level else (low, middle)
    return (low + high) / 2


def holm(values):
    """p-values corrected for their number (Holm 1979): the k-th smallest of n times n - k + 1, never falling, at most
    1."""
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected, least = [0.0] * len(values), 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = least
    return corrected


def split_mix(seed):
    """SplitMix64 (Steele, Lea and Flood 2014)."""
    state, mask = seed, (1 << 64) - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        word = state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & mask
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & mask
        yield word ^ (word >> 31)


def signs(count, level):
    """Ways to change the signs of `count` pairs, the first one as it is: all up to ten pairs, else some drawn ones."""
    if count <= 10:
        return [[1] + [1 if way >> bit & 1 == 0 else -1 for bit in range(count - 1)] for way in range(1 << count - 1)]
    words, ways = split_mix(0x51656E66666C6970), []
    for way in range(max(8192, math.ceil(4 / (1 - level)))):
        if way == 0:
            ways.append([1] * count)
            continue
        drawn = [next(words) for _ in range(-(-(count - 1) // 64))]
        ways.append([1] + [-1 if drawn[bit // 64] >> bit % 64 & 1 else 1 for bit in range(count - 1)])
    return ways


def squared_t(changes, way):
    """Student's t, squared, of the differences that are known, with the signs of a way; at most 1e12 per freedom."""
    known = [sign * change for sign, change in zip(way, changes) if change is not None]
    count, total, squares = len(known), sum(known), sum(each * each for each in known)
    if squares == 0:
        return 0.0
    return (count - 1) * total * total / max(count * squares - total * total, 1e-12 * count * squares)


def max_t(family, level):
    """Corrected p-values of comparisons, each a list of differences by replication with None where there is none, and
    how many standard errors their intervals reach: single-step maxT over changed signs (Westfall and Young 1993)."""
    ways = signs(len(family[0]), level) if family else [[]]
    largest = sorted((max((squared_t(changes, way) for changes in family), default=0.0) for way in ways), reverse=True)
    adjusted = []
    for changes in family:
        own = squared_t(changes, [1] * len(changes))
        adjusted.append(sum(each >= own * (1 - 1e-9) for each in largest) / len(ways) if own else 1.0)
    beyond = min(len(ways) - 1, int((1 - level) * len(ways) + 1e-9))
    return adjusted, math.sqrt(largest[beyond] * (1 + 1e-9))


def moments(values):
    """Mean and variance of a sample; the variance of one value is zero."""
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return mean, 0.0
    return mean, math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def half_width(values, level):
    """Of the interval of the mean; infinite for a single value, whose spread is unknown."""
    if len(values) == 1:
        return math.inf
    variance = moments(values)[1]
    return t_quantile(level, len(values) - 1) * math.sqrt(variance / len(values)) if variance else 0.0


def rounding(size, resolution=1e-9):
    """The largest difference of values of a size that counts as none: a billionth of the unit, 1e-12 of the values."""
    return resolution + 1e-12 * abs(size)


def change(old, new):
    """How much more a value is than another; zero where that is rounding."""
    return new - old if abs(new - old) > rounding(max(abs(old), abs(new))) else 0.0


def differing(before, after):
    """In how many pairs the two differ by more than rounding."""
    return sum(change(old, new) != 0 for old, new in zip(before, after))


def mean_change(changes, sizes, resolution=1e-9):
    """The mean of some differences; zero where it is rounding beside the mean size of what was compared."""
    mean = moments(changes)[0]
    size = max(math.fsum(map(abs, each)) / len(each) for each in sizes)
    return mean if abs(mean) > rounding(size, resolution) else 0.0


# Metrics that hang on single moments of a run, and those that few runs make most of: below 80 pairs no interval.
MOMENTARY = {"battery_pct_at_22h", "max_temperature_c"}
UNEVEN = {"system_kills_per_day", "kills_vm_pageshortage_per_day", "network_j_per_refresh", "refresh_gap_median_s"}
FEWEST_UNEVEN = 80
FEWEST_DIFFERING = 5


def is_momentary(metric):
    """Whether a metric hangs on single moments: one of those, or the hours beyond a threshold."""
    name = metric.split("(")[0]
    return name in MOMENTARY or "hours" in name.split("_")


def is_uneven(metric, count):
    """Whether there are too few pairs to have met one of the runs that make most of a metric."""
    return metric.split("(")[0] in UNEVEN and count < FEWEST_UNEVEN


@functools.lru_cache(maxsize=None)
def largest_share(count, level):
    """The upper limit by Jeffreys' prior of a share of which nothing was seen in so many cases (Brown, Cai and
    DasGupta, Statistical Science 16(2), 2001, 4.1.2)."""
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if incomplete_beta(0.5, count + 0.5, middle) < (1 + level) / 2 else (low, middle)
    return (low + high) / 2


def paired_interval(before, after, level, metric):
    """The ends of the interval of the mean difference; it reaches at least as far as a quarter of one of the pairs would
    move the mean that differed as two unrelated replications do. Where a metric hangs on one moment, it reaches as far
    as the largest share of such pairs would."""
    count = differing(before, after)
    changes = [new - old if count else 0.0 for old, new in zip(before, after)]
    if is_uneven(metric, len(changes)):
        return -math.inf, math.inf
    low, high = interval(changes, level, count)
    share = largest_share(len(changes), level) * 2 / math.sqrt(math.pi) \
        if is_momentary(metric) else 1 / 4 / len(changes)
    reach = math.sqrt((moments(before)[1] + moments(after)[1]) / 2) * share
    mean = mean_change(changes, (before, after))
    return min(low, mean - reach), max(high, mean + reach)


def interval(changes, level, count=None):
    """The ends of the interval of a mean: the hull of Student's and of Hall's (J. R. Stat. Soc. B 54(1), 1992), which
    allows for skewness; unknown where fewer than five pairs differ or all differ by the same."""
    mean, variance = moments(changes)
    if (sum(change != 0 for change in changes) if count is None else count) < 5 or not variance:
        return -math.inf, math.inf
    n, deviation, half = len(changes), math.sqrt(variance), half_width(changes, level)
    skewness = n / ((n - 1) * (n - 2)) * math.fsum(((change - mean) / deviation) ** 3 for change in changes)
    if abs(skewness) <= 1e-9:
        return mean - half, mean + half

    def back(t):
        root = 1 + skewness * (t / math.sqrt(n) - skewness / (6 * n))
        return 3 * (math.copysign(abs(root) ** (1 / 3), root) - 1) / skewness

    t = t_quantile(level, n - 1)
    return mean - max(half, deviation * back(t)), mean - min(-half, deviation * back(-t))


def p_value(changes, count=None, is_none=False):
    """1 where the mean is none but for rounding, else that of the paired t test.

    Where differences are rare or all the same it is at least 2^(1 - k) for k that differ."""
    mean, variance = moments(changes)
    if mean == 0 or is_none:
        return 1.0
    count = sum(change != 0 for change in changes) if count is None else count
    least = min(1.0, 2.0 ** (1 - count))
    if not variance:
        return least
    p = two_sided(mean / math.sqrt(variance / len(changes)), len(changes) - 1)
    return max(p, least) if count < 5 else p


def reason(count, changes, ends, level, metric):
    """What makes an interval wider than the differences themselves would."""
    if count < 5:
        return f"differs in {count} of {len(changes)} replication" + "s" * (len(changes) != 1)
    if is_uneven(metric, len(changes)):
        return f"too uneven for {len(changes)} replications, needs {FEWEST_UNEVEN}"
    if ends[0] == -math.inf:
        return "the difference is equal in every replication"
    agree = f"the pairs agree too closely for {len(changes)} replications to decide"
    return "" if ends == interval(changes, level, count) else agree


def ratio(part, whole, of_zeros):
    if whole:
        return part / whole
    return math.copysign(math.inf, part) if part else of_zeros


def verdict(low, high, band, is_significant, better, differing=math.inf):
    if -band <= low and high <= band:
        return "equivalent"
    if better == "neutral":
        return "neither way is better" if differing >= FEWEST_DIFFERING else "undecided"
    if not is_significant or low <= band and high >= -band:
        return "undecided"
    return "better" if (low > band) == (better == "higher") else "worse"


def share(text):
    """A share as experiment files spell it, '95 %' or 0.95."""
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def rules(results):
    """How an experiment wants its results judged: what it states, and the defaults of the format."""
    experiment = results.experiment
    metrics, analysis = experiment.get("metrics") or {}, experiment.get("analysis") or {}
    bands, select = analysis.get("equivalence", "1 %"), experiment.get("select")
    if not isinstance(bands, dict):
        bands = {"default": bands}
    return {
        "primary": metrics.get("primary", "relaunches_per_day"), "shown": metrics.get("shown", []),
        "level": share(analysis.get("level", "95 %")), "equivalence": share(bands.get("default", "1 %")),
        "equivalence_by_metric": {name: share(band) for name, band in bands.items() if name != "default"},
        "quantiles": [share(each) for each in analysis.get("quantiles", [])],
        "correction": analysis.get("correction", "max-t"),
        "sweep_baseline": (experiment.get("sweep") or {}).get("baseline", {}),
        "design": results.plan.get("design"),
        "selection": select and {
            "indifference": share(select["indifference"]), "level": share(select.get("level", "95 %")),
            "first": int(select.get("first", 10))},
    }


class Judged:
    """A folder of results, judged again."""

    def __init__(self, results, directions):
        self.results, self.directions = results, directions
        self.analysis = rules(results)
        self.references = {policy["name"] for policy in results.plan["policies"]
                       if policy["eviction"] == "unbounded"
                       or any("reads the future" in remark for remark in policy.get("remarks", []))}
        self.points = len(results.axes) and [header for header in results.header if header in results.axes]
        self.values = {}
        for name, position in results.metric_columns:
            for row in results.runs:
                key = (name, row.policy, self.point(results.header, row))
                self.values.setdefault(key, {})[row.replication] = row[position] if row.status == "done" else None

    def point(self, header, row):
        return tuple(row[header.index(axis)] for axis in self.points or ())

    def finite(self, metric, policy, point):
        return {replication: value for replication, value in self.values[metric, policy, point].items()
                if value is not None and math.isfinite(value)}

    def summary(self, metric, policy, point):
        """mean, half_width, n."""
        values = list(self.finite(metric, policy, point).values())
        if not values:
            return {"mean": None, "half_width": None, "n": 0}
        return {"mean": moments(values)[0], "half_width": half_width(values, self.analysis["level"]), "n": len(values)}

    def comparison(self, metric, baseline, policy, point, baseline_point=None):
        """All but p_adjusted and verdict, with the mean of the baseline; None without a pair."""
        left = self.finite(metric, baseline, point if baseline_point is None else baseline_point)
        right = self.finite(metric, policy, point)
        both = [replication for replication in left if replication in right]
        if not both:
            return None
        before, after = [left[each] for each in both], [right[each] for each in both]
        count = differing(before, after)
        changes = [new - old if count else 0.0 for old, new in zip(before, after)]
        difference = mean_change(changes, (before, after))
        low, high = paired_interval(before, after, self.analysis["level"], metric)
        base = abs(moments(before)[0])
        return {
            "difference": difference, "low": low, "high": high, "deviation": math.sqrt(moments(changes)[1]),
            "changes": [change(left[each], right[each]) if each in left and each in right else None
                        for each in sorted(self.values[metric, policy, point])],
            "relative": ratio(difference, base, 0.0), "p": p_value(changes, count, difference == 0),
            "n": len(both), "base": base,
            "is_rounding": 0 < math.sqrt(moments(changes)[1]) < 1e-12 * base,
            "differing": count, "reason": reason(count, changes, (low, high), self.analysis["level"], metric),
            "variance_reduction": ratio(moments(before)[1] + moments(after)[1], moments(changes)[1], 1.0),
        }

    def corrected(self, tests):
        """Comparisons that are judged together, with their p-values; under maxT their intervals reach further."""
        plain = [each["p"] for each in tests]
        if self.analysis["correction"] == "max-t":
            adjusted, reach = max_t([each["changes"] for each in tests], self.analysis["level"])
            halves = [reach * each["deviation"] / math.sqrt(each["n"]) for each in tests]
            return [(each | {"low": min(each["low"], each["difference"] - half),
                             "high": max(each["high"], each["difference"] + half)}, p)
                    for each, half, p in zip(tests, halves, adjusted)]
        return list(zip(tests, holm(plain) if self.analysis["correction"] == "holm" else plain))

    def check(self, report):
        self.check_summary(report)
        self.check_comparisons(report)

    def check_summary(self, report):
        header, rows = self.results.table("summary")
        report.equal("summary.csv", "rows", len(rows), len(self.values))
        for row in rows:
            point = self.point(header, row)
            expected = self.summary(row.metric, row.policy, point)
            for column, value in expected.items():
                report.close("summary.csv", (row.metric, row.policy) + point + (column,), getattr(row, column), value)

    def check_comparisons(self, report):
        header, rows = self.results.table("comparisons")
        policies = {policy for _, policy, _ in self.values}
        report.equal("comparisons.csv", "rows", len(rows), len(self.values) // len(policies) * (len(policies) - 1))
        found = [(row, self.comparison(row.metric, row.baseline, row.policy, self.point(header, row))) for row in rows]
        self.check_differences(report, "comparisons.csv", header, found)

    def check_differences(self, report, table, header, found):
        """Rows of paired differences, the primary metric's a family that is corrected together."""
        primary = [index for index, (row, each) in enumerate(found)
                   if row.metric == self.analysis["primary"] and each]
        adjusted = {index: found[index][1]["p"] for index in primary}
        # References stand outside of the family: no user can choose them.
        rivals = [index for index in primary if found[index][0].policy not in self.references]
        for index, (each, p) in zip(rivals, self.corrected([found[index][1] for index in rivals])):
            found[index], adjusted[index] = (found[index][0], each), p
        for index, (row, each) in enumerate(found):
            spot = (row.metric, row.policy) + self.point(header, row)
            names = ("difference", "low", "high", "relative", "p", "variance_reduction")
            for column in names:
                # Differences of 1e-16 are rounding, and so is whatever is divided by their variance.
                if column == "variance_reduction" and each and each["is_rounding"]:
                    continue
                report.close(table, spot + (column,), getattr(row, column), each and each[column])
            report.close(table, spot + ("p_adjusted",), row.p_adjusted, adjusted.get(index))
            report.equal(table, spot + ("n",), row.n, each["n"] if each else 0)
            report.equal(table, spot + ("differing",), row.differing, each["differing"] if each else 0)
            report.equal(table, spot + ("reason",), row.reason, each["reason"] if each else "no pair of values")
            report.equal(table, spot + ("verdict",), row.verdict,
                         self.verdict(row, each, adjusted.get(index)))

    def verdict(self, row, each, adjusted):
        if not each:
            return "undecided"
        p = each["p"] if adjusted is None else adjusted
        better = self.directions[row.metric.split("(")[0]]
        own = self.analysis.get("equivalence_by_metric", {})
        band = own.get(row.metric, self.analysis["equivalence"]) * each["base"]
        return verdict(each["low"], each["high"], band, p <= 1 - self.analysis["level"], better, each["differing"])


def check(results: Results, directions, report):
    judged = Judged(results, directions)
    judged.check(report)
    if len({point for _, _, point in judged.values}) > 1:
        sweeps.check(judged, report)
        designs.check_winners(judged, report)
    if "people" in results.plan:
        who.check(judged, report)
    if judged.analysis.get("design"):
        designs.check_sensitivity(judged, report)
    if judged.analysis.get("selection"):
        designs.check_selection(judged, report)
    if judged.analysis.get("quantiles"):
        designs.check_quantiles(judged, report)
