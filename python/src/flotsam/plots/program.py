# SPDX-License-Identifier: GPL-3.0-or-later
"""What the flotsam program says, for scripts that draw it."""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path


class NoAnswer(Exception):
    """There is no program, or it failed; the text says which and why."""


def answer(words, named=None):
    """The JSON that a command prints, by the program named, $FLOTSAM, the built one, or that on the PATH."""
    built = Path(__file__).resolve().parent.parent / ".build" / "release" / "flotsam"
    program = named or os.environ.get("FLOTSAM") or (str(built) if built.exists() else shutil.which("flotsam"))
    if not program:
        raise NoAnswer("no flotsam program: build it (make build), or name it with --flotsam")
    command = [program, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoAnswer(f"{shlex.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)
