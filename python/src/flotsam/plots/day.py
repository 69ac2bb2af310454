# SPDX-License-Identifier: GPL-3.0-or-later
"""A day of one phone on the page: a picture that `day.js` draws, and its counts as a table."""

from pathlib import Path

from . import escape

SOURCE = Path(__file__).resolve().parent / "day.js"
OPENS = ["resume", "warm", "cold"]


def section(days):
    """What stands on the page before the pictures are drawn: of several points one is seen, which the reader picks."""
    if len(days) == 1:
        return one(days[0])
    options = "".join(f"<option value={number}>{escape.text(day['point'])}</option>" for number, day in enumerate(days))
    return (f"<p><label>At <select id=point>{options}</select></label></p>"
            + "".join(f"<div class=point{' hidden' * (number > 0)}>{one(day)}</div>" for number, day in enumerate(days)))


def one(day):
    """The place of a picture, and the table under it."""
    sides = day["sides"]
    rows = "".join(
        f"<tr><th scope=row>{escape.text(side['policy'])}</th>"
        + "".join(f"<td>{number}</td>" for number in counts(side, day["counted"], day["length_s"])) + "</tr>" for side in sides)
    heads = "".join(f"<th scope=col>{head}</th>" for head in (
        "policy", "resumes", "warm opens", "cold opens", "kills of apps", "kills of others", "runs", "differ"))
    text = f"User {day['user']}, day {day['day']}: {escape.text(' above '.join(side['policy'] for side in sides))}"
    if len(sides) > 1:
        text += ", the same user. Orange: what did not happen under the other policy within a minute"
    left_out = max(side["left_out"] for side in sides)
    if left_out:
        text += f". {left_out} requests of so busy a day are not shown"
    return (f"<p class=quiet>{text}.</p><div class=day></div><div class=wide tabindex=0><table><thead><tr>{heads}</tr>"
            f"</thead><tbody>{rows}</tbody></table></div>")


def counts(side, apps, length):
    """Opens by how they found the app, kills of apps and of others, runs that began, and how many of all these differ."""
    runs = [work for work in side["work"] if work["at"] is not None and 0 <= work["at"] < length]
    kills = sum(kill["app"] < apps for kill in side["kills"])
    opens = [sum(row["what"] == kind for row in side["opens"]) for kind in OPENS]
    differing = sum(row["differs"] for row in side["opens"] + side["kills"] + runs)
    return [*opens, kills, len(side["kills"]) - kills, len(runs), differing]


def script(days):
    """What draws the pictures: a hidden one has no width, and is drawn when it is picked."""
    source = SOURCE.read_text(encoding="utf-8")
    return f"<script>{source}\ndrawDays({escape.script(days)});</script>"
