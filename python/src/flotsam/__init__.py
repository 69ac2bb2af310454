# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments of the phone simulator Flotsam: run them, read their results, build them in code.

    import flotsam

    results = flotsam.run("experiments/quickstart.yaml", set={"replications": 5}, jobs=2)
    results.sentences
    results["device_hours"].pandas(["policy", "hour", "battery_pct"])

Everything is done by the flotsam program; see `flotsam.program.program` for how it is found.
"""

from .experiment import Experiment
from .program import ExperimentError, FlotsamError, NotDeterministic, RunsFailed, call
from .results import Comparison, Figure, Reasons, Results
from .running import run
from .tables import Field, Table, TableError

__all__ = [
    "Comparison", "Experiment", "ExperimentError", "Field", "Figure", "FlotsamError", "NotDeterministic", "Reasons",
    "Results", "RunsFailed", "Table", "TableError", "call", "results", "run",
]


def results(folder: str, *, program_path: str | None = None) -> Results:
    """The results of a folder that `flotsam run` or `merge` wrote."""
    return Results(folder, program_path=program_path)
