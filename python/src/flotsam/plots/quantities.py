# SPDX-License-Identifier: GPL-3.0-or-later
"""Swept values as numbers: `4 GiB` in its base unit, so that axes are in order and to scale."""

import math
import re

FACTORS = {
    "": 1, "%": 0.01, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30,
    "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400, "mW": 1e-3, "W": 1, "mAh": 1, "Wh": 1, "degC": 1, "nit": 1,
    "bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "GHz": 1e9, "MHz": 1e6, "/ d": 1, "/ h": 24, "/ week": 1 / 7,
}


def number(text):
    """The value in its base unit; not a number for a word, or a unit that is not known."""
    match = re.fullmatch(r"\s*([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*(.*?)\s*", str(text))
    if not match or match[2] not in FACTORS:
        return math.nan
    return float(match[1]) * FACTORS[match[2]]
