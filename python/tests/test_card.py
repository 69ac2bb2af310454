# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the card of a workload on made-up figures: `make test-python`."""

import json
import stat
import sys
import tempfile
import unittest
from pathlib import Path

from flotsam.plots import card
from PIL import Image


def curve(name, values, **more):
    return {"name": name, "title": f"Title of {name}", "axis": "hour of the day", "unit": "launches",
            "points": list(range(1, len(values) + 1)), "values": values, **more}


CARDS = {
    "population": "smartphone-users", "people": 24, "days": 14,
    "files": [{
        "name": "mine <b>.csv", "start": "2026-09-14", "origin": "a phone", "days": 14,
        "coverage": [{"part": "sessions", "from": 0, "to": 14}, {"part": "charging", "from": 9, "to": 14}],
        "odd": ["apps are open for 30 hours a day"],
        "figures": [{"name": "sessions a day", "value": 33.0, "low": 51.0, "high": 180.0},
                    {"name": "launches a day", "value": 160.0, "low": 90.0, "high": 300.0},
                    {"name": "charges a day", "value": 1.5}],
        "curves": [curve("launches", [3, 4, 5], low=[1, 2, 3], high=[5, 6, 7]), curve("sessions", [0.1, 0.5, 1.0])],
    }],
}


class Card(unittest.TestCase):
    def test_panels_show_the_values_within_the_band_and_what_was_recorded(self):
        figure = card.picture(CARDS)
        panels = [panel for panel in figure.axes if panel.axison]
        self.assertEqual([panel.get_title() for panel in panels], ["Title of launches", "Title of sessions", "Recorded"])
        self.assertEqual(list(panels[0].lines[0].get_ydata()), [3, 4, 5])
        band = panels[0].collections[0].get_paths()[0].get_extents()
        self.assertEqual((band.ymin, band.ymax), (1, 7))
        self.assertEqual(panels[1].get_xscale(), "log")
        self.assertEqual([(bar.get_x(), bar.get_width()) for bar in panels[2].patches], [(0, 14), (9, 5)])

    def test_the_page_marks_what_lies_outside_and_escapes_names(self):
        text = card.page(CARDS)
        self.assertIn("mine &lt;b&gt;.csv", text)
        self.assertNotIn("<b>.csv", text)
        self.assertIn("<td>sessions a day</td><td>33</td><td>51 to 180</td><td>outside</td>", text)
        self.assertIn("<td>launches a day</td><td>160</td><td>90 to 300</td><td></td>", text)
        self.assertIn("<td>charges a day</td><td>1.5</td><td></td><td></td>", text)
        self.assertIn("apps are open for 30 hours a day", text)
        self.assertNotIn("http-equiv", text)
        self.assertEqual(text, card.page(CARDS))

    def test_files_are_written_as_their_names_say_and_errors_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            program = folder / "flotsam"
            program.write_text("#!/bin/sh\necho \"$@\" > " + str(folder / "said") + "\ncat " + str(folder / "cards.json") + "\n")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            (folder / "cards.json").write_text(json.dumps(CARDS), encoding="utf-8")
            for name in ("card.png", "card.html", "card.svg"):
                self.assertEqual(card.main(["a.csv", "-o", str(folder / name), "--flotsam", str(program)]), 0)
            with Image.open(folder / "card.png") as drawn:
                self.assertAlmostEqual(drawn.size[0], 11 * card.style._LOOK["savefig.dpi"], delta=2)
            self.assertTrue((folder / "card.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>"))
            self.assertEqual((folder / "said").read_text().split(),
                             ["data", "workload", "card", "a.csv", "--json", "--population", "smartphone-users", "--people", "24"])
            program.write_text("#!/bin/sh\necho 'no such file' >&2\nexit 1\n")
            self.assertEqual(card.main(["a.csv", "-o", str(folder / "card.png"), "--flotsam", str(program)]), 1)


if __name__ == "__main__":
    unittest.main()
