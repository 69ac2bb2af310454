# SPDX-License-Identifier: GPL-3.0-or-later
"""Results: tables with types, units and keys; conclusions and figures as the program and the scripts give them."""

from __future__ import annotations

import csv
import json
import math
import re
import unittest
from pathlib import Path

import duckdb
import flotsam
import polars as pl
import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as papq
from flotsam.program import call
from laboratory import CHECKOUT, Laboratory, small


class ResultTests(Laboratory):
    results: flotsam.Results

    def setUp(self) -> None:
        super().setUp()
        experiment = small(replications=6, output={"tables": ["runs", "device_hours", "app_days", "events"]})
        self.results = flotsam.run(experiment, output="r", progress=False)

    def rows(self, name: str) -> list[dict[str, str]]:
        with (self.results.folder / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_every_table_is_the_same_in_arrow_pandas_polars_and_parquet(self) -> None:
        files = {path.stem: path for path in self.results.parquet()}
        self.assertEqual(set(files), set(self.results.tables))
        self.assertGreaterEqual(set(files), {"runs", "summary", "comparisons", "device_hours", "app_days", "events"})
        for name, table in self.results.tables.items():
            written = self.rows(name)
            arrow = table.arrow()
            self.assertEqual(arrow.num_rows, len(written), name)
            for field in table.fields:
                def value(text: str, kind: str = field.type) -> object:
                    return None if text == "" else {"integer": int, "number": float, "string": str}[kind](text)

                expected = [value(row[field.name]) for row in written]
                self.assertEqual(arrow.column(field.name).to_pylist(), expected, f"{name}.{field.name}")
            self.assertTrue(papq.read_table(files[name]).equals(arrow), name)
            self.assertTrue(table.polars().equals(pl.DataFrame(pl.from_arrow(arrow))), name)
            frame = table.pandas()
            self.assertTrue(pa.Table.from_pandas(frame, preserve_index=False).cast(arrow.schema).equals(arrow), name)

    def test_other_programs_take_columns_for_what_they_are(self) -> None:
        of_polars = {"integer": {pl.Int64}, "number": {pl.Float64}}
        of_duckdb = {"integer": {"BIGINT"}, "number": {"DOUBLE"}}
        count = 0
        for name, table in self.results.tables.items():
            frame = pl.read_csv(table.path)
            relation = duckdb.read_csv(str(table.path))
            types = dict(zip(relation.columns, map(str, relation.dtypes)))
            for field in table.fields:
                # Rows without a value tell nothing of the type; polars looks at the first hundred.
                first = frame[field.name].head(100)
                if field.type == "string" or first.null_count() == len(first):
                    continue
                self.assertIn(frame.schema[field.name], of_polars[field.type], f"{name}.{field.name}")
                self.assertIn(types[field.name], of_duckdb[field.type], f"{name}.{field.name}")
                count += 1
        self.assertGreater(count, 200)

    def test_types_units_and_keys_are_those_of_the_package(self) -> None:
        hours = self.results["device_hours"]
        self.assertEqual(hours.key, ("run", "hour"))
        self.assertEqual(hours.run_key, "run")
        self.assertEqual((hours.units["battery_pct"], hours.units["hour"]), ("%", "h"))
        frame = hours.pandas(["run", "hour", "policy", "battery_pct"], index=True)
        self.assertEqual([str(each) for each in frame.dtypes], ["string", "float64"])
        self.assertEqual(frame.attrs["units"], {"battery_pct": "%"})
        self.assertEqual(len(frame), 12 * 48)
        self.assertEqual(float(frame.loc[(11, 47), "battery_pct"]), float(self.rows("device_hours")[-1]["battery_pct"]))
        field = papq.read_schema(hours.parquet()).field("battery_pct")
        self.assertEqual(field.metadata[b"unit"], b"%")
        self.assertEqual(self.results["runs"].key, ("run",))
        self.assertEqual(self.results["comparisons"].key, ("metric", "policy"))
        for name in ("runs", "summary", "comparisons", "app_days"):
            self.results[name].pandas(index=True)
        self.assertEqual(self.results["events"].key, ())
        with self.assertRaisesRegex(flotsam.TableError, "has no key"):
            self.results["events"].pandas(index=True)

    def test_some_rows_and_columns(self) -> None:
        kills = self.results["events"].pandas(["t_s", "app", "reason"], pads.field("reason").is_valid())
        expected = [row for row in self.rows("events") if row["reason"]]
        self.assertGreater(len(expected), 10)
        self.assertEqual(list(kills["app"]), [row["app"] for row in expected])
        lazy = self.results["events"].lazy().filter(pl.col("reason").is_not_null()).select("app").collect()
        self.assertEqual(lazy["app"].to_list(), list(kills["app"]))
        with self.assertRaisesRegex(flotsam.TableError, "no column 'aap'"):
            self.results["events"].arrow(["aap"])
        with self.assertRaisesRegex(flotsam.TableError, r"no table 'radio'.*\[runs, radio\]"):
            self.results["radio"]

    def test_conclusions_are_the_program_s(self) -> None:
        said = json.loads(call(["compare", "r", "--json"]))
        self.assertEqual(self.results.sentences, said["sentences"])
        compared = self.results.compare("kills_per_day", baseline="lru+opportunistic", level=0.9)
        self.assertEqual((compared.primary, compared.baseline), ("kills_per_day", "lru+opportunistic"))
        self.assertEqual(compared.level, 0.9)
        difference = float(compared.table.set_index("metric").loc["kills_per_day", "difference"])
        kills = {policy: [float(row["kills_per_day"]) for row in self.rows("runs") if row["policy"] == policy]
                 for policy in ("jetsam+opportunistic", "lru+opportunistic")}
        expected = math.fsum(kills["jetsam+opportunistic"]) / 6 - math.fsum(kills["lru+opportunistic"]) / 6
        self.assertAlmostEqual(difference, expected, places=9)
        self.assertEqual(compared.verdict("jetsam+opportunistic"), said_verdict(compared.data, "kills_per_day"))
        with self.assertRaisesRegex(flotsam.ExperimentError, "did you mean"):
            self.results.compare("kils_per_day")

    def test_reasons_are_the_program_s(self) -> None:
        overview = self.results.why(0)
        self.assertEqual(str(overview), call(["why", "r#0"]))
        app = overview.data["apps"][0]["app"]
        self.assertEqual(self.results.why("jetsam+opportunistic/0", app=app).text,
                         call(["why", "r#0", "--app", app]))
        contrast = self.results.why(policy="lru+opportunistic", against="jetsam+opportunistic")
        self.assertEqual(contrast.data["against"], "jetsam+opportunistic")

    def test_figures_and_the_page(self) -> None:
        figures = self.results.figure("differences", output="f")
        self.assertEqual([each.name for each in figures], ["differences"])
        self.assertEqual(figures[0]._repr_png_()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertTrue(figures[0].svg.read_text(encoding="utf-8").lstrip().startswith("<?xml"))
        self.assertEqual(self.results.figure("battery")[0].png, Path("r/plots/battery.png"))
        with self.assertRaisesRegex(flotsam.FlotsamError, "no figure diferences"):
            self.results.figure("diferences")
        page = self.results.report("page.html").read_text(encoding="utf-8")
        self.assertIn(self.results.sentences[0].replace("<", "&lt;"), page)

    def test_what_is_needed_for_figures_is_what_the_scripts_need(self) -> None:
        wanted = re.findall(r"^[a-z].*", (CHECKOUT / "plots" / "requirements.txt").read_text(encoding="utf-8"), re.M)
        project = (CHECKOUT / "python" / "pyproject.toml").read_text(encoding="utf-8")
        self.assertGreater(len(wanted), 4)
        self.assertLessEqual(set(wanted), set(re.findall(r'"([^"]+)"', project)))

    def test_package_and_program_have_one_version(self) -> None:
        self.assertEqual(call(["--version"]).split()[:2], ["flotsam", flotsam.__version__])
        citation = (CHECKOUT / "CITATION.cff").read_text(encoding="utf-8")
        self.assertIn(f"\nversion: {flotsam.__version__}\n", citation)


def said_verdict(data: object, metric: str) -> str:
    assert isinstance(data, dict)
    return str(next(row["verdict"] for row in data["comparisons"] if row["metric"] == metric))


class RunTests(Laboratory):
    def test_settings_output_and_progress(self) -> None:
        file = small(replications=400).write("small.yaml")
        lines: list[str] = []
        results = flotsam.run(
            file, set={"duration": "1 d", "replications": 40, "output.tables": ["runs"]}, jobs=2, progress=lines.append)
        self.assertEqual(results.folder, Path("results/small"))
        self.assertEqual(len(results.runs), 80)
        self.assertTrue(lines)
        counts = [int(each.partition("/80 runs")[0]) for each in lines]
        self.assertEqual(counts, sorted(counts))
        self.assertNotIn("device_hours", results.tables)

    def test_mistakes_and_failures_are_exceptions_with_the_program_s_words(self) -> None:
        with self.assertRaisesRegex(flotsam.ExperimentError, "small.yaml:7:.*expected a time"):
            flotsam.run(small(warmup="soon"), progress=False)
        done = flotsam.run(small(), output="r", progress=False)
        before = Path("r.yaml").read_bytes()
        with self.assertRaisesRegex(flotsam.ExperimentError, "r.yaml is another experiment; nothing was written"):
            flotsam.run(small("other"), output="r", progress=False)
        self.assertEqual(Path("r.yaml").read_bytes(), before)
        with self.assertRaisesRegex(flotsam.ExperimentError, 'holds the results of experiment "small"'):
            flotsam.run(small("other").write("other.yaml"), output="r", progress=False)
        self.assertEqual(len(done.runs), 6)
        endings = {
            1: flotsam.ExperimentError, 2: flotsam.FlotsamError, 3: flotsam.RunsFailed, 4: flotsam.NotDeterministic}
        stand_in = self.folder / "ends"
        for code, kind in endings.items():
            stand_in.write_text(f"#!/bin/sh\necho 'what went wrong' >&2\nexit {code}\n")
            stand_in.chmod(0o755)
            with self.assertRaisesRegex(flotsam.FlotsamError, "^what went wrong$") as caught:
                flotsam.run("small.yaml", output="ended", progress=False, program_path=str(stand_in))
            self.assertEqual((type(caught.exception), caught.exception.code), (kind, code))


if __name__ == "__main__":
    unittest.main()
