# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebooks, executed from the first cell to the last, and what they show."""

from __future__ import annotations

import os
import re
import shutil
import unittest
from typing import Any

import nbformat
from flotsam.program import call
from laboratory import CHECKOUT, Laboratory
from nbclient import NotebookClient

NOTEBOOKS = CHECKOUT / "python" / "notebooks"


class NotebookTests(Laboratory):
    def execute(self, name: str) -> list[str]:
        """The outputs of all cells as text, in order."""
        shutil.copy(NOTEBOOKS / name, self.folder)
        notebook: Any = nbformat.read(self.folder / name, as_version=4)
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(self.folder)}}).execute()
        found = []
        for cell in notebook.cells:
            for output in cell.get("outputs", ()):
                data = output.get("data", {})
                found.append(output.get("text", "") + data.get("text/plain", "") + " ".join(data))
        return found

    def test_compare_two_policies(self) -> None:
        said = "\n".join(self.execute("compare-two-policies.ipynb"))
        self.assertIn("two-policies, 20 runs", said)
        self.assertIn("image/png", said)
        # What is shown is what the program says of the folder that the notebook left.
        rows = call(["compare", "results/two-policies", "--json"])
        verdict = re.search(r'"metric": "relaunches_per_day".*?"verdict": "([a-z]+)"', rows, re.DOTALL)
        assert verdict is not None
        self.assertIn(f"'{verdict[1]}'", said)
        self.assertIn(call(["why", "results/two-policies", "--policy", "lru+opportunistic", "--against",
                            "jetsam+opportunistic"]).splitlines()[0], said)
        self.assertRegex(said, r"relaunches_per_day\s+1/d\s+-?\d")

    def test_bring_your_own_trace(self) -> None:
        said = "\n".join(self.execute("bring-your-own-trace.ipynb"))
        self.assertIn("78 ", said)
        self.assertRegex(said, r"launches_per_day\s+39\.0\n")
        self.assertRegex(said, r"distinct_apps_per_day\s+6\.0text")
        # 78 opens in ten replications: of eight in turn three are of chat, and so are of the last six.
        opens = [int(each) for each in re.findall(r"(?m)^[a-z]+ +(\d{2,3}) +[01]\.\d+ ", said)]
        self.assertEqual(opens[1:], [100, 100, 100, 90, 90])
        # An app that a call of the persona interrupts is opened again.
        self.assertIn(opens[0] - 300, range(4))
        self.assertIn("app_days.parquet", said)

    def test_notebooks_are_kept_without_outputs(self) -> None:
        names = sorted(os.listdir(NOTEBOOKS))
        self.assertEqual([each for each in names if each.endswith(".ipynb")],
                         ["bring-your-own-trace.ipynb", "compare-two-policies.ipynb"])
        for name in names:
            if name.endswith(".ipynb"):
                notebook: Any = nbformat.read(NOTEBOOKS / name, as_version=4)
                self.assertTrue(all(not cell.get("outputs") for cell in notebook.cells), name)


if __name__ == "__main__":
    unittest.main()
