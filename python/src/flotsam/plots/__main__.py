# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts a command that draws or writes pages: `python3 -m flotsam.plots COMMAND …`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from ..writing import end_quietly

COMMANDS = ("card", "deaths", "draw", "pages", "report")


def main(words: Sequence[str]) -> int:
    """Starts the command that the first word names; returns its exit code."""
    # Before anything large is imported, which takes seconds.
    end_quietly()
    if not words or words[0] not in COMMANDS:
        print(f"error: expected one of {', '.join(COMMANDS)}", file=sys.stderr)
        return 1
    command = importlib.import_module(f".{words[0]}", __package__)
    return int(command.main(list(words[1:])))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
