# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the energy of a day goes: by part of the phone and by cause, and by app; a typical day, or one day of one run."""

from matplotlib.patches import Patch

from .results import NothingToDraw
from .style import BLACK, BLUE, GREEN, GREY, LIGHT_GREY, ORANGE, PURPLE, SKY, VERMILION, YELLOW, heading, subplots

# Columns of device_hours.csv, what they are called here, and the colour that each has in every figure.
COMPONENTS = {
    "screen_energy_j": ("screen", ORANGE), "processor_energy_j": ("processor", BLUE),
    "graphics_energy_j": ("graphics", SKY), "cellular_energy_j": ("cellular", VERMILION),
    "wifi_energy_j": ("Wi-Fi", GREEN), "platform_energy_j": ("platform", GREY), "memory_energy_j": ("memory", PURPLE),
    "video_energy_j": ("video", YELLOW), "audio_energy_j": ("audio", BLACK),
}
OTHER_COMPONENTS = ["storage_energy_j", "camera_energy_j", "location_energy_j", "bluetooth_energy_j"]
CAUSES = {
    "for_foreground_j": ("app on screen", ORANGE), "for_relaunch_j": ("launches by the user", YELLOW),
    "for_tasks_j": ("background tasks", BLUE), "for_pushes_j": ("pushes", PURPLE),
    "for_transfers_j": ("transfers", GREEN), "for_playback_j": ("playback", BLACK),
    "for_connections_j": ("connections", SKY), "for_tails_j": ("radio tails", VERMILION), "for_nobody_j": ("nobody in particular", GREY),
}
APP_COLOURS = [ORANGE, BLUE, SKY, VERMILION, GREEN, PURPLE, YELLOW, BLACK]
SYSTEM = "system"
# A joule an hour is 1/3.6 mW on average, and as many mWh.
MILLIWATT_HOURS = 1 / 3.6


def one_policy(results, table, options):
    """Rows of the policy to draw, of the first swept point, and what they are: (rows, text)."""
    point, rows = results.points(table)[0]
    policy = options.policy or (results.baseline if results.baseline in set(rows["policy"]) else rows["policy"].iloc[0])
    if options.run is not None:
        rows, text = table[table["run"] == options.run], f"run {options.run}"
        if rows.empty:
            raise KeyError(f"no run {options.run} in this table; there are {table['run'].min()} to {table['run'].max()}")
        return rows, ", ".join([text, str(rows["policy"].iloc[0])])
    rows = rows[rows["policy"] == policy]
    if rows.empty:
        raise KeyError(f"no policy {policy}; there are {', '.join(dict.fromkeys(table['policy']))}")
    return rows, ", ".join(part for part in (policy, point) if part)


def of_day(rows, options):
    """The rows of the day asked for, and what is drawn in words."""
    if options.day is None:
        runs, days = rows["run"].nunique(), (rows["hour"] // 24).nunique()
        return rows, f"mean of {runs * days} days ({runs} run{'s' * (runs > 1)})", runs * days
    day = rows[rows["hour"] // 24 == options.day]
    if day.empty:
        raise KeyError(f"no day {options.day}; there are {rows['hour'].min() // 24} to {rows['hour'].max() // 24}")
    runs = day["run"].nunique()
    return day, f"day {options.day}" + (f", mean of {runs} runs" if runs > 1 else ""), runs


def draw_components(results, options):
    """Stacked bars by hour of the day: above by part of the phone, below by cause."""
    rows, who = one_policy(results, results.table("device_hours"), options)
    rows, what, days = of_day(rows, options)
    sums = rows.groupby(rows["hour"] % 24).sum(numeric_only=True) / days * MILLIWATT_HOURS
    parts = [(name, colour, sums[column]) for column, (name, colour) in COMPONENTS.items() if column in sums]
    if not parts:
        raise NothingToDraw("device_hours.csv holds no energies")
    others = [column for column in OTHER_COMPONENTS if column in sums]
    if others:
        parts.append(("storage, camera, location, Bluetooth", LIGHT_GREY, sums[others].sum(axis=1)))
    causes = [(name, colour, sums[column]) for column, (name, colour) in CAUSES.items() if column in sums]
    figure, panels = subplots(2, 1, sharex=True, sharey=True, figsize=(9.4, 7.2))
    stack(panels[0], parts, "by part of the phone")
    stack(panels[1], causes, "by cause")
    finish(panels)
    total = sum(values.sum() for _, _, values in parts) / 1000
    heading(figure, "Energy over a day", f"{who}; {what}; {total:.2f} Wh a day; the two panels hold the same energy")
    return figure


def draw_apps(results, options):
    """Stacked bars by hour of the day: the apps that use most, all others, and what is nobody's."""
    rows, who = one_policy(results, results.table("app_hours"), options)
    rows, what, days = of_day(rows, options)
    joules = ["foreground_energy_j", "background_energy_j", "idle_energy_j"]
    energy = rows.assign(all=rows[joules].sum(axis=1), hour=rows["hour"] % 24)
    apps = energy[energy["app"] != SYSTEM]
    order = apps.groupby("app")["all"].sum().sort_values(ascending=False, kind="stable")
    top = list(order.index[: options.top])
    table = apps.pivot_table(index="hour", columns="app", values="all", aggfunc="sum", fill_value=0)
    table = table.reindex(range(24), fill_value=0) / days * MILLIWATT_HOURS
    parts = [(app, APP_COLOURS[index % len(APP_COLOURS)], table[app]) for index, app in enumerate(top)]
    rest = table.drop(columns=top)
    if not rest.empty and len(rest.columns):
        parts.append((f"{len(rest.columns)} other apps", LIGHT_GREY, rest.sum(axis=1)))
    system = energy[energy["app"] == SYSTEM].groupby("hour")["all"].sum().reindex(range(24), fill_value=0)
    parts.append(("system: floor, paging, daemons", GREY, system / days * MILLIWATT_HOURS))
    background = apps["background_energy_j"].sum() / max(apps["all"].sum(), 1e-12)
    figure, panel = subplots(figsize=(9.4, 4.4))
    stack(panel, parts, "")
    finish([panel])
    total = sum(values.sum() for _, _, values in parts) / 1000
    text = f"{who}; {what}; {total:.2f} Wh a day; of what is an app's, {100 * background:.0f} % is spent in the background"
    heading(figure, "Energy by app over a day", text)
    return figure


def draw_app_days(results, options):
    """Bars per app and day: in the foreground, and in the background."""
    rows, who = one_policy(results, results.table("app_days"), options)
    days = rows.groupby("run")["day"].nunique().sum()
    kinds = ["foreground_energy_j", "background_energy_j"]
    energy = rows.groupby("app")[kinds].sum() / days * MILLIWATT_HOURS
    energy = energy.loc[energy.sum(axis=1).sort_values(ascending=False, kind="stable").index]
    energy.columns = ["foreground", "background"]
    shown = max(options.top, 15)
    top, rest = energy.iloc[:shown], energy.iloc[shown:]
    labels = list(top.index) + ([f"{len(rest)} other apps"] if len(rest) else [])
    figure, panel = subplots(figsize=(8.2, 1.6 + 0.25 * len(labels)))
    left = [0.0] * len(labels)
    for kind, colour in (("foreground", ORANGE), ("background", BLUE)):
        values = list(top[kind]) + ([rest[kind].sum()] if len(rest) else [])
        panel.barh(range(len(labels)), values, left=left, color=colour, height=0.72)
        left = [a + b for a, b in zip(left, values)]
    panel.set_yticks(range(len(labels)), labels)
    panel.set_ylim(len(labels) - 0.4, -0.6)
    panel.grid(axis="y", visible=False)
    panel.set_xlabel("energy (mWh per day)")
    legend = [Patch(color=ORANGE, label="in the foreground"), Patch(color=BLUE, label="in the background")]
    heading(figure, "Energy by app", f"{who}; mean of {days} days of all runs", legend)
    return figure


def stack(panel, parts, title):
    """Bars of 24 hours, the first part lowest, with a legend in the order of the stack."""
    parts = [(name, colour, values) for name, colour, values in parts if values.sum() > 0]
    bottom = None
    for _, colour, values in parts:
        heights = values.reindex(range(24), fill_value=0)
        panel.bar(range(24), heights, bottom=bottom, width=0.92, align="edge", color=colour, linewidth=0)
        bottom = heights if bottom is None else bottom + heights
    total = sum(values.sum() for _, _, values in parts)
    handles = [Patch(color=colour, label=f"{name}, {share(values.sum() / total)}") for name, colour, values in parts]
    panel.legend(handles=handles[::-1], loc="upper left", bbox_to_anchor=(1.005, 1.02), fontsize=8)
    panel.set_title(title, loc="left")


def share(value):
    return f"{100 * value:.0f} %" if value >= 0.0095 else f"{100 * value:.1f} %"


def finish(panels):
    for panel in panels:
        panel.set_ylabel("energy (mWh per hour)")
        panel.set_xlim(0, 24)
        panel.set_xticks(range(0, 25, 3))
        panel.grid(axis="x", visible=False)
    panels[-1].set_xlabel("hour of the day")
