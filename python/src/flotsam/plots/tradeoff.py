# SPDX-License-Identifier: GPL-3.0-or-later
"""What one metric costs in another: the mean of every policy in a plane, named at its point, with the intervals of both.

A family (one scheduler at several values of its parameter) is joined by a line in the order of the values; oracles are stars,
and dashed lines through them say what nobody without their knowledge should be held against.
"""

import re

from matplotlib.lines import Line2D

from .names import write_names
from .results import in_order, parts_of_policies
from .style import BLACK, CYCLE, MARKERS, VERMILION, heading, subplots
from .words import labelled, title, words

DEFAULT_METRICS = ("energy_wh_per_day", "content_age_s_mean")
# Policies that know the future; the rest of the world does not.
ORACLES = ("clairvoyant",)
# A plane with a longer range than this is drawn over a logarithm.
LONG_RANGE = 8
# Intervals wider than this share of the means' range are left out: replications then differ more than policies do, and
# only paired differences tell the policies apart.
WIDE_SHARE = 0.25
# An axis spans four bands of 1 % at least, the default of `equivalence`, so that equal policies lie together.
LEAST_SPAN = 0.04


def draw(results, point, table, metrics):
    """The plane of two metrics; None if the summary lacks one of them."""
    first, second = (table[table["metric"] == metric].set_index("policy") for metric in metrics)
    policies = [name for name in in_order(table["policy"]) if name in first.index and name in second.index]
    if len(policies) < 2:
        return None
    parts = parts_of_policies(results)
    evictions = in_order(parts[name][0] for name in policies)
    families = family_curves(policies, parts)
    figure, panel = subplots(figsize=(8.2, 5.6))
    means = {name: (first.loc[name]["mean"], second.loc[name]["mean"]) for name in policies}
    for number, (_, members) in enumerate(families):
        panel.plot(*zip(*(means[name] for name in members)), color=CYCLE[number], linewidth=1, alpha=0.6, zorder=1)
    drawn = [not too_wide(frame.loc[policies]) for frame in (first, second)]
    for name in policies:
        eviction, scheduling = parts[name]
        x, y = first.loc[name], second.loc[name]
        panel.errorbar(
            x["mean"], y["mean"], xerr=half_width(x) if drawn[0] else None,
            yerr=half_width(y) if drawn[1] else None, linewidth=1, elinewidth=0.8,
            color=colour(name, parts[name], families, evictions), zorder=2,
            marker="*" if is_oracle(scheduling) else MARKERS[evictions.index(eviction) % len(MARKERS)],
            markersize=13 if is_oracle(scheduling) else 5.5)
    for name in policies:
        if is_oracle(parts[name][1]):
            panel.axhline(means[name][1], color=VERMILION, linewidth=0.8, linestyle="--", zorder=0)
            panel.axvline(means[name][0], color=VERMILION, linewidth=0.8, linestyle="--", zorder=0)
    for axis, number in ((panel.set_xscale, 0), (panel.set_yscale, 1)):
        values = [means[name][number] for name in policies]
        if min(values) > 0 and max(values) / min(values) > LONG_RANGE:
            axis("log")
    panel.margins(0.12, 0.15)
    panel.set_xlim(*spanned(*panel.get_xlim()))
    panel.set_ylim(*spanned(*panel.get_ylim()))
    panel.set_xlabel(label(results, metrics[0]))
    panel.set_ylabel(label(results, metrics[1]))
    several = len(evictions) > 1
    text = ("means with t-intervals as in summary.csv" if all(drawn) else
            "means; replications differ more than policies do, so see the paired differences for intervals")
    heading(figure, f"{title(metrics[1])} against {words(metrics[0])}", f"{point}; {text}" if point else text,
            legend=legend(families, parts, policies, evictions))
    # Names are put last: they need to know where everything is.
    figure.canvas.draw()
    names = {name: ("+".join(parts[name]) if several else parts[name][1]) for name in policies}
    if not several:
        # The legend names the family of a curve; by its points the value is enough.
        names |= {name: parts[name][1].split("[")[1].rstrip("]") for _, members in families for name in members}
    curves = [[means[name] for name in members] for _, members in families]
    (left, right), (low, high) = panel.get_xlim(), panel.get_ylim()
    for name in policies:
        if is_oracle(parts[name][1]):
            curves += [[(means[name][0], low), (means[name][0], high)], [(left, means[name][1]), (right, means[name][1])]]
    write_names(figure, panel, [(names[name], means[name]) for name in policies], curves)
    return figure


def spanned(low, high):
    """The ends of an axis, wide enough."""
    middle = (low + high) / 2
    half = max((high - low) / 2, LEAST_SPAN / 2 * abs(middle))
    # What is wide enough stays as it is, to the last digit.
    return (low, high) if half <= (high - low) / 2 else (middle - half, middle + half)


def too_wide(rows):
    """Whether the intervals of single means would hide what lies between the means."""
    span = rows["mean"].max() - rows["mean"].min()
    return span > 0 and rows["half_width"].median() > WIDE_SHARE * span


def is_oracle(scheduling):
    return scheduling.split("[")[0] in ORACLES


def colour(name, parts, families, evictions):
    """Of an oracle, a family of parameters, or an eviction policy: those share a shape only with another colour."""
    if is_oracle(parts[1]):
        return VERMILION
    for number, (_, members) in enumerate(families):
        if name in members:
            return CYCLE[number % len(CYCLE)]
    return BLACK if len(evictions) == 1 else CYCLE[evictions.index(parts[0]) % len(CYCLE)]


def family_curves(policies, parts):
    """Families of three members or more: pairs of (name, members in the order of the parameter's value)."""
    groups = {}
    for name in policies:
        match = re.fullmatch(r"([a-z-]+)\[([a-z-]+)=([0-9.]+)\S*\]", parts[name][1])
        if match:
            key = (parts[name][0], match.group(1), match.group(2))
            groups.setdefault(key, []).append((float(match.group(3)), name))
    return [(f"{key[1]}, swept over {key[2]}", [name for _, name in sorted(members)])
            for key, members in groups.items() if len(members) > 2]


def legend(families, parts, policies, evictions):
    handles = [Line2D([], [], color=CYCLE[number], marker="o", markersize=5, label=name)
               for number, (name, _) in enumerate(families)]
    if any(is_oracle(parts[name][1]) for name in policies):
        handles.append(Line2D([], [], color=VERMILION, marker="*", markersize=11, linestyle="--",
                              label="oracle: a heuristic that knows the next open"))
    if len(evictions) > 1:
        handles += [Line2D([], [], linestyle="", color=CYCLE[i % len(CYCLE)], marker=MARKERS[i % len(MARKERS)], label=name)
                    for i, name in enumerate(evictions)]
    return handles


def half_width(row):
    width = row["half_width"]
    return width if 0 <= width < float("inf") else None


def label(results, metric):
    direction = results.better(metric)
    return labelled(metric, results.unit(metric)) + (f" ({direction})" if direction else "")
