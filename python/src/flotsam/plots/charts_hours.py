# SPDX-License-Identifier: GPL-3.0-or-later
"""Charts of the hours of a day: battery, memory by state, kills by reason, and what becomes of an app."""

import json

import altair as alt
import pandas as pd

from .charts import NAMES, PER_ROW, POLICIES, WIDTH, rounded
from .charts_sweep import picker

BAND = (0.1, 0.9)
# From the bottom: what cannot go, what can, what is free. Colours of Okabe and Ito; greys for what nobody decides.
STATES = {
    "wired_mib": ("kernel and reserved", "#5a5a5a"), "system_mib": ("daemons and extensions", "#999999"),
    "compressor_mib": ("compressed", "#CC79A7"), "screen_mib": ("apps on screen", "#D55E00"),
    "background_mib": ("apps working in the background", "#E69F00"), "suspended_mib": ("suspended apps", "#0072B2"),
    "cached_mib": ("files and free", "#bfe3d3"),
}
HOURS = alt.Axis(values=list(range(0, 25, 3)), title="hour of the day")


def x_hour(name="hour"):
    return alt.X(f"{name}:Q", scale=alt.Scale(domain=[0, 24], nice=False), axis=HOURS)


def battery(details, baseline, shown):
    """The median level by hour of the day with the band that holds most days, against the baseline's median."""
    hours = pd.DataFrame(details["hours"])
    # The level is that at the end of the hour.
    hours["at"] = hours["hour"] % 24 + 1
    groups = hours.groupby(["policy", "at"], sort=False)["battery_pct"]
    data = groups.median().rename("median").to_frame()
    data["low"], data["high"] = groups.quantile(BAND[0]), groups.quantile(BAND[1])
    data = data.reset_index().rename(columns={"at": "hour"}).sort_values(["policy", "hour"], kind="stable")
    data = in_order(data, hours)
    chosen = picker(data, shown)
    level = alt.Scale(domain=[0, 100], nice=False)
    base = alt.Chart(data)
    mine = base.transform_filter(chosen)
    tips = ["policy", "hour", alt.Tooltip("median:Q", format=".3g"), alt.Tooltip("low:Q", format=".3g"),
            alt.Tooltip("high:Q", format=".3g")]
    band = mine.mark_area(opacity=0.25, color=POLICIES[0]).encode(
        x=x_hour(), y=alt.Y("low:Q", scale=level, title="battery, %"), y2="high:Q")
    line = mine.mark_line(color=POLICIES[0], strokeWidth=2.5, point=alt.OverlayMarkDef(color=POLICIES[0])).encode(
        x=x_hour(), y=alt.Y("median:Q", scale=level, title="battery, %"), tooltip=tips)
    other = base.transform_filter(alt.datum.policy == baseline).mark_line(
        color="#8a8a8a", strokeDash=[5, 3], strokeWidth=2).encode(x=x_hour(), y=alt.Y("median:Q", scale=level))
    return (band + other + line).add_params(chosen).properties(width=WIDTH, height=280), data


def memory(details, shown):
    """Where the memory is over the day, stacked, and the kills of apps in each hour."""
    hours = pd.DataFrame(details["hours"])
    hours["of day"] = hours["hour"] % 24
    means = hours.groupby(["policy", "of day"], sort=False)[[*STATES, "kills"]].mean().reset_index()
    means = in_order(means.sort_values(["policy", "of day"], kind="stable"), hours)
    # One row per hour, folded into states in the browser: the page stays small with many policies.
    wide = rounded(means.rename(columns={"of day": "hour", **{column: name for column, (name, _) in STATES.items()}}))
    chosen = picker(wide, shown)
    names = [name for name, _ in STATES.values()]
    color = alt.Color("state:N", scale=alt.Scale(domain=names, range=[tone for _, tone in STATES.values()]),
                      legend=alt.Legend(orient="top", title=None, labelLimit=260))
    x = alt.X("hour:O", title="hour of the day", axis=alt.Axis(labelAngle=0, values=list(range(0, 24, 3))),
              scale=alt.Scale(paddingInner=0.06))
    tips = ["policy", "hour", alt.Tooltip("state:N"), alt.Tooltip("MiB:Q", format=".4g")]
    bars = alt.Chart(wide).transform_filter(chosen).transform_fold(names, ["state", "MiB"]).transform_calculate(
        rank=f"indexof({json.dumps(names)}, datum.state)").mark_bar().encode(
        x=x, y=alt.Y("MiB:Q", title="memory, MiB", stack="zero"), color=color, order="rank:Q", tooltip=tips)
    # A bright rim keeps the line apart from every state in both settings of the page.
    rim = alt.Chart(wide).transform_filter(chosen).mark_line(color="white", strokeWidth=4).encode(
        x=x, y=alt.Y("kills:Q", title="kills of apps an hour (line)"))
    line = alt.Chart(wide).transform_filter(chosen).mark_line(
        color="black", strokeWidth=2, point=alt.OverlayMarkDef(color="black", size=45, stroke="white")).encode(
        x=x, y=alt.Y("kills:Q", title="kills of apps an hour (line)"),
        tooltip=["policy", "hour", alt.Tooltip("kills:Q", format=".3g")])
    chart = alt.layer(bars, alt.layer(rim, line)).resolve_scale(y="independent").add_params(chosen).properties(width=WIDTH, height=320)
    return chart, means.rename(columns={"of day": "hour"})


def kills(details):
    """Kills of apps a day by reason, a bar per policy, and those that were regretted."""
    rows = pd.DataFrame(details["kills"])
    if rows.empty:
        return None
    policies = list(dict.fromkeys(row["policy"] for row in details["hours"]))
    users = details["replications"] * details["days"]
    sums = rows.groupby(["policy", "reason", "sentence"], sort=False)[["kills", "regretted"]].sum().reset_index()
    data = sums.assign(**{"kills per day": sums["kills"] / users, "regretted per day": sums["regretted"] / users})
    data = data[["policy", "reason", "kills per day", "regretted per day", "sentence"]]
    order = {name: rank for rank, name in enumerate(policies)}
    data = data.sort_values(["policy", "reason"], key=lambda column: column.map(lambda name: order.get(name, name)) if (
        column.name == "policy") else column, kind="stable")
    y = alt.Y("policy:N", sort=policies, title=None, axis=NAMES)
    reasons = sorted(set(data["reason"]))
    color = alt.Color("reason:N", legend=alt.Legend(orient="top", title=None, labelLimit=260), scale=alt.Scale(
        domain=reasons, range=[POLICIES[rank % len(POLICIES)] for rank in range(len(reasons))]))
    chart = alt.Chart(data)
    bars = chart.mark_bar(stroke="white", strokeWidth=0.5).encode(
        y=y, x=alt.X("kills per day:Q", title="kills of apps per day; diamond: regretted", stack="zero"), color=color,
        order=alt.Order("reason:N"), tooltip=["policy", "reason", "sentence", alt.Tooltip("kills per day:Q", format=".3g"),
                                              alt.Tooltip("regretted per day:Q", format=".3g")])
    regret = chart.transform_aggregate(total="sum(regretted per day)", groupby=["policy"]).mark_point(
        shape="diamond", filled=True, size=90, color="black", stroke="white", strokeWidth=1.2, opacity=1).encode(
        y=y, x="total:Q", tooltip=["policy", alt.Tooltip("total:Q", format=".3g", title="regretted per day")])
    return (bars + regret).properties(width=WIDTH, height=PER_ROW * max(len(policies), 2)), data


def app(details, name, shown):
    """When an app is opened, refreshes and dies: mean numbers by hour of the day."""
    rows = pd.DataFrame([row for row in details["apps"] if row["app"] == name])
    if rows.empty:
        return None
    users = details["replications"] * details["days"]
    what = ["opens", "refreshes", "kills"]
    means = (rows.groupby(["policy", "hour"], sort=False)[what].sum() / users).reset_index()
    long = means.melt(["policy", "hour"], what, "what", "per day")
    chosen = picker(long, shown)
    color = alt.Color("what:N", legend=alt.Legend(orient="top", title=None), scale=alt.Scale(
        domain=what, range=[POLICIES[6], POLICIES[0], POLICIES[3]]))
    bars = alt.Chart(long).transform_filter(chosen).mark_bar().encode(
        x=alt.X("hour:O", axis=alt.Axis(labelAngle=0), title="hour of the day"), xOffset=alt.XOffset("what:N", sort=what),
        y=alt.Y("per day:Q", title="times per day"), color=color,
        tooltip=["policy", "hour", "what", alt.Tooltip("per day:Q", format=".3g")])
    return bars.add_params(chosen).properties(width=WIDTH, height=240), means


def in_order(data, rows):
    """Rows by the order in which the policies stand in the experiment."""
    order = {name: rank for rank, name in enumerate(dict.fromkeys(rows["policy"]))}
    return data.sort_values("policy", key=lambda column: column.map(order), kind="stable").reset_index(drop=True)
