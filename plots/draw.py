"""Draws the figures of a results folder from its CSV tables alone.

    python3 plots/draw.py results/quickstart [-o FOLDER] [--metric NAME]...

Writes battery, battery-difference, differences and tradeoff as PNG and SVG; README.md says what they show.
"""

import argparse
import re
import sys
from pathlib import Path

import battery
import differences
import tradeoff
from results import NoResults, Results
from style import save


def figures(results, metrics):
    """All figures that the tables allow: pairs of a name and a figure, made one by one."""
    if results.device_hours is not None:
        for point, table in results.points(results.device_hours):
            yield named("battery", point), battery.draw_levels(results, table, point)
            yield named("battery-difference", point), battery.draw_differences(results, table, point)
    else:
        note("no device_hours.csv: no battery curves (ask for them by `output: {tables: [runs, device_hours]}`)")
    if results.comparisons is not None:
        yield "differences", differences.draw(results, differences.chosen_metrics(results.comparisons, metrics))
    else:
        note("no comparisons.csv: no paired differences (they need two policies)")
    if results.summary is not None:
        for point, table in results.points(results.summary):
            pair = metrics[:2] if len(metrics) == 2 else tradeoff.DEFAULT_METRICS
            yield named("tradeoff", point), tradeoff.draw(results, point, table, pair)


def named(name, point):
    """A file name for a swept point, from letters, digits, dots and hyphens."""
    return "-".join([name] + [part for part in re.split(r"[^A-Za-z0-9.]+", point) if part])


def note(text):
    print(f"plots: {text}", file=sys.stderr)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", help="folder with runs.csv, summary.csv, comparisons.csv, device_hours.csv")
    parser.add_argument("-o", "--output", help="where to write (default: the folder `plots` inside RESULTS)")
    parser.add_argument(
        "--metric", action="append", default=[], help="draw this metric's differences; may be repeated. Two of them "
        "are also the plane of the trade-off")
    options = parser.parse_args(arguments)
    try:
        results = Results(options.results)
        folder = Path(options.output) if options.output else results.folder / "plots"
        for name, figure in figures(results, options.metric):
            if figure is not None:
                for path in save(figure, folder, name):
                    print(path)
    except (NoResults, KeyError) as error:
        note(error.args[0])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
