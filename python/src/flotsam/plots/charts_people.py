# SPDX-License-Identifier: GPL-3.0-or-later
"""Charts of who loses: user by user, and by groups of a population."""

import altair as alt
import pandas as pd

from .charts import NAMES, PER_ROW, POLICIES, WIDTH, rounded
from .charts_sweep import picker


def losers(runs, metric, baseline, better, axes, unit):
    """Each user's paired difference from the baseline, a mark per user; and how many of them lose."""
    keys = ["replication", *axes]
    values = runs[["policy", *keys, metric]].dropna()
    reference = values[values["policy"] == baseline].set_index(keys)[metric].rename("reference")
    rows = values[values["policy"] != baseline].join(reference, on=keys).dropna()
    if rows.empty or better == "neutral":
        return None
    rows["difference"] = rows[metric] - rows["reference"]
    rows["line"] = [", ".join([row[0], *map(str, row[1:])]) for row in rows[["policy", *axes]].itertuples(index=False)]
    worse = rows["difference"] > 0 if better == "lower" else rows["difference"] < 0
    rows["user"] = worse.map({True: "loses", False: "gains"}).where(rows["difference"] != 0, "same")
    order = list(rows.groupby("line", sort=False)["difference"].mean().sort_values(ascending=better == "lower").index)
    color = alt.Color("outcome:N", legend=alt.Legend(orient="top", title=None), scale=alt.Scale(
        domain=["gains", "same", "loses"], range=[POLICIES[0], "#8a8a8a", POLICIES[3]]))
    drawn = rounded(rows[["line", "replication", "difference"]].rename(columns={"replication": "user"}))
    loss = "datum.difference > 0" if better == "lower" else "datum.difference < 0"
    shape = alt.Shape("outcome:N", scale=alt.Scale(domain=["gains", "same", "loses"], range=["circle", "diamond", "square"]))
    marks = alt.Chart(drawn).transform_calculate(
        outcome=f"datum.difference == 0 ? 'same' : {loss} ? 'loses' : 'gains'").mark_point(
        filled=True, size=42, opacity=0.55).encode(
        y=alt.Y("line:N", sort=order, title=None, axis=NAMES),
        x=alt.X("difference:Q", title=f"difference from {baseline}{f', {unit}' if unit else ''}"), color=color, shape=shape,
        tooltip=["line", "user", alt.Tooltip("difference:Q", format=".3g")])
    zero = alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(strokeDash=[4, 3], color="#8a8a8a").encode(x="zero:Q")
    table = rows.groupby("line", sort=False).agg(
        users=("user", "size"), lose=("user", lambda column: int((column == "loses").sum())),
        **{"worst difference": ("difference", "max" if better == "lower" else "min")}).reset_index()
    table["lose %"] = table["lose"] / table["users"] * 100
    table = table.set_index("line").loc[order].reset_index()
    return (zero + marks).properties(width=WIDTH, height=PER_ROW * max(len(order), 2)), table


def groups(table, metric, axes, shown):
    """The share of people in each group who fare worse by more than the band of equivalence, with its interval."""
    rows = table[table["metric"] == metric].copy()
    if rows.empty:
        return None
    names = rows["trait"].fillna("").astype(str) + " " + rows["group"].astype(str)
    rows["group of people"] = names.str.replace("_", " ").str.strip()
    rows["policy"] = [", ".join([row[0], *map(str, row[1:])]) for row in rows[["policy", *axes]].itertuples(index=False)]
    shares = ["harmed_share", "share_low", "share_high"]
    data = rows[["policy", "group of people", "people", "harmed", "helped", *shares, "difference", "worst_tenth"]]
    drawn = data.assign(**{f"{name} %": data[name] * 100 for name in shares})
    drawn = rounded(drawn[["policy", "group of people", "people", "harmed", *(f"{name} %" for name in shares)]])
    chosen = picker(drawn, shown)
    order = list(dict.fromkeys(drawn["group of people"]))
    y = alt.Y("group of people:N", sort=order, title=None, axis=NAMES)
    scale = alt.Scale(domain=[0, 100], nice=False)
    title = "people who fare worse, %"
    base = alt.Chart(drawn).transform_filter(chosen)
    interval = base.mark_rule(strokeWidth=2, color=POLICIES[3]).encode(
        y=y, x=alt.X("share_low %:Q", title=title, scale=scale), x2="share_high %:Q")
    point = base.mark_point(filled=True, size=80, shape="square", color=POLICIES[3]).encode(
        y=y, x=alt.X("harmed_share %:Q", title=title, scale=scale),
        tooltip=["policy", "group of people", "people", "harmed", alt.Tooltip("harmed_share %:Q", format=".3g")])
    chart = (interval + point).add_params(chosen)
    return chart.properties(width=WIDTH, height=PER_ROW * max(len(order), 2)), data
