# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the drawing on a made-up results folder: `make test-python`."""

import contextlib
import gzip
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

import matplotlib
from flotsam.plots import battery
from flotsam.plots import charge
from flotsam.plots import differences
from flotsam.plots import draw
from flotsam.plots import energy
from flotsam.plots import names
from flotsam.plots import prediction
from flotsam.plots import radio
import synthetic
from flotsam.plots import style
import synthetic_power
from flotsam.plots import tradeoff
from flotsam.plots.results import Results

style._LOOK["savefig.dpi"] = 50  # Quick; these are for no eyes.

PNG = b"\x89PNG\r\n\x1a\n"


def run(*arguments):
    """Exit code, lines on stdout, text on stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = draw.main([str(argument) for argument in arguments])
    return code, out.getvalue().splitlines(), err.getvalue()


def drawn(folder, *arguments):
    """Names of the figures that come of a folder, none of them written."""
    result = set()
    with contextlib.redirect_stderr(io.StringIO()):
        for name, figure in draw.figures(Results(folder), draw.read_options([*arguments, str(folder)])):
            result.add(name)
    return result


class DrawTests(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def drawn(self, *arguments):
        return drawn(self.folder, *arguments)

    def test_every_figure_is_written_twice(self):
        synthetic.write(self.folder, replications=3, days=1)
        code, lines, _ = run(self.folder)
        self.assertEqual(code, 0)
        names = ["battery", "battery-difference", "differences", "tradeoff"]
        expected = [self.folder / "plots" / f"{name}.{kind}" for name in names for kind in ("png", "svg")]
        self.assertEqual([Path(line) for line in lines], expected)
        for path in expected:
            content = path.read_bytes()
            self.assertTrue(content.startswith(PNG) if path.suffix == ".png" else b"<svg" in content)
            self.assertGreater(len(content), 3_000)

    def test_the_same_tables_give_the_same_bytes(self):
        synthetic.write(self.folder, replications=2, days=1)
        for name in ("a", "b"):
            for figure in ("battery", "tradeoff"):
                run(figure, self.folder, "-o", self.folder / name)
        for path in sorted((self.folder / "a").iterdir()):
            self.assertEqual(path.read_bytes(), (self.folder / "b" / path.name).read_bytes(), path.name)

    def test_compressed_tables_are_read_like_plain_ones(self):
        synthetic.write(self.folder, replications=2, days=1)
        before = Results(self.folder).device_hours
        path = self.folder / "device_hours.csv"
        with gzip.open(path.with_name("device_hours.csv.gz"), "wb") as packed:
            packed.write(path.read_bytes())
        path.unlink()
        after = Results(self.folder).device_hours
        self.assertGreater(len(after), 10)
        self.assertTrue(before.equals(after))

    def test_curves_and_bands_are_those_of_the_table(self):
        synthetic.write(self.folder, replications=5, days=1)
        results = Results(self.folder)
        rows = results.device_hours[results.device_hours["policy"] == "lru+immediate"]
        curve = battery.statistics(rows)
        first = sorted(rows[rows["hour"] == 9]["battery_pct"])
        self.assertAlmostEqual(curve["mean"].iloc[9], sum(first) / 5)
        # With five values the 10 % quantile lies 0.4 of the way from the first to the second.
        self.assertAlmostEqual(curve["low"].iloc[9], first[0] + 0.4 * (first[1] - first[0]))
        self.assertEqual(curve.index[9], 10 / 24)
        own = battery.differences(results.device_hours, "jetsam+opportunistic")
        self.assertTrue((own[own["policy"] == "jetsam+opportunistic"]["difference"] == 0).all())
        other = own[(own["policy"] == "lru+immediate") & (own["hour"] == 20)]["difference"]
        self.assertTrue((other < 0).all())

    def test_combinations_make_a_grid_and_lists_make_rows(self):
        synthetic.write(self.folder, replications=1, days=1)
        results = Results(self.folder)
        policies = [f"{e}+{s}" for e in synthetic.EVICTIONS for s in synthetic.SCHEDULINGS]
        grid = battery.panel_grid(results, policies)
        self.assertEqual(grid[1], ["jetsam+immediate", "lru+immediate", "largest-first+immediate"])
        self.assertEqual([len(row) for row in battery.panel_grid(results, policies[1:])], [3, 3, 2])

    def test_the_primary_metric_comes_first_and_an_unknown_one_is_an_error(self):
        synthetic.write(self.folder, replications=2, days=1)
        comparisons = Results(self.folder).comparisons
        self.assertEqual(differences.chosen_metrics(comparisons, [])[0], "relaunches_per_day")
        code, _, err = run(self.folder, "--metric", "relaunches")
        self.assertEqual(code, 1)
        self.assertIn("no metric relaunches; it has relaunches_per_day", err)

    def test_a_sweep_gives_one_battery_figure_per_point(self):
        synthetic.write(self.folder, replications=2, days=1, axis=("device.memory.ram", ["3 GiB", "4 GiB"]))
        names = self.drawn()
        self.assertLessEqual({"battery-ram-3-GiB", "battery-ram-4-GiB", "tradeoff-ram-4-GiB", "differences"}, names)

    def test_missing_tables_are_skipped_with_a_word_and_an_empty_folder_is_an_error(self):
        code, _, err = run(self.folder)
        self.assertEqual(code, 1)
        self.assertIn("none of runs.csv", err)
        synthetic.write(self.folder, replications=1, days=1)
        (self.folder / "device_hours.csv").unlink()
        (self.folder / "columns.csv").unlink()
        code, lines, err = run(self.folder)
        self.assertEqual(code, 0)
        self.assertIn("not drawn: battery, battery-difference, energy: no device_hours.csv: ask for it by", err)
        self.assertEqual(Path(lines[0]).name, "differences.png")

    def test_one_policy_has_nothing_to_be_compared_with(self):
        synthetic.write(self.folder, replications=1, days=1)
        path = self.folder / "comparisons.csv"
        path.write_text(path.read_text().splitlines()[0] + "\n")
        _, _, err = run(self.folder)
        self.assertIn("differences: comparisons.csv has no rows: with one policy there is nothing to compare", err)
        self.assertNotIn("tables: [runs, comparisons]", err)

    def test_the_warm_up_is_left_out(self):
        synthetic.write(self.folder, replications=2, days=3)
        self.assertEqual(Results(self.folder).device_hours["hour"].min(), 0)
        resolved = json.dumps({"experiment": {"warmup": "1 d"}})
        (self.folder / "manifest.json").write_text(json.dumps({"experiment": {"resolved": resolved}}))
        hours = Results(self.folder).device_hours
        self.assertEqual((hours["hour"].min(), hours["hour"].max()), (24, 71))
        self.assertEqual(battery.first_day(hours), 1)

    def test_lines_stand_by_effect_with_titles_in_words_and_points_for_percentages(self):
        synthetic.write(self.folder, replications=2, days=1)
        results = Results(self.folder)
        figure = differences.draw(results, ["relaunches_per_day", "battery_pct_at_22h"])
        rows = results.comparisons[results.comparisons["metric"] == "relaunches_per_day"]
        effects = dict(zip(rows["policy"], rows["difference"]))
        labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
        self.assertEqual([effects[label] for label in labels], sorted(effects.values()))
        self.assertEqual([panel.get_title(loc="left") for panel in figure.axes[:2]], ["Relaunches per day", "Battery at 22:00"])
        texts = [[text.get_text() for text in panel.texts] for panel in figure.axes[:2]]
        self.assertIn("lower is better", texts[0])
        self.assertIn("higher is better", texts[1])
        self.assertEqual([any("%" in text for text in panel) for panel in texts], [True, False])
        self.assertEqual(figure.axes[1].get_xlabel(), "difference (points)")

    def test_flat_differences_are_named_and_not_drawn(self):
        synthetic.write(self.folder, replications=2, days=1)
        path = self.folder / "device_hours.csv"
        rows = [line.split(",") for line in path.read_text().splitlines()]
        level = rows[0].index("battery_pct")
        base = {(row[2], row[3]): row[level] for row in rows[1:] if row[1] == "jetsam+opportunistic"}
        for row in rows[1:]:
            if row[1] == "lru+opportunistic":
                row[level] = repr(float(base[row[2], row[3]]) + 0.1)
        path.write_text("\n".join(",".join(row) for row in rows) + "\n")
        results = Results(self.folder)
        figure = battery.draw_differences(results, results.device_hours, "")
        titles = [panel.get_title(loc="left") for panel in figure.axes if panel.get_visible()]
        self.assertEqual(len(titles), 7)
        self.assertNotIn("lru+opportunistic", titles)
        self.assertIn("all the time: lru+opportunistic", " ".join(text.get_text() for text in figure.texts))

    def test_twelve_policies_differ_by_colour_and_shape(self):
        names = [f"p{number}" for number in range(12)]
        low, high = tradeoff.spanned(12.768, 12.780)
        self.assertAlmostEqual(low, 12.774 - 0.25548)
        self.assertAlmostEqual(high, 12.774 + 0.25548)
        self.assertEqual(tradeoff.spanned(1, 100), (1, 100))
        looks = {(tradeoff.colour(name, (name, "x"), [], names), style.MARKERS[rank % len(style.MARKERS)])
                 for rank, name in enumerate(names)}
        self.assertEqual(len(looks), 12)

    def test_one_replication_has_no_interval_and_still_a_figure(self):
        synthetic.write(self.folder, replications=1, days=1)
        path = self.folder / "comparisons.csv"
        lines = path.read_text().splitlines()
        fields = lines[1].split(",")
        fields[4:6], fields[6] = ["-inf", "inf"], ""
        path.write_text("\n".join([lines[0], ",".join(fields)] + lines[2:]) + "\n")
        self.assertEqual(run("differences", self.folder)[0], 0)

    def test_an_unknown_figure_and_a_table_that_is_missing_are_errors(self):
        synthetic.write(self.folder, replications=1, days=1)
        code, _, err = run("batteries", self.folder)
        self.assertEqual(code, 1)
        self.assertIn("no figure batteries; there are battery,", err)
        code, lines, err = run("radio", self.folder)
        self.assertEqual((code, lines), (1, []))
        self.assertIn("no radio.csv: ask for it by `output: {tables: [runs, radio]}`", err)

    def test_one_figure_alone(self):
        synthetic.write(self.folder, replications=2, days=1)
        code, lines, _ = run("tradeoff", self.folder)
        self.assertEqual((code, [Path(line).name for line in lines]), (0, ["tradeoff.png", "tradeoff.svg"]))


class PowerTests(unittest.TestCase):
    """Figures of energy, charging, radios and predictions."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        synthetic_power.write(self.folder, days=2)

    def options(self, *arguments):
        return draw.read_options([*arguments, str(self.folder)])

    def test_each_figure_is_a_command(self):
        for name in ("energy", "app-days", "apps", "charge", "radio", "prediction"):
            code, lines, err = run(name, self.folder)
            self.assertEqual((code, err), (0, ""), name)
            self.assertEqual([Path(line).name for line in lines], [f"{name}.png", f"{name}.svg"])

    def test_all_that_the_tables_allow_is_drawn_without_a_name(self):
        self.assertLessEqual({"battery", "energy", "apps", "app-days", "charge", "radio", "prediction"}, drawn(self.folder))

    def test_the_bars_of_a_day_hold_the_energy_of_a_day(self):
        figure = energy.draw_components(Results(self.folder), self.options("energy"))
        daily = 24 * sum(synthetic_power.JOULES.values()) / 3600
        for panel in figure.axes:
            bars = sum(bar.get_height() for bar in panel.patches) / 1000
            self.assertAlmostEqual(bars, daily, places=9)
        self.assertIn(f"{daily:.2f} Wh a day", " ".join(text.get_text() for text in figure.texts))

    def test_the_apps_that_use_most_are_named_and_the_others_are_counted(self):
        figure = energy.draw_apps(Results(self.folder), self.options("apps", "--top", "3"))
        labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()][::-1]
        self.assertEqual([label.split(",")[0] for label in labels[:4]], ["app-a", "app-b", "app-c", "9 other apps"])
        self.assertTrue(labels[4].startswith("system"))
        self.assertAlmostEqual(
            sum(bar.get_height() for bar in figure.axes[0].patches), 24 * (sum(50 - i for i in range(12)) + 96) / 3.6)

    def test_a_day_and_a_run_can_be_asked_for(self):
        self.assertEqual(drawn(self.folder, "energy", "--day", "1", "--run", "1"), {"energy"})
        self.assertIn("no day 9; there are 0 to 1", run("energy", self.folder, "--day", "9")[2])
        self.assertIn("no run 7", run("apps", self.folder, "--run", "7")[2])
        self.assertIn("no policy lru", run("apps", self.folder, "--policy", "lru")[2])

    def test_the_charge_shown_is_no_top_up_and_of_the_second_half(self):
        (_, label, piece), *others = charge.chosen(Results(self.folder), self.options("charge"))
        self.assertEqual((label, others), (synthetic_power.POLICY, []))
        self.assertEqual(piece["t_s"].iloc[0], 86_400 + 79_200)
        self.assertEqual(piece["battery_pct"].iloc[0], 20)

    def test_radio_states_fill_the_window(self):
        results = Results(self.folder)
        _, rows = radio.run_of(results, self.options("radio"))
        begin, end = radio.window(rows, self.options("radio", "--minutes", "20"))
        self.assertEqual(end - begin, 1200)
        pieces = radio.spans(rows[rows["radio"] == "cellular"], begin, end)
        self.assertAlmostEqual(sum(stop - start for start, stop, _, _ in pieces), end - begin)
        self.assertEqual({state for *_, state in pieces}, {"promotion", "active", "tail", "idle"})
        self.assertEqual(draw.instant("2d14:05"), 2 * 86_400 + 14 * 3_600 + 300)
        self.assertEqual(radio.moment(draw.instant("1d00:00:07")), "day 1, 00:00:07")

    def test_predictions_of_all_runs_are_pooled_by_range(self):
        sums = prediction.pooled(Results(self.folder).table("predictions"))
        self.assertEqual(list(sums["predictions"]), [200, 200, 200])
        self.assertAlmostEqual(sums["came"].iloc[1], 0.225)


class FormTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        synthetic.write(self.folder)

    def test_every_form_has_words_and_the_same_bytes_again(self):
        files = {}
        for again in ("one", "two"):
            code, lines, _ = run(
                "differences", self.folder, "-o", self.folder / again, "--format", "pdf", "--format", "svg")
            self.assertEqual((code, [Path(line).suffix for line in lines]), (0, [".pdf", ".svg"]))
            files[again] = [Path(line).read_bytes() for line in lines]
        self.assertEqual(files["one"], files["two"])
        pdf, svg = files["one"]
        self.assertTrue(pdf.startswith(b"%PDF"))
        # Letters are of a font that can be searched and set again, and no outlines.
        self.assertIn(b"/Subtype /Type0", pdf)
        self.assertIn("Paired differences against", svg.decode())

    def test_a_width_is_kept_and_letters_stay_as_large(self):
        for text, wanted in (("3.5in", 3.5), ("9 cm", 9 / 2.54), ("90mm", 90 / 25.4)):
            self.assertAlmostEqual(style.inches(text), wanted)
        for text in ("3.5", "wide", "0.1in", "1km", "-3in"):
            with self.assertRaises(ValueError):
                style.inches(text)
        with contextlib.redirect_stderr(io.StringIO()) as err, self.assertRaises(SystemExit):
            draw.read_options(["differences", str(self.folder), "--width", "3.5"])
        self.assertIn("such as 3.5in or 9cm, found '3.5'", err.getvalue())
        sizes = {}
        for width in (None, "3.5in"):
            words = ["differences", str(self.folder)] + (["--width", width] if width else [])
            (_, figure, _), = draw.drawn([*words, "-o", str(self.folder / "out")])
            texts = [text.get_fontsize() for text in figure.texts]
            sizes[width] = (figure.get_figwidth(), figure.axes[0].get_subplotspec().get_gridspec().ncols, texts[0])
        self.assertEqual(sizes["3.5in"][:2], (3.5, 1))
        self.assertGreater(sizes[None][0], 5)
        self.assertEqual(sizes[None][2], sizes["3.5in"][2])
        self.assertIsNone(style._width, "the next figure has a width of its own")

    def test_drawing_leaves_what_a_notebook_has_set(self):
        matplotlib.rcParams["lines.linewidth"] = 7.5
        self.addCleanup(matplotlib.rcdefaults)
        (_, figure, _), = draw.drawn(["differences", str(self.folder), "-o", str(self.folder / "out")])
        self.assertEqual(matplotlib.rcParams["lines.linewidth"], 7.5)
        self.assertNotIn(7.5, [line.get_linewidth() for axes in figure.axes for line in axes.lines])


class NameTests(unittest.TestCase):
    def test_names_in_a_crowd_do_not_overlap(self):
        self.enterContext(style.look())
        figure, panel = style.subplots(figsize=(8, 5))
        figure.set_layout_engine("none")
        items = [(f"policy-{i}", (6.9 + 0.02 * (i % 4), 1200 + 12 * (i // 4))) for i in range(12)] + [("far", (6, 1800))]
        panel.plot(*zip(*(at for _, at in items)), "o")
        figure.canvas.draw()
        names.write_names(figure, panel, items)
        boxes = [text.get_window_extent() for text in panel.texts]
        self.assertEqual(len(boxes), 13)
        for i, one in enumerate(boxes):
            self.assertFalse(any(one.overlaps(other) for other in boxes[i + 1 :]), panel.texts[i].get_text())

    def test_points_at_one_place_share_a_name(self):
        groups = names.together([("a", (1, 1), (10, 10)), ("b", (2, 2), (50, 50)), ("c", (1, 1), (11, 12))])
        self.assertEqual([name for name, *_ in groups], ["a, c", "b"])


if __name__ == "__main__":
    unittest.main()
