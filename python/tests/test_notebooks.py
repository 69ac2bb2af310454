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
        """The outputs of all cells as text, in order; what ships has the same words below the same cells."""
        shutil.copy(NOTEBOOKS / name, self.folder)
        notebook: Any = nbformat.read(self.folder / name, as_version=4)
        shipped = self.outputs(notebook)
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(self.folder)}}).execute()
        found = self.outputs(notebook)
        if "FLOTSAM_UPDATE_NOTEBOOKS" in os.environ:
            self.write(notebook, name)
            return found
        self.assertEqual(len(shipped), len(found), "FLOTSAM_UPDATE_NOTEBOOKS=1 writes the outputs anew")
        for before, now in zip(shipped, found, strict=True):
            # How wide a column of a table is printed is another library's matter.
            self.assertEqual(before.split(), now.split(), "FLOTSAM_UPDATE_NOTEBOOKS=1 writes the outputs anew")
        return found

    def outputs(self, notebook: Any) -> list[str]:
        found = []
        for cell in notebook.cells:
            for output in cell.get("outputs", ()):
                data = output.get("data", {})
                text = output.get("text", "") + data.get("text/plain", "") + " " + " ".join(sorted(data))
                found.append(text.replace(str(self.folder), "."))
        return found

    def write(self, notebook: Any, name: str) -> None:
        """Ships what was executed, without what tells when and where."""
        notebook.metadata.get("language_info", {}).pop("version", None)
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
            for output in cell.get("outputs", ()):
                output.get("metadata", {}).clear()
        text = nbformat.writes(notebook).replace(str(self.folder), ".")
        (NOTEBOOKS / name).write_text(text + "\n", encoding="utf-8")

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
        self.assertRegex(said, r"distinct_apps_per_day\s+6\.0 text")
        # 78 opens in ten replications: of eight in turn three are of chat, and so are of the last six.
        opens = [int(each) for each in re.findall(r"(?m)^[a-z]+ +(\d{2,3}) +[01]\.\d+ ", said)]
        self.assertEqual(opens[1:], [100, 100, 100, 90, 90])
        # An app that a call of the persona interrupts is opened again.
        self.assertIn(opens[0] - 300, range(4))
        self.assertIn("app_days.parquet", said)

    def test_notebooks_ship_with_outputs_and_say_nothing_of_the_machine(self) -> None:
        names = sorted(os.listdir(NOTEBOOKS))
        self.assertEqual([each for each in names if each.endswith(".ipynb")],
                         ["bring-your-own-trace.ipynb", "compare-two-policies.ipynb"])
        for name in names:
            if name.endswith(".ipynb"):
                notebook: Any = nbformat.read(NOTEBOOKS / name, as_version=4)
                code = [cell for cell in notebook.cells if cell.cell_type == "code"]
                self.assertGreater(sum(bool(cell.get("outputs")) for cell in code), len(code) / 2, name)
                text = (NOTEBOOKS / name).read_text(encoding="utf-8")
                self.assertLess(len(text), 1_500_000, name)
                self.assertNotRegex(text, r"/tmp/|/home/|/root/|iopub|python_version|\\u001b")


if __name__ == "__main__":
    unittest.main()
