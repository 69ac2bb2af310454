# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of docs/many-machines.md, by Snakemake; the tables are those of one undisturbed run."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import flotsam
from laboratory import CHECKOUT, Laboratory


@unittest.skipIf(importlib.util.find_spec("snakemake") is None, "Snakemake is not installed")
class SnakemakeTests(Laboratory):
    def test_the_rules_of_the_page_leave_the_tables_of_one_run(self) -> None:
        page = (CHECKOUT / "docs" / "many-machines.md").read_text(encoding="utf-8")
        (rules,) = re.findall(r"^## Snakemake\n\n```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        Path("Snakefile").write_text(rules, encoding="utf-8")
        experiment = flotsam.Experiment.read(CHECKOUT / "experiments" / "quickstart.yaml")
        experiment["replications"] = 2
        experiment.write("experiments/quickstart.yaml")
        Path("bin").mkdir()
        Path("bin/flotsam").symlink_to(self.program)
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "2", "--quiet"], capture_output=True, text=True, check=False,
            env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(list(Path("results/first/shares").iterdir())), 8)
        whole = flotsam.run(experiment, output="whole", progress=False).folder
        self.assert_same_tables(Path("results/first"), whole)


if __name__ == "__main__":
    unittest.main()
