"""Checks the drawing on a made-up results folder: python3 -m unittest discover plots (needs requirements.txt)."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import battery  # noqa: E402
import differences  # noqa: E402
import draw  # noqa: E402
import synthetic  # noqa: E402
from results import Results  # noqa: E402
from style import plt  # noqa: E402

plt.rcParams["savefig.dpi"] = 50  # Quick; nobody looks at these.

PNG = b"\x89PNG\r\n\x1a\n"


def run(*arguments):
    """Exit code, lines on stdout, text on stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = draw.main([str(argument) for argument in arguments])
    return code, out.getvalue().splitlines(), err.getvalue()


class DrawTests(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

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
            run(self.folder, "-o", self.folder / name)
        for path in sorted((self.folder / "a").iterdir()):
            self.assertEqual(path.read_bytes(), (self.folder / "b" / path.name).read_bytes(), path.name)

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
        code, lines, _ = run(self.folder)
        self.assertEqual(code, 0)
        names = {Path(line).name for line in lines}
        self.assertIn("battery-ram-3-GiB.png", names)
        self.assertIn("tradeoff-ram-4-GiB.svg", names)

    def test_missing_tables_are_skipped_with_a_word_and_an_empty_folder_is_an_error(self):
        code, _, err = run(self.folder)
        self.assertEqual(code, 1)
        self.assertIn("none of runs.csv", err)
        synthetic.write(self.folder, replications=1, days=1)
        (self.folder / "device_hours.csv").unlink()
        (self.folder / "columns.csv").unlink()
        code, lines, err = run(self.folder)
        self.assertEqual(code, 0)
        self.assertIn("no device_hours.csv", err)
        self.assertEqual(Path(lines[0]).name, "differences.png")

    def test_one_replication_has_no_interval_and_still_a_figure(self):
        synthetic.write(self.folder, replications=1, days=1)
        path = self.folder / "comparisons.csv"
        lines = path.read_text().splitlines()
        fields = lines[1].split(",")
        fields[4:6], fields[6] = ["-inf", "inf"], ""
        path.write_text("\n".join([lines[0], ",".join(fields)] + lines[2:]) + "\n")
        self.assertEqual(run(self.folder)[0], 0)


if __name__ == "__main__":
    unittest.main()
