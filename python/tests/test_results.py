# SPDX-License-Identifier: GPL-3.0-or-later
"""Results: tables with types, units and keys; conclusions and figures as the program and the scripts give them."""

from __future__ import annotations

import csv
import json
import math
import re
import unittest
from datetime import datetime, timedelta
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
                    kinds = {"integer": int, "number": float, "string": str, "datetime": datetime.fromisoformat}
                    return None if text == "" else kinds[kind](text)

                expected = [value(row[field.name]) for row in written]
                self.assertEqual(arrow.column(field.name).to_pylist(), expected, f"{name}.{field.name}")
            self.assertTrue(papq.read_table(files[name]).equals(arrow), name)
            self.assertTrue(table.polars().equals(pl.DataFrame(pl.from_arrow(arrow))), name)
            frame = table.pandas()
            self.assertTrue(pa.Table.from_pandas(frame, preserve_index=False).cast(arrow.schema).equals(arrow), name)

    def test_rows_have_a_key_and_a_date(self) -> None:
        for name, key in (("events", ["run", "row"]), ("device_hours", ["run", "hour"])):
            frame = self.results[name].pandas(index=True)
            self.assertEqual(list(frame.index.names), key)
            self.assertTrue(frame.index.is_unique)
        events = self.results["events"].pandas(["date", "t_s"])
        start = datetime(2026, 3, 2)
        for date, time in zip(events["date"], events["t_s"], strict=True):
            self.assertEqual(date.to_pydatetime(), start + timedelta(seconds=math.floor(time)))
        hours = self.results["device_hours"].pandas(["date", "hour"])
        self.assertEqual(hours["date"].dt.hour.tolist(), [hour % 24 for hour in hours["hour"]])

    def test_tables_that_the_program_writes_as_parquet_or_compressed_are_the_same(self) -> None:
        for setting, ending in (({"output.format": "parquet"}, ".parquet"), ({"output.compress": "gzip"}, ".csv.gz")):
            other = flotsam.run("r.yaml", set=setting, output=ending[1:], progress=False)
            self.assertEqual(set(other.tables), set(self.results.tables))
            for name in ("device_hours", "app_days", "events"):
                self.assertEqual(other[name].path.name, name + ending)
                self.assertTrue(other[name].arrow().equals(self.results[name].arrow()), name)
                self.assertTrue(other[name].polars().equals(self.results[name].polars()), name)
            self.assertEqual(other.runs.to_csv(), self.results.runs.to_csv())
            self.assertTrue(other.figure("battery", output="figures"), ending)
        file = "parquet/events.parquet"
        (count, last), = duckdb.sql(f"select count(*), max(date) from '{file}'").fetchall()
        written = self.rows("events")
        self.assertEqual((count, last.isoformat()), (len(written), max(row["date"] for row in written)))
        schema = json.loads(papq.read_metadata(file).metadata[b"schema"])
        self.assertEqual(schema["primaryKey"], ["run", "row"])

    def test_other_programs_take_columns_for_what_they_are(self) -> None:
        of_polars = {"integer": {pl.Int64}, "number": {pl.Float64}, "datetime": {pl.Datetime("us")}}
        of_duckdb = {"integer": {"BIGINT"}, "number": {"DOUBLE"}, "datetime": {"TIMESTAMP"}}
        count = 0
        for name, table in self.results.tables.items():
            frame = pl.read_csv(table.path, try_parse_dates=True)
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
        self.assertEqual(self.results["events"].key, ("run", "row"))

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
        figure = figures[0]
        before = figure._repr_png_()
        self.assertTrue(before.startswith(b"\x89PNG"))
        figure.axes[0].set_title("Fewer is better")
        self.assertNotEqual(figure._repr_png_(), before)
        self.assertIn("Fewer is better", figure.save("mine.svg").read_text(encoding="utf-8"))
        self.assertTrue(figure.save("mine.pdf").read_bytes().startswith(b"%PDF"))
        with self.assertRaisesRegex(flotsam.FlotsamError, "written as .png, .svg or .pdf"):
            figure.save("mine.jpg")
        narrow = self.results.figure("differences", metric=["kills_per_day"], width="3.5in", format=["pdf"])
        self.assertEqual([each.suffix for each in narrow[0].files], [".pdf"])
        self.assertEqual(narrow[0].figure.get_figwidth(), 3.5)
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
        states: list[flotsam.Progress] = []
        results = flotsam.run(
            file, set={"duration": "1 d", "replications": 40, "output.tables": ["runs"]}, jobs=2, progress=states.append)
        self.assertEqual(results.folder, Path("results/small"))
        self.assertEqual(len(results.runs), 80)
        counts = [each.done for each in states]
        self.assertEqual(counts, sorted(counts))
        self.assertEqual((states[-1].runs, states[-1].done, states[-1].failed), (80, 80, 0))
        self.assertEqual(str(flotsam.Progress(80, 7, 1, 12.2)), "7/80 runs, 1 failed, 13 s left")
        self.assertEqual(str(flotsam.Progress(80, 0, 0, None)), "0/80 runs")
        self.assertNotIn("device_hours", results.tables)

    def test_mistakes_and_failures_are_exceptions_with_the_program_s_words(self) -> None:
        with self.assertRaises(flotsam.ExperimentError) as raised:
            flotsam.run(small(warmup="soon"), progress=False)
        self.assertRegex(str(raised.exception), r"^results/small.yaml:7:\d+: error: .*expected a time")
        self.assertNotIn("\x1b", str(raised.exception))
        with self.assertRaisesRegex(flotsam.ExperimentError, "^small.yaml:7:.*expected a time"):
            small(warmup="soon").check()
        with self.assertRaisesRegex(flotsam.RunsFailed, r"(?m)^run 0 \(jetsam\+opportunistic, replication 0, \S+ failed: the run took"):
            flotsam.run(small("late"), timeout="1 ms", progress=False)
        done = flotsam.run(small(), output="r", progress=False)
        before = Path("r.yaml").read_bytes()
        with self.assertRaisesRegex(flotsam.ExperimentError, "r.yaml is another experiment; nothing was written"):
            flotsam.run(small("other"), output="r", progress=False)
        self.assertEqual(Path("r.yaml").read_bytes(), before)
        with self.assertRaisesRegex(flotsam.ExperimentError, 'contains the results of experiment "small"'):
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
