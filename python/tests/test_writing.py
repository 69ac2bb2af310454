# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that files are written whole or not at all, and that the scripts start nothing of the working folder."""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PLOTS = Path(__file__).resolve().parents[2] / "plots"
import synthetic
from test_card import CARDS
from flotsam.writing import CannotWrite, make_folder, whole, write_whole

SCRIPTS = ["card", "draw", "report"]
# Each would leave a file RAN if it were imported.
TRAPS = ["json", "pandas", "altair", "matplotlib", "vl_convert", "os", "re", "venv", "pip", "site", "writing", "style",
         "flotsam", "sitecustomize", "usercustomize"]


def small_files():
    """Writing more than a few bytes fails in this process, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def started(self, script, *words, **more):
        """A script by this Python, isolated as the shell scripts start it."""
        return subprocess.run([sys.executable, "-IB", PLOTS / "start.py", script, *map(str, words)], capture_output=True, text=True,
                              check=False, cwd=self.folder, **more)

    def program(self, then="cat cards.json"):
        """A program that answers as flotsam does."""
        (self.folder / "cards.json").write_text(json.dumps(CARDS))
        program = self.folder / "answers"
        program.write_text(f"#!/bin/sh\n{then}\n")
        program.chmod(0o755)
        return program


class Writing(Folder):
    def test_a_file_takes_its_place_when_it_is_whole(self):
        path = self.folder / "page.html"
        with whole(path) as file:
            file.write(b"half")
            self.assertFalse(path.exists())
        self.assertEqual(path.read_bytes(), b"half")
        write_whole(path, "größer")
        self.assertEqual(path.read_text("utf-8"), "größer")
        self.assertEqual(os.listdir(self.folder), ["page.html"])
        self.assertEqual(path.stat().st_mode & 0o777, 0o666 & ~current_mask())

    def test_after_a_failure_the_older_file_stands_and_nothing_is_left(self):
        path = self.folder / "page.html"
        write_whole(path, "older")
        for problem in (OSError(28, "No space left on device"), KeyboardInterrupt()):
            with self.assertRaises((CannotWrite, KeyboardInterrupt)) as caught, whole(path) as file:
                file.write(b"half")
                raise problem
        self.assertEqual(path.read_text(), "older")
        self.assertEqual(os.listdir(self.folder), ["page.html"])
        with self.assertRaises(CannotWrite) as caught:
            write_whole("/dev/full", "x" * 100_000)
        self.assertEqual(str(caught.exception), "cannot write /dev/full: No space left on device")
        with self.assertRaises(CannotWrite) as caught:
            write_whole(self.folder / "none" / "a", "x")
        self.assertEqual(str(caught.exception), f"cannot write {self.folder}/none/a: No such file or directory")
        with self.assertRaises(CannotWrite):
            make_folder(path)

    def test_a_link_is_replaced_and_not_followed(self):
        (self.folder / "mine").write_text("mine")
        (self.folder / "page.html").symlink_to("mine")
        write_whole(self.folder / "page.html", "page")
        self.assertEqual((self.folder / "mine").read_text(), "mine")
        self.assertEqual((self.folder / "page.html").read_text(), "page")


class Scripts(Folder):
    def test_a_full_disk_leaves_the_older_page_and_names_the_file(self):
        program = self.program()
        for name in ("card.html", "card.svg", "card.png"):
            path = self.folder / name
            path.write_text("older")
            done = self.started("card", "a.csv", "-o", path, "--flotsam", program, preexec_fn=small_files)
            self.assertEqual((done.returncode, done.stderr), (3, f"error: cannot write {path}: File too large\n"))
            self.assertEqual(path.read_text(), "older")
        self.assertEqual(sorted(os.listdir(self.folder)), ["answers", "card.html", "card.png", "card.svg", "cards.json"])
        done = self.started("card", "a.csv", "-o", "/dev/full", "--flotsam", program)
        self.assertEqual((done.returncode, done.stderr), (3, "error: cannot write /dev/full: No space left on device\n"))

    def test_pictures_are_whole_or_not_there(self):
        results = self.folder / "results"
        results.mkdir()
        synthetic.write(results)
        done = self.started("draw", "differences", results, preexec_fn=small_files)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, f"error: cannot write {results}/plots/differences.png: File too large\n")
        self.assertEqual(os.listdir(results / "plots"), [])

    def test_a_folder_for_pictures_that_is_a_link_is_left_alone(self):
        results = self.folder / "results"
        results.mkdir()
        synthetic.write(results)
        (self.folder / "mine").mkdir()
        (results / "plots").symlink_to(self.folder / "mine")
        done = self.started("draw", "differences", results)
        self.assertEqual((done.returncode, os.listdir(self.folder / "mine")), (3, []))
        self.assertIn("it is a link; name a folder with -o", done.stderr)

    def test_an_interrupt_ends_with_130_and_no_traceback(self):
        program = self.program(then="touch asked; exec sleep 600")
        words = ["a.csv", "-o", "card.html", "--flotsam", program]
        process = subprocess.Popen([sys.executable, "-IB", PLOTS / "start.py", "card", *words], cwd=self.folder, stderr=subprocess.PIPE)
        while not (self.folder / "asked").exists():
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        self.assertEqual((process.returncode, said), (130, b""))

    def test_nothing_of_the_working_folder_or_above_is_imported(self):
        below = self.folder / "below"
        below.mkdir()
        ran = self.folder / "RAN"
        for place in (self.folder, below):
            for name in TRAPS:
                (place / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write({name!r})\n")
            (place / "matplotlibrc").write_text("figure.dpi: 7\n")
        environment = {**os.environ, "PYTHONPATH": str(below)}
        for script in SCRIPTS:
            done = subprocess.run([PLOTS / script, "--help"], cwd=below, capture_output=True, text=True, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("usage", done.stdout)
        self.assertFalse(ran.exists(), ran.exists() and ran.read_text())


def current_mask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


if __name__ == "__main__":
    unittest.main()
