# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the numbers of SensitivityTests.swift: what SALib says of the same points.

    pip install SALib==1.6.0 && python3 sensitivity.py

The points need no generator, so that both languages have the same ones."""

import math

import numpy
from SALib.analyze import morris, sobol

TURNS = [math.sqrt(each) % 1 for each in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)]


def ishigami(x):
    """T. Ishigami, T. Homma, ISUMA 1990; a = 7, b = 0.1, over [-pi, pi]."""
    a, b, c = (2 * math.pi * each - math.pi for each in x)
    return math.sin(a) + 7 * math.sin(b) ** 2 + 0.1 * c ** 4 * math.sin(a)


def g(x):
    """The G function of I. M. Sobol, a = 0, 1, 4.5, 9, 99, 99."""
    return math.prod((abs(4 * each - 2) + a) / (1 + a) for each, a in zip(x, (0, 1, 4.5, 9, 99, 99)))


def groups(count, inputs):
    """Points as `SamplingDesign.saltelli` orders them."""
    points = []
    for index in range(1, count + 1):
        both = [index * turn % 1 for turn in TURNS[:2 * inputs]]
        first, second = both[:inputs], both[inputs:]
        points.append(first)
        points += [first[:each] + [second[each]] + first[each + 1:] for each in range(inputs)]
        points.append(second)
    return points


def trajectories(count, inputs, levels):
    """Points as `SamplingDesign.morris` orders them."""
    points, step = [], levels / (2 * (levels - 1))
    for index in range(count):
        rises = [(index + each) % 2 == 0 for each in range(inputs)]
        low = [(5 * index + 3 * each + each * index // 2) % (levels // 2) / (levels - 1) for each in range(inputs)]
        point = [each if up else each + step for each, up in zip(low, rises)]
        points.append(point)
        for each in range(inputs):
            point = list(point)
            turn = (each + index) % inputs
            point[turn] += step if rises[turn] else -step
            points.append(point)
    return points


def problem(inputs):
    return {"num_vars": inputs, "names": [f"x{each}" for each in range(inputs)], "bounds": [[0, 1]] * inputs}


for name, function, inputs in (("ishigami", ishigami, 3), ("g", g, 6)):
    values = numpy.array([function(point) for point in groups(256, inputs)])
    found = sobol.analyze(problem(inputs), values, calc_second_order=False, num_resamples=10, seed=1)
    print(name, "first", [float(each) for each in found["S1"]])
    print(name, "total", [float(each) for each in found["ST"]])
    points = numpy.array(trajectories(20, inputs, 4))
    values = numpy.array([function(point) for point in points])
    found = morris.analyze(problem(inputs), points, values, num_levels=4, num_resamples=10, seed=1)
    for key in ("mu", "mu_star", "sigma"):
        print(name, key, [float(each) for each in found[key]])
