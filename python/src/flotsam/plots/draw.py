# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the figures of a results folder from its CSV tables alone.

    plots/draw [FIGURE] results/quickstart [-o FOLDER] [--metric NAME]... [--run N] [--day D]

Without FIGURE it draws all that the tables allow, as PNG and SVG; README.md says what they show.
"""

import sys
import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from . import battery
from . import charge
from . import differences
from . import energy
from . import prediction
from . import radio
from . import tornado
from . import tradeoff
from ..writing import CannotWrite
from .results import NoResults, NothingToDraw, Results
from .style import FORMS, inches, look, save


def by_point(name, table, draw_one):
    """One figure per swept point."""
    return lambda results, options: (
        (named(name, point), draw_one(results, rows, point)) for point, rows in results.points(results.table(table)))


def draw_differences(results, options):
    yield "differences", differences.draw(results, differences.chosen_metrics(results.table("comparisons"), options.metric))


def draw_tradeoff(results, options):
    pair = options.metric[:2] if len(options.metric) == 2 else tradeoff.DEFAULT_METRICS
    for point, table in results.points(results.table("summary")):
        yield named("tradeoff", point), tradeoff.draw(results, point, table, pair)


def alone(name, draw_one):
    return lambda results, options: iter([(name, draw_one(results, options))])


# Name: the table it needs, and what yields pairs of a file name and a figure; in the order in which all are drawn.
FIGURES = {
    "battery": ("device_hours", by_point("battery", "device_hours", battery.draw_levels)),
    "battery-difference": ("device_hours", by_point("battery-difference", "device_hours", battery.draw_differences)),
    "differences": ("comparisons", draw_differences),
    "tradeoff": ("summary", draw_tradeoff),
    "energy": ("device_hours", alone("energy", energy.draw_components)),
    "app-days": ("app_days", alone("app-days", energy.draw_app_days)),
    "apps": ("app_hours", alone("apps", energy.draw_apps)),
    "charge": ("battery", alone("charge", charge.draw)),
    "radio": ("radio", alone("radio", radio.draw)),
    "prediction": ("predictions", alone("prediction", prediction.draw)),
    "tornado": ("sensitivity", alone("tornado", tornado.draw_axes)),
    "weights": ("weights", alone("weights", tornado.draw_weights)),
}


def figures(results, options):
    """The figure asked for, or all that the tables allow: pairs of a name and a figure, made one by one."""
    if options.figure:
        yield from FIGURES[options.figure][1](results, options)
        return
    missing = {}
    for name, (table, _) in FIGURES.items():
        if not results.has(table):
            missing.setdefault(table, []).append(name)
    for table, names in missing.items():
        note(f"not drawn: {', '.join(names)}: {results.lacks(table)}")
    for name, (table, draw_all) in FIGURES.items():
        if not results.has(table):
            continue
        try:
            yield from draw_all(results, options)
        except NothingToDraw as error:
            note(f"no figure {name}: {error.args[0]}")


def named(name, point):
    """A file name for a swept point, from letters, digits, dots and hyphens."""
    return "-".join([name] + [part for part in re.split(r"[^A-Za-z0-9.]+", point) if part])


def note(text):
    print(f"plots: {text}", file=sys.stderr)


def instant(text):
    """Seconds of `2d14:05`, `14:05:30` or a plain number."""
    match = re.fullmatch(r"(?:(\d+)d)?(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?", text)
    if not match:
        return float(text)
    day, hour, minute, second = (float(part or 0) for part in match.groups())
    return 86_400 * day + 3_600 * hour + 60 * minute + second


def parser():
    parser = argparse.ArgumentParser(prog="draw", description=__doc__.splitlines()[0], epilog=(
        "figures: " + ", ".join(FIGURES)))
    parser.add_argument("results", nargs="+", metavar="[FIGURE] RESULTS", help="a figure's name, and a results folder")
    parser.add_argument("-o", "--output", help="where to write (default: the folder `plots` inside RESULTS)")
    parser.add_argument(
        "--metric", action="append", default=[], help="draw this metric's differences; may be repeated. Two of them "
        "are also the plane of the trade-off")
    parser.add_argument("--policy", help="energy, apps, app-days, prediction: of this policy (default: the baseline)")
    parser.add_argument("--run", type=int, help="energy, apps, app-days, charge, radio: of this run alone")
    parser.add_argument("--day", type=int, help="energy, apps: this day alone (default: the mean over days)")
    parser.add_argument("--top", type=int, default=8, help="apps: so many by name (default 8)")
    parser.add_argument(
        "--from", dest="start", type=instant, help="radio: where to begin, such as 2d14:05 (default: where a radio is busiest)")
    parser.add_argument("--width", type=width, metavar="3.5in", help="how wide, in in, cm or mm; letters stay as large")
    parser.add_argument(
        "--format", action="append", choices=FORMS, help="png, svg or pdf; may be repeated (default: png and svg)")
    parser.add_argument("--minutes", type=float, default=3, help="radio: how long (default 3)")
    return parser


def width(text):
    try:
        return inches(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def read_options(arguments):
    options = parser().parse_intermixed_args(arguments)
    *first, options.results = options.results
    options.figure = first[0] if first else None
    if len(first) > 1 or options.figure not in (None, *FIGURES):
        raise UnknownFigure(f"no figure {' '.join(first)}; there are {', '.join(FIGURES)}")
    return options


class UnknownFigure(Exception):
    """A first word that names no figure."""


def drawn(arguments: Sequence[str] | None) -> Iterator[tuple[str, Any, list[Path]]]:
    """The figures that a command line asks for, each with its name and the files that are written of it."""
    options = read_options(arguments)
    folder = Path(options.output) if options.output else Path(options.results) / "plots"
    # Somebody else's folder may lead anywhere.
    if not options.output and folder.is_symlink():
        raise CannotWrite(f"cannot write {folder}: it is a link; name a folder with -o")
    results = Results(options.results)
    with look(options.width):
        for name, figure in figures(results, options):
            if figure is not None:
                yield name, figure, save(figure, folder, name, options.format or ("png", "svg"))


def main(arguments=None):
    try:
        for _, _, paths in drawn(arguments):
            for path in paths:
                print(path)
    except (NoResults, UnknownFigure, KeyError) as error:
        note(error.args[0])
        return 1
    except (CannotWrite, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return getattr(problem, "code", 1)
    return 0
