# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the phone's predictions of use come true: what it said against how often it happened, range by range."""

from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from .names import write_names
from .results import in_order
from .style import CYCLE, GREY, heading, subplots


def pooled(rows):
    """All runs together: what was said, what happened, how many, by range; ranges without predictions are left out."""
    rows = rows.fillna({"predicted": 0, "opened": 0})
    rows = rows.assign(said=rows["predicted"] * rows["predictions"], came=rows["opened"] * rows["predictions"])
    sums = rows.groupby("from")[["said", "came", "predictions"]].sum()
    sums = sums[sums["predictions"] > 0]
    return sums.assign(said=sums["said"] / sums["predictions"], came=sums["came"] / sums["predictions"])


def draw(results, options):
    """A point per range of likelihood, as large as it holds predictions; on the diagonal they come true."""
    table = results.table("predictions")
    # What the phone learns does not depend on the policy, so that one is enough.
    table = table[table["policy"] == (options.policy or table["policy"].iloc[0])]
    figure, panel = subplots(figsize=(6.4, 6.4))
    legend = [Line2D([], [], color=GREY, dashes=(3, 1.5), label="comes true as said")]
    least, marks, curves = 1.0, [], []
    for number, (point, rows) in enumerate(results.points(table)):
        sums = pooled(rows)
        shown = sums[(sums["said"] > 0) & (sums["came"] > 0)]
        colour = CYCLE[number % len(CYCLE)]
        total = sums["predictions"].sum()
        base = (sums["came"] * sums["predictions"]).sum() / total
        panel.plot(shown["said"], shown["came"], color=colour, linewidth=1)
        panel.scatter(shown["said"], shown["came"], s=14 + 240 * shown["predictions"] / total, color=colour, alpha=0.75)
        marks += zip((f"{int(n):,}".replace(",", " ") for n in shown["predictions"]), zip(shown["said"], shown["came"]))
        curves.append(list(zip(shown["said"], shown["came"])))
        least = min(least, shown["said"].min(), shown["came"].min())
        label = ", ".join(part for part in (point, f"{int(total)} predictions, {100 * base:.1f} % came true") if part)
        legend.append(Line2D([], [], color=colour, marker="o", label=label))
    low = least / 1.6
    panel.plot([low, 1], [low, 1], color=GREY, linewidth=1, dashes=(3, 1.5), zorder=0)
    panel.set(xscale="log", yscale="log", xlim=(low, 1.15), ylim=(low, 1.15), aspect="equal")
    ticks = [tick for tick in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1) if tick >= low]
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_ticks(ticks, [f"{100 * tick:g} %" for tick in ticks])
        axis.set_minor_locator(NullLocator())
    panel.set_xlabel("said: likelihood of an open within half an hour")
    panel.set_ylabel("happened: share that were opened")
    runs = table["run"].nunique()
    policy = in_order(table["policy"])[0]
    text = f"{policy}, {runs} run{'s' * (runs > 1)}; by each point its number of predictions"
    heading(figure, "Prediction of use", text + skill(results, policy), legend)
    figure.canvas.draw()
    write_names(figure, panel, marks, [*curves, [(low, low), (1, 1)]])
    return figure


def skill(results, policy):
    """The score against always saying the mean, from runs.csv where it is there and one number."""
    runs = results.runs
    if runs is None or not {"prediction_brier", "prediction_skill"} <= set(runs.columns) or results.axes:
        return ""
    rows = runs[runs["policy"] == policy]
    return f"\nBrier score {rows['prediction_brier'].mean():.4f}, skill against the base rate {rows['prediction_skill'].mean():.2f}"
