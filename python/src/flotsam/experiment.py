# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments built in code: a tree of keys that is written as YAML and checked by the program."""

from __future__ import annotations

import copy
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import yamltext
from .program import FlotsamError, call, error
from .writing import make_folder, write_whole


class Experiment:
    """An experiment as a tree of keys, for instance

        experiment = Experiment(
            "small-phones", seed=7, start="2026-03-02 00:00", duration="5 d", warmup="1 d", replications=10,
            device="iphone-13", apps={"catalog": "everyday", "count": 100}, user={"persona": "average"},
            policies={"eviction": ["jetsam", "lru"], "scheduling": ["opportunistic"]},
            baseline={"eviction": "jetsam", "scheduling": "opportunistic"}, metrics={"primary": "relaunches_per_day"})
        experiment["device.memory.ram"] = "3 GiB"
        experiment.sweep("device.memory.ram", ["3 GiB", "4 GiB"])
        experiment.check()
        experiment.write("small-phones.yaml")

    Keys, units and defaults are those of docs/experiments.md. Nothing is checked here: `check` asks the program,
    which names the line of each mistake and the nearest valid name.
    """

    def __init__(self, name: str, /, **keys: Any) -> None:
        self._tree: dict[str, Any] = {"schema": 1, "name": name, **copy.deepcopy(keys)}
        #: Whether the policies were written in code, so that the caller, and no file, named what runs.
        self._own_policies = "policies" in keys

    @classmethod
    def template(cls, name: str) -> Experiment:
        """The experiment that `flotsam new` writes, with every value of its own."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "template.yaml"
            call(["new", str(path)])
            experiment = cls.read(path)
        experiment["name"] = name
        return experiment

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Experiment:
        """The experiment of a file; its comments are lost."""
        tree = yamltext.load(Path(path).read_text(encoding="utf-8"))
        if not isinstance(tree, dict):
            raise ValueError(f"{path}: expected a map of keys")
        return cls._of(tree)

    @classmethod
    def _of(cls, tree: dict[str, Any]) -> Experiment:
        experiment = cls("")
        experiment._tree = tree
        return experiment

    def __getitem__(self, path: str) -> Any:
        """The value of a key such as `device.memory.ram`."""
        value: Any = self._tree
        for key in path.split("."):
            if not isinstance(value, Mapping) or key not in value:
                raise KeyError(path)
            value = value[key]
        return value

    def __setitem__(self, path: str, value: Any) -> None:
        """Sets a key; a model on the way that is only named, as `device: iphone-13`, becomes the base of a map."""
        *above, last = path.split(".")
        tree = self._tree
        for key in above:
            child = tree.get(key)
            if not isinstance(child, dict):
                child = {} if child is None else {"base": child}
                tree[key] = child
            tree = child
        tree[last] = copy.deepcopy(value)
        if path == "policies":
            self._own_policies = True

    def __delitem__(self, path: str) -> None:
        above, _, last = path.rpartition(".")
        tree = self[above] if above else self._tree
        if last not in tree:
            raise KeyError(path)
        del tree[last]

    def __contains__(self, path: str) -> bool:
        try:
            self[path]
        except KeyError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Experiment) and self._tree == other._tree

    __hash__ = None  # type: ignore[assignment]  # it can be changed

    @property
    def name(self) -> str:
        """The name, after which the folder of results is called."""
        return str(self._tree["name"])

    def sweep(self, path: str, values: Iterable[Any]) -> None:
        """Adds an axis; with several, every combination of their values is run."""
        axes = self._tree.setdefault("sweep", {}).setdefault("axes", {})
        axes[path] = list(values)

    def copy(self) -> Experiment:
        """An experiment of its own with the same keys."""
        same = self._of(copy.deepcopy(self._tree))
        same._own_policies = self._own_policies
        return same

    @property
    def names_own_policies(self) -> bool:
        """Whether its policies were written in code as a whole, and not read from a file."""
        return self._own_policies

    def yaml(self) -> str:
        """The text of the file."""
        return yamltext.dump(self._tree)

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Writes the file, replacing an earlier one; returns its path."""
        file = Path(path)
        make_folder(file.parent)
        write_whole(file, self.yaml())
        return file

    def check(self) -> str:
        """What the program finds, such as `small-phones, 40 runs`, and below it a line for each of its notes.

        Raises `ExperimentError` with every mistake, its line in what `yaml` returns, and a hint.
        """
        # Files that it names are looked for beside the experiment, which has none yet: beside the working folder.
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=".", encoding="utf-8") as file:
            file.write(self.yaml())
            file.flush()
            try:
                return call(["check", file.name]).strip().partition(": ok: ")[2]
            except FlotsamError as problem:
                # The file is gone when the text is read.
                raise error(str(problem).replace(file.name, f"{self.name}.yaml"), problem.code) from None

    def __repr__(self) -> str:
        return self.yaml()
