# SPDX-License-Identifier: GPL-3.0-or-later
"""Paired differences against the baseline as a forest plot: one panel per metric, one line per policy."""

import math

from matplotlib.lines import Line2D

from . import style
from .results import in_order
from .style import GREY, VERDICTS, heading, subplots
from .words import title

# Shown without --metric, where the results have them; the primary metric always comes first.
DEFAULT_METRICS = [
    "relaunches_per_day", "launch_wait_s_per_day", "energy_wh_per_day", "battery_pct_at_22h", "content_age_s_mean",
    "kills_per_day",
]


def chosen_metrics(comparisons, wanted):
    """The metrics to draw; those asked for must be there."""
    present = in_order(comparisons["metric"])
    missing = [name for name in wanted if name not in present]
    if missing:
        raise KeyError(f"comparisons.csv has no metric {', '.join(missing)}; it has {', '.join(present)}")
    if wanted:
        return wanted
    primary = in_order(comparisons.dropna(subset=["p_adjusted"])["metric"])
    # Without a primary metric of its own every metric may carry a corrected p; then the defaults alone count.
    primary = primary if len(primary) == 1 else []
    metrics = primary + [name for name in DEFAULT_METRICS if name in present and name not in primary]
    return metrics or present[:6]


def draw(results, metrics):
    """One forest plot over the metrics given."""
    table = results.comparisons
    labels = by_effect(results, table[table["metric"] == metrics[0]])
    labels += [label for label in in_order(row_labels(results, table)) if label not in labels]
    columns = style.columns(len(metrics), 3, left=2.6, each=2.2)
    rows = math.ceil(len(metrics) / columns)
    figure, panels = subplots(
        rows, columns, sharey=True, squeeze=False,
        figsize=(2.6 + 3.5 * columns, 1.5 + rows * (0.95 + 0.27 * len(labels))))
    flat = [panel for row in panels for panel in row]
    for panel, metric in zip(flat, metrics):
        draw_metric(panel, results, table[table["metric"] == metric], metric, labels)
    for panel in flat[len(metrics) :]:
        panel.set_visible(False)
    flat[0].set_ylim(len(labels) - 0.5, -0.5)
    flat[0].set_yticks(range(len(labels)), labels)
    shown = in_order(table[table["metric"].isin(metrics)]["verdict"])
    legend = [
        Line2D([], [], linewidth=1.5, markersize=5.5, label=verdict, **VERDICTS[verdict])
        for verdict in VERDICTS if verdict in shown
    ]
    heading(figure, f"Paired differences against {results.baseline}", subtitle(table, metrics), legend)
    return figure


def by_effect(results, rows):
    """The lines in the order of their effect on a metric, the lowest first."""
    return [label for _, label in sorted(zip(rows["difference"], row_labels(results, rows)))]


def row_labels(results, table):
    if not results.axes:
        return list(table["policy"])
    points = [results.point_name(values) for values in table[results.axes].itertuples(index=False, name=None)]
    return [f"{policy}, {point}" for policy, point in zip(table["policy"], points)]


def draw_metric(panel, results, rows, metric, labels):
    unit = results.unit(metric)
    heights = {label: height for height, label in enumerate(labels)}
    panel.axvline(0, color=GREY, linewidth=1, dashes=(3, 1.5))
    panel.grid(axis="y", visible=False)
    for label, row in zip(row_labels(results, rows), rows.itertuples()):
        look = VERDICTS.get(row.verdict, VERDICTS["undecided"])
        height = heights[label]
        if math.isfinite(row.low) and math.isfinite(row.high):
            panel.plot([row.low, row.high], [height, height], color=look["color"], linewidth=1.5)
        panel.plot([row.difference], [height], linestyle="", markersize=5.5, **look)
        panel.annotate(
            "" if unit == "%" else percent(row.relative), (1.01, height), xycoords=("axes fraction", "data"), va="center", fontsize=7.5,
            color="#444444")
    panel.set_title(title(metric), loc="left")
    # A percentage differs by points; the same difference in per cent of a percentage would only confuse.
    shown = "points" if unit == "%" else unit
    panel.set_xlabel("difference" + (f" ({shown})" if shown else ""))
    if results.better(metric):
        panel.annotate(results.better(metric), (1, 1.02), xycoords="axes fraction", ha="right", fontsize=7.5, color=GREY)
    panel.margins(x=0.08)
    panel.locator_params(axis="x", nbins=5)


def percent(relative):
    """A relative difference for the margin; nothing where the baseline's mean is zero."""
    if not math.isfinite(relative):
        return ""
    return f"{100 * relative:+.1f} %" if relative else "0 %"


def subtitle(table, metrics):
    counts = table[table["metric"].isin(metrics)]["n"]
    n = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    return (
        f"policy minus baseline, mean and interval of {n} pairs as in comparisons.csv; in the margin relative to the "
        "baseline's mean; ordered by the first panel\nthe verdict also needs the equivalence band and, for the primary metric, the corrected p")
