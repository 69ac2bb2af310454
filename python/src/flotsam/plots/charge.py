# SPDX-License-Identifier: GPL-3.0-or-later
"""Charge curves: level, power into the cell and temperature over the hours since the plug, one curve per policy and point."""

import math

from matplotlib.lines import Line2D

from .results import NothingToDraw, in_order
from .style import CYCLE, DASHES, heading, subplots

# A charge shorter than this is a top-up, and shows no curve.
SHORTEST_HOURS = 0.75
# Beyond this a charge is no more telling.
LONG_HOURS = 4


def sessions(rows):
    """The charges of one run: pieces of the table from the plug to the row after the last one on the charger."""
    rows = rows.reset_index(drop=True)
    on = rows["plugged_in"] == 1
    numbers = (on != on.shift(fill_value=False)).cumsum()
    result = []
    for _, piece in rows[on].groupby(numbers[on]):
        last = piece.index[-1]
        result.append(rows.loc[piece.index[0] : last + 1] if last + 1 < len(rows) else piece)
    return result


def telling(rows):
    """The long and deep charge of a run's second half, where phones have learned; None without any but top-ups."""
    half = rows["t_s"].max() / 2
    found = [piece for piece in sessions(rows) if hours(piece) >= SHORTEST_HOURS]
    late = [piece for piece in found if piece["t_s"].iloc[0] >= half] or found
    return max(late, key=lambda piece: raised(piece) * min(hours(piece), LONG_HOURS), default=None)


def raised(piece):
    return piece["battery_pct"].max() - piece["battery_pct"].iloc[0]


def hours(piece):
    return (piece["t_s"].iloc[-1] - piece["t_s"].iloc[0]) / 3600


def chosen(results, options):
    """Triples of a column's title, a curve's label and the rows of a charge: one run for each policy and point.

    With two swept axes the first one makes the columns.
    """
    table = results.table("battery")
    if options.run is not None:
        table = table[table["run"] == options.run]
    split = 1 if len(results.axes) > 1 else 0
    is_single = bool(results.axes) and table["policy"].nunique() == 1
    curves = []
    for keys, rows in table.groupby(results.axes + ["policy"], sort=False):
        piece = telling(rows[rows["run"] == rows["run"].min()])
        if piece is None:
            continue
        values = [f"{axis.split('.')[-1]} {value}" for axis, value in zip(results.axes, keys)]
        label = values[split:] + ([] if is_single else [keys[-1]])
        curves.append((", ".join(values[:split]), ", ".join(label), piece))
    return curves


def draw(results, options):
    curves = chosen(results, options)
    if not curves:
        raise NothingToDraw(f"battery.csv holds no charge of {SHORTEST_HOURS * 60:.0f} minutes or more")
    titles, labels = in_order(curve[0] for curve in curves), in_order(curve[1] for curve in curves)
    looks = {label: look(number) for number, label in enumerate(labels)}
    figure, panels = subplots(
        3, len(titles), sharex=True, sharey="row", squeeze=False, figsize=(max(8.6, 1 + 3.4 * len(titles)), 7.2))
    for title, label, piece in curves:
        level, power, warmth = panels[:, titles.index(title)]
        level.set_title(title, loc="left")
        time = (piece["t_s"] - piece["t_s"].iloc[0]) / 3600
        level.plot(time, piece["battery_pct"], **looks[label])
        # Power holds until the next row; the last row is off the charger.
        power.plot(time[:-1], piece["charge_w"][:-1], drawstyle="steps-post", **looks[label])
        warmth.plot(time, piece["battery_c"], **looks[label])
    label_axes(panels, max(hours(curve[2]) for curve in curves))
    lines = [Line2D([], [], label=label, **looks[label]) for label in labels]
    text = "of each run a long and deep charge of its second half; the temperature follows use as well"
    heading(figure, "Charging", text, lines)
    return figure


def look(number):
    return {
        "color": CYCLE[number % len(CYCLE)], "linestyle": DASHES[number // len(CYCLE) % len(DASHES)], "linewidth": 1.2}


def label_axes(panels, longest):
    panels[0, 0].set_ylim(0, 102)
    panels[0, 0].set_yticks(range(0, 101, 20))
    for panel, text in zip(panels[:, 0], ("battery (%)", "power into the cell (W)", "battery and skin (°C)")):
        panel.set_ylabel(text)
    for panel in panels[-1]:
        panel.set_xlabel("hours since the plug")
    panels[0, 0].set_xlim(0, math.ceil(longest * 4) / 4)
