# SPDX-License-Identifier: GPL-3.0-or-later
"""One comparison of policies is the same in sentences, on the terminal, in JSON, in tables and on the page.

Differences are computed again from the rows of `runs.csv`. Sentences are read by a grammar of their own.
"""

import csv
import html
import json
import math
import re
import subprocess

from holds import Wrong

# "lru has 18 % fewer relaunches per day than jetsam [7.4, 28], over all 3 scheduling policies, 10 pairs."
CHANGE = re.compile(
    r"(?:^|: )(?P<policy>\S+) has (?P<size>[\d.]+) % (?P<way>fewer|more|lower|higher) .+? than (?P<baseline>\S+)"
    r" \[(?P<low>[^, ]+), (?P<high>[^\]]+)\](?P<over>, over all [^,]+)?, (?P<n>\d+) pairs?")
NUMBERS = ("difference", "low", "high", "relative", "p", "p_adjusted")


def check(program, results, run):
    """Compares all forms of one finished experiment with several policies; `run` starts the program."""
    said = json.loads(run(program, "compare", str(results), "--json"))
    with open(results / "comparisons.csv", newline="") as file:
        table = {(row["metric"], row["policy"]): row for row in csv.DictReader(file)}
    rows = {(row["metric"], row["policy"]): row for row in said["comparisons"]}
    for key, row in rows.items():
        check_table(key, row, table.get(key))
    check_runs(results, said, rows)
    for sentence in said["sentences"]:
        for match in CHANGE.finditer(sentence):
            check_sentence(match, said, rows)
    check_winner(said, rows)
    terminal = flat(run(program, "compare", str(results)))
    page = results.parent / "page.html"
    run(program, "report", str(results), "-o", str(page))
    text = page.read_text()
    shown = flat(html.unescape(re.sub(r"<[^>]+>", "", text)))
    for sentence in said["sentences"]:
        for place, words in (("terminal", terminal), ("page", shown)):
            if flat(sentence) not in words:
                raise Wrong(f"a sentence is not on the {place}", sentence)
    for line in said["answer"].values():
        if flat(line) not in terminal:
            raise Wrong("a line of the answer is not on the terminal", line)
    check_page(text, said, rows)


def flat(text):
    return " ".join(text.split())


def near(here, there):
    return math.isclose(here, there, rel_tol=1e-12, abs_tol=1e-12)


def check_table(key, row, line):
    """A row of JSON is that of comparisons.csv."""
    if line is None:
        raise Wrong("a comparison is not in the table", str(key))
    for name in (name for name in NUMBERS if name in row):
        here, there = row[name], float(line[name]) if line[name] else None
        # An infinite end is null in JSON.
        if here is None and (there is None or math.isinf(there)):
            continue
        if here is None or there is None or not near(here, there):
            raise Wrong(f"{name} of JSON and table", f"{key}: {here} and {there}")
    if (row["verdict"], row["n"]) != (line["verdict"], int(line["n"])):
        raise Wrong("verdict of JSON and table", f"{key}: {row['verdict']} and {line['verdict']}")


def check_runs(results, said, rows):
    """Means and differences of the primary metric follow from the runs, paired by replication."""
    with open(results / "runs.csv", newline="") as file:
        found = {(row["policy"], row["replication"]): row[said["primary"]] for row in csv.DictReader(file)}
    for (metric, policy), row in rows.items():
        if metric != said["primary"]:
            continue
        pairs = [(float(value), float(found[said["baseline"], replication]))
                 for (name, replication), value in found.items()
                 if name == policy and value and found[said["baseline"], replication]]
        if row["n"] != len(pairs):
            raise Wrong("number of pairs", f"{policy}: {row['n']}, {len(pairs)} in the runs")
        if pairs and not math.isclose(
                row["difference"], sum(a - b for a, b in pairs) / len(pairs), rel_tol=1e-9, abs_tol=1e-9):
            raise Wrong("difference of the runs", f"{policy}: {row['difference']}")


def named(name, policies):
    """The policy that a sentence names by its whole name or by the part in which it differs."""
    whole = [policy for policy in policies if name == policy]
    return whole or [policy for policy in policies if name in policy.split("+")]


def check_sentence(match, said, rows):
    """Size, direction, interval and number of pairs of a sentence are those of the row."""
    if match["over"]:
        candidates = [row for row in said["factors"] if row["level"] == match["policy"]]
        scale = [row["difference"] / row["relative"] for row in candidates if row["relative"]]
    else:
        primary = [policy for metric, policy in rows if metric == said["primary"]]
        candidates = [rows[said["primary"], policy] for policy in named(match["policy"], primary)]
        scale = [row["baseline_mean"] for row in candidates if row["relative"]]
    if len(candidates) != 1 or not scale:
        raise Wrong("a sentence names no single policy", match[0])
    row, sign = candidates[0], -1 if match["way"] in ("fewer", "lower") else 1
    ends = [row["low"] / scale[0] if row["low"] is not None else None,
            row["high"] / scale[0] if row["high"] is not None else None]
    if sign < 0:
        ends.reverse()
    for text, value in ((match["size"], row["relative"]), (match["low"], ends[0]), (match["high"], ends[1])):
        if value is None or not rounded(text, 100 * sign * value):
            raise Wrong("a figure of a sentence", f"{match[0]}: {text}, {value}")
    if int(match["n"]) != row["n"]:
        raise Wrong("pairs of a sentence", match[0])


def rounded(text, value):
    """Whether a text is a value, rounded to its last digit."""
    unit = 10.0 ** -len(text.partition(".")[2])
    return abs(float(text) - value) <= unit * 0.5000001


def check_winner(said, rows):
    """The answer names a winner exactly if a policy is significantly better, and a better one is no tie."""
    better = [policy for (metric, policy), row in rows.items()
              if metric == said["primary"] and row["verdict"] == "better"]
    wins = said["answer"].get("wins", "")
    winner = re.match(r"(\S+): [\d.]+ ", wins)
    if winner and not set(named(winner[1], better)):
        raise Wrong("a winner without a better verdict", wins)
    if not winner and better:
        raise Wrong("no winner in spite of a better verdict", f"{wins}: {better}")


def check_page(text, said, rows):
    """The page's table of differences has the verdicts and relative differences of JSON."""
    found = re.search(r"<table><thead><tr><th scope=col>line</th><th scope=col>difference %</th>.*?</table>", text, re.S)
    if not found:
        raise Wrong("no table of differences on the page")
    for line in re.findall(r"<tr><td>(.*?)</td></tr>", found[0]):
        cells = [html.unescape(cell) for cell in line.split("</td><td>")]
        policies = named(cells[0], [policy for metric, policy in rows if metric == said["primary"]])
        if len(policies) != 1:
            raise Wrong("a line of the page names no single policy", cells[0])
        row = rows[said["primary"], policies[0]]
        if row["verdict"] != cells[4] or not near(float(cells[1]), 100 * row["relative"]):
            raise Wrong("a line of the page", f"{cells}: {row['relative']} {row['verdict']}")


def call(program, *words):
    """Output of the program, which must end with 0."""
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise Wrong(f"{words[0]} ends with {done.returncode}", done.stderr[-300:])
    return done.stdout
