# SPDX-License-Identifier: GPL-3.0-or-later
"""What the flotsam program says, for scripts that draw it."""

import json
import shlex
import subprocess

from ..program import FlotsamError, program


class NoAnswer(Exception):
    """There is no program, or it failed; the text says which and why."""


def answer(words, named=None):
    """The JSON that a command prints, by the program named or found."""
    try:
        command = [program(named), *words]
    except FlotsamError as problem:
        raise NoAnswer(str(problem)) from problem
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoAnswer(f"{shlex.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)
