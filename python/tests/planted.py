# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for the program where the truth must be known: a phone whose cost has a planted optimum, or none.

    cost = what the user costs + bend (x - 0.3)^2 + luck times a draw of its own for each user and x

The experiment is JSON: {"seed", "replications", "bend", "luck"}. The policy `planted` has x (default 0.8, 0 to 1), its
price is 1 + x; the baseline costs what x = 1 does.
"""

import json
import math
import random
import re
import statistics
import sys
from pathlib import Path

X = {"name": "x", "meaning": "where", "unit": "", "default": "0.8", "default_value": 0.8, "low": 0, "high": 1}
# Student's t at 97.5 % for 9, 19, 39 and 79 degrees of freedom.
T = {10: 2.262, 20: 2.093, 40: 2.023, 80: 1.990}


def main(words):
    verb, rest = words[0], [word for word in words[1:] if word != "--plan"]
    settings = dict(rest[at + 1].split("=", 1) for at, word in enumerate(rest) if word == "--set")
    print(json.dumps({"list": listing, "check": plan, "run": carry_out, "compare": compare,
                      "report": lambda rest, settings: {}}[verb](rest, settings)))


def listing(rest, settings):
    if rest[0] == "policies":
        return [{"kind": "eviction", "name": "planted", "parameters": [X]},
                {"kind": "eviction", "name": "plain", "parameters": []}]
    return [{"name": "cost", "better": "lower"}, {"name": "price", "better": "lower"}]


def plan(rest, settings):
    content = json.loads(Path(rest[0]).read_text())
    return {"plan": {
        "axes": [], "seed": str(content["seed"]), "replications": content["replications"], "name": "planted",
        "baseline": 0,
        "policies": [{"eviction": "plain", "scheduling": "none"}], "primary": "cost"}}


def carry_out(rest, settings):
    content = json.loads(Path(rest[0]).read_text())
    folder = Path(rest[rest.index("-o") + 1])
    folder.mkdir(parents=True, exist_ok=True)
    seed, replications = int(settings["seed"]), int(settings["replications"])
    rows = []
    for name, text in re.findall(r"name: ([\w-]+), eviction: '?([\w\[\]=.]+)'?", settings["policies"]):
        x = 1.0 if text == "plain" else float(re.search(r"=([\d.]+)", text)[1]) if "[" in text else 0.8
        for number in range(replications):
            user = random.Random(f"{seed} {number}").gauss(10, 1)
            luck = content["luck"] * random.Random(f"{seed} {number} {x}").gauss(0, 1)
            rows.append((name, number, user + content["bend"] * (x - 0.3) ** 2 + luck, 1 + x))
    lines = ["run,policy,replication,cost,price"]
    lines += [f"{run},{a},{b},{c!r},{d!r}" for run, (a, b, c, d) in enumerate(rows)]
    (folder / "runs.csv").write_text("\n".join(lines) + "\n")
    types = {"run": "integer", "policy": "string", "replication": "integer", "cost": "number", "price": "number"}
    schema = {"fields": [{"name": name, "type": kind} for name, kind in types.items()], "primaryKey": ["run"]}
    (folder / "datapackage.json").write_text(json.dumps({"resources": [{"path": "runs.csv", "schema": schema}]}))
    return f"results: {folder}/runs.csv and the tables beside it"


def compare(rest, settings):
    lines = [line.split(",") for line in (Path(rest[0]) / "runs.csv").read_text().splitlines()[1:]]
    cost = {name: [float(line[3]) for line in lines if line[1] == name] for name in ("defaults", "winner")}
    pairs = [b - a for a, b in zip(cost["defaults"], cost["winner"])]
    mean, half = statistics.mean(pairs), T[len(pairs)] * statistics.stdev(pairs) / math.sqrt(len(pairs))
    base = statistics.mean(cost["defaults"])
    verdict = "better" if mean + half < 0 else "worse" if mean - half > 0 else "undecided"
    row = {"policy": "winner", "metric": "cost", "n": len(pairs), "difference": mean, "low": mean - half,
           "high": mean + half, "relative": mean / base, "baseline_mean": base, "verdict": verdict}
    return {"comparisons": [row], "baseline": "defaults", "primary": "cost", "better": "lower", "level": 0.95,
            "sentences": [], "ranking": []}


if __name__ == "__main__":
    main(sys.argv[1:])
