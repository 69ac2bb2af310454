# SPDX-License-Identifier: GPL-3.0-or-later
"""What the radios do over some minutes: their power, coloured by state, from promotion over activity and tail to idle."""

import numpy as np
from matplotlib.patches import Patch

from .results import NothingToDraw
from .style import BLUE, GREY, LIGHT_GREY, ORANGE, SKY, VERMILION, heading, subplots

STATES = {
    "promotion": VERMILION, "active": BLUE, "tail": ORANGE, "idle": GREY, "search": SKY, "off": LIGHT_GREY,
}
NAMES = {"wifi": "Wi-Fi", "cellular": "cellular"}


def run_of(results, options):
    table = results.table("radio")
    run = table["run"].min() if options.run is None else options.run
    rows = table[table["run"] == run]
    if rows.empty:
        raise KeyError(f"no run {run} in radio.csv")
    return run, rows


def window(rows, options):
    """The seconds to draw: as asked for, else where a radio is promoted three times and most active, from the second day on."""
    length = options.minutes * 60
    if options.start is not None:
        return options.start, options.start + length
    rows = rows.sort_values("t_s", kind="stable")
    ups = rows["state"] == "promotion"
    ups = rows[ups if ups.any() else rows["state"] == "active"]["t_s"]
    ups = (ups[ups >= 86_400] if (ups >= 86_400).any() else ups).to_numpy()
    if not len(ups):
        return 0, length
    # Seconds of activity up to each row, from which those of a window are a difference.
    lasting = (rows.groupby("radio")["t_s"].shift(-1) - rows["t_s"]).where(rows["state"] == "active", 0).fillna(0)
    active, times = lasting.cumsum().to_numpy(), rows["t_s"].to_numpy()
    begins = np.maximum(ups - length / 20, 0)
    first, last = (np.clip(np.searchsorted(times, at) - 1, 0, None) for at in (begins, begins + length))
    promoted = np.minimum(np.searchsorted(ups, begins + length) - np.arange(len(ups)), 3)
    best = max(range(len(ups)), key=lambda i: (promoted[i], active[last[i]] - active[first[i]]))
    return begins[best], begins[best] + length


def spans(rows, begin, end):
    """State by state: (from, to, power, state) within the window."""
    result = []
    times, states, watts = rows["t_s"].to_list(), rows["state"].to_list(), rows["power_w"].to_list()
    for index, time in enumerate(times):
        until = times[index + 1] if index + 1 < len(times) else end
        if until > begin and time < end:
            result.append((max(time, begin), min(until, end), watts[index], states[index]))
    return result


def draw(results, options):
    run, rows = run_of(results, options)
    begin, end = window(rows, options)
    parts = {name: spans(rows[rows["radio"] == name], begin, end) for name in NAMES}
    # A radio that rests all the time needs no panel.
    radios = [name for name in NAMES if any(part[3] in ("promotion", "active") for part in parts[name])]
    if not radios:
        raise NothingToDraw("no radio does anything in these minutes")
    figure, panels = subplots(
        len(radios), 1, sharex=True, squeeze=False, figsize=(9.4, 1.2 + 2.1 * len(radios)))
    seen = []
    for panel, radio in zip(panels[:, 0], radios):
        pieces = parts[radio]
        joules = {}
        for start, stop, watts, state in pieces:
            # The edge keeps what lasts milliseconds visible.
            panel.fill_between(
                [(start - begin) / 60, (stop - begin) / 60], 0, watts * 1000, color=STATES[state], linewidth=0.8,
                zorder=3 if state in ("promotion", "active") else 2)
            joules[state] = joules.get(state, 0) + watts * (stop - start)
        seen += [state for state in joules if state not in seen]
        shares = ", ".join(f"{state} {joules[state]:.2f} J" for state in STATES if state in joules) + " in these minutes"
        panel.set_title(f"{NAMES[radio]}: {shares}", loc="left")
        panel.set_ylabel("power (mW)")
        panel.set_ylim(bottom=0)
        panel.margins(y=0.08)
    panels[-1, 0].set_xlim(0, (end - begin) / 60)
    panels[-1, 0].set_xlabel(f"minutes since {moment(begin)}")
    legend = [Patch(color=STATES[state], label=state) for state in STATES if state in seen]
    heading(figure, "Radio states", f"run {run}, {rows['policy'].iloc[0]}", legend)
    return figure


def moment(seconds):
    """As in `--from`: day, hour, minute and second of the run."""
    day, rest = divmod(int(seconds), 86_400)
    return f"day {day}, {rest // 3600:02d}:{rest % 3600 // 60:02d}:{rest % 60:02d}"
