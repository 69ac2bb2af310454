# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the flotsam program and calls it; every answer and every error text is the program's own."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse


class FlotsamError(Exception):
    """The program refused or failed; the text is what it said, `code` its exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


class ExperimentError(FlotsamError):
    """Something is wrong with an experiment, a setting or a command line (exit code 1)."""


class RunsFailed(FlotsamError):
    """Some runs failed, or their output could not be written (exit code 3); the others are kept."""


class NotDeterministic(FlotsamError):
    """Two records of the same run say different things (exit code 4)."""


_ERRORS: dict[int, type[FlotsamError]] = {1: ExperimentError, 3: RunsFailed, 4: NotDeterministic}


def error(message: str, code: int) -> FlotsamError:
    """The exception that stands for an exit code of the program."""
    return _ERRORS.get(code, FlotsamError)(message.strip() or f"flotsam ended with {code}", code)


def program(path: str | os.PathLike[str] | None = None) -> str:
    """The program's file.

    In this order: the argument; the environment variable FLOTSAM; the one that was installed with this package;
    `flotsam` on the search path; the release build of the checkout that this package lies in or was installed from.
    Nothing is started because it lies in or above the working folder.
    """
    named = path or os.environ.get("FLOTSAM")
    if named:
        found = shutil.which(str(named))
        if found is None:
            raise FlotsamError(f"{named} is no program that can be started (FLOTSAM names the flotsam to use)")
        return str(Path(found).absolute())
    installed = Path(sysconfig.get_path("scripts")) / "flotsam"
    if os.access(installed, os.X_OK):
        return str(installed)
    on_path = shutil.which("flotsam")
    if on_path is not None:
        return str(Path(on_path).absolute())
    for checkout in checkouts():
        built = checkout / ".build" / "release" / "flotsam"
        if os.access(built, os.X_OK):
            return str(built)
    raise FlotsamError("no flotsam program: build it (make build), put it on the PATH, or name it in FLOTSAM")


def checkouts() -> Iterator[Path]:
    """Folders of Flotsam's sources: around this package, and where it was installed from."""
    starts = [Path(__file__).resolve()]
    origin = _installed_from()
    if origin is not None:
        starts.append(origin)
    for start in starts:
        for folder in (start, *start.parents):
            if (folder / "Package.swift").is_file() and (folder / "Sources" / "flotsam").is_dir():
                yield folder
                break


def _installed_from() -> Path | None:
    """The folder that pip was given, as it wrote it down (PEP 610)."""
    try:
        text = metadata.distribution("flotsam-sim").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return None
    url = urlparse(json.loads(text)["url"]) if text else None
    return Path(unquote(url.path)) if url is not None and url.scheme == "file" else None


def call(words: Sequence[str], *, program_path: str | None = None, allowed: Sequence[int] = (0,)) -> str:
    """Calls the program and returns what it printed.

    An exit code that is not `allowed` becomes an exception with the program's diagnostics.
    """
    line = [program(program_path), *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode not in allowed:
        said = done.stderr.strip() or done.stdout.strip()
        raise error(said or f"{shlex.join(line)} ended with {done.returncode}", done.returncode)
    return done.stdout


def call_json(words: Sequence[str], *, program_path: str | None = None) -> Any:
    """Calls the program with `--json` and returns what it printed, read."""
    return json.loads(call([*words, "--json"], program_path=program_path))
