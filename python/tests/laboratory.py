# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests share: a small experiment, a folder of its own for each test, files compared byte by byte."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import flotsam
from flotsam.program import call, program

CHECKOUT = Path(__file__).resolve().parents[2]
os.environ.setdefault("FLOTSAM_MODELS", str(CHECKOUT / "models"))
if "FLOTSAM" not in os.environ:
    os.environ["FLOTSAM"] = str(CHECKOUT / ".build" / "release" / "flotsam")

TABLES = ("runs.csv", "summary.csv", "comparisons.csv", "device_hours.csv", "columns.csv", "datapackage.json")


def small(name: str = "small", **changes: object) -> flotsam.Experiment:
    """Two policies, three replications of two days."""
    experiment = flotsam.Experiment(
        name, question="Does it work?", seed=1, start="2026-03-02 00:00", duration="2 d", warmup="12 h", replications=3,
        device="iphone-13", apps={"catalog": "everyday", "count": 60}, user={"persona": "average"},
        policies={"eviction": ["jetsam", "lru"], "scheduling": ["opportunistic"]},
        baseline={"eviction": "jetsam", "scheduling": "opportunistic"}, metrics={"primary": "relaunches_per_day"},
        output={"tables": ["runs", "device_hours"]})
    for key, value in changes.items():
        experiment[key.replace("__", ".")] = value
    return experiment


class Laboratory(unittest.TestCase):
    """A test in a folder of its own, which is also the working folder."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="flotsam-python-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        before = Path.cwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        self.program = program()

    def lay_out(self, experiment: flotsam.Experiment, name: str) -> Path:
        """A folder as `flotsam cluster init` leaves it."""
        call(["cluster", "init", str(experiment.write(f"{name}.yaml")), "-o", name])
        return self.folder / name

    def another_build(self) -> Path:
        """A copy of the program that says of itself to be built from another source."""
        other = self.folder / "other"
        shutil.copy2(self.program, other)
        written = self.folder / "source"
        subprocess.run([CHECKOUT / "packaging" / "built-from", written, CHECKOUT, "source", ""], check=True)
        hash = re.findall(r'sourceHash = "(\w{16})"', written.read_text(encoding="utf-8"))[0].encode()
        code = bytearray(other.read_bytes())
        self.assertIn(hash, code, "the program is built from other sources than lie here")
        code[code.index(hash)] ^= 1
        other.write_bytes(code)
        return other

    def undisturbed(self, experiment: flotsam.Experiment) -> Path:
        """The folder of one run from beginning to end."""
        return flotsam.run(experiment, output="whole", progress=False).folder

    def assert_same_tables(self, left: Path, right: Path) -> None:
        for name in TABLES:
            self.assertEqual((left / name).read_bytes(), (right / name).read_bytes(), name)
