# SPDX-License-Identifier: GPL-3.0-or-later
"""A made-up results folder in the format of Flotsam, to look at the figures and to check them."""

import csv
import math
import random

EVICTIONS = ["jetsam", "lru", "largest-first"]
SCHEDULINGS = ["opportunistic", "immediate", "charger-and-wifi"]
METRICS = {
    "relaunches_per_day": "1/d", "launch_wait_s_per_day": "s/d", "energy_wh_per_day": "Wh/d",
    "battery_pct_at_22h": "%", "content_age_s_mean": "s", "kills_per_day": "1/d",
}


def write(folder, replications=8, days=3, axis=None):
    """Writes the tables; `axis` is a pair of a path and its values, for a sweep."""
    points = axis[1] if axis else [None]
    path = [axis[0]] if axis else []
    hours, summary, comparisons, runs = [], [], [], []
    policies = [(e, s) for e in EVICTIONS for s in SCHEDULINGS]
    for value in points:
        at = [value] if axis else []
        for rank, (eviction, scheduling) in enumerate(policies):
            policy = f"{eviction}+{scheduling}"
            for k in range(replications):
                run = len(runs)
                runs.append([run, policy, eviction, scheduling, *at, k, "done"])
                for hour, level in enumerate(levels(eviction, scheduling, k, days)):
                    hours.append([run, policy, *at, k, hour, repr(level)])
            for number, metric in enumerate(METRICS):
                effect = EVICTIONS.index(eviction) * (3 - number) - 1.4 * SCHEDULINGS.index(scheduling) * (number - 2)
                summary.append([metric, policy, *at, 50 + effect, 1.5, replications])
                if rank:
                    is_worse = (effect < 0) == (metric == "battery_pct_at_22h")
                    verdict = "undecided" if abs(effect) < 1.2 else "worse" if is_worse else "better"
                    verdict = "equivalent" if effect == 0 else verdict
                    width = 0.2 if effect == 0 else 1.2
                    adjusted = 0.04 if number == 0 else ""
                    comparisons.append([
                        metric, "jetsam+opportunistic", policy, *at, effect, effect - width, effect + width,
                        effect / 50, 0.02, adjusted, verdict, 12.5, replications])
    table(folder, "runs.csv", ["run", "policy", "eviction", "scheduling", *path, "replication", "status"], runs)
    table(folder, "device_hours.csv", ["run", "policy", *path, "replication", "hour", "battery_pct"], hours)
    table(folder, "summary.csv", ["metric", "policy", *path, "mean", "half_width", "n"], summary)
    table(folder, "comparisons.csv", [
        "metric", "baseline", "policy", *path, "difference", "low", "high", "relative", "p", "p_adjusted", "verdict",
        "variance_reduction", "n"], comparisons)
    table(folder, "columns.csv", ["table", "column", "unit", "meaning", "better"], [
        ["runs", m, u, "", "higher" if m == "battery_pct_at_22h" else "lower"] for m, u in METRICS.items()])


def levels(eviction, scheduling, replication, days):
    """Discharge by day, charge by night, with chance that all policies of a replication share."""
    chance = random.Random(replication)
    level, result = 100.0, []
    drain = 3.6 + 0.5 * EVICTIONS.index(eviction) + {"immediate": 1.1, "charger-and-wifi": -0.4}.get(scheduling, 0)
    for hour in range(24 * days):
        awake = 7 <= hour % 24 < 23
        shared = chance.uniform(0.3, 1.9)
        level += -drain * shared * (0.6 + 0.5 * math.sin(hour % 24 / 24 * math.pi)) if awake else 22
        level = min(100.0, max(0.0, level))
        result.append(level)
    return result


def table(folder, name, header, rows):
    with open(folder / name, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
