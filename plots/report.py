# SPDX-License-Identifier: GPL-3.0-or-later
"""One page to mail about a results folder: sentences, charts, the tables behind them, and how to make it again.

    python3 plots/report.py results/quickstart [-o FILE] [--metric NAME] [--flotsam PROGRAM]

The sentences and ranks are those of `flotsam compare --json`; every other number is from the CSV tables.
"""

import argparse
import html
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import vl_convert

import charts
from results import NoResults, Results

HERE = Path(__file__).resolve().parent
DIRECTIONS = {"lower": "lower is better", "higher": "higher is better", "neutral": "neither way is better"}
PARTNERS = ["energy_wh_per_day", "relaunches_per_day"]


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Writes one offline page about a folder of results.")
    parser.add_argument("folder", help="results folder")
    parser.add_argument("-o", "--output", help="file (default: report.html in the folder)")
    parser.add_argument("--metric", help="primary metric (default: the experiment's)")
    parser.add_argument("--flotsam", help="the flotsam program (default: $FLOTSAM, the built one, or that on the PATH)")
    options = parser.parse_args(arguments)
    try:
        results = Results(options.folder)
        answers = compare(options)
        text = page(results, answers)
    except (NoResults, OSError, subprocess.CalledProcessError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    path = Path(options.output or Path(options.folder) / "report.html")
    path.write_text(text, encoding="utf-8")
    print(f"{path} ({len(text.encode()) / 1e6:.2f} MB)")
    return 0


def compare(options):
    """What flotsam says about the folder, for programs."""
    built = HERE.parent / ".build" / "release" / "flotsam"
    program = options.flotsam or os.environ.get("FLOTSAM") or (str(built) if built.exists() else shutil.which("flotsam"))
    if not program:
        raise NoResults("no flotsam program: build it (make build), or name it with --flotsam")
    words = [program, "compare", options.folder, "--json"] + (["--metric", options.metric] if options.metric else [])
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NoResults(f"{shlex.join(words)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def page(results, answers):
    """The whole page."""
    manifest = json.loads((results.folder / "manifest.json").read_text(encoding="utf-8"))
    metric = answers["primary"]
    unit = results.unit(metric)
    direction = DIRECTIONS[answers["better"]]
    equivalence = answers["equivalence"]
    parts = [verdict(answers)]
    figures = []

    def add(title, words, made):
        if made is None:
            return
        chart, rows = made
        figures.append(json.loads(chart.to_json()))
        parts.append(figure(len(figures), title, words, rows))

    if results.comparisons is not None and len(manifest["plan"]["policies"]) > 1:
        add(f"{metric}: difference from {answers['baseline']}",
            f"Paired by user, {answers['level'] * 100:g} % intervals; grey: the band of equivalence, "
            f"± {equivalence * 100:g} %. Ordered by effect.",
            charts.forest(results.comparisons, results.summary, results.axes, metric, direction, equivalence))
    if answers["ranking"]:
        add("Ranks", "All pairs of policies compared, p corrected over all; a bar spans the ranks that the runs leave open.",
            charts.ranks(answers["ranking"]))
    for axis in results.axes:
        add(f"{metric} against {axis}", direction[0].upper() + direction[1:] + ".",
            charts.against_axis(results.summary, metric, unit, axis))
    partner = next(name for name in PARTNERS if name != metric)
    pair = (metric, partner)
    add(f"{metric} and {partner}", "Means with both intervals; the axes span at least four bands of equivalence.",
        charts.pareto(results.summary, pair, [results.unit(name) for name in pair], equivalence, results.axes))
    parts += [basis(manifest), again(manifest, results.folder)]
    return TEMPLATE.format(
        title=html.escape(answers["name"]), question=html.escape(answers["question"]), head=summary(manifest),
        parts="\n".join(parts), bundle=vl_convert.javascript_bundle().replace("</script", "<\\/script"),
        figures=json.dumps(figures).replace("</", "<\\/"))


def summary(manifest):
    plan, status = manifest["plan"], manifest["status"]
    return (f"{status['done']} of {status['runs']} runs, {plan['replications']} replications; model "
            f"{html.escape(manifest['versions']['model'])}; {html.escape(manifest['times']['written'])}")


def verdict(answers):
    sentences = "\n".join(f"<p{' class=first' if number == 0 else ''}>{html.escape(sentence)}</p>"
                          for number, sentence in enumerate(answers["sentences"]))
    return f"<section aria-label=verdict>\n{sentences}\n</section>"


def figure(number, title, words, rows):
    return f"""<section>
<h2>{html.escape(title)}</h2>
<p class=quiet>{html.escape(words)}</p>
<div class=chart id=figure{number} role=img tabindex=0 aria-label="{html.escape(title)}; the table below holds the numbers"></div>
<details><summary>The numbers</summary><div class=wide>{table(rows)}</div></details>
</section>"""


def table(rows):
    """The rows as they are, each number in full."""
    head = "".join(f"<th scope=col>{html.escape(str(name))}</th>" for name in rows.columns)
    lines = ("".join(f"<td>{html.escape(cell(value))}</td>" for value in row) for row in rows.itertuples(index=False))
    return f"<table><thead><tr>{head}</tr></thead><tbody>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</tbody></table>"


def cell(value):
    if isinstance(value, float):
        return "" if value != value else repr(float(value))
    return str(value)


def basis(manifest):
    """The assumptions that the results rest on."""
    items = "".join(f"<li><b>{html.escape(one['key'])}</b> ({html.escape(one['file'])}): {html.escape(one['reason'])}</li>"
                    for one in manifest["assumptions"])
    remarks = "".join(f"<li>{html.escape(text)}</li>" for text in manifest["remarks"])
    remarks = f"<ul>{remarks}</ul>" if remarks else ""
    return (f"<section><h2>What it rests on</h2>{remarks}<details><summary>{len(manifest['assumptions'])} assumptions of "
            f"the models</summary><ul>{items}</ul></details></section>")


def again(manifest, folder):
    """How to make it again."""
    experiment = manifest["experiment"]
    words = ["flotsam", "run", experiment["path"], "-o", str(folder)]
    for override in experiment["overrides"]:
        words += ["--set", override]
    versions = "".join(f"<tr><th scope=row>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
                       for name, value in sorted(manifest["versions"].items()))
    return f"""<section><h2>How to reproduce it</h2>
<pre>{html.escape(shlex.join(words))}
flotsam replay {html.escape(shlex.quote(f"{folder}#0"))}
plots/report {html.escape(shlex.quote(str(folder)))}</pre>
<details><summary>The experiment as it was, {html.escape(experiment['path'])}</summary><pre>{html.escape(experiment['written'])}</pre></details>
<details><summary>Versions</summary><table>{versions}</table></details></section>"""


TEMPLATE = (HERE / "report.html.in").read_text(encoding="utf-8")

if __name__ == "__main__":
    sys.exit(main())
