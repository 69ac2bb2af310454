# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the report on a made-up results folder: python3 -m unittest discover plots (needs requirements.txt)."""

import json
import math
import re
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import charts  # noqa: E402
import pandas as pd  # noqa: E402
import report  # noqa: E402
import synthetic  # noqa: E402
from quantities import number  # noqa: E402
from results import Results  # noqa: E402

PLAN = {"replications": 8, "policies": [{"name": "a"}, {"name": "b"}]}
MANIFEST = {
    "plan": PLAN, "status": {"done": 8, "runs": 8}, "versions": {"model": "3"}, "times": {"written": "2026-11-22"},
    "assumptions": [{"key": "a.b", "file": "models/x.yaml", "reason": "nobody knows <b>"}], "remarks": [],
    "experiment": {"path": "x.yaml", "overrides": ["seed=7 8"], "written": "name: x # </script>\n"},
}


class Cells(HTMLParser):
    """The tables of a page, as lists of rows of texts."""

    def __init__(self):
        super().__init__()
        self.tables, self.open = [], False

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        self.open = tag in ("td", "th")
        if self.open:
            self.tables[-1][-1].append("")

    def handle_data(self, data):
        if self.open:
            self.tables[-1][-1][-1] += data

    def handle_endtag(self, tag):
        self.open = False


def answers(results, metric):
    policies = list(dict.fromkeys(results.comparisons["policy"]))
    return {
        "name": "x", "question": "which & why?", "primary": metric, "better": "lower", "level": 0.95, "equivalence": 0.01,
        "baseline": results.comparisons["baseline"].iloc[0], "sentences": ["lru wins <by far>.", "It costs nothing."],
        "ranking": [{"policy": policy, "mean": float(rank), "best": rank, "worst": rank + 1}
                    for rank, policy in enumerate(policies, 1)],
    }


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = Path(cls.temporary.name)
        synthetic.write(folder, axis=("device.memory.ram", ["4 GiB", "10 GiB"]))
        (folder / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
        cls.results = Results(folder)
        cls.metric = cls.results.comparisons["metric"].iloc[0]
        cls.page = report.page(cls.results, answers(cls.results, cls.metric))
        cls.cells = Cells()
        # The program's own text is no part of the page.
        cls.cells.feed(re.sub(r"<script>.*?</script>", "", cls.page, flags=re.S))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def figures(self):
        text = re.search(r"const figures = (\[.*?\]);\n", self.page, re.S)[1]
        return json.loads(text.replace("<\\/", "</"))

    def test_numbers_are_those_of_the_csv(self):
        rows = self.results.comparisons
        rows = rows[(rows["metric"] == self.metric) & rows["relative"].notna()]
        table = self.cells.tables[0]
        self.assertEqual(table[0], ["line", "difference %", "low %", "high %", "verdict", "n"])
        shown = sorted((float(row[1]), row[4], int(row[5])) for row in table[1:])
        expected = sorted((relative * 100, verdict, int(n))
                          for relative, verdict, n in zip(rows["relative"], rows["verdict"], rows["n"]))
        self.assertEqual(len(shown), len(expected))
        for one, other in zip(shown, expected):
            self.assertTrue(math.isclose(one[0], other[0], rel_tol=1e-12, abs_tol=1e-12), (one, other))
            self.assertEqual(one[1:], other[1:])
        by_effect = [float(row[1]) for row in table[1:]]
        self.assertEqual(by_effect, sorted(by_effect))

    def test_a_chart_draws_the_rows_of_its_table(self):
        values = [data for data in self.figures()[0]["datasets"].values() if "difference %" in data[0]][0]
        drawn = sorted(row["difference %"] for row in values)
        table = sorted(float(row[1]) for row in self.cells.tables[0][1:])
        self.assertEqual(drawn, table)

    def test_a_swept_axis_is_drawn_to_scale(self):
        titles = re.findall(r"<h2>(.*?)</h2>", self.page)
        self.assertIn(f"{self.metric} against device.memory.ram", titles)
        table = next(table for table in self.cells.tables if table[0][:2] == ["policy", "value"])
        rows = self.results.summary[self.results.summary["metric"] == self.metric]
        self.assertEqual(sorted(float(row[2]) for row in table[1:]), sorted(rows["mean"].dropna()))
        self.assertEqual([number(text) for text in ("4 GiB", "300 MiB", "15 min", "2 %")], [4 * 2**30, 300 * 2**20, 900, 0.02])
        self.assertTrue(math.isnan(number("heavy")))

    def test_equals_lie_together(self):
        rows = pd.DataFrame({"x": [100.0, 100.1], "x low": [100.0, 100.1], "x high": [100.0, 100.1]})
        low, high = charts.span(rows, "x", 0.01)
        self.assertGreaterEqual(high - low, 4)
        self.assertTrue(low < 98.2 and high > 101.9)

    def test_the_page_stands_alone_and_is_small(self):
        self.assertLess(len(self.page.encode()), 2_000_000)
        text = re.sub(r"<script>.*?</script>", "", self.page, flags=re.S)
        self.assertIsNone(re.search(r"(src|href)=", text))
        self.assertEqual(self.page.count("</script>"), 2)

    def test_texts_are_escaped_and_the_sentences_come_first(self):
        self.assertIn("<p class=first>lru wins &lt;by far&gt;.</p>", self.page)
        self.assertIn("which &amp; why?", self.page)
        self.assertIn("nobody knows &lt;b&gt;", self.page)
        self.assertIn("--set &#x27;seed=7 8&#x27;", self.page)
        self.assertLess(self.page.index("class=first"), self.page.index("<h2>"))


if __name__ == "__main__":
    unittest.main()
