# SPDX-License-Identifier: GPL-3.0-or-later
"""The charts of the report, as Vega-Lite: data in, chart and the rows behind it out."""

import altair as alt
import pandas as pd

from .quantities import number
from .words import axis_title, labelled

# Okabe and Ito, Color Universal Design (2008); a verdict is told by colour and by shape.
VERDICTS = ["better", "worse", "equivalent", "undecided", "neither way is better"]
COLORS = ["#0072B2", "#D55E00", "#8a8a8a", "#CC79A7", "#009E73"]
SHAPES = ["circle", "square", "diamond", "triangle-up", "triangle-right"]
# Seven colours and five shapes: thirty-five policies before a pair repeats.
POLICIES = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#767676"]
MARKS = ["circle", "square", "triangle-up", "diamond", "triangle-down"]
WIDTH = "container"
PER_ROW = 26
NAMES = alt.Axis(labelLimit=320)  # The page shortens them on narrow screens.
NEARLY_ALL = 0.04  # Room beside the outermost interval, as a share of the axis.


def verdict_encodings(verdicts):
    """Colour and shape of verdicts; the legend has those that occur."""
    legend = alt.Legend(orient="top", title=None, values=[verdict for verdict in VERDICTS if verdict in set(verdicts)])
    return {
        "color": alt.Color("verdict:N", scale=alt.Scale(domain=VERDICTS, range=COLORS), legend=legend),
        "shape": alt.Shape("verdict:N", scale=alt.Scale(domain=VERDICTS, range=SHAPES), legend=legend),
    }


def forest(comparisons, summary, axes, metric, direction, equivalence):
    """Paired differences relative to the baseline's mean, with intervals and the band of equivalence, by effect."""
    rows = comparisons[comparisons["metric"] == metric].copy()
    # The baseline's mean over the pairs: relative is the difference over it. Of no difference, its mean over all.
    means = summary[summary["metric"] == metric].set_index(["policy", *axes])["mean"]
    keys = rows[["baseline", *axes]].itertuples(index=False, name=None)
    base = (rows["difference"] / rows["relative"]).where(
        rows["relative"] != 0, [means[key if axes else key[0]] for key in keys])
    for end in ("low", "high"):
        rows[f"{end} %"] = rows[end] / base.abs() * 100
    rows["difference %"] = rows["relative"] * 100
    rows["line"] = lines(rows)
    order = list(rows.sort_values("relative")["line"])
    data = rows[["line", "difference %", "low %", "high %", "verdict", "n"]]
    y = alt.Y("line:N", sort=order, title=None, axis=NAMES)
    title = f"difference, % ({direction})"
    tips = ["line", alt.Tooltip("difference %:Q", format=".3g"), alt.Tooltip("low %:Q", format=".3g"),
            alt.Tooltip("high %:Q", format=".3g"), "verdict", "n"]
    encodings = verdict_encodings(data["verdict"])
    chart = alt.Chart(data)
    ends = pd.DataFrame({"a": [-equivalence * 100], "b": [equivalence * 100]})
    band = alt.Chart(ends).mark_rect(opacity=0.25, color="#8a8a8a").encode(x=alt.X("a:Q", title=title), x2="b:Q")
    interval = chart.mark_rule(strokeWidth=2).encode(
        y=y, x=alt.X("low %:Q", title=title), x2="high %:Q", color=encodings["color"], tooltip=tips)
    point = chart.mark_point(filled=True, size=90).encode(
        y=y, x=alt.X("difference %:Q", title=title), tooltip=tips, **encodings)
    shown = (band + interval + point).properties(width=WIDTH, height=PER_ROW * max(len(data), 2))
    return shown, data.sort_values("difference %")


def ranks(ranking):
    """The ranks that the runs leave open, as bars, one line per policy."""
    rows = pd.DataFrame(ranking)
    rows["line"] = lines(rows)
    order = list(rows.sort_values("mean", kind="stable")["line"]) if rows["best"].is_monotonic_increasing else list(rows["line"])
    y = alt.Y("line:N", sort=order, title=None, axis=NAMES)
    x = alt.X("best:Q", title="rank; overlap is a tie",
              scale=alt.Scale(domain=[0.5, rows["worst"].max() + 0.5], nice=False),
              axis=alt.Axis(tickMinStep=1, format="d", values=list(range(1, int(rows["worst"].max()) + 1))))
    tips = ["line", "best", "worst", alt.Tooltip("mean:Q", format=".4g")]
    bar = alt.Chart(rows).mark_rule(strokeWidth=8, opacity=0.45, color=POLICIES[0], strokeCap="round").encode(
        y=y, x=x, x2="worst:Q", tooltip=tips)
    ends = alt.Chart(rows).transform_fold(["best", "worst"]).mark_point(filled=True, color=POLICIES[0], size=70).encode(
        y=y, x="value:Q", tooltip=tips)
    return (bar + ends).properties(width=WIDTH, height=PER_ROW * max(len(rows), 2)), rows[["line", "best", "worst", "mean"]]


def against_axis(summary, metric, unit, axis):
    """A metric against a swept axis with intervals, a line per policy; the other axes make further lines."""
    rows = summary[(summary["metric"] == metric) & summary["mean"].notna()].copy()
    rows["at"] = [number(text) for text in rows[axis]]
    if rows["at"].isna().any() or rows["at"].nunique() < 2:
        return None
    rows["low"], rows["high"] = rows["mean"] - rows["half_width"], rows["mean"] + rows["half_width"]
    rows["policy"] = lines(rows.drop(columns=[axis]))
    data = rows[["policy", axis, "at", "mean", "low", "high", "n"]].rename(columns={axis: "value"})
    ticks = rows.drop_duplicates("at").sort_values("at")
    labels = {position: text for position, text in zip(ticks["at"], ticks[axis])}
    texts = " : ".join(f"datum.value == {position!r} ? '{text}'" for position, text in labels.items()) + " : ''"
    x = alt.X("at:Q", title=axis_title(axis), scale=alt.Scale(zero=False), axis=alt.Axis(values=list(labels), labelExpr=texts))
    title = labelled(metric, unit)
    color, shape = policies_told_apart(rows)
    tips = ["policy", "value", alt.Tooltip("mean:Q", format=".4g"), alt.Tooltip("low:Q", format=".4g"),
            alt.Tooltip("high:Q", format=".4g"), "n"]
    chart = alt.Chart(data)
    line = chart.mark_line().encode(x=x, y=alt.Y("mean:Q", title=title, scale=alt.Scale(zero=False)), color=color)
    bars = chart.mark_rule().encode(x=x, y=alt.Y("low:Q", title=title), y2="high:Q", color=color, tooltip=tips)
    dots = chart.mark_point(filled=True, size=60).encode(
        x=x, y=alt.Y("mean:Q", title=title), color=color, shape=shape, tooltip=tips)
    return (line + bars + dots).properties(width=WIDTH, height=320), data.drop(columns=["at"])


def pareto(summary, pair, units, equivalence, point_columns):
    """Two metrics in a plane with both intervals; the axes span at least the band of equivalence around the middle."""
    tables = []
    for metric, letter in zip(pair, "xy"):
        rows = summary[summary["metric"] == metric].rename(columns={"mean": letter, "half_width": f"{letter} half-width"})
        tables.append(rows[["policy", *point_columns, letter, f"{letter} half-width"]])
    rows = tables[0].merge(tables[1], on=["policy", *point_columns]).dropna(subset=["x", "y"])
    if len(rows) < 2:
        return None
    rows["policy"] = lines(rows)
    for letter in "xy":
        rows[f"{letter} half-width"] = rows[f"{letter} half-width"].fillna(0)
        rows[f"{letter} low"] = rows[letter] - rows[f"{letter} half-width"]
        rows[f"{letter} high"] = rows[letter] + rows[f"{letter} half-width"]
    scales = [alt.Scale(domain=span(rows, letter, equivalence), zero=False, nice=False) for letter in "xy"]
    titles = [labelled(metric, unit) for metric, unit in zip(pair, units)]
    x, y = alt.X("x:Q", title=titles[0], scale=scales[0]), alt.Y("y:Q", title=titles[1], scale=scales[1])
    color, shape = policies_told_apart(rows)
    tips = ["policy", alt.Tooltip("x:Q", format=".4g", title=pair[0]), alt.Tooltip("y:Q", format=".4g", title=pair[1])]
    chart = alt.Chart(rows)
    across = chart.mark_rule(opacity=0.5).encode(
        x=alt.X("x low:Q", title=titles[0], scale=scales[0]), x2="x high:Q", y=y, color=color)
    up = chart.mark_rule(opacity=0.5).encode(
        y=alt.Y("y low:Q", title=titles[1], scale=scales[1]), y2="y high:Q", x=x, color=color)
    dots = chart.mark_point(filled=True, size=90).encode(x=x, y=y, color=color, shape=shape, tooltip=tips)
    data = rows[["policy", "x", "x half-width", "y", "y half-width"]].rename(
        columns={"x": pair[0], "x half-width": f"{pair[0]} ±", "y": pair[1], "y half-width": f"{pair[1]} ±"})
    return (across + up + dots).properties(width=WIDTH, height=380), data


def policies_told_apart(rows):
    """Encodings of policies by colour and by shape; they share scale and legend, so that one legend shows both."""
    names = list(dict.fromkeys(rows["policy"]))
    scale = alt.Scale(domain=names, range=[POLICIES[rank % len(POLICIES)] for rank in range(len(names))])
    legend = alt.Legend(orient="top", title=None, labelLimit=400, symbolOpacity=1)
    marks = alt.Scale(domain=names, range=[MARKS[rank % len(MARKS)] for rank in range(len(names))])
    return alt.Color("policy:N", scale=scale, legend=legend), alt.Shape("policy:N", scale=marks, legend=legend)


def span(rows, letter, equivalence):
    """Ends of an axis: all intervals, and at least four bands of equivalence, so that equals lie together."""
    low, high = rows[f"{letter} low"].min(), rows[f"{letter} high"].max()
    least = 4 * equivalence * abs(rows[letter].mean())
    middle, width = (low + high) / 2, max(high - low, least) * (1 + 2 * NEARLY_ALL)
    return [float(middle - width / 2), float(middle + width / 2)]


def rounded(rows):
    """What is drawn needs no more than five digits; the table behind a chart has them all."""
    return rows.map(lambda value: float(f"{value:.5g}") if isinstance(value, float) else value)


def lines(rows):
    """Policy and swept values as one label."""
    known = {"metric", "baseline", "policy", "difference", "low", "high", "relative", "p", "p_adjusted", "verdict",
             "variance_reduction", "n", "differing", "reason", "mean", "half_width", "best", "worst", "low %", "high %",
             "difference %", "at", "x", "y"}
    axes = [name for name in rows.columns if name not in known and not name.startswith(("x ", "y "))]
    return [", ".join([row["policy"], *(str(row[axis]) for axis in axes)]) for _, row in rows.iterrows()]
