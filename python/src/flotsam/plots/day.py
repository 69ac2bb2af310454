# SPDX-License-Identifier: GPL-3.0-or-later
"""A day of one phone on the page: a picture that `day.js` draws, and its counts as a table."""

from pathlib import Path

from . import escape

SOURCE = Path(__file__).resolve().parent / "day.js"
OPENS = ["resume", "warm", "cold"]


def section(day):
    """What stands on the page before the picture is drawn."""
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
    return (f"<p class=quiet>{text}.</p><div id=day class=day></div><div class=wide tabindex=0><table><thead><tr>{heads}</tr>"
            f"</thead><tbody>{rows}</tbody></table></div>")


def counts(side, apps, length):
    """Opens by how they found the app, kills of apps and of others, runs that began, and how many of all these differ."""
    runs = [work for work in side["work"] if work["at"] is not None and 0 <= work["at"] < length]
    kills = sum(kill["app"] < apps for kill in side["kills"])
    opens = [sum(row["what"] == kind for row in side["opens"]) for kind in OPENS]
    differing = sum(row["differs"] for row in side["opens"] + side["kills"] + runs)
    return [*opens, kills, len(side["kills"]) - kills, len(runs), differing]


def script(day):
    """What draws the picture."""
    source = SOURCE.read_text(encoding="utf-8")
    return f"<script>{source}\ndrawDay(document.getElementById(\"day\"), {escape.script(day)});</script>"
