# SPDX-License-Identifier: GPL-3.0-or-later
"""Policies in Python: what they say of themselves and how they are asked; whole runs are in the tests of the program."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import flotsam_policy as policies
from flotsam.program import call

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


class Mine(policies.SchedulingPolicy):
    """Waits for a charger. And more."""

    parameters = [policies.Parameter("at-least", "fraction", 0.5, (0, 1), "a share")]
    rules = [policies.Rule("flat", "the battery was low")]
    heard = 0
    at_least: float

    def did_submit(self, request: policies.Request, now: int) -> None:
        self.heard += request.app

    def decide(self, request: policies.Request, device: policies.Device) -> policies.Decision:
        if device.battery_level >= self.at_least:
            return policies.proceed(score=self.heard)
        return policies.wait("flat", until=device.now + policies.MINUTE, on=["plugged-in"])


REQUEST = dict.fromkeys(policies.Request.__dataclass_fields__, 3)
DEVICE = dict.fromkeys(policies.Device.__dataclass_fields__, 0) | {"now": 7, "battery_level": 0.4}


def converse(*lines: Any) -> list[Any]:
    answers = io.StringIO()
    questions = io.StringIO("".join(json.dumps(line) + "\n" for line in lines))
    policies._converse(questions, answers, (Mine,))
    return [json.loads(line) for line in answers.getvalue().splitlines()]


class PolicyTests(unittest.TestCase):
    def test_a_policy_says_of_itself_what_its_class_says(self) -> None:
        said = converse({"flotsam_policy": 1, "kind": "scheduling"})[0]
        self.assertEqual((said["name"], said["summary"]), ("mine", "Waits for a charger. And more."))
        self.assertEqual(said["hears"], ["submit"])
        self.assertEqual(said["rules"], [{"name": "flat", "sentence": "the battery was low"}])
        self.assertEqual(said["parameters"][0]["range"], [0, 1])

    def test_a_kind_or_a_version_that_it_is_not_is_an_error(self) -> None:
        self.assertEqual(
            converse({"flotsam_policy": 1, "kind": "eviction"}), [{"error": "has no eviction policy"}])
        self.assertEqual(
            converse({"flotsam_policy": 2, "kind": "scheduling"}), [{"error": "speaks version 1 of the protocol"}])

    def test_what_was_heard_counts_before_the_question_behind_it(self) -> None:
        start = {"start": {"parameters": {"at-least": 0.25}, "seed": 9}}
        heard = [{"did": "submit", "now": 1, "request": REQUEST}] * 2
        question = {"ask": "decide", "now": 7, "request": REQUEST, "device": DEVICE}
        said = converse({"flotsam_policy": 1, "kind": "scheduling"}, start, {"heard": heard}, {"heard": heard, **question})
        self.assertEqual(said[1:], [{"proceed": True, "rule": "immediate", "score": 12}])
        start["start"]["parameters"] = {"at-least": 0.5}
        said = converse({"flotsam_policy": 1, "kind": "scheduling"}, start, question)
        self.assertEqual(
            said[1:], [{"proceed": False, "rule": "flat", "until": 7 + 60 * 10**9, "wake_on": ["plugged-in"]}])

    def test_names_of_classes_become_words(self) -> None:
        words = [policies._kebab(name) for name in ("LRU", "MyPolicy", "Twice")]
        self.assertEqual(words, ["lru", "my-policy", "twice"])

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_the_learned_policy_decides_alike_in_python_and_in_c(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            shutil.copytree(EXAMPLES / "learned-policy", folder, dirs_exist_ok=True)
            call(["new", "--policy", "python", str(folder / "x.py")])
            call(["new", "--policy", "c", str(folder / "x.c")])
            source = (folder / "learned.c").read_text()
            line = next(line for line in source.splitlines() if "Build:" in line).split("Build:")[1]
            subprocess.run(line.split(), cwd=folder, check=True)
            text = (folder / "verdict.yaml").read_text()
            head = text[: text.index("policies:")].replace("replications: 60", "replications: 2")
            (folder / "two.yaml").write_text(
                head + "policies:\n  - {name: c, eviction: jetsam, scheduling: ./learned.so}\n"
                "  - {name: python, eviction: jetsam, scheduling: {process: [python3, features.py], reads: [weights.json]}}\n"
                "baseline: c\nmetrics: {primary: energy_wh_per_day}\n")
            call(["run", str(folder / "two.yaml"), "-o", str(folder / "r"), "-q", "--allow-foreign"])
            with open(folder / "r" / "runs.csv", newline="") as file:
                prints = {(row["policy"], row["replication"]): row["fingerprint"] for row in csv.DictReader(file)}
            self.assertEqual(len(prints), 4)
            for replication in ("0", "1"):
                self.assertEqual(prints["c", replication], prints["python", replication])


if __name__ == "__main__":
    unittest.main()
