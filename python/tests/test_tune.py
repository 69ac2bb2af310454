# SPDX-License-Identifier: GPL-3.0-or-later
"""Tuning: a planted optimum is found and confirmed, a planted non-gain is not believed; the real program agrees."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import unittest
from pathlib import Path

import flotsam
from flotsam import tuning
from flotsam.__main__ import main
from flotsam.parameters import Parameter
from laboratory import Laboratory, small


class Planted(Laboratory):
    def plant(self, bend: float, luck: float, replications: int = 10) -> None:
        program = self.folder / "flotsam"
        program.write_text(f"#!/bin/sh\nexec {sys.executable} {Path(__file__).with_name('planted.py')} \"$@\"\n")
        program.chmod(0o755)
        before = os.environ["FLOTSAM"]
        self.addCleanup(os.environ.update, {"FLOTSAM": before})
        os.environ["FLOTSAM"] = str(program)
        content = {"seed": 5, "replications": replications, "bend": bend, "luck": luck}
        Path("planted.json").write_text(json.dumps(content))


class PlantedTests(Planted):
    def tune(self, *words: str) -> tuple[int, str, dict[str, object]]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = main(["tune", "planted.json", "--policy", "planted", "-o", "t", *words])
        return code, out.getvalue(), json.loads(Path("t/tune.json").read_text()) if Path("t/tune.json").exists() else {}

    def test_a_planted_optimum_is_found_and_survives(self) -> None:
        self.plant(bend=8, luck=0.1)
        code, said, tuned = self.tune("--trials", "30")
        self.assertEqual(code, 0, said)
        self.assertIn("The gain survives.", said)
        self.assertAlmostEqual(tuned["winner"]["values"]["x"], 0.3, delta=0.06)  # type: ignore[index]
        # From 0.8 to 0.3 the cost falls by 8 times a quarter, of about twelve.
        self.assertAlmostEqual(tuned["confirmed"]["difference"], -2.0, delta=0.15)  # type: ignore[index]
        self.assertEqual(tuned["confirmed"]["n"], 20)  # type: ignore[index]
        self.assertEqual(len(tuned["trials"]), 30)  # type: ignore[arg-type]
        self.assertEqual(self.tune("--trials", "30")[1:], (said, tuned), "the same again")

    def test_a_planted_non_gain_is_promised_and_not_believed(self) -> None:
        self.plant(bend=0, luck=1)
        code, said, tuned = self.tune("--trials", "30")
        self.assertEqual(code, 2, said)
        self.assertLess(tuned["promised"], -0.04)  # type: ignore[operator]
        self.assertIn("The gain does not survive.", said)
        self.assertIn(f"the search had promised {100 * tuned['promised']:+.2f} %", said)  # type: ignore[operator]
        self.assertNotEqual(tuned["verdict"], "better")

    def test_a_constraint_moves_the_optimum_to_its_bound(self) -> None:
        self.plant(bend=8, luck=0)
        code, said, tuned = self.tune("--trials", "30", "--constraint", "price >= 1.5", "--range", "x=0.2..0.9")
        self.assertEqual(code, 0, said)
        x = float(tuned["winner"]["values"]["x"])  # type: ignore[index]
        self.assertTrue(0.5 <= x < 0.53, x)
        # Three quarters of the baseline's price, which is 2.
        code, said, tuned = self.tune("--trials", "30", "--constraint", "price >= 75 %")
        self.assertTrue(0.5 <= tuned["winner"]["values"]["x"] < 0.53, said)  # type: ignore[index]

    def test_a_winner_at_an_end_of_its_range_is_named(self) -> None:
        self.plant(bend=8, luck=0)
        code, said, _ = self.tune("--trials", "30", "--range", "x=0.5..0.9")
        self.assertEqual(code, 0)
        self.assertIn("x lies at an end of its range, 0.5 to 0.9.", said)
        self.assertNotIn("lies at an end", self.tune("--trials", "30")[1])

    def test_where_the_defaults_are_best_there_is_no_gain(self) -> None:
        self.plant(bend=-8, luck=0)
        code, said, tuned = self.tune("--trials", "12", "--range", "x=0.3..0.8")
        self.assertEqual(code, 2)
        self.assertIn("No gain: of 12 trials none did better than the defaults of planted.", said)
        self.assertFalse(Path("t/confirm").exists())
        self.assertEqual(tuned["survives"], False)

    def test_what_is_wrong_is_said(self) -> None:
        self.plant(bend=1, luck=0)
        for words, text in [
            (["--constraint", "price < 3"], "--constraint expects METRIC <= X"),
            (["--constraint", "prize <= 3"], "there is no metric 'prize'"),
            (["--constraint", "price <= 0.5"], "none of 3 trials meets price <= 0.5; nearest was planted"),
            (["--range", "x=0.5..2"], "x: expected a range within 0..1, found 0.5..2"),
            (["--range", "y=0..1"], "has no parameter 'y'; its parameters: x"),
            (["--policy", "plain"], "the policy plain takes no parameters"),
            (["--policy", "plan"], "there is no policy 'plan'; those with parameters: planted"),
        ]:
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
                code = main(["tune", "planted.json", "--policy", "planted", "-o", "t", "--trials", "3", *words])
            self.assertEqual(code, 1)
            self.assertIn(text, errors.getvalue())


class ProgramTests(Planted):
    """A program that proposes whole policies; the tests of planted optima are those of parameters."""

    SOURCE = """
import json, sys
told = json.loads(sys.stdin.readline())
heard = [json.loads(sys.stdin.readline())]
for x in (0.9, 0.3, 0.5):
    print(json.dumps({"policy": f"planted[x={x}]"}), flush=True)
    heard.append(json.loads(sys.stdin.readline()))
json.dump([told, heard], open("heard.json", "w"))
"""

    def propose(self, source: str, *words: str) -> tuple[int, str, str]:
        Path("propose.py").write_text(source)
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = main(["tune", "planted.json", "--program", f"{sys.executable} propose.py", "-o", "p", *words])
        return code, out.getvalue(), errors.getvalue()

    def test_a_program_hears_what_its_policies_came_to(self) -> None:
        self.plant(bend=8, luck=0)
        code, said, _ = self.propose(self.SOURCE)
        self.assertEqual(code, 0, said)
        tuned = json.loads(Path("p/tune.json").read_text())
        self.assertEqual([each["policy"] for each in tuned["trials"]], [
            "plain", "planted[x=0.9]", "planted[x=0.3]", "planted[x=0.5]"])
        self.assertEqual(tuned["winner"]["policy"], "planted[x=0.3]")
        # The baseline costs what x = 1 does: 8 times 0.49 more.
        self.assertAlmostEqual(tuned["confirmed"]["difference"], -8 * 0.49, delta=1e-6)
        told, heard = json.loads(Path("heard.json").read_text())
        self.assertEqual(told, {"flotsam_tune": 1, "kind": "eviction", "metric": "cost", "better": "lower", "seed": 5})
        self.assertEqual([each["trial"] for each in heard], [0, 1, 2, 3])
        self.assertAlmostEqual(heard[2]["mean"] - heard[0]["mean"], -8 * 0.49, delta=1e-6)
        self.assertAlmostEqual(heard[1]["metrics"]["price"], 1.9)
        self.assertTrue(Path("p/page.txt").exists())

    def test_a_program_that_does_worse_than_the_baseline_gains_nothing(self) -> None:
        self.plant(bend=-8, luck=0)
        code, said, _ = self.propose(self.SOURCE.replace("0.9, 0.3, 0.5", "0.3,"))
        self.assertEqual(code, 2)
        self.assertIn("No gain: of 2 trials none did better than plain.", said)

    def test_what_a_program_does_wrong_is_said(self) -> None:
        self.plant(bend=8, luck=0)
        for source, answer in [
            ("print('hello', flush=True)", "wrote 'hello', and not a line such as"),
            ("print('{\"policy\": 3}', flush=True)", "proposed 3, which names no policy"),
            ("print('{\"policy\": \"./mine.so\"}', flush=True)", "--allow-foreign allows it"),
            ("raise SystemExit(3)", "ended with exit code 3"),
        ]:
            code, said, errors = self.propose(source)
            self.assertEqual(code, 1, said + errors)
            self.assertIn(answer, errors)
        code, _, errors = self.propose(self.SOURCE, "--policy", "planted")
        self.assertEqual(code, 1)
        self.assertIn("either --policy NAME or --program COMMAND", errors)


class ParameterTests(unittest.TestCase):
    def test_shares_of_the_range_reach_its_ends_and_the_default(self) -> None:
        wide = Parameter("v", "", "s", 100.0, 0.0, 1e9)
        self.assertEqual((wide.at(0), wide.at(1)), (0, 1e9))
        self.assertAlmostEqual(wide.at(wide.share(100)), 100, delta=0.1)
        # Half of the shares lie below the geometric mean of default and end, as on a scale of logarithms.
        self.assertTrue(1e5 < wide.at(0.5) < 1e6, wide.at(0.5))
        zero = Parameter("h", "", "s", 0.0, 0.0, 1000.0)
        self.assertEqual((zero.share(0), zero.at(zero.share(0)), zero.at(1)), (0, 0, 1000))
        self.assertEqual(wide.text(900.0), "900s")
        self.assertEqual(Parameter("p", "", "%", 50.0, 0.0, 100.0).text(12.5), "12.5%")


class RealTests(Laboratory):
    def test_the_best_of_few_combinations_is_that_of_running_them_all(self) -> None:
        experiment = small("choices", replications=5, duration="4 d")
        experiment["device.memory.ram"] = "3 GiB"
        file = experiment.write("choices.yaml")
        tuned = tuning.Study(file, "gdsf", trials=24, output="t", set={"seed": 3}).tune()
        texts = [
            "gdsf", "gdsf[frequency=off]", "gdsf[frequency=perfect]", "gdsf[cost=launch-energy]",
            "gdsf[cost=launch-energy,frequency=off]", "gdsf[cost=launch-energy,frequency=perfect]"]
        self.assertEqual({each.policy for each in tuned.trials}, set(texts))
        everything = flotsam.run(
            experiment, set={"seed": 3, "policies.eviction": texts, "baseline.eviction": "gdsf"}, output="all",
            progress=False)
        means = everything.runs.groupby("eviction")["relaunches_per_day"].mean()
        found = {each.policy: each.mean for each in tuned.trials}
        self.assertEqual(found, {text: float(means[text]) for text in texts})
        self.assertEqual(tuned.winner.mean, float(means.min()))

    def test_an_optimum_that_a_constraint_plants_in_a_real_phone(self) -> None:
        experiment = small(
            "bound", replications=5, duration="3 d", metrics={"primary": "energy_wh_per_day"},
            analysis={"equivalence": "0.1 %"},
            policies={"eviction": ["jetsam"], "scheduling": ["periodic[every=1h]"]},
            baseline={"eviction": "jetsam", "scheduling": "periodic[every=1h]"})
        study = tuning.Study(
            experiment.write("bound.yaml"), "periodic", trials=25, output="t", ranges={"every": (600, 14400)},
            constraints=["content_age_s_mean <= 100 %"], confirm=120)
        tuned = study.tune()
        # Less often is cheaper, and staler: the best that is no staler than every hour is about every hour.
        self.assertTrue(2400 <= float(tuned.winner.values["every"]) <= 4800, tuned.winner)
        self.assertEqual(tuned.verdict, "better", tuned.sentences)
        self.assertLess(tuned.confirmed["high"], 0)
        means = flotsam.results("t/confirm").runs.groupby("policy")["energy_wh_per_day"].mean()
        self.assertAlmostEqual(tuned.confirmed["difference"], float(means["winner"] - means["defaults"]), places=9)
        seeds = {flotsam.results(f"t/{each}").manifest["plan"]["seed"] for each in ("search", "confirm")}
        self.assertEqual(seeds, {"1", str(tuning.unseen(1))})


if __name__ == "__main__":
    unittest.main()
