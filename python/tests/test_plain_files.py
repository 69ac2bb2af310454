# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of strangers: what is no plain file is named, and never waited for."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

from flotsam.plots.report_text import weights
from flotsam.plots.results import NoResults, Results


class StrangeFolderTests(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)

    def refuses(self, name, read):
        with self.assertRaises(NoResults) as raised:
            read()
        self.assertEqual(str(raised.exception), f"{self.folder / name}: it is no plain file; move it away")

    def test_a_fifo_instead_of_a_table_is_named(self):
        for name in ("runs.csv", "summary.csv", "comparisons.csv"):
            os.mkfifo(self.folder / name)
            self.refuses(name, lambda: Results(self.folder))
            (self.folder / name).unlink()

    def test_a_link_to_a_device_is_no_table(self):
        (self.folder / "runs.csv").symlink_to("/dev/zero")
        self.refuses("runs.csv", lambda: Results(self.folder))

    def test_a_fifo_instead_of_the_manifest_or_the_weights_is_named(self):
        (self.folder / "runs.csv").write_text("run,policy,replication\n0,a,0\n", encoding="utf-8")
        os.mkfifo(self.folder / "manifest.json")
        self.refuses("manifest.json", lambda: Results(self.folder).warmup_hours)
        os.mkfifo(self.folder / "weights.json")
        self.refuses("weights.json", lambda: weights({"experiment": {}}, self.folder))


if __name__ == "__main__":
    unittest.main()
