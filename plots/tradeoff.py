"""What one metric costs in another: the mean of every policy in a plane, with the intervals of both."""

import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

from results import in_order, parts_of_policies
from style import CYCLE, MARKERS, heading

DEFAULT_METRICS = ("energy_wh_per_day", "freshness_s_mean")


def draw(results, point, table, metrics):
    """The plane of two metrics; None if the summary lacks one of them."""
    first, second = (table[table["metric"] == metric].set_index("policy") for metric in metrics)
    policies = [name for name in in_order(table["policy"]) if name in first.index and name in second.index]
    if not policies:
        return None
    parts = parts_of_policies(results)
    evictions = in_order(parts[name][0] for name in policies)
    schedulings = in_order(parts[name][1] for name in policies)
    figure, panel = plt.subplots(figsize=(8.2, 4.8), layout="constrained")
    for name in policies:
        x, y = first.loc[name], second.loc[name]
        panel.errorbar(
            x["mean"], y["mean"], xerr=half_width(x), yerr=half_width(y), linewidth=1, markersize=6,
            color=CYCLE[schedulings.index(parts[name][1]) % len(CYCLE)],
            marker=MARKERS[evictions.index(parts[name][0]) % len(MARKERS)])
    panel.set_xlabel(label(results, metrics[0]))
    panel.set_ylabel(label(results, metrics[1]))
    heads = [Line2D([], [], linestyle="", label=text) for text in ("scheduling", "eviction")]
    colours = [
        Line2D([], [], color=CYCLE[i % len(CYCLE)], linewidth=3, label=name) for i, name in enumerate(schedulings)]
    shapes = [
        Line2D([], [], linestyle="", color="#444444", marker=MARKERS[i % len(MARKERS)], label=name)
        for i, name in enumerate(evictions)]
    figure.legend(handles=[heads[0]] + colours + [heads[1]] + shapes, loc="outside right center")
    text = "mean of each policy with t-intervals as in summary.csv"
    heading(figure, f"{metrics[1]} against {metrics[0]}", f"{point}; {text}" if point else text)
    return figure


def half_width(row):
    width = row["half_width"]
    return width if 0 <= width < float("inf") else None


def label(results, metric):
    unit = results.unit(metric)
    return f"{metric} ({unit})" if unit else metric
