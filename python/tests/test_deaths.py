# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the page of deaths on made-up tables: `make test-python`."""

import csv
import math
import sys
import tempfile
import unittest
from pathlib import Path

from flotsam.plots import deaths

METRICS = [metric for metric, _ in deaths.MEASURES]


def write(folder, name, rows):
    folder.mkdir(exist_ok=True)
    with open(folder / name, "w", newline="") as file:
        table = csv.DictWriter(file, fieldnames=list(rows[0]))
        table.writeheader()
        table.writerows(rows)


def cells(text, first):
    """The cells of the line of a table that begins with this one."""
    for line in text.splitlines():
        found = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and found[0] == first:
            return found[1:]
    raise AssertionError(f"no line {first!r}")


def event(time, name, app, state="", size=0.0, reason=""):
    return {"t_s": time, "event": name, "app": app, "to_state": state, "footprint_mib": size, "reason": reason}


class FigureTests(unittest.TestCase):
    def test_figures_have_three_digits_and_no_exponent(self):
        self.assertEqual([deaths.figure(value) for value in (0, 0.00123, 1.234, 12.34, 123.4, 1234.5)],
                         ["0", "0.0012", "1.23", "12.3", "123", "1234"])

    def test_an_interval_is_that_of_student(self):
        values = [1.0, 2.0, 3.0, 4.0, 5.0]
        half = 2.776 * math.sqrt(2.5 / 5)
        self.assertEqual(deaths.interval(values), f"3.00 ± {half:.2f}")
        self.assertEqual(deaths.interval([7.0]), "7.00")
        self.assertEqual(deaths.interval([7.0] * 5), "7.00")
        self.assertEqual(deaths.interval([math.nan]), "–")
        self.assertEqual(deaths.interval([4.0, math.nan]), "4.00")

    def test_quantiles_are_values_of_the_sample(self):
        self.assertEqual(deaths.quantiles([float(value) for value in range(10, 0, -1)]), "2.00, 6.00, 10.0")
        self.assertEqual(deaths.quantiles([]), "–")


class LivesTests(unittest.TestCase):
    def test_apps_are_followed_from_the_screen_to_the_kill(self):
        day = 86400.0
        life = deaths.Lives([
            event(day + 3600, "enterBackground", "mail", "background", 200.0),
            event(day + 3610, "suspend", "mail", "suspended", 50.0),
            event(day + 7200, "enterBackground", "feed", "background", 300.0),
            event(day + 7210, "suspend", "feed", "suspended", 70.0),
            event(day + 8000, "exit", "daemon-3", "", 4.0, "highwater"),
            event(day + 8001, "exit", "daemon-4", "", 5.0),
            # At noon both wait, mail for eleven hours; two hours later it dies.
            event(day + 50400, "exit", "mail", "", 50.0, "vm-pageshortage"),
            event(day + 50401, "exit", "feed", "", 70.0),
        ])
        self.assertEqual(life.sizes["suspended, at noon"], [50.0, 70.0])
        self.assertEqual(life.sizes["on screen, when left"], [200.0, 300.0])
        self.assertEqual(life.sizes["apps, when killed"], [50.0])
        self.assertEqual(life.sizes["daemons and extensions, when killed"], [4.0])
        self.assertEqual(life.ages, [13.0])
        self.assertEqual(life.oldest, [11.0])


class PageTests(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_row(self, run, policy, axes, **values):
        row = {"run": run, "policy": policy + "+opportunistic", **axes, **{metric: 0.0 for metric in METRICS}}
        return {**row, "kills_highwater_per_day": 0.0, "kills_idle_exit_per_day": 0.0, **values}

    def by_system(self):
        axes = {deaths.OS: "ios-17", deaths.RAM: "4 GiB"}
        runs = [self.run_row(str(run), "jetsam", axes, kills_highwater_per_day=float(run), warm_launches_per_day=2.5,
                             exits_fg_memory_limit_per_day=0.5, exits_bg_normal_per_day=0.0)
                for run in range(5)]
        runs += [self.run_row("9", "lru", axes, kills_highwater_per_day=1000.0, exits_fg_memory_limit_per_day=9.0,
                              exits_bg_normal_per_day=9.0)]
        write(self.folder, "runs.csv", runs)
        # The day of warm-up does not count: 1024 of 4096 MiB in the pool, 409.6 available.
        hours = [{"run": str(run), "hour": hour, "compressor_mib": 9999.0 if hour < 24 else 1024.0,
                  "available_min_mib": 409.6, "suspended_apps": 20.0, "suspended_processes": 80.0,
                  "suspended_tenth_mib": 4.0, "suspended_median_mib": "" if hour == 24 else 12.0,
                  "suspended_ninetieth_mib": 80.0} for run in range(5) for hour in (0, 24, 25)]
        write(self.folder, "device_hours.csv", hours)
        return deaths.by_system(self.folder)

    def test_kills_are_means_over_the_runs_of_jetsam(self):
        text = self.by_system()
        half = 2.776 * math.sqrt(2.5 / 5)
        self.assertEqual(cells(text, "`highwater`"), [f"2.00 ± {half:.2f}"])
        self.assertNotIn("idle-exit", text)
        self.assertEqual(cells(text, "warm launches, 1/d"), ["2.50"])
        self.assertEqual(cells(text, "memory limit, on screen"), ["0.500"])
        self.assertNotIn("normal, in the background", text)
        self.assertEqual(cells(text, "compressor's pool, share of RAM"), ["0.250"])
        self.assertEqual(cells(text, "least available of an hour, share of RAM"), ["0.100"])
        self.assertEqual(cells(text, "suspended apps, extensions and services"), ["80.0"])
        self.assertEqual(cells(text, "median"), ["12.0"])

    def test_the_ranking_counts_the_points_that_each_policy_wins(self):
        rows, run = [], 0
        for ratio, fewest in (("2.4", "lru"), ("2.66", "lru"), ("3.9", "jetsam")):
            for policy in ("jetsam", "lru"):
                axes = {"device.memory.compressor_ratio": ratio}
                relaunches = 10.0 if policy == fewest else 20.0
                rows.append(self.run_row(str(run), policy, axes, relaunches_per_day=relaunches))
                run += 1
        write(self.folder, "runs.csv", rows)
        text = deaths.ranking(self.folder)
        self.assertIn("Fewest relaunches, over 3 points: lru (2), jetsam (1).", text)
        line = next(line for line in text.splitlines() if "| 3.9 |" in line)
        self.assertIn("| 10.0 | 20.0 | jetsam 1 |", line)

    def test_the_page_is_written_whole(self):
        self.by_system()
        events = [{**event(90000.0, "enterBackground", "mail", "background", 200.0), "run": "0", deaths.OS: "ios-17"},
                  {**event(190000.0, "exit", "mail", "", 50.0, "highwater"), "run": "0", deaths.OS: "ios-17"}]
        write(self.folder / "lives", "events.csv", events)
        rows = [self.run_row("0", "lru", {"device.daemons.work_gap": "6 h"}, relaunches_per_day=3.0)]
        write(self.folder / "assumptions", "runs.csv", rows)
        page = self.folder / "deaths.md"
        deaths.write(self.folder, self.folder / "lives", self.folder / "assumptions", page)
        text = page.read_text()
        parts = ["# Deaths: recorded and simulated", "## Recorded figures", "## Kills a day by reason",
                 "## Footprints, and how long", "## What changes the ranking",
                 "## Why an app receives so few warnings"]
        self.assertEqual(parts, sorted((part for part in parts if part in text), key=text.index))
        self.assertEqual(cells(text, "time from the screen to the kill"), ["27.8, 27.8, 27.8"])


if __name__ == "__main__":
    unittest.main()
