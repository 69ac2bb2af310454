# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of metrics and columns as words: `launch_wait_s_per_day` is "launch wait per day"."""

import re

# Endings that are units, which stand beside the axis.
UNITS = {"s", "ms", "h", "min", "wh", "j", "mib", "gib", "pct", "c", "bytes"}
WHOLE = {
    "p95": "(95th percentile)", "fg": "on screen:", "bg": "in the background:", "22h": "22:00", "c": "",
    "mean": "(mean)", "median": "(median)", "wifi": "Wi-Fi",
}
DIRECTIONS = {"lower": "lower is better", "higher": "higher is better", "neutral": "neither way is better"}


def words(metric):
    """A metric in words, in lower case."""
    name, app = re.fullmatch(r"([^(]*)(?:\(app=(.*)\))?", str(metric)).groups()
    parts = [part for part in name.split("_")]
    kept = [WHOLE.get(part, part) for number, part in enumerate(parts) if not (number and part in UNITS)]
    text = " ".join(part for part in kept if part)
    if name.endswith("_bytes_per_day"):
        text = text.replace(" per day", " bytes per day")
    return f"{text} of {app}" if app else text


def labelled(metric, unit):
    """A metric with its unit, as it stands beside an axis; what both say is said once."""
    text = words(metric)
    if " per day" in text:
        unit = unit.replace("per day", "").strip()
    return f"{text}, {unit}" if unit else text


def title(metric):
    """The same as a title."""
    text = words(metric)
    return text[0].upper() + text[1:]


def axis_title(path):
    """A swept path in words: its last part, or two where the last says little."""
    return path.split(".")[-1].replace("_", " ")
