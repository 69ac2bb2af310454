# SPDX-License-Identifier: GPL-3.0-or-later
"""The schema that editors read takes every file that ships and refuses what the program refuses, where it can."""

from __future__ import annotations

import copy
import json
import re
import unittest
from pathlib import Path
from typing import Any

import flotsam
import jsonschema
import yaml
from laboratory import CHECKOUT, Laboratory


class Core(yaml.SafeLoader):
    """YAML 1.2 as editors read it: `off` is a word and `1e-9` a number."""


Core.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"), ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), list(_first))

# What a file says wrongly, and the key whose value the editor marks.
MISTAKES: dict[str, tuple[str, Any]] = {
    "an unknown key": ("devise", "iphone-13"), "a number for a text": ("seed", "many"),
    "a length without a unit": ("duration", 5), "a length in a unit of size": ("duration", "5 GiB"),
    "a policy that is none": ("policies.eviction", ["jetsm"]),
    "a parameter in a unit that is none": ("policies.eviction", ["lfu[half-life=7 parsec]"]),
    "a parameter that is none": ("policies.eviction", ["lfu[halflife=7 d]"]),
    "a policy of the other kind": ("policies.scheduling", ["jetsam"]), "a level beyond all": ("analysis.level", "195 %"),
    "a metric that is none": ("metrics.primary", "relaunches"), "a table that is none": ("output.tables", ["event"]),
    "a form that is none": ("output.format", "xlsx"), "a correction that is none": ("analysis.correction", "bonferroni"),
    "no replications": ("replications", 0), "a model's key of another": ("device.memory", {"rum": "4 GiB"}),
}
RIGHT: dict[str, Any] = {
    "policies.eviction": ["jetsam", "lfu[half-life=7 d]", "./mine.so[alpha=0.3]", {"process": ["python3", "mine.py"]}],
    "analysis.level": "95.5 %", "output.format": "parquet", "device.radios": {"fallback": None},
}


class SchemaTests(Laboratory):
    def setUp(self) -> None:
        super().setUp()
        text = (CHECKOUT / "models" / "schema" / "experiment.json").read_text(encoding="utf-8")
        self.schema = jsonschema.Draft7Validator(json.loads(text))

    def changed(self, path: str, value: Any) -> flotsam.Experiment:
        experiment = flotsam.Experiment.template("changed")
        experiment[path] = copy.deepcopy(value)
        return experiment

    def read(self, experiment: flotsam.Experiment) -> Any:
        return yaml.load(experiment.yaml(), Core)

    def test_it_takes_every_file_that_ships(self) -> None:
        files = sorted((CHECKOUT / "experiments").rglob("*.yaml"))
        self.assertGreater(len(files), 90)
        for file in files:
            with self.subTest(file.name):
                problem = jsonschema.exceptions.best_match(
                    self.schema.iter_errors(yaml.load(file.read_text(encoding="utf-8"), Core)))
                self.assertIsNone(problem, problem and problem.message[:300])

    def test_it_refuses_what_the_program_refuses(self) -> None:
        self.assertTrue(self.schema.is_valid(self.read(flotsam.Experiment.template("right"))))
        for name, (path, value) in MISTAKES.items():
            with self.subTest(name):
                experiment = self.changed(path, value)
                with self.assertRaises(flotsam.ExperimentError):
                    experiment.check()
                self.assertFalse(self.schema.is_valid(self.read(experiment)))
        for path, value in RIGHT.items():
            with self.subTest(path):
                self.assertTrue(self.schema.is_valid(self.read(self.changed(path, value))))

    def test_a_new_experiment_names_a_schema_that_is_there(self) -> None:
        flotsam.call(["new", "mine.yaml"])
        first = Path("mine.yaml").read_text(encoding="utf-8").splitlines()[0]
        self.assertRegex(first, r"^# yaml-language-server: \$schema=/")
        named = Path(first.partition("=")[2])
        self.assertEqual(json.loads(named.read_text(encoding="utf-8"))["title"], "An experiment of flotsam")


if __name__ == "__main__":
    unittest.main()
