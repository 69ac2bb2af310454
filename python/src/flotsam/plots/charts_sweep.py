# SPDX-License-Identifier: GPL-3.0-or-later
"""Charts of a sweep over two axes: how large a metric is in every cell, and where another policy comes first."""

import altair as alt
import pandas as pd

from .charts import POLICIES, WIDTH
from .quantities import number
from .words import axis_title, labelled

CELL = 46


def numeric_axes(table, axes):
    """The axes whose values are numbers in at least two sizes."""
    def is_numeric(axis):
        values = [number(text) for text in table[axis].unique()]
        return len(values) > 1 and all(value == value for value in values)
    return [axis for axis in axes if is_numeric(axis)]


def cells(rows, pair):
    """Encodings of two axes as rows and columns, in the order of their values, the larger ones above."""
    texts = [sorted(rows[axis].unique(), key=number) for axis in pair]
    x = alt.X("across:O", sort=texts[0], title=axis_title(pair[0]), axis=alt.Axis(labelAngle=0))
    y = alt.Y("up:O", sort=texts[1][::-1], title=axis_title(pair[1]))
    height = CELL * len(texts[1])
    return x, y, height


def heat(summary, metric, unit, pair, others):
    """The mean of a metric in every cell, for the policy that the reader picks."""
    rows = summary[(summary["metric"] == metric) & summary["mean"].notna()].copy()
    if any(rows[axis].nunique() > 1 for axis in others) or len(rows) < 4:
        return None
    rows["across"], rows["up"] = rows[pair[0]], rows[pair[1]]
    x, y, height = cells(rows, pair)
    data = rows[["policy", "across", "up", "mean", "half_width", "n"]]
    chosen = picker(data)
    chart = alt.Chart(data).add_params(chosen).transform_filter(chosen)
    # One scale for all policies, so that picking another one shows a difference.
    scale = alt.Scale(scheme="cividis", domain=[float(data["mean"].min()), float(data["mean"].max())])
    color = alt.Color("mean:Q", scale=scale, title=labelled(metric, unit), legend=alt.Legend(orient="top", gradientLength=220))
    tips = ["policy", "across", "up", alt.Tooltip("mean:Q", format=".4g"), alt.Tooltip("half_width:Q", format=".2g"), "n"]
    middle = float(data["mean"].min() + data["mean"].max()) / 2
    square = chart.mark_rect().encode(x=x, y=y, color=color, tooltip=tips)
    label = chart.mark_text(fontSize=12).encode(
        x=x, y=y, text=alt.Text("mean:Q", format=".3g"),
        color=alt.condition(f"datum.mean > {middle!r}", alt.value("black"), alt.value("white")))
    table = data.rename(columns={"across": pair[0], "up": pair[1]})
    return (square + label).properties(width=WIDTH, height=height), table


def flip(ranking, pair, others):
    """Who comes first in every cell; where several policies share the first rank, how many."""
    rows = pd.DataFrame(ranking)
    if rows.empty or not set(pair) <= set(rows.columns) or any(rows[axis].nunique() > 1 for axis in others):
        return None
    found = []
    for (across, up), cell in rows.groupby(list(pair), sort=False):
        first = cell[cell["best"] == 1]
        # Entries stand in the order of their ranks: the first has the best mean.
        leader = str(first["policy"].iloc[0])
        found.append({
            "across": across, "up": up, "first": leader, "rivals": len(first),
            "tie": "alone" if len(first) == 1 else f"{len(first)} tied",
            "cannot be told from": ", ".join(str(name) for name in first["policy"].iloc[1:])})
    data = pd.DataFrame(found)
    x, y, height = cells(rows.rename(columns={}), pair)
    names = list(dict.fromkeys(rows["policy"]))
    shown = [name for name in names if name in set(data["first"])]
    scale = alt.Scale(domain=shown, range=[POLICIES[names.index(name) % len(POLICIES)] for name in shown])
    color = alt.Color("first:N", scale=scale, legend=alt.Legend(orient="top", title="best mean", labelLimit=300))
    tips = ["across", "up", "first", "tie", "cannot be told from"]
    square = alt.Chart(data).mark_rect(stroke="currentColor", strokeOpacity=0.4).encode(
        x=x, y=y, color=color, opacity=alt.condition("datum.rivals == 1", alt.value(0.95), alt.value(0.35)), tooltip=tips)
    label = alt.Chart(data).mark_text(fontSize=11, fontWeight="bold").encode(
        x=x, y=y, text="tie:N", color=alt.condition("datum.rivals == 1", alt.value("white"), alt.value("currentColor")))
    table = data[["across", "up", "first", "cannot be told from"]].rename(columns={"across": pair[0], "up": pair[1]})
    return (square + label).properties(width=WIDTH, height=height), table


def picker(data, first=None):
    """A list from which the reader picks a policy."""
    names = list(dict.fromkeys(data["policy"]))
    bind = alt.binding_select(options=names, name="Policy ")
    return alt.selection_point(fields=["policy"], bind=bind, value=first if first in names else names[0])
