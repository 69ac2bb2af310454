# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts a command of flotsam.plots from the source beside this folder, whatever else is installed."""

import sys
from pathlib import Path

# Isolated Python looks for modules only where it and its packages are installed.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python" / "src"))

from flotsam.plots.__main__ import main  # noqa: E402

sys.exit(main(sys.argv[1:]))
