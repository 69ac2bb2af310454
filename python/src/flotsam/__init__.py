# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments of the phone simulator Flotsam: run them, read their results, build them in code.

    import flotsam

    results = flotsam.run("experiments/quickstart.yaml", set={"replications": 5}, jobs=2)
    results.sentences
    results["device_hours"].pandas(["policy", "hour", "battery_pct"])

Everything is done by the flotsam program; see `flotsam.program.program` for how it is found.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from .experiment import Experiment
    from .program import ExperimentError, FlotsamError, NotDeterministic, RunsFailed, call
    from .folder import Comparison, Figure, Reasons, Results
    from .running import Progress, run
    from .tables import Field, Table, TableError

__all__ = [
    "Comparison", "Experiment", "ExperimentError", "Field", "Figure", "FlotsamError", "NotDeterministic", "Progress",
    "Reasons", "Results", "RunsFailed", "Table", "TableError", "__version__", "call", "results", "run",
]

_HOMES = {
    "Experiment": "experiment", "ExperimentError": "program", "FlotsamError": "program", "NotDeterministic": "program",
    "RunsFailed": "program", "call": "program", "Comparison": "folder", "Figure": "folder", "Reasons": "folder",
    "Results": "folder", "Progress": "running", "run": "running", "Field": "tables", "Table": "tables", "TableError": "tables",
}


def __getattr__(name: str) -> Any:
    """Imports what is asked for: drawing needs neither YAML nor Arrow, and its own environment has neither."""
    if name == "__version__":
        from importlib import metadata

        return metadata.version("flotsam-sim")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def results(folder: str, *, program_path: str | None = None) -> Results:
    """The results of a folder that `flotsam run` or `merge` wrote."""
    from .folder import Results

    return Results(folder, program_path=program_path)
