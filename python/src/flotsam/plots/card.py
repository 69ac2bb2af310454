# SPDX-License-Identifier: GPL-3.0-or-later
"""What a workload looks like beside people of a population: one page, or one picture.

    flotsam data workload card trace.csv -o card.html        (or .png, .svg, .pdf)

Every number is from `flotsam data workload card --json`; the grey bands hold eight of ten people.
"""

import sys
import argparse
from . import escape
from pathlib import Path

from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from . import style
from .program import NoAnswer, answer
from ..writing import CannotWrite, write_whole

# Times and sizes are seen best as factors.
BY_FACTORS = {"sessions", "gaps", "answers"}
WIDE, PANELS_PER_ROW = 11.0, 3


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="card.py", description="Draws what a workload looks like.")
    parser.add_argument("files", nargs="+", help="workload files")
    parser.add_argument("-o", "--output", required=True, help="page (.html) or picture (.png, .svg, .pdf)")
    parser.add_argument("--population", default="smartphone-users", help="people to compare with")
    parser.add_argument("--people", type=int, default=24, help="how many of them")
    parser.add_argument("--flotsam", help="the flotsam program (default: $FLOTSAM, the built one, or that on the PATH)")
    options = parser.parse_args(arguments)
    try:
        cards = material(options)
        output = Path(options.output)
        with style.look():
            if output.suffix[1:] in style.FORMS:
                content = style.drawing(picture(cards), output.suffix[1:])
            else:
                content = page(cards).encode()
        write_whole(output, content)
    except (NoAnswer, CannotWrite, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return getattr(problem, "code", 1)
    print(f"{output} ({len(content) / 1e6:.2f} MB)")
    return 0


def material(options):
    """What flotsam says of the files."""
    words = ["data", "workload", "card", *options.files, "--json", "--population", options.population]
    return answer([*words, "--people", str(options.people)], options.flotsam)


def picture(cards):
    """All curves of all files, a panel each, with the people's band, and what was recorded when."""
    curves = {}
    for number, card in enumerate(cards["files"]):
        for curve in card["curves"]:
            curves.setdefault(curve["name"], []).append((number, curve))
    rows = -(-(len(curves) + 1) // PANELS_PER_ROW)
    figure, axes = style.subplots(rows, PANELS_PER_ROW, figsize=(WIDE, 2.5 * rows + 0.9), squeeze=False)
    panels = list(axes.flat)
    for panel, drawn in zip(panels, curves.values()):
        draw_curve(panel, drawn)
    covered(panels[len(curves)], cards)
    for panel in panels[len(curves) + 1:]:
        panel.set_axis_off()
    legend = [Line2D([], [], color=style.CYCLE[number % len(style.CYCLE)], label=card["name"])
              for number, card in enumerate(cards["files"])]
    legend.append(Rectangle((0, 0), 1, 1, color=style.LIGHT_GREY, alpha=0.6, label="eight of ten people"))
    style.heading(figure, "What this workload looks like",
                  f"beside {cards['people']} people of {cards['population']}, {cards['days']} days each", legend)
    return figure


def draw_curve(panel, drawn):
    first = drawn[0][1]
    if "low" in first:
        panel.fill_between(first["points"], first["low"], first["high"], color=style.LIGHT_GREY, alpha=0.6, linewidth=0)
    for number, curve in drawn:
        panel.plot(curve["points"], curve["values"], color=style.CYCLE[number % len(style.CYCLE)], linewidth=1.6,
                   marker="o", markersize=2.5)
    if first["name"] in BY_FACTORS:
        panel.set_xscale("log")
    panel.set(title=first["title"], xlabel=first["axis"], ylabel=first["unit"])
    panel.set_ylim(bottom=0)


def covered(panel, cards):
    """From which to which day each part of each file was recorded."""
    labels = []
    for number, card in enumerate(cards["files"]):
        for span in card["coverage"]:
            panel.barh(len(labels), span["to"] - span["from"], left=span["from"], height=0.6,
                       color=style.CYCLE[number % len(style.CYCLE)])
            labels.append(span["part"])
    panel.set_yticks(range(len(labels)), labels)
    panel.invert_yaxis()
    panel.set(title="Recorded", xlabel="day")


def page(cards):
    """One page without anything from elsewhere: the picture, the figures, what is odd."""
    svg = style.drawing(picture(cards), "svg").decode()
    svg = svg[svg.index("<svg"):]
    parts = []
    for card in cards["files"]:
        rows = "".join(
            f"<tr><td>{escape.text(figure['name'])}</td><td>{figure['value']:.3g}</td>"
            f"<td>{band(figure)}</td><td>{'outside' if outside(figure) else ''}</td></tr>" for figure in card["figures"])
        odd = "".join(f"<p><strong>implausible:</strong> {escape.text(line)}</p>" for line in card["odd"])
        about = ", ".join(filter(None, [card["origin"], f"from {card['start']}" if card["start"] else "",
                                        f"{card['days']:.3g} days"]))
        parts.append(f"<section><h2>{escape.text(card['name'])}</h2><p class=quiet>{escape.text(about)}</p>{odd}"
                     "<table><thead><tr><th scope=col>figure</th><th scope=col>here</th><th scope=col>eight of ten people"
                     f"</th><th scope=col></th></tr></thead><tbody>{rows}</tbody></table></section>")
    return PAGE.format(picture=svg, parts="\n".join(parts))


def band(figure):
    return f"{figure['low']:.3g} to {figure['high']:.3g}" if "low" in figure else ""


def outside(figure):
    return "low" in figure and not figure["low"] <= figure["value"] <= figure["high"]


PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>What this workload looks like</title>
<style>
body {{ margin: 0 auto; max-width: 72rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1c1c1c; background: #fff; }}
svg {{ width: 100%; height: auto; }}
.quiet {{ color: #595959; }}
table {{ border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 0.2rem 1rem 0.2rem 0; border-bottom: 1px solid #d8d8d8; text-align: left; }}
</style></head>
<body><main aria-label="Workload">
<div role="img" aria-label="Curves of the workload beside bands of people; the tables below hold the figures.">{picture}</div>
{parts}
</main></body></html>
"""
