# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the tornado charts on made-up tables: `make test-python`."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

import matplotlib
from flotsam.plots import draw
import synthetic
from flotsam.plots import tornado
from flotsam.plots.results import NothingToDraw, Results
from flotsam.plots.style import BLUE, ORANGE
from test_draw import drawn, run

HEADER = ["metric", "baseline", "policy", "axis", "measure", "value", "low", "high", "n"]


def bars(panel):
    """Length and colour of the bars, from below."""
    return [(round(bar.get_width(), 6), bar.get_facecolor()) for bar in panel.patches]


def color(name):
    return matplotlib.colors.to_rgba(name)


class TornadoTests(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        synthetic.write(self.folder, replications=2, days=1)

    def design(self, rows):
        synthetic.table(self.folder, "sensitivity.csv", HEADER, rows)

    def options(self, *words):
        return draw.read_options([*words, str(self.folder)])

    def morris(self, policies=("lru",)):
        rows = []
        for baseline, policy in [("", "jetsam")] + [("jetsam", policy) for policy in policies]:
            for axis, mu, size in (("apps.count", -3, 4), ("device.memory.ram", 7, 7), ("device.nand", 0.5, 1)):
                rows += [["kills_per_day", baseline, policy, axis, measure, value, value - 1, value + 2, 5]
                         for measure, value in (("mu", mu), ("mu_star", size), ("sigma", 0.1))]
        self.design(rows)

    def test_effects_stand_by_size_with_their_sign_as_colour(self):
        self.morris()
        figure = tornado.draw_axes(Results(self.folder), self.options())
        (panel,) = figure.axes
        self.assertEqual(bars(panel), [(1, color(ORANGE)), (4, color(BLUE)), (7, color(ORANGE))])
        self.assertEqual([label.get_text() for label in panel.get_yticklabels()], ["nand", "count", "ram"])
        # The interval of the longest bar, which is on top, from 6 to 9.
        self.assertEqual(list(panel.lines[2].get_xdata()), [6, 9])
        self.assertEqual(panel.get_title(loc="left"), "lru")

    def test_each_policy_has_a_panel_and_the_metric_itself_is_drawn_where_nothing_is_compared(self):
        self.morris(policies=("lru", "fifo"))
        figure = tornado.draw_axes(Results(self.folder), self.options())
        self.assertEqual([panel.get_title(loc="left") for panel in figure.axes], ["lru", "fifo"])
        self.morris(policies=())
        figure = tornado.draw_axes(Results(self.folder), self.options())
        self.assertEqual([panel.get_title(loc="left") for panel in figure.axes], ["jetsam"])

    def test_shares_of_the_variance_stand_one_in_the_other(self):
        self.design([["kills_per_day", "jetsam", "lru", axis, measure, value, "", "", 5]
                     for axis, first, total in (("a.x", 0.5, 0.6), ("a.y", 0.1, 0.4))
                     for measure, value in (("first", first), ("total", total))])
        figure = tornado.draw_axes(Results(self.folder), self.options())
        self.assertEqual([width for width, _ in bars(figure.axes[0])], [0.4, 0.1, 0.6, 0.5])

    def test_a_metric_that_is_not_there_is_an_error(self):
        self.morris()
        with self.assertRaisesRegex(KeyError, "no metric energy; it has kills_per_day"):
            tornado.draw_axes(Results(self.folder), self.options("--metric", "energy"))

    def weights(self, *rows):
        found = {"metric": "kills_per_day", "policy": "b", "baseline": "a", "relative": -0.1, "verdict": "better",
                 "assumptions": list(rows)}
        (self.folder / "weights.json").write_text(json.dumps(found))

    @staticmethod
    def assumption(path, low, high, told=True):
        sides = [{"value": f"{10 * share:g}", "relative": share, "verdict": "better" if share < -0.01 else "undecided"}
                 for share in (low, high)]
        return {"path": path, "weight": max(abs(low + 0.1), abs(high + 0.1)), "told": told, "low": sides[0], "high": sides[1]}

    def test_assumptions_reach_from_the_difference_to_what_each_value_makes_of_it(self):
        self.weights(self.assumption("os.a", -0.12, -0.09), self.assumption("os.b", -0.3, 0.05),
                     self.assumption("os.c", 0.9, 0.9, told=False))
        figure = tornado.draw_weights(Results(self.folder), self.options())
        (panel,) = figure.axes
        self.assertEqual([width for width, _ in bars(panel)], [-2, 1, -20, 15])
        self.assertEqual([label.get_text() for label in panel.get_yticklabels()], ["os.a", "os.b"])
        self.assertEqual([note.get_text() for note in panel.texts], ["-1.2", "-0.9", "-3", "0.5, undecided"])

    def test_nothing_is_drawn_where_no_assumption_moves_anything(self):
        self.weights(self.assumption("os.a", -0.12, -0.09, told=False))
        with self.assertRaises(NothingToDraw):
            tornado.draw_weights(Results(self.folder), self.options())

    def test_what_is_not_there_is_said(self):
        for figure, text in (("weights", "no weights.json: flotsam why --sensitivity"), ("tornado", "no sensitivity.csv: a sweep of mode")):
            code, _, err = run(figure, self.folder)
            self.assertEqual(code, 1)
            self.assertIn(text, err)

    def test_both_are_among_the_figures_of_a_folder_that_has_them(self):
        self.assertFalse({"tornado", "weights"} & drawn(self.folder))
        self.morris()
        self.weights(self.assumption("os.a", -0.12, -0.09))
        self.assertLessEqual({"tornado", "weights"}, drawn(self.folder))


if __name__ == "__main__":
    unittest.main()
