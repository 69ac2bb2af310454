# SPDX-License-Identifier: GPL-3.0-or-later
"""Battery level over time: one panel per policy, mean and a band over the replications."""

import math

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .results import NothingToDraw, in_order, parts_of_policies
from .style import BLUE, GREY, heading, subplots

BAND = (0.1, 0.9)
# A difference cannot be seen below so many points of charge, or so large a share of the largest one.
FLAT, FLAT_SHARE = 0.5, 0.05
BAND_TEXT = "10 % to 90 % of the replications"


def statistics(table, column="battery_pct"):
    """Mean and band over replications by end of the hour, in days."""
    groups = table.groupby("hour")[column]
    frame = groups.mean().to_frame("mean")
    frame["low"], frame["high"] = groups.quantile(BAND[0]), groups.quantile(BAND[1])
    frame.index = (frame.index + 1) / 24
    return frame


def differences(table, baseline):
    """The level minus the baseline's in the same replication and hour."""
    keys = ["replication", "hour"]
    reference = table[table["policy"] == baseline].set_index(keys)["battery_pct"]
    joined = table.join(reference.rename("reference"), on=keys)
    joined["difference"] = joined["battery_pct"] - joined["reference"]
    return joined.dropna(subset=["difference"])


def panel_grid(results, policies):
    """Rows of policy names: scheduling by eviction if every combination is there, else rows of up to four."""
    parts = parts_of_policies(results)
    evictions = in_order(parts[name][0] for name in policies)
    schedulings = in_order(parts[name][1] for name in policies)
    by_parts = {parts[name]: name for name in policies}
    is_full = len(by_parts) == len(policies) == len(evictions) * len(schedulings)
    if is_full and 1 < len(evictions) <= 5 and len(schedulings) > 1:
        return [[by_parts[(e, s)] for e in evictions] for s in schedulings]
    width = min(4, math.ceil(math.sqrt(len(policies))))
    return [policies[i : i + width] for i in range(0, len(policies), width)]


def axes_for(grid):
    rows, columns = len(grid), max(len(row) for row in grid)
    width, height = max(5.2, 1.1 + 3.1 * columns), 1.5 + 1.75 * rows
    figure, panels = subplots(
        rows, columns, sharex=True, sharey=True, squeeze=False, figsize=(width, height))
    for row, names in zip(panels, grid):
        for panel in row[len(names) :]:
            panel.set_visible(False)
    return figure, panels


def finish(figure, panels, days, label, first=0):
    for row in panels:
        row[0].set_ylabel(label)
    for column in range(len(panels[0])):
        shown = [row[column] for row in panels if row[column].get_visible()]
        shown[-1].set_xlabel("days since the first midnight")
        shown[-1].tick_params(labelbottom=True)
    step = max(1, math.ceil(days / 8))
    panels[0][0].set_xticks(range(first, math.ceil(days) + 1, step))
    panels[0][0].set_xlim(first, days)


def draw_levels(results, table, point):
    """Battery level of every policy, the baseline's mean behind each."""
    policies, baseline = in_order(table["policy"]), results.baseline
    grid = panel_grid(results, policies)
    figure, panels = axes_for(grid)
    curves = {name: statistics(rows) for name, rows in table.groupby("policy")}
    for row, names in zip(panels, grid):
        for panel, name in zip(row, names):
            curve = curves[name]
            panel.fill_between(curve.index, curve["low"], curve["high"], color=BLUE, alpha=0.25, linewidth=0)
            if name != baseline and baseline in curves:
                panel.plot(curves[baseline].index, curves[baseline]["mean"], color=GREY, linewidth=1, dashes=(3, 1.5))
            panel.plot(curve.index, curve["mean"], color=BLUE, linewidth=1.3)
            panel.set_title(name + (" (baseline)" if name == baseline else ""), loc="left")
    panels[0][0].set_ylim(0, 102)
    panels[0][0].set_yticks(range(0, 101, 25))
    finish(figure, panels, max(curve.index.max() for curve in curves.values()), "battery (%)", first_day(table))
    legend = [Line2D([], [], color=BLUE, linewidth=1.3, label="mean"), Patch(color=BLUE, alpha=0.25, label=BAND_TEXT)]
    if len(policies) > 1:
        legend.append(Line2D([], [], color=GREY, dashes=(3, 1.5), label=f"mean of {baseline}"))
    heading(figure, "Battery level over time", subtitle(table, point), legend)
    return figure


def draw_differences(results, table, point):
    """Battery level minus the baseline's under the same workload; None if there is nothing to compare."""
    baseline = results.baseline
    changes = differences(table, baseline)
    others = [name for name in in_order(changes["policy"]) if name != baseline]
    if not others:
        return None
    curves = {name: statistics(changes[changes["policy"] == name], "difference") for name in others}
    # Panels in which nothing can be seen are named instead; the others stand in the order of their effect.
    reach = {name: curves[name][["low", "high"]].abs().to_numpy().max() for name in others}
    least = max(FLAT, FLAT_SHARE * max(reach.values()))
    flat = [name for name in others if reach[name] < least]
    policies = sorted((name for name in others if name not in flat), key=lambda name: -abs(curves[name]["mean"].mean()))
    if not policies:
        raise NothingToDraw(f"no policy moves the battery by {least:.2g} points from {baseline} in most replications")
    width = min(4, math.ceil(math.sqrt(len(policies))))
    grid = [policies[i : i + width] for i in range(0, len(policies), width)]
    figure, panels = axes_for(grid)
    days = 0
    for row, names in zip(panels, grid):
        for panel, name in zip(row, names):
            curve = curves[name]
            days = max(days, curve.index.max())
            panel.axhline(0, color=GREY, linewidth=1, dashes=(3, 1.5))
            panel.fill_between(curve.index, curve["low"], curve["high"], color=BLUE, alpha=0.25, linewidth=0)
            panel.plot(curve.index, curve["mean"], color=BLUE, linewidth=1.3)
            panel.set_title(name, loc="left")
    finish(figure, panels, days, "difference (points)", first_day(table))
    legend = [Line2D([], [], color=BLUE, linewidth=1.3, label="mean"), Patch(color=BLUE, alpha=0.25, label=BAND_TEXT)]
    text = f"policy minus {baseline}, paired by replication; in percentage points of charge, above zero is more\n"
    if flat:
        text += f"within {least:.2g} points in most replications, all the time: {', '.join(flat)}\n"
    heading(figure, "Battery level against the baseline", text + subtitle(table, point), legend)
    return figure


def first_day(table):
    """The first whole day that counts."""
    return math.ceil(table["hour"].min() / 24)


def subtitle(table, point):
    count = table["replication"].nunique()
    text = f"{count} replication" + ("s" if count != 1 else "") + "; level at the end of each hour"
    return f"{point}; {text}" if point else text
