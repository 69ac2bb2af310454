# SPDX-License-Identifier: GPL-3.0-or-later
"""One page to mail about a results folder: sentences, charts, the tables behind them, and how to make it again.

    flotsam report results/quickstart [-o FILE] [--metric NAME] [--again N]

The sentences and ranks are those of `flotsam compare`, and hours, kills and apps are those of some runs done again
(`flotsam report --json`); every other number is from the CSV tables.
"""

import sys
import argparse
import webbrowser
import contextlib
from . import escape
import json
from importlib.metadata import version
from pathlib import Path

import vl_convert

from . import charts
from . import charts_hours
from . import charts_people
from . import charts_sweep
from . import day
from . import report_text
from .program import NoAnswer, answer
from ..writing import CannotWrite, write_whole
from .results import NoResults, Results, plain_file
from .words import DIRECTIONS, axis_title, title, words

HERE = Path(__file__).resolve().parent
PARTNERS = ["energy_wh_per_day", "relaunches_per_day"]
HEADINGS = 20_000  # What headings, contents and remarks in place of charts have at most.
LARGEST = 3_000_000  # Bytes of a page, so that it can be mailed.
TOO_LARGE = ("<p class=quiet>Not shown: the page would have more than 3 MB. The tables of the folder hold it; "
             "<code>flotsam compare</code> and <code>flotsam why</code> tell it.</p>")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="report.py", description="Writes one offline page about a folder of results.")
    parser.add_argument("folder", help="results folder")
    parser.add_argument("-o", "--output", help="file (default: report.html in the folder)")
    parser.add_argument("--metric", help="primary metric (default: the experiment's)")
    parser.add_argument("--again", type=int, default=10, help="replications to do again for hours, kills and apps")
    parser.add_argument("--user", type=int, default=0, help="replication whose day is shown")
    parser.add_argument("--day", type=int, help="day that is shown (default: the first after the warm-up)")
    parser.add_argument("--open", action="store_true", help="show the page in the browser")
    parser.add_argument("--allow-foreign", action="store_true", help="start the libraries and processes of policies")
    parser.add_argument("--flotsam", help="the flotsam program (default: $FLOTSAM, the built one, or that on the PATH)")
    options = parser.parse_args(arguments)
    try:
        results = Results(options.folder)
        text = page(results, material(options))
        path = Path(options.output or Path(options.folder) / "report.html")
        write_whole(path, text)
    except (NoAnswer, NoResults, CannotWrite, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return getattr(problem, "code", 1)
    print(f"{path} ({len(text.encode()) / 1e6:.2f} MB)")
    if options.open and not webbrowser.open(path.resolve().as_uri()):
        print("no browser was found: open the page by hand", file=sys.stderr)
    return 0


def material(options):
    """What flotsam says about the folder, for programs."""
    words = ["report", options.folder, "--json", "--again", str(options.again), "--user", str(options.user)]
    words += ["--day", str(options.day)] if options.day is not None else []
    words += ["--allow-foreign"] if options.allow_foreign else []
    return answer(words + (["--metric", options.metric] if options.metric else []), options.flotsam)


class Page:
    """The parts of a page in order; charts are numbered, and each has its table.

    `room` is what they may have together, in bytes: what has none left says where it is to be found instead.
    """

    def __init__(self, room=LARGEST):
        self.parts, self.figures, self.contents, self.days, self.room = [], [], [], [], room

    def takes(self, *texts):
        """Whether there is room for texts, which then is less."""
        size = sum(len(text.encode()) for text in texts)
        if size > self.room:
            return False
        self.room -= size
        return True

    def add(self, heading, text, made):
        """A chart with the rows behind it; nothing where there is nothing to draw."""
        if made is None:
            return
        chart, rows = made
        # Checked by the tests of the charts, not again for every page.
        drawn = chart.to_dict(validate=False)
        body = report_text.figure(len(self.figures) + 1, heading, text, rows)
        if not self.takes(escape.script(drawn), body):
            return self.section(heading, TOO_LARGE)
        self.figures.append(drawn)
        self.section(heading, body)

    def add_days(self, heading, days):
        """A day at each of some points; at as many as there is room for."""
        while days and not self.takes(escape.script(days), day.section(days)):
            days = days[:-1]
        self.days = days
        self.section(heading, day.section(days) if days else TOO_LARGE)

    def section(self, heading, body):
        self.contents.append(heading)
        number = len(self.contents)
        self.parts.append(f"<section id=part{number} aria-labelledby=head{number}>\n<h2 id=head{number}>"
                          f"{escape.text(heading)}</h2>\n{body}\n</section>")

    @property
    def navigation(self):
        links = "".join(f"<li><a href=\"#part{number}\">{escape.text(heading)}</a></li>"
                        for number, heading in enumerate(self.contents, 1))
        return f"<nav aria-label=Contents><ul>{links}</ul></nav>"


def page(results, answers):
    """The whole page; what belongs on every page comes before what has room."""
    manifest = json.loads(plain_file(results.folder / "manifest.json").read_text(encoding="utf-8"))
    carried = escape.script(report_text.carried(manifest, answers))
    if len(carried) > LARGEST // 6:
        carried = "null"
    ends = {
        "The workload": report_text.workload(results, manifest, answers["baseline"]),
        "What it rests on": report_text.basis(manifest, results.folder),
        "How to reproduce it": report_text.again(manifest, results.folder, carries=carried != "null"),
    }
    fixed = {
        "title": escape.text(answers["question"] or answers["name"]),
        "question": escape.text(answers["question"] or answers["name"]),
        "name": f"{escape.text(answers['name'])}: " if answers["question"] else "", "head": report_text.summary(manifest),
        "verdict": report_text.verdict(answers), "carried": carried, "bundle": bundle()}
    made = Page(LARGEST - sum(len(text.encode()) for text in [TEMPLATE, day.script([]), *fixed.values(), *ends.values()])
                - HEADINGS)
    compared(made, results, answers, manifest)
    if "days" in answers:
        made.add_days("A day of one phone", answers["days"])
    if "details" in answers:
        looked_into(made, answers, manifest)
    people(made, results, answers, manifest)
    if "without_details" in answers:
        made.section("What is not shown", f"<p class=quiet>Hours, kills and apps: {escape.text(answers['without_details'])}</p>")
    for heading, body in ends.items():
        made.section(heading, body)
    return TEMPLATE.format(
        **fixed, navigation=made.navigation, parts="\n".join(made.parts),
        day=day.script(made.days) if made.days else "", figures=escape.script(made.figures))


def bundle():
    """Vega-Lite and what it needs, as one script; kept beside the Python environment, for making it takes seconds."""
    kept = Path(sys.prefix) / f"vega-bundle-{version('vl-convert-python')}.js"
    try:
        return kept.read_text(encoding="utf-8")
    except OSError:
        text = vl_convert.javascript_bundle().replace("</script", "<\\/script")
    if sys.prefix != sys.base_prefix:
        # A folder that cannot be written only makes the next page slower.
        with contextlib.suppress(CannotWrite):
            write_whole(kept, text)
    return text


def compared(made, results, answers, manifest):
    """What the runs say about the policies, and over the points of a sweep."""
    metric, baseline, equivalence = answers["primary"], answers["baseline"], answers["equivalence"]
    unit, direction = results.unit(metric), DIRECTIONS[answers["better"]]
    # Of a sweep the curves come first.
    axes = charts_sweep.numeric_axes(results.summary, results.axes)
    for axis in axes:
        made.add(f"{title(metric)} against {axis_title(axis)}", f"{direction.capitalize()}. Means with intervals; swept: {axis}.",
                 charts.against_axis(results.summary, metric, unit, axis))
    if results.comparisons is not None and len(manifest["plan"]["policies"]) > 1:
        made.add(f"{title(metric)}: difference from {baseline}",
                 f"{direction.capitalize()}. Paired by user, {answers['level'] * 100:g} % intervals; grey: the band of "
                 f"equivalence, ± {equivalence * 100:g} %. Ordered by effect. Too few pairs differ for a mark without an "
                 "interval.",
                 charts.forest(results.comparisons, results.summary, results.axes, metric, direction, equivalence))
    if answers["ranking"]:
        made.add("Ranks, with ties", "All pairs of policies compared, p corrected over all; a bar spans the ranks that the "
                 "runs leave open.", charts.ranks(answers["ranking"]))
    if len(axes) >= 2:
        others = [axis for axis in results.axes if axis not in axes[:2]]
        made.add(f"{title(metric)} over {axis_title(axes[0])} and {axis_title(axes[1])}",
                 f"{direction.capitalize()}. One scale for all policies; pick one below the chart.",
                 charts_sweep.heat(results.summary, metric, unit, axes[:2], others))
        made.add("Which policy comes first where", "Strong colour: it alone has the first rank. Pale: so many policies share it, "
                 "and the colour names the one with the best mean.", charts_sweep.flip(answers["ranking"], axes[:2], others))
    partner = next(name for name in PARTNERS if name != metric)
    pair = (metric, partner)
    made.add(f"{title(metric)} and {words(partner)}",
             "; ".join(f"{words(name)}: {results.better(name)}" for name in (metric, partner) if results.better(name))
             .capitalize() + ". Means with both intervals; the axes span at least four bands of equivalence, so that equals lie "
             "together.",
             charts.pareto(results.summary, pair, [results.unit(name) for name in pair], equivalence, results.axes))


def looked_into(made, answers, manifest):
    """What some runs show that were done again."""
    details = answers["details"]
    users = details["replications"]
    shown = next((entry["policy"] for entry in answers["ranking"]), answers["baseline"])
    source = f"{users} user{'s' * (users != 1)}, {details['days']:g} days each after the warm-up; runs done again, bit for bit."
    if len(manifest["plan"].get("points", [])) > 1:
        values = zip(manifest["plan"]["axes"], manifest["plan"]["points"][0]["values"])
        source += f" At {', '.join(f'{axis_title(axis)} {value}' for axis, value in values)}."
    made.add("Battery over the day", f"Median day, and the band that holds 80 % of the days; dashed: the median of "
             f"{answers['baseline']}. {source}", charts_hours.battery(details, answers["baseline"], shown))
    made.add("Memory over the day", f"Where the memory is at the end of each hour, and kills of apps in it. {source}",
             charts_hours.memory(details, shown))
    made.add("Kills by reason", "Regretted: the user opened the app within ten minutes and found it gone. "
             f"{source}", charts_hours.kills(details))
    for name in dict.fromkeys(row["app"] for row in details["apps"]):
        made.add(f"{name} by the hour", f"Opens by the user, refreshes in the background, deaths by jetsam. {source}",
                 charts_hours.app(details, name, shown))


def people(made, results, answers, manifest):
    """Who loses: by the table of groups where the experiment has a population, and user by user."""
    metric = answers["primary"]
    if results.runs is None or len(manifest["plan"]["policies"]) < 2 or metric not in results.runs.columns:
        return
    made.add("Who loses", f"Each mark is a user: {words(metric)} under the policy less that under {answers['baseline']}. "
             f"{DIRECTIONS[answers['better']].capitalize()}.",
             charts_people.losers(results.runs, metric, answers["baseline"], answers["better"], results.axes, results.unit(metric)))
    # Only experiments with a population have this table.
    if results.has("who"):
        shown = next((entry["policy"] for entry in answers["ranking"] if entry["policy"] != answers["baseline"]), None)
        made.add("Who loses, by kind of people", f"Share of the people in a group for whom {words(metric)} is worse than under "
                 f"{answers['baseline']} by more than the band of equivalence, with its interval.",
                 charts_people.groups(results.table("who"), metric, results.axes, shown))


TEMPLATE = (HERE / "report.html.in").read_text(encoding="utf-8")
