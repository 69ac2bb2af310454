# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments in code: written as the program reads them, refused with its own words."""

from __future__ import annotations

import os
import unittest
from pathlib import Path

import flotsam
from flotsam import yamltext
from flotsam.program import call, checkouts, program
from laboratory import CHECKOUT, Laboratory, small


class ExperimentTests(Laboratory):
    def test_every_shipped_experiment_keeps_its_runs_through_python(self) -> None:
        def plan(path: Path) -> str:
            return call(["check", "--plan", str(path), "--json"]).partition('"plan"')[2]

        folder = CHECKOUT / "experiments"
        files = [each for each in sorted(folder.glob("*.yaml")) if "device:" in each.read_text(encoding="utf-8")]
        self.assertGreater(len(files), 20)
        for file in files[::4]:
            copy = folder / f".{file.stem}-copy-{os.getpid()}.yaml"
            self.addCleanup(copy.unlink, missing_ok=True)
            self.assertEqual(plan(flotsam.Experiment.read(file).write(copy)), plan(file), file.name)

    def test_texts_that_look_like_other_things_stay_texts(self) -> None:
        texts = ["on", "no", "12:30", "2026-03-02", "1e3x", "3", "true", "null", "", "0x1f"]
        tree = {"a": texts, "b": [3, 1.5, True, None]}
        self.assertEqual(yamltext.load(yamltext.dump(tree)), tree)
        self.assertEqual(yamltext.load("a: [on, 12:30, 2026-03-02, 15 min, 1e3, 7, true, ~]"),
                         {"a": ["on", "12:30", "2026-03-02", "15 min", 1000.0, 7, True, None]})
        self.assertEqual(yamltext.flow({"trace": "a.csv", "n": 3}), "{trace: a.csv, n: 3}")
        self.assertEqual([yamltext.flow(each) for each in ("3 GiB", 3, 0.5, True)], ["3 GiB", "3", "0.5", "true"])

    def test_keys_by_path(self) -> None:
        experiment = small()
        experiment["device.memory.ram"] = "3 GiB"
        self.assertEqual(experiment["device"], {"base": "iphone-13", "memory": {"ram": "3 GiB"}})
        experiment.sweep("device.memory.ram", ["3 GiB", "4 GiB"])
        # Notes of what makes its answer weaker follow, a line each: here, that the reaper leaves policies little.
        found, *notes = experiment.check().splitlines()
        self.assertEqual(found, "small, 12 runs")
        self.assertTrue(notes and all(each.startswith("  note: ") for each in notes), notes)
        other = experiment.copy()
        del other["sweep"]
        self.assertNotIn("sweep.axes", other)
        self.assertIn("sweep.axes", experiment)
        self.assertNotEqual(experiment, other)
        with self.assertRaises(KeyError):
            experiment["device.memory.rom"]

    def test_mistakes_are_told_by_the_program(self) -> None:
        experiment = small(replication=3)
        with self.assertRaises(flotsam.ExperimentError) as caught:
            experiment.check()
        self.assertIn('did you mean "replications"?', str(caught.exception))
        self.assertEqual(caught.exception.code, 1)
        self.assertEqual([each for each in Path().iterdir()], [])

    def test_the_template_is_the_program_s(self) -> None:
        experiment = flotsam.Experiment.template("mine")
        self.assertEqual(experiment.name, "mine")
        self.assertEqual(experiment["start"], "2026-03-02 00:00")
        self.assertEqual(experiment.check().splitlines()[0], "mine, 20 runs")


class ProgramTests(Laboratory):
    def test_the_program_is_found_by_variable_and_path_and_never_around_the_working_folder(self) -> None:
        real, path = os.environ["FLOTSAM"], os.environ["PATH"]
        self.addCleanup(os.environ.update, {"FLOTSAM": real, "PATH": path})
        built = self.folder / "copy" / ".build" / "release" / "flotsam"
        on_path = self.folder / "bin" / "flotsam"
        for link in (built, on_path):
            link.parent.mkdir(parents=True)
            link.symlink_to(real)
        (self.folder / "copy" / "Sources" / "flotsam").mkdir(parents=True)
        (self.folder / "copy" / "Package.swift").touch()
        os.environ["PATH"] = f"{on_path.parent}:{path}"
        self.assertEqual(program(), str(Path(real).absolute()))
        del os.environ["FLOTSAM"]
        self.assertEqual(program(), str(on_path))
        os.environ["PATH"] = path
        os.chdir(self.folder / "copy" / "Sources")
        # That of the checkout from which the package was installed, or none.
        self.assertEqual({each.resolve() for each in checkouts()}, {CHECKOUT})
        try:
            self.assertEqual(Path(program()).parents[2].resolve(), CHECKOUT)
        except flotsam.FlotsamError as problem:
            self.assertIn("no flotsam program", str(problem))
        os.environ["FLOTSAM"] = "/nowhere/flotsam"
        with self.assertRaisesRegex(flotsam.FlotsamError, "/nowhere/flotsam is no program"):
            program()


if __name__ == "__main__":
    unittest.main()
