# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the weights of the eviction policy `learned`, and holds them against last use on users not trained on.

`python3 learned_ranker.py FOLDER` reads workloads, as `flotsam data import` and `flotsam data workload generate` write
them: all of them for the weights that it prints first, and for each user the others' for the comparison. A weight belongs
to a feature of an app at an instant; the larger the weighted sum, the sooner the app is taken to be opened again. Pairs of
apps are drawn after opens, and the weights are those of a logistic regression on which of the two is opened first: a
ranker by pairs (Burges et al., ICML 2005), linear, so that it fits into brackets."""

import glob
import math
import random
import sys

import numpy as np
from scipy.optimize import minimize

NAMES = ("recency", "opens", "hour")


def opens(path):
    """Instants and apps of all opens, a return to the app on screen left out."""
    result, last = [], None
    for line in open(path):
        cells = line.rstrip("\n").split(",")
        if len(cells) < 3 or cells[1] != "open":
            continue
        if cells[2] != last:
            result.append((float(cells[0]), cells[2]))
        last = cells[2]
    return result


class History:
    """What the policy keeps of each app: last open, opens, opens by part of the day."""

    def __init__(self):
        self.apps = {}

    def record(self, app, now):
        _, count, parts = self.apps.get(app, (None, 0, [0] * 8))
        parts[int(now % 86400 // 10800)] += 1
        self.apps[app] = (now, count + 1, parts)

    def features(self, app, now):
        last, count, parts = self.apps[app]
        part = parts[int(now % 86400 // 10800)]
        return (-math.log(1 + (now - last) / 60), math.log(1 + count), math.log(1 + part))


def pairs(path, rng):
    """Differences of features of two apps, the one that is opened first before the other."""
    trace, history, rows = opens(path), History(), []
    times = {}
    for now, app in trace:
        times.setdefault(app, []).append(now)

    def following(app, now):
        return next((time for time in times[app] if time > now), math.inf)

    for index, (now, app) in enumerate(trace):
        history.record(app, now)
        known = [other for other in history.apps if other != app]
        if index < 200 or len(known) < 8 or rng.random() > 0.3:
            continue
        # The apps of which a phone has to choose: neither the last few nor those of weeks ago.
        known.sort(key=lambda other: -history.apps[other][0])
        first, second = rng.sample(known[2:16], 2) if len(known) >= 16 else rng.sample(known[2:], 2)
        one, other = following(first, now), following(second, now)
        if one != other:
            row = np.subtract(history.features(first, now), history.features(second, now))
            rows.append(row if one < other else -row)
    return rows


def hits(trace, room, rank):
    """The share of opens that find their app when the least rank leaves; `rank` is of an app and the instant."""
    history, residents, found = History(), set(), 0
    for now, app in trace:
        if app in residents:
            found += 1
        else:
            if len(residents) == room:
                residents.remove(min(residents, key=lambda other: rank(history, other, now)))
            residents.add(app)
        history.record(app, now)
    return found / len(trace)


def learn(files):
    rng = random.Random(1)
    rows = np.array([row for path in files for row in pairs(path, rng)])

    def loss(weights):
        return np.logaddexp(0, -rows @ weights).mean() + 1e-4 * weights @ weights

    weights = minimize(loss, np.ones(len(NAMES)), method="BFGS").x
    print(len(rows), "pairs:", ", ".join(f"{name}={weight:.2f}" for name, weight in zip(NAMES, weights)))
    return weights


def main():
    files = sorted(glob.glob(sys.argv[1] + "/*.csv"))
    learn(files)
    for path in files:
        trace, weights = opens(path), learn([other for other in files if other != path])
        for room in (5, 9, 13):
            shares = [hits(trace, room, rank) for rank in (
                lambda history, app, now: history.apps[app][0],
                lambda history, app, now: history.apps[app][1],
                lambda history, app, now: np.dot(weights, history.features(app, now)))]
            print(path, room, "seats: last use %.4f, uses %.4f, learned %.4f" % tuple(shares))


if __name__ == "__main__":
    main()
