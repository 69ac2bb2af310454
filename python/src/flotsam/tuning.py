# SPDX-License-Identifier: GPL-3.0-or-later
"""`flotsam tune`: searches the parameters of a policy by Optuna, or among the whole policies that a program proposes, and
confirms what it finds (`flotsam[tune]`).

Every trial is the policy with other values in the same replications of the same experiment, so that differences are of
the policy and not of its users. The best of many trials is also the luckiest: the winner is compared with the defaults
once more, on replications that no trial has seen, and only that comparison says whether there is a gain.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from . import parameters, yamltext
from .parameters import Parameter, Policy, Value
from .program import ExperimentError, FlotsamError, call, call_json
from .folder import Results
from .running import run
from .writing import write_whole

_CONDITION = re.compile(r"^\s*(?P<metric>[^<>=\s]+)\s*(?P<sign><=|>=)\s*(?P<bound>[-+0-9.eE]+)\s*(?P<share>%?)\s*$")
# Names of the policies of a search and of its confirmation; trials are `trial-1` and so on.
_BASELINE, _DEFAULTS, _WINNER = "baseline", "defaults", "winner"

# A value in this share of its range from an end is at the end.
_EDGE = 0.05


@dataclass(frozen=True)
class Constraint:
    """A condition on a metric's mean: a bound in its unit, or in per cent of the baseline's mean."""

    text: str
    metric: str
    is_upper: bool
    bound: float
    is_share: bool

    @classmethod
    def read(cls, text: str) -> Constraint:
        """Reads `energy_wh_per_day <= 6.5` or `content_age_s_mean <= 105 %`."""
        found = _CONDITION.match(text)
        if found is None:
            raise ExperimentError(
                f"--constraint expects METRIC <= X or METRIC <= X %, of the baseline's mean; found {text!r}")
        return cls(text, found["metric"], found["sign"] == "<=", float(found["bound"]), bool(found["share"]))

    def violation(self, means: Mapping[str, float], baseline: Mapping[str, float]) -> float:
        """How far beyond the bound, as a share of it; zero or less when it is met."""
        limit = self.bound / 100 * baseline[self.metric] if self.is_share else self.bound
        beyond = means[self.metric] - limit if self.is_upper else limit - means[self.metric]
        return beyond / abs(limit) if limit else beyond


@dataclass(frozen=True)
class Trial:
    """Values that were tried: the policy with them, its means, and how far it misses the constraints."""

    number: int
    policy: Any
    values: dict[str, Value]
    mean: float
    violation: float

    @property
    def is_feasible(self) -> bool:
        """Whether all constraints are met."""
        return self.violation <= 0


@dataclass(frozen=True)
class Tuned:
    """What came of it. `survives`: the gain was found again on unseen replications, and the constraints hold there."""

    metric: str
    better: str
    defaults: Trial
    winner: Trial
    trials: list[Trial]
    promised: float
    survives: bool
    verdict: str = "equivalent"
    confirmed: dict[str, Any] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)


class Proposer:
    """A program that proposes whole policies, one JSON line each, and hears what each came to (`flotsam tune --program`).

    It is told of the search first: `{"flotsam_tune": 1, "kind": "eviction", "metric": …, "better": "lower", "seed": …}`.
    It writes `{"policy": "./mine.so"}`, or whatever else an experiment may name as such a policy, and reads
    `{"trial": 1, "mean": …, "violation": …, "metrics": {…}}`. It ends the search by ending its output.
    """

    def __init__(self, words: list[str]) -> None:
        self.words = words
        try:
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except OSError as problem:
            raise ExperimentError(f"--program {shlex.join(words)} does not start: {problem.strerror}") from None

    def tell(self, message: Mapping[str, Any]) -> None:
        """Writes a line; a program that reads no more is heard to its end."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()

    def next(self) -> Any:
        """The next policy, as an experiment names it; None at the end."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            return None
        try:
            proposed = json.loads(line)["policy"]
        except (ValueError, KeyError, TypeError):
            raise ExperimentError(
                f'{shlex.join(self.words)} wrote {line.strip()[:80]!r}, and not a line such as '
                '{"policy": "lru"}') from None
        if not isinstance(proposed, (str, dict)):
            raise ExperimentError(f"{shlex.join(self.words)} proposed {proposed!r}, which names no policy")
        return proposed

    def end(self) -> None:
        """Closes its input, and waits for it to end."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            code = self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = 0
        if code:
            raise ExperimentError(f"{shlex.join(self.words)} ended with exit code {code}")


class Study:
    """A search over one folder of results that grows by a policy at each trial."""

    def __init__(
        self, experiment: str | os.PathLike[str], policy: str | None = None, *, trials: int = 30,
        propose: list[str] | None = None, kind: str = "eviction", sensitivity: int | None = None,
        output: str | os.PathLike[str] | None = None,
        ranges: Mapping[str, tuple[float, float]] | None = None, only: list[str] | None = None,
        constraints: list[str] | None = None, set: Mapping[str, Any] | None = None, jobs: int | None = None,
        confirm: int | None = None, show: Callable[[str], None] | None = None, allow_foreign: bool = False,
    ) -> None:
        self.file = os.fspath(experiment)
        self.settings = dict(set or {})
        self.jobs = jobs
        self.trials = trials
        self.show = show or (lambda line: None)
        words = [word for key, value in self.settings.items() for word in ("--set", f"{key}={yamltext.flow(value)}")]
        plan = call_json(["check", "--plan", self.file, *words])["plan"]
        if plan["axes"]:
            raise ExperimentError(
                f"{self.file} sweeps {', '.join(plan['axes'])}; tune takes one point (--set KEY=VALUE)")
        # What the search writes into its settings would count as named by the user, and a file named this.
        if plan["policies"][plan["baseline"]].get("code") and not allow_foreign:
            raise ExperimentError(
                f"the baseline of {self.file} is a foreign policy, which runs the code of its author; --allow-foreign "
                "allows it, if you trust whoever wrote it")
        self.allow_foreign = allow_foreign
        self.seed, self.replications = int(plan["seed"]), int(plan["replications"])
        self.pair: dict[str, str] = {
            kind: plan["policies"][plan["baseline"]][kind] for kind in ("eviction", "scheduling")}
        self.metric = str(plan["primary"])
        self.better = _direction(self.metric)
        if (policy is None) == (propose is None):
            raise ExperimentError("tune takes either --policy NAME or --program COMMAND")
        self.propose = propose
        self.sensitivity = sensitivity
        if policy is None:
            if ranges or only:
                raise ExperimentError("--range and --only are of a policy's parameters; a program proposes whole policies")
            self.policy = Policy(kind, self.pair[kind], ())
        else:
            self.policy = _narrowed(_find(policy), ranges or {}, only)
        self.constraints = [Constraint.read(each) for each in constraints or []]
        self.confirm = confirm or max(10, 2 * self.replications)
        self.folder = Path(output) if output is not None else Path("results") / f"tune-{plan['name']}"
        self.done: list[Trial] = []
        self.means: dict[int, dict[str, float]] = {}

    def tune(self) -> Tuned:
        """Searches, confirms, writes `tune.json` into the folder, and says what came of it."""
        if self.propose is None:
            self._search()
        else:
            self._hear(self.propose)
        feasible = [each for each in self.done if each.is_feasible]
        if not feasible:
            least = min(self.done, key=lambda each: each.violation)
            raise ExperimentError(
                f"none of {len(self.done)} trials meets {', '.join(each.text for each in self.constraints)}; nearest "
                f"was {least.policy}, beyond by {100 * least.violation:.3g} %")
        defaults, winner = self.done[0], min(feasible, key=self._rank)
        tuned = self._confirmed(defaults, winner)
        content = {**asdict(tuned), "experiment": self.file, "seed": self.seed, "replications": self.replications}
        write_whole(self.folder / "tune.json", json.dumps(content, indent=2) + "\n")
        return tuned

    def _rank(self, trial: Trial) -> tuple[float, int]:
        """Of equals the first: the defaults, where nothing is better."""
        return (trial.mean if self.better == "lower" else -trial.mean, trial.number)

    def _search(self) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        sampler = optuna.samplers.TPESampler(seed=self.seed % 2**32)
        study = optuna.create_study(direction="minimize" if self.better == "lower" else "maximize", sampler=sampler)
        study.enqueue_trial({each.name: _place(each) for each in self.policy.parameters})
        for number in range(self.trials):
            asked = study.ask()
            values = {each.name: _ask(asked, each) for each in self.policy.parameters}
            trial = self._try(number, {} if number == 0 else values)
            asked.set_constraint("beyond the bounds", trial.violation)
            study.tell(asked, trial.mean)
            self.show(f"{number + 1}/{self.trials} trials: {self.metric} {trial.mean:.6g}, {trial.policy}"
                      + ("" if trial.is_feasible else ", misses a constraint"))

    def _hear(self, words: list[str]) -> None:
        """The trials of a program; the first is the baseline's own policy."""
        proposer = Proposer(words)
        try:
            self._listen(proposer)
        except BaseException:
            proposer.process.kill()
            raise
        proposer.end()

    def _listen(self, proposer: Proposer) -> None:
        words = proposer.words
        proposer.tell({
            "flotsam_tune": 1, "kind": self.policy.kind, "metric": self.metric, "better": self.better, "seed": self.seed})
        proposed: Any = self.policy.name
        for number in range(self.trials):
            if number > 0:
                proposed = proposer.next()
                if proposed is None:
                    break
            is_foreign = isinstance(proposed, dict) or "/" in proposed
            if is_foreign and not self.allow_foreign:
                raise ExperimentError(
                    f"{shlex.join(words)} proposes {proposed!r}, which runs the code of its author; --allow-foreign allows "
                    "it, if you trust whoever wrote it")
            trial = self._try(number, {}, proposed)
            proposer.tell({
                "trial": number, "mean": trial.mean, "violation": trial.violation, "metrics": self.means[number]})
            self.show(f"{number + 1}/{self.trials} trials: {self.metric} {trial.mean:.6g}, {trial.policy}"
                      + ("" if trial.is_feasible else ", misses a constraint"))

    def _try(self, number: int, values: dict[str, Value], proposed: Any = None) -> Trial:
        text = self.policy.text(values) if proposed is None else proposed
        known = next((each for each in self.done if each.policy == text), None)
        if known is None:
            named = {f"trial-{each.number}": each.policy for each in self._different()} | {f"trial-{number}": text}
            means = self._run("search", named, self.seed, self.replications)
            mine = means[f"trial-{number}"]
            violation = max((each.violation(mine, means[_BASELINE]) for each in self.constraints), default=0.0)
            trial = Trial(number, text, values, mine[self.metric], max(0.0, violation))
            self.means[number] = mine
        else:
            trial = Trial(number, text, values, known.mean, known.violation)
            self.means[number] = self.means[known.number]
        self.done.append(trial)
        return trial

    def _different(self) -> list[Trial]:
        return list({json.dumps(each.policy): each for each in reversed(self.done)}.values())[::-1]

    def _run(self, name: str, policies: Mapping[str, Any], seed: int, replications: int) -> dict[str, dict[str, float]]:
        """Means of every metric by policy; runs that the folder holds are not repeated."""
        pairs = [{"name": _BASELINE, **self.pair}]
        pairs += [{"name": each, **self.pair, self.policy.kind: text} for each, text in policies.items()]
        settings = {
            **self.settings, "policies": pairs, "baseline": _BASELINE if name == "search" else _DEFAULTS, "seed": seed,
            "replications": replications, "output.tables": ["runs"],
        }
        results = run(self.file, set=settings, jobs=self.jobs, output=self.folder / name, progress=False,
            allow_foreign=self.allow_foreign)
        table = results.runs.groupby("policy").mean(numeric_only=True)
        for metric in [self.metric, *(each.metric for each in self.constraints)]:
            if metric not in table.columns:
                raise ExperimentError(f"there is no metric {metric!r}; flotsam list metrics shows them")
            lacking = table.index[table[metric].isna()]
            if len(lacking):
                raise ExperimentError(f"{metric} has no value under {', '.join(lacking)}")
        return {str(policy): {str(key): float(value) for key, value in row.items()} for policy, row in table.iterrows()}

    def _confirmed(self, defaults: Trial, winner: Trial) -> Tuned:
        promised = (winner.mean - defaults.mean) / abs(defaults.mean) if defaults.mean else winner.mean - defaults.mean
        if winner.number == 0:
            than = self.policy.name if self.propose else f"the defaults of {self.policy.name}"
            said = f"No gain: of {len(self.done)} trials none did better than {than}."
            return Tuned(self.metric, self.better, defaults, winner, self.done, 0.0, False, sentences=[said])
        seed = unseen(self.seed)
        means = self._run("confirm", {_DEFAULTS: defaults.policy, _WINNER: winner.policy}, seed, self.confirm)
        compared = Results(self.folder / "confirm").compare()
        row = next(
            each for each in compared.data["comparisons"]
            if each["policy"] == _WINNER and each["metric"] == self.metric)
        broken = [each.text for each in self.constraints if each.violation(means[_WINNER], means[_BASELINE]) > 0]
        tuned = Tuned(
            self.metric, self.better, defaults, winner, self.done, promised, row["verdict"] == "better" and not broken,
            row["verdict"], {**row, "seed": seed}, broken)
        tuned.sentences.extend(_sentences(tuned, defaults.violation) + self._ends(winner))
        self._write_page()
        return tuned

    def _write_page(self) -> None:
        """One page of the confirmation: verdicts, bounds, who loses, and sensitivity where it was asked for."""
        confirmed = str(self.folder / "confirm")
        allow = ["--allow-foreign"] if self.allow_foreign else []
        parts = [call(["compare", confirmed])]
        with contextlib.suppress(FlotsamError):  # One persona is no population.
            parts.append(call(["compare", confirmed, "--who", "--metric", self.metric]))
        if self.sensitivity:
            words = ["why", "--sensitivity", confirmed, "--policy", _WINNER, "--replications", str(self.sensitivity)]
            parts.append(call([*words, *allow]))
        write_whole(self.folder / "page.txt", "\n".join(parts))
        call(["report", confirmed, "-o", str(self.folder / "page.html"), *allow])

    def _ends(self, winner: Trial) -> list[str]:
        """Which values lie so near to an end of their range that a better one may lie beyond."""
        said = []
        for each in self.policy.parameters:
            if each.choices or each.name not in winner.values:
                continue
            share = each.share(float(winner.values[each.name]))
            if not _EDGE <= share <= 1 - _EDGE:
                ends = f"{each.text(each.low)} to {each.text(each.high)}"
                said.append(f"{each.name} lies at an end of its range, {ends}.")
        return said


def unseen(seed: int) -> int:
    """The seed of the confirming run: from that of the search, and no other search's neighbour."""
    return int.from_bytes(hashlib.sha256(f"flotsam tune, confirm {seed}".encode()).digest()[:6], "big")


def _sentences(tuned: Tuned, default_violation: float) -> list[str]:
    row = tuned.confirmed
    found = f"{100 * row['relative']:+.2f} %" if row.get("relative") is not None else f"{row['difference']:+.4g}"
    if row.get("low") is not None and row.get("baseline_mean"):
        low, high = sorted(100 * row[end] / abs(row["baseline_mean"]) for end in ("low", "high"))
        found += f" [{low:+.2f}, {high:+.2f}]"
    promise = f"the search had promised {100 * tuned.promised:+.2f} %"
    where = f"on {row['n']} replications that no trial saw, against {tuned.defaults.policy}"
    said = [f"{tuned.winner.policy} is {row['verdict']} in {tuned.metric}: {found} {where}; {promise}."]
    said += [f"It misses {each} there." for each in tuned.broken]
    if default_violation > 0:
        said.append("The defaults miss a constraint themselves.")
    said.append("The gain survives." if tuned.survives else "The gain does not survive.")
    return said


def _direction(metric: str) -> str:
    name = metric.partition("(")[0]
    found = next((each["better"] for each in call_json(["list", "metrics"]) if each["name"] == name), None)
    if found not in ("lower", "higher"):
        raise ExperimentError(
            f"{metric}: neither way is better; name another primary metric (--set metrics.primary=…)")
    return str(found)


def _find(name: str) -> Policy:
    known = parameters.policies()
    for each in known:
        if each.name == name:
            if not each.parameters:
                raise ExperimentError(f"the policy {name} takes no parameters")
            return each
    tunable = ", ".join(each.name for each in known if each.parameters)
    raise ExperimentError(f"there is no policy {name!r}; those with parameters: {tunable}")


def _narrowed(policy: Policy, ranges: Mapping[str, tuple[float, float]], only: list[str] | None) -> Policy:
    names = [each.name for each in policy.parameters]
    for name in [*ranges, *(only or [])]:
        if name not in names:
            raise ExperimentError(
                f"the policy {policy.name} has no parameter {name!r}; its parameters: {', '.join(names)}")
    kept = [each for each in policy.parameters if only is None or each.name in only]
    return Policy(policy.kind, policy.name, tuple(
        each.within(*ranges[each.name]) if each.name in ranges else each for each in kept))


def _place(parameter: Parameter) -> Value:
    """Where the default lies for Optuna: its word, or its share of the range."""
    if parameter.choices:
        return parameter.default
    return min(1.0, max(0.0, parameter.share(float(parameter.default))))


def _ask(trial: Any, parameter: Parameter) -> Value:
    if parameter.choices:
        return str(trial.suggest_categorical(parameter.name, list(parameter.choices)))
    return parameter.at(float(trial.suggest_float(parameter.name, 0.0, 1.0)))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    add = parser.add_argument
    add("experiment", metavar="EXPERIMENT.yaml", help="its baseline, with the policy in it, is what is varied")
    add("--policy", metavar="NAME", help="eviction or scheduling policy whose parameters are searched")
    add("--program", metavar="COMMAND", help="or a program that proposes whole policies, as lines of JSON")
    add("--kind", choices=("eviction", "scheduling"), default="eviction", help="of the program's policies")
    add("--sensitivity", type=int, metavar="N",
        help="weighs every assumption for the winner, with N replications each, in the page")
    add("--only", metavar="A,B", help="these parameters alone (default: all of them)")
    add("--range", action="append", default=[], metavar="A=LOW..HIGH",
        help="a narrower range, in the unit of flotsam list policies --json (may be repeated)")
    add("--constraint", action="append", default=[], metavar="'METRIC <= X'",
        help="or >=; in the metric's unit, or X %% of the baseline's mean (may be repeated)")
    add("--trials", type=int, default=30, metavar="N", help="the first has the defaults (default: 30)")
    add("--confirm", type=int, metavar="N",
        help="unseen replications (default: twice those of the search, at least 10)")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="overrides a value (may be repeated)")
    add("--allow-foreign", action="store_true", help="starts a library or process that the experiment's baseline names")
    add("-j", "--jobs", type=int, metavar="N", help="runs at once")
    add("-o", "--output", metavar="DIR", help="folder (default: results/tune-NAME)")


def main(options: argparse.Namespace) -> int:
    """Does it; returns the exit code: 2 when no gain survives."""
    if options.program is None and importlib.util.find_spec("optuna") is None:
        raise ExperimentError("Optuna is not installed: python3 -m pip install './python[tune]'")
    study = Study(
        options.experiment, options.policy, propose=shlex.split(options.program) if options.program else None,
        kind=options.kind, sensitivity=options.sensitivity, trials=options.trials, output=options.output, jobs=options.jobs,
        ranges=dict(_range(each) for each in options.range), only=options.only.split(",") if options.only else None,
        constraints=options.constraint, set=dict(_setting(each) for each in options.set), confirm=options.confirm,
        allow_foreign=options.allow_foreign,
        show=lambda line: print(line, file=sys.stderr, flush=True))
    tuned = study.tune()
    print("\n".join(tuned.sentences))
    page = ", the page of the confirmation is page.html" if tuned.confirmed else ""
    print(f"results: {study.folder}/tune.json, and the runs beside it{page}")
    return 0 if tuned.survives else 2


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise ExperimentError(f"--set expects KEY=VALUE, found {text!r}")
    return key, value


def _range(text: str) -> tuple[str, tuple[float, float]]:
    found = re.fullmatch(r"([a-z0-9-]+)=([-+0-9.eE]*[0-9])\.\.([-+0-9.eE]+)", text)
    if found is None:
        raise ExperimentError(f"--range expects NAME=LOW..HIGH, found {text!r}")
    return found[1], (float(found[2]), float(found[3]))
