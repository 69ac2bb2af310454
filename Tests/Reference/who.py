# SPDX-License-Identifier: GPL-3.0-or-later
"""Every column of `who.csv`, worked out from `runs.csv` and `people.csv`.

The normal distribution is that of Python's own library; Kendall's tau-b and its p-value are written out."""

import math
import statistics

import judgement

THIRDS = ("low", "middle", "high")


def wilson(count, cases, level):
    """The ends of Wilson's score interval of a share (J. Am. Stat. Assoc. 22(158), 1927)."""
    z = statistics.NormalDist().inv_cdf((1 + level) / 2)
    share, square = count / cases, z * z / cases
    middle = (share + square / 2) / (1 + square)
    half = z / (1 + square) * math.sqrt(share * (1 - share) / cases + square / (4 * cases))
    return (0.0 if count == 0 else middle - half), (1.0 if count == cases else middle + half)


def tau_b(left, right):
    """Kendall's tau-b; None where one side ties everything."""
    pairs = [(i, j) for i in range(len(left)) for j in range(i)]

    def sign(value):
        return (value > 0) - (value < 0)

    one = [sign(left[i] - left[j]) for i, j in pairs]
    other = [sign(right[i] - right[j]) for i, j in pairs]
    untied = sum(map(abs, one)) * sum(map(abs, other))
    return sum(a * b for a, b in zip(one, other)) / math.sqrt(untied) if untied else None


def tau_p(tau, n):
    if n < 3:
        return 1.0
    return min(1.0, math.erfc(abs(tau) * math.sqrt(9 * n * (n - 1) / (2 * (2 * n + 5))) / math.sqrt(2)))


class Groups:
    """The people of a comparison, and what is expected of each group of them."""

    def __init__(self, judged, people, traits, metric, baseline, policy, point):
        self.level, self.metric = judged.analysis["level"], metric
        self.sign = 1 if judged.directions[metric.split("(")[0]] == "lower" else -1
        own = judged.analysis.get("equivalence_by_metric", {})
        self.band = own.get(metric, judged.analysis["equivalence"])
        before, after = judged.finite(metric, baseline, point), judged.finite(metric, policy, point)
        self.pairs = {each: (before[each], after[each]) for each in sorted(set(before) & set(after))}
        self.people, self.traits = people, traits
        everybody = list(self.pairs)
        self.taus = {name: tau_b([people[each][name] for each in everybody], [self.harm(each) for each in everybody])
                     for name in traits}
        known = [name for name in traits if self.taus[name] is not None]
        self.tau_ps = dict(zip(known, judgement.holm([tau_p(self.taus[name], len(everybody)) for name in known])))

    def harm(self, person):
        before, after = self.pairs[person]
        return self.sign * judgement.change(before, after)

    def members(self, trait, group):
        if not trait:
            return list(self.pairs)
        if trait == "kind":
            return [each for each in self.pairs if self.people[each]["kind"] == group]
        order = sorted(self.pairs, key=lambda each: (self.people[each][trait], each))
        number = THIRDS.index(group)
        return order[len(order) * number // 3:len(order) * (number + 1) // 3]

    def expected(self, trait, group):
        members = self.members(trait, group)
        harmed = sum(self.harm(each) > self.band * abs(self.pairs[each][0]) for each in members)
        helped = sum(self.harm(each) < -self.band * abs(self.pairs[each][0]) for each in members)
        # Those of a third stand in the order of the trait, which the sums of rounding errors may tell.
        both = list(zip(*(self.pairs[each] for each in members)))
        count = judgement.differing(*both)
        changes = [after - before if count else 0.0 for before, after in zip(*both)]
        worst = sorted(members, key=lambda each: (-self.harm(each), each))[:math.ceil(len(members) / 10)]
        low, high = judgement.paired_interval(*zip(*(self.pairs[each] for each in members)), self.level, self.metric)
        share_low, share_high = wilson(harmed, len(members), self.level)
        values = [self.people[each][trait] for each in members] if trait in self.traits else []
        return {
            "from_": min(values) if values else None, "to": max(values) if values else None,
            "people": len(members), "harmed": harmed, "helped": helped, "harmed_share": harmed / len(members),
            "share_low": share_low, "share_high": share_high, "difference": judgement.mean_change(changes, both),
            "low": low, "high": high,
            "worst_tenth": math.fsum(judgement.change(*self.pairs[each]) for each in worst) / len(worst),
            "tau": self.taus.get(trait), "tau_p": self.tau_ps.get(trait),
        }


def check(judged, report):
    header, rows = judged.results.table("people")
    traits = header[2:]
    people = {int(row[0]): dict(zip(header, row)) for row in rows}
    report.equal("people.csv", "people", sorted(people), list(range(judged.results.plan["replications"])))
    header, rows = judged.results.table("who")
    groups, seen = {}, set()
    for row in rows:
        key = (row.metric, row.baseline, row.policy, judged.point(header, row))
        if key not in groups:
            groups[key] = Groups(judged, people, traits, *key)
        spot = key + (row.trait, row.group)
        report.equal("who.csv", spot + ("stands once",), spot in seen, False)
        seen.add(spot)
        for column, value in groups[key].expected(row.trait, row.group).items():
            report.close("who.csv", spot + (column,), getattr(row, column), value)
    kinds = {person["kind"] for person in people.values()} - {""}
    whole = 1 + 3 * len(traits) + len(kinds)
    report.equal("who.csv", "rows", len(rows), whole * len(groups))
    metrics = [each for each in [judged.analysis["primary"]] + judged.analysis["shown"]
               if judged.directions[each.split("(")[0]] != "neutral"]
    policies = {policy for _, policy, _ in judged.values}
    report.equal("who.csv", "comparisons", len(groups), len(set(metrics)) * (len(policies) - 1) * max(
        1, len({point for _, _, point in judged.values})))
