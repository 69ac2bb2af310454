# SPDX-License-Identifier: GPL-3.0-or-later
"""Every column of `sweep_winners.csv` and `sensitivity.csv`, worked out from `runs.csv`."""

import math

import judgement

MASK = 2 ** 64 - 1


class Generator:
    """xoshiro256++ (Blackman and Vigna 2021), its state spread from a number by SplitMix64 (Steele et al. 2014)."""

    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
            self.state.append(mixed ^ mixed >> 31)

    def below(self, bound):
        s0, s1, s2, s3 = self.state
        total = (s0 + s3) & MASK
        result = ((total << 23 | total >> 41) + s0) & MASK
        s2, s3 = s2 ^ s0, s3 ^ s1
        self.state = [s0 ^ s3, s1 ^ s2, s2 ^ (s1 << 17 & MASK), (s3 << 45 | s3 >> 19) & MASK]
        return int((result >> 11) * 2.0 ** -53 * bound)


def quantile(share, values):
    """Type 7 of Hyndman and Fan."""
    values = sorted(values)
    at = share * (len(values) - 1)
    low = min(int(at), len(values) - 2) if len(values) > 1 else 0
    rest = at - low
    return values[low] * (1 - rest) + (values[low + 1] * rest if rest else 0)


def morris(group, coordinates, values):
    """mu, mu_star and sigma of each axis; rows of trajectories."""
    inputs = group - 1
    effects = [[] for _ in range(inputs)]
    for start in range(0, len(values), group):
        for row in range(start, start + inputs):
            axis = next(each for each in range(inputs) if coordinates[row][each] != coordinates[row + 1][each])
            step = coordinates[row + 1][axis] - coordinates[row][axis]
            effects[axis].append((values[row + 1] - values[row]) / step)
    moments = [judgement.moments(each) for each in effects]
    return ([mean for mean, _ in moments] + [judgement.moments([abs(each) for each in axis])[0] for axis in effects]
            + [math.sqrt(variance) for _, variance in moments])


def saltelli(group, _, values):
    """First and total indices of each axis; None where nothing varies."""
    mean = math.fsum(values) / len(values)
    starts = range(0, len(values), group)
    ends = [values[start + offset] - mean for start in starts for offset in (0, group - 1)]
    variance = math.fsum((each - math.fsum(ends) / len(ends)) ** 2 for each in ends) / len(ends)
    if not variance:
        return None
    first, total = [], []
    for axis in range(1, group - 1):
        first.append(math.fsum((values[start + group - 1] - mean) * (values[start + axis] - values[start])
                               for start in starts) / len(starts) / variance)
        total.append(math.fsum((values[start] - values[start + axis]) ** 2 for start in starts)
                     / len(starts) / 2 / variance)
    return first + total


def estimates(results, group, coordinates, figures, level, seed):
    """Each figure with its percentile interval from a thousand draws of replications and of groups."""
    groups = len(results[0]) // group

    def of(drawn, replications):
        rows = [row for each in drawn for row in range(each * group, (each + 1) * group)]
        values = [math.fsum(results[each][row] for each in replications) / len(replications) for row in rows]
        return figures(group, [coordinates[row] for row in rows], values)

    whole = of(range(groups), range(len(results)))
    if whole is None:
        return None
    generator, samples = Generator(seed), []
    for _ in range(1000):
        replications = [generator.below(len(results)) for _ in results]
        found = of([generator.below(groups) for _ in range(groups)], replications)
        if found is not None:
            samples.append(found)
    return [(value, quantile((1 - level) / 2, sample), quantile((1 + level) / 2, sample))
            for value, sample in zip(whole, zip(*samples))]


def check_sensitivity(judged, report):
    plan = judged.results.plan
    analysis, axes, policies = judged.analysis, plan["axes"], [policy["name"] for policy in plan["policies"]]
    design, baseline = analysis["design"], policies[plan["baseline"]]
    points = list(dict.fromkeys(point for _, _, point in judged.values))
    rows_of_design = [points[row] for row in design["rows"]]
    coordinates = [[(float(field) - low) / (high - low)
                    for field, low, high in zip(point, design["low"], design["high"])] for point in rows_of_design]
    is_morris = design["kind"] == "morris"
    measures = ("mu", "mu_star", "sigma") if is_morris else ("first", "total")
    group = len(axes) + (1 if is_morris else 2)
    _, rows = judged.results.table("sensitivity")
    metrics = list(dict.fromkeys([analysis["primary"]] + analysis["shown"]))
    report.equal("sensitivity.csv", "rows", len(rows), len(metrics) * len(policies) * len(axes) * len(measures))
    left = iter(rows)
    for metric in metrics:
        for policy in policies:
            sets = [set(judged.finite(metric, each, point)) for each in {policy, baseline} for point in points]
            both = sorted(set.intersection(*sets))
            results = [[judged.values[metric, policy, point][each]
                        - (0 if policy == baseline else judged.values[metric, baseline, point][each])
                        for point in rows_of_design] for each in both]
            found = results and estimates(results, group, coordinates, morris if is_morris else saltelli,
                                          analysis["level"], int(plan["seed"]))
            for number, axis in enumerate(axes):
                for index, measure in enumerate(measures):
                    row, spot = next(left), (metric, policy, axis, measure)
                    report.equal("sensitivity.csv", spot, (row.metric, row.policy, row.axis, row.measure), spot)
                    report.equal("sensitivity.csv", spot + ("baseline",), row.baseline or "",
                                 "" if policy == baseline else baseline)
                    values = found[index * len(axes) + number] if found else (None, None, None)
                    for column, value in zip(("value", "low", "high"), values):
                        report.close("sensitivity.csv", spot + (column,), getattr(row, column), value)
                    report.equal("sensitivity.csv", spot + ("n",), row.n, len(results))


def check_winners(judged, report):
    primary, better = judged.analysis["primary"], judged.directions[judged.analysis["primary"].split("(")[0]]
    points = list(dict.fromkeys(point for _, _, point in judged.values))
    policies = [policy["name"] for policy in judged.results.plan["policies"]]
    rivals = [policy for policy in policies if policy not in judged.references]
    orders, pairs = [], []
    for point in points if better != "neutral" else []:
        means = {policy: judged.summary(primary, policy, point)["mean"] for policy in rivals}
        sign = 1 if better == "lower" else -1
        known = [policy for policy in rivals if means[policy] is not None]
        order = sorted(known, key=lambda policy: (sign * means[policy], policies.index(policy)))
        orders.append(order)
        for rank, best in enumerate(order):
            for other in order[rank + 1:]:
                pairs.append((point, best, other, judged.comparison(primary, other, best, point)))
    corrected = judged.corrected([each for *_, each in pairs])
    found = {(point, best, other): judged_pair for (point, best, other, _), judged_pair in zip(pairs, corrected)}
    header, rows = judged.results.table("sweep_winners")
    report.equal("sweep_winners.csv", "rows", len(rows), len(orders) if len(rivals) > 1 else 0)
    winners = {point: order[0] for point, order in zip(points, orders)}
    for row, point, order in zip(rows, points, orders):
        report.equal("sweep_winners.csv", point, (row.metric,) + judged.point(header, row), (primary,) + point)
        report.equal("sweep_winners.csv", point, (row.winner, row.runner_up), tuple(order[:2]))
        each, p = found[point, order[0], order[1]]
        for column in ("difference", "low", "high"):
            report.close("sweep_winners.csv", point + (column,), getattr(row, column), each[column])
        report.close("sweep_winners.csv", point + ("p_adjusted",), row.p_adjusted, p)
        is_sure = all(judged.verdict(row, *found[point, order[0], other]) == "better" for other in order[1:])
        report.equal("sweep_winners.csv", point + ("verdict",), row.verdict, "better" if is_sure else "undecided")
        report.equal("sweep_winners.csv", point + ("flips_along",), row.flips_along or "",
                     " ".join(flips(judged, points, winners, point)))


def flips(judged, points, winners, point):
    for axis, name in enumerate(judged.points):
        line = [each for each in points if each[:axis] + each[axis + 1:] == point[:axis] + point[axis + 1:]]
        if judged.results.axis_units[name] is not None:
            line.sort(key=lambda each: float(each[axis]))
        after = line[line.index(point) + 1:]
        if after and winners[after[0]] != winners[point]:
            yield name


def kim_nelson(rows, first, level, share, baseline, sign):
    """Kim and Nelson 2001 with c = 1 over replications of several alternatives; what was dropped, by what and when."""
    count = len(rows[0])
    factor = ((2 * (1 - level) / (count - 1)) ** (-2 / (first - 1)) - 1) * (first - 1)
    left, dropped, zone, seen = list(range(count)), {}, None, [[] for _ in range(count)]
    for number, row in enumerate(rows, 1):
        if len(left) == 1 and number > first:
            break
        if any(row[each] is None for each in left):
            raise AssertionError("the reader knows selections in which every run has a value")
        for each in left:
            seen[each].append(row[each])
        if number == first:
            zone = share * abs(judgement.moments(seen[baseline])[0])
            spread = {(i, j): judgement.moments([a - b for a, b in zip(seen[i], seen[j])])[1]
                      for i in range(count) for j in range(count)}
        if number < first:
            continue
        means = {each: sign * math.fsum(seen[each]) / number for each in left}
        slack = {(i, j): max(0, zone / (2 * number) * (factor * spread[i, j] / zone ** 2 - number))
                 for i in left for j in left}
        before = list(left)
        for each in before:
            by = next((rival for rival in before
                       if rival != each and means[each] < means[rival] - slack[each, rival]), None)
            if by is not None:
                left.remove(each)
                dropped[each] = by
        if len(left) > 1 and not any(slack[i, j] for i in left for j in left if i != j):
            best = max(left, key=lambda each: (means[each], -each))
            dropped.update({each: best for each in left if each != best})
            left = [best]
    return left, dropped, seen, zone


def check_selection(judged, report):
    plan, rule, primary = judged.results.plan, judged.analysis["selection"], judged.analysis["primary"]
    policies = [policy["name"] for policy in plan["policies"]]
    rivals = [policy for policy in policies if policy not in judged.references]
    points = list(dict.fromkeys(point for _, _, point in judged.values))
    sign = 1 if judged.directions[primary.split("(")[0]] == "higher" else -1
    header, rows = judged.results.table("selection")
    report.equal("selection.csv", "rows", len(rows), len(rivals) * len(points))
    found = iter(rows)
    for point in points:
        values = [judged.values[primary, policy, point] for policy in rivals]
        count = max(len(each) for each in values)
        left, dropped, seen, zone = kim_nelson(
            [[each.get(number) for each in values] for number in range(count)], rule["first"], rule["level"],
            rule["indifference"], rivals.index(policies[plan["baseline"]]), sign)
        for index, policy in enumerate(rivals):
            row, spot = next(found), (policy,) + point
            report.equal("selection.csv", spot, (row.metric, row.policy) + judged.point(header, row), (primary,) + spot)
            outcome = "eliminated" if index in dropped else "selected" if len(left) == 1 else "left"
            report.equal("selection.csv", spot + ("outcome",), row.outcome, outcome)
            report.equal("selection.csv", spot + ("replications",), row.replications, len(seen[index]))
            report.close("selection.csv", spot + ("mean",), row.mean, judgement.moments(seen[index])[0])
            report.equal("selection.csv", spot + ("eliminated_by",), row.eliminated_by or "",
                         rivals[dropped[index]] if index in dropped else "")
            report.close("selection.csv", spot + ("indifference",), row.indifference, zone)


def ranks(share, n, level):
    """The ranks, from 1, between which a quantile lies: at most half of 1 - level outside on either side."""
    below = [math.fsum(math.comb(n, each) * share ** each * (1 - share) ** (n - each) for each in range(count))
             for count in range(n + 1)]
    tail = (1 - level) / 2
    if below[1] > tail or 1 - below[n] > tail:
        return None
    return (max(rank for rank in range(1, n + 1) if below[rank] <= tail),
            min(rank for rank in range(1, n + 1) if 1 - below[rank] <= tail))


def check_quantiles(judged, report):
    level, shares = judged.analysis["level"], judged.analysis["quantiles"]
    header, rows = judged.results.table("quantiles")
    report.equal("quantiles.csv", "rows", len(rows), len(judged.values) * len(shares))
    for row, (key, share) in zip(rows, [(key, share) for key in keys(judged) for share in shares]):
        metric, policy, point = key
        spot = (metric, policy) + point + (share,)
        report.equal("quantiles.csv", spot, (row.metric, row.policy) + judged.point(header, row) + (row.quantile,), spot)
        values = sorted(judged.finite(*key).values())
        found = ranks(share, len(values), level) if values else None
        fewest = next(n for n in range(1, 100_000) if max(share, 1 - share) ** n <= (1 - level) / 2)
        report.close("quantiles.csv", spot + ("value",), row.value, quantile(share, values) if values else None)
        for column, rank in zip(("low", "high"), found or (None, None)):
            report.close("quantiles.csv", spot + (column,), getattr(row, column), rank and values[rank - 1])
        report.equal("quantiles.csv", spot + ("n", "fewest"), (row.n, row.fewest), (len(values), fewest))


def keys(judged):
    """Metric by metric, policy by policy, point by point."""
    metrics = list(dict.fromkeys(metric for metric, _, _ in judged.values))
    policies = [policy["name"] for policy in judged.results.plan["policies"]]
    points = list(dict.fromkeys(point for _, _, point in judged.values))
    return [(metric, policy, point) for metric in metrics for policy in policies for point in points]
