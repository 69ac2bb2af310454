# SPDX-License-Identifier: GPL-3.0-or-later
"""The hold model as SimPy processes, and M/M/1 with SimPy's Resource."""

import random
import sys
import time

import simpy


def median_of_five(operations, body):
    figures = []
    for _ in range(5):
        start = time.process_time()
        done = body()
        figures.append((time.process_time() - start) * 1e9 / (done or operations))
    return sorted(figures)[2]


def hold(size):
    env = simpy.Environment()
    draw = random.Random(1).expovariate

    def process():
        while True:
            yield env.timeout(draw(1.0))

    for _ in range(size):
        env.process(process())
    operations = 200_000

    def run():
        before = next(env._eid)
        env.run(until=env.now + operations / size)
        return next(env._eid) - before

    run()
    print("hold simpy-processes", size, f"{median_of_five(operations, run):.3f} ns/event", flush=True)


def station(customers):
    env = simpy.Environment()
    draw = random.Random(1).expovariate
    server = simpy.Resource(env)

    def customer():
        with server.request() as request:
            yield request
            yield env.timeout(draw(1 / 0.9))

    def source():
        for _ in range(customers):
            yield env.timeout(draw(1.0))
            env.process(customer())

    env.process(source())
    env.run()


if "hold" in sys.argv:
    for pending in (1_000, 10_000, 100_000):
        hold(pending)
if "mm1" in sys.argv:
    figure = median_of_five(50_000, lambda: station(50_000))
    print(f"mm1 simpy-resource 1 {figure:.3f} ns/customer", flush=True)
