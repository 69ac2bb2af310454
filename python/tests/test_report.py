# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the report on a made-up results folder: `make test-python`."""

import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

from flotsam.plots import charts
from flotsam.plots import charts_hours
from flotsam.plots import charts_people
from flotsam.plots import charts_sweep
import pandas as pd
from flotsam.plots import report
import synthetic
from flotsam.plots.quantities import number
from PIL import Image
from flotsam.plots.results import Results

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
        "fingerprints": ["00ff"], "details": details(policies), "notes": ["Nobody <i> is killed."],
        "answer": {"wins": "lru <far>", "next": "flotsam why x"},
    }


def details(policies, days=2, replications=3):
    """Hours, kills and hours of an app, as the program gives them."""
    hours, kills, apps = [], [], []
    for number, policy in enumerate(policies):
        for replication in range(replications):
            for hour in range(24, 24 * (1 + days)):
                level = 100.0 - hour % 24 - 10 * replication - number
                parts = {name: 100.0 * (1 + rank) for rank, name in enumerate(charts_hours.STATES)}
                hours.append({"policy": policy, "replication": replication, "hour": hour, "battery_pct": level,
                              "kills": number + hour % 2, **parts})
            kills.append({"policy": policy, "replication": replication, "reason": "idle-exit", "sentence": "short of memory",
                          "kills": 4 + number, "regretted": 1})
            apps += [{"policy": policy, "replication": replication, "app": "myapp", "hour": hour, "kills": int(hour == 3),
                      "opens": hour, "refreshes": 2} for hour in range(24)]
    return {"hours": hours, "kills": kills, "apps": apps, "days": days, "replications": replications, "runs": 0}


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

    def table(self, head):
        return next(table for table in self.cells.tables if table[0][0] == head)

    def test_numbers_are_those_of_the_csv(self):
        rows = self.results.comparisons
        rows = rows[(rows["metric"] == self.metric) & rows["relative"].notna()]
        table = self.table("line")
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
        values = next(data for figure in self.figures() for data in figure["datasets"].values() if "difference %" in data[0])
        drawn = sorted(row["difference %"] for row in values)
        table = sorted(float(row[1]) for row in self.table("line")[1:])
        self.assertEqual(drawn, table)

    def test_a_swept_axis_is_drawn_to_scale(self):
        titles = re.findall(r"<h2[^>]*>(.*?)</h2>", self.page)
        self.assertIn("Relaunches per day against ram", titles)
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
        self.assertEqual([link for link in re.findall(r"(?:src|href)=\"?([^ \">]*)", text) if not link.startswith("#")], [])
        self.assertEqual(self.page.count("</script>"), 3)

    def test_no_experiment_makes_a_page_of_more_than_three_megabytes(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            values = [f"{size} MiB" for size in range(2000, 2400)]
            synthetic.write(folder, replications=1, days=1, axis=("device.memory.ram", values))
            (folder / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
            results = Results(folder)
            said = answers(results, self.metric)
            said["fingerprints"] = ["fedcba9876543211"] * 100_000
            side = {"policy": "lru", "left_out": 0, "opens": [], "kills": [], "work": [], "why": "y" * 900_000}
            said["days"] = [{"point": point, "day": 1, "user": 0, "length_s": 86400, "counted": 1, "sides": [side]}
                            for point in ("one", "two", "three", "four")]
            page = report.page(results, said)
        self.assertLess(len(page.encode()), 3_000_000)
        self.assertTrue("Not shown: the page would have more than 3 MB." in page)
        self.assertTrue("no room for what every run came to" in page)
        self.assertFalse(said["fingerprints"][0] in page)
        # What comes first on the page comes first in room, and what belongs on every page is there.
        drawn = re.findall(r"<h2[^>]*>(.*?)</h2>\n(<p class=quiet>Not shown)?", page)
        self.assertEqual(drawn[0], ("Relaunches per day against ram", ""))
        self.assertIn(("How to reproduce it", ""), drawn)

    def test_the_question_is_the_title_and_the_answer_stands_under_it(self):
        self.assertIn("<h1>which &amp; why?</h1>\n<p>x: 8 of 8 runs", self.page)
        answered = "<dl class=answer><dt>Wins</dt><dd>lru &lt;far&gt;</dd><dt>Next</dt><dd><code>flotsam why x</code></dd></dl>"
        self.assertIn(answered, self.page)
        self.assertIn("<p><strong>Nobody &lt;i&gt; is killed.</strong></p>", self.page)
        order = ["<h1>", "Nobody &lt;i&gt;", "<dl class=answer>", "<summary>In sentences", "<h2"]
        self.assertEqual(sorted(order, key=self.page.index), order)

    def test_a_page_without_an_answer_or_a_question_has_sentences_and_its_name(self):
        said = {**answers(self.results, self.metric), "question": "", "answer": {}, "notes": []}
        page = report.page(self.results, said)
        self.assertIn("<h1>x</h1>\n<p>8 of 8 runs", page)
        self.assertIn("<p class=first>lru wins &lt;by far&gt;.</p>", page)
        self.assertNotIn("<dl class=answer>", page)

    def test_texts_are_escaped_and_the_sentences_come_first(self):
        self.assertIn("<p>lru wins &lt;by far&gt;.</p>", self.page)
        self.assertIn("nobody knows &lt;b&gt;", self.page)
        self.assertIn("--set &#x27;seed=7 8&#x27;", self.page)
        self.assertLess(self.page.index("lru wins"), self.page.index("<h2"))

    def test_numbers_of_a_manifest_are_texts_of_others_too(self):
        from flotsam.plots import report_text
        manifest = {**MANIFEST, "status": {"done": "<img src=x onerror=alert(1)>", "runs": "<b>"}}
        self.assertEqual(report_text.summary(manifest), "&lt;img src=x onerror=alert(1)&gt; of &lt;b&gt; runs, 8 replications; "
                         "model 3; 2026-11-22")

    def test_assumptions_stand_by_weight_where_they_were_weighed_for_these_results(self):
        from flotsam.plots import report_text
        sides = [{"value": value, "relative": relative, "verdict": verdict}
                 for value, relative, verdict in [("1 W", -0.5, "better"), ("2 W", -0.004, "equivalent")]]
        row = {"path": "device.a.b", "value": "1.5 W", "reason": "nobody <looked>", "weight": 0.456, "told": True,
               "low": sides[0], "high": sides[1]}
        found = {"written": MANIFEST["experiment"]["written"], "overrides": ["seed=7 8"], "model": "3", "metric": "kills_per_day",
                 "policy": "b", "baseline": "a", "replications": 5, "relative": -0.45, "verdict": "better",
                 "assumptions": [row, {**row, "path": "device.c", "told": False}]}
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self.assertIn("flotsam why --sensitivity", report_text.basis(MANIFEST, folder))
            (folder / "weights.json").write_text(json.dumps(found))
            page = report_text.basis(MANIFEST, folder)
            cells = Cells()
            cells.feed(page)
            self.assertEqual(cells.tables[0][1:], [["device.a.b", "1.5 W", "46 points", "1 W: -50.0 %", "2 W: -0.4 %, equivalent",
                                                    "nobody <looked>"]])
            self.assertIn("b less a, kills per day, is -45.0 %, better, as it stands. 1 of 2 move it", page)
            self.assertIn("nobody knows &lt;b&gt;", page)
            (folder / "weights.json").write_text(json.dumps({**found, "overrides": []}))
            self.assertNotIn("46 points", report_text.basis(MANIFEST, folder))

    def of_figure(self, heading):
        """The rows of the table of a figure."""
        number = re.search(rf"<section id=part(\d+) [^>]*>\n<h2 [^>]*>{re.escape(heading)}</h2>", self.page)[1]
        part = re.search(rf"<section id=part{number} .*?</section>", self.page, re.S)[0]
        cells = Cells()
        cells.feed(part)
        head, *rows = cells.tables[0]
        return [dict(zip(head, row)) for row in rows]

    def test_hours_are_means_and_medians_of_the_runs_done_again(self):
        battery = self.of_figure("Battery over the day")
        row = next(row for row in battery if row["policy"] == "jetsam+immediate" and row["hour"] == "10")
        # Hour 9 ends at 10; of the levels 91, 81, 71 (twice each) the median, and the 10 % and 90 % quantiles.
        self.assertEqual(float(row["median"]), 81.0)
        self.assertEqual((float(row["low"]), float(row["high"])), (71.0, 91.0))
        memory = self.of_figure("Memory over the day")
        row = next(row for row in memory if row["policy"] == "lru+opportunistic" and row["hour"] == "5")
        self.assertEqual((float(row["kills"]), float(row["cached_mib"])), (3.0, 700.0))
        kills = self.of_figure("Kills by reason")
        row = next(row for row in kills if row["policy"] == "lru+opportunistic")
        self.assertEqual((float(row["kills per day"]), float(row["regretted per day"])), (6 * 3 / 6, 3 / 6))
        mine = self.of_figure("myapp by the hour")
        row = next(row for row in mine if row["policy"] == "lru+opportunistic" and row["hour"] == "3")
        self.assertEqual([float(row[name]) for name in ("opens", "refreshes", "kills")], [1.5, 1.0, 0.5])

    def test_who_loses_is_counted_user_by_user(self):
        runs = pd.DataFrame([{"policy": policy, "replication": user, "m": value}
                             for policy, values in {"a": [5, 5, 5, 5], "b": [4, 5, 7, 6]}.items()
                             for user, value in enumerate(values)])
        _, lower = charts_people.losers(runs, "m", "a", "lower", [], "")
        self.assertEqual(lower.to_dict("records"), [{"line": "b", "users": 4, "lose": 2, "worst difference": 2, "lose %": 50.0}])
        _, higher = charts_people.losers(runs, "m", "a", "higher", [], "")
        self.assertEqual((higher["lose"].iloc[0], higher["worst difference"].iloc[0]), (1, -1))
        self.assertIsNone(charts_people.losers(runs, "m", "a", "neutral", [], ""))

    def test_groups_of_people_are_drawn_where_the_table_is(self):
        head = "metric,baseline,policy,trait,group,from,to,people,harmed,helped,harmed_share,share_low,share_high,difference"
        lines = [head + ",low,high,worst_tenth,tau,tau_p", "m,a,b,,all,,,8,2,6,0.25,0.07,0.59,-1.5,-2,-1,3.5,,",
                 "m,a,b,apps_used,high,20,40,3,2,1,0.6666666666666666,0.2,0.94,1,0,2,3,0.4,0.01",
                 "k,a,b,,all,,,8,8,0,1,0.6,1,2,1,3,3,,"]
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "who.csv"
            path.write_text("\n".join(lines) + "\n")
            _, rows = charts_people.groups(pd.read_csv(path), "m", [], "b")
        self.assertEqual(list(rows["group of people"]), ["all", "apps used high"])
        self.assertEqual(list(rows["harmed_share"]), [0.25, 2 / 3])
        self.assertEqual(list(rows["people"]), [8, 3])

    def test_two_axes_make_a_heat_map_and_a_map_of_who_comes_first(self):
        axes = ["device.memory.ram", "app.footprint"]
        points = [(ram, size) for ram in ("4 GiB", "10 GiB") for size in ("200 MiB", "1 GiB")]
        summary = pd.DataFrame([
            {"metric": "m", "policy": policy, axes[0]: ram, axes[1]: size, "mean": 10.0 * number + rank, "half_width": 1.0, "n": 5}
            for number, policy in enumerate("ab") for rank, (ram, size) in enumerate(points)])
        chart, rows = charts_sweep.heat(summary, "m", "", axes, [])
        self.assertEqual(sorted(rows["mean"]), sorted(summary["mean"]))
        self.assertIn('"10 GiB"', chart.to_json())
        ranking = [{"policy": "b", "mean": 1.0, "best": 1, "worst": 1 + (rank > 0), axes[0]: ram, axes[1]: size}
                   for rank, (ram, size) in enumerate(points)]
        ranking += [{"policy": "a", "mean": 2.0, "best": 2 - (rank > 0), "worst": 2, axes[0]: ram, axes[1]: size}
                    for rank, (ram, size) in enumerate(points)]
        chart, rows = charts_sweep.flip(ranking, axes, [])
        found = {(row[axes[0]], row[axes[1]]): (row["first"], row["cannot be told from"]) for row in rows.to_dict("records")}
        self.assertEqual(found[("4 GiB", "200 MiB")], ("b", ""))
        self.assertEqual(found[("10 GiB", "1 GiB")], ("b", "a"))
        text = json.dumps(chart.to_dict())
        # Axes are in the order of sizes, not of texts: the large ones right and above.
        self.assertIn('"sort": ["4 GiB", "10 GiB"]', text)
        self.assertIn('"sort": ["1 GiB", "200 MiB"]', text)

    def test_every_chart_is_valid_vega_lite(self):
        import altair
        for number, spec in enumerate(self.figures()):
            altair.Chart.from_dict(spec, validate=True) if "mark" in spec else altair.LayerChart.from_dict(spec, validate=True)
        self.assertGreaterEqual(number, 7)

    def test_the_page_carries_what_reproduce_reads(self):
        text = re.search(r'<script type="application/json" id="flotsam-results">(.*?)</script>', self.page, re.S)[1]
        carried = json.loads(text)
        self.assertEqual(carried["experiment"], MANIFEST["experiment"])
        self.assertEqual((carried["replications"], carried["fingerprints"]), (8, ["00ff"]))

    def test_without_details_the_page_says_why(self):
        known = answers(self.results, self.metric)
        del known["details"]
        known["without_details"] = "error: there is no x.yaml"
        page = report.page(self.results, known)
        self.assertIn("Hours, kills and apps: error: there is no x.yaml", page)
        self.assertNotIn("Battery over the day", page)


@unittest.skipUnless(shutil.which("chromium"), "needs chromium")
class LookTest(unittest.TestCase):
    """The page in a browser, at the width of a phone and of a desk, light and dark."""

    def screenshot(self, folder, width, *options):
        path = folder / f"{width}{len(options)}.png"
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=10000",
             f"--user-data-dir={folder / 'profile'}", f"--window-size={width},5200", f"--screenshot={path}", *options,
             f"file://{folder / 'report.html'}"], check=True, capture_output=True, timeout=300)
        return Image.open(path).convert("RGB")

    def test_charts_are_drawn_and_nothing_sticks_out(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            synthetic.write(folder, axis=("device.memory.ram", ["4 GiB", "10 GiB"]))
            (folder / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
            results = Results(folder)
            page = report.page(results, answers(results, results.comparisons["metric"].iloc[0]))
            # The page counts its own charts and measures its width, once all is drawn.
            probe = ("<script>setTimeout(() => { document.body.dataset.seen = [...document.querySelectorAll('.chart')].map("
                     "chart => chart.querySelectorAll('svg path, svg rect').length).join(',') + ';' + (document.documentElement"
                     ".scrollWidth - innerWidth); }, 5000)</script></body>")
            head, _, tail = page.rpartition("</body>")
            (folder / "report.html").write_text(head + probe + tail, encoding="utf-8")
            dark = "--blink-settings=preferredColorScheme=0"
            paper = {}
            for width, options in ((390, ()), (1100, ()), (1100, (dark,))):
                picture = self.screenshot(folder, width, *options)
                self.assertEqual(picture.size[0], width)
                colors = {color for _, color in picture.getcolors(1 << 24)}
                # The colours of the charts: better, worse, kills.
                self.assertTrue({(0, 114, 178), (230, 159, 0)} <= colors, f"{len(colors)} colours at {width}")
                paper[width, bool(options)] = picture.getpixel((width - 2, 2))
                # The margin at the right is empty from top to bottom.
                margin = picture.crop((width - 6, 0, width, picture.size[1]))
                self.assertEqual(len(margin.getcolors(1 << 16)), 1, width)
            self.assertEqual(paper[1100, False], (255, 255, 255))
            self.assertLess(sum(paper[1100, True]), 150)
            seen = subprocess.run(
                ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom",
                 f"--user-data-dir={folder / 'profile'}", "--window-size=390,900", f"file://{folder / 'report.html'}"],
                check=True, capture_output=True, text=True, timeout=300).stdout
            counts, excess = re.search(r'data-seen="([^"]*)"', seen)[1].split(";")
            self.assertGreaterEqual(len(counts.split(",")), 8)
            self.assertTrue(all(int(count) > 20 for count in counts.split(",")), counts)
            self.assertLessEqual(int(excess), 0)


if __name__ == "__main__":
    unittest.main()
