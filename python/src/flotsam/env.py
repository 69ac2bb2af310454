# SPDX-License-Identifier: GPL-3.0-or-later
"""Gymnasium environments over a running phone (`pip install './python[learn]'`).

    import gymnasium
    import flotsam.env                               # registers flotsam/Scheduling-v0 and flotsam/Eviction-v0

    env = gymnasium.make("flotsam/Scheduling-v0", experiment="experiments/quickstart.yaml")
    observation, info = env.reset(seed=0)            # replication 0 of the experiment
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

An episode is one run of the experiment with its baseline's other policy; the seed of `reset` is the number of the
replication, so that two agents, and the runs of `flotsam run`, see the same users. Without a seed each episode takes the
next replication. Rewards are increments of what metrics count since the end of the warm-up, times weights that are
stated; at the end `info["metrics"]` has every metric of the run. An episode ends with the experiment's time, which is a
limit from outside: the last step is `truncated` and never `terminated`, so that a learner values what would have come.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy
from flotsam_policy import HOUR, MINUTE, Candidate, Device, Request, proceed, wait
from numpy.typing import NDArray

from .program import FlotsamError, error, program

Observation = NDArray[numpy.float32]
Settings = Mapping[str, object]


def _hours(length: int) -> float:
    """A length of time up to a week on a scale from 0 to 1, finer for short ones."""
    return min(1.0, math.log1p(max(0, length) / HOUR) / math.log1p(168.0))


def _bytes(size: int) -> float:
    """Up to 16 GiB on a scale from 0 to 1, finer for small ones."""
    return min(1.0, math.log1p(max(0, size) / 1024) / math.log1p(16.0 * 1024 * 1024))


#: What an agent sees of a request and of the device, each from 0 to 1.
SCHEDULING_FEATURES: dict[str, Callable[[Request, Device], float]] = {
    "day_sine": lambda r, d: 0.5 + 0.5 * math.sin(d.now / HOUR * math.pi / 12),
    "day_cosine": lambda r, d: 0.5 + 0.5 * math.cos(d.now / HOUR * math.pi / 12),
    "battery_level": lambda r, d: d.battery_level,
    "plugged_in": lambda r, d: float(d.plugged_in),
    "wifi": lambda r, d: float(d.network == "wifi"),
    "cellular": lambda r, d: float(d.network == "cellular"),
    "radio_is_up": lambda r, d: float(d.radio_is_up),
    "screen_on": lambda r, d: float(d.screen_on),
    "locked": lambda r, d: float(d.locked),
    "locked_for": lambda r, d: _hours(d.now - d.locked_since) if d.locked else 0.0,
    "unplugged_for": lambda r, d: 0.0 if d.plugged_in else _hours(d.now - d.unplugged_since),
    "low_power_mode": lambda r, d: float(d.low_power_mode),
    "thermal_level": lambda r, d: d.thermal_level / 3,
    "processor_busy": lambda r, d: d.processor_busy,
    "pressure": lambda r, d: d.pressure / 2,
    "camera_on": lambda r, d: float(d.camera_on),
    "running_launches": lambda r, d: min(1.0, d.running_launches / 8),
    "energy_budget_left": lambda r, d: d.energy_budget_left,
    "cellular_budget_left": lambda r, d: d.cellular_budget_left,
    "is_processing": lambda r, d: float(r.kind == "processing"),
    "waiting": lambda r, d: _hours(d.now - r.earliest_begin),
    "left": lambda r, d: _hours(r.deadline - d.now),
    "requires_power": lambda r, d: float(r.requires_power),
    "requires_network": lambda r, d: float(r.requires_network),
    "since_opened": lambda r, d: _hours(d.now - r.last_opened),
    "since_run": lambda r, d: _hours(d.now - r.last_run),
    "open_likelihood": lambda r, d: r.open_likelihood,
    "expected_bytes": lambda r, d: _bytes(r.expected_bytes),
    "expected_duration": lambda r, d: _hours(r.expected_duration),
}

#: What an agent sees of a process that could die, each from 0 to 1.
EVICTION_FEATURES: dict[str, Callable[[Candidate, int], float]] = {
    "band": lambda c, now: c.band / 210,
    "executes": lambda c, now: float(c.state in ("inactive", "active", "background")),
    "footprint": lambda c, now: _bytes(c.footprint),
    "resident": lambda c, now: _bytes(c.resident),
    "band_set_for": lambda c, now: _hours(now - c.band_set),
    "alive_for": lambda c, now: _hours(now - c.launched),
    "unseen_for": lambda c, now: _hours(now - c.last_foreground),
    "opens": lambda c, now: min(1.0, math.log1p(c.opens) / 10),
    "relaunch_time": lambda c, now: min(1.0, c.relaunch_time / 10e9),
    "relaunch_energy": lambda c, now: min(1.0, c.relaunch_energy / 20),
    "is_system": lambda c, now: float(c.is_system),
}

#: Decisions that an agent for scheduling chooses among.
SCHEDULING_ACTIONS: dict[str, Callable[[Request, Device], dict[str, Any]]] = {
    "proceed": lambda r, d: proceed("scored"),
    "wait_5_minutes": lambda r, d: wait("below-threshold", until=d.now + 5 * MINUTE),
    "wait_15_minutes": lambda r, d: wait("below-threshold", until=d.now + 15 * MINUTE),
    "wait_1_hour": lambda r, d: wait("below-threshold", until=d.now + HOUR),
    "wait_for_cheap_moment": lambda r, d: wait(
        "below-threshold", until=d.now + HOUR, on=["radio-up", "wifi-joined", "plugged-in"]),
}


class _Phone:
    """The process that carries out one run and asks for its decisions."""

    def __init__(
        self, experiment: str, kind: str, replication: int, policy: str | None, settings: Settings,
        program_path: str | None, allow_foreign: bool,
    ) -> None:
        words = [program(program_path), "lab", "environment", experiment, "--kind", kind, "--replication", str(replication)]
        if policy is not None:
            words += ["--policy", policy]
        words += ["--allow-foreign"] if allow_foreign else []
        for key, value in settings.items():
            words += ["--set", f"{key}={value}"]
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self._read().get("flotsam_policy") != 1:
            raise FlotsamError("the program speaks another version of the protocol")
        self.answer({"name": "environment", "source": "flotsam.env"})

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            assert self.process.stderr is not None
            said, code = self.process.stderr.read(), self.process.wait()
            self.close()
            raise error(said or "the run ended before its end", code)
        message: dict[str, Any] = json.loads(line)
        return message

    def question(self) -> dict[str, Any]:
        """The next question, or the end."""
        return self._read()

    def answer(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message, separators=(",", ":")) + "\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass
        self.process.wait()


class PhoneEnv(gymnasium.Env[Any, Any]):
    """What both environments have in common."""

    kind: ClassVar[str] = ""
    metadata: dict[str, Any] = {"render_modes": []}
    #: Reward for an increment of one in each of the meter's figures: energy (J), content_age (s, summed over opens),
    #: content_opens, relaunches, wait (s).
    usual_weights: ClassVar[dict[str, float]] = {}

    def __init__(
        self, experiment: str | os.PathLike[str], *, policy: str | None = None, set: Settings | None = None,
        weights: Mapping[str, float] | None = None, allow_foreign: bool = False, program_path: str | None = None,
    ) -> None:
        self.allow_foreign = allow_foreign
        self.experiment = str(Path(experiment))
        self.policy = policy
        self.settings = dict(set or {})
        self.weights = dict(self.usual_weights if weights is None else weights)
        self.program_path = program_path
        self.replication = -1
        self._phone: _Phone | None = None
        self._meter: dict[str, float] = {}
        self._is_answered = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins the run of a replication: that of the seed, or the one after the last."""
        super().reset(seed=seed)
        self.replication = self.replication + 1 if seed is None else seed
        self.close()
        self._phone = _Phone(
            self.experiment, self.kind, self.replication, self.policy, self.settings, self.program_path,
            self.allow_foreign)
        self._meter = {}
        self._is_answered = False
        return self._next()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Answers the question and goes on to the next one."""
        if self._phone is None:
            raise FlotsamError("the episode is over: call reset")
        before = dict(self._meter)
        self.begin(action)
        self._is_answered = False
        observation, info = self._next()
        reward = sum(
            weight * (self._meter.get(name, 0.0) - before.get(name, 0.0)) for name, weight in self.weights.items())
        ended = "metrics" in info
        if ended:
            self.close()
        # A run ends with its time and nothing else: a phone that dies is charged and goes on.
        return observation, float(reward), False, ended, info

    def begin(self, action: Any) -> None:
        """Lets the phone go on meanwhile: the next `step` takes the same action and only waits for the question."""
        if self._phone is not None and not self._is_answered:
            self._answer(action)
            self._is_answered = True

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Which actions make a difference now, as agents with masks ask for it; `info["action_mask"]` has the same."""
        raise NotImplementedError

    def close(self) -> None:
        """Ends the run under way."""
        if self._phone is not None:
            self._phone.close()
            self._phone = None

    def _next(self) -> tuple[Any, dict[str, Any]]:
        assert self._phone is not None
        while True:
            message = self._phone.question()
            self._meter = message.get("meter", self._meter)
            info: dict[str, Any] = {"replication": self.replication, "meter": dict(self._meter)}
            if "end" in message:
                info["metrics"] = message["metrics"]
                return self._nothing(), info
            if message.get("ask") in ("decide", "rank"):
                observation = self._observe(message)
                info["now"] = message["now"]
                info["action_mask"] = self.action_masks().astype(numpy.int8)
                return observation, info

    def _observe(self, question: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _nothing(self) -> Any:
        raise NotImplementedError

    def _answer(self, action: Any) -> None:
        raise NotImplementedError


class SchedulingEnv(PhoneEnv):
    """Decides about each request for background work when it may run.

    The observation is `SCHEDULING_FEATURES`, the action one of `SCHEDULING_ACTIONS`. The reward is minus the joules that
    the phone used, and minus a hundredth for each second of age of the content that the user finds at an open.
    """

    kind = "scheduling"
    usual_weights = {"energy": -1.0, "content_age": -0.01}

    def __init__(self, experiment: str | os.PathLike[str], **keywords: Any) -> None:
        super().__init__(experiment, **keywords)
        count = len(SCHEDULING_FEATURES)
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (count,), numpy.float32)
        self.action_space = gymnasium.spaces.Discrete(len(SCHEDULING_ACTIONS))
        self._actions = list(SCHEDULING_ACTIONS.values())
        self.request: Request | None = None
        self.device: Device | None = None

    def _observe(self, question: dict[str, Any]) -> Observation:
        request, device = Request(**question["request"]), Device(**question["device"])
        self.request, self.device = request, device
        figures = [feature(request, device) for feature in SCHEDULING_FEATURES.values()]
        return numpy.clip(numpy.array(figures, dtype=numpy.float32), 0.0, 1.0)

    def _nothing(self) -> Observation:
        return numpy.zeros(len(SCHEDULING_FEATURES), dtype=numpy.float32)

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Which actions make a difference now.

        A wait that ends at the request's deadline or behind it gives the request up: of these only the shortest counts.
        The cheap moment counts while one of the three that it waits for is not here.
        """
        assert self.request is not None and self.device is not None
        left = self.request.deadline - self.device.now
        here = self.device.radio_is_up and self.device.network == "wifi" and self.device.plugged_in
        makes = {
            "wait_15_minutes": left > 15 * MINUTE, "wait_1_hour": left > HOUR,
            "wait_for_cheap_moment": left > HOUR and not here,
        }
        return numpy.array([makes.get(action, True) for action in SCHEDULING_ACTIONS])

    def _answer(self, action: Any) -> None:
        assert self._phone is not None and self.request is not None and self.device is not None
        self._phone.answer(self._actions[int(action)](self.request, self.device))


class EvictionEnv(PhoneEnv):
    """Ranks processes for their death when memory is short; the smallest rank dies first.

    A step is about at most `size` processes whose view has changed: the observation holds a row of `EVICTION_FEATURES`
    for each and then a 1, rows of zeros fill it up; the action is a rank from -1 to 1 for each row. The reward is minus
    one for each open of an app whose process is gone.
    """

    kind = "eviction"
    usual_weights = {"relaunches": -1.0}

    def __init__(self, experiment: str | os.PathLike[str], *, size: int = 16, **keywords: Any) -> None:
        super().__init__(experiment, **keywords)
        self.size = size
        columns = len(EVICTION_FEATURES) + 1
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (size, columns), numpy.float32)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (size,), numpy.float32)
        self._waiting: list[Candidate] = []
        self._ranks: list[float] = []
        self._now = 0

    def _observe(self, question: dict[str, Any]) -> Observation:
        self._waiting = [Candidate(**view) for view in question["candidates"]]
        self._ranks = []
        self._now = question["now"]
        return self._rows()

    def _rows(self) -> Observation:
        rows = self._nothing()
        for row, candidate in enumerate(self._waiting[: self.size]):
            rows[row, :-1] = [feature(candidate, self._now) for feature in EVICTION_FEATURES.values()]
            rows[row, -1] = 1.0
        return numpy.clip(rows, 0.0, 1.0)

    def _nothing(self) -> Observation:
        return numpy.zeros((self.size, len(EVICTION_FEATURES) + 1), dtype=numpy.float32)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Ranks the processes shown; of a question about more than `size`, the next ones follow."""
        if self._phone is not None and len(self._waiting) > self.size:
            self._ranks += [float(rank) for rank in action]
            self._waiting = self._waiting[self.size :]
            info = {
                "replication": self.replication, "meter": dict(self._meter), "now": self._now,
                "action_mask": self.action_masks().astype(numpy.int8),
            }
            return self._rows(), 0.0, False, False, info
        return super().step(action)

    def begin(self, action: Any) -> None:
        """As for any environment; of a question about more than `size` the phone waits for the other ranks."""
        if len(self._waiting) <= self.size:
            super().begin(action)

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Which rows hold a process; the ranks of the others are not looked at."""
        return numpy.arange(self.size) < len(self._waiting)

    def _answer(self, action: Any) -> None:
        assert self._phone is not None
        ranks = self._ranks + [float(rank) for rank in action[: len(self._waiting)]]
        self._phone.answer({"ranks": ranks})


class PhoneVector(gymnasium.vector.SyncVectorEnv):
    """Environments whose phones go on at the same time, each in a process of its own."""

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Gives all phones their answers before it waits for the first question."""
        each = list(gymnasium.vector.utils.iterate(self.action_space, actions))
        for env, action in zip(self.envs, each, strict=True):
            phone = env.unwrapped
            assert isinstance(phone, PhoneEnv)
            phone.begin(action)
        return super().step(actions)


def vector(
    environment: type[PhoneEnv], experiment: str | os.PathLike[str], count: int, **keywords: Any
) -> PhoneVector:
    """So many environments at once; `reset(seed=s)` gives them the replications s, s + 1, and so on.

    Each has a phone in a process of its own, and all go on at the same time. Later episodes of one take every `count`-th
    replication, so that no two see the same.
    """

    class Strided(environment):  # type: ignore[valid-type, misc]
        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            following = None if seed is None and self.replication < 0 else self.replication + count
            return super().reset(seed=following if seed is None else seed, options=options)

    makers: Sequence[Callable[[], PhoneEnv]] = [lambda: Strided(experiment, **keywords) for _ in range(count)]
    return PhoneVector(makers)


for _environment in (SchedulingEnv, EvictionEnv):
    gymnasium.register(
        id=f"flotsam/{_environment.__name__.removesuffix('Env')}-v0", entry_point=f"flotsam.env:{_environment.__name__}",
        kwargs={"experiment": "experiments/quickstart.yaml"})
