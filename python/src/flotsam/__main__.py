# SPDX-License-Identifier: GPL-3.0-or-later
"""`python3 -m flotsam VERB …`: what the flotsam program hands over, and Parquet."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import submitting, tuning
from .program import FlotsamError
from .writing import CannotWrite, end_quietly


def main(words: Sequence[str] | None = None) -> int:
    """Does what the words say; returns the exit code."""
    parser = argparse.ArgumentParser(prog="flotsam", description="Verbs of Flotsam that live in its Python package.")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    submit = verbs.add_parser(
        "submit", help="the runs of a directory by Dask or Slurm",
        description="Does the runs that flotsam cluster init laid out by Dask or Slurm, then merges.")
    submitting.add_arguments(submit)
    tune = verbs.add_parser(
        "tune", help="the parameters of a policy, searched and confirmed",
        description="Searches the parameters of a policy by Optuna and confirms the winner on unseen replications.")
    tuning.add_arguments(tune)
    parquet = verbs.add_parser("parquet", help="every table of a directory as Parquet")
    parquet.add_argument("directory", metavar="DIR", help="directory of results")
    parquet.add_argument("-o", "--output", metavar="FOLDER", help="where to write (default: DIR/parquet)")
    try:
        options = parser.parse_args(words)
    except SystemExit as ending:
        # Exit code 2 is a missed target in Flotsam; a wrong command line is 1.
        return 1 if ending.code else 0
    try:
        return {"submit": submitting.main, "tune": tuning.main, "parquet": _parquet}[options.verb](options)
    except (FlotsamError, CannotWrite) as problem:
        print(str(problem) if str(problem).startswith("error") else f"error: {problem}", file=sys.stderr)
        return problem.code
    except KeyboardInterrupt:
        return 130


def _parquet(options: argparse.Namespace) -> int:
    from .folder import Results

    for path in Results(options.directory).parquet(options.output):
        print(path)
    return 0


if __name__ == "__main__":
    end_quietly()
    sys.exit(main())
