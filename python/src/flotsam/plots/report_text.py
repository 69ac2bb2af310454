# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts and tables of the page."""

import json
import shlex

from . import escape
from .results import plain_file
from .words import words

LONGEST = 100_000  # Characters of an experiment that is shown.
# What a user does and gets whatever the policies do, as far as the tables say it: pairs of words and summed columns.
WORKLOAD = [
    ("opens of apps a day", ["resumes_per_day", "relaunches_per_day"]),
    ("visits missed for want of charge a day", ["missed_visits_per_day"]),
    ("alerts answered a day", ["answered_alerts_per_day"]),
    ("silent pushes handed over a day", ["silent_pushes_per_day"]),
    ("transfers a day", ["transfers_per_day"]),
    ("battery when a charge ends, %", ["unplug_pct_mean"]),
    ("Wi-Fi bytes a day", ["wifi_bytes_per_day"]),
    ("cellular bytes a day", ["cellular_bytes_per_day"]),
]


def summary(manifest):
    plan, status = manifest["plan"], manifest["status"]
    return (f"{escape.text(status['done'])} of {escape.text(status['runs'])} runs, "
            f"{escape.text(plan['replications'])} replications; model "
            f"{escape.text(manifest['versions']['model'])}; {escape.text(manifest['times']['written'])}")


# What each line of the answer is called on the page, in its order.
ANSWER = {"wins": "Wins", "finds": "Finds", "ties": "Ties", "costs": "Costs", "axes": "Axes", "trust": "Trust", "next": "Next"}


def answer(answers):
    """The answer in a few lines, as `flotsam compare` ends with; nothing where there is none."""
    # To make the page is no next step for its reader.
    lines = {key: text for key, text in (answers.get("answer") or {}).items()
             if key != "next" or not text.startswith("flotsam report")}
    told = "".join(f"<dt>{word}</dt><dd>{f'<code>{escape.text(lines[key])}</code>' if key == 'next' else escape.text(lines[key])}</dd>"
                   for key, word in ANSWER.items() if key in lines)
    notes = "".join(f"<p><strong>{escape.text(note)}</strong></p>" for note in answers.get("notes", []))
    return notes + (f"<dl class=answer>{told}</dl>" if told else "")


def verdict(answers):
    short = answer(answers)
    sentences = "\n".join(f"<p{' class=first' if number == 0 and not short else ''}>{escape.text(sentence)}</p>"
                          for number, sentence in enumerate(answers["sentences"]))
    if short:
        sentences = f"<details><summary>In sentences</summary>{sentences}</details>"
    return f"<section aria-label=Verdict>\n{short}\n{sentences}\n</section>"


def figure(number, heading, words, rows):
    label = f"{heading}. {words} The table behind the chart holds the numbers."
    return f"""<p class=quiet>{escape.text(words)}</p>
<div class=chart id=figure{number} role=group tabindex=0 aria-label="{escape.text(label)}"></div>
<details><summary>The numbers: {escape.text(heading)}</summary><div class=wide tabindex=0>{table(rows)}</div></details>"""


def table(rows):
    """The rows as they are, each number in full."""
    head = "".join(f"<th scope=col>{escape.text(name)}</th>" for name in rows.columns)
    lines = ("".join(f"<td>{escape.text(cell(value))}</td>" for value in row) for row in rows.itertuples(index=False))
    return f"<table><thead><tr>{head}</tr></thead><tbody>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</tbody></table>"


def cell(value):
    if isinstance(value, float):
        return "" if value != value else repr(float(value))
    return str(value)


def workload(results, manifest, baseline):
    """A card of the workload: who, on what, for how long, and what the users of the runs do."""
    facts = []
    try:
        resolved = json.loads(manifest["experiment"]["resolved"])
        experiment, values = resolved["experiment"], resolved["values"]
        facts += [("phone", f"{experiment['device']['name']}, {experiment['device']['memory']['ram']} of memory"),
                  ("apps", values["apps.count"]),
                  ("length", f"{experiment['duration']}, the first {experiment.get('warmup', '0 s')} not counted"),
                  *([("under the baseline", f"the first {experiment['policies_from']} of all runs, which count neither")]
                    if "policies_from" in experiment else []),
                  ("begins", str(experiment["start"])), ("seed", str(manifest["seed"]))]
    except (KeyError, TypeError, ValueError):
        facts.append(("experiment", "as written below"))
    lines = "".join(f"<tr><th scope=row>{escape.text(name)}</th><td>{escape.text(text)}</td></tr>" for name, text in facts)
    card = f"<table class=card>{lines}</table>"
    if results.runs is None:
        return card
    runs = results.runs[results.runs["policy"] == baseline]
    users = runs["workload_fingerprint"].nunique() if "workload_fingerprint" in runs else runs["replication"].nunique()
    rows = []
    for words, columns in WORKLOAD:
        if not set(columns) <= set(runs.columns):
            continue
        values = runs[columns].sum(axis=1, skipna=False).dropna()
        if len(values) and values.abs().max() > 0:
            cells = "".join(f"<td>{value:,.4g}</td>" for value in (values.min(), values.median(), values.max()))
            rows.append(f"<tr><th scope=row>{words}</th>{cells}</tr>")
    if not rows:
        return card
    return (f"{card}<p class=quiet>Of {users} different workloads, under {escape.text(baseline)}:</p><div class=wide><table>"
            "<thead><tr><th scope=col></th><th scope=col>least</th><th scope=col>median</th><th scope=col>most</th></tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table></div>")


def basis(manifest, folder):
    """The assumptions that the results rest on, by weight where that was asked, else the files with most of them first."""
    remarks = "".join(f"<li>{escape.text(text)}</li>" for text in manifest["remarks"])
    remarks = f"<ul>{remarks}</ul>" if remarks else ""
    return remarks + weights(manifest, folder) + by_file(manifest["assumptions"])


def weights(manifest, folder):
    """What `flotsam why --sensitivity` found about these results; how to ask it where it did not, or not about these."""
    ask = f"<p class=quiet>Which of them the verdict hangs on: <code>flotsam why --sensitivity {escape.text(shlex.quote(str(folder)))}</code></p>"
    try:
        found = json.loads(plain_file(folder / "weights.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ask
    experiment = manifest["experiment"]
    ours = (experiment["written"], experiment["overrides"], manifest["versions"]["model"])
    if (found["written"], found["overrides"], found["model"]) != ours:
        return ask
    moving = [row for row in found["assumptions"] if row["told"]]
    intro = (f"Each assumption made smaller and larger, alone: {escape.text(found['policy'])} less {escape.text(found['baseline'])}, "
             f"{escape.text(words(found['metric']))}, is {percent(found['relative'])}, {escape.text(found['verdict'])}, as it stands. "
             f"{len(moving)} of {len(found['assumptions'])} move it by more than sampling noise in "
             f"{found['replications']:g} replications; a verdict is written where it changes.")
    lines = "".join(
        f"<tr><th scope=row>{escape.text(row['path'])}</th><td>{escape.text(row['value'])}</td>"
        f"<td>{row['weight'] * 100:.2g} points</td><td>{side(row['low'], found)}</td><td>{side(row['high'], found)}</td>"
        f"<td>{escape.text(row['reason'])}</td></tr>" for row in moving)
    return (f"<p class=quiet>{intro}</p><div class=wide tabindex=0><table><thead><tr><th scope=col>assumption</th>"
            "<th scope=col>value</th><th scope=col>moves it by</th><th scope=col>smaller</th><th scope=col>larger</th>"
            f"<th scope=col>why assumed</th></tr></thead><tbody>{lines}</tbody></table></div>")


def side(found, whole):
    """What one value makes of the difference."""
    if found is None:
        return ""
    verdict = "" if found["verdict"] == whole["verdict"] else f", {escape.text(found['verdict'])}"
    return f"{escape.text(found['value'])}: {percent(found['relative'])}{verdict}"


def percent(share):
    return "-" if share is None else f"{share * 100:+.1f} %"


def by_file(assumptions):
    files = {}
    for one in assumptions:
        files.setdefault(one["file"], []).append(one)
    parts = []
    for file, ones in sorted(files.items(), key=lambda item: (-len(item[1]), item[0])):
        items = "".join(f"<li><b>{escape.text(one['key'])}</b>: {escape.text(one['reason'])}</li>" for one in ones)
        parts.append(f"<details><summary>{len(ones)} in {escape.text(file)}</summary><ul>{items}</ul></details>")
    return f"<p class=quiet>{len(assumptions)} assumptions of the models, by file</p>{''.join(parts)}"


def again(manifest, folder, carries=True):
    """How to make it again; a page of very many runs does not carry what they came to."""
    experiment = manifest["experiment"]
    command = ["flotsam", "run", experiment["path"], "-o", str(folder)]
    for override in experiment["overrides"]:
        command += ["--set", override]
    versions = "".join(f"<tr><th scope=row>{escape.text(name)}</th><td>{escape.text(value)}</td></tr>"
                       for name, value in sorted(manifest["versions"].items()))
    alone = """<p>This page carries its experiment and what every run came to. With it alone:</p>
<pre>flotsam repeat report.html</pre>
<p>Or from the start, where the experiment is:</p>"""
    if not carries:
        alone = "<p>The page has no room for what every run came to. Where the experiment is:</p>"
    written = experiment["written"] if len(experiment["written"]) <= LONGEST else "Too long for the page."
    return f"""{alone}
<pre>{escape.text(shlex.join(command))}
flotsam repeat {escape.text(shlex.quote(f"{folder}#0"))}
flotsam report {escape.text(shlex.quote(str(folder)))}</pre>
<details><summary>The experiment as it was, {escape.text(experiment['path'])}</summary><pre>{escape.text(written)}</pre></details>
<details><summary>Versions</summary><table>{versions}</table></details>"""


def carried(manifest, answers):
    """What `flotsam repeat` reads."""
    experiment = {key: manifest["experiment"][key] for key in ("path", "written", "overrides")}
    return {"name": answers["name"], "experiment": experiment, "replications": manifest["plan"]["replications"],
            "versions": manifest["versions"], "fingerprints": answers.get("fingerprints", [])}
