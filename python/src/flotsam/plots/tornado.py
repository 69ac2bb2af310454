# SPDX-License-Identifier: GPL-3.0-or-later
"""Tornado charts: what each axis of a design, or each assumption, does to a paired difference, the strongest on top."""

import json

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .results import NoResults, NothingToDraw, in_order, plain_file
from .style import BLUE, GREY, LIGHT_GREY, ORANGE, heading, subplots
from .words import axis_title, title, words

MOST = 25  # Bars in a panel: more cannot be read.


def draw_axes(results, options):
    """The axes of a design, for each policy against the baseline, or the one policy there is."""
    table = results.table("sensitivity")
    metric = (options.metric or in_order(table["metric"]))[0]
    rows = table[table["metric"] == metric]
    if rows.empty:
        raise KeyError(f"sensitivity.csv has no metric {metric}; it has {', '.join(in_order(table['metric']))}")
    # Rows of the baseline are about the metric itself; of one policy there are no others.
    compared = rows[rows["baseline"].notna()]
    rows = rows if compared.empty else compared
    policies = in_order(rows["policy"])
    is_morris = "mu_star" in set(rows["measure"])
    draw_panel = draw_effects if is_morris else draw_shares
    lines = rows["axis"].nunique()
    figure, panels = subplots(
        1, len(policies), squeeze=False, figsize=(2.4 + 3.2 * len(policies), 1.9 + 0.3 * lines))
    for panel, policy in zip(panels[0], policies):
        draw_panel(panel, rows[rows["policy"] == policy].pivot(index="axis", columns="measure"))
        panel.set_title(policy, loc="left")
        unit = results.unit(metric)
        panel.set_xlabel(("change over the whole range" + (f", {unit}" if unit else "")) if is_morris else "share of the variance")
    legend = signs() if is_morris else [Patch(color=BLUE, label="alone"), Patch(color=LIGHT_GREY, label="with others")]
    subject = words(metric) if compared.empty else f"{words(metric)}, difference from {compared['baseline'].iloc[0]}"
    figure_heading(figure, "Which axis matters", subject, legend)
    return figure


def draw_effects(panel, table):
    """Mean size of the elementary effects with its interval; the colour says which way they go."""
    table = table.sort_values(("value", "mu_star"))
    for height, (axis, row) in enumerate(table.iterrows()):
        size = row["value", "mu_star"]
        panel.barh(height, size, height=0.65, color=BLUE if row["value", "mu"] < 0 else ORANGE)
        whisker(panel, height, row["low", "mu_star"], row["high", "mu_star"])
    ticks(panel, table)


def draw_shares(panel, table):
    """Total share of the variance with its interval, and within it the part that the axis makes alone."""
    table = table.sort_values(("value", "total"))
    for height, (axis, row) in enumerate(table.iterrows()):
        panel.barh(height, row["value", "total"], height=0.65, color=LIGHT_GREY)
        panel.barh(height, row["value", "first"], height=0.35, color=BLUE)
        whisker(panel, height, row["low", "total"], row["high", "total"])
    ticks(panel, table)


def whisker(panel, height, low, high):
    if low == low and high == high:
        panel.plot([low, high], [height, height], color="black", linewidth=1)


def ticks(panel, table):
    panel.set_yticks(range(len(table)), [axis_title(axis) for axis in table.index])
    panel.axvline(0, color=GREY, linewidth=1)
    panel.grid(axis="y", visible=False)
    panel.locator_params(axis="x", nbins=5)


def signs():
    return [Patch(color=ORANGE, label="up"), Patch(color=BLUE, label="down")]


def draw_weights(results, options):
    """What each assumption does, smaller and larger, as `flotsam why --sensitivity` kept it in `weights.json`."""
    if not results.has("weights"):
        raise NoResults(results.lacks("weights"))
    found = json.loads(plain_file(results.folder / "weights.json").read_text(encoding="utf-8"))
    rows = [row for row in found["assumptions"] if row["told"] and (row["low"] or row["high"])]
    if not rows:
        raise NothingToDraw("none of the assumptions moves the difference by more than sampling noise")
    left_out = len(rows) - MOST
    rows = sorted(rows, key=lambda row: -row["weight"])[:MOST][::-1]
    figure, panel = subplots(figsize=(8, 1.9 + 0.3 * len(rows)))
    whole = found["relative"] * 100
    for height, row in enumerate(rows):
        for side, color in (("low", BLUE), ("high", ORANGE)):
            if row[side] and row[side]["relative"] is not None:
                moved = row[side]["relative"] * 100
                panel.barh(height, moved - whole, left=whole, height=0.65, color=color)
                label = row[side]["value"] + ("" if row[side]["verdict"] == found["verdict"] else f", {row[side]['verdict']}")
                panel.annotate(label, (moved, height), xytext=(3 if moved >= whole else -3, 0), textcoords="offset points",
                               va="center", ha="left" if moved >= whole else "right", fontsize=7)
    panel.set_yticks(range(len(rows)), [row["path"] for row in rows])
    panel.axvline(whole, color=GREY, linewidth=1)
    panel.grid(axis="y", visible=False)
    panel.margins(x=0.2)
    panel.set_xlabel(f"{found['policy']} less {found['baseline']}, % of the baseline's mean")
    legend = [Patch(color=BLUE, label="smaller"), Patch(color=ORANGE, label="larger"),
              Line2D([], [], color=GREY, label=f"as it stands: {whole:+.1f} %, {found['verdict']}")]
    more = f"; {left_out} that move it less are left out" if left_out > 0 else ""
    figure_heading(figure, "What the answer hangs on", f"{title(found['metric'])}: each assumption alone{more}", legend)
    return figure


def figure_heading(figure, name, subject, legend):
    heading(figure, name, subject[0].upper() + subject[1:], legend)
