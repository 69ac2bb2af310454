# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes files whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO


class CannotWrite(Exception):
    """A file could not be written: the text says which and why."""

    #: The exit code of the program for it.
    code = 3


@contextlib.contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write, which takes the place of an older one when all of it is on the disk.

    Until then it stands under a name of its own in the same folder, and after a failure it is gone. A link at the path
    is replaced, never followed; only devices, such as /dev/stdout, are written where they are.
    """
    target = Path(path)
    try:
        is_device = target.is_char_device() and not target.is_symlink()
        if is_device or (target.is_absolute() and target.parts[1:2] == ("dev",)):
            with open(target, "wb") as device:
                yield device
            return
        part = target.with_name(f".{secrets.token_hex(8)}.partial")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(part)
            raise
    except OSError as problem:
        raise cannot(target, problem) from problem


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Writes a text as UTF-8, or bytes."""
    with whole(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


def make_folder(path: str | os.PathLike[str]) -> Path:
    """A folder to write into, made where it is missing."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise cannot(folder, problem) from problem
    return folder


def cannot(path: Path, problem: OSError) -> CannotWrite:
    """The sentence about a path."""
    return CannotWrite(f"cannot write {path}: {problem.strerror or problem}")


def end_quietly() -> None:
    """From now on Ctrl-C ends this process with 130, as it ends the program, and prints no traceback."""

    def hook(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            os._exit(130)
        sys.__excepthook__(kind, problem, trace)

    sys.excepthook = hook
