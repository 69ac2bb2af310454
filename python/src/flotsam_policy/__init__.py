# SPDX-License-Identifier: GPL-3.0-or-later
"""Policies in Python: a class with one method, which the simulator asks over a pipe.

    from flotsam_policy import EvictionPolicy, serve

    class LRU(EvictionPolicy):
        def rank(self, candidate, now):
            return candidate.last_foreground

    serve(LRU)

An experiment names the file: `eviction: [jetsam, {process: [python3, lru.py]}]`. Needs nothing but Python itself.

Instants and lengths of time are whole nanoseconds since midnight of the run's first day, `None` where an instant never
comes; energies are joules, sizes bytes. A policy may take nothing from outside (clocks, files that change, random
numbers but those of `self.seed`): the same experiment gives the same bytes.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from typing import Any, ClassVar, TextIO

PROTOCOL = 1
SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE


@dataclass(slots=True)
class Candidate:
    """A process that could die."""

    app: int
    band: int
    state: str
    footprint: int
    resident: int
    band_set: int
    launched: int
    last_foreground: int
    opens: int
    relaunch_time: int
    relaunch_energy: float
    next_open: int | None
    is_system: bool


@dataclass(slots=True)
class Memory:
    """Memory, for policies that say themselves when somebody dies."""

    total: int
    free: int
    file_backed: int
    compressed: int
    compressor_limit: int
    refaulted: int


@dataclass(slots=True)
class Request:
    """A pending request for background work."""

    app: int
    kind: str
    submitted: int
    earliest_begin: int
    deadline: int
    requires_power: bool
    requires_network: bool
    last_opened: int
    last_run: int
    open_likelihood: float
    expected_bytes: int
    expected_duration: int
    screen_time_since_opened: int
    screen_cycles_since_opened: int
    next_open: int | None


@dataclass(slots=True)
class Device:
    """The device at the instant of the question."""

    now: int
    battery_level: float
    plugged_in: bool
    network: str
    radio_is_up: bool
    screen_on: bool
    locked: bool
    locked_since: int
    unplugged_since: int
    low_power_mode: bool
    thermal_level: int
    processor_busy: float
    pressure: int
    camera_on: bool
    running_launches: int
    herd_until: int
    energy_budget_left: float
    cellular_budget_left: float


@dataclass(frozen=True)
class Parameter:
    """A parameter that experiments may set; its value is an attribute of the policy, `-` in its name read as `_`.

    `dimension` is one of number, fraction, duration (seconds), energy (joules), power (watts), bytes and choice; of a
    choice, `range` holds the words and `default` is one of them.
    """

    name: str
    dimension: str
    default: float | str
    range: tuple[float, float] | tuple[str, ...]
    meaning: str

    def describe(self) -> dict[str, Any]:
        """The parameter as the protocol has it."""
        words = "words" if self.dimension == "choice" else "range"
        return {
            "name": self.name, "dimension": self.dimension, "default": self.default, words: list(self.range),
            "meaning": self.meaning,
        }


@dataclass(frozen=True)
class Rule:
    """A rule of one's own: its name in tables, and its part of a sentence of `flotsam why`."""

    name: str
    sentence: str


Decision = dict[str, Any]


def proceed(rule: str = "immediate", *, score: float | None = None, threshold: float | None = None) -> Decision:
    """The work starts now."""
    return _decision(True, rule, None, (), score, threshold)


def wait(
    rule: str, *, until: int | None = None, on: tuple[str, ...] | list[str] = (), score: float | None = None,
    threshold: float | None = None,
) -> Decision:
    """The work waits until an instant or one of the changes, such as `plugged-in`, whichever comes first."""
    return _decision(False, rule, until, on, score, threshold)


def _decision(
    goes: bool, rule: str, until: int | None, on: tuple[str, ...] | list[str], score: float | None,
    threshold: float | None,
) -> Decision:
    decision: Decision = {"proceed": goes, "rule": rule}
    if until is not None:
        decision["until"] = until
    if on:
        decision["wake_on"] = list(on)
    if score is not None:
        decision["score"] = score
    if threshold is not None:
        decision["threshold"] = threshold
    return decision


class Policy:
    """What both kinds of policy have in common; subclass one of the two below."""

    kind: ClassVar[str] = ""
    #: Name in lower-case-words-like-these; without one, that of the class.
    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    #: Paper or file that the rule comes from.
    source: ClassVar[str] = ""
    parameters: ClassVar[list[Parameter]] = []
    #: Whether it reads `next_open`, which nobody else is told.
    is_oracle: ClassVar[bool] = False
    #: Of apps, charging, network and radio-tail: what must happen in the workload.
    needs: ClassVar[tuple[str, ...]] = ()
    #: Bits that no other stream of the run shares, for a policy that draws.
    seed: int = 0

    _events: ClassVar[dict[str, str]] = {}

    def start(self) -> None:
        """Called once, when the parameters and the seed are set."""

    @classmethod
    def describe(cls) -> dict[str, Any]:
        """What the greeting is answered with."""
        base = EvictionPolicy if cls.kind == "eviction" else SchedulingPolicy
        overridden = [event for event, name in cls._events.items() if getattr(cls, name) is not getattr(base, name)]
        summary = cls.summary or (cls.__doc__ or "").strip().split("\n")[0]
        return {
            "name": cls.name or _kebab(cls.__name__), "summary": summary, "source": cls.source or cls.__name__,
            "parameters": [parameter.describe() for parameter in cls.parameters], "hears": overridden,
            "is_oracle": cls.is_oracle, "needs": list(cls.needs),
        }

    def hear(self, event: dict[str, Any]) -> None:
        """Takes note of something that happened."""
        raise NotImplementedError

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Answers a question."""
        raise NotImplementedError


class EvictionPolicy(Policy):
    """In which order processes die when memory is short: the smallest rank first."""

    kind = "eviction"
    #: Nanoseconds for which ranks hold while views stay the same; None for ever, 0 for each victim anew.
    rank_lifetime: ClassVar[int | None] = None
    #: Whether the policy itself says when somebody dies, by `highest_rank_to_die`.
    replaces_trigger: ClassVar[bool] = False

    _events = {"open": "did_open", "evict": "did_evict", "survey": "survey"}

    def rank(self, candidate: Candidate, now: int) -> float:
        """The candidate's rank; it must follow from the view and from what the policy remembers, not from the time."""
        raise NotImplementedError

    def did_evict(self, candidate: Candidate, now: int) -> None:
        """Somebody died."""

    def did_open(self, app: int, now: int) -> None:
        """The user opened an app, running or not."""

    def survey(self, candidates: list[Candidate], now: int) -> None:
        """All candidates, before each is ranked anew because the lifetime of ranks is over."""

    def highest_rank_to_die(self, memory: Memory, now: int) -> float | None:
        """Up to which rank candidates may die now; None for nobody."""
        return None

    @classmethod
    def describe(cls) -> dict[str, Any]:
        return super().describe() | {"rank_lifetime": cls.rank_lifetime, "replaces_trigger": cls.replaces_trigger}

    def hear(self, event: dict[str, Any]) -> None:
        what, now = event["did"], event["now"]
        if what == "open":
            self.did_open(event["app"], now)
        elif what == "evict":
            self.did_evict(Candidate(**event["candidate"]), now)
        elif what == "survey":
            self.survey([Candidate(**view) for view in event["candidates"]], now)

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        now = question["now"]
        if question["ask"] == "rank":
            return {"ranks": [self.rank(Candidate(**view), now) for view in question["candidates"]]}
        return {"rank": self.highest_rank_to_die(Memory(**question["memory"]), now)}


class SchedulingPolicy(Policy):
    """When background work runs: it may run as far as the system goes, and the policy says now or later."""

    kind = "scheduling"
    rules: ClassVar[list[Rule]] = []
    #: Whether requests come up at their earliest begin to the instant, as alarms do.
    rings_at_floor: ClassVar[bool] = False
    #: Whether the policy spends the day's budgets, so that silent pushes spend them as well.
    keeps_budgets: ClassVar[bool] = False

    _events = {"submit": "did_submit", "withdraw": "did_withdraw", "finish": "did_finish"}

    def decide(self, request: Request, device: Device) -> Decision:
        """`proceed(rule)`, or `wait(rule, until=…, on=[…])`; it is asked again then, and at no other time."""
        raise NotImplementedError

    def did_finish(self, request: Request, found_new_content: bool, now: int) -> None:
        """Work ended."""

    def did_submit(self, request: Request, now: int) -> None:
        """A request was accepted."""

    def did_withdraw(self, request: Request, now: int) -> None:
        """A pending request is gone without having started."""

    @classmethod
    def describe(cls) -> dict[str, Any]:
        rules = [{"name": rule.name, "sentence": rule.sentence} for rule in cls.rules]
        return super().describe() | {
            "rules": rules, "rings_at_floor": cls.rings_at_floor, "keeps_budgets": cls.keeps_budgets,
        }

    def hear(self, event: dict[str, Any]) -> None:
        request = Request(**event["request"])
        if event["did"] == "submit":
            self.did_submit(request, event["now"])
        elif event["did"] == "withdraw":
            self.did_withdraw(request, event["now"])
        elif event["did"] == "finish":
            self.did_finish(request, event["found_new_content"], event["now"])

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        return self.decide(Request(**question["request"]), Device(**question["device"]))


def serve(*policies: type[Policy]) -> None:
    """Answers the simulator until it closes the pipe; of several policies, the one of the kind that it asks for.

    What the policy prints goes to standard error: standard output belongs to the answers.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", newline="\n")
    sys.stdout = sys.stderr
    _converse(sys.stdin, answers, policies)


def _converse(questions: TextIO, answers: TextIO, policies: tuple[type[Policy], ...]) -> None:
    policy: Policy | None = None
    chosen: type[Policy] | None = None
    for line in questions:
        message = json.loads(line)
        if "flotsam_policy" in message:
            chosen = next((one for one in policies if one.kind == message["kind"]), None)
            if message["flotsam_policy"] != PROTOCOL:
                _say(answers, {"error": f"speaks version {PROTOCOL} of the protocol"})
            elif chosen is None:
                _say(answers, {"error": f"has no {message['kind']} policy"})
            else:
                _say(answers, chosen.describe())
        elif "start" in message and chosen is not None:
            policy = chosen()
            for name, value in message["start"]["parameters"].items():
                setattr(policy, name.replace("-", "_"), value)
            policy.seed = message["start"]["seed"]
            policy.start()
        elif policy is not None:
            for event in message.get("heard", ()):
                policy.hear(event)
            if "ask" in message:
                _say(answers, policy.answer(message))


def _say(answers: TextIO, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message, separators=(",", ":"), allow_nan=False) + "\n")
    answers.flush()


def _kebab(name: str) -> str:
    """`MyPolicy` as `my-policy`, `LRU` as `lru`."""
    letters = [
        "-" + letter if letter.isupper() and index and not name[index - 1].isupper() else letter
        for index, letter in enumerate(name)
    ]
    return "".join(letters).lower()
