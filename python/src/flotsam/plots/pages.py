# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what runs found into pages anew: `pages FLOTSAM RESULTS DOCS`.

These are the figures of docs/your-app.md and docs/background.md, and the answers of experiments/README.md.

`make pages` does it. Each entry is a piece of a page in which {} stands for a figure, and the function that computes it
from the tables of a finished experiment. A piece that is not found exactly once is an error: the words have changed.
Words that depend on a figure ("half as much") are not written anew: read the difference.
"""

import collections
import csv
import functools
import json
import math
import os
import re
import subprocess
import sys

from ..writing import CannotWrite, write_whole

# The runs behind the pages: name of the results, file of the experiment, settings.
EXPERIMENTS = {
    "wifi-and-idle": ("myths/wifi-and-idle", []),
    "fifteen-minutes": ("myths/fifteen-minutes", []),
    "after-force-quit": ("myths/after-force-quit", []),
    "push-flood": ("push-flood", []),
    "low-power-mode": ("myths/low-power-mode", []),
    "three-minutes": ("myths/three-minutes", []),
    "schedulers": ("schedulers", []),
    "first-week": ("a-week", ["replications=20"]),
    "fortnight": ("a-week", ["replications=20", "duration=29 d", "warmup=15 d"]),
}


DAY = 86400


class Results:
    """The tables of one finished experiment."""

    def __init__(self, folder):
        self.folder = folder

    @functools.cache
    def table(self, name):
        with open(os.path.join(self.folder, name + ".csv"), newline="") as file:
            return list(csv.DictReader(file))

    def runs(self, policy=None, **axes):
        """Rows of runs.csv of a policy (its last part is enough) at the point with these swept values."""
        rows = self.table("runs")
        if policy:
            rows = [row for row in rows if policy in (row["policy"], row["policy"].split("+")[1])]
        for axis, value in axes.items():
            column = next(name for name in rows[0] if name.split(".")[-1] == axis)
            # A quantity stands there as a number, in the unit that columns.csv says.
            rows = [row for row in rows if row[column] in (value, value.split()[0])]
        return rows

    def mean(self, metric, policy=None, **axes):
        values = [float(row[metric]) for row in self.runs(policy, **axes) if row[metric]]
        return math.fsum(values) / len(values)

    def rows(self, name, runs, **conditions):
        """Rows of a table after the first day, the warm-up, that belong to these runs, with columns of these values."""
        numbers = {row["run"] for row in runs}
        return [
            row for row in self.table(name)
            if row["run"] in numbers and all(row[column] == value for column, value in conditions.items())
            and float(row.get("submitted_s", DAY)) >= DAY and int(row.get("day", 1)) > 0
        ]

    def comparison(self, metric, policy):
        return next(
            row for row in self.table("comparisons") if row["metric"] == metric and row["policy"].endswith(policy))


def digits(value, count=2):
    """A value with so many digits that count, and a comma every three."""
    if value == 0:
        return "0"
    places = max(0, count - 1 - math.floor(math.log10(abs(value))))
    return f"{round(value, places):,.{places}f}"


def whole(value):
    return f"{value:.0f}"


def percent(value, count=2):
    return digits(value * 100, count) + " %"


def minutes(seconds):
    return digits(seconds / 3600) + " h" if seconds >= 7200 else digits(seconds / 60) + " min"


def quantile(values, share):
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def wifi_and_idle(found):
    for policy in ["six-checks", "charger-and-wifi", "opportunistic", "just-in-time"]:
        done = [row for row in found.rows("requests", found.runs(policy), kind="refresh") if row["started_s"]]
        mobile = sum(row["network"] == "cellular" for row in done) / len(done)
        yield f"| `{policy}` | {{}} | {{}} | {{}} | {{}} | {{}} |", [
            digits(found.mean("refreshes_per_day", policy), 3 if policy == "six-checks" else 2), percent(mobile),
            percent(found.mean("wasted_refresh_share", policy)),
            digits(found.mean("background_energy_wh_per_day", policy)),
            whole(found.mean("content_age_s_mean", policy))]
    row = found.comparison("content_age_s_mean", "opportunistic")
    half = (float(row["high"]) - float(row["low"])) / 2
    yield "({} ± {} s against `opportunistic`)", [whole(float(row["difference"])), whole(half)]


def fifteen_minutes(found):
    for every in ["1 min", "15 min", "60 min"]:
        refreshes, gaps, late = {}, [], []
        for policy in ["opportunistic", "immediate"]:
            runs = found.runs(policy, every=every)
            asked = collections.Counter()
            started = collections.defaultdict(list)
            for row in found.rows("requests", runs, app="pigeon", kind="refresh"):
                asked[row["run"]] += row["started_s"] != ""
                if row["started_s"]:
                    started[row["run"]].append(float(row["started_s"]))
                    if policy == "opportunistic":
                        late.append(float(row["lateness_s"]))
            # Only where Background App Refresh is on; a week after the warm-up.
            counts = [count for count in asked.values() if count > 0]
            refreshes[policy] = sum(counts) / len(counts) / 7
            if policy == "opportunistic":
                for times in started.values():
                    times.sort()
                    gaps += [after - before for before, after in zip(times, times[1:])]
        yield f"| {every} | {{}}, {{}} | {{}}, {{}} | {{}} |", [
            digits(refreshes["opportunistic"]), minutes(quantile(gaps, 0.5)), minutes(quantile(late, 0.5)),
            minutes(quantile(late, 0.95)), digits(refreshes["immediate"], 3 if refreshes["immediate"] >= 100 else 2)]


def after_force_quit(found):
    def pair(text, metric, form):
        return f"| {text} | {{}} | {{}} |", [
            form(found.mean(metric, force_quits_per_day=value)) for value in ["0", "95"]]

    yield pair("launches a day that wait for a new process", "relaunches_per_day", digits)
    yield pair("time a day that the user waits for apps", "launch_wait_s_per_day", lambda value: whole(value) + " s")
    yield pair("energy of those launches (Wh/d)", "relaunch_energy_wh_per_day", digits)
    yield pair("background energy (Wh/d)", "background_energy_wh_per_day", digits)
    yield pair("energy in all (Wh/d)", "energy_wh_per_day", digits)
    cells = []
    for value in ["0", "95"]:
        rows = found.rows("requests", found.runs(force_quits_per_day=value), app="tunes", kind="transfer")
        cells += [str(sum(row["outcome"] == outcome for row in rows)) for outcome in ["success", "cancelled"]]
    yield "| transfers of the music app over all 70 days: done, cancelled | {}, {} | {}, {} |", cells


def push_flood(found):
    """Sent and handed over a day, and energy, for each rate."""
    for rate in ["24", "72", "288", "1440"]:
        rows = found.rows("app_days", found.runs("never", silent_per_day=rate), app="pigeon")
        sent, everything, delivered, energy = (
            sum(float(row[column]) for row in rows) / len(rows)
            for column in ["silent_pushes_sent", "pushes_sent", "pushes_delivered", "background_energy_j"])
        # Alerts are always handed over.
        yield sent, delivered - (everything - sent), energy


def low_power(found):
    for text, metric in [
        ("refreshes", "refreshes_per_day"), ("silent pushes", "silent_pushes_per_day"),
        ("transfers", "transfers_per_day"), ("reloads of a widget", "widget_reloads_per_day"),
        ("energy (Wh)", "energy_wh_per_day"),
    ]:
        yield f"| {text} | {{}} | {{}} |", [
            digits(found.mean(metric, low_power_below=below)) for below in ["20 %", "99 %"]]


def three_minutes(found):
    yield "Background energy is {} Wh a day with a limit of thirty seconds, and {} Wh with three minutes", [
        digits(found.mean("background_energy_wh_per_day", assertion_limit=limit)) for limit in ["30 s", "180 s"]]


def schedulers(found):
    def gap(metric, user, form):
        low = found.mean(metric, "jetsam+never", persona=user)
        return form(abs(found.mean(metric, "jetsam+immediate", persona=user) - low))

    energy = {user: gap("energy_wh_per_day", user, float) for user in ["average", "commuter"]}
    age = {user: gap("content_age_s_mean", user, float) for user in ["average", "commuter"]}
    share = energy["average"] / found.mean("energy_wh_per_day", "jetsam+immediate", persona="average")
    fresher = age["average"] / found.mean("content_age_s_mean", "jetsam+never", persona="average")
    yield "| energy added | {} Wh/d ({} %) | {} Wh/d |", [
        digits(energy["average"]), whole(share * 100), digits(energy["commuter"])]
    yield "| content age saved | {} s ({} %) | {} s |", [
        whole(age["average"]), whole(fresher * 100), whole(age["commuter"])]
    least = found.mean("energy_wh_per_day", "jetsam+never", persona="average")
    oracle = found.mean("energy_wh_per_day", "jetsam+clairvoyant", persona="average") - least
    yield "a content age of {} s ({} s for `immediate`) with {} % of the extra energy", [
        whole(found.mean("content_age_s_mean", "jetsam+clairvoyant", persona="average")),
        whole(found.mean("content_age_s_mean", "jetsam+immediate", persona="average")),
        whole(100 * oracle / energy["average"])]


# The ranges of a prediction that the page shows, by their place in the table of predictions.
RANGES = {"below 1 %": 0, "20 to 30 %": 5, "40 to 60 %": 7, "60 to 80 %": 8, "80 % and more": 9}


def predictions(*columns):
    """How often apps were opened, by range of the predicted likelihood, and the scores; a column for each run."""
    for name, position in RANGES.items():
        cells = []
        for found in columns:
            edges = sorted({float(row["from"]) for row in found.table("predictions")})
            rows = [row for row in found.table("predictions") if float(row["from"]) == edges[position]]
            count = sum(int(row["predictions"]) for row in rows)
            opened = math.fsum(float(row["opened"] or 0) * int(row["predictions"]) for row in rows)
            cells.append(f"{100 * opened / count:.1f} %")
        yield f"| {name} | {{}} | {{}} |", cells
    yield "| Brier score, skill | {}, {} | {}, {} |", [
        cell for found in columns
        for cell in (f"{found.mean('prediction_brier'):.4f}", f"{found.mean('prediction_skill'):.2f}")]


def entries(found):
    """Each piece with its page and figures."""
    for function, name in [
        (wifi_and_idle, "wifi-and-idle"), (fifteen_minutes, "fifteen-minutes"), (after_force_quit, "after-force-quit"),
        (low_power, "low-power-mode"), (three_minutes, "three-minutes"),
    ]:
        for piece, values in function(found[name]):
            yield "your-app.md", piece, values
    flood = list(push_flood(found["push-flood"]))
    for sent, handed, energy in flood[:3]:
        yield "your-app.md", f"| {whole(sent)} | {{}} | {{}} | {{}} |", [
            digits(handed), percent(handed / sent), digits(energy, 2 if energy < 200 else 3)]
    sent, handed, energy = flood[3]
    yield "your-app.md", f"| {sent:,.0f} | {{}} ({{}} an hour) | {{}} | {{}} |", [
        digits(handed), digits(handed / 24), percent(handed / sent), digits(energy, 3)]
    for piece, values in schedulers(found["schedulers"]):
        yield "background.md", piece, values
    for piece, values in predictions(found["first-week"], found["fortnight"]):
        yield "background.md", piece, values


def renewed(text, piece, values):
    """The text with the figures of a piece, wherever its lines break."""
    parts = [r"\s+".join(re.escape(word) for word in re.split(r"\s+", part)) for part in piece.split("{}")]
    if piece.startswith("|"):
        pattern = r"(?m:^)" + r"([^|\n]*?)".join(parts) + r"(?m:$)"
    else:
        pattern = r"(\d[\d.,]*\d|\d)".join(parts)
    matches = list(re.finditer(pattern, text))
    if len(matches) != 1:
        raise SystemExit(f"found {len(matches)} times: {piece}")
    match, out, at = matches[0], [], matches[0].start()
    for number, value in enumerate(values, 1):
        out += [text[at:match.start(number)], value]
        at = match.end(number)
    return text[: match.start()] + "".join(out) + text[at:]


def run(program, file, folder, *words):
    subprocess.run([program, "run", f"experiments/{file}", "-o", folder, "--quiet", *words], check=True,
                   stdout=subprocess.DEVNULL)


def answered(said):
    """What a comparison found, in a line: who wins, or what the baseline does, and of a sweep which axis matters."""
    answer = said["answer"]
    lines = [answer[key] for key in ("finds", "wins", "axes") if key in answer] or said["sentences"][:1]
    return "; ".join(lines).replace("|", "\\|")


def phone(folder):
    """Device, memory and system of an experiment, with the values of the sweep."""
    with open(os.path.join(folder, "manifest.json")) as file:
        experiment = json.loads(json.load(file)["experiment"]["resolved"])["experiment"]
    device = experiment["device"]
    system = device["os"]
    told = {
        "device": device["name"],
        "device.memory.ram": device["memory"]["ram"],
        "device.os": system if isinstance(system, str) else system.get("profile", system["base"]),
    }
    axes = (experiment.get("sweep") or {}).get("axes", {})
    for axis in told:
        if axis in axes:
            values = [value if isinstance(value, str) else value["base"] for value in axes[axis]]
            told[axis] = values[0] if len(values) == 1 else f"{values[0]} to {values[-1]}"
    return ", ".join(told.values())


def index(program, results, text):
    """The index of experiments with the phone of each and what it finds in its last columns."""
    def row(match):
        file = match[2]
        folder = os.path.join(results, "index", file.removesuffix(".yaml"))
        run(program, file, folder)
        said = subprocess.run([program, "compare", folder, "--json"], check=True, capture_output=True, text=True).stdout
        return f"{match[1]} {phone(folder)} | {answered(json.loads(said))} |"
    return re.sub(r"(?m)^(\|.*\| \[(.*?\.yaml)\]\(.*?\) \|).*$", row, text)


def write(program, results, docs):
    found = {}
    for name, (file, settings) in EXPERIMENTS.items():
        folder = os.path.join(results, name)
        run(program, file + ".yaml", folder, *(word for setting in settings for word in ("--set", setting)))
        found[name] = Results(folder)
    pages = {}
    for page, piece, values in entries(found):
        if page not in pages:
            with open(os.path.join(docs, page)) as file:
                pages[page] = file.read()
        pages[page] = renewed(pages[page], piece, values)
    for page, text in pages.items():
        write_whole(os.path.join(docs, page), text)
    page = os.path.join(docs, "..", "experiments", "README.md")
    with open(page) as file:
        text = file.read()
    write_whole(page, index(program, results, text))


def main(words):
    """Writes what the words name; returns the exit code."""
    try:
        write(*words)
    except CannotWrite as problem:
        print(f"error: {problem}", file=sys.stderr)
        return problem.code
    return 0
