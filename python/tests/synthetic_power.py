# SPDX-License-Identifier: GPL-3.0-or-later
"""Made-up tables of energy, battery, radios and predictions, beside those of `synthetic.py`."""

import math

from synthetic import table

APPS = [f"app-{letter}" for letter in "abcdefghijkl"]
POLICY = "jetsam+opportunistic"
COMPONENTS = ["screen", "processor", "wifi", "cellular", "platform", "storage"]
CAUSES = ["foreground", "relaunch", "tasks", "pushes", "transfers", "playback", "tails", "nobody"]
# What each part draws in an hour, in joules, of which the first app has a share of its own.
JOULES = {"screen": 360, "processor": 180, "wifi": 36, "cellular": 72, "platform": 90, "storage": 18}


def write(folder, days=1, runs=2):
    """Writes device_hours with energies, app_days, app_hours, battery, radio and predictions of one policy."""
    lead = ["run", "policy", "replication"]
    hours, app_hours, app_days, battery, radio, predictions = [], [], [], [], [], []
    for run in range(runs):
        head = [run, POLICY, run]
        for hour in range(24 * days):
            level = 100 - 3 * (hour % 24)
            causes = [sum(JOULES.values()) / len(CAUSES)] * len(CAUSES)
            hours.append([*head, hour, level, *JOULES.values(), *causes])
            for rank, app in enumerate(APPS):
                app_hours.append([*head, hour, app, 40.0 - rank, 10.0, 0])
            app_hours.append([*head, hour, "system", 0, 6.0, 0.0 + 90])
        for day in range(days):
            for rank, app in enumerate(APPS):
                app_days.append([*head, day, app, 24 * (40.0 - rank), 240.0])
        battery += [[*head, *row] for row in charging(days)]
        radio += [[*head, *row] for row in states()]
        for start, end, said in ((0, 0.1, 0.04), (0.1, 0.5, 0.25), (0.5, 1, 0.7)):
            predictions.append([*head, start, end, 100, said, said * 0.9])
        predictions.append([*head, 1, 1, 0, "", ""])
    energies = [f"{name}_energy_j" for name in COMPONENTS] + [f"for_{name}_j" for name in CAUSES]
    table(folder, "device_hours.csv", [*lead, "hour", "battery_pct", *energies], hours)
    account = ["foreground_energy_j", "background_energy_j"]
    table(folder, "app_hours.csv", [*lead, "hour", "app", *account, "idle_energy_j"], app_hours)
    table(folder, "app_days.csv", [*lead, "day", "app", *account], app_days)
    table(folder, "battery.csv", [*lead, "t_s", "battery_pct", "plugged_in", "charge_w", "battery_c"], battery)
    table(folder, "radio.csv", [*lead, "t_s", "radio", "state", "power_w"], radio)
    table(folder, "predictions.csv", [*lead, "from", "to", "predictions", "predicted", "opened"], predictions)


def charging(days):
    """A short top-up at noon and a charge by night, from 20 to 100 per cent."""
    for day in range(days):
        start = 86_400 * day
        yield from ([start + 43_200, 60, 1, 9, 24], [start + 43_800, 62, 0, -0.3, 25])
        for step in range(81):
            taper = 9 if step < 60 else 9 * math.exp((60 - step) / 8)
            yield [start + 79_200 + 60 * step, 20 + step, 1, round(taper, 3), round(24 + 6 * math.sin(step / 26), 3)]
        yield [start + 86_399, 100, 0, -0.3, 25]


def states():
    """A refresh every four minutes on each radio: promotion, activity, tail, idle."""
    for radio, idle, up, active, tail, length in (("wifi", 0.002, 0.1, 0.7, 0.12, 0.3), ("cellular", 0.01, 0.9, 1.6, 1.1, 10)):
        yield [0, radio, "search", 0.05]
        yield [30, radio, "idle", idle]
        for begin in range(60, 3_000, 240):
            yield [begin, radio, "promotion", up]
            yield [begin + 0.3, radio, "active", active]
            yield [begin + 1.5, radio, "tail", tail]
            yield [begin + 1.5 + length, radio, "idle", idle]
