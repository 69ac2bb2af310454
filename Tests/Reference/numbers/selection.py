# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the numbers of KimNelsonTests.swift and SteadyStateTests.swift: the published formulas in NumPy.

    pip install numpy && python3 selection.py"""

import math

import numpy


def chance(row, each):
    return math.sin(12.9898 * row + 78.233 * each) * 43758.5453 % 1


def values(count, alternatives):
    """Alternatives that share their chance, without a generator."""
    return numpy.array([[0.04 * each + 3 * chance(row, 99) + chance(row, each) for each in range(alternatives)]
                        for row in range(1, count + 1)])


def kim_nelson(rows, first, level, zone):
    """Kim and Nelson 2001, figure 1, c = 1: the largest mean; what is dropped with the number of replications."""
    k = rows.shape[1]
    eta = 0.5 * ((2 * (1 - level) / (k - 1)) ** (-2 / (first - 1)) - 1)
    h2 = 2 * eta * (first - 1)
    s2 = [[numpy.var(rows[:first, i] - rows[:first, j], ddof=1) for j in range(k)] for i in range(k)]
    left, dropped = list(range(k)), []
    for r in range(first, len(rows) + 1):
        means = rows[:r].mean(axis=0)
        slack = [[max(0.0, zone / (2 * r) * (h2 * s2[i][j] / zone ** 2 - r)) for j in range(k)] for i in range(k)]
        keep = [i for i in left if all(means[i] >= means[j] - slack[i][j] for j in left if j != i)]
        dropped += [(i, r) for i in left if i not in keep]
        left = keep
        if len(left) == 1:
            return left, dropped, r
    return left, dropped, len(rows)


def mser(series, batch):
    """White, Cobb and Spratt 2000: the cut, in values, and the mean of the rest."""
    means = [numpy.mean(series[start:start + batch]) for start in range(0, len(series) - batch + 1, batch)]
    errors = [numpy.sum((means[cut:] - numpy.mean(means[cut:])) ** 2) / (len(means) - cut) ** 2
              for cut in range(len(means) // 2 + 1)]
    best = int(numpy.argmin(errors))
    return best * batch, float(numpy.mean(means[best:]))


print("kn higher", kim_nelson(values(4000, 6), 10, 0.95, 0.1))
print("kn lower", kim_nelson(-values(4000, 6), 12, 0.9, 0.05))
ramp = [8 * math.exp(-each / 6) + math.sin(2.4 * each) + 0.3 * math.cos(each * each) for each in range(60)]
print("mser", mser(ramp, 5), mser(ramp, 1), mser(ramp[::-1], 5))


def study(draws):
    """Coverage of nominal 95 % intervals over 10 replications of 400 values of AR(1), phi 0.8, begun at 20, whole and
    cut as MSER-5 says: the facts of the test of coverage."""
    generator = numpy.random.default_rng(5)
    whole = cut = 0
    for _ in range(draws):
        x = numpy.zeros((10, 400))
        level = numpy.full(10, 20.0)
        for step in range(400):
            level = 0.8 * level + generator.normal(size=10)
            x[:, step] = level
        most = max(mser(row, 5)[0] for row in x)
        for which, rows in (("whole", x), ("cut", x[:, most:])):
            means = rows.mean(axis=1)
            half = 2.262157162798205 * means.std(ddof=1) / math.sqrt(10)
            if abs(means.mean()) <= half:
                whole, cut = (whole + 1, cut) if which == "whole" else (whole, cut + 1)
    return whole / draws, cut / draws


print("coverage", study(2000))
